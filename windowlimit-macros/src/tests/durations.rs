//! The text of a window, beside what the `humantime` crate reads.

use crate::args::duration::{Unreadable, parse};

/// Numbers and units in every combination, alone and in sums, with and without spaces.
fn texts() -> Vec<String> {
    let numbers =
        ["0", "1", "007", "30", "1.5", "0.25", "1.000", "2.", ".5", "", "1 0", "1 . 5", "18446744073"];
    let units = [
        "",
        "n",
        "ns",
        "nsec",
        "nanos",
        "us",
        "µs",
        "usec",
        "ms",
        "msec",
        "millis",
        "s",
        "sec",
        "secs",
        "second",
        "seconds",
        "m",
        "min",
        "mins",
        "minute",
        "minutes",
        "h",
        "hr",
        "hrs",
        "hour",
        "hours",
        "d",
        "day",
        "days",
        "w",
        "wk",
        "wks",
        "week",
        "weeks",
        "M",
        "month",
        "months",
        "y",
        "yr",
        "yrs",
        "year",
        "years",
        "S",
        "H",
        "MS",
        "fortnight",
        "m s",
        "s,",
        "-",
    ];
    let mut texts = Vec::new();
    for number in numbers {
        for unit in units {
            for text in
                ["{n}{u}", "{n} {u}", " {n}{u} ", "{n}{u}5ms", "1h{n}{u}", "1h {n} {u} 3ns", "-{n}{u}"]
            {
                texts.push(text.replace("{n}", number).replace("{u}", unit));
            }
        }
    }
    texts
}

#[test]
fn what_humantime_reads_is_the_same_here() {
    let mut agreed = 0;
    for text in texts() {
        if let (Ok(ours), Ok(theirs)) = (parse(&text), humantime::parse_duration(&text)) {
            assert_eq!(ours, u64::try_from(theirs.as_nanos()).unwrap_or(u64::MAX), "{text:?}");
            agreed += 1;
        }
    }
    assert!(agreed > 1000, "only {agreed} texts were durations");
}

#[test]
fn what_humantime_refuses_is_refused_here() {
    for text in texts() {
        let finer = "humantime wants whole seconds of `0.0001h`, for which a nanosecond is enough here";
        if humantime::parse_duration(&text).is_err() && parse(&text).is_ok() {
            assert!(text.contains('.'), "{text:?} is a duration here alone; {finer}");
        }
        // A bare `0` is the one number that humantime takes without a unit; it is no window.
        if humantime::parse_duration(&text).is_ok() && text != "0" {
            assert!(parse(&text).is_ok(), "{text:?} is a duration for humantime alone");
        }
    }
}

#[test]
fn sums_of_parts_are_exact() {
    assert_eq!(parse("1m30s"), Ok(90_000_000_000));
    assert_eq!(parse("250ms"), Ok(250_000_000));
    assert_eq!(parse("0.000000001s"), Ok(1));
    assert_eq!(parse("1d 1ns"), Ok(86_400_000_000_001));
}

#[test]
fn windows_beyond_64_bits_count_as_the_longest() {
    assert_eq!(parse("585y"), Ok(u64::MAX));
    assert_eq!(parse("99999999999999999999999999 years"), Ok(u64::MAX));
    assert_eq!(parse("584y 99999d"), Ok(u64::MAX));
}

#[test]
fn what_is_wrong_is_named() {
    assert_eq!(parse(" "), Err(Unreadable::Empty));
    assert_eq!(parse("10"), Err(Unreadable::NoUnit("10")));
    assert_eq!(parse("10x"), Err(Unreadable::UnknownUnit("x")));
    assert_eq!(parse("1m + 30s"), Err(Unreadable::NoNumber("+ 30s")));
    assert_eq!(parse("0.5ns"), Err(Unreadable::TooFine("0.5")));
    assert_eq!(parse("1.2.3s"), Err(Unreadable::NoNumber("1.2.3")));
}
