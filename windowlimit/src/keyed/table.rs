//! The windows of all keys: a table of digests in many shards, that gives back what is idle.
//!
//! * **K1, one place.** A key is looked for, decided and put in, or found idle and taken out, under the lock of its shard,
//!   wherever that is at the time (P1 in [`shards`]). So no admission is made in a window that has been given back, and none
//!   that counts goes with it.
//! * **K2, idle.** A window is idle when its newest admission is older than the longest limit. It is given back when it has
//!   been so for as long again, or at once where the table is more than half full: a key that comes in every window or two
//!   is not taken out and put in each time, as long as there is plenty of room. The table remembers the latest instant at
//!   which such a key was idle, and decides no call before it: a clock that goes back finds the key as idle as it was.
//! * **K3, work.** Each key in the table has a token in a queue. A call that puts a key in looks at the next tokens, unless
//!   another is doing so: it gives back what is due, up to 32 keys, and puts up to 2 that are live at the end. So twice as many
//!   keys are looked at as come in, and no call does more than that, but for a shard that grows or shrinks, which copies about
//!   [`SHARD`] keys at the bound, and the one call that spreads as many over all shards. A key that is idle and not yet due
//!   stays in front: it is the first to go at the bound. A call that finds its own key idle is like one that puts it in; but
//!   after a look that gave nothing back, only one in 16 of those looks.
//! * **K4, bound.** A key is counted before it is put in, and there are never more than allowed. A call that finds no room
//!   first looks at some tokens, and keeps the room that it makes, so that nobody takes it before. A key that is live is
//!   never taken out.
//! * **K5, tokens.** No key is without a token: only who looks takes one out, and who forgets all keys waits for that. Nor has it
//!   two, but for one that is put in, forgotten with all others, and put in again before its first token comes.
//! * **K6, no circle.** Who has the lock of a shard waits for no other than P2 says, and not for the [queue]. Who has that of the
//!   queue waits for shards if it forgets all keys, and else for nothing. Whose turn it is to look waits for either. (Under the
//!   lock of a shard it is asked whether anybody waits for the key; who answers that asks for nothing of the table.)

use dashmap::SharedValue;

use super::{
    digest::{Digest, Token, place},
    queue::{Look, Queue},
    shards::{self, Entry, SHARD, Shards, hash_of},
};
use crate::{
    sync::{AtomicU64, AtomicUsize, OnceCell, Ordering},
    window::solo::Solo,
};

/// The windows of keys.
pub(super) struct Table<S> {
    /// Made by the first call.
    shards: OnceCell<Shards<S>>,
    queue: Queue,
    count: Count,
    /// The latest reading at which a key was given back (K2).
    floor: AtomicU64,
}

/// How many keys are in the table, or about to be put in. In a line of the cache that calls of known keys do not look at.
#[repr(align(128))]
struct Count(AtomicUsize);

impl Count {
    fn get(&self) -> usize {
        // Relaxed, here and below: the number is all there is.
        self.0.load(Ordering::Relaxed)
    }

    /// Room for a key that is about to be put in, if there is any.
    fn room(&self, most: usize) -> Option<Room<'_>> {
        let next = |len| (len < most).then_some(len + 1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok().map(|_| Room(self))
    }

    fn take(&self, keys: usize) {
        self.0.fetch_sub(keys, Ordering::Relaxed);
    }
}

/// What is counted for one key: free again if that does not come, as when a clock panics, or has left.
struct Room<'t>(&'t Count);

impl Room<'_> {
    /// The key is there.
    fn keep(self) {
        std::mem::forget(self);
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        self.0.take(1);
    }
}

/// There is no room for another key.
pub(super) struct Crowded;

/// What came of a look at the window of a key.
pub(super) struct Decided<R> {
    pub(super) result: R,
    /// If anything was admitted: only then is a new key put in.
    pub(super) entered: Option<Entered>,
}

/// An admission, as far as the table has to know of it.
pub(super) struct Entered {
    /// What the clock said.
    pub(super) reading: u64,
    /// A window before that: idle since then, others are due to be given back where there is plenty of room.
    pub(super) before: u64,
    /// Whether nothing counted in the window any more.
    pub(super) was_idle: bool,
}

impl<S: Solo> Table<S> {
    pub(super) const fn new() -> Self {
        Self {
            shards: OnceCell::new(),
            queue: Queue::new(),
            count: Count(AtomicUsize::new(0)),
            floor: AtomicU64::new(0),
        }
    }

