//! One call of several limiters: what is known without asking, the one question, and what becomes of the answer.

use tokio::time::Instant;

use super::stand_in;
use crate::{
    algorithm::Algorithm,
    clock::{Clock, SystemClock},
    decider::Decider,
    error::RateLimitExceeded,
    limit::Limit,
    store::{
        call::{Call, Told, mode, odd, usages},
        error::StoreError,
        limiter::SharedLimiter,
        memory::{About, Moment},
        permit::SharedPermit,
        question::{Ask, Question},
        refusal::{Refusal, Snapshot},
        store::{Asked, RedisStore},
    },
    watch::{Mode, Outcome},
};

/// What a call gets: of each limiter, what it has admitted.
pub(super) type Decided<'l> = Result<Vec<SharedPermit<'l>>, RateLimitExceeded>;

/// The calls of several limiters of one store, that are to be decided as one.
pub(super) struct Calls<'l> {
    pub(super) store: &'l RedisStore,
    /// One of each limiter.
    pub(super) each: Vec<Call<'l>>,
    /// Whether anybody looks at what is left.
    pub(super) has_receipt: bool,
}

/// The call of a limiter that refuses nothing, with its place among all.
struct Aside<'l> {
    place: usize,
    mode: Mode,
    call: Call<'l>,
}

/// A call that the store was asked about.
struct Pending<'l> {
    store: &'l RedisStore,
    parts: Vec<Part<'l>>,
    has_receipt: bool,
    /// Whether its refusals can be remembered: they come from the server's own clock.
    is_timed: bool,
    sent: Moment,
}

/// What one limiter makes of the call.
pub(super) struct Part<'l> {
    pub(super) call: Call<'l>,
    pub(super) limits: Box<[Limit]>,
    about: About,
}

impl<'l> Calls<'l> {
    /// Decides, and blocks the thread for it.
    pub(super) fn decide(mut self) -> Decided<'l> {
        let (aside, due) = (self.put_aside(), self.store.due());
        let mut permits = match self.begin(due)? {
            Some((pending, asked)) => pending.finish(asked.wait())?,
            None => Vec::new(),
        };
        for Aside { place, mode, call } in aside {
            permits.insert(place, call.decide_as(mode, due)?);
        }
        Ok(permits)
    }

    pub(super) async fn decide_async(mut self) -> Decided<'l> {
        let (aside, due) = (self.put_aside(), self.store.due());
        let mut permits = match self.begin(due)? {
            Some((pending, asked)) => pending.finish(asked.answer().await)?,
            None => Vec::new(),
        };
        for Aside { place, mode, call } in aside {
            permits.insert(place, call.decide_async_as(mode, due).await?);
        }
        Ok(permits)
    }

    /// Takes out the calls of limiters that refuse nothing now: what they find is to change nothing for the others, so that
    /// they are asked afterwards, each by itself, all of it before the one deadline.
    fn put_aside(&mut self) -> Vec<Aside<'l>> {
        let (mut aside, mut strict) = (Vec::new(), Vec::with_capacity(self.each.len()));
        for (place, call) in self.each.drain(..).enumerate() {
            match call.limiter.mode() {
                Mode::Enforce => strict.push(call),
                mode => {
                    let call = if self.has_receipt { call.with_receipt() } else { call };
                    aside.push(Aside { place, mode, call });
                }
            }
        }
        self.each = strict;
        aside
    }

    /// Refuses what can be refused here, and asks about the rest, if there is any.
    fn begin(self, due: Instant) -> Result<Option<(Pending<'l>, Asked)>, RateLimitExceeded> {
        let Self { store, each, has_receipt } = self;
        let memory = store.memory();
        let parts: Vec<_> = each.into_iter().map(Part::of).collect::<Result<_, _>>()?;
        // Nobody passes those who wait, in front of whichever window.
        let behind = parts
            .iter()
            .filter_map(|Part { call, limits, .. }| call.limiter.behind_line(&call.key, limits, call.cost));
        if let Some(refusal) = latest(behind) {
            note_all(limiters(&parts), Some(&refusal));
            return Err(refusal);
        }
        let is_timed = parts.iter().all(|part| part.call.limiter.instants.is_none());
        let now = SystemClock.now();
        if is_timed {
            // What one window is known to refuse, all together do. They may do so for longer: that, nobody has asked.
            let known = parts.iter().filter_map(|part| {
                let known = memory.recall(part.about, part.call.cost, now)?;
                Some(part.told(&known, Decider::Memory))
            });
            if let Some(refusal) = latest(known) {
                note_all(limiters(&parts), Some(&refusal));
                return Err(refusal);
            }
        }
        let sent = memory.moment(now);
        let Some(question) = question(&parts, has_receipt) else { return Ok(None) };
        let asked = store.ask_until(question, due);
        Ok(Some((Pending { store, parts, has_receipt, is_timed, sent }, asked)))
    }
}

