//! A service that can be watched and changed while it runs: `cargo run --example dashboard`, then open
//! <http://127.0.0.1:3000/>.
//!
//! Each row of the page is a limiter: how full its window is, what it admits and refuses, and where it stands in the source.
//! The buttons change it for real. The service calls its own handlers; `LOAD=off` leaves that to others. `PORT` chooses
//! another port, 0 any free one. It listens on this machine only: whoever can open the page can change limits.

mod api;
mod load;

use std::{env, process::ExitCode};

use axum::{
    Router,
    response::Html,
    routing::{get, post},
};
use windowlimit::{RateLimitExceeded, window_rate_limit};
use windowlimit_examples::{end, listener};

/// Eight answers in ten seconds.
#[window_rate_limit(limit = 8, window = "10s", name = "hello")]
async fn hello() -> Result<&'static str, RateLimitExceeded> {
    Ok("Hello World\n")
}

/// Five a second and forty a minute, decided together.
#[window_rate_limit(limits = [(5, "1s"), (40, "1m")], name = "search")]
async fn search() -> Result<&'static str, RateLimitExceeded> {
    Ok("nothing found\n")
}

/// A hundred rows in thirty seconds, counted by the row, in thirty segments.
#[window_rate_limit(limit = 100, window = "30s", algorithm = segmented(30), cost = rows, name = "export")]
async fn export(rows: u32) -> Result<String, RateLimitExceeded> {
    Ok(format!("{rows} rows\n"))
}

/// Three in five seconds for each of the users.
#[window_rate_limit(limit = 3, window = "5s", key = user, name = "profile")]
async fn profile(user: u32) -> Result<String, RateLimitExceeded> {
    Ok(format!("user {user}\n"))
}

/// Three an hour, and nobody calls it but who opens `/quiet`.
#[window_rate_limit(limit = 3, window = "1h", name = "quiet")]
async fn quiet() -> Result<&'static str, RateLimitExceeded> {
    Ok("hush\n")
}

#[tokio::main]
async fn main() -> ExitCode {
    end(serve().await)
}

async fn serve() -> Result<(), String> {
    let listener = listener().await?;
    if env::var("LOAD").is_ok_and(|load| load == "off") {
        // Each has to be called once to be seen.
        drop((hello().await, search().await, export(1).await, profile(1).await));
    } else {
        load::start();
    }
    let service = Router::new()
        .route("/", get(|| async { Html(include_str!("page.html")) }))
        .route("/limiters", get(api::limiters))
        .route("/change", post(api::change))
        .route("/hello", get(hello))
        .route("/search", get(search))
        .route("/quiet", get(quiet));
    axum::serve(listener, service).await.map_err(|error| error.to_string())
}
