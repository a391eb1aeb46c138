#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
// The model checker's atomics are not `const`, so under it nothing can be a `static`, and there is no attribute.
#![cfg_attr(windowlimit_loom, allow(dead_code))]
//!
//! # Reading the source
//!
//! Front to back, each knowing only what stands below it:
//!
//! 1. the attribute `#[window_rate_limit]`, in `windowlimit-macros`: one guard in front of the body;
//! 2. `__private`, `refuse` and `key`: what the guard calls, how a refusal becomes the return value, what may be a key;
//! 3. `registry`, and behind features `config` and `testing`: limiters as they are seen and changed from outside, by name,
//!    from files, and in the scopes of tests;
//! 4. [`Limiter`]: limits, a clock, a name, and the window, behind a `gate` that says when a call has to look further;
//!    [`KeyedLimiter`] (`keyed`): the same for each key, with the
//!    table that gives idle keys back (`keyed/table.rs`);
//! 5. `line`: who waits for a turn in front of a window, in which order, and when that will be; [`Acquire`], the future;
//! 6. `window`: the windows in words (`window/mod.rs`); how one follows another when limits change (`timeline`, `era`,
//!    `legacy`); the ring that most limiters have (`ring`, its circle of slots in `circle`, the word in a slot in `word`);
//!    the others (`log`, `segmented` with its `marks`, `fixed`); the small ones of keys (`solo`);
//! 7. `watch`: what a limiter carries for those who watch it, where all of them are found by name, what is counted, and the
//!    worlds of tests; the events and counters of features are there too. It knows no limiter. `striped`: counters that
//!    no thread waits for;
//! 8. `client`, behind the feature of that name: who a call comes from, as a value for `key`; it knows no limiter;
//! 9. `web`, behind the features `http`, `axum`, `actix-web` and `tonic`: refusals as responses and permits as header fields;
//!    `layer`, behind `tower`: a limiter in front of a service, above the limiters;
//! 10. `store`, behind the feature `redis`: windows that processes share, in words (`store/mod.rs`) and as scripts
//!     (`store/lua`), several that decide as one (`store/together`), and the line of each process in front of them
//!     (`store/line.rs`);
//! 11. [`Clock`] and how one [sleeps](Sleep) on it, [`Limit`], [`Algorithm`], [`RateLimitExceeded`], [`Permit`], [`Usage`],
//!     [`Decider`]: plain values.
//!
//! The tests of the algorithm are in `tests/`: a naive oracle and one table of cases (`tests/src`), property and
//! scenario tests (`tests/it`), models of every interleaving (`tests/loom`) with mutants that must fail
//! (`tests/mutants`), and real threads (`tests/stress`).

#[cfg(not(windowlimit_loom))]
extern crate self as windowlimit;

#[doc(hidden)]
#[cfg(not(windowlimit_loom))]
pub mod __private;
#[cfg(not(windowlimit_loom))]
mod key;
#[cfg(not(windowlimit_loom))]
mod refuse;
mod retry;

#[cfg(all(feature = "tower", not(windowlimit_loom)))]
pub mod layer;

#[cfg(feature = "client")]
mod client;
#[cfg(all(feature = "config", not(windowlimit_loom)))]
pub mod config;
#[cfg(not(windowlimit_loom))]
mod keyed;
// As much of it as there is a model of.
#[cfg(windowlimit_loom)]
mod keyed {
    mod digest;
    mod gather;
    pub(crate) mod queue;
    mod tokens;
}
#[cfg(not(windowlimit_loom))]
pub mod registry;
#[cfg(all(feature = "redis", not(windowlimit_loom)))]
mod store;
#[cfg(all(feature = "test-util", not(windowlimit_loom)))]
pub mod testing;
#[cfg(all(feature = "http", not(windowlimit_loom)))]
mod web;

mod limiter;
mod line;
mod permit;
#[cfg(not(windowlimit_loom))]
mod watch;

mod window;

mod algorithm;
mod clock;
mod decider;
mod error;
mod gate;
mod lasting;
mod limit;
mod limits;
mod name;
mod others;
#[allow(unreachable_pub)] // the models count with it
mod striped;
mod sync;
mod usage;

#[cfg(feature = "client")]
pub use crate::client::{ClientKey, Clients, ForwardingHeader};
#[cfg(feature = "quanta")]
pub use crate::clock::QuantaClock;
#[cfg(feature = "tokio")]
pub use crate::clock::TokioClock;
#[cfg(all(feature = "tower", not(windowlimit_loom)))]
pub use crate::layer::WindowLimitLayer;
#[cfg(all(feature = "redis", not(windowlimit_loom)))]
pub use crate::store::{
    KeyText, OnStoreError, RedisStore, RedisStoreBuilder, SharedAcquire, SharedLimiter, SharedLimiterBuilder,
    SharedPermit, StoreError, StoreKey, StoreState, Together, TogetherError, TogetherKeys, TogetherPermit,
};
#[cfg(all(feature = "http", not(windowlimit_loom)))]
pub use crate::web::{FieldSyntax, RateLimitFields, TooManyRequests};
pub use crate::{
    algorithm::Algorithm,
    clock::{Clock, ManualClock, Sleep, SystemClock},
    decider::Decider,
    error::{RateLimitExceeded, Reason},
    limit::{InvalidLimit, Limit, ParseLimitError},
    limiter::{Limiter, LimiterBuilder},
    line::Acquire,
    permit::Permit,
    usage::Usage,
};
#[cfg(not(windowlimit_loom))]
pub use crate::{
    keyed::{KeyedLimiter, KeyedLimiterBuilder},
    registry::registry,
};
// What a method of `Clock` returns that is not for others.
#[doc(hidden)]
pub use crate::clock::Latest;
#[cfg(feature = "client")]
pub use ipnet::IpNet;
// What is modelled apart from a limiter.
#[cfg(windowlimit_loom)]
pub use crate::{
    keyed::queue::{Look, Queue},
    striped::{Numbers, Striped},
};
#[cfg(not(windowlimit_loom))]
pub use windowlimit_macros::window_rate_limit;
