//! One call: what is known without asking, the question, and what becomes of the answer.

use tokio::time::Instant;

use super::{
    error::StoreError,
    key::{KeyText, StoreKey},
    limiter::{SharedLimiter, divided},
    memory::{About, Moment},
    permit::{SharedPermit, Source},
    policy::OnStoreError,
    question::{Ask, Question},
    refusal::{Refusal, Snapshot},
    script::{self, Script},
    stand_in,
    store::Asked,
};
use crate::{
    algorithm::Algorithm,
    clock::{Clock, SystemClock},
    decider::Decider,
    error::RateLimitExceeded,
    lasting::lasting,
    limit::{InvalidLimit, Limit},
    usage::Usage,
    watch::Mode,
    window::timeline::Refused,
};

/// What a call gets.
pub(super) type Decided<'l> = Result<SharedPermit<'l>, RateLimitExceeded>;

/// A call that is to be decided on. It holds no reference to the key.
pub(crate) struct Call<'l> {
    pub(super) limiter: &'l SharedLimiter,
    pub(super) key: KeyText,
    /// Its own, where they come with the call.
    pub(super) limits: Option<Box<[Limit]>>,
    pub(super) cost: u32,
    /// Whether anybody looks at what is left.
    pub(super) has_receipt: bool,
}

/// A call that the store was asked about.
struct Pending<'l> {
    call: Call<'l>,
    limits: Box<[Limit]>,
    about: About,
    sent: Moment,
}

/// An admission: what is left of each limit, if that is told, and its instant.
pub(super) type Told = (Box<[Usage]>, i64);

/// What the scripts are to do: to decide, and to tell what is left of an admission, of a refusal, or of both; or only to
/// tell it.
pub(super) const DECIDE: i64 = 0;
const TELL_ADMISSION: i64 = 1;
const TELL_REFUSAL: i64 = 4;
pub(super) const TELL: i64 = 2;

/// How to decide: whether somebody looks at what an admission leaves, and at what a refusal has found.
pub(super) const fn mode(tells_admission: bool, tells_refusal: bool) -> i64 {
    DECIDE | if tells_admission { TELL_ADMISSION } else { 0 } | if tells_refusal { TELL_REFUSAL } else { 0 }
}

/// The longest window on a server, about 140 years in microseconds: an instant and two such windows are whole numbers in
/// the scripts, whose numbers are doubles.
const LONGEST: u64 = 1 << 52;

/// More units than that in one call would be eight megabytes of log at once.
pub(super) const MOST_UNITS: u32 = 1_000_000;

/// All segments are read by every decision.
const MOST_SEGMENTS: i64 = 1_000;

/// Nanoseconds in microseconds, rounded up.
pub(super) fn micros(nanos: u64) -> i64 {
    i64::try_from(nanos.div_ceil(1_000).min(LONGEST)).unwrap_or(i64::MAX)
}

/// Microseconds of an answer in nanoseconds.
pub(super) fn nanos(micros: i64) -> u64 {
    u64::try_from(micros).unwrap_or(0).saturating_mul(1_000)
}

/// How long a segment of this limit is, in microseconds; 0 of windows that have none.
pub(super) fn segment(algorithm: Algorithm, limit: &Limit) -> Result<i64, InvalidLimit> {
    let length = algorithm.segment(limit)?;
    if let Algorithm::Exact | Algorithm::Fixed = algorithm {
        return Ok(0);
    }
    let (window, length) = (micros(limit.nanos()), micros(length));
    if window / length > MOST_SEGMENTS { Err(InvalidLimit::SHARED_SEGMENTS) } else { Ok(length) }
}

impl<'l> Call<'l> {
    pub(crate) fn new<K: StoreKey + ?Sized>(limiter: &'l SharedLimiter, key: &K, cost: u32) -> Self {
        Self { limiter, key: KeyText::of(key), limits: None, cost, has_receipt: false }
    }

    pub(crate) fn with_limits(self, limits: &[Limit]) -> Self {
        Self { limits: Some(limits.into()), ..self }
    }

    pub(crate) fn with_receipt(self) -> Self {
        Self { has_receipt: true, ..self }
    }

