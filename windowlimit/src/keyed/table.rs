//! The windows of all keys: a table of digests in many shards, that gives back what is idle.
//!
//! * **K1, one place.** A key is looked for, decided and put in, or found idle and taken out, under the lock of its shard,
//!   wherever that is at the time (P1 in [`shards`]). So no admission is made in a window that has been given back, and none
//!   that counts goes with it.
//! * **K2, idle.** A window is idle when its newest admission is older than the longest limit. It is given back when it has
//!   been so for as long again, or at once where the table is more than half full: a key that comes in every window or two
//!   is not taken out and put in each time, as long as there is plenty of room. The table remembers the latest instant at
//!   which such a key was idle, and decides no call before it: a clock that goes back finds the key as idle as it was.
//! * **K3, work.** Each key in the table has a token in a queue. A call that puts a key in looks at the next tokens: it
//!   gives back what is due, up to [`GIVEN_BACK`] keys, and puts up to [`KEPT`] that are live at the end. So twice as many
//!   keys are looked at as come in, and no call does more than that, but for a shard that grows or shrinks, which copies
//!   about [`SHARD`] keys at the bound, and the one call that spreads as many over all shards. A key that is idle and not yet due stays in front: it is the first to go at the
//!   bound. A call that finds its own key idle is like one that puts it in; but after a look that gave nothing back,
//!   only one in [`REST`] of those looks.
//! * **K4, bound.** A key is counted before it is put in, and there are never more than allowed. A call that finds no room
//!   first looks at some tokens. A key that is live is never taken out.

use dashmap::SharedValue;

use super::{
    digest::{Digest, Token, place},
    shards::{self, Entry, SHARD, Shards, hash_of},
    tokens::Tokens,
};
use crate::{
    sync::{AtomicU8, AtomicU64, AtomicUsize, Mutex, OnceCell, Ordering},
    window::solo::Solo,
};

/// How many idle keys a call gives back at most.
const GIVEN_BACK: usize = 32;

/// How many keys that are not idle a call looks at, at most.
const KEPT: usize = 2;

/// The same for a call that finds no room: it may well look longer.
const KEPT_AT_THE_BOUND: usize = 16;

/// One in so many calls that find their key idle looks for others, after a look that found none.
const REST: u64 = 16;

/// The windows of keys.
pub(super) struct Table<S> {
    /// Made by the first call.
    shards: OnceCell<Shards<S>>,
    tokens: Mutex<Tokens>,
    /// How many keys are in the table, or about to be put in.
    len: AtomicUsize,
    /// The latest reading at which a key was given back (K2).
    floor: AtomicU64,
    /// Whether the last look gave nothing back.
    is_resting: AtomicU8,
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
    /// Idle since then, others are due to be given back where there is plenty of room.
    pub(super) due: u64,
    /// Whether nothing counted in the window any more.
    pub(super) was_idle: bool,
}