/// The question about all windows at once, if there are any.
fn question(parts: &[Part<'_>], has_receipt: bool) -> Option<Question> {
    let has_snapshot = parts.iter().any(|part| Snapshot::is_wanted(&part.limits, part.call.cost));
    let mode = mode(has_receipt, has_snapshot);
    let instant = parts.first().map_or(-1, |part| part.call.limiter.instant());
    let mut numbers = vec![instant, mode];
    for Part { call: Call { limiter, cost, .. }, limits, .. } in parts {
        let (_, args) = limiter.script(limits, *cost, mode);
        // All but the instant and the mode, which are everybody's.
        let own =
            args.into_iter().enumerate().filter(|(place, _)| ![1, 3].contains(place)).map(|(_, arg)| arg);
        let own: Vec<i64> = own.collect();
        numbers.push(i64::from(limiter.algorithm != Algorithm::Exact));
        numbers.push(i64::try_from(own.len()).unwrap_or(i64::MAX));
        numbers.extend(own);
    }
    let mut keys = parts.iter().map(|part| part.call.limiter.store_key(&part.call.key));
    let key = keys.next()?;
    Some(Question { key, ask: Ask::Together(keys.collect(), numbers) })
}

impl<'l> Part<'l> {
    /// A call that may fit, if it ever can.
    pub(super) fn of(call: Call<'l>) -> Result<Self, RateLimitExceeded> {
        let limiter = call.limiter;
        match call.limits() {
            Ok(limits) => {
                let about = limiter.store.memory().about(&limiter.prefix, &call.key, &limits);
                Ok(Self { call, limits, about })
            }
            Err(refused) => {
                let refusal = RateLimitExceeded::refused(limiter.name, refused);
                note_all([limiter], Some(&refusal));
                Err(refusal)
            }
        }
    }

    fn told(&self, refusal: &Refusal, decider: Decider) -> RateLimitExceeded {
        refusal.told(self.call.limiter.name, &self.limits, decider)
    }
}

impl<'l> Pending<'l> {
    fn finish(self, answer: Result<Vec<i64>, StoreError>) -> Decided<'l> {
        match answer.and_then(|numbers| self.read(&numbers)) {
            Ok(told) => {
                note_all(limiters(&self.parts), told.as_ref().err());
                let parts = self.parts.into_iter().zip(told?);
                let admitted = |(Part { call, limits, .. }, (told, at)): (Part<'l>, Told)| {
                    call.admitted(&limits, told, at)
                };
                Ok(parts.map(admitted).collect())
            }
            Err(why) => self.without_store(why),
        }
    }

    /// What the answer says: of each window what is left and the instant, or the refusal.
    fn read(&self, numbers: &[i64]) -> Result<Result<Vec<Told>, RateLimitExceeded>, StoreError> {
        match numbers {
            [0] if !self.has_receipt => Ok(Ok(self.parts.iter().map(|_| (Box::default(), 0)).collect())),
            [0, told @ ..] if self.has_receipt => {
                self.read_admission(told).ok_or_else(|| odd(numbers)).map(Ok)
            }
            [1, waits @ ..] => self.read_refusal(waits).ok_or_else(|| odd(numbers)).map(Err),
            _ => Err(odd(numbers)),
        }
    }

    fn read_admission(&self, mut told: &[i64]) -> Option<Vec<Told>> {
        let mut read = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let (&at, behind) = told.split_first()?;
            let (left, behind) = behind.split_at_checked(2 * part.limits.len())?;
            read.push((usages(&part.limits, left).collect(), at));
            told = behind;
        }
        told.is_empty().then_some(read)
    }

    /// Every window that refuses does so by itself, and is remembered; the one that has room last tells when to come again.
    fn read_refusal(&self, numbers: &[i64]) -> Option<RateLimitExceeded> {
        let (waits, mut states) = numbers.split_at_checked(2 * self.parts.len())?;
        let is_told = !states.is_empty();
        let mut refusals = Vec::with_capacity(self.parts.len());
        for (part, wait) in self.parts.iter().zip(waits.chunks_exact(2)).filter(|(_, wait)| wait[0] > 0) {
            let (state, behind) = states.split_at_checked(if is_told { 2 * part.limits.len() } else { 0 })?;
            refusals.push((part, Refusal::read(&part.limits, &[wait, state].concat())?));
            states = behind;
        }
        for (part, refusal) in refusals.iter().filter(|_| self.is_timed) {
            self.store.memory().remember(part.about, part.call.cost, self.sent, refusal);
        }
        let told = refusals.iter().map(|(part, refusal)| part.told(refusal, Decider::Store));
        latest(told).filter(|_| states.is_empty())
    }

    fn without_store(self, why: StoreError) -> Decided<'l> {
        let Self { store, parts, .. } = self;
        let limiters: Vec<_> = limiters(&parts).collect();
        let by = stand_in::decider(&parts);
        stand_in::count(store, &parts, by, why);
        let decided = stand_in::decide(parts, by);
        note_all(limiters, decided.as_ref().err());
        decided
    }
}

