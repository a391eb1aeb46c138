//! The queue in which keys stand to be looked at again, as many threads use it.

use super::{
    digest::{Token, place},
    tokens::Tokens,
};
use crate::sync::{AtomicU8, Held, Mutex, Ordering, const_fn};

/// One in so many calls that find their key idle looks for others, after a look that found none.
const REST: u64 = 16;

/// The tokens of all keys, in lines of the cache that calls of keys with anything live do not look at.
#[repr(align(128))]
pub struct Queue {
    /// Locked for as long as it takes to put one in and another out, and not while a key is looked at.
    tokens: Mutex<Tokens>,
    /// Held by the one who looks at keys, and who alone takes tokens out: what stands in front stays there meanwhile.
    turn: Mutex<()>,
    /// Whether the last look gave nothing back.
    is_resting: AtomicU8,
}

/// How far a look goes at most.
#[derive(Clone, Copy)]
pub(super) struct Most {
    /// Keys that are given back.
    given_back: usize,
    /// Keys that are live.
    live: usize,
}

impl Most {
    /// That of a call that has put in a key, or found its own idle.
    pub(super) const EACH: Self = Self { given_back: 32, live: 2 };

    /// That of a call that finds no room: it may well look longer.
    pub(super) const AT_THE_BOUND: Self = Self { given_back: 32, live: 16 };
}

/// What became of a key that was looked at.
pub enum Look {
    /// It was given back, or is not there.
    GivenBack,
    /// It is idle, and not yet due.
    Waits,
    /// It counts.
    IsLive,
}

impl Queue {
    const_fn! {
        /// Nobody stands in it.
        #[allow(clippy::new_without_default)] // it is `const`, where it can be
        pub fn new() -> Self {
            Self { tokens: Mutex::new(Tokens::new()), turn: Mutex::new(()), is_resting: AtomicU8::new(0) }
        }
    }

    /// Takes out all tokens while `forget` forgets the keys: the token of one that is put in behind it comes after it, and is not
    /// lost.
    pub fn clear(&self, forget: impl FnOnce()) {
        // Before shards, as nobody does who has one of them (K5, K6).
        let _turn = self.turn.lock();
        let mut tokens = self.tokens.lock();
        forget();
        *tokens = Tokens::new();
    }

    /// Whether a call that finds its key idle goes without a look. By its reading, and not by a count: that would be written
    /// by all threads.
    pub(super) fn rests(&self, reading: u64) -> bool {
        #[allow(clippy::cast_possible_truncation)] // the part of it that changes
        let turn = place(reading as Token) >> (64 - REST.ilog2());
        // Relaxed: only a pace.
        turn != 0 && self.is_resting.load(Ordering::Relaxed) != 0
    }

    /// Enters the token of a new key, and lets `look_at` look at the next ones (K3). If somebody does so already, it is left to them.
    pub fn look(&self, new: Option<Token>, look_at: impl FnMut(Token) -> Look) {
        let turn = self.turn.try_lock();
        if new.is_none() && turn.is_none() {
            return;
        }
        let mut tokens = self.tokens.lock();
        if let Some(token) = new {
            tokens.push(token);
        }
        if turn.is_some() {
            self.look_on(tokens, Most::EACH, look_at);
        }
    }

    /// The same for a call that finds no room, after who does so already.
    pub fn look_for_room(&self, look_at: impl FnMut(Token) -> Look) {
        let _turn = self.turn.lock();
        self.look_on(self.tokens.lock(), Most::AT_THE_BOUND, look_at);
    }

    /// Whose turn it is.
    fn look_on<'q>(
        &'q self,
        mut tokens: Held<'q, Tokens>,
        most: Most,
        mut look_at: impl FnMut(Token) -> Look,
    ) {
        let (mut given_back, mut live) = (0, 0);
        while given_back < most.given_back && live < most.live {
            let Some(token) = tokens.front() else { break };
            drop(tokens);
            let found = look_at(token);
            tokens = self.tokens.lock();
            match found {
                Look::Waits => break,
                Look::GivenBack => given_back += 1,
                Look::IsLive => {
                    tokens.push(token);
                    live += 1;
                }
            }
            tokens.pop();
        }
        drop(tokens);
        // Relaxed: only a pace. The line is this thread's already, by the lock.
        self.is_resting.store(u8::from(given_back == 0), Ordering::Relaxed);
    }
}
