//! The decision as it almost always is, in one straight line: one limit, one unit, the hint is right, and nobody comes
//! between. All else is left to the [ring](super)'s own way.

use super::{Ring, View, full_until::Answer};
use crate::{
    clock::{Clock, instant},
    limit::Limit,
    retry::Retry,
    sync::give_way,
    window::answer::Receipt,
};

impl Ring {
    /// Admits one unit if this limit, the only one and not 0, has room for it. `None` if it is not so common a case.
    #[inline]
    pub(crate) fn check_at_once<C: Clock + ?Sized>(
        &self,
        limit: &Limit,
        clock: &C,
    ) -> Option<Result<(), Retry>> {
        self.decide_at_once(limit, clock, |_| Some(()))
    }

    /// The same, and says what it left.
    #[inline]
    pub(crate) fn claim_at_once<C: Clock + ?Sized>(
        &self,
        limit: &Limit,
        clock: &C,
    ) -> Option<Result<Receipt, Retry>> {
        self.decide_at_once(limit, clock, |view| {
            // There are no others.
            let (receipt, _) = view.receipt().ok()?;
            Some(receipt)
        })
    }

    // What is said comes back in two words if it is nothing, which spares an admission a dozen stores.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn decide_at_once<C: Clock + ?Sized, R>(
        &self,
        limit: &Limit,
        clock: &C,
        receipt: impl FnOnce(View<'_, '_>) -> Option<R>,
    ) -> Option<Result<R, Retry>> {
        let known = self.full_until.known();
        let before_look = if known.is_nothing() {
            None
        } else {
            match self.full_until.ask(known, clock) {
                Answer::Full(retry) => return retry.map(Err),
                Answer::Over(reading) => Some(reading),
                Answer::Changed => return None,
            }
        };
        let (_, circle) = self.current();
        let Ok(Some(head)) = circle.head_at(circle.hint()) else { return None };
        // A reading from before the look serves if nobody was admitted later.
        let before_look = before_look.filter(|&reading| reading >= head.newest.at());
        let reading = before_look.unwrap_or_else(|| instant(clock));
        let view = View::at(circle, head, limit, &[], 0, reading);
        if head.oldest.is_live(view.now, limit.nanos()) {
            // The circle of a single limit never has more slots than that: who has all of them looks back to the head itself,
            // and where it is live the window is full. If it has fewer, it would have to grow.
            let has_all = limit.max() as usize <= circle.capacity();
            // What is live had not been overwritten when the clock was read, so the refusal was right then (I4). Who stalled
            // since, and was overtaken, looks again all the same: there may be room by now.
            if !has_all || !circle.is_still(head) {
                return None;
            }
            let free_at = head.oldest.at() + limit.nanos();
            self.full_until.learn(known, free_at, head.newest.at());
            return Retry::after(free_at - reading).map(Err);
        }
        // Read before the claim: if that succeeds, nobody has come between.
        let receipt = receipt(view)?;
        if circle.claim(head, view.now) {
            self.full_until.forget();
            Some(Ok(receipt))
        } else {
            give_way();
            None
        }
    }
}

#[cfg(all(test, not(windowlimit_loom)))]
mod tests {
    use std::{
        collections::VecDeque,
        sync::atomic::{AtomicU64, Ordering},
        time::Duration,
    };

    use crate::{Clock, Limit, Limiter, SystemClock, clock::Latest};

    const S: u64 = 1_000_000_000;

    /// It knows the time a little late, by at most the slack.
    #[derive(Default)]
    struct Late {
        now: AtomicU64,
        by: AtomicU64,
        exact_readings: AtomicU64,
    }

    impl Late {
        fn set(&self, now: u64, by: u64) {
            self.now.store(now, Ordering::Relaxed);
            self.by.store(by, Ordering::Relaxed);
        }
    }

    impl Clock for Late {
        fn now(&self) -> u64 {
            self.exact_readings.fetch_add(1, Ordering::Relaxed);
            self.now.load(Ordering::Relaxed)
        }

        fn latest(&self) -> Option<Latest> {
            let now = self.now.load(Ordering::Relaxed);
            Some(Latest::after(now - self.by.load(Ordering::Relaxed)))
        }
    }

