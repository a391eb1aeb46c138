//! A layer that is cloned is still one window.

use std::{convert::Infallible, sync::Arc};

use axum::{Router, routing::get};
use http::{Request, Response};
use tower::{Layer, Service, ServiceExt, service_fn};
use windowlimit::{KeyedLimiter, Limit, Limiter, WindowLimitLayer};

use crate::server::{flood, served};

async fn hello() -> &'static str {
    "hello"
}

/// 1 500 requests, each on a connection of its own. Hours, so that nothing comes free while they are on their way.
#[test]
fn f91_of_1500_concurrent_connections_five_pass() {
    static DOOR: Limiter = Limiter::new("door", Limit::per_hour(5));
    let router = Router::new().route("/", get(hello)).layer(WindowLimitLayer::new(&DOOR));
    let answers = served(router, |address| flood(address, "/", 30, 50));
    let admitted = answers.iter().filter(|answer| answer.status == 200).count();
    let refused = answers.iter().filter(|answer| answer.status == 429).count();
    assert_eq!((admitted, refused), (5, 1_495));
}

#[test]
fn f91_the_same_by_key_and_shared_by_an_arc() {
    let builder = KeyedLimiter::builder().name("door").limit(Limit::per_hour(5));
    let limiter = Arc::new(builder.build().expect("it has a limit"));
    let layer = WindowLimitLayer::keyed(limiter.clone(), |request: &axum::extract::Request| {
        request.uri().path().to_owned()
    });
    let router = Router::new().route("/a", get(hello)).route("/b", get(hello)).layer(layer);
    let (a, b) = served(router, |address| (flood(address, "/a", 10, 20), flood(address, "/b", 10, 20)));
    for answers in [a, b] {
        assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 5);
    }
    assert_eq!(limiter.len(), 2);
}

/// The layer, the service that it makes, and the limiter again in another layer.
#[tokio::test]
async fn f91_all_that_is_made_over_one_limiter_is_one_window() {
    static DOOR: Limiter = Limiter::new("door", Limit::per_hour(5));
    let inner = || service_fn(|_: Request<()>| async { Ok::<_, Infallible>(Response::new(String::new())) });
    let layer = WindowLimitLayer::new(&DOOR);
    let first = layer.layer(inner());
    let mut admitted = 0;
    for round in 0..20 {
        let mut services = [
            first.clone().boxed_clone(),
            layer.layer(inner()).boxed_clone(),
            layer.clone().layer(inner()).boxed_clone(),
            WindowLimitLayer::new(&DOOR).layer(inner()).boxed_clone(),
        ];
        let service = &mut services[round % 4];
        let response = service.ready().await.unwrap().call(Request::new(())).await.unwrap();
        admitted += u32::from(response.status() == 200);
    }
    assert_eq!(admitted, 5);
    assert_eq!(DOOR.usage().live(), 5);
}
