//! Several limits are several members, each with the numbers of the decision: against the naive windows, one for each limit.

use std::time::Duration;

use windowlimit::{
    Algorithm, Clock, KeyedLimiter, Limit, Limiter, ManualClock, RateLimitExceeded, RateLimitFields,
};
use windowlimit_tests::{
    oracle::{Fixed, Oracle, Segmented},
    subject::{Answer, Subject},
};

use crate::read::{Manual, Member, fields, list};

const KINDS: [Algorithm; 3] = [Algorithm::Exact, Algorithm::Segmented(7), Algorithm::Fixed];

/// What a decision left of each limit, by windows that have one limit each and count what was admitted.
fn oracles(limits: &[Limit], kind: Algorithm, is_of_key: bool) -> Vec<(Limit, Box<dyn Subject>)> {
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

fn seconds(nanos: u64) -> i64 {
    i64::try_from(nanos.div_ceil(1_000_000_000)).expect("it is short")
}

/// The members that the windows lead to, in the order of the limits.
fn expected(windows: &mut [(Limit, Box<dyn Subject>)], now: u64) -> Vec<Member> {
    let member = |(limit, window): &mut (Limit, Box<dyn Subject>)| {
        let state = window.usage(now);
        Member::new(
            &format!("api {limit}"),
            [("r", i64::from(state.remaining)), ("t", seconds(state.reset_after))],
        )
    };
    windows.iter_mut().map(member).collect()
}

/// The answers of one limiter, whichever it is.
trait Answers {
    fn answer(&self, cost: u32) -> Result<RateLimitFields, RateLimitExceeded>;
}

impl Answers for Limiter<Manual> {
    fn answer(&self, cost: u32) -> Result<RateLimitFields, RateLimitExceeded> {
        self.try_acquire_n(cost).map(|permit| RateLimitFields::from(&permit))
    }
}

impl Answers for KeyedLimiter<Manual> {
    fn answer(&self, cost: u32) -> Result<RateLimitFields, RateLimitExceeded> {
        self.try_acquire_n("me", cost).map(|permit| RateLimitFields::from(&permit))
    }
}

/// Whose limits come with the call.
struct ByPlan(KeyedLimiter<Manual>, Vec<Limit>);

impl Answers for ByPlan {
    fn answer(&self, cost: u32) -> Result<RateLimitFields, RateLimitExceeded> {
        self.0.try_acquire_for("me", &self.1, cost).map(|permit| RateLimitFields::from(&permit))
    }
}

/// Plays random calls, and compares every member of every answer.
fn play(
    limiter: &dyn Answers,
    clock: &ManualClock,
    mut windows: Vec<(Limit, Box<dyn Subject>)>,
    most: u32,
    about: &str,
) {
    let mut random = fastrand::Rng::with_seed(23);
    let (mut admitted, mut refused) = (0, 0);
    for _ in 0..800 {
        clock.advance(Duration::from_nanos(random.u64(0..900_000_000)));
        let (now, cost) = (clock.now(), random.u32(1..=most));
        let answer = match limiter.answer(cost) {
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
            play(&whole, &clock, oracles(limits, kind, false), most, &about);

            let clock = Manual::default();
            let builder = KeyedLimiter::builder().name("api").limits(limits.iter().copied()).algorithm(kind);
            let keyed = builder.clock(clock.clone()).build().expect("it has limits");
            play(&keyed, &clock, oracles(limits, kind, true), most, &format!("{about}, of a key"));

            let clock = Manual::default();
            let builder = KeyedLimiter::builder().name("api").limit(Limit::per_hour(1)).algorithm(kind);
            let keyed = builder.clock(clock.clone()).build().expect("it has limits");
            let by_plan = ByPlan(keyed, limits.to_vec());
            play(&by_plan, &clock, oracles(limits, kind, true), most, &format!("{about}, with the call"));
        }
    }
}
