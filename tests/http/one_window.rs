//! The example `axum`, and the same on actix-web: one window for all.

use crate::service::{Answer, Service, within_a_window};

fn at_once(start: fn() -> Service, path: &str, requests: usize) -> Vec<Answer> {
    within_a_window(start, |service| service.get_at_once(path, requests))
}

pub(crate) fn of_many_concurrent_requests_as_many_succeed_as_the_limit_says(start: fn() -> Service) {
    let answers = at_once(start, "/", 60);
    let (admitted, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert_eq!(admitted.len(), 5);
    assert!(admitted.iter().all(|answer| answer.body == "Hello World\n"));
    assert!(admitted.iter().all(|answer| answer.header("retry-after").is_none()));
    assert_eq!(refused.len(), 55);
    for answer in refused {
        assert!((1..=60).contains(&answer.refused_by("hello")));
        assert_eq!(answer.member("ratelimit-policy", "q"), ("hello".to_owned(), 5));
        assert_eq!(answer.member("ratelimit-policy", "w"), ("hello".to_owned(), 60));
    }
}

/// Ten a second and thirty a minute: how many the seconds let through depends on the machine, the minute does not.
pub(crate) fn of_two_limits_neither_is_exceeded(start: fn() -> Service) {
    let answers = at_once(start, "/search", 90);
    let (admitted, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert!((10..=30).contains(&admitted.len()), "{} were admitted", admitted.len());
    assert_eq!(admitted.len() + refused.len(), 90);
    let policies = r#""search 10/1s";q=10;w=1, "search 30/1m";q=30;w=60"#;
    for answer in &answers {
        let mut named: Vec<_> = answer.members("ratelimit", "r").into_iter().map(|(name, _)| name).collect();
        named.sort();
        assert_eq!(named, ["search 10/1s", "search 30/1m"]);
    }
    for answer in admitted {
        let (policy, left) = answer.member("ratelimit", "r");
        assert!(policy == "search 10/1s" && left < 10 || policy == "search 30/1m" && left < 30);
        assert_eq!(answer.header("ratelimit-policy"), Some(policies));
    }
    for answer in refused {
        let (policy, _) = answer.member("ratelimit", "t");
        let seconds = answer.refused_by(&policy);
        // A refusal by the second says 1, which is no less for being the rest of one.
        assert!(policy == "search 10/1s" && seconds == 1 || policy == "search 30/1m" && seconds <= 60);
        assert_eq!(answer.header("ratelimit-policy"), Some(policies));
    }
}

mod axum {
    use crate::service::Service;

    fn start() -> Service {
        Service::start("axum", &[])
    }

    #[test]
    fn of_many_concurrent_requests_as_many_succeed_as_the_limit_says() {
        super::of_many_concurrent_requests_as_many_succeed_as_the_limit_says(start);
    }

    #[test]
    fn of_two_limits_neither_is_exceeded() {
        super::of_two_limits_neither_is_exceeded(start);
    }
}

#[cfg(feature = "service")]
mod actix_web {
    use crate::service::Service;

    fn start() -> Service {
        Service::start_with("actix_web", "actix-web", &[])
    }

    #[test]
    fn of_many_concurrent_requests_as_many_succeed_as_the_limit_says() {
        super::of_many_concurrent_requests_as_many_succeed_as_the_limit_says(start);
    }

    #[test]
    fn of_two_limits_neither_is_exceeded() {
        super::of_two_limits_neither_is_exceeded(start);
    }
}
