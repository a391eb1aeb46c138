//! One call of several limiters: what is known without asking, the one question, and what becomes of the answer.

use crate::algorithm::Algorithm;
use crate::{
    clock::{Clock, SystemClock},
    decider::Decider,
    error::RateLimitExceeded,
    limit::Limit,
    store::{
        call::{Call, DECIDE, DECIDE_AND_TELL, full, nanos, note, odd, usage},
        error::StoreError,
        limiter::divided,
        memory::{About, Moment},
        permit::{SharedPermit, Source},
        policy::OnStoreError,
        question::{Ask, Question},
        store::{Asked, RedisStore},
    },
    usage::Usage,
};

/// What a call gets: of each limiter, what it has admitted.
type Decided<'l> = Result<Vec<SharedPermit<'l>>, RateLimitExceeded>;

/// The calls of several limiters of one store, that are to be decided as one.
pub(super) struct Calls<'l> {
    pub(super) store: &'l RedisStore,
    /// One of each limiter.
    pub(super) each: Vec<Call<'l>>,
    /// Whether anybody looks at what is left.
    pub(super) has_receipt: bool,
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
struct Part<'l> {
    call: Call<'l>,
    limits: Box<[Limit]>,
    about: About,
}

/// What an answer says: of each window what is left and the instant, or the refusal.
type Told = Result<Vec<(Usage, i64)>, RateLimitExceeded>;

impl<'l> Calls<'l> {
    /// Decides, and blocks the thread for it.
    pub(super) fn decide(self) -> Decided<'l> {
        let deadline = self.store.deadline();
        let (pending, asked) = self.begin()?;
        pending.finish(asked.and_then(|asked| asked.wait(deadline)))
    }

    pub(super) async fn decide_async(self) -> Decided<'l> {
        let (pending, asked) = self.begin()?;
        let answer = match asked {
            Ok(asked) => asked.answer().await,
            Err(why) => Err(why),
        };
        pending.finish(answer)
    }

    /// Refuses what can be refused here, and asks about the rest.
    fn begin(self) -> Result<(Pending<'l>, Result<Asked, StoreError>), RateLimitExceeded> {
        let Self { store, each, has_receipt } = self;
        let memory = store.memory();
        let part = |call: Call<'l>| {
            let name = call.limiter.name;
            let limits = call.limits().map_err(|refused| {
                let refusal = RateLimitExceeded::refused(name, refused);
                note(name, Some(&refusal));
                refusal
            })?;
            let about = memory.about(&call.limiter.prefix, &call.key, &limits);
            Ok(Part { call, limits, about })
        };
        let parts: Vec<_> = each.into_iter().map(part).collect::<Result<_, _>>()?;
        let is_timed = parts.iter().all(|part| part.call.limiter.instants.is_none());
        let now = SystemClock.now();
        if is_timed {
            // What one window is known to refuse, all together do. They may do so for longer: that, nobody has asked.
            let known = parts.iter().filter_map(|part| {
                memory
                    .recall(part.about, part.call.cost, now)
                    .map(|known| part.full(known.by, known.retry_after))
            });
            if let Some(refusal) = latest(known) {
                let refusal = refusal.decided_by(Decider::Memory);
                note_all(&parts, Some(&refusal));
                return Err(refusal);
            }
        }
        let sent = memory.moment(now);
        let asked = question(&parts, has_receipt).and_then(|question| store.ask(question));
        Ok((Pending { store, parts, has_receipt, is_timed, sent }, asked))
    }
}

/// The question about all windows at once.
fn question(parts: &[Part<'_>], has_receipt: bool) -> Result<Question, StoreError> {
    let mode = if has_receipt { DECIDE_AND_TELL } else { DECIDE };
    let instant = parts.first().map_or(-1, |part| part.call.limiter.instant());
    let mut numbers = vec![instant, mode];
    for Part { call: Call { limiter, cost, .. }, limits, .. } in parts {
        let (_, args) = limiter.script(limits, *cost, mode);
        numbers.push(i64::from(limiter.algorithm != Algorithm::Exact));
        numbers.push(i64::try_from(args.len()).unwrap_or(i64::MAX));
        numbers.extend(args);
    }
    let mut keys = parts.iter().map(|part| part.call.limiter.store_key(&part.call.key));
    let key = keys.next().ok_or_else(|| StoreError::answer("nothing was asked"))?;
    Ok(Question { key, ask: Ask::Together(keys.collect(), numbers) })
}

impl Part<'_> {
    fn full(&self, limit: Limit, retry_after: u64) -> RateLimitExceeded {
        full(self.call.limiter.name, limit, retry_after, &self.limits)
    }
}

