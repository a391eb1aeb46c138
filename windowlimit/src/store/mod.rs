//! Windows that several processes share, on Redis or Valkey.
//!
//! # In words
//!
//! One key of the server holds one window, and one decision is one call of one script, which the server runs as a whole:
//! no two decisions ever interleave. The script reads the server's clock, so those of the callers do not matter. It is in
//! `lua/exact.lua`, and argued there: an admission appends eight bytes to a log, a refusal writes nothing.
//!
//! From above: a [`limiter`] has limits and a name, and asks its store about one [`call`] after another; the [`store`] is
//! a connection with its settings, a [`memory`] of refusals, and what is known of the server's [`health`]. Questions
//! ([`question`], which are calls of a [`script`]) go to a thread of their own ([`io`]), over a connection that is made,
//! watched and replaced there ([`link`], [`connection`]). A key becomes text by [`key`], and begins with what is said by
//! [`prefix`]. Several limiters make one call of one script [`together`].
//! A call that waits ([`acquire`]) stands in the [`line`] of its window in this process, which the store holds for all
//! limiters of one name.
//!
//! # What must stay true
//!
//! * **R1, once.** A question is sent a second time only if the server provably ran nothing: it did not know the script.
//!   Never after a time-out, for then it may have been admitted.
//! * **R2, in time.** Whatever happens, a question is answered by its deadline, which covers the queue, connecting,
//!   sending, the answer, and the second sending.
//! * **R3, open circuit.** While the server is known to be away nothing is sent, and a decision costs what it costs
//!   without a store. One attempt at a time looks whether it is back.
//! * **R4, memory.** A refusal is remembered from the moment at which the question was sent, which is before the server
//!   read its clock: so it is never remembered for longer than it is true.
//!
//! What a line adds to that stands there (L1 to L4).

mod acquire;
mod block;
mod call;
mod calls;
mod connection;
mod error;
mod give_back;
mod health;
mod io;
mod key;
mod limiter;
mod line;
mod link;
mod memory;
mod permit;
mod policy;
mod prefix;
mod question;
mod refusal;
mod reply;
mod script;
mod stand_in;
#[allow(clippy::module_inception)] // the store itself, in the folder of what it is made of
mod store;
mod subject;
mod together;
mod waiting;

pub(crate) use self::call::Call;
pub use self::{
    acquire::SharedAcquire,
    error::StoreError,
    health::StoreState,
    key::{KeyText, StoreKey},
    limiter::{SharedLimiter, SharedLimiterBuilder},
    permit::SharedPermit,
    policy::OnStoreError,
    store::{RedisStore, RedisStoreBuilder},
    together::{Together, TogetherError, TogetherKeys, TogetherPermit},
};
