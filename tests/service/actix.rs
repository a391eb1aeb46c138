//! In actix-web, which has an `http` crate of its own.

use std::{collections::BTreeMap, net::SocketAddr, thread};

use actix_web::{App, HttpServer, ResponseError, get};
use windowlimit::{Limit, Limiter, RateLimitExceeded, TooManyRequests, window_rate_limit};

use crate::server::{Answer, flood};

#[get("/")]
#[window_rate_limit(limit = 5, window = "1h", name = "hello")]
async fn hello() -> Result<&'static str, RateLimitExceeded> {
    Ok("hello")
}

/// Through the framework's own error, as `?` makes it.
#[get("/boxed")]
async fn boxed() -> actix_web::Result<&'static str> {
    static DOOR: Limiter = Limiter::new("door", Limit::per_hour(5));
    DOOR.check()?;
    Ok("hello")
}

fn served<T>(ask: impl FnOnce(SocketAddr) -> T) -> T {
    let (send, receive) = std::sync::mpsc::channel();
    let server = thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let service = HttpServer::new(|| App::new().service(hello).service(boxed)).workers(4);
            let service = service.bind("127.0.0.1:0").expect("there is a free port");
            let address = service.addrs()[0];
            let running = service.run();
            send.send((address, running.handle())).expect("somebody waits for it");
            running.await
        })
    });
    let (address, handle) = receive.recv().expect("it listens");
    let answers = ask(address);
    actix_web::rt::System::new().block_on(handle.stop(false));
    server.join().expect("it did not panic").expect("it was stopped");
    answers
}

#[test]
fn workers_share_one_window_and_refuse_with_a_problem() {
    for path in ["/", "/boxed"] {
        let answers = served(|address| flood(address, path, 10, 6));
        let (admitted, refused): (Vec<Answer>, _) =
            answers.into_iter().partition(|answer| answer.status == 200);
        // The windows are of the process: in the first round they fill, later they stay so.
        assert_eq!(admitted.len(), 5, "{path}");
        for answer in refused {
            assert_eq!(answer.status, 429);
            assert_eq!(answer.all("content-type"), ["application/problem+json"]);
            assert!(answer.body.contains("quota-exceeded"), "{}", answer.body);
        }
    }
}

#[test]
fn its_response_is_that_of_http() {
    static CLOSED: Limiter = Limiter::new("closed", Limit::per_minute(0));
    let answer = TooManyRequests::from(CLOSED.check().expect_err("it is closed"));
    let response = answer.error_response();
    assert_eq!(response.status().as_u16(), 429);
    let fields =
        |name: &str, value: &[u8]| (name.to_owned(), String::from_utf8(value.to_vec()).expect("it is text"));
    let actix: BTreeMap<_, _> =
        response.headers().iter().map(|(name, value)| fields(name.as_str(), value.as_bytes())).collect();
    let http: http::Response<String> = answer.into_http();
    let expected: BTreeMap<_, _> =
        http.headers().iter().map(|(name, value)| fields(name.as_str(), value.as_bytes())).collect();
    assert_eq!(actix, expected);
}
