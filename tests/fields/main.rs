//! What a client reads about its limits: header fields, read by a library for structured fields, and the body of a problem.
#![forbid(unsafe_code)]
#![cfg(not(windowlimit_loom))]

mod limits;
mod permit;
mod refusal;
mod retry;
mod several;
