//! Changes by name.

use std::{sync::Arc, thread, time::Duration};

use windowlimit::{
    Algorithm, Limit, Limiter, ManualClock, registry,
    registry::{Listed, Mode},
    testing::{self, Scope},
};

use crate::{admitted, login, permits, plan, search};

#[test]
fn limits_change_by_name_and_the_history_is_kept() {
    testing::scope(|_| {
        assert_eq!(admitted(1, login), 1);
        assert_eq!(registry().set_limits("login", [Limit::per_minute(5)]).ok(), Some(1));
        assert_eq!(admitted(9, login), 4);
        assert_eq!(registry().set_limits("login", [Limit::per_minute(2)]).ok(), Some(1));
        assert_eq!(admitted(9, login), 0);
        assert_eq!(registry().named("login")[0].declared_limits(), [Limit::per_minute(2)]);
    });
}

#[test]
fn limits_come_back_as_they_were_declared() {
    testing::scope(|_| {
        assert!(search("ann").is_ok());
        assert!(registry().set_limits("search", [Limit::per_minute(1), Limit::per_hour(1)]).is_ok());
        assert_eq!(admitted(9, || search("ann")), 0);
        assert!(registry().restore_limits("search").is_ok());
        assert_eq!(registry().named("search")[0].limits(), [Limit::per_minute(2)]);
        assert_eq!(admitted(9, || search("ann")), 1);
    });
}

#[test]
fn shadow_lets_through_what_it_counts_and_would_refuse() {
    testing::scope(|clock| {
        assert!(login().is_ok());
        assert!(registry().set_mode("login", Mode::Shadow).is_ok());
        assert_eq!(admitted(9, login), 9);
        let counts = registry().named("login")[0].counts();
        assert_eq!((counts.admitted(), counts.refused(), counts.let_through()), (2, 0, 8));
        // What was let through took nothing: at the end of the window two are free.
        clock.advance(Duration::from_secs(60));
        assert!(registry().set_mode("login", Mode::Enforce).is_ok());
        assert_eq!(admitted(9, login), 2);
    });
}

#[test]
fn shadow_lets_through_keys_of_any_number() {
    testing::scope(|_| {
        static FEW: windowlimit::KeyedLimiter =
            windowlimit::KeyedLimiter::new("few", Limit::per_minute(1)).with_max_keys(1);
        registry().register(&FEW);
        assert!(registry().set_mode("few", Mode::Shadow).is_ok());
        assert!(FEW.check("ann").is_ok() && FEW.check("ann").is_ok() && FEW.check("bob").is_ok());
        assert!(FEW.check_n("ann", 9).is_ok() && FEW.try_acquire("ann").is_ok());
        assert!(registry().set_mode("few", Mode::Enforce).is_ok());
        assert!(FEW.check("ann").is_err() && FEW.check("bob").is_err());
    });
}

#[test]
fn off_neither_limits_nor_counts() {
    testing::scope(|_| {
        assert!(login().is_ok() && search("ann").is_ok());
        for name in ["login", "search"] {
            assert!(registry().set_mode(name, Mode::Off).is_ok());
        }
        assert_eq!((admitted(9, login), admitted(9, || search("ann"))), (9, 9));
        for name in ["login", "search"] {
            assert!(registry().set_mode(name, Mode::Enforce).is_ok());
            assert_eq!(registry().named(name)[0].counts().admitted(), 1);
        }
        assert_eq!((admitted(9, login), admitted(9, || search("ann"))), (1, 1));
    });
}

#[test]
fn permits_of_calls_that_are_let_through_have_taken_nothing() {
    testing::scope(|_| {
        assert_eq!(permits().ok(), Some((1, 2)));
        assert!(registry().set_mode("permits", Mode::Off).is_ok());
        assert_eq!(permits().ok(), Some((0, 2)));
        assert!(registry().set_mode("permits", Mode::Shadow).is_ok());
        assert_eq!(permits().ok(), Some((1, 1)));
        assert_eq!(permits().ok(), Some((1, 0)));
        assert_eq!(permits().ok(), Some((0, 0)));
    });
}

#[test]
fn a_reset_forgets_by_name() {
    testing::scope(|_| {
        assert_eq!((admitted(9, login), admitted(9, || search("ann"))), (2, 2));
        assert_eq!((registry().reset("login").ok(), registry().reset("search").ok()), (Some(1), Some(1)));
        assert_eq!((admitted(9, login), admitted(9, || search("ann"))), (2, 2));
    });
}

