//! A small service on actix-web: `cargo run --example actix_web --features actix-web`, then
//! `curl -i http://127.0.0.1:3000/`, six times.
//!
//! `PORT` chooses another port, 0 any free one.

use std::process::ExitCode;

use actix_web::{App, HttpResponse, HttpServer, get};
use windowlimit::{RateLimitExceeded, RateLimitFields, window_rate_limit};
use windowlimit_examples::{end, listener};

/// Five answers a minute, for the whole application, however many workers there are. A refusal is a response: 429, with when
/// to come back, in header fields and a body that programs can read.
#[get("/")]
#[window_rate_limit(limit = 5, window = "1m", name = "hello")]
async fn hello() -> Result<&'static str, RateLimitExceeded> {
    Ok("Hello World\n")
}

/// Ten a second and thirty a minute, decided together. Who is admitted reads what is left.
#[get("/search")]
#[window_rate_limit(limits = [(10, "1s"), (30, "1m")], name = "search", permit = permit)]
async fn search() -> Result<HttpResponse, RateLimitExceeded> {
    let mut response = HttpResponse::Ok();
    for field in RateLimitFields::from(&permit).iter() {
        response.append_header(field);
    }
    Ok(response.body("nothing found\n"))
}

#[actix_web::main]
async fn main() -> ExitCode {
    end(serve().await)
}

async fn serve() -> Result<(), String> {
    let listener = listener().await?.into_std().map_err(|error| error.to_string())?;
    let service = HttpServer::new(|| App::new().service(hello).service(search));
    let service = service.listen(listener).map_err(|error| error.to_string())?;
    service.run().await.map_err(|error| error.to_string())
}