    /// Decides, and blocks the thread for it.
    pub(crate) fn decide(self) -> Decided<'l> {
        let (mode, due) = (self.limiter.mode(), self.limiter.store.due());
        self.decide_as(mode, due)
    }

    pub(crate) async fn decide_async(self) -> Decided<'l> {
        let (mode, due) = (self.limiter.mode(), self.limiter.store.due());
        self.decide_async_as(mode, due).await
    }

    /// The same for a call that began in this mode of its limiter, which is that of its whole way, and is due then.
    pub(super) fn decide_as(self, mode: Mode, due: Instant) -> Decided<'l> {
        let limiter = self.limiter;
        if mode == Mode::Off {
            return Ok(limiter.uncounted());
        }
        let decided = self.begin(due).and_then(|(pending, asked)| pending.finish(asked.wait()));
        limiter.settle(decided, mode)
    }

    pub(super) async fn decide_async_as(self, mode: Mode, due: Instant) -> Decided<'l> {
        let limiter = self.limiter;
        if mode == Mode::Off {
            return Ok(limiter.uncounted());
        }
        let decided = match self.begin(due) {
            Ok((pending, asked)) => pending.finish(asked.answer().await),
            Err(refusal) => Err(refusal),
        };
        limiter.settle(decided, mode)
    }

    /// Refuses what can be refused here, and asks about the rest.
    fn begin(self, due: Instant) -> Result<(Pending<'l>, Asked), RateLimitExceeded> {
        let limiter = self.limiter;
        let limits = self.limits().map_err(|refused| RateLimitExceeded::refused(limiter.name, refused))?;
        if let Some(refusal) = limiter.behind_line(&self.key, &limits, self.cost) {
            return Err(refusal);
        }
        let memory = limiter.store.memory();
        let about = memory.about(&limiter.prefix, &self.key, &limits);
        let now = SystemClock.now();
        if limiter.instants.is_none() {
            if let Some(known) = memory.recall(about, self.cost, now) {
                return Err(known.told(limiter.name, &limits, Decider::Memory));
            }
        }
        let mode = mode(self.has_receipt, Snapshot::is_wanted(&limits, self.cost));
        let question = limiter.question(&self.key, &limits, self.cost, mode);
        let sent = memory.moment(now);
        let asked = limiter.store.ask_until(question, due);
        Ok((Pending { call: self, limits, about, sent }, asked))
    }

    /// The limits of the call, if it can be admitted at all.
    pub(super) fn limits(&self) -> Result<Box<[Limit]>, Refused> {
        let policy = self.limiter.policy.load();
        let limits: Box<[Limit]> = match &self.limits {
            Some(limits) => limits.clone(),
            None => policy
                .limits
                .fault()
                .map_or_else(|| Ok(policy.limits.as_slice().into()), Err)
                .map_err(Refused::Misconfigured)?,
        };
        let fault = if limits.is_empty() {
            Some(InvalidLimit::NO_LIMIT)
        } else if limits.iter().any(|limit| limit.nanos() > policy.longest) {
            Some(InvalidLimit::TOO_LONG)
        } else if self.cost > MOST_UNITS && self.limiter.algorithm == Algorithm::Exact {
            Some(InvalidLimit::SHARED_COST)
        } else {
            limits.iter().find_map(|limit| segment(self.limiter.algorithm, limit).err())
        };
        if let Some(limit) =
            limits.iter().filter(|limit| self.cost > limit.max()).min_by_key(|limit| limit.max())
        {
            return Err(Refused::Never(*limit, lasting(&limits)));
        }
        fault.map_or(Ok(limits), |why| Err(Refused::Misconfigured(why)))
    }

    /// Enters the admission in the local window as well, so that it is warm when it has to stand in.
    pub(super) fn admitted(self, limits: &[Limit], told: Box<[Usage]>, at: i64) -> SharedPermit<'l> {
        let Call { limiter, key, cost, has_receipt, .. } = self;
        let mut local = None;
        if limiter.on_error == OnStoreError::Local {
            let limits = divided(limits, limiter.replicas);
            if has_receipt {
                local = limiter.local.try_acquire_for(&key, &limits, cost).ok();
            } else {
                // Where it has no room for it, it is as full as it can be.
                let _ = limiter.local.check_for(&key, &limits, cost);
            }
        }
        let usage = Usage::tightest(told.iter().copied());
        SharedPermit { limiter, usage, cost, source: Source::Store { key, at, local, told } }
    }
}

impl<'l> Pending<'l> {
    fn finish(self, answer: Result<Vec<i64>, StoreError>) -> Decided<'l> {
        match answer.and_then(|numbers| self.read(&numbers)) {
            Ok(decided) => decided.map(|(told, at)| self.call.admitted(&self.limits, told, at)),
            Err(why) => self.without_store(why),
        }
    }

    fn read(&self, numbers: &[i64]) -> Result<Result<Told, RateLimitExceeded>, StoreError> {
        let Self { call, limits, about, sent } = self;
        let read = read(call.limiter, limits, call.cost, (*about, *sent), numbers)?;
        Ok(read.map_err(|refusal| refusal.told(call.limiter.name, limits, Decider::Store)))
    }

    fn without_store(self, why: StoreError) -> Decided<'l> {
        let Call { limiter, key, cost, .. } = self.call;
        let (by, decided) = stand_in::decide(limiter, &key, &self.limits, cost);
        stand_in::count(limiter, by, why);
        decided.map(|(usage, source)| SharedPermit { limiter, usage, cost, source })
    }
}

