//! Who a call comes from, case by case. `forged` tries everything else that a client may write.

use std::{collections::HashSet, net::IpAddr};

use windowlimit::{ClientKey, Clients, ForwardingHeader, IpNet};

const NO_LINES: [&str; 0] = [];
/// A client, and a proxy of ours.
const CLIENT: &str = "203.0.113.9";
const PROXY: &str = "10.0.0.1";

fn ip(text: &str) -> IpAddr {
    text.parse().expect("it is an address")
}

fn net(text: &str) -> IpNet {
    text.parse().expect("it is a network")
}

/// Behind proxies in two networks.
fn behind_proxies(header: ForwardingHeader) -> Clients {
    Clients::new().trust_proxies([net("10.0.0.0/8"), net("fd00::/8")]).forwarding_header(header)
}

/// The key as text, of a call that a proxy passes on with these lines of `X-Forwarded-For`.
fn x_forwarded_for(lines: impl IntoIterator<Item = &'static str>) -> String {
    behind_proxies(ForwardingHeader::XForwardedFor).key(ip(PROXY), lines).to_string()
}

/// The same with lines of `Forwarded`.
fn forwarded(lines: impl IntoIterator<Item = &'static str>) -> String {
    behind_proxies(ForwardingHeader::Forwarded).key(ip(PROXY), lines).to_string()
}

fn key_of_peer(peer: &str) -> ClientKey {
    Clients::new().key(ip(peer), NO_LINES)
}

#[test]
fn without_a_header_the_peer_is_the_client() {
    assert_eq!(key_of_peer(CLIENT).to_string(), CLIENT);
    assert_ne!(key_of_peer(CLIENT), key_of_peer("203.0.113.10"));
    assert_eq!(x_forwarded_for(NO_LINES), PROXY);
    assert_eq!(forwarded(NO_LINES), PROXY);
}

#[test]
fn an_ipv6_client_is_its_network() {
    assert_eq!(key_of_peer("2001:db8::1").to_string(), "2001:db8::/64");
    assert_eq!(key_of_peer("2001:db8::1"), key_of_peer("2001:db8::ffff:0:0:2"));
    assert_ne!(key_of_peer("2001:db8::1"), key_of_peer("2001:db8:0:1::1"));
}

#[test]
fn f55_a_client_cannot_flood_with_keys() {
    let addresses = (0..1_000_u128).map(|bits| IpAddr::from((0x2001_0db8 << 96 | bits << 40).to_be_bytes()));
    let headers = (0..1_000_u32).map(|bits| (ip(CLIENT), IpAddr::from(bits.to_be_bytes()).to_string()));
    let clients = behind_proxies(ForwardingHeader::XForwardedFor);
    let keys: HashSet<_> = addresses.map(|address| clients.key(address, NO_LINES)).collect();
    assert_eq!(keys.len(), 1);
    let keys: HashSet<_> = headers.map(|(peer, line)| clients.key(peer, [line])).collect();
    assert_eq!(keys.len(), 1);
}

#[test]
fn the_ipv6_prefix_can_be_set() {
    let key = |bits| Clients::new().ipv6_prefix(bits).key(ip("2001:db8:0:12ff::1"), NO_LINES).to_string();
    assert_eq!(key(56), "2001:db8:0:1200::/56");
    assert_eq!(key(128), "2001:db8:0:12ff::1");
    assert_eq!(key(255), "2001:db8:0:12ff::1");
    assert_eq!(key(0), "::/0");
    assert_eq!(Clients::new().ipv6_prefix(0).key(ip(CLIENT), NO_LINES).to_string(), CLIENT);
}

#[test]
fn an_ipv4_address_written_as_ipv6_is_the_ipv4_address() {
    assert_eq!(key_of_peer("::ffff:203.0.113.9"), key_of_peer(CLIENT));
    // As a peer of a listener for both kinds, as an entry, and as the network of the proxies.
    let clients = behind_proxies(ForwardingHeader::XForwardedFor);
    assert_eq!(clients.key(ip("::ffff:10.0.0.1"), ["::ffff:203.0.113.9"]).to_string(), CLIENT);
    let clients = Clients::new().trust_proxy(net("::ffff:10.0.0.0/104"));
    assert_eq!(clients.key(ip(PROXY), [CLIENT]).to_string(), CLIENT);
    assert_eq!(clients.key(ip("11.0.0.1"), [CLIENT]).to_string(), "11.0.0.1");
}

#[test]
fn f61_a_peer_without_an_address_is_a_client_like_any_other() {
    let client = Clients::new().key(None, [CLIENT]);
    assert_eq!(client.to_string(), "no address");
    assert_eq!(client, behind_proxies(ForwardingHeader::XForwardedFor).key(None, ["1.2.3.4"]));
    assert!(client.network().is_none());
    assert_ne!(client, key_of_peer("0.0.0.0"));
    assert_ne!(client, key_of_peer("::"));
}