/// Of refusals, the one after which all have room. One without a time says that nobody knows.
pub(super) fn latest(refusals: impl IntoIterator<Item = RateLimitExceeded>) -> Option<RateLimitExceeded> {
    let time = |refusal: &RateLimitExceeded| refusal.room_again().map_or(u64::MAX, |(_, wait)| wait);
    refusals.into_iter().reduce(|first, next| if time(&next) > time(&first) { next } else { first })
}

fn limiters<'l>(parts: &[Part<'l>]) -> impl Iterator<Item = &'l SharedLimiter> {
    parts.iter().map(|part| part.call.limiter)
}

/// Counts and reports what came of a call: of each limiter that it is an admission, or of the one that has refused it that.
fn note_all<'l>(limiters: impl IntoIterator<Item = &'l SharedLimiter>, refusal: Option<&RateLimitExceeded>) {
    let outcome = refusal.map_or(Outcome::Admitted, Outcome::Refused);
    let is_of = |limiter: &&SharedLimiter| refusal.is_none_or(|refusal| refusal.name() == limiter.name);
    for limiter in limiters.into_iter().filter(is_of) {
        limiter.note(outcome);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Call, Calls, Limit, Part, Pending, RedisStore};
    use crate::{
        Reason,
        clock::{Clock, SystemClock},
        store::limiter::SharedLimiter,
    };

    const ONE: Limit = Limit::per_hour(1);
    const KEY: &str = "key";

    fn limiters() -> [SharedLimiter; 2] {
        // Nobody is asked there.
        let store = RedisStore::open("redis://127.0.0.1:1").expect("it is an address");
        ["user", "address"].map(|name| SharedLimiter::new(&store, name, ONE))
    }

    #[test]
    fn an_answer_that_says_nothing_is_no_decision() {
        let limiters = limiters();
        let store = &limiters[0].store;
        let sent = store.memory().moment(SystemClock.now());
        let part = |limiter| Part::of(Call::new(limiter, KEY, 1)).expect("it may fit");
        let parts = || limiters.iter().map(part).collect();
        let pending = |has_receipt| Pending { store, parts: parts(), has_receipt, is_timed: true, sent };
        let odd: [&[i64]; 11] = [
            &[],
            &[2],
            &[-1],
            &[0, 7, 1],
            &[0, 7, 1, 1, 7, 1],
            &[0, 7, 1, 1, 7, 1, 1, 1],
            &[1],
            &[1, 5, 0],
            &[1, 0, 0, 0, 0],
            &[1, 5, 1, 0, 0],
            &[1, 5, -1, 0, 0],
        ];
        for numbers in odd {
            assert!(pending(true).read(numbers).is_err_and(|error| error.is_answer()), "{numbers:?}");
        }
        let told = [0, 7, 1, 1, 7, 1, 1];
        assert!(pending(true).read(&[0]).is_err() && pending(false).read(&told).is_err());
        assert!(matches!(pending(false).read(&[0]), Ok(Ok(_))));
        assert!(matches!(pending(true).read(&told), Ok(Ok(_))));
        let refusal = pending(true).read(&[1, 5, 0, 9, 0]).expect("it is an answer").expect_err("it refuses");
        assert_eq!((refusal.name(), refusal.retry_after()), ("address", Some(Duration::from_micros(9))));
    }

    #[test]
    fn limits_that_are_none_refuse_without_asking() {
        let [by_user, by_address] = limiters();
        let too_long = Limit::new(1, Duration::from_secs(3601)).expect("it is one");
        for (limits, cost, reason, name) in [
            (&[][..], 1, Reason::Misconfigured, "address"),
            (&[too_long], 1, Reason::Misconfigured, "address"),
            (&[ONE], 2, Reason::NeverFits, "user"),
        ] {
            let by_address = Call::new(&by_address, KEY, 1).with_limits(limits);
            let each = vec![Call::new(&by_user, KEY, cost), by_address];
            let calls = Calls { store: &by_user.store, each, has_receipt: false };
            let refusal = calls.decide().map(drop).expect_err("it cannot be decided");
            assert_eq!((refusal.reason(), refusal.name()), (reason, name));
        }
        assert_eq!(by_user.store.asked() + by_user.degraded(), 0);
    }
}
