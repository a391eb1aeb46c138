//! The example `per_client`: a window for each client, whatever a client writes.

use std::net::Ipv4Addr;

use crate::service::{Answer, Service, can_call_from, within_a_window};

const ONE: Ipv4Addr = Ipv4Addr::LOCALHOST;
const OTHER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

/// Where the second address cannot be called from, there is but one client to be had.
fn has_other() -> bool {
    let can = can_call_from(OTHER);
    if !can {
        println!("SKIPPED: no request can come from {OTHER} on this machine");
    }
    can
}

fn start(proxies: &str) -> Service {
    Service::start("per_client", &[("PROXIES", proxies)])
}

/// Five answers that name the client, and then none for it.
fn assert_limited(client: &str, answers: &[Answer]) {
    assert_eq!(answers.len(), 7);
    for answer in &answers[..5] {
        assert_eq!((answer.status, answer.body.as_str()), (200, format!("Hello {client}\n").as_str()));
        assert_eq!(answer.header("retry-after"), None);
    }
    for answer in &answers[5..] {
        assert_eq!(answer.body, format!("{client}: Too many requests, please try again later.\n"));
        assert!((1..=60).contains(&answer.seconds()));
        assert_eq!(answer.member("ratelimit-policy", "q"), ("hello".to_owned(), 5));
    }
}

#[test]
fn two_clients_do_not_share_a_window() {
    if !has_other() {
        return;
    }
    let [one, other] = within_a_window(
        || start(""),
        |service| [ONE, OTHER].map(|from| (0..7).map(|_| service.get_from(from, &[])).collect::<Vec<_>>()),
    );
    assert_limited("127.0.0.1", &one);
    assert_limited("127.0.0.2", &other);
}

#[test]
fn f93_a_client_that_forges_the_header_stays_limited() {
    let forge = |service: &Service| {
        let line = |call| format!("X-Forwarded-For: 198.51.100.{call}");
        (0..7).map(|call| service.get_from(ONE, &[line(call).as_bytes()])).collect::<Vec<_>>()
    };
    assert_limited("127.0.0.1", &within_a_window(|| start(""), forge));
    // Nor does it help that somebody else is a proxy.
    assert_limited("127.0.0.1", &within_a_window(|| start("127.0.0.2/32, 10.0.0.0/8"), forge));
}

#[test]
fn f93_behind_a_proxy_clients_are_told_apart_by_what_it_saw() {
    let [one, other] = within_a_window(
        || start("127.0.0.1/32"),
        |service| {
            ["203.0.113.9", "2001:db8::1"].map(|seen| {
                let call = |call| {
                    // A line of the client's own that is no text, one that is, and what the proxy adds to it.
                    let added = format!("X-Forwarded-For: 198.51.100.{call}, 127.0.0.1, {seen}");
                    service.get_from(ONE, &[b"X-Forwarded-For: \xff", added.as_bytes()])
                };
                (0..7).map(call).collect::<Vec<_>>()
            })
        },
    );
    assert_limited("203.0.113.9", &one);
    assert_limited("2001:db8::/64", &other);
}

#[test]
fn f93_beside_a_proxy_a_client_that_comes_straight_is_known_by_its_address() {
    if !has_other() {
        return;
    }
    let answers = within_a_window(
        || start("127.0.0.1/32"),
        |service| {
            (0..7).map(|_| service.get_from(OTHER, &[b"X-Forwarded-For: 203.0.113.9"])).collect::<Vec<_>>()
        },
    );
    assert_limited("127.0.0.2", &answers);
}
