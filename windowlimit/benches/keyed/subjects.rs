//! What is measured: windowlimit, and what others use for a limit of each key.
//!
//! All read the same clock. Ours and governor read `SystemClock`; the textbook map and rate-net what it reads,
//! `std::time::Instant`.

use std::{
    collections::VecDeque,
    hash::Hash,
    num::NonZeroU32,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use dashmap::DashMap;
use governor::{Quota, RateLimiter, nanos::Nanos};
use rate_net::{Algorithm, Eviction};
use windowlimit::{Clock as _, KeyedLimiter, Limit, SystemClock};

/// What keys are.
pub(crate) trait Key: Clone + Default + Hash + Eq + Send + Sync + 'static {
    const NAME: &'static str;

    /// Makes this the key of a number, in the place where it is.
    fn set(&mut self, number: u64);

    fn rate_net(&self) -> rate_net::Key;
}

impl Key for u64 {
    const NAME: &'static str = "numbers of 64 bits";

    fn set(&mut self, number: u64) {
        *self = number;
    }

    fn rate_net(&self) -> rate_net::Key {
        rate_net::Key::id(*self)
    }
}

impl Key for String {
    const NAME: &'static str = "texts of 16 bytes";

    fn set(&mut self, number: u64) {
        const DIGITS: [char; 16] =
            ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
        self.clear();
        self.extend((0..16).map(|digit| DIGITS[(number >> (4 * digit) & 15) as usize]));
    }

    fn rate_net(&self) -> rate_net::Key {
        self.as_str().into()
    }
}

/// Something that decides for a key.
pub(crate) type Decide<K> = Box<dyn Fn(&K) -> bool + Send + Sync>;

pub(crate) const NAMES: [&str; 4] =
    ["windowlimit", "governor", "`DashMap` of `Mutex<VecDeque>`", "rate-net, `SlidingWindowLog`"];

/// The one that has this place among the names: so many calls of a key in a window, for so many keys.
pub(crate) fn subject<K: Key>(place: usize, max: u32, window: Duration, keys: usize) -> Decide<K> {
    match place {
        0 => ours(max, window, keys),
        1 => governor(max, window),
        2 => textbook(max, window),
        _ => rate_net(max, window, keys),
    }
}

fn ours<K: Key>(max: u32, window: Duration, keys: usize) -> Decide<K> {
    let limit = Limit::new(max, window).expect("the window is above zero");
    // As many as it is when nothing is said of it, unless there are more.
    let builder = KeyedLimiter::builder().limit(limit).max_keys(keys.max(1_000_000));
    let limiter = builder.build().expect("it has a limit");
    Box::new(move |key| limiter.check(key).is_ok())
}

/// Our clock in governor's words, so that both sides pay for the same reading.
#[derive(Clone)]
struct SameClock;

impl governor::clock::Clock for SameClock {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        Nanos::new(SystemClock.now())
    }
}

fn governor<K: Key>(max: u32, window: Duration) -> Decide<K> {
    let burst = NonZeroU32::new(max).expect("no limit here is 0");
    let quota = Quota::with_period(window / max).expect("the period is above zero").allow_burst(burst);
    let limiter = RateLimiter::dashmap_with_clock(quota, SameClock);
    Box::new(move |key| limiter.check_key(key).is_ok())
}

/// What one writes first.
fn textbook<K: Key>(max: u32, window: Duration) -> Decide<K> {
    let (windows, max) = (DashMap::<K, Mutex<VecDeque<Instant>>>::new(), max as usize);
    let admits = move |admissions: &Mutex<VecDeque<Instant>>| {
        let mut admissions = admissions.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        while admissions.front().is_some_and(|&oldest| now.duration_since(oldest) >= window) {
            admissions.pop_front();
        }
        let admits = admissions.len() < max;
        if admits {
            admissions.push_back(now);
        }
        admits
    };
    Box::new(move |key| match windows.get(key) {
        Some(admissions) => admits(&admissions),
        None => admits(&windows.entry(key.clone()).or_default()),
    })
}

fn rate_net<K: Key>(max: u32, window: Duration, keys: usize) -> Decide<K> {
    let quota = rate_net::Quota::rate(max, window).expect("neither is zero");
    // With room to spare: its bound is one of each shard.
    let limiter = rate_net::RateLimiter::with_quota(quota)
        .with_algorithm(Algorithm::SlidingWindowLog)
        .with_eviction(Eviction::capacity(keys * 2));
    Box::new(move |key| limiter.check(key.rate_net()).is_allow())
}