#[test]
fn f61_an_empty_header_leaves_the_peer() {
    for line in ["", " ", ",", ", ,", "\t"] {
        assert_eq!(x_forwarded_for([line]), PROXY);
        assert_eq!(forwarded([line]), PROXY);
    }
}

#[test]
fn a_unix_socket_can_be_trusted_to_be_a_proxy() {
    let clients = Clients::new().trust_proxy(net("10.0.0.0/8")).trust_unix_socket();
    assert_eq!(clients.key(None, ["1.2.3.4, 203.0.113.9, 10.0.0.2"]).to_string(), CLIENT);
    assert_eq!(clients.key(None, ["garbage"]).to_string(), "no address");
    assert_eq!(clients.key(ip(CLIENT), ["1.2.3.4"]).to_string(), CLIENT);
}

#[test]
fn f93_a_header_of_an_untrusted_peer_does_not_count() {
    for clients in [Clients::new(), behind_proxies(ForwardingHeader::XForwardedFor)] {
        assert_eq!(clients.key(ip(CLIENT), ["1.2.3.4, 10.0.0.2"]).to_string(), CLIENT);
    }
    let clients = behind_proxies(ForwardingHeader::Forwarded);
    assert_eq!(clients.key(ip(CLIENT), ["for=1.2.3.4"]).to_string(), CLIENT);
}

#[test]
fn f93_the_last_entry_that_is_no_proxy_is_the_client() {
    assert_eq!(x_forwarded_for([CLIENT]), CLIENT);
    assert_eq!(x_forwarded_for(["1.2.3.4, 203.0.113.9"]), CLIENT);
    assert_eq!(x_forwarded_for(["1.2.3.4, 203.0.113.9, 10.0.0.2,10.0.0.3"]), CLIENT);
    assert_eq!(x_forwarded_for(["1.2.3.4,2001:db8::17, fd00::1"]), "2001:db8::/64");
}

#[test]
fn f93_a_proxy_that_the_client_wrote_lends_it_nothing() {
    assert_eq!(x_forwarded_for(["1.2.3.4, 10.0.0.2, 203.0.113.9"]), CLIENT);
    assert_eq!(forwarded(["for=1.2.3.4, for=10.0.0.2, for=203.0.113.9"]), CLIENT);
}

#[test]
fn where_all_are_proxies_the_first_of_them_is_the_client() {
    assert_eq!(x_forwarded_for(["10.0.0.3, 10.0.0.2"]), "10.0.0.3");
    assert_eq!(x_forwarded_for(["10.0.0.3", "10.0.0.2"]), "10.0.0.3");
}

#[test]
fn several_lines_are_one_list() {
    assert_eq!(x_forwarded_for(["1.2.3.4", CLIENT]), CLIENT);
    assert_eq!(x_forwarded_for(["1.2.3.4, 203.0.113.9", "10.0.0.3, 10.0.0.2", "10.0.0.4"]), CLIENT);
    assert_eq!(forwarded(["for=1.2.3.4", "for=203.0.113.9", "for=10.0.0.2"]), CLIENT);
    // A line that cannot be read stands between what is to the left of it and what a proxy vouched for.
    assert_eq!(x_forwarded_for(["1.2.3.4", "garbage", "10.0.0.2"]), "10.0.0.2");
    assert_eq!(x_forwarded_for(["1.2.3.4", ""]), PROXY);
}

#[test]
fn what_cannot_be_read_ends_the_reading() {
    for entry in [
        "unknown",
        "_hidden",
        "",
        "garbage",
        "1.2.3",
        "01.2.3.4",
        "1.2.3.4.5",
        "1.2.3.4:",
        "1.2.3.4:port",
        "1.2.3.4:99999",
        "[2001:db8::1",
        "2001:db8::1]",
        "[]",
        "[1.2.3.4]",
        "fe80::1%eth0",
        "\"1.2.3.4\"",
        "'1.2.3.4'",
        "1.2.3.4 5.6.7.8",
        "\u{661}.2.3.4",
    ] {
        let clients = behind_proxies(ForwardingHeader::XForwardedFor);
        let key = |line: String| clients.key(ip(PROXY), [line]).to_string();
        assert_eq!(key(format!("1.2.3.4, {entry}")), PROXY, "`{entry}` at the end");
        assert_eq!(key(format!("1.2.3.4, {entry}, 10.0.0.2")), "10.0.0.2", "`{entry}` behind a proxy");
        assert_eq!(key(format!("1.2.3.4, {entry}, {CLIENT}")), CLIENT, "`{entry}` of a client");
    }
}

#[test]
fn a_port_and_brackets_are_read_past() {
    assert_eq!(x_forwarded_for(["203.0.113.9:4711"]), CLIENT);
    assert_eq!(x_forwarded_for(["203.0.113.9:4711, 10.0.0.2:80"]), CLIENT);
    assert_eq!(x_forwarded_for(["[2001:db8::1]:443"]), "2001:db8::/64");
    assert_eq!(x_forwarded_for(["[2001:db8::1]"]), "2001:db8::/64");
    assert_eq!(x_forwarded_for([" \t203.0.113.9\t "]), CLIENT);
}

