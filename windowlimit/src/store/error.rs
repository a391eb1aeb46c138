//! What can go wrong with a store.

use std::{error::Error, fmt, sync::Arc, time::Duration};

/// A store could not be asked, or gave no answer that says anything.
///
/// A limiter never returns it for a decision: there its [`OnStoreError`](crate::OnStoreError) stands in. It is what making
/// a store, and asking it for anything else, returns.
///
/// ```
/// use windowlimit::RedisStore;
///
/// let error = RedisStore::open("http://localhost").unwrap_err();
/// assert!(error.is_address() && error.to_string().contains("redis://"));
/// ```
#[derive(Clone, Debug)]
pub struct StoreError {
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Address(Arc<redis::RedisError>),
    Late(Duration),
    Away(Arc<redis::RedisError>),
    Silent(Duration),
    Answer(Arc<str>),
    Queue(usize),
    Thread(Arc<str>),
}

impl StoreError {
    pub(super) fn address(cause: redis::RedisError) -> Self {
        Self { kind: Kind::Address(Arc::new(cause)) }
    }

    /// There was no answer within the deadline.
    pub(super) fn late(deadline: Duration) -> Self {
        Self { kind: Kind::Late(deadline) }
    }

    /// There is no connection, or none any more.
    pub(super) fn away(cause: redis::RedisError) -> Self {
        Self { kind: Kind::Away(Arc::new(cause)) }
    }

    /// The server can be reached and says nothing.
    pub(super) fn silent(waited: Duration) -> Self {
        Self { kind: Kind::Silent(waited) }
    }

    /// The server has answered something else than a decision.
    pub(super) fn answer(text: impl Into<Arc<str>>) -> Self {
        Self { kind: Kind::Answer(text.into()) }
    }

    pub(super) fn queue(waiting: usize) -> Self {
        Self { kind: Kind::Queue(waiting) }
    }

    pub(super) fn thread(why: impl Into<Arc<str>>) -> Self {
        Self { kind: Kind::Thread(why.into()) }
    }

    /// Whether the address or another setting cannot be used; no attempt will do better.
    #[must_use]
    pub fn is_address(&self) -> bool {
        matches!(self.kind, Kind::Address(_))
    }

    /// Whether there was no answer in time. What was asked for may have been done all the same.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        matches!(self.kind, Kind::Late(_) | Kind::Silent(_))
    }

    /// Whether the server cannot be reached, or does not let us in.
    #[must_use]
    pub fn is_away(&self) -> bool {
        matches!(self.kind, Kind::Away(_) | Kind::Silent(_))
    }

    /// Whether the server has answered, with an error about this one call: the key holds something else, there is no
    /// memory left, a user may not run scripts.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        matches!(self.kind, Kind::Answer(_))
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Address(cause) => write!(
                f,
                "wanted an address such as `redis://127.0.0.1:6379` (`rediss://` with the feature `redis-rustls`, \
                 `unix:///path`), found one that cannot be used: {cause}"
            ),
            Kind::Late(deadline) => {
                write!(f, "the store did not answer within {}", humantime::format_duration(*deadline))
            }
            Kind::Away(cause) => write!(f, "the store cannot be reached: {cause}"),
            Kind::Silent(waited) => write!(
                f,
                "the store can be reached and did not answer a greeting within {}",
                humantime::format_duration(*waited)
            ),
            Kind::Answer(text) => write!(f, "the store answered with an error: {text}"),
            Kind::Queue(waiting) => write!(f, "{waiting} calls are waiting for the store, the most that may"),
            Kind::Thread(why) => write!(f, "the thread that talks to the store is not running: {why}"),
        }
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.kind {
            Kind::Address(cause) | Kind::Away(cause) => Some(cause.as_ref()),
            _ => None,
        }
    }
}
