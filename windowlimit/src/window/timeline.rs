//! The window of a limiter through all its changes: an era after another.
//!
//! The first era is in place and lives from the start: an exact window that needs no lock, which is all that most
//! limiters ever have. Whatever cannot be done in an era ends it: other limits, a reset, a call that does not take one
//! unit, a unit that is given back. The next era begins with what was live in the one before.
//!
//! * **T1, one at a time.** Changes, and the growth of a ring, happen under the turn. Decisions do not take it.
//! * **T2, an end.** An era is closed by its window, in which nothing is admitted from that moment on, and what was
//!   admitted before is known: the marks of a frozen ring (I6), a total that is swapped out (S4), a log that is taken out
//!   of its lock. A decision that is under way either was made before or finds the window closed.
//! * **T3, the next.** Who finds a window closed waits for the turn, and so for the next era, which is there before the turn
//!   is over. Between the two no code of the user's runs, so nothing can come between.
//! * **T4, time.** When limits change, what has expired for the old ones is forgotten, lest it counts again for longer
//!   ones, and so is a fixed window that has ended, when its numbers run out; then no decision is made before that instant,
//!   whatever the clock says. In all other changes nothing is forgotten that a decision might ever look at.

use std::{ops::Deref, ptr};

use crate::{
    algorithm::Algorithm,
    clock::{Clock, instant},
    lasting::Together,
    limit::{InvalidLimit, Limit},
    limits::Limits,
    line::Foresee,
    others::Others,
    retry::Retry,
    sync::{Latest, const_fn},
    usage::Usage,
    window::{
        answer::{Full, Receipt, Stop},
        era::{Engine, Era, Next},
        legacy::Legacy,
        log::Admission,
        ring::OutOfMemory,
    },
};

/// A window that can change.
pub(crate) struct Timeline {
    /// The first one is that of an exact window. Of others, the limits that they begin with.
    eras: Latest<Era>,
}

/// An admission, with what it takes to give it back.
#[derive(Clone, Copy)]
pub(crate) struct Admitted {
    pub(crate) receipt: Receipt,
    /// How often permits had lost their meaning when it was made.
    pub(crate) voided: u64,
    /// All limits that it was decided by.
    pub(crate) together: Together,
    /// The state of those beside the tightest one.
    #[cfg_attr(not(feature = "http"), allow(dead_code))] // nothing else tells it
    pub(crate) others: Others,
}

impl Admitted {
    /// Nothing was taken, and there is nothing to give back.
    pub(crate) const NOTHING: Self = Self::alone(Receipt { usage: Usage::NONE, at: 0, cost: 0 });

    /// In the first era, by the only limit.
    #[inline]
    const fn alone(receipt: Receipt) -> Self {
        Self { receipt, voided: 0, together: None, others: Others::NONE }
    }
}

/// Why there is no admission; with all limits that it was decided by, and the state of the others.
#[derive(Clone, Copy)]
pub(crate) enum Refused {
    Full(Full, Together, Others),
    Never(Limit, Together),
    Misconfigured(InvalidLimit),
}

impl Timeline {
    const_fn! {
        pub(crate) fn new(limits: Limits) -> Self {
            Self { eras: Latest::new(Era::first(limits)) }
        }
    }

    /// One whose permits are told from those of other worlds.
    #[cfg(feature = "test-util")]
    pub(crate) fn of_world(limits: Limits, voided: u64) -> Self {
        Self { eras: Latest::new(Era { voided, ..Era::first(limits) }) }
    }

    /// Makes it another kind of window; nothing may have been admitted yet.
    pub(crate) const fn set_algorithm(&mut self, algorithm: Algorithm) {
        self.eras.first_mut().set_algorithm(algorithm);
    }

    pub(crate) fn algorithm(&self) -> Algorithm {
        self.eras.first().algorithm
    }

    pub(crate) fn limits(&self) -> Vec<Limit> {
        self.era().limits.as_slice().to_vec()
    }

    /// All of them, if they are several and last.
    pub(crate) fn together(&self) -> Together {
        self.era().limits.together()
    }

    /// The limits that it begins with.
    pub(crate) const fn limits_at_first(&self) -> &Limits {
        &self.eras.first().limits
    }

    /// Admits a call that takes one unit in an exact window of one limit, which comes back with the refusal, in the common
    /// case: see [`Ring::check_at_once`](super::ring::Ring::check_at_once).
    #[inline]
    pub(crate) fn check_at_once<C: Clock + ?Sized>(&self, clock: &C) -> Option<Result<(), (&Limit, Retry)>> {
        let first = self.eras.first();
        let Engine::Ring(ring) = &first.engine else { return None };
        let limit = first.limits.first();
        Some(ring.check_at_once(limit, clock)?.map_err(|retry| (limit, retry)))
    }

