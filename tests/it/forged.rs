//! Whatever a client writes into the header, its key is what it cannot choose.

use std::{
    iter,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use proptest::{collection::vec, prelude::*, sample::select};
use windowlimit::{Clients, ForwardingHeader};

const NO_LINES: [&str; 0] = [];
const HEADERS: &[ForwardingHeader] = &[ForwardingHeader::XForwardedFor, ForwardingHeader::Forwarded];
/// What lines are made of that look for a way around.
const PIECES: &[&str] = &[
    "1.2.3.4",
    "10.0.0.2",
    "fd00::1",
    "[2001:db8::1]:443",
    "unknown",
    "_x",
    "for=",
    "FOR=\"",
    "host=",
    ",",
    ", ",
    ";",
    "\"",
    "\\",
    "\\\"",
    "=",
    " ",
    "[",
    "]",
    ":",
];

/// Behind proxies in the networks that `proxies` are in.
fn behind_proxies(header: ForwardingHeader) -> Clients {
    let networks = ["10.0.0.0/8", "fd00::/8"].map(|network| network.parse().expect("it is a network"));
    Clients::new().trust_proxies(networks).forwarding_header(header)
}

fn lines() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let piece = prop_oneof![4 => select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()), 1 => vec(any::<u8>(), 0..4)];
    vec(vec(piece, 0..12).prop_map(|pieces| pieces.concat()), 0..4)
}

/// Addresses of clients: in none of the networks of the proxies.
fn clients() -> impl Strategy<Value = IpAddr> {
    let v4 = any::<u32>().prop_map(|bits| IpAddr::from(Ipv4Addr::from(bits)));
    let v6 = any::<u128>().prop_map(|bits| IpAddr::from(Ipv6Addr::from(bits)));
    let mapped = any::<u32>().prop_map(|bits| IpAddr::from(Ipv4Addr::from(bits).to_ipv6_mapped()));
    prop_oneof![v4, v6, mapped].prop_filter("it is a proxy", |address| match address.to_canonical() {
        IpAddr::V4(address) => address.octets()[0] != 10,
        IpAddr::V6(address) => address.octets()[0] != 0xfd,
    })
}

fn proxies() -> impl Strategy<Value = IpAddr> {
    let v4 = any::<[u8; 3]>().prop_map(|[b, c, d]| IpAddr::from([10, b, c, d]));
    let v6 = any::<u128>().prop_map(|bits| IpAddr::from(Ipv6Addr::from(bits >> 8 | 0xfd << 120)));
    prop_oneof![v4, v6]
}

/// How a proxy adds to the header.
#[derive(Clone, Debug)]
struct Habit {
    address: IpAddr,
    adds_a_line: bool,
    names_port: bool,
    /// What the client asked for, which `Forwarded` may carry.
    host: Vec<u8>,
}

fn habits() -> impl Strategy<Value = Habit> {
    let host = vec(select(&b"a,;=\"\\ .1for\xff"[..]), 0..12);
    (proxies(), any::<bool>(), any::<bool>(), host)
        .prop_map(|(address, adds_a_line, names_port, host)| Habit { address, adds_a_line, names_port, host })
}

impl Habit {
    /// The header, after this proxy was called from an address.
    fn pass_on(&self, header: ForwardingHeader, from: IpAddr, lines: &mut Vec<Vec<u8>>) {
        let node = match (from, self.names_port) {
            (from, true) => SocketAddr::new(from, 4711).to_string(),
            (IpAddr::V6(from), false) if header == ForwardingHeader::Forwarded => format!("[{from}]"),
            (from, false) => from.to_string(),
        };
        let entry = match header {
            ForwardingHeader::Forwarded => {
                let escaped = self.host.iter().flat_map(|&byte| {
                    let escape = matches!(byte, b'"' | b'\\').then_some(b'\\');
                    escape.into_iter().chain(iter::once(byte))
                });
                let host: Vec<u8> = escaped.collect();
                [b"proto=https;for=\"", node.as_bytes(), b"\";host=\"", &host, b"\""].concat()
            }
            _ => node.into_bytes(),
        };
        match lines.last_mut().filter(|_| !self.adds_a_line) {
            Some(last) => last.extend([b", ", entry.as_slice()].concat()),
            None => lines.push(entry),
        }
    }
}

proptest! {
    #[test]
    fn f93_whatever_an_untrusted_peer_sends_the_key_is_its_own_address(
        peer in clients(),
        lines in lines(),
        header in select(HEADERS),
    ) {
        let key = behind_proxies(header).key(peer, &lines);
        prop_assert_eq!(key, Clients::new().key(peer, NO_LINES));
        prop_assert!(key.network().is_some_and(|network| network.contains(&peer.to_canonical())));
    }

    #[test]
    fn f93_whatever_a_client_writes_the_key_is_the_address_that_the_outermost_proxy_saw(
        client in clients(),
        mut lines in lines(),
        chain in vec(habits(), 1..4),
        header in select(HEADERS),
    ) {
        let mut from = client;
        for proxy in &chain {
            proxy.pass_on(header, from, &mut lines);
            from = proxy.address;
        }
        let key = behind_proxies(header).key(from, &lines);
        prop_assert_eq!(key, Clients::new().key(client, NO_LINES));
    }

    /// No header is an error, and none makes a client of nobody.
    #[test]
    fn f61_behind_a_proxy_every_call_has_a_client(peer in proxies(), lines in lines(), bits in any::<u8>()) {
        for &header in HEADERS {
            let key = behind_proxies(header).ipv6_prefix(bits).key(peer, &lines);
            prop_assert!(key.network().is_some());
        }
    }
}
