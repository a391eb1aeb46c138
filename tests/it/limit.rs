//! Limits: their checks and their text.

use std::time::Duration;

use windowlimit::{InvalidLimit, Limit, Limiter};

#[test]
fn a_window_of_zero_is_no_limit() {
    assert!(Limit::new(5, Duration::ZERO).is_err());
    assert!(Limit::new(0, Duration::from_nanos(1)).is_ok());
}

#[test]
fn a_limiter_needs_a_limit() {
    let error: InvalidLimit = Limiter::builder().build().unwrap_err();
    assert_eq!(error.to_string(), "wanted at least one limit, found none");
}

#[test]
fn f36_windows_are_cut_at_292_years() {
    let limit = Limit::new(1, Duration::MAX).unwrap();
    assert_eq!(limit.window(), Duration::from_nanos(i64::MAX as u64));
    assert!(limit.window() > Duration::from_secs(292 * 365 * 86_400));
}

#[test]
fn f42_text_has_a_number_and_a_window_and_no_default_unit() {
    let read = |text: &str| text.parse::<Limit>();
    assert_eq!(read("100/m").unwrap(), Limit::per_minute(100));
    assert_eq!(read("100/min").unwrap(), Limit::per_minute(100));
    assert_eq!(read(" 7 / 1h 30m ").unwrap(), Limit::new(7, Duration::from_secs(5_400)).unwrap());
    assert_eq!(read("0/s").unwrap(), Limit::per_second(0));
    let bad = [
        "100/x",
        "100",
        "5/-1s",
        "",
        "/",
        "5/",
        "/s",
        "-5/s",
        "5000000000/s",
        "1.5/s",
        "5/0s",
        "5/10",
        "5/s/s",
        "five/s",
        "100/M",
        "5/2M",
    ];
    for text in bad {
        let error = read(text).unwrap_err();
        assert!(error.to_string().contains(&format!("`{text}`")), "{error}");
    }
}

#[test]
fn text_is_read_back_as_it_was_written() {
    let mut rng = fastrand::Rng::with_seed(3);
    for _ in 0..2_000 {
        let longest = u64::MAX >> rng.u8(0..60);
        let limit = Limit::new(rng.u32(..), Duration::from_nanos(rng.u64(1..=longest))).unwrap();
        assert_eq!(limit.to_string().parse::<Limit>().unwrap(), limit);
    }
}

#[test]
fn the_words_mean_calls_in_that_time() {
    assert_eq!(Limit::per_second(3), Limit::new(3, Duration::from_secs(1)).unwrap());
    assert_eq!(Limit::per_minute(3), Limit::new(3, Duration::from_secs(60)).unwrap());
    assert_eq!(Limit::per_hour(3), Limit::new(3, Duration::from_secs(3_600)).unwrap());
    assert_eq!(format!("{:?}", Limit::per_hour(3)), "Limit(3/1h)");
}
