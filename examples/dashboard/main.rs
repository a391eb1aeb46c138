//! A service that can be watched and changed while it runs: `cargo run --example dashboard`, then open
//! <http://127.0.0.1:3000/>.
//!
//! Each row of the page is a limiter: how full its window is, what it admits and refuses, and where it stands in the source.
//! The buttons change it for real. The service calls its own handlers; `LOAD=off` leaves that to others. `PORT` chooses
//! another port, 0 any free one. It listens on this machine only: whoever can open the page can change limits.

mod api;
mod load;

use std::{
    env,
    net::{Ipv4Addr, SocketAddr},
    process::ExitCode,
};

use axum::{
    Router,
    http::{StatusCode, header},
    response::{Html, IntoResponse, Response},
    routing::{get, post},
};
use tokio::net::TcpListener;
use windowlimit::{RateLimitExceeded, registry, window_rate_limit};

/// Eight answers in ten seconds.
#[window_rate_limit(limit = 8, window = "10s", name = "hello")]
async fn hello() -> Result<&'static str, TooManyRequests> {
    Ok("Hello World\n")
}

/// Five a second and forty a minute, decided together.
#[window_rate_limit(limits = [(5, "1s"), (40, "1m")], name = "search")]
async fn search() -> Result<&'static str, TooManyRequests> {
    Ok("nothing found\n")
}

/// A hundred rows in thirty seconds, counted by the row, in thirty segments.
#[window_rate_limit(limit = 100, window = "30s", algorithm = segmented(30), cost = rows, name = "export")]
async fn export(rows: u32) -> Result<String, TooManyRequests> {
    Ok(format!("{rows} rows\n"))
}

/// Three in five seconds for each of the users.
#[window_rate_limit(limit = 3, window = "5s", key = user, name = "profile")]
async fn profile(user: u32) -> Result<String, TooManyRequests> {
    Ok(format!("user {user}\n"))
}

/// Three an hour, and nobody calls it but who opens `/quiet`.
#[window_rate_limit(limit = 3, window = "1h", name = "quiet")]
async fn quiet() -> Result<&'static str, TooManyRequests> {
    Ok("hush\n")
}

/// A refusal as this service answers it.
struct TooManyRequests(RateLimitExceeded);

impl From<RateLimitExceeded> for TooManyRequests {
    fn from(refusal: RateLimitExceeded) -> Self {
        Self(refusal)
    }
}

impl IntoResponse for TooManyRequests {
    fn into_response(self) -> Response {
        let mut response = (StatusCode::TOO_MANY_REQUESTS, format!("{}\n", self.0)).into_response();
        if let Some(wait) = self.0.retry_after() {
            // Whole seconds, rounded up: who comes back then is admitted.
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> Result<(), String> {
    let port = match env::var("PORT") {
        Ok(port) => {
            port.parse().map_err(|error| format!("wanted a port number in PORT, found `{port}`: {error}"))?
        }
        Err(_) => 3000,
    };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = TcpListener::bind(address)
        .await
        .map_err(|error| format!("wanted to listen on {address}: {error}; PORT=0 takes any free port"))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    println!("listening on http://{address}");

    // The page shows how many calls there are in a second: count them.
    registry().count_calls(true);
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
