//! `cost = EXPR`: how many units a call takes.

use super::{
    given::Given,
    limits::Literals,
    number::{self, Number},
};
use crate::error::Errors;

/// `None` if there is no cost that can be used; what is wrong with one has been reported.
pub(super) fn check(given: &Given, errors: &mut Errors) -> Option<Number<u32>> {
    let value = given.value("cost")?;
    let cost = match number::read(value, "u32") {
        Ok(cost) => cost,
        Err(found) => {
            errors.at(
                value,
                format_args!(
                    "`cost` takes a whole number of units, a `u32` from 0 to 4294967295, not {found}"
                ),
            );
            return None;
        }
    };
    // Other numbers meet at run time, where such a call is refused with a reason of its own.
    match (&cost, Literals::of(given).smallest_max) {
        (Number::Literal(cost), Some(max)) if *cost > max => {
            errors.at(
                value,
                format_args!(
                    "a call with a `cost` of {cost} could never be admitted: the window holds {max} at most"
                ),
            );
        }
        _ => {}
    }
    Some(cost)
}
