//! The example `axum`: one window for all.

use crate::service::{Answer, Service, within_a_window};

/// The seconds of a refusal, after a look at all the rest of it.
fn retry_after(refused: &Answer) -> u64 {
    assert_eq!(refused.body, "Too many requests, please try again later.\n");
    refused.seconds()
}

fn at_once(path: &str, requests: usize) -> Vec<Answer> {
    within_a_window(|| Service::start("axum", &[]), |service| service.get_at_once(path, requests))
}

#[test]
fn of_many_concurrent_requests_as_many_succeed_as_the_limit_says() {
    let answers = at_once("/", 60);
    let (admitted, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert_eq!(admitted.len(), 5);
    assert!(admitted.iter().all(|answer| answer.body == "Hello World\n" && answer.retry_after.is_none()));
    assert_eq!(refused.len(), 55);
    for answer in refused {
        assert!((1..=60).contains(&retry_after(answer)));
    }
}

/// Ten a second and thirty a minute: how many the seconds let through depends on the machine, the minute does not.
#[test]
fn of_two_limits_neither_is_exceeded() {
    let answers = at_once("/search", 90);
    let (admitted, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert!((10..=30).contains(&admitted.len()), "{} were admitted", admitted.len());
    assert_eq!(admitted.len() + refused.len(), 90);
    for answer in refused {
        // A refusal by the second says 1, which is no less for being the rest of one.
        assert!((1..=60).contains(&retry_after(answer)));
    }
}
