//! Programs that show `windowlimit` at work: `cargo run --example quickstart` first, then `windows`, `threads` and
//! `axum`.
