//! The members of header fields about several limits, against the naive windows, one for each limit.

use std::time::Duration;

use windowlimit::{Clock, Limit, ManualClock, RateLimitExceeded, RateLimitFields};

use crate::{
    fields::{Member, fields, list},
    subject::{Answer, Subject},
};

/// What a decision left of one limit, by a window that has no other and counts what was admitted.
pub type Window = (Limit, Box<dyn Subject>);

fn seconds(nanos: u64) -> i64 {
    i64::try_from(nanos.div_ceil(1_000_000_000)).expect("it is short")
}

/// The members that the windows lead to, in the order of the limits.
fn expected(windows: &mut [Window], now: u64) -> Vec<Member> {
    let member = |(limit, window): &mut Window| {
        let state = window.usage(now);
        Member::new(
            &format!("api {limit}"),
            [("r", i64::from(state.remaining)), ("t", seconds(state.reset_after))],
        )
    };
    windows.iter_mut().map(member).collect()
}

/// The answers of one limiter, whichever it is, to a call that takes so many units.
pub type Answers<'l> = &'l dyn Fn(u32) -> Result<RateLimitFields, RateLimitExceeded>;

/// Plays random calls of a limiter with the name `api`, and compares every member of every answer.
pub fn play(answer: Answers<'_>, clock: &ManualClock, mut windows: Vec<Window>, most: u32, about: &str) {
    let mut random = fastrand::Rng::with_seed(23);
    let (mut admitted, mut refused) = (0, 0);
    for _ in 0..800 {
        clock.advance(Duration::from_micros(random.u64(0..900_000)));
        let (now, cost) = (clock.now(), random.u32(1..=most));
        let answer = match answer(cost) {
            Ok(answer) => {
                for (limit, window) in &mut windows {
                    let entered = window.claim(now, cost);
                    assert!(matches!(entered, Answer::Admitted { .. }), "{about}, {limit}: {entered:?}");
                }
                admitted += 1;
                fields(&answer)
            }
            Err(refusal) => {
                refused += 1;
                fields(&RateLimitFields::from(&refusal))
            }
        };
        let mut told = list(&answer["ratelimit"]);
        let mut expected = expected(&mut windows, now);
        if let Some(after) = answer.get("retry-after") {
            // The limit that refused stands first, with the time until it has room for this very call.
            let refusing = expected.iter_mut().find(|member| member.name == told[0].name);
            let refusing = refusing.expect("it is one of them");
            assert!(refusing.get("r") < i64::from(cost), "{about}");
            refusing.parameters[1].1 = after.parse().expect("it is in digits");
        }
        let least = told.iter().map(|member| member.get("r")).min();
        assert!(answer.contains_key("retry-after") || Some(told[0].get("r")) == least, "{about}: {told:?}");
        let policies = list(&answer["ratelimit-policy"]);
        told.sort_by_key(|member| policies.iter().position(|policy| policy.name == member.name));
        assert_eq!(told, expected, "{about}");
    }
    assert!(admitted > 50 && refused > 50, "{about}: {admitted} admitted, {refused} refused");
}
