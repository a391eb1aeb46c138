//! Calls that the service makes by itself, so that there is something to see.

use std::time::Duration;

use crate::{export, hello, profile, search};

/// Calls each handler at its own pace, now in a rush and now hardly ever.
pub(crate) fn start() {
    tokio::spawn(async {
        loop {
            drop(hello().await);
            pause(400).await;
        }
    });
    tokio::spawn(async {
        loop {
            for _ in 0..fastrand::u32(1..12) {
                drop(search().await);
                pause(80).await;
            }
            pause(4_000).await;
        }
    });
    tokio::spawn(async {
        loop {
            drop(export(fastrand::u32(1..20)).await);
            pause(1_200).await;
        }
    });
    tokio::spawn(async {
        loop {
            // A few users call much more often than the rest.
            let user = fastrand::u32(1..=40);
            drop(profile(if user > 20 { user % 4 } else { user }).await);
            pause(60).await;
        }
    });
}

/// Waits for so many milliseconds, more or less.
async fn pause(about: u64) {
    tokio::time::sleep(Duration::from_millis(fastrand::u64(about / 2..about * 2))).await;
}