impl<'l> Pending<'l> {
    fn finish(self, answer: Result<Vec<i64>, StoreError>) -> Decided<'l> {
        match answer.and_then(|numbers| self.read(&numbers)) {
            Ok(told) => {
                note_all(&self.parts, told.as_ref().err());
                let parts = self.parts.into_iter().zip(told?);
                let admitted = |(Part { call, limits, .. }, (usage, at)): (Part<'l>, _)| {
                    call.admitted(&limits, usage, at)
                };
                Ok(parts.map(admitted).collect())
            }
            Err(why) => self.without_store(why),
        }
    }

    fn read(&self, numbers: &[i64]) -> Result<Told, StoreError> {
        match numbers {
            [0] if !self.has_receipt => Ok(Ok(self.parts.iter().map(|_| (Usage::NONE, 0)).collect())),
            [0, told @ ..] if self.has_receipt => {
                self.read_admission(told).ok_or_else(|| odd(numbers)).map(Ok)
            }
            [1, waits @ ..] => self.read_refusal(waits).ok_or_else(|| odd(numbers)).map(Err),
            _ => Err(odd(numbers)),
        }
    }

    fn read_admission(&self, mut told: &[i64]) -> Option<Vec<(Usage, i64)>> {
        let mut read = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let (&at, behind) = told.split_first()?;
            let (left, behind) = behind.split_at_checked(2 * part.limits.len())?;
            read.push((usage(&part.limits, left), at));
            told = behind;
        }
        told.is_empty().then_some(read)
    }

    /// Every window that refuses does so by itself, and is remembered; the one that has room last tells when to come again.
    fn read_refusal(&self, waits: &[i64]) -> Option<RateLimitExceeded> {
        if waits.len() != 2 * self.parts.len() {
            return None;
        }
        let mut refusals = Vec::new();
        for (part, wait) in self.parts.iter().zip(waits.chunks_exact(2)).filter(|(_, wait)| wait[0] > 0) {
            let by = *part.limits.get(usize::try_from(wait[1]).ok()?)?;
            let wait = nanos(wait[0]);
            if self.is_timed {
                self.store.memory().remember(part.about, part.call.cost, self.sent, by, wait);
            }
            refusals.push(part.full(by, wait));
        }
        latest(refusals).map(|refusal| refusal.decided_by(Decider::Store))
    }

    /// Each limiter does as it was told. One that refuses without the store refuses for all.
    fn without_store(self, why: StoreError) -> Decided<'l> {
        let Self { store, parts, .. } = self;
        let are = |policy| parts.iter().find(|part| part.call.limiter.on_error == policy);
        let (stand_in, refusal) = if let Some(part) = are(OnStoreError::Deny) {
            let refusal = RateLimitExceeded::store_unavailable(part.call.limiter.name, part.limits[0]);
            (Decider::Denied, Some(refusal))
        } else if are(OnStoreError::Local).is_some() {
            // All are looked at before one is charged, so that what one refuses takes nothing of the others.
            (Decider::Local, latest(parts.iter().filter_map(Part::judge)))
        } else {
            (Decider::Allowed, None)
        };
        for limiter in parts.iter().map(|part| part.call.limiter) {
            limiter.count_degraded();
            #[cfg(any(feature = "metrics", feature = "tracing"))]
            crate::watch::telemetry::degraded(limiter.name, stand_in);
        }
        store.health().count_degraded(stand_in, why);
        let names: Vec<_> = names(&parts).collect();
        let decided = refusal.map_or_else(|| stand_in_for(parts), Err);
        let decided = decided.map_err(|refusal| refusal.decided_by(stand_in));
        note_names(names.into_iter(), decided.as_ref().err());
        decided
    }
}

/// Charges the windows of this process. Another call may come between two of them: then what was taken is given back.
fn stand_in_for(parts: Vec<Part<'_>>) -> Decided<'_> {
    let mut permits: Vec<SharedPermit<'_>> = Vec::with_capacity(parts.len());
    for part in parts {
        match part.stand_in() {
            Ok(permit) => permits.push(permit),
            Err(refusal) => {
                permits.into_iter().for_each(SharedPermit::refund);
                return Err(refusal);
            }
        }
    }
    Ok(permits)
}

impl<'l> Part<'l> {
    /// Whether its window in this process refuses the call.
    fn judge(&self) -> Option<RateLimitExceeded> {
        let Call { limiter, key, cost, .. } = &self.call;
        if limiter.on_error != OnStoreError::Local {
            return None;
        }
        limiter.local.judge_for(key, &divided(&self.limits, limiter.replicas), *cost).err()
    }

    fn stand_in(self) -> Result<SharedPermit<'l>, RateLimitExceeded> {
        let Call { limiter, key, cost, .. } = self.call;
        let (usage, source) = if limiter.on_error == OnStoreError::Local {
            let limits = divided(&self.limits, limiter.replicas);
            let permit = limiter.local.try_acquire_for(&key, &limits, cost)?;
            (permit.usage(), Source::Local(permit))
        } else {
            (usage(&self.limits, &[]), Source::Allowed)
        };
        Ok(SharedPermit { limiter, usage, cost, source })
    }
}

/// Of refusals, the one after which all have room. One without a time says that nobody knows.
fn latest(refusals: impl IntoIterator<Item = RateLimitExceeded>) -> Option<RateLimitExceeded> {
    let time = |refusal: &RateLimitExceeded| refusal.room_again().map_or(u64::MAX, |(_, wait)| wait);
    refusals.into_iter().reduce(|first, next| if time(&next) > time(&first) { next } else { first })
}

fn names(parts: &[Part<'_>]) -> impl Iterator<Item = &'static str> {
    parts.iter().map(|part| part.call.limiter.name)
}

/// Tells what came of a call: of each limiter that it is an admission, or of the one that has refused it that.
fn note_all(parts: &[Part<'_>], refusal: Option<&RateLimitExceeded>) {
    note_names(names(parts), refusal);
}

fn note_names(names: impl Iterator<Item = &'static str>, refusal: Option<&RateLimitExceeded>) {
    for name in names.filter(|name| refusal.is_none_or(|refusal| refusal.name() == *name)) {
        note(name, refusal);
    }
}