/// What the answer to a question about so many units says: an admission with what is left and its instant, or a refusal,
/// which is remembered.
pub(super) fn read(
    limiter: &SharedLimiter,
    limits: &[Limit],
    cost: u32,
    (about, sent): (About, Moment),
    numbers: &[i64],
) -> Result<Result<Told, Refusal>, StoreError> {
    match numbers {
        [0] => Ok(Ok((Box::default(), 0))),
        [0, at, left @ ..] => Ok(Ok((usages(limits, left).collect(), *at))),
        _ => {
            let refusal = Refusal::read(limits, numbers).ok_or_else(|| odd(numbers))?;
            if limiter.instants.is_none() {
                limiter.store.memory().remember(about, cost, sent, &refusal);
            }
            Ok(Err(refusal))
        }
    }
}

/// What is left, of the live units of each limit and the time until the oldest leaves. Where nothing is told, nothing is
/// live.
pub(super) fn usage(limits: &[Limit], left: &[i64]) -> Usage {
    Usage::tightest(usages(limits, left))
}

/// The same of each limit, in their order.
pub(super) fn usages<'a>(limits: &'a [Limit], left: &'a [i64]) -> impl Iterator<Item = Usage> + 'a {
    let pairs = left.chunks_exact(2).map(|pair| (pair[0], pair[1])).chain(std::iter::repeat((0, 0)));
    limits.iter().zip(pairs).map(|(limit, (live, reset))| {
        Usage::new(*limit, u32::try_from(live).unwrap_or(u32::MAX), nanos(reset))
    })
}

pub(super) fn odd(numbers: &[i64]) -> StoreError {
    StoreError::answer(format!("numbers that say nothing: {numbers:?}"))
}

impl SharedLimiter {
    /// A question about a key under these limits, each of which its algorithm can keep.
    pub(super) fn question(&self, key: &KeyText, limits: &[Limit], cost: u32, mode: i64) -> Question {
        let (script, mut args) = self.script(limits, cost, mode);
        if self.algorithm == Algorithm::Exact {
            args = in_short(args);
        }
        Question { key: self.store_key(key), ask: Ask::Script(script, args) }
    }

    /// The script that decides by these limits, and its arguments.
    pub(super) fn script(&self, limits: &[Limit], cost: u32, mode: i64) -> (&'static Script, Vec<i64>) {
        let cost = i64::from(cost);
        let longest = self.policy.load().longest;
        let mut args = vec![cost, self.instant(), 0, mode];
        let mut lives = micros(longest);
        let script = if self.algorithm == Algorithm::Exact {
            args.push(lives);
            for limit in limits {
                let begins = -8 * (i64::from(limit.max()) - cost + 1);
                args.extend([begins, begins + 7, micros(limit.nanos())]);
            }
            &script::EXACT
        } else {
            for limit in limits {
                let length = segment(self.algorithm, limit).unwrap_or(0);
                args.extend([i64::from(limit.max()), micros(limit.nanos()), length]);
                lives = lives.max(micros(limit.nanos()) + length);
            }
            &script::COUNTED
        };
        // Rounded up to milliseconds, and one more for the part of one that has passed. In tests an hour, in which the
        // instants are other ones than the server's.
        args[2] = if self.instants.is_some() { 3_600_000 } else { (lives + 999) / 1000 + 1 };
        (script, args)
    }

    /// The instant that the scripts are given; -1 is for the server's own.
    pub(super) fn instant(&self) -> i64 {
        self.instants.as_ref().map_or(-1, |clock| i64::try_from(clock.now() / 1_000).unwrap_or(i64::MAX))
    }

    pub(super) fn store_key(&self, key: &KeyText) -> Box<[u8]> {
        [&self.prefix, key.as_bytes()].concat().into()
    }

    pub(super) fn forget_refusals(&self, key: &KeyText) {
        let memory = self.store.memory();
        memory.clear(memory.about(&self.prefix, key, &[]));
        self.store.disturb(self.line_of(key));
    }
}

/// What most calls ask, one unit under one limit, in as few arguments as `exact.lua` needs for it.
fn in_short(args: Vec<i64>) -> Vec<i64> {
    match args[..] {
        [1, -1, lives, DECIDE, longest, begins, ends, window] if longest == window => {
            vec![begins, ends, window, lives]
        }
        [1, at, lives, DECIDE, longest, begins, ends, window] if longest == window => {
            vec![begins, ends, window, lives, at]
        }
        _ => args,
    }
}
