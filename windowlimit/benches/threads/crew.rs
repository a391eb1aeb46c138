//! Threads that do the same at the same time, for a short while, and a look at whether they all could.

use std::{
    fs,
    num::NonZeroUsize,
    sync::{
        Barrier,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use windowlimit::{Clock as _, SystemClock};

/// What all threads of a crew did, and how it went.
pub(crate) struct Shift<R> {
    pub(crate) done: Vec<R>,
    /// Whether each thread had a core to itself, as far as the operating system says. If it was made to wait, the
    /// others met nobody on their lines in the meantime: where threads hinder each other, that looks fast.
    pub(crate) is_undisturbed: bool,
}

/// Tells a thread whether its shift is over.
#[derive(Clone, Copy)]
pub(crate) struct Bell<'s>(&'s AtomicBool);

impl Bell<'_> {
    pub(crate) fn has_rung(self) -> bool {
        // Relaxed: the bell is the whole message, and what is done is handed over by the join.
        self.0.load(Ordering::Relaxed)
    }
}

/// How often a shift is repeated in which the threads did not have their cores; then it counts as it is.
const ATTEMPTS: usize = 8;

/// Lets so many threads work side by side, from one start on until the bell; again if they were disturbed, unless there
/// are more of them than cores.
pub(crate) fn shift<R: Send>(
    threads: usize,
    length: Duration,
    work: impl Fn(Bell<'_>) -> R + Sync,
) -> Shift<R> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let attempts = if threads > cores { 1 } else { ATTEMPTS };
    let mut shift = attempt(threads, length, &work);
    for _ in 1..attempts {
        if shift.is_undisturbed {
            break;
        }
        shift = attempt(threads, length, &work);
    }
    shift
}

fn attempt<R: Send>(threads: usize, length: Duration, work: impl Fn(Bell<'_>) -> R + Sync) -> Shift<R> {
    let rung = AtomicBool::new(false);
    let start = Barrier::new(threads + 1);
    let one = || {
        start.wait();
        let (before, waited_before) = (SystemClock.now(), waited());
        let done = work(Bell(&rung));
        let (waited, took) = (waited().saturating_sub(waited_before), SystemClock.now() - before);
        (done, waited <= took / 50)
    };
    thread::scope(|scope| {
        let crew: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        start.wait();
        thread::sleep(length);
        // Relaxed: see `has_rung`.
        rung.store(true, Ordering::Relaxed);
        let crew = crew.into_iter().map(|thread| thread.join().expect("nobody panics while it is measured"));
        let (done, undisturbed): (_, Vec<bool>) = crew.unzip();
        Shift { done, is_undisturbed: undisturbed.into_iter().all(|is| is) }
    })
}

/// For how many nanoseconds this thread could have run and was not let, in its life; 0 where Linux is not there to say.
pub(crate) fn waited() -> u64 {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    stat.split_whitespace().nth(1).and_then(|waited| waited.parse().ok()).unwrap_or(0)
}
