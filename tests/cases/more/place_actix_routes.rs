//@ run-pass
//@ deps: actix-web
// Route attributes of actix-web, above and below; one request takes one unit.
use actix_web::{App, Error, error::ErrorTooManyRequests, get, post, route, test, web};
use windowlimit::{Limit, Limiter, window_rate_limit};

static SHARED: Limiter = Limiter::new("shared", Limit::per_minute(2));

#[get("/above/{n}")]
#[window_rate_limit(limit = 2, window = "1m", error = ErrorTooManyRequests("busy"))]
async fn above(n: web::Path<u32>) -> Result<String, Error> {
    Ok(n.to_string())
}

#[window_rate_limit(limit = 2, window = "1m", error = |refusal| ErrorTooManyRequests(refusal))]
#[post("/below/{n}")]
async fn below(n: web::Path<u32>) -> Result<String, Error> {
    std::future::ready(()).await;
    Ok(n.to_string())
}

#[route("/several/{n}", method = "GET", method = "POST")]
#[window_rate_limit(limiter = SHARED, error = ErrorTooManyRequests("busy"), permit = permit)]
async fn several(n: web::Path<u32>) -> Result<String, Error> {
    Ok(format!("{n}{}", permit.remaining()))
}

#[actix_web::main]
async fn main() {
    let app = test::init_service(App::new().service(above).service(below).service(several)).await;
    for (path, posts) in [("/above/7", false), ("/below/7", true), ("/several/7", false)] {
        let mut statuses = Vec::new();
        for _ in 0..3 {
            let request = if posts { test::TestRequest::post() } else { test::TestRequest::get() };
            statuses.push(test::call_service(&app, request.uri(path).to_request()).await.status().as_u16());
        }
        assert_eq!(statuses, [200, 200, 429], "{path}");
    }
}
