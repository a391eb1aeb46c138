//! A client as a value: what two calls of one client have in common.

use std::{fmt, net::IpAddr};

use ipnet::{IpNet, Ipv6Net};

/// A client, as [`Clients`](crate::Clients) tells them apart: an IPv4 address, an IPv6 network, or a peer without an
/// address. Made for `key = client`.
///
/// ```
/// use std::net::IpAddr;
/// use windowlimit::Clients;
///
/// static CLIENTS: Clients = Clients::new();
/// let client = |peer: &str| Ok::<_, std::net::AddrParseError>(CLIENTS.key(peer.parse::<IpAddr>()?, None::<&str>));
///
/// // One network is one client; its neighbour is another.
/// assert_eq!(client("2001:db8::1")?, client("2001:db8::2")?);
/// assert_ne!(client("2001:db8::1")?, client("2001:db8:0:1::1")?);
///
/// assert_eq!(client("2001:db8::1")?.to_string(), "2001:db8::/64");
/// assert_eq!(client("::ffff:192.0.2.1")?.to_string(), "192.0.2.1");
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
///
/// The text is the same in every process, and no two clients have the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientKey {
    /// With every bit behind its prefix cleared. `None` is a key like any other: nobody is without one.
    network: Option<IpNet>,
}

impl ClientKey {
    pub(super) fn new(address: Option<IpAddr>, ipv6_prefix: u8) -> Self {
        let network = address.map(|address| match address.to_canonical() {
            address @ IpAddr::V4(_) => IpNet::from(address),
            // No prefix is longer than 128, and the whole address would be the strictest reading of one that is.
            IpAddr::V6(address) => IpNet::V6(
                Ipv6Net::new(address, ipv6_prefix).map_or(address.into(), |network| network.trunc()),
            ),
        });
        Self { network }
    }

    /// The addresses that are this client; `None` for the peers that have none.
    ///
    /// ```
    /// use std::net::IpAddr;
    /// use windowlimit::Clients;
    ///
    /// let peer: IpAddr = "2001:db8::1".parse()?;
    /// let client = Clients::new().key(peer, None::<&str>);
    /// assert!(client.network().is_some_and(|network| network.contains(&peer) && network.prefix_len() == 64));
    /// # Ok::<(), std::net::AddrParseError>(())
    /// ```
    #[must_use]
    pub const fn network(&self) -> Option<IpNet> {
        self.network
    }
}

/// `192.0.2.1`, `2001:db8::/64` or `no address`.
impl fmt::Display for ClientKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.network {
            Some(network) if network.prefix_len() == network.max_prefix_len() => {
                fmt::Display::fmt(&network.addr(), f)
            }
            Some(network) => fmt::Display::fmt(&network, f),
            None => f.pad("no address"),
        }
    }
}

impl fmt::Debug for ClientKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClientKey({self})")
    }
}