impl<S: Solo> Table<S> {
    pub(super) const fn new() -> Self {
        Self {
            shards: OnceCell::new(),
            tokens: Mutex::new(Tokens::new()),
            len: AtomicUsize::new(0),
            floor: AtomicU64::new(0),
            is_resting: AtomicU8::new(0),
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
        if let Ok(result) = self.try_decide(shards, digest, most, &mut decide, &idle) {
            return Ok(result);
        }
        // Other shards are locked to make room: not while that of the key is.
        let reading = clock();
        self.give_back(shards, None, KEPT_AT_THE_BOUND, &idle, Due { reading, due: reading });
        self.try_decide(shards, digest, most, &mut decide, &idle)
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

    /// Gives back some keys that are due, if a call that found its own idle is to look for them (K3).
    pub(super) fn after_idle(&self, most: usize, reading: u64, due: u64, idle: impl Fn(Digest, &S) -> u64) {
        if self.rests(reading) {
            return;
        }
        if let Some(shards) = self.shards.get() {
            let due = if self.len() > most / 2 { reading } else { due };
            self.give_back(shards, None, KEPT, idle, Due { reading, due });
        }
    }

    /// The same, if the key is there or there is room for it.
    fn try_decide<R>(
        &self,
        shards: &Shards<S>,
        digest: Digest,
        most: usize,
        decide: &mut impl FnMut(&mut S, u64) -> Decided<R>,
        idle: impl Fn(Digest, &S) -> u64,
    ) -> Result<R, Crowded> {
        let hash = place(digest.token());
        let mut held = shards::lock!(shards, hash, write);
        let known = held.get_mut(hash, |entry| entry.0 == digest);
        let has_token = known.is_some();
        // A key that was removed is still there, for its token, but counts no more.
        let is_new = known.as_ref().is_none_or(|(_, window)| window.get().is_empty());
        if is_new && !self.count_one(most) {
            return Err(Crowded);
        }
        let mut empty = S::EMPTY;
        // One call for both, which is then part of this function: it is most of what there is to do.
        let window = known.map_or(&mut empty, |(_, window)| window.get_mut());
        let Decided { result, entered } = decide(window, self.floor());
        match entered {
            Some(Entered { reading, due, was_idle }) => {
                if !has_token {
                    held.insert(hash, (digest, SharedValue::new(empty)), hash_of);
                }
                drop(held);
                if is_new && self.len() > SHARD && !shards.are_spread() {
                    shards.spread();
                }
                let due = if self.len() > most / 2 { reading } else { due };
                if is_new || was_idle && !self.rests(reading) {
                    self.give_back(
                        shards,
                        (!has_token).then(|| digest.token()),
                        KEPT,
                        idle,
                        Due { reading, due },
                    );
                }
            }
            None if is_new => {
                *window = S::EMPTY;
                // Relaxed: the number is all there is.
                self.len.fetch_sub(1, Ordering::Relaxed);
            }
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
            // Relaxed: the number is all there is.
            self.len.fetch_sub(1, Ordering::Relaxed);
        }
        is_here
    }

    /// Forgets all keys.
    pub(super) fn clear(&self) {
        let Some(shards) = self.shards.get() else { return };
        // Held until the end: the token of a key that is put in behind us comes after it, and is not lost.
        let mut tokens = self.tokens.lock();
        for shard in shards::all!(shards) {
            let mut held = shard.write();
            let forgotten = held.drain().filter(|(_, window)| !window.get().is_empty()).count();
            held.shrink_to(0, hash_of);
            drop(held);
            // Relaxed: the number is all there is.
            self.len.fetch_sub(forgotten, Ordering::Relaxed);
        }
        *tokens = Tokens::new();
        self.floor.store(0, Ordering::Relaxed);
    }

    /// Waits until every decision that has begun is over.
    pub(super) fn wait_for_all(&self) {
        for shard in self.shards.get().into_iter().flat_map(|shards| shards::all!(shards)) {
            drop(shard.write());
        }
    }

    /// How many keys there are; some of them may be idle.
    pub(super) fn len(&self) -> usize {
        // Relaxed: the number is all there is.
        self.len.load(Ordering::Relaxed)
    }

    fn floor(&self) -> u64 {
        // Relaxed: it is read under the lock of the shard under which the key was given back, if it was (K2), or after that
        // was spread (P1).
        self.floor.load(Ordering::Relaxed)
    }

    /// Counts a key that is about to be put in, if there is room for it.
    fn count_one(&self, most: usize) -> bool {
        let next = |len| (len < most).then_some(len + 1);
        // Relaxed: the number is all there is.
        self.len.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).is_ok()
    }

    /// Whether a call that finds its key idle goes without a look. By its reading, and not by a count: that would be written
    /// by all threads.
    fn rests(&self, reading: u64) -> bool {
        #[allow(clippy::cast_possible_truncation)] // the part of it that changes
        let turn = place(reading as Token) >> (64 - REST.ilog2());
        // Relaxed: only a pace.
        turn != 0 && self.is_resting.load(Ordering::Relaxed) != 0
    }

    /// Enters the token of a new key, looks at the next ones and gives back what is due (K3).
    fn give_back(
        &self,
        shards: &Shards<S>,
        new: Option<Token>,
        most_kept: usize,
        idle: impl Fn(Digest, &S) -> u64,
        when: Due,
    ) {
        // Before those of shards, and never the other way round: no call has one of them and waits for this.
        let mut tokens = self.tokens.lock();
        if let Some(token) = new {
            tokens.push(token);
        }
        let (mut given_back, mut kept) = (0, 0);
        while let Some(token) = tokens.front().filter(|_| given_back < GIVEN_BACK && kept < most_kept) {
            match self.look_at(shards, token, &idle, when) {
                Look::Waits => break,
                Look::GivenBack => given_back += 1,
                Look::IsLive => {
                    tokens.push(token);
                    kept += 1;
                }
            }
            tokens.pop();
        }
        let is_resting = u8::from(given_back == 0);
        // Relaxed, both: only a pace. Written only when it changes, since all threads read it.
        if self.is_resting.load(Ordering::Relaxed) != is_resting {
            self.is_resting.store(is_resting, Ordering::Relaxed);
        }
    }

    /// Gives back a key with this token, if one is due or was removed.
    fn look_at(&self, shards: &Shards<S>, token: Token, idle: impl Fn(Digest, &S) -> u64, when: Due) -> Look {
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
            // Relaxed: the number is all there is.
            self.len.fetch_sub(1, Ordering::Relaxed);
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

/// What became of a token.
enum Look {
    /// Its key was given back, or is not there.
    GivenBack,
    /// Its key is idle, and not yet due.
    Waits,
    IsLive,
}
