//! `wait`, `max_wait`, `max_wait_ms` and `max_waiters`: calls that wait for their turn.

use super::{
    given::Given,
    limits::{Window, check_length},
    number::{self, Number},
    value::Value,
};
use crate::error::Errors;

/// How the calls of a function wait.
pub(crate) struct Wait {
    /// A call whose turn comes later is refused.
    pub(crate) longest: Option<Window>,
    /// A call that finds so many in line is refused.
    pub(crate) most: Option<Number<u32>>,
}

/// Each of them says that calls wait.
const WAITING: [&str; 3] = ["wait", "max_wait", "max_wait_ms"];

impl Wait {
    /// `None` if calls do not wait; what is wrong with an argument has been reported.
    pub(super) fn check(given: &Given, errors: &mut Errors) -> Option<Self> {
        let longest = given
            .value("max_wait")
            .map(|value| check_length(value, "max_wait", &no_time("max_wait", "\"2s\""), errors));
        let millis = given.value("max_wait_ms").map(|value| check_millis(value, errors));
        let said = WAITING.into_iter().find(|name| given.has(name));
        let most = given.value("max_waiters").and_then(|value| check_most(value, said, errors));
        match given.name("max_waiters") {
            Some(name) if said.is_none() && !given.is_garbled => errors.at(
                name,
                "`max_waiters` needs `wait`, or the longest wait as in `max_wait = \"2s\"`: without them a call that does \
                 not fit is refused at once, and none waits",
            ),
            _ => {}
        }
        said.map(|_| Self { longest: longest.or(millis).flatten(), most })
    }

    pub(crate) fn is_literal(&self) -> bool {
        let longest = self.longest.as_ref().is_none_or(Window::is_literal);
        longest && !matches!(self.most, Some(Number::Expression(_)))
    }
}

/// What to say about a longest wait of zero.
fn no_time(argument: &str, example: &str) -> String {
    format!(
        "a wait of no time is none: write how long a call may wait, such as {example}; without `wait` and `{argument}` one \
         that does not fit is refused at once"
    )
}

fn check_millis(value: &Value, errors: &mut Errors) -> Option<Window> {
    let found = match number::read(value, "u64") {
        Ok(Number::Literal(0)) => {
            errors.at(value, no_time("max_wait_ms", "2000"));
            return None;
        }
        Ok(millis) => return Some(Window::Millis(millis)),
        Err(found) => found,
    };
    errors.at(
        value,
        format_args!(
            "`max_wait_ms` takes a whole number of milliseconds, a `u64` from 1 to 18446744073709551615, not {found}"
        ),
    );
    None
}

fn check_most(value: &Value, said: Option<&str>, errors: &mut Errors) -> Option<Number<u32>> {
    let found = match number::read(value, "u32") {
        Ok(Number::Literal(0)) => {
            let said = said.unwrap_or("max_waiters");
            errors.at(
                value,
                format_args!("nobody could wait: leave out `{said}`, or write how many may, such as 100"),
            );
            return None;
        }
        Ok(most) => return Some(most),
        Err(found) => found,
    };
    errors.at(
        value,
        format_args!(
            "`max_waiters` takes how many calls may wait, a `u32` from 1 to 4294967295, not {found}"
        ),
    );
    None
}