#[test]
fn an_unknown_name_is_told_and_nothing_is_changed() {
    testing::scope(|_| {
        assert!(login().is_ok() && search("ann").is_ok());
        for (name, said) in [
            ("logn", "no limiter named `logn` has been called yet; did you mean `login`?"),
            ("upload", "no limiter named `upload` has been called yet; those that have: `login`, `search`"),
            ("", "no limiter named `` has been called yet; those that have: `login`, `search`"),
        ] {
            let errors = [
                registry().set_limits(name, [Limit::per_minute(1)]).unwrap_err(),
                registry().restore_limits(name).unwrap_err(),
                registry().set_mode(name, Mode::Off).unwrap_err(),
                registry().reset(name).unwrap_err(),
            ];
            for error in errors {
                assert!(error.is_unknown_name() && error.name() == name);
                assert_eq!(error.to_string(), said);
            }
        }
    });
}

#[test]
fn limits_that_one_of_a_name_cannot_have_change_none() {
    testing::scope(|_| {
        let limiter = |algorithm| {
            let builder = Limiter::builder().name("pair").limit(Limit::per_second(5)).algorithm(algorithm);
            Arc::new(builder.build().expect("a limit"))
        };
        let (exact, by_length) =
            (limiter(Algorithm::Exact), limiter(Algorithm::SegmentedBy(Duration::from_millis(1))));
        registry().register(&exact);
        registry().register(&by_length);
        let error = registry().set_limits("pair", [Limit::per_hour(5)]).unwrap_err();
        assert!(error.is_unfit() && error.to_string().contains("wanted a window of 1 to 100000 segments"));
        assert!(error.to_string().contains("changes.rs:") && error.to_string().contains("SegmentedBy(1ms)"));
        let error = registry().set_limits("pair", []).unwrap_err();
        assert!(error.to_string().contains("wanted at least one limit, found none"), "{error}");
        assert_eq!(
            (exact.limits(), by_length.limits()),
            (vec![Limit::per_second(5)], vec![Limit::per_second(5)])
        );
    });
}

#[test]
fn limits_that_come_with_calls_are_not_changed_by_name() {
    testing::scope(|_| {
        assert!(plan("ann").is_ok());
        let error = registry().set_limits("plan", [Limit::per_minute(5)]).unwrap_err();
        assert!(
            error.is_unfit() && error.to_string().contains("whose limits come with each call"),
            "{error}"
        );
        assert!(plan("ann").is_err() && plan("bob").is_ok());
        assert_eq!(registry().set_mode("plan", Mode::Off).ok(), Some(1));
        assert!(plan("ann").is_ok());
    });
}

#[test]
fn who_comes_later_under_a_name_gets_what_was_asked_for_it() {
    testing::scope(|_| {
        let limiter = || Arc::new(Limiter::new("team", Limit::per_minute(1)));
        let early = limiter();
        registry().register(&early);
        assert_eq!(registry().set_limits("team", [Limit::per_minute(3)]).ok(), Some(1));
        assert_eq!(registry().set_mode("team", Mode::Shadow).ok(), Some(1));
        let late = limiter();
        registry().register(&late);
        assert_eq!(admitted(9, || late.check()), 9);
        assert_eq!(registry().set_mode("team", Mode::Enforce).ok(), Some(2));
        assert_eq!(late.limits(), [Limit::per_minute(3)]);
        assert!(late.check().is_err());
    });
}

#[test]
fn the_last_of_many_changes_at_once_stands() {
    let clock = Arc::new(ManualClock::new());
    let scope = Scope::with_clock(clock.clone());
    scope.run(|| {
        assert!(login().is_ok());
        for round in 1..50_u32 {
            clock.advance(Duration::from_secs(60));
            thread::scope(|threads| {
                for thread in 0..4 {
                    let scope = scope.clone();
                    threads.spawn(move || {
                        scope.run(|| {
                            let limit = Limit::per_minute(round * 10 + thread);
                            assert!(registry().set_limits("login", [limit]).is_ok());
                            let mode = if thread % 2 == 0 { Mode::Shadow } else { Mode::Off };
                            assert!(registry().set_mode("login", mode).is_ok());
                        });
                    });
                }
            });
            // Whoever was last: all that tells of it agrees.
            let listed = &registry().named("login")[0];
            let (limits, mode) = (listed.limits(), listed.mode());
            assert_eq!(limits.len(), 1);
            assert!((round * 10..round * 10 + 4).contains(&limits[0].max()), "{limits:?}");
            assert!(matches!(mode, Mode::Shadow | Mode::Off), "{mode}");
            let late = Arc::new(Limiter::new("login", Limit::per_minute(1)));
            registry().register(&late);
            assert_eq!(late.limits(), limits);
            assert_eq!(registry().named("login").iter().map(Listed::mode).collect::<Vec<_>>(), [mode, mode]);
        }
    });
}
