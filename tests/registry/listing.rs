//! What the registry says of a limiter.

use std::{sync::Arc, time::Duration};

use windowlimit::{
    Algorithm, KeyedLimiter, Limit, Limiter, RateLimitExceeded, registry,
    registry::{HeavyKey, KeyTag, Listed, Mode},
    testing, window_rate_limit,
};

use crate::{admitted, login, search};

#[test]
fn a_limiter_is_listed_from_its_first_call_on() {
    testing::scope(|_| {
        assert!(registry().limiters().is_empty());
        assert!(login().is_ok());
        let names: Vec<_> = registry().limiters().iter().map(Listed::name).collect();
        assert_eq!(names, ["login"]);
    });
}

#[test]
fn a_limiter_is_listed_with_the_place_of_its_attribute() {
    const LINE: u32 = line!() + 1;
    #[window_rate_limit(limit = 1, window = "1s", name = "here")]
    fn here() -> Option<()> {
        Some(())
    }
    #[window_rate_limit(limit = "1".parse::<u32>().expect("a number"), window = "1s", name = "lazy")]
    fn lazy() -> Option<()> {
        Some(())
    }
    testing::scope(|_| {
        assert!(here().is_some() && lazy().is_some());
        let [here, lazy] = &registry().limiters()[..] else { panic!("there are two") };
        assert_eq!((here.name(), here.file(), here.line()), ("here", file!(), LINE));
        assert_eq!((lazy.name(), lazy.file(), lazy.line()), ("lazy", file!(), LINE + 4));
    });
}

#[test]
fn every_form_of_the_attribute_is_listed_with_its_limits_and_algorithm() {
    #[window_rate_limit(limits = [(1, "1s"), (5, "1m")], name = "a", algorithm = fixed)]
    fn several() -> Option<()> {
        Some(())
    }
    #[window_rate_limit(limits = vec![Limit::per_second(2)], name = "b")]
    fn at_run_time() -> Option<()> {
        Some(())
    }
    #[window_rate_limit(limit = 3, window = "1s", name = "c", key = 1, algorithm = segmented(5), max_keys = 9)]
    fn keyed() -> Option<()> {
        Some(())
    }
    #[window_rate_limit(limits = [(1, "1s"), (5, "1m")], key = 1, name = "d")]
    fn keyed_several() -> Option<()> {
        Some(())
    }
    #[window_rate_limit(limits = vec![Limit::per_second(2)], key = 1, name = "e")]
    fn keyed_at_run_time() -> Option<()> {
        Some(())
    }
    #[window_rate_limit(limit_for = Limit::per_second(2), key = 1, window = "1s", name = "f")]
    fn keyed_for() -> Option<()> {
        Some(())
    }
    testing::scope(|_| {
        for call in [several, at_run_time, keyed, keyed_several, keyed_at_run_time, keyed_for] {
            assert!(call().is_some());
        }
        let two = vec![Limit::per_second(1), Limit::per_minute(5)];
        let listed = registry().limiters();
        let listed: Vec<_> = listed.iter().map(|l| (l.name(), l.limits(), l.algorithm(), l.keys())).collect();
        assert_eq!(
            listed,
            [
                ("a", two.clone(), Algorithm::Fixed, None),
                ("b", vec![Limit::per_second(2)], Algorithm::Exact, None),
                ("c", vec![Limit::per_second(3)], Algorithm::Segmented(5), Some(1)),
                ("d", two, Algorithm::Exact, Some(1)),
                ("e", vec![Limit::per_second(2)], Algorithm::Exact, Some(1)),
                ("f", vec![], Algorithm::Exact, Some(1)),
            ]
        );
    });
}

#[test]
fn live_units_are_those_of_the_window() {
    testing::scope(|clock| {
        assert_eq!(admitted(5, login), 2);
        let usage = || registry().named("login")[0].usage().expect("it has one window");
        assert_eq!((usage().live(), usage().remaining()), (2, 0));
        clock.advance(Duration::from_secs(60));
        assert_eq!((usage().live(), usage().remaining()), (0, 2));
    });
}

