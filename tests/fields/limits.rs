//! What a refusal knows beyond the limit that refused: how much was left of it, and every other limit. Those of lists that
//! are made at run time too, as long as the process does not make thousands, which is why this is not among the random tests.

use std::{
    future::Future,
    pin::pin,
    sync::Arc,
    task::{Context, Waker},
    time::Duration,
};

use windowlimit::{Algorithm, KeyedLimiter, Limit, Limiter, ManualClock, RateLimitFields, Reason};

use windowlimit_tests::fields::{Member, fields, list};

const KINDS: [Algorithm; 3] = [Algorithm::Exact, Algorithm::Segmented(10), Algorithm::Fixed];

/// The same calls by one limiter and by one key of another.
fn both(limits: &[Limit], kind: Algorithm) -> (Limiter<Arc<ManualClock>>, KeyedLimiter<Arc<ManualClock>>) {
    let (clock, limits) = (Arc::new(ManualClock::new()), limits.iter().copied());
    let whole = Limiter::builder().name("api").limits(limits.clone()).algorithm(kind).clock(clock.clone());
    let keyed = KeyedLimiter::builder().name("api").limits(limits).algorithm(kind).clock(clock);
    (whole.build().expect("it has limits"), keyed.build().expect("it has limits"))
}

#[test]
fn it_says_how_much_was_left_when_it_was_not_enough() {
    let mut random = fastrand::Rng::with_seed(7);
    for kind in KINDS {
        let (whole, keyed) = both(&[Limit::per_minute(20)], kind);
        let mut refusals = 0;
        for _ in 0..2_000 {
            let cost = random.u32(1..=15);
            let (whole_left, keyed_left) = (whole.usage().remaining(), keyed.usage("me").remaining());
            for (refused, left) in
                [(whole.check_n(cost), whole_left), (keyed.check_n("me", cost), keyed_left)]
            {
                if let Err(refusal) = refused {
                    assert_eq!(refusal.remaining(), left, "{kind:?} {refusal:?}");
                    assert!(left < cost);
                    refusals += u32::from(left > 0);
                }
            }
            whole.clock().advance(Duration::from_millis(random.u64(0..10_000)));
        }
        assert!(refusals > 100, "{refusals} refusals with something left");
    }
}

#[test]
fn f94_it_names_all_limits_that_it_was_decided_by() {
    let limits = [Limit::per_second(2), Limit::per_minute(3), Limit::per_hour(3)];
    for kind in KINDS {
        let (whole, keyed) = both(&limits, kind);
        // The second limit refuses until a minute has passed, the third until an hour has, which is later.
        for _ in 0..3 {
            for permit in [whole.try_acquire().unwrap(), keyed.try_acquire("me").unwrap()] {
                assert_eq!(permit.limits(), limits);
            }
            whole.clock().advance(Duration::from_millis(600));
        }
        for refusal in [whole.check().unwrap_err(), keyed.check("me").unwrap_err()] {
            assert_eq!((refusal.limit(), refusal.window()), (3, Duration::from_secs(3_600)), "{kind:?}");
            assert_eq!(refusal.limits(), limits);
        }
        for refusal in [whole.check_n(4).unwrap_err(), keyed.check_n("me", 4).unwrap_err()] {
            assert_eq!((refusal.reason(), refusal.limits()), (Reason::NeverFits, &limits[..]));
        }
        // Changed limits are named from the next decision on.
        whole.set_limits([Limit::per_hour(1), Limit::per_minute(1)]).unwrap();
        assert_eq!(whole.check().unwrap_err().limits(), [Limit::per_hour(1), Limit::per_minute(1)]);
        whole.set_limits([Limit::per_hour(1)]).unwrap();
        assert_eq!(whole.check().unwrap_err().limits(), [Limit::per_hour(1)]);
    }
}

#[test]
fn it_names_the_limits_that_came_with_the_call() {
    static API: KeyedLimiter = KeyedLimiter::for_longest("api", Duration::from_secs(3_600));
    let (free, paid) = ([Limit::per_hour(1)], [Limit::per_second(9), Limit::per_hour(2)]);
    assert_eq!(API.try_acquire_for("ann", &free, 1).unwrap().limits(), free);
    assert_eq!(API.check_for("ann", &free, 1).unwrap_err().limits(), free);
    assert_eq!(API.try_acquire_for("ann", &paid, 1).unwrap().limits(), paid);
    assert_eq!(API.check_for("ann", &paid, 1).unwrap_err().limits(), paid);
    assert_eq!(API.check_for("ann", &paid, 3).unwrap_err().limits(), paid);
}

/// A call that is refused because others wait, or because it would not wait for so long, is told no less.
#[test]
fn f94_refusals_in_front_of_a_line_name_all_limits_too() {
    let limits = [Limit::per_second(2), Limit::per_hour(2)];
    let (whole, keyed) = both(&limits, Algorithm::Exact);
    assert!(whole.check_n(2).is_ok() && keyed.check_n("me", 2).is_ok());
    let too_late = [
        whole.acquire_within_blocking(Duration::from_secs(1)).map(drop),
        keyed.acquire_within_blocking("me", Duration::from_secs(1)).map(drop),
    ];
    let (mut first, mut first_of_key) = (pin!(whole.acquire()), pin!(keyed.acquire("me")));
    let mut context = Context::from_waker(Waker::noop());
    assert!(first.as_mut().poll(&mut context).is_pending());
    assert!(first_of_key.as_mut().poll(&mut context).is_pending());
    let behind = [whole.check(), keyed.check("me")];
    for (refused, reason) in too_late
        .into_iter()
        .zip([Reason::TurnTooLate; 2])
        .chain(behind.into_iter().zip([Reason::OthersWait; 2]))
    {
        let refusal = refused.expect_err("there is no room");
        assert_eq!((refusal.reason(), refusal.limits()), (reason, &limits[..]));
        let fields = fields(&RateLimitFields::from(&refusal));
        assert_eq!(fields["retry-after"], "3600");
        let members = [
            Member::new("api 2/1h", [("r", 0), ("t", 3_600)]),
            Member::new("api 2/1s", [("r", 0), ("t", 1)]),
        ];
        assert_eq!(list(&fields["ratelimit"]), members);
        assert_eq!(list(&fields["ratelimit-policy"]).len(), 2);
    }
}
