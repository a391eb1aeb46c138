//! Units that are given back to the store.

use super::{
    call::micros,
    io::Answer,
    key::KeyText,
    limiter::SharedLimiter,
    memory::About,
    question::{Ask, Question},
    script::{self, Script},
    store::RedisStore,
};
use crate::{algorithm::Algorithm, keyed::Digest};

/// What it takes to give units of one window back, wherever that is found to be due.
pub(super) struct GiveBack {
    store: RedisStore,
    key: Box<[u8]>,
    script: &'static Script,
    cost: u32,
    instant: i64,
    longest: i64,
    about: About,
    pub(super) line: Digest,
}

impl GiveBack {
    /// Gives them back, of an admission at this instant of the store: before all that this process asks later.
    pub(super) fn send(&self, at: i64) {
        if self.cost == 0 {
            return;
        }
        let args = vec![i64::from(self.cost), self.instant, self.longest, at];
        let question = Question { key: self.key.clone(), ask: Ask::Script(self.script, args) };
        // They stay charged where it cannot be sent.
        let _ = self.store.tell(question);
        self.store.memory().clear(self.about);
        self.store.disturb(self.line);
    }

    /// The same of all that an answer has admitted, if it has.
    pub(super) fn send_admitted(&self, answer: &Answer) {
        if let Ok([0, at, ..]) = answer.as_deref() {
            self.send(*at);
        }
    }
}

impl SharedLimiter {
    /// To give back so many units of a key.
    pub(super) fn giving_back(&self, key: &KeyText, cost: u32) -> GiveBack {
        GiveBack {
            store: self.store.clone(),
            key: self.store_key(key),
            script: match self.algorithm {
                Algorithm::Exact => &script::EXACT_REFUND,
                _ => &script::COUNTED_REFUND,
            },
            cost,
            instant: self.instant(),
            longest: micros(self.policy.load().longest),
            about: self.store.memory().about(&self.prefix, key, &[]),
            line: self.line_of(key),
        }
    }

    /// Gives back so many units of a key, of an admission at this instant of the store.
    pub(super) fn give_back(&self, key: &KeyText, cost: u32, at: i64) {
        self.giving_back(key, cost).send(at);
    }
}
