//! Refusals and permits in the types of frameworks, and the layer, each in a server that listens and by a client that calls.
#![forbid(unsafe_code)]
#![cfg(not(windowlimit_loom))]

mod actix;
mod additive;
mod clones;
mod layer;
mod server;
mod types;
