//! Five threads and one limit: `cargo run --example threads`.
//!
//! Each calls every 150 to 250 ms, which makes about 25 calls a second where 20 are allowed.

use std::{
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use anstream::println;
use anstyle::{AnsiColor, Style};
use windowlimit::{Permit, RateLimitExceeded, window_rate_limit};

const LIMIT: u32 = 20;
const WINDOW: Duration = Duration::from_secs(1);
const THREADS: usize = 5;
const TIME: Duration = Duration::from_secs(3);

/// At most 20 calls in any second, by however many threads.
#[window_rate_limit(limit = LIMIT, window = WINDOW, name = "get_content", permit = permit)]
fn get_content() -> Result<Permit<'static>, RateLimitExceeded> {
    Ok(permit)
}

/// A call, by the instants right before and right after it. Somewhere between them it was decided.
struct Call {
    thread: usize,
    before: Instant,
    after: Instant,
    outcome: Result<Permit<'static>, RateLimitExceeded>,
}

fn main() {
    let started = Instant::now();
    println!("five threads, {LIMIT} calls in any second\n");
    println!(" time    thread   call       the last second");

    let mut calls = Vec::new();
    thread::scope(|scope| {
        let (report, reports) = mpsc::channel();
        for thread in 1..=THREADS {
            let report = report.clone();
            scope.spawn(move || {
                while started.elapsed() < TIME {
                    let before = Instant::now();
                    let outcome = get_content();
                    let after = Instant::now();
                    report.send(Call { thread, before, after, outcome }).expect("somebody prints them");
                    thread::sleep(Duration::from_millis(fastrand::u64(150..=250)));
                }
            });
        }
        // Ours, so that the reports end with the last thread.
        drop(report);
        for call in reports {
            print(&call, started);
            calls.push(call);
        }
    });

    let admitted: Vec<&Call> = calls.iter().filter(|call| call.outcome.is_ok()).collect();
    println!(
        "\n{} calls: {} admitted, {} refused",
        calls.len(),
        admitted.len(),
        calls.len() - admitted.len()
    );
    println!("the fullest second, wherever it starts: {} of {LIMIT} admitted", fullest(&admitted));
}

fn print(call: &Call, started: Instant) {
    let (color, word, count) = match &call.outcome {
        Ok(permit) => (AnsiColor::Green, "admitted", format!("{:>2} of {LIMIT}", permit.usage().live())),
        Err(refusal) => {
            let wait = refusal.retry_after().unwrap_or_default().as_millis();
            (AnsiColor::Red, "refused ", format!("full, room in {wait} ms"))
        }
    };
    let style = Style::new().fg_color(Some(color.into())).bold();
    let time = (call.before - started).as_secs_f64();
    println!("{time:5.2}s  {:>6}    {style}{word}{style:#}   {count}", call.thread);
}

/// The most admitted calls that lie in one second with all that they took, from before the call to after it.
///
/// When exactly the limiter decided is not to be seen from here. Instants that are taken only after the calls, or only
/// before them, could be closer together than the decisions were, and show 21 in a second that held 20. But a call that
/// lies wholly in a second was decided in it: no more than 20 do, however the threads are delayed.
fn fullest(admitted: &[&Call]) -> usize {
    // The second that holds the most can start with a call.
    let seconds = admitted.iter().map(|first| {
        admitted
            .iter()
            .filter(|call| call.before >= first.before && call.after < first.before + WINDOW)
            .count()
    });
    seconds.max().unwrap_or(0)
}
