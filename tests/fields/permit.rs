//! What an admission says.

use std::{collections::BTreeSet, sync::Barrier, thread, time::Duration};

use windowlimit::{Limit, Permit, RateLimitExceeded, RateLimitFields, window_rate_limit};

use windowlimit_tests::fields::{Member, fields, keyed, limiter, list};

#[test]
fn f96_a_permit_has_the_same_fields_as_a_refusal() {
    let (whole, keyed) =
        (limiter("search", &[Limit::per_minute(5)]), keyed("search", &[Limit::per_minute(5)]));
    assert!(whole.check().is_ok() && keyed.check("me").is_ok());
    whole.clock().advance(Duration::from_millis(48_600));
    keyed.clock().advance(Duration::from_millis(48_600));
    let permits = [whole.try_acquire().unwrap(), keyed.try_acquire("me").unwrap()];
    for permit in permits {
        let fields = fields(&RateLimitFields::from(&permit));
        assert_eq!(list(&fields["ratelimit-policy"]), [Member::new("search", [("q", 5), ("w", 60)])]);
        assert_eq!(list(&fields["ratelimit"]), [Member::new("search", [("r", 3), ("t", 12)])]);
        // It is no refusal: nothing to wait for, and whether it may be stored is not for us to say.
        assert_eq!(fields.len(), 2);
    }
}

#[test]
fn f94_of_several_limits_the_one_with_the_least_left_is_the_first() {
    let limiter = limiter("api", &[Limit::per_second(4), Limit::per_minute(5)]);
    let state = |permit: &Permit<'_, _>| {
        let fields = fields(&RateLimitFields::from(permit));
        assert_eq!(list(&fields["ratelimit-policy"]).len(), 2);
        let mut all = list(&fields["ratelimit"]);
        assert_eq!(all.len(), 2);
        all.remove(0)
    };
    for (second, name, left, after) in
        [(0, "api 4/1s", 3, 1), (1, "api 5/1m", 3, 59), (2, "api 5/1m", 2, 58), (3, "api 5/1m", 1, 57)]
    {
        let permit = limiter.try_acquire().unwrap();
        assert_eq!(state(&permit), Member::new(name, [("r", left), ("t", after)]), "after {second} s");
        limiter.clock().advance(Duration::from_secs(1));
    }
}

#[test]
fn a_call_that_is_not_counted_has_no_fields() {
    #[window_rate_limit(limit = 1, window = "1m", skip_if = is_friend, permit = permit)]
    fn search(is_friend: bool) -> Result<RateLimitFields, RateLimitExceeded> {
        Ok(RateLimitFields::from(&permit))
    }
    assert_eq!(search(true).unwrap().iter().count(), 0);
    assert_eq!(search(false).unwrap().iter().count(), 2);
    assert_eq!(search(true).unwrap().x_rate_limit().iter().count(), 0);
}

/// A limit of a thousand: whoever is admitted is told another number, and nobody is told of room that is not there.
#[test]
fn f92_no_two_of_a_thousand_concurrent_calls_show_the_same_place() {
    let limiter = limiter("api", &[Limit::per_minute(1_000)]);
    let start = Barrier::new(8);
    let places: Vec<i64> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    start.wait();
                    let answer = |_| match limiter.try_acquire() {
                        Ok(permit) => RateLimitFields::from(&permit),
                        Err(refusal) => RateLimitFields::from(&refusal),
                    };
                    (0..200).map(answer).collect::<Vec<_>>()
                })
            })
            .collect();
        let answers = threads.into_iter().flat_map(|thread| thread.join().expect("it did not panic"));
        let admitted =
            answers.map(|answer| fields(&answer)).filter(|fields| !fields.contains_key("retry-after"));
        admitted.map(|fields| list(&fields["ratelimit"])[0].get("r")).collect()
    });
    assert_eq!(places.len(), 1_000);
    assert_eq!(places.into_iter().collect::<BTreeSet<_>>(), (0..1_000).collect());
}

/// The same under several limits: what one decision says of each was true at one moment.
#[test]
fn f92_of_several_limits_each_answer_is_of_one_moment() {
    let limiter = limiter("api", &[Limit::per_minute(1_000), Limit::per_hour(1_500)]);
    let start = Barrier::new(8);
    let answers: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    start.wait();
                    let answer = |_| match limiter.try_acquire() {
                        Ok(permit) => RateLimitFields::from(&permit),
                        Err(refusal) => RateLimitFields::from(&refusal),
                    };
                    (0..200).map(answer).collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("it did not panic")).collect()
    });
    let mut places = BTreeSet::new();
    for answer in &answers {
        let fields = fields(answer);
        let [minute, hour] = &list(&fields["ratelimit"])[..] else { panic!("{fields:?}") };
        assert_eq!((&*minute.name, &*hour.name), ("api 1000/1m", "api 1500/1h"));
        assert_eq!(minute.get("r") + 500, hour.get("r"));
        if !fields.contains_key("retry-after") {
            places.insert(hour.get("r"));
        }
    }
    assert_eq!((answers.len(), places), (1_600, (500..1_500).collect()));
}
