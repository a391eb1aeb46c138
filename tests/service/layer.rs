//! What the layer answers, and what it leaves alone.

use std::{
    convert::Infallible,
    future::{Ready, ready},
    net::{IpAddr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::{Router, extract::ConnectInfo, routing};
use http::{Request, Response};
use serde_json::Value;
use tower::{BoxError, Layer, Service, ServiceExt, service_fn};
use windowlimit::{
    ClientKey, Clients, FieldSyntax, KeyedLimiter, Limit, Limiter, ManualClock, RateLimitExceeded,
    RateLimitFields, WindowLimitLayer,
};

use crate::server::{get, served};

type Manual = Arc<ManualClock>;

fn limiter(limit: Limit) -> Arc<Limiter<Manual>> {
    let builder = Limiter::builder().name("api").limit(limit).clock(Manual::default());
    Arc::new(builder.build().expect("it has a limit"))
}

/// Says how often it was called.
fn counting()
-> (Arc<AtomicU32>, impl Service<Request<()>, Response = Response<String>, Error = Infallible> + Clone) {
    let calls = Arc::new(AtomicU32::new(0));
    let counter = calls.clone();
    let service = service_fn(move |_: Request<()>| {
        counter.fetch_add(1, Ordering::Relaxed);
        ready(Ok(Response::new("hello".to_owned())))
    });
    (calls, service)
}

#[tokio::test]
async fn a_refused_request_does_not_reach_the_service() {
    let limiter = limiter(Limit::per_minute(2));
    let (calls, inner) = counting();
    let mut service = WindowLimitLayer::new(limiter.clone()).layer(inner);
    for call in 0..10 {
        let response = service.ready().await.unwrap().call(Request::new(())).await.unwrap();
        assert_eq!(response.status(), if call < 2 { 200 } else { 429 });
        // Nothing is added to what is admitted unless that was asked for.
        assert_eq!(response.headers().is_empty(), call < 2);
    }
    assert_eq!(calls.load(Ordering::Relaxed), 2);
    limiter.clock().advance(Duration::from_secs(60));
    let response = service.ready().await.unwrap().call(Request::new(())).await.unwrap();
    assert_eq!(response.status(), 200);
}

#[tokio::test]
async fn f96_fields_are_added_where_they_are_asked_for() {
    let (_, inner) = counting();
    let layer = WindowLimitLayer::new(limiter(Limit::per_minute(2))).with_fields();
    let mut service = layer.x_rate_limit().layer(inner);
    let mut answers = Vec::new();
    for _ in 0..3 {
        answers.push(service.ready().await.unwrap().call(Request::new(())).await.unwrap());
    }
    for (answer, left) in answers.iter().zip([1, 0, 0]) {
        assert_eq!(answer.headers()["ratelimit-policy"], r#""api";q=2;w=60"#);
        assert_eq!(answer.headers()["ratelimit"], format!(r#""api";r={left};t=60"#));
        assert_eq!(answer.headers()["x-ratelimit-remaining"], left.to_string());
    }
    assert!(!answers[1].headers().contains_key("retry-after"));
    assert_eq!(answers[2].headers()["retry-after"], "60");
}

#[tokio::test]
async fn the_syntax_that_was_chosen_is_that_of_all_answers() {
    let (_, inner) = counting();
    let layer =
        WindowLimitLayer::new(limiter(Limit::per_minute(1))).with_fields().syntax(FieldSyntax::Draft07);
    let mut service = layer.layer(inner);
    for _ in 0..2 {
        let answer = service.ready().await.unwrap().call(Request::new(())).await.unwrap();
        assert_eq!(answer.headers()["ratelimit"], "limit=1, remaining=0, reset=60");
        assert!(!answer.headers().contains_key("x-ratelimit-limit"));
    }
}

/// Two limiters that a request passes, one behind the other: the lists of both are in the response.
#[test]
fn f94_limits_of_several_layers_are_all_told() {
    static OUTER: Limiter = Limiter::new("outer", Limit::per_hour(9));
    static INNER: Limiter = Limiter::new("inner", Limit::per_hour(3));
    async fn hello() -> Result<(RateLimitFields, &'static str), RateLimitExceeded> {
        Ok((RateLimitFields::from(&INNER.try_acquire()?), "hello"))
    }
    let router =
        Router::new().route("/", routing::get(hello)).layer(WindowLimitLayer::new(&OUTER).with_fields());
    served(router, |address| {
        let answer = get(address, "/");
        assert_eq!((answer.status, answer.body.as_str()), (200, "hello"));
        assert_eq!(answer.all("ratelimit"), [r#""inner";r=2;t=3600"#, r#""outer";r=8;t=3600"#]);
        assert_eq!(answer.all("ratelimit-policy"), [r#""inner";q=3;w=3600"#, r#""outer";q=9;w=3600"#]);
        // A client reads them as one list.
        let all = answer.all("ratelimit").join(", ");
        assert_eq!(sfv::Parser::new(&all).parse::<sfv::List>().expect("it is a list").len(), 2);
    });
}

#[test]
fn f93_a_layer_that_is_keyed_by_clients_does_not_believe_a_header() {
    static PER_CLIENT: KeyedLimiter = KeyedLimiter::new("client", Limit::per_hour(3));
    static CLIENTS: Clients = Clients::new();
    fn client(request: &axum::extract::Request) -> ClientKey {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        CLIENTS.key(peer.map(|peer| peer.ip()), request.headers().get_all(CLIENTS.header_name()))
    }
    let router = Router::new()
        .route("/", routing::get(|| async { "hello" }))
        .layer(WindowLimitLayer::keyed(&PER_CLIENT, client));
    let statuses = served(router, |address| {
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
        let url = format!("http://{address}/");
        let call = |n: u8| agent.get(&url).header("X-Forwarded-For", format!("198.51.100.{n}, real")).call();
        (0..10).map(|n| call(n).expect("it answers").status().as_u16()).collect::<Vec<_>>()
    });
    assert_eq!(statuses, [vec![200; 3], vec![429; 7]].concat());
    let me: IpAddr = [127, 0, 0, 1].into();
    assert_eq!(PER_CLIENT.usage(&CLIENTS.key(me, None::<&str>)).live(), 3);
}

#[test]
fn a_refusal_over_a_socket_is_a_problem() {
    static DOOR: Limiter = Limiter::new("door", Limit::per_hour(1));
    let router =
        Router::new().route("/", routing::get(|| async { "hello" })).layer(WindowLimitLayer::new(&DOOR));
    let answers = served(router, |address| [get(address, "/"), get(address, "/")]);
    assert_eq!(answers[0].status, 200);
    let problem: Value = serde_json::from_str(&answers[1].body).expect("it is JSON");
    assert_eq!((&problem["status"], &problem["violated-policies"][0]), (&429.into(), &"door".into()));
    assert_eq!(answers[1].all("retry-after"), ["3600"]);
}

#[tokio::test]
async fn a_refusal_may_be_an_error_and_the_request_of_any_type() {
    let limiter = limiter(Limit::per_minute(1));
    let inner = service_fn(|number: u32| async move { Ok::<_, BoxError>(number + 1) });
    let mut client = WindowLimitLayer::new(limiter).refuse_with_error().layer(inner);
    assert_eq!(client.ready().await.unwrap().call(1).await.unwrap(), 2);
    let error = client.ready().await.unwrap().call(1).await.unwrap_err();
    let refusal = error.downcast::<RateLimitExceeded>().expect("it is the refusal");
    assert_eq!(refusal.retry_after(), Some(Duration::from_secs(60)));
}

#[tokio::test]
async fn a_refusal_may_be_a_response_of_ones_own() {
    let (_, inner) = counting();
    let layer = WindowLimitLayer::new(limiter(Limit::per_minute(0)));
    let layer =
        layer.respond_with(|refusal| Response::builder().status(503).body(refusal.to_string()).unwrap());
    let response = layer.layer(inner).oneshot(Request::new(())).await.unwrap();
    assert_eq!((response.status().as_u16(), response.body().len()), (503, 42));
}

/// Whether it is ready is up to the service behind, and its errors are its own.
#[tokio::test]
async fn the_service_behind_says_when_it_is_ready() {
    #[derive(Clone)]
    struct Broken;

    impl Service<Request<()>> for Broken {
        type Response = Response<String>;
        type Error = &'static str;
        type Future = Ready<Result<Response<String>, &'static str>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), &'static str>> {
            Poll::Ready(Err("broken"))
        }

        fn call(&mut self, _: Request<()>) -> Self::Future {
            ready(Err("called"))
        }
    }

    let limiter = limiter(Limit::per_minute(1));
    let mut service = WindowLimitLayer::new(limiter.clone()).with_fields().layer(Broken);
    assert_eq!(service.ready().await.err(), Some("broken"));
    assert_eq!(limiter.usage().live(), 0, "it was not called");
    assert_eq!(service.call(Request::new(())).await.err(), Some("called"));
    assert_eq!(service.call(Request::new(())).await.expect("it is refused").status(), 429);
}

/// A client over a socket that comes back when it is told to. The service's clock is moved by hand, so that the time in between
/// is exactly what the client was told.
#[test]
fn f89_a_client_that_obeys_retry_after_succeeds_at_the_first_try_a_hundred_times_of_a_hundred() {
    let clock = Manual::default();
    let limits = [Limit::new(3, Duration::from_millis(2_700)).expect("it is a limit"), Limit::per_minute(40)];
    let limiter = Limiter::builder().name("api").limits(limits).clock(clock.clone()).build();
    let layer = WindowLimitLayer::new(Arc::new(limiter.expect("it has limits")));
    let router = Router::new().route("/", routing::get(|| async { "hello" })).layer(layer);
    served(router, |address| {
        let mut random = fastrand::Rng::with_seed(3);
        let mut obeyed = 0;
        while obeyed < 100 {
            clock.advance(Duration::from_nanos(random.u64(0..500_000_000)));
            let answer = get(address, "/");
            if answer.status == 200 {
                continue;
            }
            let seconds = answer.all("retry-after")[0].parse().expect("it is in digits");
            clock.advance(Duration::from_secs(seconds));
            assert_eq!(get(address, "/").status, 200, "after {seconds} s");
            obeyed += 1;
        }
    });
}
