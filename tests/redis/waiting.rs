//! Calls that wait for their turn at a shared window.

mod away;
mod share;
mod turns;

use std::time::Duration;

use windowlimit::Limit;

pub(crate) use self::{away::*, share::*, turns::*};

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn per(max: u32, millis: u64) -> Limit {
    Limit::new(max, ms(millis)).expect("the window is above zero")
}
