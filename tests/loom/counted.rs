//! Counters that all threads write and none waits for. In a model one thread at a time has a number of its own.

use std::sync::Arc;

use loom::thread;
use windowlimit::{Numbers, Striped};

use super::model;

#[derive(Clone)]
struct Counted {
    numbers: Arc<Numbers>,
    counters: Arc<Striped<1>>,
}

impl Counted {
    fn new() -> Self {
        Self { numbers: Arc::new(Numbers::new()), counters: Arc::new(Striped::new()) }
    }

    /// What a thread does that counts so many calls, from its first look for a number to its end.
    fn live(&self, calls: usize) {
        let number = self.numbers.take();
        for _ in 0..calls {
            self.counters.add_as(number, 0);
        }
        if let Some(number) = number {
            self.numbers.give_back(number);
        }
    }

    fn thread(&self, calls: usize) -> thread::JoinHandle<()> {
        let counted = self.clone();
        thread::spawn(move || counted.live(calls))
    }
}

/// Threads that make so many calls each, and this one; in the end all are counted.
fn all_are_counted(preemptions: usize, others: &'static [usize], mine: usize) {
    model(Some(preemptions), move || {
        let counted = Counted::new();
        let threads: Vec<_> = others.iter().map(|&calls| counted.thread(calls)).collect();
        counted.live(mine);
        for thread in threads {
            thread.join().expect("no panic");
        }
        let calls = mine + others.iter().sum::<usize>();
        assert_eq!(counted.counters.sum(0), calls as u64);
    });
}

/// One of them has the number, or the one gets it from the other.
#[test]
fn two_threads_count() {
    all_are_counted(3, &[2], 2);
}

/// At most one of them has the number, and the others share a stripe.
#[test]
fn three_threads_count() {
    all_are_counted(2, &[1, 1], 1);
}

/// Somebody who asks meanwhile finds more and more, and what came before it asked.
#[test]
fn a_sum_never_shrinks() {
    model(Some(3), || {
        let counted = Counted::new();
        counted.live(1);
        let other = counted.thread(2);
        let (first, then) = (counted.counters.sum(0), counted.counters.sum(0));
        other.join().expect("no panic");
        assert!(1 <= first && first <= then && then <= 3, "{first}, then {then}");
        assert_eq!(counted.counters.sum(0), 3);
    });
}