    /// Numbers that look random, always the same.
    fn any(state: &mut u64, below: u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % below
    }

    #[test]
    fn a_clock_that_is_late_by_less_than_the_slack_decides_as_one_that_is_not() {
        let (mut random, mut early) = (1, 0);
        for max in [1, 2, 5, 40] {
            let clock = Late::default();
            let window = 2 * S;
            let limit = Limit::new(max, Duration::from_nanos(window)).expect("a limit");
            let limiter = Limiter::builder().limit(limit).clock(&clock).build().expect("a limiter");
            let mut live = VecDeque::new();
            let mut now = S;
            for _ in 0..20_000 {
                now += match any(&mut random, 8) {
                    0 => any(&mut random, window),
                    1 => window - any(&mut random, 3),
                    _ => any(&mut random, 10),
                };
                clock.set(now, any(&mut random, Latest::SLACK + 1));
                live.retain(|&at| now < at + window);
                let fits = live.len() < max as usize;
                let read = clock.exact_readings.load(Ordering::Relaxed);
                assert_eq!(limiter.check().is_ok(), fits, "{max} in two seconds, at {now}");
                early += u32::from(read == clock.exact_readings.load(Ordering::Relaxed));
                if fits {
                    live.push_back(now);
                }
            }
        }
        assert!(early > 10_000, "only {early} refusals did without the exact time");
    }

    #[test]
    fn a_clock_that_is_late_by_more_only_refuses_for_longer() {
        let clock = Late::default();
        let limiter =
            Limiter::builder().limit(Limit::per_second(1)).clock(&clock).build().expect("a limiter");
        clock.set(10 * S, 0);
        assert!(limiter.check().is_ok());
        assert!(limiter.check().is_err());
        clock.set(12 * S, 2 * S);
        assert!(limiter.check().is_err(), "it takes the time to be 10.25 s");
        clock.set(12 * S, Latest::SLACK);
        assert!(limiter.check().is_ok());
    }

    /// A clock at which a caller stalls once, when it has read the latest instant: meanwhile the window empties, and two
    /// others come.
    #[derive(Debug, Default)]
    struct Stage {
        now: AtomicU64,
        is_set: AtomicU64,
    }

    static STAGE: Stage = Stage { now: AtomicU64::new(S), is_set: AtomicU64::new(0) };
    static STAGED: Limiter<&Stage> = Limiter::with_clock("staged", &[Limit::per_second(3)], &STAGE);

    impl Clock for Stage {
        fn now(&self) -> u64 {
            self.now.load(Ordering::Relaxed)
        }

        fn latest(&self) -> Option<Latest> {
            let latest = Latest::after(self.now());
            if self.is_set.swap(0, Ordering::Relaxed) == 1 {
                self.now.fetch_add(S, Ordering::Relaxed);
                assert!(STAGED.check().is_ok() && STAGED.check().is_ok());
            }
            Some(latest)
        }
    }

    #[test]
    fn a_caller_that_was_overtaken_looks_again() {
        for _ in 0..3 {
            assert!(STAGED.check().is_ok());
        }
        assert!(STAGED.check().is_err());
        STAGE.is_set.store(1, Ordering::Relaxed);
        assert!(STAGED.check().is_ok(), "there is room for a third");
        assert!(STAGED.check().is_err());
    }

    /// The clock is read around it, so it holds however slow the machine is.
    #[test]
    fn a_retry_time_that_was_not_known_is_told_when_it_is_asked_for() {
        let limiter = Limiter::builder().limit(Limit::per_hour(1)).build().expect("a limiter");
        let before = SystemClock.now();
        assert!(limiter.check().is_ok());
        let after = SystemClock.now();
        let refusal = limiter.check().expect_err("there is one an hour");
        let earliest = SystemClock.now();
        let retry_after = refusal.retry_after().expect("there is a time");
        let latest = SystemClock.now();
        let hour = 3_600 * S;
        assert!(retry_after >= Duration::from_nanos(before + hour - latest));
        assert!(retry_after <= Duration::from_nanos(after + hour - earliest));
        assert!(refusal.retry_after() <= Some(retry_after), "it is asked for later");
    }
}
