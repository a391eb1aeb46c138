//! What a refusal by a store says of every limit: against the naive windows.

use std::{sync::Arc, time::Duration};

use windowlimit::{
    Algorithm, Decider, Limit, ManualClock, RateLimitExceeded, RateLimitFields, Reason, RedisStoreBuilder,
    SharedLimiter, Together,
};
use windowlimit_tests::{
    fields::{fields, list},
    members::{Window, play},
    oracle::{Fixed, Oracle},
};

use crate::{
    conformance::OnTime,
    server::{Program, Server},
};

const KINDS: [Algorithm; 3] = [Algorithm::Exact, Algorithm::Segmented(10), Algorithm::Fixed];

fn windows(limits: &[Limit], kind: Algorithm) -> Vec<Window> {
    let window = |limit: &Limit| -> Window {
        let only = [*limit];
        match kind {
            Algorithm::Segmented(segments) => (*limit, Box::new(OnTime::new(&only, segments))),
            Algorithm::Fixed => (*limit, Box::new(Fixed::new(&only))),
            _ => (*limit, Box::new(Oracle::new(&only))),
        }
    };
    limits.iter().map(window).collect()
}

pub(crate) fn f94_every_limit_is_a_member_with_the_numbers_of_the_decision(program: &Program) {
    let server = Server::start(program);
    let limits = [
        Limit::new(4, Duration::from_millis(2_500)).expect("a limit"),
        Limit::per_minute(25),
        Limit::new(90, Duration::from_secs(600)).expect("a limit"),
    ];
    for kind in KINDS {
        for (limits, most) in [(&limits[..2], 1), (&limits[..], 3)] {
            let about = format!("{kind:?}, {} limits, costs up to {most}", limits.len());
            let store = server.patient().prefix(&about).build();
            let clock = Arc::new(ManualClock::new());
            let builder = || {
                let builder = SharedLimiter::builder(&store, "api").limits(limits.iter().copied());
                builder.algorithm(kind).instants(Arc::clone(&clock))
            };
            let alone = builder().build().expect("it has limits");
            let answer = |cost| alone.try_acquire_n("me", cost).map(|permit| RateLimitFields::from(&permit));
            play(&answer, &clock, windows(limits, kind), most, &about);

            clock.set(1_000_000_000);
            let wide = SharedLimiter::builder(&store, "wide").limit(Limit::per_hour(100_000)).group("party");
            let party = [builder().group("party"), wide.algorithm(kind).instants(Arc::clone(&clock))];
            let party = party.map(|limiter| limiter.build().expect("it has limits"));
            let party = Together::new(party).expect("they are of a group");
            let answer = |cost| {
                party
                    .try_acquire_n(("me", "all"), cost)
                    .map(|permit| RateLimitFields::from(&permit.parts()[0]))
            };
            // With one that always has room.
            play(&answer, &clock, windows(limits, kind), most, &format!("{about}, together"));
        }
    }
}

/// A hundred a minute and two an hour, which are gone.
fn used_up(store: RedisStoreBuilder) -> SharedLimiter {
    let limits = [Limit::per_minute(100), Limit::per_hour(2)];
    let limiter =
        SharedLimiter::builder(&store.build(), "api").limits(limits).build().expect("it has limits");
    assert!(limiter.check("me").is_ok() && limiter.check("me").is_ok());
    limiter
}

fn tells_of_both_limits(refusal: &RateLimitExceeded) {
    let told = list(&fields(&RateLimitFields::from(refusal))["ratelimit"]);
    let left: Vec<_> = told.iter().map(|member| (member.name.as_str(), member.get("r"))).collect();
    assert_eq!(left, [("api 2/1h", 0), ("api 100/1m", 98)]);
    assert!((1..=60).contains(&told[1].get("t")), "{told:?}");
}

/// Who would have to wait for longer than it wants to is told by what the line has heard of the store.
pub(crate) fn a_refusal_in_front_of_a_line_tells_of_every_limit(program: &Program) {
    let server = Server::start(program);
    let limiter = used_up(server.patient().remember(Duration::ZERO));
    let wait = limiter.acquire("me").within(Duration::from_secs(1)).blocking();
    let refusal = wait.map(drop).expect_err("it would be an hour");
    assert_eq!((refusal.reason(), refusal.decider()), (Reason::TurnTooLate, Decider::Store));
    tells_of_both_limits(&refusal);
}

/// A second call does not reach the server, and is told what the first was.
pub(crate) fn what_is_remembered_of_a_refusal_tells_of_every_limit(program: &Program) {
    let server = Server::start(program);
    let limiter = used_up(server.patient());
    for decider in [Decider::Store, Decider::Memory] {
        let refusal = limiter.check("me").expect_err("two an hour");
        assert_eq!(refusal.decider(), decider);
        tells_of_both_limits(&refusal);
    }
    // One that takes more than there is left, under a single limit.
    let uploads = SharedLimiter::new(&server.patient().build(), "uploads", Limit::per_hour(10));
    assert!(uploads.check_n("me", 7).is_ok());
    let refusal = uploads.check_n("me", 4).expect_err("three are left");
    assert_eq!((refusal.decider(), refusal.remaining()), (Decider::Store, 3));
}
