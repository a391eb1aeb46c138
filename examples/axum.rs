//! A small service: `cargo run --example axum`, then `curl -i http://127.0.0.1:3000/`.
//!
//! `PORT` chooses another port, 0 any free one.

use std::{
    env,
    net::{Ipv4Addr, SocketAddr},
    process::ExitCode,
};

use axum::{
    Router,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use tokio::net::TcpListener;
use windowlimit::{RateLimitExceeded, window_rate_limit};

/// Five answers a minute, for the whole application.
#[window_rate_limit(limit = 5, window = "1m", name = "hello")]
async fn hello() -> Result<&'static str, TooManyRequests> {
    Ok("Hello World\n")
}

/// Ten a second and thirty a minute, decided together.
#[window_rate_limit(limits = [(10, "1s"), (30, "1m")], name = "search")]
async fn search() -> Result<&'static str, TooManyRequests> {
    Ok("nothing found\n")
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
            // Whole seconds, rounded up: who comes back then is admitted. A wait is never zero, so neither is this.
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

    let service = Router::new().route("/", get(hello)).route("/search", get(search));
    axum::serve(listener, service).await.map_err(|error| error.to_string())
}
