//! A small gRPC service: `cargo run --example tonic --features tonic`, then, with any gRPC client, six times
//! `grpc.health.v1.Health/Check` at 127.0.0.1:3000.
//!
//! It is the standard health service, since that comes ready-made: a service of one's own looks the same. `PORT` chooses
//! another port, 0 any free one.

use std::{net::IpAddr, process::ExitCode};

use tonic::{
    Request, Response, Status,
    transport::{
        Server,
        server::{TcpConnectInfo, TcpIncoming},
    },
};
use tonic_health::{
    pb::{
        HealthCheckRequest, HealthCheckResponse,
        health_server::{Health, HealthServer},
    },
    server::WatchStream,
};
use windowlimit::{KeyedLimiter, Limit, RateLimitFields, WindowLimitLayer, window_rate_limit};
use windowlimit_examples::{end, listener};

/// A hundred calls a second of each client, whatever it calls: a layer in front of the whole server.
static CALLS: KeyedLimiter = KeyedLimiter::new("calls", Limit::per_second(100));

struct Doctor;

#[tonic::async_trait]
impl Health for Doctor {
    /// Five a minute, for the whole application. A refusal is a status: `RESOURCE_EXHAUSTED`, with `RetryInfo` and
    /// `QuotaFailure`. Who is admitted reads in the metadata what is left.
    #[window_rate_limit(limit = 5, window = "1m", name = "check", permit = permit)]
    async fn check(&self, _: Request<HealthCheckRequest>) -> Result<Response<HealthCheckResponse>, Status> {
        let serving = 1;
        let mut response = Response::new(HealthCheckResponse { status: serving });
        RateLimitFields::from(&permit).append_to(response.metadata_mut().as_mut());
        Ok(response)
    }

    type WatchStream = WatchStream;

    async fn watch(&self, _: Request<HealthCheckRequest>) -> Result<Response<WatchStream>, Status> {
        Err(Status::unimplemented("this service is watched by its limits"))
    }
}

/// The other end of the connection, which a client cannot forge.
fn peer<B>(request: &tonic::codegen::http::Request<B>) -> Option<IpAddr> {
    request.extensions().get::<TcpConnectInfo>()?.remote_addr().map(|peer| peer.ip())
}

#[tokio::main]
async fn main() -> ExitCode {
    end(serve().await)
}

async fn serve() -> Result<(), String> {
    let listener = listener().await?;

    let limit =
        WindowLimitLayer::keyed(&CALLS, peer).respond_with(|refusal| Status::from(refusal).into_http());
    let server = Server::builder().layer(limit).add_service(HealthServer::new(Doctor));
    server.serve_with_incoming(TcpIncoming::from(listener)).await.map_err(|error| error.to_string())
}
