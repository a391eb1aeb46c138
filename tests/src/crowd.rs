//! Calls that wait, as the tasks of a small executor: each is polled when it was woken, in any order, and wake-ups are
//! counted.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

/// Those who wait.
pub struct Crowd<F> {
    tasks: Vec<Task<F>>,
    wakes: Arc<AtomicUsize>,
    polls: usize,
}

struct Task<F> {
    id: usize,
    future: Pin<Box<F>>,
    bell: Arc<Bell>,
}

struct Bell {
    has_rung: AtomicBool,
    wakes: Arc<AtomicUsize>,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.has_rung.store(true, Ordering::SeqCst);
        self.wakes.fetch_add(1, Ordering::SeqCst);
    }
}

impl<F> Default for Crowd<F> {
    fn default() -> Self {
        Self { tasks: Vec::new(), wakes: Arc::default(), polls: 0 }
    }
}

impl<F: Future> Crowd<F> {
    /// Lets a call in and polls it once; its result, if it has one at once.
    pub fn enter(&mut self, id: usize, call: F) -> Option<F::Output> {
        let bell = Arc::new(Bell { has_rung: AtomicBool::new(false), wakes: self.wakes.clone() });
        let mut task = Task { id, future: Box::pin(call), bell };
        match self.poll(&mut task) {
            Poll::Ready(result) => Some(result),
            Poll::Pending => {
                self.tasks.push(task);
                None
            }
        }
    }

    fn poll(&mut self, task: &mut Task<F>) -> Poll<F::Output> {
        self.polls += 1;
        task.bell.has_rung.store(false, Ordering::SeqCst);
        let waker = Waker::from(task.bell.clone());
        task.future.as_mut().poll(&mut Context::from_waker(&waker))
    }

    /// Polls whoever was woken until nobody is; `pick` says which of so many is next.
    pub fn settle(&mut self, mut pick: impl FnMut(usize) -> usize) -> Vec<(usize, F::Output)> {
        let mut results = Vec::new();
        loop {
            let woken = (0..self.tasks.len()).filter(|&i| self.tasks[i].bell.has_rung.load(Ordering::SeqCst));
            let woken: Vec<usize> = woken.collect();
            if woken.is_empty() {
                return results;
            }
            let mut task = self.tasks.remove(woken[pick(woken.len())]);
            match self.poll(&mut task) {
                Poll::Ready(result) => results.push((task.id, result)),
                Poll::Pending => self.tasks.push(task),
            }
        }
    }

    /// Polls everybody, woken or not, as `select!` does.
    pub fn poll_all(&mut self) {
        self.tasks.iter().for_each(|task| task.bell.has_rung.store(true, Ordering::SeqCst));
    }

    /// Drops the future of a call, in whatever state it is.
    pub fn leave(&mut self, id: usize) {
        self.tasks.retain(|task| task.id != id);
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// How often anybody was woken.
    #[must_use]
    pub fn wakes(&self) -> usize {
        self.wakes.load(Ordering::SeqCst)
    }

    /// How often anybody was polled.
    #[must_use]
    pub fn polls(&self) -> usize {
        self.polls
    }
}
