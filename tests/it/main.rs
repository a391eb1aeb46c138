//! The tests that need no model checker and no server: one binary, a module for each subject.
#![forbid(unsafe_code)]
#![cfg(not(windowlimit_loom))]

#[cfg(not(feature = "service"))]
mod additive;
mod attribute;
mod client;
mod clock;
mod concurrency;
mod corpus;
mod exact;
mod fixed;
mod forged;
mod keyed;
mod layout;
mod limit;
mod oracle;
mod picture;
mod refusal;
mod segmented;
mod shards;
