//! The four processes, and what they tell.

use std::{
    env,
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    thread,
};

use windowlimit_tests::witness::Admission;

use crate::worker::{ADDRESSES, DEADLINE, N, READY};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    is_admitted: bool,
    process: usize,
    from: u64,
    to: u64,
    timer: u64,
}

impl Call {
    /// In microseconds, how much later than its deadline it was answered, if it was; and a timer that was set to that.
    pub(crate) fn late(&self) -> Option<(u64, Option<u64>)> {
        let deadline = self.from + DEADLINE;
        (self.to >= deadline).then(|| (self.to - deadline, self.timer.checked_sub(deadline)))
    }

    pub(crate) fn admission(&self) -> Option<Admission> {
        let Self { is_admitted, process, from, to, .. } = *self;
        is_admitted.then_some(Admission { from, to, limit: N, process })
    }

    fn read(process: usize, line: &str) -> Option<Self> {
        let (outcome, instants) = line.split_once(' ')?;
        let instants: Vec<_> = instants.split(' ').map_while(|instant| instant.parse().ok()).collect();
        let [from, to, timer] = instants[..] else { return None };
        Some(Self { is_admitted: outcome == "admitted", process, from, to, timer })
    }
}

pub(crate) struct Crew {
    children: Vec<Child>,
    calls: Arc<Mutex<Vec<Call>>>,
}

impl Crew {
    pub(crate) fn on(addresses: &str) -> Self {
        let calls = Arc::new(Mutex::new(Vec::new()));
        let start = |process| {
            let mut child = Command::new(env::current_exe().expect("this is a program"))
                .env(ADDRESSES, addresses)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("it can be started again");
            let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
            let first = lines.next().and_then(Result::ok);
            assert_eq!(first.as_deref(), Some(READY), "a process is started");
            let calls = Arc::clone(&calls);
            thread::spawn(move || {
                for call in lines.map_while(Result::ok).filter_map(|line| Call::read(process, &line)) {
                    calls.lock().expect("nobody panics").push(call);
                }
            });
            child
        };
        let mut children: Vec<Child> = (0..4).map(start).collect();
        for input in children.iter_mut().filter_map(|child| child.stdin.as_mut()) {
            input.write_all(b"!").expect("it reads");
        }
        Self { children, calls }
    }

    /// When this process was first told of an admission that it asked for since then.
    pub(crate) fn first_admission(&self, process: usize, since: u64) -> Option<u64> {
        let calls = self.calls.lock().expect("nobody panics");
        let admitted = calls.iter().filter(|call| call.process == process && call.is_admitted);
        admitted.filter(|call| call.from >= since).map(|call| call.to).min()
    }

    /// Ends them, and tells of all their calls.
    pub(crate) fn end(mut self) -> Vec<Call> {
        for child in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
        std::mem::take(&mut *self.calls.lock().expect("nobody panics"))
    }
}
