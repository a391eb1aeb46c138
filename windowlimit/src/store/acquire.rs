//! A call that waits for its turn at a window that is shared.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll, Waker},
    time::Duration,
};

use super::{
    call::{Call, Decided, MOST_UNITS, mode, read},
    error::StoreError,
    give_back::GiveBack,
    io::Answer,
    limiter::SharedLimiter,
    line::{Found, Grant, Known, Line, UnderWay},
    permit::SharedPermit,
    question::Question,
    refusal::Snapshot,
    reply::{ReplyTo, ToLine},
    stand_in,
};
use crate::{
    algorithm::Algorithm,
    clock::{Clock, Sleep, SystemClock, instant, reading},
    decider::Decider,
    error::{RateLimitExceeded, Reason},
    line::{self, Patience, Ticket, Turn},
    watch::{Mode, Outcome},
};

/// A call on its way to a permit of a shared window: a future, or with [`blocking`](Self::blocking) a wait of this thread.
///
/// What [`SharedLimiter::acquire`](crate::SharedLimiter::acquire) gives. It comes to the line when it is first polled.
/// Dropped before it is ready, it leaves the line and has cost nothing: what the store admits for it nonetheless is given
/// back, unless the answer itself is lost. It does not depend on an executor. (In the mode
/// [`Shadow`](crate::registry::Mode::Shadow) nobody waits, and it is charged as any call is once it has been polled.)
///
/// ```
/// use std::time::Duration;
/// use windowlimit::{Limit, RedisStore, SharedLimiter};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // Nobody listens there, so that a window of this process decides.
/// let store = RedisStore::open("redis://127.0.0.1:1")?;
/// let api = SharedLimiter::new(&store, "api", Limit::per_hour(10));
/// // In an `async fn`, `.await` instead of `.blocking()`.
/// let permit = api.acquire("ann").cost(2).within(Duration::from_secs(2)).blocking()?;
/// assert_eq!(permit.cost(), 2);
/// # Ok(())
/// # }
/// ```
///
/// # Output
///
/// The permit, or a refusal: the call can never fit, it is misconfigured, the line is full, the turn comes later than it
/// would wait, or the store cannot be asked.
///
/// # Concurrency
///
/// While it waits, others behind it do so too: a future that is neither polled when it was woken nor dropped holds them up.
#[must_use = "a future does nothing unless it is polled"]
pub struct SharedAcquire<'l> {
    state: State<'l>,
    patience: Patience,
    asleep: Option<(u64, Sleep<'l>)>,
}

enum State<'l> {
    New(Call<'l>),
    InLine(Call<'l>, Ticket),
    /// Nobody waits: the limiter is off or in shadow.
    Passing(Pin<Box<dyn Future<Output = Decided<'l>> + Send + 'l>>),
    /// It does not even come to the line.
    Refused(RateLimitExceeded),
    Done,
}

/// What came of a step.
enum Step<'l> {
    Granted(Grant),
    /// Decided here; whether it was known to wait, and who stood in for the store.
    Done(Decided<'l>, bool, Option<(Decider, StoreError)>),
    /// This is to be asked; and as much is given back if nobody is left to take it.
    Asks(Question, GiveBack),
    Waits(Option<u64>),
    /// Something was found out.
    Again,
}

/// While a window of this process stands in for the store, the first in line looks so often whether that is back.
const LOOK_AGAIN: u64 = 1_000_000_000;

impl<'l> SharedAcquire<'l> {
    pub(crate) fn new(call: Call<'l>) -> Self {
        let patience = Patience { longest: None, max_waiters: call.limiter.max_waiters };
        Self { state: State::New(call.with_receipt()), patience, asleep: None }
    }

    /// Is refused, whatever the window says.
    pub(crate) fn refused(refusal: RateLimitExceeded) -> Self {
        let patience = Patience { longest: None, max_waiters: usize::MAX };
        Self { state: State::Refused(refusal), patience, asleep: None }
    }

    /// Takes so many units instead of one.
    pub fn cost(mut self, cost: u32) -> Self {
        if let State::New(call) = &mut self.state {
            call.cost = cost;
        }
        self
    }

    /// Waits no longer than this: if the turn is known to come later, it is refused at once. See
    /// [`acquire_within`](crate::SharedLimiter::acquire_within) for what is known.
    ///
    /// A call that may have its turn by then, and only waits for those before it to take theirs, is given up to 100 ms more:
    /// they were woken at the same instant, and are being asked about.
    pub fn within(mut self, longest: Duration) -> Self {
        let longest = u64::try_from(longest.as_nanos()).unwrap_or(u64::MAX);
        self.patience.longest = Some(self.patience.longest.map_or(longest, |known| known.min(longest)));
        self
    }

    /// Waits only if fewer than so many do already, in this process; else it is refused, as soon as the store has said that
    /// they have to wait.
    pub fn max_waiters(mut self, max_waiters: usize) -> Self {
        self.patience.max_waiters = self.patience.max_waiters.min(max_waiters);
        self
    }

    /// Waits by blocking this thread: for code that is not `async`. On a thread of an executor it keeps from running
    /// whatever else would, perhaps what it waits for.
    ///
    /// # Errors
    ///
    /// See [Output](Self#output).
    pub fn blocking(self) -> Decided<'l> {
        pollster::block_on(self)
    }
}

