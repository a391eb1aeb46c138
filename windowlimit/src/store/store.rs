//! The store that users hold: an address, some settings, and the way to the thread that talks to the server.

use std::{fmt, sync::Arc, time::Duration};

use once_cell::sync::OnceCell;
use redis::IntoConnectionInfo;
use tokio::{
    sync::{mpsc, oneshot},
    time::Instant,
};

#[cfg(feature = "redis-cluster")]
use super::connection::choose_cryptography;
use super::{
    block::block_until,
    connection::Address,
    error::StoreError,
    health::{Health, Hook, StoreState},
    io::{self, Answer, Request},
    line::Line,
    memory::Memory,
    question::Question,
    reply::ReplyTo,
};
use crate::line::Lines;

/// A Redis or Valkey server, or a cluster of them, on which windows are kept that processes share. Redis 6.2 or newer,
/// Valkey 7.2 or newer.
///
/// ```no_run
/// use std::sync::LazyLock;
/// use windowlimit::{RateLimitExceeded, RedisStore, window_rate_limit};
///
/// static REDIS: LazyLock<RedisStore> =
///     LazyLock::new(|| RedisStore::open("redis://127.0.0.1:6379").expect("the address can be read"));
///
/// // Five a minute for each user, in all processes together.
/// #[window_rate_limit(limit = 5, window = "1m", key = user, store = REDIS, name = "login")]
/// async fn log_in(user: &str) -> Result<(), RateLimitExceeded> {
///     Ok(())
/// }
/// ```
///
/// Clones are handles of one store: one connection, shared by all limiters. It is made with the first question, over which
/// nobody waits longer than [the deadline](RedisStoreBuilder::deadline), and made again after a loss.
///
/// # Concurrency
///
/// It lives on a thread of its own. Async callers wait for an answer in any runtime, or without one, and block no thread;
/// plain ones block theirs, for the deadline at most.
///
/// # What can be lost
///
/// A server forgets what it had not saved when it dies: then each key may get N once more. A replica that takes over may
/// lack the admissions of the last moments, since replication does not wait; so many more may be admitted in that window.
#[derive(Clone)]
pub struct RedisStore {
    shared: Arc<Shared>,
}

struct Shared {
    settings: Settings,
    health: Arc<Health>,
    memory: Memory,
    /// Who waits in this process, for the windows on this store.
    lines: OnceCell<Lines<Line>>,
    thread: OnceCell<mpsc::Sender<Request>>,
}

struct Settings {
    address: Address,
    prefix: String,
    deadline: Duration,
}

/// Settings of a [`RedisStore`].
#[must_use = "a builder does nothing until `build`"]
pub struct RedisStoreBuilder {
    settings: Settings,
    remember: Duration,
    hook: Option<Hook>,
}

impl RedisStore {
    /// A store at this address: `redis://user:password@host:port/db`, `unix:///path`, and with the feature `redis-rustls`
    /// `rediss://`. Nothing is connected yet.
    ///
    /// Who is trusted over `rediss://` is what the system says, or `SSL_CERT_FILE`; for an authority or a certificate of one's
    /// own, give [a client](Self::of_client) that was built with them.
    ///
    /// # Errors
    ///
    /// The address cannot be read.
    pub fn open(address: &str) -> Result<Self, StoreError> {
        Self::builder(address).map(RedisStoreBuilder::build)
    }

    /// As [`open`](Self::open), with settings.
    ///
    /// ```
    /// use std::time::Duration;
    /// use windowlimit::RedisStore;
    ///
    /// let store = RedisStore::builder("redis://127.0.0.1:6379")?.deadline(Duration::from_millis(20)).prefix("shop").build();
    /// # Ok::<(), windowlimit::StoreError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The address cannot be read.
    pub fn builder(address: &str) -> Result<RedisStoreBuilder, StoreError> {
        let info = address.into_connection_info().map_err(StoreError::address)?;
        redis::Client::open(info).map(RedisStoreBuilder::of_client).map_err(StoreError::address)
    }

    /// A store behind a client that was set up elsewhere. It gets a connection of its own.
    pub fn of_client(client: redis::Client) -> RedisStoreBuilder {
        RedisStoreBuilder::of_client(client)
    }