#[test]
fn the_heaviest_keys_come_first() {
    testing::scope(|_| {
        static USERS: KeyedLimiter = KeyedLimiter::new("users", Limit::per_hour(1_000));
        registry().register(&USERS);
        for user in 0..500_u32 {
            let calls = if user % 100 == 7 { 3 + user / 100 } else { 1 };
            assert_eq!(admitted(calls as usize, || USERS.check(&user)), calls as usize);
        }
        let heaviest = registry().named("users")[0].heaviest(3);
        let heaviest: Vec<_> = heaviest.iter().map(|heavy| (heavy.tag(), heavy.usage().live())).collect();
        assert_eq!(
            heaviest,
            [(KeyTag::of(&407_u32), 7), (KeyTag::of(&307_u32), 6), (KeyTag::of(&207_u32), 5)]
        );
        assert_eq!(registry().named("users")[0].heaviest(0), []);
        assert_eq!(registry().named("users")[0].heaviest(1_000).len(), 500);
    });
}

#[test]
fn idle_keys_are_no_heavy_ones() {
    testing::scope(|clock| {
        assert!(search("ann").is_ok());
        clock.advance(Duration::from_secs(60));
        assert!(search("bob").is_ok());
        let heaviest = registry().named("search")[0].heaviest(9);
        assert_eq!(heaviest.iter().map(HeavyKey::tag).collect::<Vec<_>>(), [KeyTag::of("bob")]);
    });
}

#[test]
fn an_arc_is_listed_until_it_is_dropped() {
    testing::scope(|_| {
        for _ in 0..1_000 {
            let limiter = Arc::new(Limiter::new("brief", Limit::per_second(1)));
            registry().register(&limiter);
            assert_eq!(registry().named("brief").len(), 1);
        }
        assert!(registry().limiters().is_empty());
    });
}

#[test]
fn a_limiter_made_by_hand_is_listed_with_its_place() {
    let (limiter, line) = (Limiter::new("by hand", Limit::per_second(1)), line!());
    let built = KeyedLimiter::builder().name("built").limit(Limit::per_second(1)).build().expect("a limit");
    testing::scope(|_| {
        let (limiter, built) = (Arc::new(limiter), Arc::new(built));
        registry().register(&limiter);
        registry().register(&built);
        let places: Vec<_> =
            registry().limiters().iter().map(|listed| (listed.file(), listed.line())).collect();
        assert_eq!(places, [(file!(), line + 1), (file!(), line)]);
    });
}

#[test]
fn limiters_of_one_name_that_differ_are_a_clash() {
    #[window_rate_limit(limit = 1, window = "1s", name = "twice")]
    fn one() -> Result<(), RateLimitExceeded> {
        Ok(())
    }
    #[window_rate_limit(limit = 9, window = "1s", name = "twice")]
    fn other() -> Result<(), RateLimitExceeded> {
        Ok(())
    }
    testing::scope(|_| {
        assert!(one().is_ok() && login().is_ok());
        assert!(registry().clashes().is_empty());
        assert!(other().is_ok());
        let [(name, limiters)] = &registry().clashes()[..] else { panic!("there is one") };
        assert_eq!((*name, limiters.len()), ("twice", 2));
        // Where all are given the same, they differ no more.
        assert_eq!(registry().set_limits("twice", [Limit::per_second(5)]).ok(), Some(2));
        assert!(registry().clashes().is_empty());
    });
}

#[test]
fn the_mode_is_as_it_was_set() {
    testing::scope(|_| {
        assert!(login().is_ok());
        for mode in [Mode::Shadow, Mode::Off, Mode::Enforce] {
            assert_eq!(registry().set_mode("login", mode).ok(), Some(1));
            assert_eq!(registry().named("login")[0].mode(), mode);
        }
    });
}