    /// Lets a call decide on the window of a key, which is new if there was none, and of which there may be so many.
    ///
    /// `decide` gets the instant before which nothing may be decided; it runs once, under the lock of a shard. `idle` says
    /// from when on a window is idle, and `clock` is asked for the time only where there is no room.
    #[inline]
    pub(super) fn decide<R>(
        &self,
        digest: Digest,
        most: usize,
        mut decide: impl FnMut(&mut S, u64) -> Decided<R>,
        idle: impl Fn(Digest, &S) -> u64,
        clock: impl Fn() -> u64,
    ) -> Result<R, Crowded> {
        let shards = self.shards.get_or_init(|| Shards::new(most));
        if let Ok(result) = self.try_decide(shards, digest, most, None, &mut decide, &idle) {
            return Ok(result);
        }
        // Other shards are locked to make room: not while that of the key is.
        let reading = clock();
        let when = Due { reading, due: reading };
        let mut room = None;
        self.queue
            .look_for_room(|token| self.look_at(shards, token, &idle, when, |freed| room = Some(freed)));
        self.try_decide(shards, digest, most, room, &mut decide, &idle)
    }

    /// Lets a call decide on the window of a key that is there, and calls next to nothing else: most calls are of such keys.
    /// `None` of a key that is new or was removed, or if it was not decided.
    #[inline]
    pub(super) fn decide_known<R>(
        &self,
        digest: Digest,
        decide: impl FnOnce(&mut S, u64) -> Option<R>,
    ) -> Option<R> {
        let shards = self.shards.get()?;
        let hash = place(digest.token());
        let mut held = shards::lock!(shards, hash, write);
        let (_, window) = held.get_mut(hash, |entry| entry.0 == digest)?;
        let window = window.get_mut();
        if window.is_empty() { None } else { decide(window, self.floor()) }
    }

    /// Gives back some keys that are due, if a call that found its own idle is to look for them (K3): by what the clock said, and
    /// a window before that.
    pub(super) fn after_idle(
        &self,
        most: usize,
        reading: u64,
        before: u64,
        idle: impl Fn(Digest, &S) -> u64,
    ) {
        if let Some(shards) = self.shards.get().filter(|_| !self.queue.rests(reading)) {
            self.give_back(shards, None, most, idle, (reading, before));
        }
    }

    /// The same, if the key is there, or there is room for it: this, or other.
    fn try_decide<R>(
        &self,
        shards: &Shards<S>,
        digest: Digest,
        most: usize,
        room: Option<Room<'_>>,
        decide: &mut impl FnMut(&mut S, u64) -> Decided<R>,
        idle: impl Fn(Digest, &S) -> u64,
    ) -> Result<R, Crowded> {
        let hash = place(digest.token());
        let mut held = shards::lock!(shards, hash, write);
        let known = held.get_mut(hash, |entry| entry.0 == digest);
        let has_token = known.is_some();
        // A key that was removed is still there, for its token, but counts no more.
        let is_new = known.as_ref().is_none_or(|(_, window)| window.get().is_empty());
        let room = match room.filter(|_| is_new) {
            None if is_new => Some(self.count.room(most).ok_or(Crowded)?),
            room => room,
        };
        let mut empty = S::EMPTY;
        // One call for both, which is then part of this function: it is most of what there is to do.
        let window = known.map_or(&mut empty, |(_, window)| window.get_mut());
        let Decided { result, entered } = decide(window, self.floor());
        match entered {
            Some(Entered { reading, before, was_idle }) => {
                room.into_iter().for_each(Room::keep);
                if !has_token {
                    held.insert(hash, (digest, SharedValue::new(empty)), hash_of);
                }
                drop(held);
                if is_new && self.len() > SHARD && !shards.are_spread() {
                    shards.spread();
                }
                if is_new || was_idle && !self.queue.rests(reading) {
                    let new = (!has_token).then(|| digest.token());
                    self.give_back(shards, new, most, idle, (reading, before));
                }
            }
            None if is_new => *window = S::EMPTY,
            None => {}
        }
        Ok(result)
    }

    /// Changes the window of a key, if there is one.
    pub(super) fn update(&self, digest: Digest, change: impl FnOnce(&mut S, u64)) {
        let Some(shards) = self.shards.get() else { return };
        let hash = place(digest.token());
        let mut held = shards::lock!(shards, hash, write);
        if let Some((_, window)) = held.get_mut(hash, |entry| entry.0 == digest) {
            change(window.get_mut(), self.floor());
        }
    }

