//! Several limits are several members, each with the numbers of the decision: against the naive windows, one for each limit.

use std::time::Duration;

use windowlimit::{Algorithm, KeyedLimiter, Limit, Limiter, RateLimitFields};
use windowlimit_tests::{
    fields::Manual,
    members::{Window, play},
    oracle::{Fixed, Oracle, Segmented},
    subject::Subject,
};

const KINDS: [Algorithm; 3] = [Algorithm::Exact, Algorithm::Segmented(7), Algorithm::Fixed];

/// What a decision left of each limit, by windows that have one limit each and count what was admitted.
fn oracles(limits: &[Limit], kind: Algorithm, is_of_key: bool) -> Vec<Window> {
    let one = |limit: &Limit| -> Box<dyn Subject> {
        let only = [*limit];
        match kind {
            Algorithm::Segmented(segments) if is_of_key => Box::new(Segmented::of_a_key(&only, segments)),
            Algorithm::Segmented(segments) => Box::new(Segmented::new(&only, segments)),
            Algorithm::Fixed => Box::new(Fixed::new(&only)),
            _ => Box::new(Oracle::new(&only)),
        }
    };
    limits.iter().map(|limit| (*limit, one(limit))).collect()
}

#[test]
fn f94_every_limit_is_a_member_with_the_numbers_of_the_decision() {
    let limits = [
        Limit::new(4, Duration::from_millis(2_500)).expect("a limit"),
        Limit::per_minute(25),
        Limit::new(90, Duration::from_secs(600)).expect("a limit"),
        Limit::per_hour(400),
    ];
    for kind in KINDS {
        for (limits, most) in [(&limits[..2], 1), (&limits[..2], 3), (&limits[..], 1), (&limits[..], 3)] {
            let about = format!("{kind:?}, {} limits, costs up to {most}", limits.len());
            let clock = Manual::default();
            let builder = Limiter::builder().name("api").limits(limits.iter().copied()).algorithm(kind);
            let whole = builder.clock(clock.clone()).build().expect("it has limits");
            let answer = |cost| whole.try_acquire_n(cost).map(|permit| RateLimitFields::from(&permit));
            play(&answer, &clock, oracles(limits, kind, false), most, &about);

            let clock = Manual::default();
            let builder = KeyedLimiter::builder().name("api").limits(limits.iter().copied()).algorithm(kind);
            let keyed = builder.clock(clock.clone()).build().expect("it has limits");
            let answer = |cost| keyed.try_acquire_n("me", cost).map(|permit| RateLimitFields::from(&permit));
            play(&answer, &clock, oracles(limits, kind, true), most, &format!("{about}, of a key"));

            let clock = Manual::default();
            let builder = KeyedLimiter::builder().name("api").limit(Limit::per_hour(1)).algorithm(kind);
            let keyed = builder.clock(clock.clone()).build().expect("it has limits");
            let answer =
                |cost| keyed.try_acquire_for("me", limits, cost).map(|permit| RateLimitFields::from(&permit));
            play(&answer, &clock, oracles(limits, kind, true), most, &format!("{about}, with the call"));
        }
    }
}
