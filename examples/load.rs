//! Handlers under load, which keep records of their own: for `windowlimit/benches/load.sh`, and for any load generator:
//! `cargo run --release --example load`.
//!
//! * `/plain`: no attribute.
//! * `/never`: the same handler under a limit that never refuses.
//! * `/limited`: a thousand a second. Each body notes the instant at which it was admitted.
//! * `/records`: how many were admitted in each second, from an admission on, and the most in any.
//!
//! `PORT` chooses another port than 3000, 0 any free one.

use std::{
    cell::Cell,
    process::ExitCode,
    sync::{Mutex, PoisonError},
};

use axum::{Router, routing::get};
use windowlimit::{Clock, Limit, Limiter, RateLimitExceeded, SystemClock, window_rate_limit};
use windowlimit_examples::{end, listener};

const MOST: u32 = 1_000;
const WINDOW: u64 = 1_000_000_000;

async fn plain() -> Result<&'static str, RateLimitExceeded> {
    Ok("Hello World\n")
}

#[window_rate_limit(limit = u32::MAX, window = "1s", name = "never")]
async fn never() -> Result<&'static str, RateLimitExceeded> {
    Ok("Hello World\n")
}

/// The system's clock. It remembers what it last told a thread: the instant at which that thread's decision was made.
struct Remembering;

thread_local! {
    static LAST: Cell<u64> = const { Cell::new(0) };
}

impl Clock for Remembering {
    fn now(&self) -> u64 {
        let now = SystemClock.now();
        LAST.set(now);
        now
    }
}

static LIMITED: Limiter<Remembering> =
    Limiter::with_clock("limited", &[const { Limit::per_second(MOST) }], Remembering);
static ADMITTED: Mutex<Vec<u64>> = Mutex::new(Vec::new());

#[window_rate_limit(limiter = LIMITED)]
async fn limited() -> Result<&'static str, RateLimitExceeded> {
    // Still on the thread that has decided: nothing was awaited since.
    ADMITTED.lock().unwrap_or_else(PoisonError::into_inner).push(LAST.get());
    Ok("Hello World\n")
}

async fn records() -> String {
    let mut admitted = ADMITTED.lock().unwrap_or_else(PoisonError::into_inner).clone();
    admitted.sort_unstable();
    // How many a window holds that starts with the admission in this place.
    let count = |place: usize| admitted[place..].partition_point(|at| *at < admitted[place] + WINDOW);
    let most = (0..admitted.len()).map(count).max().unwrap_or(0);
    // One window after another.
    let (mut windows, mut place) = (Vec::new(), 0);
    while place < admitted.len() {
        windows.push(count(place));
        place += windows[windows.len() - 1];
    }
    format!(
        "{} admitted: one window after another {windows:?}; in any window at most {most}\n",
        admitted.len()
    )
}

#[tokio::main]
async fn main() -> ExitCode {
    end(serve().await)
}

async fn serve() -> Result<(), String> {
    let listener = listener().await?;

    let service = Router::new()
        .route("/plain", get(plain))
        .route("/never", get(never))
        .route("/limited", get(limited))
        .route("/records", get(records));
    axum::serve(listener, service).await.map_err(|error| error.to_string())
}
