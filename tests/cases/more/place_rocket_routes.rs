//@ run-pass
//@ deps: rocket
// Route attributes of Rocket, above and below; one request takes one unit.
use rocket::{get, http::Status, local::blocking::Client, routes};
use windowlimit::window_rate_limit;

#[get("/above/<n>")]
#[window_rate_limit(limit = 2, window = "1m", error = Status::TooManyRequests)]
async fn above(n: u32) -> Result<String, Status> {
    std::future::ready(()).await;
    Ok(n.to_string())
}

#[window_rate_limit(limit = 2, window = "1m", error = Status::TooManyRequests, skip_if = n == 1)]
#[get("/below/<n>?<more>")]
fn below(n: u32, more: Option<&str>) -> Result<String, Status> {
    Ok(format!("{n}{more:?}"))
}

fn main() {
    let client = Client::untracked(rocket::build().mount("/", routes![above, below])).unwrap();
    for path in ["/above/7", "/below/7?more=x"] {
        let statuses = [(); 3].map(|()| client.get(path).dispatch().status().code);
        assert_eq!(statuses, [200, 200, 429], "{path}");
    }
    assert_eq!(client.get("/below/1").dispatch().status().code, 200);
}
