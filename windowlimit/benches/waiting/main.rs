//! Ten thousand calls in line: what each takes in memory, what it costs to admit one, and whether a limit is used up.
//!
//! `cargo bench -p windowlimit --bench waiting`

mod line;

use std::{
    alloc::System,
    task::{Context, Waker},
    time::{Duration, Instant},
};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tokio::runtime;

use line::{MOST, NAMES, Subject, Turn, WINDOW, drain};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() {
    // Without it, this is a test of whether the benchmark runs.
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let calls: u32 = if is_bench { 10_000 } else { 2_000 };
    let runtime = runtime::Builder::new_current_thread().enable_time().build().expect("a runtime can be had");
    println!("| {calls} calls in line | {} |", NAMES.join(" | "));
    println!("|---|{}", "---|".repeat(NAMES.len()));
    let memory = NAMES.map(|name| {
        let _context = runtime.enter();
        bytes_a_waiter(name, calls).to_string()
    });
    println!("| bytes a call that waits | {} |", memory.join(" | "));
    let drained = NAMES.map(|name| runtime.block_on(drain(name, calls)));
    let cpu = drained
        .each_ref()
        .map(|drained| format!("{:.2} us", drained.cpu.as_secs_f64() * 1e6 / f64::from(calls)));
    println!("| processor time to admit one | {} |", cpu.join(" | "));
    let least = WINDOW * ((calls - 1) / MOST);
    let late = drained.each_ref().map(|drained| format!("{:.1} ms", drained.wall.as_secs_f64() * 1e3));
    println!(
        "| until all are admitted; at least {least:?} where a window holds no more | {} |",
        late.join(" | ")
    );
    let windows = drained.each_ref().map(|drained| worst_and_least(&drained.instants));
    println!("| admitted in a window: at most, and in the least full of ten | {} |", windows.join(" | "));
}

/// What each call holds, its future included.
fn bytes_a_waiter(name: &str, calls: u32) -> usize {
    let subject = Subject::new(name, Duration::from_secs(3_600));
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..MOST {
        assert!(subject.turn().as_mut().poll(&mut context).is_ready());
    }
    let mut turns: Vec<Turn> = Vec::with_capacity(calls as usize);
    let region = Region::new(ALLOCATOR);
    for _ in 0..calls {
        let mut turn = subject.turn();
        assert!(turn.as_mut().poll(&mut context).is_pending());
        turns.push(turn);
    }
    let change = region.change();
    change.bytes_allocated.saturating_sub(change.bytes_deallocated) / calls as usize
}

/// The most in any window, and the fewest in one of ten that follow each other from the first admission.
fn worst_and_least(instants: &[Instant]) -> String {
    let until = |from: Instant| instants.partition_point(|&at| at < from + WINDOW);
    let worst = instants.iter().enumerate().map(|(place, &from)| until(from) - place).max().unwrap_or(0);
    let from = |window: u32| instants.partition_point(|&at| at < instants[0] + WINDOW * window);
    let windows = u32::try_from(instants.len()).unwrap_or(u32::MAX) / MOST;
    let least = (0..windows.min(10)).map(|window| from(window + 1) - from(window)).min().unwrap_or(0);
    format!("{worst}, {least}")
}
