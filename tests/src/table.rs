//! The table of cases: what must be answered to which calls, known faults of limiters first. `conformance!` makes
//! a test of each for an engine. Names that start with `f` and a number are the entries of the list of public
//! faults that the project was started with.

use std::time::Duration;

use windowlimit::Limit;

use crate::subject::{Answer, Subject, nanos};

/// What happens at one instant.
#[derive(Clone, Debug)]
pub struct Step {
    /// Since the start of the case.
    pub at: Duration,
    pub event: Event,
}

#[derive(Clone, Debug)]
pub enum Event {
    /// So many calls of a cost, each of which is answered so.
    Calls {
        calls: u32,
        cost: u32,
        expected: Expected,
    },
    /// So much is left, and more after a time.
    Left {
        remaining: u32,
        reset_after: Duration,
    },
    /// The admission with this number, from 0, is given back.
    Refund(usize),
    Reset,
    SetLimits(Vec<Limit>),
}

#[derive(Clone, Copy, Debug)]
pub enum Expected {
    Admitted,
    /// With a retry time, and the place of the limit that refuses.
    Refused {
        retry_after: Duration,
        by: usize,
    },
    Never,
}

/// Where the clock stands when a case starts.
const START: u64 = 1_000_000_000_000;

fn calls(calls: u32, cost: u32, at: Duration, expected: Expected) -> Step {
    Step { at, event: Event::Calls { calls, cost, expected } }
}

fn admits(number: u32, at: Duration) -> Step {
    calls(number, 1, at, Expected::Admitted)
}

fn admits_cost(cost: u32, at: Duration) -> Step {
    calls(1, cost, at, Expected::Admitted)
}

fn refuses(number: u32, at: Duration, retry_after: Duration) -> Step {
    calls(number, 1, at, Expected::Refused { retry_after, by: 0 })
}

fn refuses_cost(cost: u32, at: Duration, retry_after: Duration) -> Step {
    calls(1, cost, at, Expected::Refused { retry_after, by: 0 })
}

fn refuses_by(by: usize, at: Duration, retry_after: Duration) -> Step {
    calls(1, 1, at, Expected::Refused { retry_after, by })
}

fn never(at: Duration) -> Step {
    calls(1, 1, at, Expected::Never)
}

fn never_cost(cost: u32, at: Duration) -> Step {
    calls(1, cost, at, Expected::Never)
}

fn left(remaining: u32, at: Duration, reset_after: Duration) -> Step {
    Step { at, event: Event::Left { remaining, reset_after } }
}

fn refund(admission: usize, at: Duration) -> Step {
    Step { at, event: Event::Refund(admission) }
}

fn reset(at: Duration) -> Step {
    Step { at, event: Event::Reset }
}

fn set_limits(limits: &[Limit], at: Duration) -> Step {
    Step { at, event: Event::SetLimits(limits.to_vec()) }
}

const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

const fn ns(nanos: u64) -> Duration {
    Duration::from_nanos(nanos)
}

const NANO: Duration = ns(1);

fn before(at: Duration) -> Duration {
    at - NANO
}

/// Runs steps on a subject.
pub fn run(steps: impl IntoIterator<Item = Step>, limits: &[Limit], subject: &mut dyn Subject) {
    let mut limits = limits.to_vec();
    for (number, step) in steps.into_iter().enumerate() {
        let at = START + nanos(step.at);
        let place = format!("step {number}, {step:?}");
        match step.event {
            Event::Calls { calls, cost, expected } => {
                for call in 1..=calls {
                    let found = subject.claim(at, cost);
                    match expected {
                        Expected::Admitted => assert!(found.is_admitted(), "{place}, call {call}: {found:?}"),
                        Expected::Refused { retry_after, by } => {
                            let wanted =
                                Answer::Refused { limit: limits[by], retry_after: nanos(retry_after) };
                            assert_eq!(found, wanted, "{place}, call {call}");
                        }
                        Expected::Never => assert_eq!(found, Answer::Never, "{place}, call {call}"),
                    }
                }
            }
            Event::Left { remaining, reset_after } => {
                let found = subject.usage(at);
                let wanted = (remaining, nanos(reset_after));
                assert_eq!((found.remaining, found.reset_after), wanted, "{place}");
            }
            Event::Refund(admission) => subject.refund(at, admission),
            Event::Reset => subject.reset(at),
            Event::SetLimits(new) => {
                subject.set_limits(at, &new);
                limits = new;
            }
        }
    }
}

