//! Examples that are services, as real processes, over real sockets.
#![forbid(unsafe_code)]
#![cfg(not(windowlimit_loom))]

#[cfg(feature = "service")]
mod grpc;
mod one_window;
mod per_client;
mod polite_client;
mod service;
#[cfg(feature = "service")]
mod tower_client;