    /// A store on a cluster, of which these are some servers.
    ///
    /// A window is one key, so that windows spread over the cluster. When a slot moves, or another server takes over, the
    /// client follows within the deadline of a call, or the next one does. It may then send a question twice that the lost
    /// server had run: the call is charged twice at worst, and never admitted twice.
    ///
    /// # Errors
    ///
    /// An address cannot be read, or there is none.
    #[cfg(feature = "redis-cluster")]
    pub fn cluster<'a>(
        addresses: impl IntoIterator<Item = &'a str>,
    ) -> Result<RedisStoreBuilder, StoreError> {
        let infos = addresses.into_iter().map(IntoConnectionInfo::into_connection_info);
        let infos: Vec<_> = infos.collect::<Result<_, _>>().map_err(StoreError::address)?;
        infos.iter().for_each(choose_cryptography);
        let client = redis::cluster::ClusterClientBuilder::new(infos)
            // Two: from the server that had the slot to the one that has it, once more while it moves.
            .retries(2)
            .min_retry_wait(2)
            .max_retry_wait(10)
            .build()
            .map_err(StoreError::address)?;
        Ok(RedisStoreBuilder::new(Address::Cluster(client)))
    }

    /// How many decisions were made without the store since it was made, by
    /// [`OnStoreError`](crate::OnStoreError).
    #[must_use]
    pub fn degraded(&self) -> u64 {
        self.shared.health.degraded()
    }

    /// How many questions were put to the server, or given to the thread that does so. Refusals that are remembered, and
    /// decisions while the server is away, are none.
    #[must_use]
    pub fn asked(&self) -> u64 {
        self.shared.health.asked()
    }

    /// Whether the server can be asked, as far as is known.
    #[must_use]
    pub fn state(&self) -> StoreState {
        self.shared.health.state()
    }

    /// Why the last of the decisions was made without the store that were.
    #[must_use]
    pub fn last_error(&self) -> Option<StoreError> {
        self.shared.health.last_error()
    }

    pub(super) fn prefix(&self) -> &str {
        &self.shared.settings.prefix
    }

    /// Whether both are handles of one store.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    pub(super) fn memory(&self) -> &Memory {
        &self.shared.memory
    }

    /// The lines in front of its windows, if anybody ever waited.
    pub(super) fn lines(&self) -> Option<&Lines<Line>> {
        self.shared.lines.get()
    }

    pub(super) fn lines_or_new(&self) -> &Lines<Line> {
        self.shared.lines.get_or_init(Lines::default)
    }

    pub(super) fn health(&self) -> &Health {
        &self.shared.health
    }

    /// When a call that comes now has to have all its answers.
    pub(super) fn due(&self) -> Instant {
        let deadline = self.shared.settings.deadline;
        Instant::now() + (deadline - TICK.min(deadline / 2))
    }

    /// Sends a question, if there is any use in it.
    pub(super) fn ask(&self, question: Question) -> Asked {
        self.ask_until(question, self.due())
    }

    /// The same for a call that came before, and may have asked something else.
    pub(super) fn ask_until(&self, question: Question, due: Instant) -> Asked {
        let (sender, answer) = oneshot::channel();
        let sent = self.send(question, ReplyTo::Caller(sender), due);
        Asked { answer: sent.map(|()| answer), due, deadline: self.shared.settings.deadline }
    }

    /// Sends a question whose answer nobody waits for. It is asked before all that follow.
    pub(super) fn tell(&self, question: Question) -> Result<(), StoreError> {
        self.send(question, ReplyTo::Nobody, self.due())
    }

    /// Sends a question, if there is any use in it. The answer goes there, unless it could not be sent.
    pub(super) fn send(
        &self,
        question: Question,
        reply: ReplyTo,
        deadline: Instant,
    ) -> Result<(), StoreError> {
        let Shared { settings, health, thread, .. } = &*self.shared;
        let start = || io::start(settings.address.clone(), settings.deadline, Arc::clone(health));
        let queue = match health.why_down().map_or_else(|| thread.get_or_try_init(start), Err) {
            Ok(queue) => queue,
            Err(why) => {
                reply.fail(&why);
                return Err(why);
            }
        };
        health.count_question();
        let (why, request) = match queue.try_send(Request { question, deadline, reply }) {
            Ok(()) => return Ok(()),
            Err(mpsc::error::TrySendError::Full(request)) => (StoreError::queue(io::QUEUE), request),
            Err(mpsc::error::TrySendError::Closed(request)) => (StoreError::thread("it has ended"), request),
        };
        request.reply.fail(&why);
        Err(why)
    }
}

