//! A small service: `cargo run --example axum`, then `curl -i http://127.0.0.1:3000/`.
//!
//! `PORT` chooses another port, 0 any free one.

use std::process::ExitCode;

use axum::{Router, routing::get};
use windowlimit::{RateLimitExceeded, RateLimitFields, window_rate_limit};
use windowlimit_examples::{end, listener};

/// Five answers a minute, for the whole application. A refusal is a response: 429, with when to come back, in header fields
/// and a body that programs can read.
#[window_rate_limit(limit = 5, window = "1m", name = "hello")]
async fn hello() -> Result<&'static str, RateLimitExceeded> {
    Ok("Hello World\n")
}

/// Ten a second and thirty a minute, decided together. Who is admitted reads what is left.
#[window_rate_limit(limits = [(10, "1s"), (30, "1m")], name = "search", permit = permit)]
async fn search() -> Result<(RateLimitFields, &'static str), RateLimitExceeded> {
    Ok((RateLimitFields::from(&permit), "nothing found\n"))
}

#[tokio::main]
async fn main() -> ExitCode {
    end(serve().await)
}

async fn serve() -> Result<(), String> {
    let listener = listener().await?;

    let service = Router::new().route("/", get(hello)).route("/search", get(search));
    axum::serve(listener, service).await.map_err(|error| error.to_string())
}
