//! Counters, as an exporter reads them.

use std::{
    collections::BTreeMap,
    pin::pin,
    task::{Context, Waker},
    time::Duration,
};

use metrics_util::debugging::{DebugValue, DebuggingRecorder, Snapshotter};
use windowlimit::{
    Limit, Limiter, ManualClock, OnStoreError, Reason, RedisStore, SharedLimiter, Together, registry,
    registry::Mode, testing,
};

use crate::{STORES, login, search};

/// All counters, each with its labels.
fn read(snapshotter: &Snapshotter) -> BTreeMap<String, u64> {
    let counters = snapshotter.snapshot().into_vec().into_iter();
    let counters = counters.map(|(key, _, description, value)| {
        assert!(description.is_some(), "{key:?} says what it is");
        let (_, key) = key.into_parts();
        let labels: Vec<_> = key.labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
        let DebugValue::Counter(value) = value else { panic!("{key} is no counter") };
        (format!("{} {}", key.name(), labels.join(" ")), value)
    });
    counters.collect()
}

#[test]
fn decisions_are_counted_by_limiter_and_reason_and_never_by_key() {
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    metrics::with_local_recorder(&recorder, || {
        registry::describe_metrics();
        testing::scope(|_| {
            assert_eq!((0..5).filter(|_| login().is_ok()).count(), 2);
            assert!(search("ann", 1).is_ok() && search("ann", 9).is_err() && search("bob", 1).is_err());
            assert!(registry().set_mode("login", Mode::Shadow).is_ok());
            assert!(login().is_ok());
            assert!(registry().set_mode("login", Mode::Off).is_ok());
            assert!(login().is_ok());
        });
        // One that is in no registry.
        let limiter = Limiter::new("by hand", Limit::per_hour(1));
        assert!(limiter.check().is_ok() && limiter.check().is_err() && limiter.try_acquire().is_err());
        let clock = ManualClock::new();
        let turns = Limiter::builder().name("turns").limit(Limit::per_hour(1)).clock(&clock).build();
        let turns = turns.expect("a limit");
        assert!(turns.acquire_blocking().is_ok());
        let mut call = pin!(turns.acquire());
        let mut context = Context::from_waker(Waker::noop());
        assert!(call.as_mut().poll(&mut context).is_pending());
        assert!(turns.acquire().max_waiters(1).blocking().is_err() && turns.check().is_err());
        clock.advance(Duration::from_secs(3_600));
        assert!(call.as_mut().poll(&mut context).is_ready());
    });
    let expected = [
        ("windowlimit_admitted_total limiter=by hand", 1),
        ("windowlimit_admitted_total limiter=login", 2),
        ("windowlimit_admitted_total limiter=search", 1),
        ("windowlimit_admitted_total limiter=turns", 2),
        ("windowlimit_waited_total limiter=turns", 1),
        ("windowlimit_refused_total limiter=turns reason=line_full", 1),
        ("windowlimit_refused_total limiter=turns reason=others_wait", 1),
        ("windowlimit_let_through_total limiter=login reason=window_full", 1),
        ("windowlimit_refused_total limiter=by hand reason=window_full", 2),
        ("windowlimit_refused_total limiter=login reason=window_full", 3),
        ("windowlimit_refused_total limiter=search reason=never_fits", 1),
        ("windowlimit_refused_total limiter=search reason=too_many_keys", 1),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value));
    assert_eq!(read(&snapshotter), BTreeMap::from(expected));
}

/// Nobody listens at port 1.
#[test]
fn decisions_without_the_store_are_counted_by_what_stood_in_for_it() {
    let _alone = STORES.lock();
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    let store = RedisStore::open("redis://127.0.0.1:1").expect("it is an address");
    metrics::with_local_recorder(&recorder, || {
        registry::describe_metrics();
        for (name, on_error) in
            [("a", OnStoreError::Local), ("b", OnStoreError::Allow), ("c", OnStoreError::Deny)]
        {
            let limiter =
                SharedLimiter::builder(&store, name).limit(Limit::per_hour(1)).on_store_error(on_error);
            let limiter = limiter.build().expect("it has a limit");
            for _ in 0..3 {
                let _ = limiter.check("key");
            }
            assert_eq!(limiter.degraded(), 3);
        }
    });
    let expected = [
        ("windowlimit_degraded_total limiter=a by=local", 3),
        ("windowlimit_degraded_total limiter=b by=allow", 3),
        ("windowlimit_degraded_total limiter=c by=deny", 3),
        ("windowlimit_admitted_total limiter=a", 1),
        ("windowlimit_refused_total limiter=a reason=window_full", 2),
        ("windowlimit_admitted_total limiter=b", 3),
        ("windowlimit_refused_total limiter=c reason=store_unavailable", 3),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value));
    assert_eq!(read(&snapshotter), BTreeMap::from(expected));
}

/// An admission is one of each limiter, a refusal one of that which has refused.
#[test]
fn decisions_of_several_limiters_are_counted_once_for_each_that_made_them() {
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    let store = RedisStore::open("redis://127.0.0.1:1").expect("it is an address");
    metrics::with_local_recorder(&recorder, || {
        registry::describe_metrics();
        let limiters = [("user", 1), ("address", 3)].map(|(name, max)| {
            let limiter = SharedLimiter::builder(&store, name).group("g").limit(Limit::per_hour(max));
            limiter.build().expect("it has a limit")
        });
        let together = Together::new(limiters).expect("they are of one group");
        for user in ["ann", "ann", "bob", "carl", "dora"] {
            let _ = together.check((user, "home"));
        }
        assert_eq!(together.check_n(("ann", "home"), 2).map_err(|no| no.reason()), Err(Reason::NeverFits));
    });
    let expected = [
        ("windowlimit_degraded_total limiter=user by=local", 5),
        ("windowlimit_degraded_total limiter=address by=local", 5),
        ("windowlimit_admitted_total limiter=user", 3),
        ("windowlimit_admitted_total limiter=address", 3),
        ("windowlimit_refused_total limiter=user reason=window_full", 1),
        ("windowlimit_refused_total limiter=user reason=never_fits", 1),
        ("windowlimit_refused_total limiter=address reason=window_full", 1),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value));
    assert_eq!(read(&snapshotter), BTreeMap::from(expected));
}