impl<'l> Future for SharedAcquire<'l> {
    type Output = Decided<'l>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let mut slept = false;
        loop {
            let (call, ticket) = match std::mem::replace(&mut this.state, State::Done) {
                State::Passing(mut decision) => {
                    let decided = decision.as_mut().poll(context);
                    if decided.is_pending() {
                        this.state = State::Passing(decision);
                    }
                    return decided;
                }
                // The mode is read once: if it changes meanwhile, that is for the next look.
                State::New(call) => match call.limiter.mode() {
                    Mode::Enforce => match call.enter(this.patience, context.waker()) {
                        Ok(ticket) => (call, ticket),
                        Err(refusal) => return Poll::Ready(call.finish(Err(refusal), false)),
                    },
                    mode => {
                        let due = call.limiter.store.due();
                        this.state = State::Passing(Box::pin(call.decide_async_as(mode, due)));
                        continue;
                    }
                },
                State::InLine(call, ticket) => match call.limiter.mode() {
                    Mode::Enforce => (call, ticket),
                    mode => {
                        call.leave(ticket);
                        if mode == Mode::Shadow {
                            call.limiter.note(Outcome::LetThrough(Reason::OthersWait, None));
                        }
                        return Poll::Ready(Ok(call.limiter.uncounted()));
                    }
                },
                State::Refused(refusal) => return Poll::Ready(Err(refusal)),
                // It was ready already.
                State::Done => return Poll::Pending,
            };
            let limiter = call.limiter;
            let until = match call.step(ticket, context.waker()) {
                Step::Granted(grant) => return Poll::Ready(Ok(call.take(grant))),
                Step::Done(decided, has_waited, stand_in) => {
                    if let Some((by, why)) = stand_in {
                        stand_in::count(limiter, by, why);
                    }
                    return Poll::Ready(call.finish(decided, has_waited));
                }
                step => {
                    this.state = State::InLine(call, ticket);
                    match step {
                        Step::Waits(until) => until,
                        Step::Asks(question, units) => {
                            limiter.ask_for_line(question, units);
                            // It may be answered already.
                            continue;
                        }
                        _ => continue,
                    }
                }
            };
            let asleep = match this.asleep.take() {
                Some((same, sleep)) if until == Some(same) => Some((same, sleep)),
                _ => until.map(|until| (until, limiter.clock().sleep_until(reading(until)))),
            };
            let Some((until, mut sleep)) = asleep else { return Poll::Pending };
            if Pin::new(&mut sleep).poll(context).is_pending() {
                this.asleep = Some((until, sleep));
                return Poll::Pending;
            }
            if slept {
                // A timer that is ahead of the clock, again and again: let others have their turns.
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            slept = true;
        }
    }
}

impl<'l> Call<'l> {
    /// Comes to the line.
    fn enter(&self, patience: Patience, waker: &Waker) -> Result<Ticket, RateLimitExceeded> {
        let limiter = self.limiter;
        let limits = self.limits().map_err(|refused| RateLimitExceeded::refused(limiter.name, refused))?;
        let call = line::Call { cost: self.cost, limits: Some(limits) };
        let of = if self.limits.is_none() { limiter.id() } else { 0 };
        let now = instant(limiter.clock());
        limiter.in_line(limiter.line_of(&self.key), |line| line.join(call, of, patience, now, waker))
    }

