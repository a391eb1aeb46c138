//! The connection over time: made when it is first needed, watched, and replaced when it is lost. While there is none,
//! one attempt follows another at growing distances, and nobody waits for them (R3).

use std::{
    hash::{BuildHasher, RandomState},
    sync::Arc,
    time::Duration,
};

use tokio::{
    runtime::Handle,
    sync::{Mutex, mpsc, watch},
    task, time,
};

use super::{
    connection::{Address, Connection},
    error::StoreError,
    health::Health,
};
use crate::sync::{AtomicU8, Ordering};

/// What the questions under way see of the connection.
#[derive(Clone)]
pub(super) enum Link {
    /// The first one is being made.
    New,
    Up(Arc<Live>),
    Down(StoreError),
}

/// A connection, and how it fares.
pub(super) struct Live {
    pub(super) connection: Connection,
    /// Since the last answer, so many times there was none in time.
    late: AtomicU8,
    answered: AtomicU8,
    is_given_up: AtomicU8,
    lost: mpsc::Sender<StoreError>,
    health: Arc<Health>,
}

/// So many times without an answer in time, one after another, and the connection is replaced. A single one may be a slow
/// command of somebody else's.
const LATE: u8 = 3;

/// A connection, and then a greeting, may each take so long before they count as failed. Longer than a call waits, or a
/// server that is far could never be reached.
const CONNECT: Duration = Duration::from_secs(1);

/// While nothing goes wrong, the server is greeted so often: an idle connection that a router or the server has dropped
/// is noticed before a call is.
const GREET: Duration = Duration::from_secs(15);

/// Between two attempts, at first and at most: recovery within two seconds, and no herd at the door.
const FIRST_PAUSE: Duration = Duration::from_millis(25);
const LONGEST_PAUSE: Duration = Duration::from_millis(800);

impl Live {
    /// A fresh connection, whose loss is told there.
    pub(super) fn new(connection: Connection, lost: mpsc::Sender<StoreError>, health: Arc<Health>) -> Self {
        let (late, answered, is_given_up) = (AtomicU8::new(0), AtomicU8::new(0), AtomicU8::new(0));
        Self { connection, late, answered, is_given_up, lost, health }
    }

    /// Something was decided.
    pub(super) fn was_answered(&self) {
        // Relaxed, here and below: values of one thread, the one that all of this runs on.
        self.answered.store(1, Ordering::Relaxed);
        // An answer over a connection that was given up says nothing about the next one.
        if self.is_given_up.load(Ordering::Relaxed) == 0 {
            self.health.up();
        }
    }

    /// The server has said something, whatever it was.
    pub(super) fn is_heard(&self) {
        self.late.store(0, Ordering::Relaxed);
    }

    /// There was no answer in time.
    pub(super) fn has_no_answer(&self, why: StoreError) {
        if self.late.fetch_add(1, Ordering::Relaxed) + 1 >= LATE {
            self.late.store(0, Ordering::Relaxed);
            self.is_lost(why);
        }
    }

    /// The client says that there is no way.
    pub(super) fn has_failed(&self, why: StoreError) {
        if self.connection.is_one_server() { self.is_lost(why) } else { self.has_no_answer(why) }
    }

    /// Gives the connection up.
    pub(super) fn is_lost(&self, why: StoreError) {
        self.is_given_up.store(1, Ordering::Relaxed);
        // One reason is enough.
        let _ = self.lost.try_send(why);
    }
}

/// Held while a connection is being made: the runtime has to stay for so long.
pub(super) type Connecting = Arc<Mutex<()>>;

/// Keeps a connection, as long as anybody looks at it.
pub(super) async fn keep(
    address: Address,
    health: Arc<Health>,
    link: watch::Sender<Link>,
    connecting: Connecting,
) {
    let (mut failures, mut was_mute) = (0_u32, false);
    while !link.is_closed() {
        let reason = match attempt(&address, &connecting).await {
            Err(reason) => reason,
            Ok(connection) => {
                let (lost, mut losses) = mpsc::channel(1);
                let live = Arc::new(Live::new(connection, lost, Arc::clone(&health)));
                if was_mute {
                    health.trying();
                } else {
                    health.up();
                }
                link.send_replace(Link::Up(Arc::clone(&live)));
                let reason = watch(&live, &mut losses, &link).await;
                live.is_given_up.store(1, Ordering::Relaxed);
                // Where something was decided, this is a new outage. Otherwise the server greets us, and no more than that.
                was_mute = live.answered.load(Ordering::Relaxed) == 0;
                if !was_mute {
                    failures = 0;
                }
                reason
            }
        };
        health.down(&reason);
        link.send_replace(Link::Down(reason));
        time::sleep(pause(failures)).await;
        failures = failures.saturating_add(1);
    }
}

/// On another thread, since it may take that for itself: an encrypted connection begins with reading all certificates of the
/// system, some ten milliseconds in which no deadline would be kept on this one. A panic in there is a failed attempt.
async fn attempt(address: &Address, connecting: &Connecting) -> Result<Connection, StoreError> {
    let (address, runtime) = (address.clone(), Handle::current());
    let held = Arc::clone(connecting).lock_owned().await;
    let connect = move || {
        let _held = held;
        runtime.block_on(async { time::timeout(CONNECT, address.connect(CONNECT)).await })
    };
    match task::spawn_blocking(connect).await {
        Ok(Ok(connected)) => connected.map_err(StoreError::away),
        Ok(Err(_)) => Err(StoreError::silent(CONNECT)),
        Err(ended) => Err(StoreError::thread(ended.to_string())),
    }
}

/// Waits until the connection is lost.
async fn watch(
    live: &Live,
    losses: &mut mpsc::Receiver<StoreError>,
    link: &watch::Sender<Link>,
) -> StoreError {
    loop {
        match time::timeout(GREET, losses.recv()).await {
            Ok(Some(reason)) => return reason,
            // Nobody is left who could ask.
            Ok(None) => return StoreError::thread("the store was dropped"),
            Err(_) if link.is_closed() => return StoreError::thread("the store was dropped"),
            Err(_) => match time::timeout(CONNECT, live.connection.greet()).await {
                Ok(Ok(())) => {}
                Ok(Err(why)) => return StoreError::away(why),
                Err(_) => return StoreError::silent(CONNECT),
            },
        }
    }
}

/// Doubles with each failure, and is a quarter more or less: clients that were cut off together do not come back together.
fn pause(failures: u32) -> Duration {
    let pause = FIRST_PAUSE.saturating_mul(1 << failures.min(10)).min(LONGEST_PAUSE);
    // A fresh `RandomState` is seeded anew; so little chance needs no generator.
    let chance = RandomState::new().hash_one(failures) % 512;
    pause * 3 / 4 + pause * u32::try_from(chance).unwrap_or(0) / 1024
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_PAUSE, pause};
    use std::time::Duration;

    #[test]
    fn pauses_grow_up_to_a_second_and_differ() {
        assert!(
            (0..100).all(|_| pause(0) >= Duration::from_millis(18) && pause(0) < Duration::from_millis(32))
        );
        assert!((0..100).all(|failures| pause(failures) <= LONGEST_PAUSE * 5 / 4));
        assert!(pause(u32::MAX) >= LONGEST_PAUSE * 3 / 4);
        assert!((0..20).any(|_| pause(9) != pause(9)));
    }
}
