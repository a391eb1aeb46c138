//! The line in front of a window: who waits for a turn, and in which order.
//!
//! # In words
//!
//! A call that waits draws a ticket and stands in line. Only the *first* in line decides; it does so like any other call,
//! and if there is no room it sleeps until the instant that the window names. Nobody else sleeps on a timer, but for its own
//! deadline. Whoever leaves the line as the first, admitted or not, wakes the next.
//!
//! * **W1, order.** Tickets are drawn under the lock of the line, and only the lowest one decides. So those who wait are
//!   admitted in the order in which they came, whatever they cost: a small call does not overtake a large one.
//! * **W2, nobody passes.** A call that does not wait is refused while somebody waits. It looks at the line before it
//!   decides: if nobody stood there, it came before all that join later, also if it is admitted after that.
//! * **W3, no turn is lost.** Who joins or decides leaves its waker under the lock under which it was found not to have its
//!   turn. So whoever makes it the first, or makes room, finds the waker: both happen under that lock, and the room is made
//!   before it is taken.
//! * **W4, no herd.** A departure wakes one call, and so do an instant and a change of the window. Each of them is followed
//!   by a decision, and by a departure if there was room: two wake-ups an admission, at most.
//! * **W5, leaving.** Nothing is charged to a call before the poll that returns its permit. One that is dropped takes its
//!   ticket out of the line, from any place, and if it was the first, wakes the next: what it was about to take is still
//!   there.
//! * **W6, exact.** The first sleeps to the nanosecond at which there is room. What brings that forward (a refund, a reset,
//!   other limits) wakes it. What puts it off, such as a call that came before (W2), it finds out when it decides.
//! * **W7, foresight.** The [`forecast`] is the window as it will be when all who wait have had their turns, each as early
//!   as it can be, and those have left whose deadline comes before. So a call knows its own turn before it joins: it is
//!   refused at once if that comes after its deadline, or if too many wait. When somebody has left the line, or had a turn
//!   later than it was foreseen, it is foreseen anew: at once where the line is short or a call would be refused for it, and
//!   else so seldom that it takes two steps for each call that comes or goes. When the window was changed it is foreseen anew
//!   in any case. (A call that came before (W2) and is admitted after is not foreseen: whoever waits finds out.)
//! * **W8, deadlines.** The first in line is refused as soon as its turn would come after its deadline. Any other is refused
//!   at its deadline, unless it has its turn by then and only waits for those before it, who were woken at the same
//!   instant, to take theirs; should one of them not be polled, it does not wait for that for ever.
//!
//! Nothing is locked while anybody sleeps. Under the lock of a line the window decides, and the clock is read.
//!
//! The line in front of a window that processes share is made of the same [`queue`], and differs where its first has to ask:
//! it is in `store/line.rs`.

mod acquire;
mod forecast;
#[cfg(not(windowlimit_loom))]
mod lines;
mod place;
mod queue;
#[cfg(not(windowlimit_loom))]
mod watched;

pub use self::acquire::Acquire;
#[cfg(not(windowlimit_loom))]
pub(crate) use self::lines::{Ends, Lines};
pub(crate) use self::{
    forecast::{Forecast, Foresee, Terms, Turn},
    place::Place,
    queue::{Call, Queue},
};
#[cfg(all(feature = "redis", not(windowlimit_loom)))]
pub(crate) use self::{
    place::{GRACE, Patience},
    queue::{Ticket, Waiter},
};