    /// Looks what there is for it, and does what there is to do.
    fn step(&self, ticket: Ticket, waker: &Waker) -> Step<'l> {
        let limiter = self.limiter;
        let mut lost = (0, 0);
        let step = limiter.in_line(limiter.line_of(&self.key), |line| {
            let now = instant(limiter.clock());
            match line.look(ticket, now, waker) {
                Found::Granted(grant) => Step::Granted(grant),
                Found::Refused(refusal, why) => {
                    let stand_in = why.map(|why| (refusal.decider(), why));
                    Step::Done(Err(refusal), true, stand_in)
                }
                Found::Answer(question, answer) => {
                    self.settle(line, ticket, question, answer, now, &mut lost)
                }
                Found::Turn => self.ask(line, ticket, now),
                Found::Waits(until) => Step::Waits(until),
            }
        });
        if let (cost @ 1.., at) = lost {
            limiter.give_back(&self.key, cost, at);
        }
        step
    }

    /// Asks, unless what is remembered says enough.
    fn ask(&self, line: &mut Line, ticket: Ticket, now: u64) -> Step<'l> {
        let limiter = self.limiter;
        let limits = match self.limits() {
            Ok(limits) => limits,
            Err(refused) => {
                line.take_out(ticket);
                return Step::Done(Err(RateLimitExceeded::refused(limiter.name, refused)), true, None);
            }
        };
        line.renew(ticket, &limits);
        let memory = limiter.store.memory();
        let about = memory.about(&limiter.prefix, &self.key, &limits);
        let sent = SystemClock.now();
        let known = memory.recall(about, self.cost, sent).filter(|_| limiter.instants.is_none());
        if let Some(known) = known {
            let later = limiter.jitter(known.retry_after);
            line.postpone(Known::of(known, now, later, self.cost, limits, Decider::Memory), now);
            return Step::Again;
        }
        let most = if limiter.algorithm == Algorithm::Exact { MOST_UNITS } else { u32::MAX };
        let cost = line.ask(UnderWay::new(limits.clone(), about, memory.moment(sent), now), most);
        let mode = mode(true, Snapshot::is_wanted(&limits, cost));
        let question = limiter.question(&self.key, &limits, cost, mode);
        Step::Asks(question, limiter.giving_back(&self.key, cost))
    }

    /// Looks at an answer.
    fn settle(
        &self,
        line: &mut Line,
        ticket: Ticket,
        question: UnderWay,
        answer: Answer,
        now: u64,
        lost: &mut (u32, i64),
    ) -> Step<'l> {
        let (limiter, cost) = (self.limiter, question.cost());
        let read = |numbers: Vec<i64>| {
            read(limiter, &question.limits, cost, (question.about, question.sent), &numbers)
        };
        match answer.and_then(read) {
            Ok(Ok((told, at))) => *lost = (line.admit(&question, &told, at, ticket), at),
            Ok(Err(refusal)) => {
                let says_no_more = line.release(&question, now);
                if !says_no_more {
                    // From the moment of asking: the store read its clock later than that.
                    let later = limiter.jitter(refusal.retry_after);
                    let UnderWay { at, limits, .. } = question;
                    line.postpone(Known::of(refusal, at, later, cost, limits, Decider::Store), now);
                }
            }
            Err(why) => {
                line.release(&question, now);
                return self.do_without(line, ticket, why, now);
            }
        }
        Step::Again
    }

    /// Decides, or waits, by what stands in for the store.
    fn do_without(&self, line: &mut Line, ticket: Ticket, why: StoreError, now: u64) -> Step<'l> {
        let (limiter, cost) = (self.limiter, self.cost);
        // Where they are none any more, it finds that out when it asks.
        let Ok(limits) = self.limits() else { return Step::Again };
        line.renew(ticket, &limits);
        let (by, result) = stand_in::decide(limiter, &self.key, &limits, cost);
        let later = result.as_ref().err().and_then(RateLimitExceeded::room_again);
        if let Some((limit, wait)) = later {
            let turn = Turn { at: now.saturating_add(wait), limit };
            let without = Some((why, now.saturating_add(LOOK_AGAIN)));
            let (snapshot, since) = (Snapshot::default(), now);
            let until = turn.at;
            line.postpone(Known { turn, until, cost, limits, snapshot, since, decider: by, without }, now);
            return Step::Again;
        }
        let has_waited = line.has_waited(ticket);
        line.take_out(ticket);
        let result = result.map(|(usage, source)| SharedPermit { limiter, usage, cost, source });
        Step::Done(result, has_waited, Some((by, why)))
    }

    /// Leaves the line; what was admitted for it is given back.
    fn leave(&self, ticket: Ticket) {
        let limiter = self.limiter;
        let admitted = limiter.in_line(limiter.line_of(&self.key), |line| line.leave(ticket));
        for (cost, at) in admitted {
            limiter.give_back(&self.key, cost, at);
        }
    }

    /// Takes what was granted.
    fn take(self, grant: Grant) -> SharedPermit<'l> {
        let Grant { told, at, limits, has_waited, .. } = grant;
        self.limiter.note(if has_waited { Outcome::Waited } else { Outcome::Admitted });
        self.admitted(&limits, told, at)
    }

    /// Tells of what was decided here.
    fn finish(&self, decided: Decided<'l>, has_waited: bool) -> Decided<'l> {
        self.limiter.note(match &decided {
            Ok(_) if has_waited => Outcome::Waited,
            Ok(_) => Outcome::Admitted,
            Err(refusal) => Outcome::Refused(refusal),
        });
        decided
    }
}

impl SharedLimiter {
    /// Sends a question for a line, which is told the answer, or that it could not be sent.
    fn ask_for_line(&self, question: Question, units: GiveBack) {
        // It is there as long as anybody stands in it.
        if let Some(line) = self.store.lines().and_then(|lines| lines.get(&units.line)) {
            let _ = self.store.send(question, ReplyTo::Line(ToLine::new(line, units)), self.store.due());
        }
    }
}

impl Drop for SharedAcquire<'_> {
    fn drop(&mut self) {
        if let State::InLine(call, ticket) = &self.state {
            call.leave(*ticket);
        }
    }
}

impl fmt::Debug for SharedAcquire<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut acquire = f.debug_struct("SharedAcquire");
        if let State::New(call) | State::InLine(call, _) = &self.state {
            acquire.field("limiter", &call.limiter.name).field("cost", &call.cost);
        }
        acquire
            .field("within", &self.patience.longest.map(Duration::from_nanos))
            .field("is_in_line", &matches!(self.state, State::InLine(..)))
            .finish()
    }
}
