//! Shared windows, on real servers that the tests start: each test once on Redis and once on Valkey. Where one of them is
//! not installed, its tests are reported as ignored, with the reason.
#![forbid(unsafe_code)]

#[cfg(not(windowlimit_loom))]
mod attribute;
#[cfg(not(windowlimit_loom))]
mod cluster;
#[cfg(not(windowlimit_loom))]
mod conformance;
#[cfg(not(windowlimit_loom))]
mod decisions;
#[cfg(not(windowlimit_loom))]
mod door;
#[cfg(not(windowlimit_loom))]
mod faults;
#[cfg(not(windowlimit_loom))]
mod history;
#[cfg(not(windowlimit_loom))]
mod load;
#[cfg(not(windowlimit_loom))]
mod masters;
#[cfg(not(windowlimit_loom))]
mod members;
#[cfg(not(windowlimit_loom))]
mod modes;
#[cfg(not(windowlimit_loom))]
mod scenes;
#[cfg(not(windowlimit_loom))]
mod server;
#[cfg(not(windowlimit_loom))]
mod tls;
#[cfg(not(windowlimit_loom))]
mod together;
#[cfg(not(windowlimit_loom))]
mod trials;
#[cfg(not(windowlimit_loom))]
mod under_load;
#[cfg(not(windowlimit_loom))]
mod waiting;

#[cfg(not(windowlimit_loom))]
fn main() {
    trials::run();
}

#[cfg(windowlimit_loom)]
fn main() {}