fn per(max: u32, window: Duration) -> Limit {
    Limit::new(max, window).expect("the window is above zero")
}

/// A function that makes a subject of limits and hands it on.
pub type Engine<'e> = &'e dyn Fn(&[Limit], &mut dyn FnMut(&mut dyn Subject));

/// A row is a name, the limits and the steps.
macro_rules! table {
    ($dollar:tt $($(#[$doc:meta])* $name:ident: $limits:expr => $steps:expr;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(engine: impl FnOnce(&[Limit], &mut dyn FnMut(&mut dyn Subject))) {
                let limits: &[Limit] = &$limits;
                engine(limits, &mut |subject| run($steps, limits, subject));
            }
        )*

        /// Every row, with its name, for tests that are made at run time.
        pub const ROWS: &[(&str, fn(Engine<'_>))] = &[$((stringify!($name), |engine| $name(engine))),*];

        /// Makes a test of every row of the table, for a function that makes a subject of limits and hands it on.
        #[macro_export]
        macro_rules! conformance {
            ($dollar engine:expr) => {
                $(
                    #[test]
                    fn $name() {
                        $crate::table::$name($dollar engine);
                    }
                )*
            };
        }
    };
}

table! { $
    /// A fixed window lets twice as many through around its edge.
    f01_no_second_burst_around_an_edge: [per(4, s(60))] => [
        admits(4, s(60) - ms(1)), refuses(4, s(60) + ms(1), s(60) - ms(2)),
        refuses(1, before(s(120) - ms(1)), NANO), admits(4, s(120) - ms(1)),
    ];
    /// A counter that weights two buckets gives units back before they are free.
    f02_units_come_back_together_as_they_were_taken: [per(10, s(1))] =>
        std::iter::once(admits(10, ms(999)))
            .chain((1_000..1_999).map(|at| refuses(1, ms(at), ms(1_999 - at))))
            .chain([admits(10, ms(1_999)), refuses(1, ms(1_999), s(1))]);
    /// A token bucket lets 118 through in 59 seconds.
    f03_sixty_a_minute_are_sixty_in_any_minute: [per(60, s(60))] =>
        std::iter::once(admits(60, s(0)))
            .chain((1..=59 * 4).map(|quarter| refuses(1, ms(quarter * 250), s(60) - ms(quarter * 250))))
            .chain([admits(60, s(60))]);
    f04_the_window_is_half_open: [per(3, s(1))] => [
        admits(3, s(0)), refuses(1, before(s(1)), NANO), admits(1, s(1)),
    ];
    f05_admits_exactly_as_many_as_fit: [per(7, s(1))] => [admits(7, s(0)), refuses(1, s(0), s(1))];
    f06_no_second_burst_around_a_whole_second: [per(5, s(1))] => [
        admits(5, ms(960)), refuses(5, ms(1_010), ms(950)), refuses(1, before(ms(1_960)), NANO), admits(5, ms(1_960)),
    ];
    f07_steady_traffic_below_the_limit_is_never_refused: [per(5, s(1))] =>
        (0..24).map(|call| admits(1, ms(call * 500)));
    f08_a_long_silence_adds_nothing: [per(5, s(1))] => [
        admits(5, s(0)), admits(5, s(100)), refuses(5, s(100), s(1)),
    ];
    f09_refused_calls_neither_count_nor_put_off: [per(3, s(1))] =>
        std::iter::once(admits(3, s(0)))
            .chain((1..1_000).map(|at| refuses(1, ms(at), ms(1_000 - at))))
            .chain([admits(3, s(1)), refuses(1, s(1), s(1))]);
    f10_the_oldest_record_decides_when_to_come_back: [per(3, s(60))] => [
        admits(1, s(0)), admits(1, s(10)), admits(1, s(50)), refuses(1, s(55), s(5)),
        left(0, s(55), s(5)), admits(1, s(60)), refuses(1, s(60), s(10)),
    ];
    f11_the_retry_time_is_the_first_instant_of_room: [per(2, ms(700))] => [
        admits(1, ns(3)), admits(1, ns(77)), refuses(1, ms(100), ms(600) + ns(3)),
        refuses(1, before(ms(700) + ns(3)), NANO), admits(1, ms(700) + ns(3)),
        refuses(1, ms(700) + ns(4), ns(73)), refuses(1, ms(700) + ns(76), NANO), admits(1, ms(700) + ns(77)),
    ];
    f12_usage_says_what_the_next_calls_get: [per(3, s(10))] => [
        left(3, s(0), s(0)), admits(1, s(0)), left(2, s(0), s(10)), admits(2, s(4)), left(0, s(4), s(6)),
        refuses(1, s(4), s(6)), left(0, before(s(10)), NANO), left(1, s(10), s(4)), left(3, s(100), s(0)),
        admits(3, s(100)), left(0, s(100), s(10)),
    ];
    f34_a_clock_that_stands_still_admits_as_many_as_fit: [per(3, s(1))] => [
        admits(3, s(0)), refuses(100, s(0), s(1)), refuses(1, before(s(1)), NANO), admits(3, s(1)),
    ];
    f36_windows_of_centuries: [per(4, s(200 * 365 * 86_400))] => [
        admits(4, s(0)), refuses(1, s(86_400), s((200 * 365 - 1) * 86_400)),
        refuses(1, before(s(200 * 365 * 86_400)), NANO), admits(4, s(200 * 365 * 86_400)),
    ];
    f36_windows_beyond_the_end_of_time_count_as_292_years: [per(1, Duration::MAX)] => [
        admits(1, s(0)), refuses(1, s(1), ns((1 << 63) - 1) - s(1)),
        refuses(1, s(290 * 365 * 86_400), ns((1 << 63) - 1) - s(290 * 365 * 86_400)),
    ];
    f37_the_largest_limit_admits_at_once: [per(u32::MAX, s(86_400))] => [
        left(u32::MAX, s(0), s(0)), admits(1_000, s(0)), left(u32::MAX - 1_000, s(1), s(86_399)),
    ];
    f39_one_a_day_polled_often: [per(1, s(86_400))] =>
        std::iter::once(admits(1, s(0)))
            .chain((1..86_400 * 10 / 17).map(|poll| refuses(1, ms(poll * 1_700), s(86_400) - ms(poll * 1_700))))
            .chain([refuses(1, before(s(86_400)), NANO), admits(1, s(86_400))]);
    f40_six_thousand_a_second: [per(6_000, s(1))] => [
        admits(6_000, s(0)), refuses(1, ms(999), ms(1)), admits(6_000, s(1)), refuses(1, s(1), s(1)),
    ];
    f40_two_thousand_a_second: [per(2_000, s(1))] => [
        admits(2_000, ns(7)), refuses(1, ms(500), ms(500) + ns(7)), admits(2_000, s(1) + ns(7)), refuses(1, s(1) + ns(7), s(1)),
    ];
    f40_one_each_hundred_microseconds: [per(1, ns(100_000))] =>
        (0..100).flat_map(|n| [admits(1, ns(n * 100_000)), refuses(1, before(ns((n + 1) * 100_000)), NANO)]);
    f41_a_limit_of_zero_refuses_every_call: [per(0, s(1))] => [never(s(0)), never(s(5)), left(0, s(5), s(0))];
    f49_the_longer_limit_counts_admissions_only: [per(2, s(1)), per(100, s(60))] =>
        [admits(2, s(0)), refuses(50, s(0), s(1))]
            .into_iter()
            .chain((1..50).map(|second| admits(2, s(second))))
            .chain([refuses_by(1, s(50), s(10)), admits(2, s(60))]);
    f50_the_limit_that_has_room_last_is_named: [per(1, s(3)), per(1, s(40)), per(9, s(90))] => [
        admits(1, s(0)), refuses_by(1, s(0), s(40)), refuses_by(1, s(10), s(30)), admits(1, s(40)),
    ];
    f51_limits_that_share_a_window_are_kept_apart: [per(5, s(60)), per(3, s(60))] => [
        admits(3, s(0)), refuses_by(1, s(0), s(60)), admits(3, s(60)),
    ];
    f51_limits_that_share_a_number_are_kept_apart: [per(3, s(60)), per(3, s(10))] => [
        admits(3, s(0)), refuses(1, s(10), s(50)), refuses(1, before(s(60)), NANO), admits(3, s(60)),
    ];
    a_limit_of_zero_among_others_refuses_every_call: [per(5, s(1)), per(0, s(1))] => [never(s(0)), never(s(9))];
    calls_at_one_instant_come_back_together: [per(3, s(1))] => [
        admits(1, s(0)), admits(2, ms(500)), refuses(1, ms(500), ms(500)), admits(1, s(1)),
        refuses(1, s(1), ms(500)), admits(2, ms(1_500)), refuses(1, ms(1_500), ms(500)),
    ];
    /// From a few slots to hundreds, with the window full of live admissions at every growth.
    no_admission_is_lost_or_doubled_when_the_window_grows: [per(500, s(1))] =>
        (0..500).map(|n| admits(1, ms(n))).chain([refuses(1, ms(500), ms(500))])
            .chain((0..500).flat_map(|n| [refuses(1, before(ms(1_000 + n)), NANO), admits(1, ms(1_000 + n))]));
    /// The short limit decides long before the ring of the long one has grown.
    a_long_limit_remembers_what_a_short_one_forgot: [per(1, ms(1)), per(50, s(1))] =>
        (0..50).map(|n| admits(1, ms(n)))
            .chain([refuses_by(1, ms(50), ms(950)), admits(1, s(1)), refuses_by(0, s(1), ms(1))]);
    f32_a_clock_that_goes_back_frees_nothing: [per(5, s(10))] => [
        admits(1, s(5)), admits(4, s(0)), refuses(1, s(0), s(15)), refuses(1, before(s(15)), NANO), admits(5, s(15)),
    ];
    f33_a_clock_that_alternates_makes_no_unit: [per(6, s(10))] =>
        (0..3).flat_map(|_| [admits(1, s(5)), admits(1, s(4))])
            .chain((0..20).flat_map(|_| [refuses(1, s(5), s(10)), refuses(1, s(4), s(11))]))
            .chain([admits(6, s(15))]);
    f43_a_cost_above_the_limit_can_never_fit: [per(10, s(1))] => [
        never_cost(1_000, s(0)), left(10, s(0), s(0)), never_cost(11, s(500)), admits_cost(10, s(500)),
        refuses(1, s(500), s(1)),
    ];
    f44_batches_gain_nothing: [per(10, s(2))] => [
        admits_cost(5, s(0)), admits_cost(5, s(1)), admits_cost(5, s(2)), refuses_cost(1, s(2), s(1)),
        refuses_cost(1, before(s(3)), NANO), admits_cost(5, s(3)),
    ];
    f45_a_refund_after_the_record_has_left_does_nothing: [per(1, s(1))] => [
        admits(1, s(0)), admits(1, s(1)), refund(0, ms(1_100)), refuses(1, ms(1_100), ms(900)), admits(1, s(2)),
    ];
    f46_what_was_refunded_does_not_leave_a_second_time: [per(5, s(10))] => [
        admits_cost(5, s(0)), refund(0, s(1)), left(5, s(1), s(0)), admits_cost(5, s(2)), refuses_cost(1, s(10), s(2)),
        refuses_cost(1, before(s(12)), NANO), admits_cost(5, s(12)), refuses(1, s(12), s(10)),
    ];
    f48_a_reset_voids_the_permits_from_before: [per(3, s(10))] => [
        admits(3, s(0)), reset(s(1)), left(3, s(1), s(0)), admits(2, s(1)), refund(0, s(1)), refund(1, s(1)),
        refund(2, s(1)), left(1, s(1), s(10)), admits(1, s(1)), refuses(1, s(1), s(10)),
    ];
    /// Of the same instant, too: the records look alike.
    f48_a_reset_voids_the_permits_of_its_own_instant: [per(2, s(10))] => [
        admits(2, s(0)), reset(s(0)), admits(2, s(0)), refund(0, s(0)), refund(1, s(0)), refuses(1, s(0), s(10)),
    ];
    f52_limits_change_and_the_history_stays: [per(10, s(60))] => [
        admits(1, s(0)), admits(2, s(10)), admits(4, s(20)), set_limits(&[per(5, s(60))], s(30)), left(0, s(30), s(30)),
        refuses(1, s(30), s(40)), set_limits(&[per(10, s(60))], s(31)), left(3, s(31), s(29)), admits(3, s(31)),
        refuses(1, s(31), s(29)), set_limits(&[per(5, s(60))], s(40)), refuses(1, s(40), s(40)),
        refuses(1, before(s(80)), NANO), admits(2, s(80)), refuses(1, s(80), s(11)),
    ];
    a_refund_gives_back_its_own_record: [per(3, s(10))] => [
        admits(1, s(0)), admits(1, s(1)), admits(1, s(2)), refund(1, s(3)), left(1, s(3), s(7)), admits(1, s(4)),
        refuses(1, s(4), s(6)), admits(1, s(10)), refuses(1, s(10), s(2)), admits(1, s(12)), refuses(1, s(12), s(2)),
    ];
    a_refund_works_once: [per(2, s(10))] => [
        admits(2, s(0)), refund(0, s(1)), refund(0, s(1)), left(1, s(1), s(9)), admits(1, s(1)), refuses(1, s(1), s(9)),
    ];
    a_refund_counts_for_every_limit_that_still_holds_the_record: [per(1, s(1)), per(2, s(60))] => [
        admits(1, s(0)), admits(1, s(1)), refuses_by(1, s(2), s(58)), refund(0, s(2)), admits(1, s(2)),
        refuses_by(1, s(2), s(59)), refund(2, s(2)), admits(1, s(2)), refuses_by(1, s(2), s(59)),
    ];
    a_call_that_costs_nothing_is_admitted_and_not_counted: [per(2, s(10))] => [
        calls(5, 0, s(0), Expected::Admitted), admits(2, s(0)), calls(5, 0, s(0), Expected::Admitted), refuses(1, s(0), s(10)),
        set_limits(&[per(1, s(10))], s(1)), refuses_cost(0, s(1), s(9)), calls(1, 0, s(10), Expected::Admitted),
    ];
    costs_fit_whole_or_not_at_all: [per(10, s(10)), per(12, s(100))] => [
        admits_cost(6, s(0)), refuses_cost(5, s(1), s(9)), admits_cost(4, s(1)),
        calls(1, 3, s(11), Expected::Refused { retry_after: s(89), by: 1 }), admits_cost(2, s(11)),
        calls(1, 1, s(11), Expected::Refused { retry_after: s(89), by: 1 }),
    ];
    the_largest_cost_fits_the_largest_limit: [per(u32::MAX, s(10))] => [
        admits_cost(u32::MAX, s(0)), refuses(1, s(0), s(10)), refund(0, s(1)), admits_cost(u32::MAX - 1, s(2)), admits(1, s(3)),
        refuses_cost(2, s(3), s(9)), admits_cost(u32::MAX - 1, s(12)),
    ];
    a_longer_window_does_not_bring_back_what_had_left: [per(2, s(10))] => [
        admits(2, s(0)), set_limits(&[per(2, s(100))], s(10)), admits(2, s(10)), refuses(1, s(10), s(100)),
    ];
    a_longer_window_keeps_what_was_live: [per(2, s(10))] => [
        admits(2, s(0)), set_limits(&[per(2, s(100))], before(s(10))), refuses(1, s(10), s(90)), admits(2, s(100)),
    ];
    a_limit_of_zero_is_lifted: [per(0, s(1))] => [
        never(s(0)), set_limits(&[per(2, s(1))], s(0)), admits(2, s(0)), refuses(1, s(0), s(1)),
        set_limits(&[per(0, s(1))], s(0)), never(s(0)), set_limits(&[per(3, s(1))], s(0)), admits(1, s(0)),
    ];
    /// More than fits into the first slots, and less again, and more.
    limits_change_while_the_window_is_large: [per(100, s(10))] =>
        (0..100).map(|n| admits(1, ms(n * 10)))
            .chain([set_limits(&[per(3, s(10))], s(2)), left(0, s(2), s(8)), refuses(1, s(2), s(9) - ms(30))])
            .chain([set_limits(&[per(200, s(10)), per(300, s(20))], s(3)), left(100, s(3), s(7)), admits(100, s(3))])
            .chain([refuses(1, s(3), s(7)), admits(1, s(10)), refuses(1, s(10), ms(10)), admits(99, ms(10_990))])
            .chain([refuses_by(1, s(13), s(7)), admits(1, s(20))]);
}