#[test]
fn of_forwarded_only_for_is_read() {
    assert_eq!(forwarded(["for=203.0.113.9"]), CLIENT);
    assert_eq!(forwarded(["For=\"203.0.113.9:4711\";proto=https"]), CLIENT);
    assert_eq!(forwarded(["by=1.2.3.4;host=example.com;FOR=203.0.113.9"]), CLIENT);
    assert_eq!(forwarded(["for=\"[2001:db8::17]:4711\";proto=http, for=10.0.0.2"]), "2001:db8::/64");
    assert_eq!(forwarded(["for=\"[2001:db8::17]\" ; by=\"[fd00::1]\""]), "2001:db8::/64");
}

#[test]
fn an_element_of_forwarded_that_cannot_be_read_ends_the_reading() {
    for element in [
        "for=unknown",
        "for=_hidden",
        "for=\"_hidden:_port\"",
        "for=",
        "for=\"\"",
        "for=\"",
        "for",
        "by=1.2.3.4",
        "1.2.3.4",
        "for=\"1.2.3.4",
        "for=1.2.3.4\"",
        "for=\"1.2.3\\.4\"",
        "for=1.2.3.4;for=5.6.7.8",
        "xfor=1.2.3.4",
        "host=\"a;for=1.2.3.4\"",
    ] {
        let clients = behind_proxies(ForwardingHeader::Forwarded);
        let key = |line: String| clients.key(ip(PROXY), [line]).to_string();
        assert_eq!(key(format!("for=1.2.3.4, {element}")), PROXY, "`{element}` at the end");
        assert_eq!(
            key(format!("for=1.2.3.4, {element}, for=10.0.0.2")),
            "10.0.0.2",
            "`{element}` behind a proxy"
        );
        assert_eq!(key(format!("for=1.2.3.4, {element}, for={CLIENT}")), CLIENT, "`{element}` of a client");
    }
}

#[test]
fn f93_a_quoted_host_is_no_address() {
    assert_eq!(forwarded([r#"for=203.0.113.9;host="a, for=1.2.3.4""#]), CLIENT);
    assert_eq!(forwarded([r#"for=203.0.113.9;host="a\", for=1.2.3.4""#]), CLIENT);
    assert_eq!(forwarded([r#"for=203.0.113.9;host="a\\";proto=https"#]), CLIENT);
    assert_eq!(forwarded([r#"for=203.0.113.9;host="a;for=1.2.3.4""#]), CLIENT);
}

#[test]
fn f93_a_quote_that_the_client_left_open_swallows_nothing() {
    assert_eq!(forwarded(["for=\"1.2.3.4, for=203.0.113.9"]), CLIENT);
    assert_eq!(forwarded(["for=\"1.2.3.4\\, for=203.0.113.9;proto=\"https\""]), CLIENT);
}

#[test]
fn the_other_header_is_not_read() {
    assert_eq!(x_forwarded_for(["for=1.2.3.4"]), PROXY);
    assert_eq!(forwarded(["1.2.3.4"]), PROXY);
}

#[test]
fn bytes_that_are_no_text_do_not_hide_what_a_proxy_wrote() {
    let clients = behind_proxies(ForwardingHeader::XForwardedFor);
    assert_eq!(clients.key(ip(PROXY), [b"1.2.3.4, \xff, 203.0.113.9"]).to_string(), CLIENT);
    assert_eq!(clients.key(ip(PROXY), [b"1.2.3.4, \xff"]).to_string(), PROXY);
}

#[test]
fn who_is_in_too_large_a_network_chooses_its_key() {
    let clients = Clients::new().trust_proxy(net("0.0.0.0/0"));
    assert_eq!(clients.key(ip(CLIENT), ["1.2.3.4"]).to_string(), "1.2.3.4");
    // All IPv6 addresses are no IPv4 address.
    let clients = Clients::new().trust_proxy(net("::/0"));
    assert_eq!(clients.key(ip(CLIENT), ["1.2.3.4"]).to_string(), CLIENT);
}

#[test]
fn a_key_is_a_small_value() {
    fn is_key<K: Copy + Eq + std::hash::Hash + Ord + Send + Sync + 'static>(_: K) {}
    is_key(key_of_peer(CLIENT));
    assert!(size_of::<ClientKey>() <= 24);
    assert_eq!(format!("{:?}", key_of_peer(CLIENT)), "ClientKey(203.0.113.9)");
    assert_eq!(format!("[{:<14}]", key_of_peer(CLIENT)), "[203.0.113.9   ]");
    let keys: HashSet<_> = ["2001:db8::1", "2001:db8::2", CLIENT].map(key_of_peer).into();
    assert_eq!(keys.len(), 2);
}
