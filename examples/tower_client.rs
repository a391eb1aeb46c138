//! A client that keeps to somebody else's quota: `cargo run --example tower_client --features tower`, then
//! `curl -i http://127.0.0.1:3000/`, six times, and `curl http://127.0.0.1:3000/quotes/calls`.
//!
//! The service at `/` asks another one for a quotation, which bans whoever calls it more than five times a minute. So its
//! client has a limiter in front of it: the sixth call does not leave the house. The other service is at `/quotes`, for the
//! sake of the example, and counts who calls it.
//!
//! `PORT` chooses another port, 0 any free one.

use std::{
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{Request, Response, StatusCode},
    response::IntoResponse,
    routing::get,
};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use tower::{BoxError, Layer, ServiceExt, util::MapErr};
use windowlimit::{
    Limit, Limiter, RateLimitExceeded, WindowLimitLayer,
    layer::{AsError, Whole, WindowLimit},
};
use windowlimit_examples::{end, listener};

/// What the other service admits.
static QUOTES: Limiter = Limiter::new("quotes", Limit::per_minute(5));

type Connection = MapErr<Client<HttpConnector, Body>, fn(hyper_util::client::legacy::Error) -> BoxError>;

/// Cloned for each request, it is still one window: the limiter is not cloned.
type LimitedClient = WindowLimit<Connection, Whole<&'static Limiter>, AsError>;

#[derive(Clone)]
struct Here {
    client: LimitedClient,
    quotes: Arc<str>,
    calls: Arc<AtomicU32>,
}

async fn quotation(State(here): State<Here>) -> Response<Body> {
    let asked = match Request::get(&*here.quotes).body(Body::empty()) {
        Ok(request) => here.client.oneshot(request).await,
        Err(error) => Err(error.into()),
    };
    match asked {
        Ok(response) => response.map(Body::new),
        // Our own limiter says when there is room: so our client can wait for that, or be told, as here.
        Err(error) => match error.downcast::<RateLimitExceeded>() {
            Ok(refusal) => refusal.into_response(),
            Err(error) => (StatusCode::BAD_GATEWAY, format!("{error}\n")).into_response(),
        },
    }
}

/// The other service.
async fn quote(State(here): State<Here>) -> &'static str {
    // Relaxed: a count, which nothing else depends on.
    here.calls.fetch_add(1, Ordering::Relaxed);
    "less is more\n"
}

async fn calls(State(here): State<Here>) -> String {
    // Relaxed: as above.
    format!("{}\n", here.calls.load(Ordering::Relaxed))
}

#[tokio::main]
async fn main() -> ExitCode {
    end(serve().await)
}

async fn serve() -> Result<(), String> {
    let listener = listener().await?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;

    let client: Client<_, Body> = Client::builder(TokioExecutor::new()).build_http();
    let here = Here {
        client: WindowLimitLayer::new(&QUOTES).refuse_with_error().layer(client.map_err(BoxError::from)),
        quotes: format!("http://{address}/quotes").into(),
        calls: Arc::default(),
    };
    let service = Router::new().route("/", get(quotation)).route("/quotes", get(quote));
    let service = service.route("/quotes/calls", get(calls)).with_state(here);
    axum::serve(listener, service).await.map_err(|error| error.to_string())
}
