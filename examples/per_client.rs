//! A small service that limits each client for itself: `cargo run --example per_client`, then
//! `curl -i http://127.0.0.1:3000/`, six times.
//!
//! A client is known by its peer address, which it cannot forge, and a header it may write changes nothing:
//! `curl -i -H 'X-Forwarded-For: 1.2.3.4' http://127.0.0.1:3000/`. `PROXIES` names the networks, with commas between them,
//! whose header is believed; with `PROXIES=127.0.0.1/32` the call above comes from 1.2.3.4.
//!
//! `PORT` chooses another port, 0 any free one.

use std::{
    convert::Infallible,
    env,
    net::{Ipv4Addr, SocketAddr},
    process::ExitCode,
    sync::Arc,
};

use axum::{
    Router,
    extract::{ConnectInfo, FromRequestParts},
    http::{StatusCode, request::Parts},
    response::{IntoResponse, Response},
    routing::get,
};
use tokio::net::TcpListener;
use windowlimit::{ClientKey, Clients, IpNet, RateLimitExceeded, RateLimitFields, window_rate_limit};

/// Five answers a minute, for each client.
#[window_rate_limit(
    limit = 5,
    window = "1m",
    key = client,
    name = "hello",
    error = |refusal| TooManyRequests { refusal, client }
)]
async fn hello(Client(client): Client) -> Result<String, TooManyRequests> {
    Ok(format!("Hello {client}\n"))
}

/// Who calls. Before the handler runs, so that it can be the key.
struct Client(ClientKey);

impl FromRequestParts<Arc<Clients>> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, clients: &Arc<Clients>) -> Result<Self, Infallible> {
        // Without an address, as with a Unix socket, it is still a client, and all of those are one.
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|peer| peer.ip());
        // All lines, as they came. `clients` knows whether to believe them.
        Ok(Self(clients.key(peer, parts.headers.get_all(clients.header_name()))))
    }
}

/// A refusal as this service answers it: with a body of its own, and the header fields that every client understands.
struct TooManyRequests {
    refusal: RateLimitExceeded,
    client: ClientKey,
}

impl IntoResponse for TooManyRequests {
    fn into_response(self) -> Response {
        let Self { refusal, client } = self;
        let fields = RateLimitFields::from(&refusal);
        (StatusCode::TOO_MANY_REQUESTS, fields, format!("{client}: {refusal}\n")).into_response()
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
    let clients = Clients::new().trust_proxies(proxies()?);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port()?));
    let listener = TcpListener::bind(address)
        .await
        .map_err(|error| format!("wanted to listen on {address}: {error}; PORT=0 takes any free port"))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    println!("listening on http://{address}");

    let service = Router::new().route("/", get(hello)).with_state(Arc::new(clients));
    // Without this the peer's address is not known to any handler.
    let service = service.into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(listener, service).await.map_err(|error| error.to_string())
}

fn port() -> Result<u16, String> {
    let Ok(port) = env::var("PORT") else { return Ok(3000) };
    port.parse().map_err(|error| format!("wanted a port number in PORT, found `{port}`: {error}"))
}

/// One that cannot be read ends the program: a service that starts without it would take all behind it for one client.
fn proxies() -> Result<Vec<IpNet>, String> {
    let proxies = env::var("PROXIES").unwrap_or_default();
    let networks = proxies.split(',').map(str::trim).filter(|network| !network.is_empty());
    networks
        .map(|network| {
            network.parse().map_err(|_| {
                format!("wanted a network, as 10.0.0.0/8 or 10.0.0.1/32 are, in PROXIES, found `{network}`")
            })
        })
        .collect()
}
