//! Counters, through the facade of the `metrics` crate. Nothing is counted as long as the program has no recorder.

use metrics::{Unit, counter, describe_counter};

#[cfg(feature = "redis")]
use crate::decider::Decider;
use crate::{error::Reason, watch::Outcome};

const ADMITTED: &str = "windowlimit_admitted_total";
const WAITED: &str = "windowlimit_waited_total";
const REFUSED: &str = "windowlimit_refused_total";
const LET_THROUGH: &str = "windowlimit_let_through_total";
#[cfg(feature = "redis")]
const DEGRADED: &str = "windowlimit_degraded_total";

#[cfg(feature = "redis")]
pub(super) fn degraded(name: &'static str, stand_in: Decider) {
    let by = match stand_in {
        Decider::Allowed => "allow",
        Decider::Denied => "deny",
        _ => "local",
    };
    counter!(DEGRADED, "limiter" => name, "by" => by).increment(1);
}

pub(super) fn note(name: &'static str, outcome: Outcome<'_>) {
    match outcome {
        Outcome::Admitted => counter!(ADMITTED, "limiter" => name).increment(1),
        Outcome::Waited => {
            counter!(ADMITTED, "limiter" => name).increment(1);
            counter!(WAITED, "limiter" => name).increment(1);
        }
        Outcome::Refused(refusal) => {
            counter!(REFUSED, "limiter" => name, "reason" => word(refusal.reason())).increment(1);
        }
        Outcome::LetThrough(reason, _) => {
            counter!(LET_THROUGH, "limiter" => name, "reason" => word(reason)).increment(1);
        }
    }
}

/// Tells the recorder that is installed what the counters mean.
pub(crate) fn describe() {
    describe_counter!(ADMITTED, Unit::Count, "Calls that a limiter has admitted.");
    describe_counter!(
        WAITED,
        Unit::Count,
        "Calls that a limiter has admitted after they had waited in line."
    );
    describe_counter!(REFUSED, Unit::Count, "Calls that a limiter has refused, by reason.");
    #[cfg(feature = "redis")]
    describe_counter!(
        DEGRADED,
        Unit::Count,
        "Calls that were decided without the store on which their window is shared, by what stood in for it."
    );
    describe_counter!(
        LET_THROUGH,
        Unit::Count,
        "Calls that a limiter in the mode `shadow` would have refused or made to wait, by reason."
    );
}

fn word(reason: Reason) -> &'static str {
    match reason {
        Reason::WindowFull => "window_full",
        Reason::NeverFits => "never_fits",
        Reason::Misconfigured => "misconfigured",
        Reason::TooManyKeys => "too_many_keys",
        Reason::OthersWait => "others_wait",
        Reason::LineFull => "line_full",
        Reason::TurnTooLate => "turn_too_late",
        Reason::StoreUnavailable => "store_unavailable",
        #[allow(unreachable_patterns)] // for reasons that are yet to come
        _ => "other",
    }
}
