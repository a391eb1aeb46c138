//! The queue of a table of keys: whatever threads put in, look at and forget, no key is without a token; and as long as not all
//! are forgotten, none has two.

use std::sync::Arc;

use loom::{sync::Mutex, thread};
use windowlimit::{Look, Queue};

use super::model;

/// Keys as a table has them, behind the lock of a shard.
#[derive(Clone)]
struct Table {
    keys: Arc<Mutex<Vec<u32>>>,
    queue: Arc<Queue>,
    /// From this one on they are live. The others are always due.
    live: u32,
}

impl Table {
    /// With these keys, put in one after another.
    fn new(live: u32, keys: &[u32]) -> Self {
        let table = Self { keys: Arc::default(), queue: Arc::new(Queue::new()), live };
        for &key in keys {
            table.keys.lock().expect("no panic").push(key);
            table.queue.look(Some(key), |_| Look::Waits);
        }
        table
    }

    /// A call of a key, which is put in if it is not there.
    fn call(&self, key: u32) {
        let is_new = {
            let mut keys = self.keys.lock().expect("no panic");
            let is_new = !keys.contains(&key);
            if is_new {
                keys.push(key);
            }
            is_new
        };
        self.queue.look(is_new.then_some(key), |token| self.look_at(token));
    }

    fn look_at(&self, token: u32) -> Look {
        if token >= self.live {
            return Look::IsLive;
        }
        self.keys.lock().expect("no panic").retain(|&key| key != token);
        Look::GivenBack
    }

    fn forget_all(&self) {
        self.queue.clear(|| self.keys.lock().expect("no panic").clear());
    }

    /// The tokens that stand in the queue, and the keys that are there, both in order.
    fn tokens_and_keys(&self) -> (Vec<u32>, Vec<u32>) {
        let mut tokens = Vec::new();
        self.queue.look_for_room(|token| {
            tokens.push(token);
            Look::GivenBack
        });
        let mut keys = self.keys.lock().expect("no panic").clone();
        keys.sort_unstable();
        tokens.sort_unstable();
        (tokens, keys)
    }

    fn elsewhere(&self, act: impl FnOnce(&Self) + Send + 'static) -> thread::JoinHandle<()> {
        let table = self.clone();
        thread::spawn(move || act(&table))
    }
}

/// A call of key 1 and one of another, beside 0 that is due and 7 that is live: in the end each key has one token.
fn each_has_one_token(other: u32) {
    model(Some(3), move || {
        let table = Table::new(1, &[0, 7]);
        let elsewhere = table.elsewhere(move |table| table.call(other));
        table.call(1);
        elsewhere.join().expect("no panic");
        let (tokens, keys) = table.tokens_and_keys();
        assert_eq!(tokens, keys, "the tokens, and the keys");
    });
}

/// Both bring a key in.
#[test]
fn two_calls_look_at_keys() {
    each_has_one_token(2);
}

/// A key that is due goes, and comes again at the same time.
#[test]
fn a_key_goes_and_comes_again() {
    each_has_one_token(0);
}

/// All keys are forgotten while one is looked at, and others put in: one of them may be forgotten before its token comes, which
/// then stands there for nothing until it is looked at.
#[test]
fn all_keys_are_forgotten_meanwhile() {
    model(Some(3), || {
        let table = Table::new(2, &[7]);
        let other = table.elsewhere(|table| {
            table.forget_all();
            table.call(3);
        });
        table.call(1);
        other.join().expect("no panic");
        let (tokens, keys) = table.tokens_and_keys();
        assert!(keys.iter().all(|key| tokens.contains(key)), "{keys:?} have the tokens {tokens:?}");
        assert!(!tokens.contains(&7), "what was there before is forgotten");
    });
}
