//! What is known of the server: whether it is there, why not, and what was decided without it.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use super::error::StoreError;
use crate::decider::Decider;
use crate::sync::{AtomicU8, AtomicU64, Mutex, Ordering};

/// Whether a store can be asked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum StoreState {
    /// Nothing has been asked yet, or the first connection is being made.
    New,
    /// There is a connection.
    Up,
    /// There is none, for this reason. Until there is, decisions are made without the store, and cost nothing more.
    Down(StoreError),
}

/// Called with the state that a store has come to.
pub(super) type Hook = Arc<dyn Fn(&StoreState) + Send + Sync>;

const NEW: u8 = 0;
const UP: u8 = 1;
const DOWN: u8 = 2;
/// There is a connection again, as there was before, over which nothing could be decided.
const TRYING: u8 = 3;

pub(super) struct Health {
    state: AtomicU8,
    /// The state that was told last.
    told: AtomicU8,
    /// Why it was down last.
    reason: Mutex<Option<StoreError>>,
    hook: Option<Hook>,
    local: AtomicU64,
    allowed: AtomicU64,
    denied: AtomicU64,
    /// Questions that reached the thread, for those who want to see that the memory keeps them away.
    asked: AtomicU64,
    last_error: Mutex<Option<StoreError>>,
}

impl Health {
    pub(super) fn new(hook: Option<Hook>) -> Self {
        Self {
            state: AtomicU8::new(NEW),
            told: AtomicU8::new(NEW),
            reason: Mutex::new(None),
            hook,
            local: AtomicU64::new(0),
            allowed: AtomicU64::new(0),
            denied: AtomicU64::new(0),
            asked: AtomicU64::new(0),
            last_error: Mutex::new(None),
        }
    }

    /// Why nothing should be asked now.
    pub(super) fn why_down(&self) -> Option<StoreError> {
        // Acquire: pairs with the Release in `down`, so that the reason is there.
        (self.state.load(Ordering::Acquire) == DOWN).then(|| self.reason.lock().clone())?
    }

    pub(super) fn state(&self) -> StoreState {
        // Acquire: as in `why_down`.
        match self.state.load(Ordering::Acquire) {
            NEW => StoreState::New,
            UP => StoreState::Up,
            _ => self.reason.lock().clone().map_or(StoreState::New, StoreState::Down),
        }
    }

    /// Questions are answered, or there is no reason to doubt it.
    pub(super) fn up(&self) {
        // Relaxed: only the store's thread changes it, which this is.
        if self.state.load(Ordering::Relaxed) != UP {
            self.come_to(UP, &StoreState::Up);
        }
    }

    /// Whether questions are answered is to be seen. Nobody is told until then: a server that takes connections and decides
    /// nothing, such as a primary that became a replica, would have to be told of again and again.
    pub(super) fn trying(&self) {
        // Release: as in `come_to`.
        self.state.store(TRYING, Ordering::Release);
    }

    pub(super) fn down(&self, reason: &StoreError) {
        *self.reason.lock() = Some(reason.clone());
        self.come_to(DOWN, &StoreState::Down(reason.clone()));
    }

    /// Tells of the state if it is another one: of an outage once, however many attempts it takes.
    fn come_to(&self, state: u8, told: &StoreState) {
        // Release: publishes the reason; pairs with the Acquire in `why_down`.
        self.state.store(state, Ordering::Release);
        // Relaxed: as in `up`.
        if self.told.swap(state, Ordering::Relaxed) != state {
            #[cfg(any(feature = "metrics", feature = "tracing"))]
            let _ = catch_unwind(AssertUnwindSafe(|| crate::watch::telemetry::store_changed(told)));
            if let Some(hook) = &self.hook {
                // It is the user's code: a panic of it must not end the thread that everybody waits for.
                let _ = catch_unwind(AssertUnwindSafe(|| hook(told)));
            }
        }
    }

    pub(super) fn count_question(&self) {
        // Relaxed, here and below: a count, on which nothing else depends.
        self.asked.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    pub(super) fn count_degraded(&self, decider: Decider, why: StoreError) {
        self.count_of(decider).fetch_add(1, Ordering::Relaxed);
        *self.last_error.lock() = Some(why);
    }

    pub(super) fn degraded(&self) -> u64 {
        [&self.local, &self.allowed, &self.denied].iter().map(|count| count.load(Ordering::Relaxed)).sum()
    }

    pub(super) fn last_error(&self) -> Option<StoreError> {
        self.last_error.lock().clone()
    }

    fn count_of(&self, decider: Decider) -> &AtomicU64 {
        match decider {
            Decider::Allowed => &self.allowed,
            Decider::Denied => &self.denied,
            _ => &self.local,
        }
    }
}
