//! The example `tonic`, by a client of tonic's.

use std::time::Duration;

use tonic::{Code, transport::Channel};
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
use tonic_types::StatusExt;

use crate::service::{Service, within_a_window};

fn start() -> Service {
    Service::start_with("tonic", "tonic", &[])
}

/// So many calls at once, over one connection.
fn at_once(service: &Service, calls: usize) -> Vec<Result<tonic::metadata::MetadataMap, tonic::Status>> {
    let runtime = tokio::runtime::Runtime::new().expect("there are threads");
    let address = service.address().to_owned();
    runtime.block_on(async {
        let endpoint = Channel::from_shared(address).expect("it is an address");
        let client = HealthClient::new(endpoint.connect().await.expect("the service listens"));
        let calls: Vec<_> = (0..calls)
            .map(|_| {
                let mut client = client.clone();
                tokio::spawn(async move { client.check(HealthCheckRequest::default()).await })
            })
            .collect();
        let mut answers = Vec::new();
        for call in calls {
            let answer = call.await.expect("it did not panic");
            answers.push(answer.map(|response| response.metadata().clone()));
        }
        answers
    })
}

#[test]
fn of_many_concurrent_calls_as_many_succeed_as_the_limit_says() {
    let answers = within_a_window(start, |service| at_once(service, 60));
    let (admitted, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert_eq!((admitted.len(), refused.len()), (5, 55));

    // Each saw a place of its own.
    let mut places: Vec<String> = admitted
        .iter()
        .flatten()
        .map(|metadata| {
            metadata.get("ratelimit").expect("it is there").to_str().expect("it is text").to_owned()
        })
        .collect();
    places.sort();
    let places: Vec<&str> =
        places.iter().map(|place| &place[..place.find(";t").expect("it says for how long")]).collect();
    let expected: Vec<String> = (0..5).map(|place| format!("\"check\";r={place}")).collect();
    assert_eq!(places, expected);

    for status in refused.into_iter().map(|answer| answer.expect_err("it was refused")) {
        assert_eq!(status.code(), Code::ResourceExhausted);
        assert_eq!(status.message(), "Too many requests, please try again later.");
        let details = status.get_error_details();
        let delay =
            details.retry_info().and_then(|info| info.retry_delay).expect("it says when to come back");
        assert!(delay > Duration::ZERO && delay <= Duration::from_secs(60));
        let violations = &details.quota_failure().expect("it says which quota").violations;
        assert_eq!(violations.len(), 1);
        assert_eq!((&*violations[0].subject, &*violations[0].description), ("check", "at most 5 per 1m"));
        let seconds =
            status.metadata().get("retry-after").expect("it is there").to_str().expect("it is text");
        assert_eq!(seconds.parse(), Ok(delay.as_secs() + u64::from(delay.subsec_nanos() > 0)));
    }
}

/// A hundred a second of a client, in front of the whole server: what that refuses is a status of gRPC too.
#[test]
fn the_layer_in_front_of_the_server_answers_as_grpc_does() {
    let service = start();
    for _ in 0..20 {
        let answers = at_once(&service, 2_000);
        let refused = answers.into_iter().filter_map(Result::err);
        let by_the_layer = refused.filter(|status| {
            assert_eq!(status.code(), Code::ResourceExhausted);
            let details = status.get_error_details();
            details.quota_failure().expect("it says which quota").violations[0].subject == "calls"
        });
        if by_the_layer.count() > 0 {
            return;
        }
    }
    panic!("2 000 calls take more than twenty seconds on this machine: nothing was shown");
}