    /// Looks at the window of a key, or at an empty one.
    pub(super) fn look<R>(&self, digest: Digest, look: impl FnOnce(&S, u64) -> R) -> R {
        let Some(shards) = self.shards.get() else { return look(&S::EMPTY, self.floor()) };
        let hash = place(digest.token());
        let held = shards::lock!(shards, hash, read);
        match held.get(hash, |entry| entry.0 == digest) {
            Some((_, window)) => look(window.get(), self.floor()),
            None => look(&S::EMPTY, self.floor()),
        }
    }

    /// Looks at the windows of all keys, of one shard at a time.
    pub(super) fn look_at_all(&self, mut look: impl FnMut(Digest, &S, u64)) {
        let Some(shards) = self.shards.get() else { return };
        // So that none is met twice.
        shards.spread();
        for entry in shards.map() {
            if !entry.value().is_empty() {
                look(*entry.key(), entry.value(), self.floor());
            }
        }
    }

    /// Forgets a key; whether it was there. Its place stays until its token comes: with another token each time that it is
    /// put in anew, the queue would grow by it.
    pub(super) fn remove(&self, digest: Digest) -> bool {
        let Some(shards) = self.shards.get() else { return false };
        let hash = place(digest.token());
        let mut held = shards::lock!(shards, hash, write);
        let Some((_, window)) = held.get_mut(hash, |entry| entry.0 == digest) else { return false };
        let is_here = !window.get().is_empty();
        if is_here {
            *window.get_mut() = S::EMPTY;
            self.count.take(1);
        }
        is_here
    }

    /// Forgets all keys.
    pub(super) fn clear(&self) {
        let Some(shards) = self.shards.get() else { return };
        self.queue.clear(|| {
            for shard in shards::all!(shards) {
                let mut held = shard.write();
                let forgotten = held.drain().filter(|(_, window)| !window.get().is_empty()).count();
                held.shrink_to(0, hash_of);
                drop(held);
                self.count.take(forgotten);
            }
            self.floor.store(0, Ordering::Relaxed);
        });
    }

    /// Waits until every decision that has begun is over.
    pub(super) fn wait_for_all(&self) {
        for shard in self.shards.get().into_iter().flat_map(|shards| shards::all!(shards)) {
            drop(shard.write());
        }
    }

    /// How many keys there are; some of them may be idle.
    pub(super) fn len(&self) -> usize {
        self.count.get()
    }

    fn floor(&self) -> u64 {
        // Relaxed: it is read under the lock of the shard under which the key was given back, if it was (K2), or after that
        // was spread (P1).
        self.floor.load(Ordering::Relaxed)
    }

    /// Enters the token of a new key, and gives back some keys that are due (K3), which they are sooner in a table that is more
    /// than half full (K2).
    fn give_back(
        &self,
        shards: &Shards<S>,
        new: Option<Token>,
        most: usize,
        idle: impl Fn(Digest, &S) -> u64,
        (reading, before): (u64, u64),
    ) {
        let when = Due { reading, due: if self.len() > most / 2 { reading } else { before } };
        self.queue.look(new, |token| self.look_at(shards, token, &idle, when, drop));
    }

    /// Gives back a key with this token, if one is due or was removed, and hands on the room that it had.
    fn look_at<'t>(
        &'t self,
        shards: &Shards<S>,
        token: Token,
        idle: impl Fn(Digest, &S) -> u64,
        when: Due,
        freed: impl FnOnce(Room<'t>),
    ) -> Look {
        let hash = place(token);
        let mut found = Look::GivenBack;
        let is_due = |entry: &Entry<S>| {
            if entry.0.token() != token {
                return false;
            }
            let window = entry.1.get();
            let idle_from = idle(entry.0, window);
            if window.is_empty() || idle_from <= when.due {
                return true;
            }
            found = if idle_from <= when.reading { Look::Waits } else { Look::IsLive };
            false
        };
        let mut held = shards::lock!(shards, hash, write);
        let Some((_, window)) = held.remove_entry(hash, is_due) else { return found };
        if !window.get().is_empty() {
            // Relaxed: whoever decides on this key next reads it under the same lock, which is held until it is there (K2).
            self.floor.fetch_max(when.due, Ordering::Relaxed);
            freed(Room(&self.count));
        }
        if held.capacity() > 64 && held.len() * 8 < held.capacity() {
            let len = held.len();
            held.shrink_to(len * 2, hash_of);
        }
        Look::GivenBack
    }
}

/// What a look at a token is for.
#[derive(Clone, Copy)]
struct Due {
    /// What is idle now.
    reading: u64,
    /// What was idle then is given back.
    due: u64,
}
