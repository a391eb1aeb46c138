//@ run-pass
//@ deps: axum futures
// `debug_handler` of axum, above and below, and a method router around each.
use axum::{Router, debug_handler, extract::Path, http::StatusCode, routing::get};
use windowlimit::window_rate_limit;

#[debug_handler]
#[window_rate_limit(limit = 2, window = "1m", error = StatusCode::TOO_MANY_REQUESTS)]
async fn above(Path(n): Path<u32>) -> Result<String, StatusCode> {
    std::future::ready(()).await;
    Ok(n.to_string())
}

#[window_rate_limit(limit = 2, window = "1m", error = StatusCode::TOO_MANY_REQUESTS, skip_if = n == 1)]
#[debug_handler]
async fn below(Path(n): Path<u32>) -> Result<String, StatusCode> {
    Ok(n.to_string())
}

fn main() {
    let _: Router = Router::new().route("/above", get(above)).route("/below", get(below));
    use futures::executor::block_on;
    for _ in 0..2 {
        assert_eq!(block_on(above(Path(7))), Ok("7".to_owned()));
        assert_eq!(block_on(below(Path(7))), Ok("7".to_owned()));
    }
    assert_eq!(block_on(above(Path(7))), Err(StatusCode::TOO_MANY_REQUESTS));
    assert_eq!(block_on(below(Path(7))), Err(StatusCode::TOO_MANY_REQUESTS));
    assert!(block_on(below(Path(1))).is_ok());
}