    /// The same, and says what it left.
    #[inline]
    pub(crate) fn claim_at_once<C: Clock + ?Sized>(
        &self,
        clock: &C,
    ) -> Option<Result<Admitted, (&Limit, Retry)>> {
        let first = self.eras.first();
        let Engine::Ring(ring) = &first.engine else { return None };
        let limit = first.limits.first();
        let claimed = ring.claim_at_once(limit, clock)?;
        let claimed = claimed.map(Admitted::alone);
        Some(claimed.map_err(|retry| (limit, retry)))
    }

    /// Admits a call that takes so many units.
    pub(crate) fn claim<const RECEIPT: bool, C: Clock + ?Sized>(
        &self,
        clock: &C,
        cost: u32,
    ) -> Result<Option<Admitted>, Refused> {
        loop {
            let era = self.era();
            let claimed = if self.has_begun() {
                era.claim::<RECEIPT, C>(clock, cost)
            } else {
                Err(Stop::Outgrown(None))
            };
            match claimed {
                Ok(told) => {
                    let (voided, together) = (era.voided, era.limits.together());
                    return Ok(told.map(|(receipt, others)| Admitted { receipt, voided, together, others }));
                }
                Err(Stop::Full(full, others)) => {
                    return Err(Refused::Full(full, era.limits.together(), others));
                }
                Err(Stop::Never(limit)) => return Err(Refused::Never(limit, era.limits.together())),
                Err(Stop::Misconfigured(why)) => return Err(Refused::Misconfigured(why)),
                Err(Stop::Moved) => self.wait(),
                Err(Stop::Uneven) => self.keep_a_log(clock),
                Err(Stop::Outgrown(Some(full))) => {
                    if let Err(OutOfMemory) = self.grow(&era) {
                        let others = Others::untold(&full.limit, full.remaining);
                        return Err(Refused::Full(full, era.limits.together(), others));
                    }
                }
                Err(Stop::Outgrown(None)) => self.renew(clock, &era),
            }
        }
    }

    /// Whether a call that takes so many units can ever be admitted.
    pub(crate) fn examine(&self, cost: u32) -> Result<(), Refused> {
        let era = self.era();
        match era.examine(cost) {
            Err(Stop::Misconfigured(why)) => Err(Refused::Misconfigured(why)),
            Err(Stop::Never(limit)) => Err(Refused::Never(limit, era.limits.together())),
            _ => Ok(()),
        }
    }

    /// A copy of the window, to be played on with so many units.
    pub(crate) fn foresee<C: Clock + ?Sized>(&self, clock: &C, units: u64) -> Box<dyn Foresee> {
        loop {
            let era = self.era();
            let known =
                if self.has_begun() { era.look(instant(clock), units) } else { Some(Legacy::Nothing) };
            match known {
                Some(known) => return known.into_forecast(self.algorithm(), &era.rules()),
                None => self.wait(),
            }
        }
    }

    /// The state of the tightest limit.
    pub(crate) fn usage<C: Clock + ?Sized>(&self, clock: &C) -> Usage {
        Usage::tightest(self.usages(clock).into_iter())
    }

    /// The state of each limit, in their order.
    pub(crate) fn usages<C: Clock + ?Sized>(&self, clock: &C) -> Vec<Usage> {
        loop {
            let era = self.era();
            if !self.has_begun() {
                return era.limits.as_slice().iter().map(|limit| Usage::new(*limit, 0, 0)).collect();
            }
            match era.usages(clock) {
                Ok(usages) => return usages,
                Err(_) => self.wait(),
            }
        }
    }

    /// Gives back exactly this admission, if it still counts.
    pub(crate) fn refund<C: Clock + ?Sized>(&self, clock: &C, given: Admitted) {
        let Admitted { receipt: Receipt { at, cost, .. }, voided, .. } = given;
        let given = Admission { at, units: u64::from(cost) };
        loop {
            let era = self.era();
            if era.voided != voided || cost == 0 {
                return;
            }
            let now = instant(clock);
            let done = match &era.engine {
                Engine::Ring(_) if now >= at + era.limits.longest() => true,
                Engine::Ring(_) => {
                    self.keep_a_log(clock);
                    false
                }
                Engine::Log(log) => {
                    log.lock().as_mut().map(|log| log.refund(&era.rules(), instant(clock), given)).is_some()
                }
                Engine::Segmented(segmented) if !segmented.is_live(at, now) => true,
                Engine::Segmented(_) => self.change(
                    clock,
                    |current| is_same(current, &era),
                    |era, now, legacy| {
                        // Not from now on, which is no more than what was asked for.
                        let newest = if let Legacy::Segmented(known) = &legacy { known.newest } else { now };
                        era.followed_by(newest, legacy.without(at, given.units))
                    },
                ),
                Engine::Fixed(fixed) => fixed.refund(&era.limits, era.since, clock, at, cost).is_ok(),
            };
            if done {
                return;
            }
            self.wait();
        }
    }

