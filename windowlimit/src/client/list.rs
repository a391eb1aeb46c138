//! The two headers in which proxies say who called them, read from the right.
//!
//! There are crates for RFC 7239, and none fits. `rfc7239` 0.1.3 splits at every comma, so that a client that asks for
//! the host `a, for=6.6.6.6` becomes 6.6.6.6 behind a proxy that quotes hosts as it should. `forwarded-header-value` 0.1.1
//! and `parse-net` 0.8.0 take the list as a whole: one bad entry, which any client can write at the left, and nothing is
//! read of what the proxies wrote at the right. `real-ip` 0.1.2, and `trusted-proxies` 0.3.0 by default, read `Forwarded`
//! where it is present, also behind proxies that write `X-Forwarded-For` and pass the other on as it came. Reading from
//! the right needs a splitter of its own anyway, and of an element then one parameter is left to read.

use std::{
    iter,
    net::{IpAddr, Ipv6Addr, SocketAddr},
};

/// The header in which proxies say who called them.
///
/// ```
/// use windowlimit::{Clients, ForwardingHeader};
///
/// let clients = Clients::new().forwarding_header(ForwardingHeader::Forwarded);
/// assert_eq!(clients.header_name(), ForwardingHeader::Forwarded.name());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForwardingHeader {
    /// `X-Forwarded-For: 192.0.2.1, 10.0.0.2`, which most proxies write.
    #[default]
    XForwardedFor,
    /// `Forwarded: for=192.0.2.1;proto=https, for="[2001:db8::17]:4711"`, of RFC 7239. Of each element only `for` is
    /// read; one that has none, or two, is one that cannot be read.
    ///
    /// A proxy that also writes here what the client sent, such as the host, has to quote it.
    Forwarded,
}

impl ForwardingHeader {
    /// The name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::XForwardedFor => "x-forwarded-for",
            Self::Forwarded => "forwarded",
        }
    }

    /// The entries of a line, the last one first, `None` for one that cannot be read.
    ///
    /// An entry is read, and its left end found, from what stands in it alone: nothing to the left of it has a say.
    pub(super) fn addresses_from_right(self, line: &[u8]) -> impl Iterator<Item = Option<IpAddr>> {
        split_from_right(line, b',').map(move |entry| match self {
            Self::XForwardedFor => address(entry),
            Self::Forwarded => address_of_element(entry),
        })
    }
}

/// The parts between separators that do not stand in quotes, the last one first.
///
/// From the right a quote opens a quoted string where it would end one, and the next ends it that is not escaped, which
/// is one behind an even number of backslashes. An opening quote is never taken for an escaped one, since it stands
/// behind `=`.
fn split_from_right(text: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(text);
    iter::from_fn(move || {
        let text = rest?;
        let mut is_quoted = false;
        let split = text.iter().enumerate().rposition(|(at, &byte)| {
            if byte == b'"' {
                let backslashes = text[..at].iter().rev().take_while(|&&byte| byte == b'\\').count();
                is_quoted = !is_quoted || backslashes % 2 == 1;
            }
            byte == separator && !is_quoted
        });
        rest = split.map(|at| &text[..at]);
        Some(split.map_or(text, |at| &text[at + 1..]))
    })
}

/// What `for` says in `for=192.0.2.1;proto=https`.
fn address_of_element(element: &[u8]) -> Option<IpAddr> {
    let mut found = split_from_right(element, b';').filter_map(|pair| {
        let equals = pair.iter().position(|&byte| byte == b'=')?;
        let name = pair[..equals].trim_ascii();
        name.eq_ignore_ascii_case(b"for").then(|| &pair[equals + 1..])
    });
    let value = found.next()?.trim_ascii();
    // Two would be a matter of taste, and one of them perhaps the client's.
    if found.next().is_some() {
        return None;
    }
    // A value with an escape in it stays one and is no address: there is nothing in an address to escape.
    address(value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"")).unwrap_or(value))
}

/// An address, with or without a port, an IPv6 address with or without brackets.
fn address(text: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(text.trim_ascii()).ok()?;
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok();
    let with_port = || text.parse::<SocketAddr>().ok().map(|socket| socket.ip());
    text.parse().ok().or_else(with_port).or_else(|| bracketed().map(IpAddr::V6))
}