/// A question that was sent, or why it could not be.
pub(super) struct Asked {
    answer: Result<oneshot::Receiver<Answer>, StoreError>,
    due: Instant,
    /// How long a call has that comes when it is asked.
    deadline: Duration,
}

/// The timers of Tokio count in whole milliseconds, rounded up: one ends up to so much later than it is set to. So it is set
/// to so much earlier.
const TICK: Duration = Duration::from_millis(1);

/// How much later than the deadline a caller that blocks gives up by itself: the thread has told it before, unless it gets
/// no core.
const GRACE: Duration = Duration::from_millis(4);

impl Asked {
    pub(super) async fn answer(self) -> Answer {
        self.answer?.await.unwrap_or_else(|_| Err(StoreError::thread("it has ended")))
    }

    /// Blocks the thread.
    pub(super) fn wait(self) -> Answer {
        let (until, deadline) = ((self.due + GRACE).into_std(), self.deadline);
        block_until(self.answer(), until).unwrap_or_else(|| Err(StoreError::late(deadline)))
    }
}

impl RedisStoreBuilder {
    fn new(address: Address) -> Self {
        let settings =
            Settings { address, prefix: "windowlimit".to_owned(), deadline: Duration::from_millis(50) };
        Self { settings, remember: Duration::from_secs(1), hook: None }
    }

    fn of_client(client: redis::Client) -> Self {
        Self::new(Address::Server(client))
    }

    /// How long a call may take, all in all; 50 milliseconds unless it is told otherwise. At most an hour.
    ///
    /// It covers the queue, connecting, sending and the answer. After it,
    /// [`OnStoreError`](crate::OnStoreError) decides, and what was sent may still be charged. It is kept by a timer that counts
    /// in milliseconds, so that a call may be given up to one before.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.settings.deadline = deadline.min(Duration::from_secs(3600));
        self
    }

    /// What the keys on the server begin with; `windowlimit` unless it is told otherwise.
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.settings.prefix = prefix.into();
        self
    }

    /// How long a refusal is believed at most without asking again; a second unless it is told otherwise. Zero asks for
    /// every call.
    ///
    /// A refusal is true until its retry time, unless units are given back, windows reset or limits raised. In this process
    /// that is seen at once; what others do is seen after this time.
    pub fn remember(mut self, most: Duration) -> Self {
        self.remember = most;
        self
    }

    /// Calls this whenever the store is lost, with the reason, and when it is back: once for each, however many calls
    /// notice. On the store's own thread, which must not be held up; a panic ends there.
    pub fn on_change(mut self, hook: impl Fn(&StoreState) + Send + Sync + 'static) -> Self {
        self.hook = Some(Arc::new(hook));
        self
    }

    /// The store. Nothing is connected yet.
    #[must_use]
    pub fn build(self) -> RedisStore {
        let Self { settings, remember, hook } = self;
        let health = Arc::new(Health::new(hook));
        RedisStore {
            shared: Arc::new(Shared {
                settings,
                health,
                memory: Memory::new(remember),
                lines: OnceCell::new(),
                thread: OnceCell::new(),
            }),
        }
    }
}

impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not the address, which may hold a password.
        f.debug_struct("RedisStore")
            .field("prefix", &self.prefix())
            .field("state", &self.state())
            .field("asked", &self.asked())
            .field("degraded", &self.degraded())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for RedisStoreBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisStoreBuilder")
            .field("prefix", &self.settings.prefix)
            .field("deadline", &self.settings.deadline)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{RedisStore, TICK};

    #[tokio::test(start_paused = true)]
    async fn a_call_is_due_a_tick_before_its_deadline_and_never_at_once() {
        for (deadline, due) in [
            (Duration::from_millis(50), Duration::from_millis(50) - TICK),
            (Duration::from_millis(1), Duration::from_micros(500)),
        ] {
            // Nobody is asked there.
            let store = RedisStore::builder("redis://127.0.0.1:1").expect("it is an address");
            assert_eq!(store.deadline(deadline).build().due(), Instant::now() + due);
        }
    }
}