    /// Forgets every admission, and how far the clock was.
    pub(crate) fn reset<C: Clock + ?Sized>(&self, clock: &C) {
        let reading = instant(clock);
        self.change(
            clock,
            |_| true,
            |era, _, legacy| Next {
                since: 0,
                voided: era.voided + 1,
                ..era.followed_by(reading, legacy.emptied())
            },
        );
    }

    /// Whether it could keep these limits.
    pub(crate) fn accepts(&self, limits: &Limits) -> Result<(), InvalidLimit> {
        limits.fault().map_or(Ok(()), Err)?;
        self.segments(limits).map(drop)
    }

    /// Keeps other limits from now on.
    pub(crate) fn set_limits<C: Clock + ?Sized>(
        &self,
        clock: &C,
        limits: Limits,
    ) -> Result<(), InvalidLimit> {
        self.accepts(&limits)?;
        let segments = self.segments(&limits)?;
        self.change(
            clock,
            |_| true,
            |era, now, legacy| {
                let legacy = legacy.settled(&era.limits, now);
                // Units are known by their segment or window: in others, nobody can tell whose they are.
                let others = self.segments(&era.limits) != Ok(segments);
                let voided = era.voided + u64::from(others);
                Next { begins: now, limits, since: now, voided, legacy }
            },
        );
        Ok(())
    }

    /// How long the segments are, or the windows that are not divided; of an exact window, nothing.
    fn segments(&self, limits: &Limits) -> Result<Vec<u64>, InvalidLimit> {
        let algorithm = self.algorithm();
        match algorithm {
            Algorithm::Exact => Ok(Vec::new()),
            _ => limits.as_slice().iter().map(|limit| algorithm.segment(limit)).collect(),
        }
    }

    /// Goes on with a window that counts units.
    fn keep_a_log<C: Clock + ?Sized>(&self, clock: &C) {
        let is_wanted = |era: &Era| matches!(era.engine, Engine::Ring(_));
        self.change(clock, is_wanted, |era, now, legacy| era.followed_by(now, legacy.into_log()));
    }

    /// Goes on with a window that counts from now.
    fn renew<C: Clock + ?Sized>(&self, clock: &C, era: &Era) {
        let is_wanted = |current: &Era| is_same(current, era);
        self.change(clock, is_wanted, |era, now, legacy| match legacy {
            // The window that has ended is forgotten: no decision may find itself in it again (T4).
            Legacy::Fixed(_) => Next { since: now, ..era.followed_by(now, legacy.settled(&era.limits, now)) },
            _ => era.followed_by(now, legacy),
        });
    }

    /// Ends the current era, if that is still wanted, and begins the next one. Whether it did.
    fn change<C: Clock + ?Sized>(
        &self,
        clock: &C,
        is_wanted: impl FnOnce(&Era) -> bool,
        next: impl FnOnce(&Era, u64, Legacy) -> Next,
    ) -> bool {
        // Read before the turn: a clock is the user's code. That it may be a little late keeps a little more.
        let reading = instant(clock);
        let _turn = self.eras.turn();
        let era = self.era();
        if !is_wanted(&era) {
            return false;
        }
        let (now, legacy) = era.close(reading);
        let next = Era::new(self.algorithm(), next(&era, now, legacy));
        self.eras.store(next);
        true
    }

    /// Gives the ring of this era more room, if it is still the current one.
    fn grow(&self, era: &Era) -> Result<(), OutOfMemory> {
        let _turn = self.eras.turn();
        match &era.engine {
            Engine::Ring(ring) if is_same(&self.era(), era) => ring.grow(),
            _ => Ok(()),
        }
    }

    /// Waits until the change or the growth that is under way is over.
    fn wait(&self) {
        drop(self.eras.turn());
    }

    fn era(&self) -> impl Deref<Target = Era> {
        self.eras.load()
    }

    /// Whether the current era is one in which calls are decided: the first one is only where the window is exact.
    fn has_begun(&self) -> bool {
        matches!(self.algorithm(), Algorithm::Exact) || !self.eras.is_first()
    }
}

fn is_same(a: &Era, b: &Era) -> bool {
    ptr::eq(a, b)
}
