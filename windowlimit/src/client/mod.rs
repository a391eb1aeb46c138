//! Who a call comes from, as far as a client cannot choose it. Knows addresses and header lines, no web framework and
//! no limiter: what it gives is a value for `key`.

mod key;
mod list;

use std::net::IpAddr;

use ipnet::{IpNet, Ipv4Net};

pub use self::{key::ClientKey, list::ForwardingHeader};

/// Tells clients apart by what they cannot forge, and gives each a [`ClientKey`]: by its peer address, or by a header
/// that a proxy wrote, if the proxy is one that was named.
///
/// ```
/// use std::net::IpAddr;
/// use windowlimit::Clients;
///
/// // Nothing in front of the service: the other end of the connection is the client, whatever it writes.
/// static CLIENTS: Clients = Clients::new();
///
/// let peer: IpAddr = "203.0.113.9".parse()?;
/// assert_eq!(CLIENTS.key(peer, ["1.2.3.4"]).to_string(), "203.0.113.9");
///
/// // Proxies in 10.0.0.0/8: what they add to `X-Forwarded-For` counts, what came in from the client does not.
/// let clients = Clients::new().trust_proxy("10.0.0.0/8".parse()?);
///
/// let proxy: IpAddr = "10.0.0.1".parse()?;
/// assert_eq!(clients.key(proxy, ["1.2.3.4, 203.0.113.9, 10.0.0.2"]).to_string(), "203.0.113.9");
/// assert_eq!(clients.key(peer, ["1.2.3.4"]).to_string(), "203.0.113.9");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// In a service the lines come from the request, all of them and in their order: with the types of the `http` crate,
/// `clients.key(peer.ip(), headers.get_all(clients.header_name()))`. The example `per_client` is such a service.
///
/// # What can be forged, and what cannot
///
/// * **The peer address** cannot: an answer has to reach it before a connection stands.
/// * **A forwarding header** can be written by anybody. Each proxy adds the address it was called from at the right end,
///   so the list is read from the right, as long as the entry just read is a proxy that was named. The first that is not
///   is the client. Everything to the left of it was sent by that client, and is not even looked at.
/// * **An entry that cannot be read** (`unknown`, a name such as `_hidden`, nothing at all, garbage) ends the reading.
///   The client is then the last address that was vouched for: what a client cannot be told from, it shares a window
///   with. A port is read past, as in `192.0.2.1:4711` or `[2001:db8::1]:443`.
/// * **The other header** can: proxies write one and pass the other on as it came. So only the one named by
///   [`forwarding_header`](Self::forwarding_header) is read, and none stands in for it.
/// * **A network that is too large.** Whoever is in a network named with [`trust_proxy`](Self::trust_proxy) may write the
///   header, so whoever is in it and is no proxy may choose its key: a new one for each call, or a victim's. With
///   `0.0.0.0/0` that is everybody, and the client is then the leftmost entry, which it wrote itself. Name the addresses
///   of the proxies, or a network that nobody else can call from.
/// * **A proxy that is not named** is taken for the client, and all that come through it share one window. That is
///   seen at once, and is the safe side.
///
/// A key of a client is not a person. Many people share an IPv4 address behind one router or carrier, and one person
/// may have several. Where a caller has proved who it is, key by that: `key = account.id`.
///
/// # Why not by an API key
///
/// Not before it was verified. Until then it is text that the client chose: with a new one for each call nothing is ever
/// limited, least of all the guessing of API keys, and with the key of somebody else their window is used up. Limit by
/// client in front of the verification, and by account behind it.
///
/// # Why a network, for IPv6
///
/// A single machine can take any of the 2^64 addresses of its /64 and take another for the next call, so whole addresses
/// would limit nothing. A /64 is the least that a household or a server gets. Many get a /56 or a /48, and with it 256 or
/// 65 536 keys: where that is too many, set [`ipv6_prefix`](Self::ipv6_prefix) to 56 or 48, and neighbours of those who
/// got less share a key. An IPv4 address counts whole, also where it is written as IPv6 (`::ffff:192.0.2.1`). Behind a
/// translator that gives IPv4 clients addresses in one /96 they are one key; set 128 if nobody else gets through.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "it does nothing until it is asked for a key"]
pub struct Clients {
    proxies: Vec<IpNet>,
    trusts_unix_socket: bool,
    header: ForwardingHeader,
    ipv6_prefix: u8,
}

impl Clients {
    /// By peer address alone: an IPv4 address whole, an IPv6 address by its /64. No proxy is trusted.
    pub const fn new() -> Self {
        Self {
            proxies: Vec::new(),
            trusts_unix_socket: false,
            header: ForwardingHeader::XForwardedFor,
            ipv6_prefix: 64,
        }
    }

    /// Believes what proxies in this network write in the [header](Self::forwarding_header), as well as those named
    /// before. A single proxy is a network too: `"10.0.0.1/32".parse()?` or `IpNet::from(address)`.
    ///
    /// A network that others can call from as well lets [them choose their key](Self#what-can-be-forged-and-what-cannot).
    pub fn trust_proxy(self, network: IpNet) -> Self {
        self.trust_proxies([network])
    }

    /// [`trust_proxy`](Self::trust_proxy) for each of these, such as those of a config file.
    ///
    /// ```
    /// use windowlimit::{Clients, IpNet};
    ///
    /// let networks: Result<Vec<IpNet>, _> = "10.0.0.0/8,fd00::/8".split(',').map(str::parse).collect();
    /// let clients = Clients::new().trust_proxies(networks?);
    /// # let _ = clients;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn trust_proxies(mut self, networks: impl IntoIterator<Item = IpNet>) -> Self {
        self.proxies.extend(networks.into_iter().map(without_mapping));
        self
    }

    /// Believes the header also of a peer that has no address, as at the other end of a Unix socket.
    ///
    /// For a socket that only a proxy may connect to. Without this, all such peers are one client.
    ///
    /// ```
    /// use windowlimit::Clients;
    ///
    /// let clients = Clients::new();
    /// assert_eq!(clients.key(None, ["203.0.113.9"]).to_string(), "no address");
    /// assert_eq!(clients.trust_unix_socket().key(None, ["203.0.113.9"]).to_string(), "203.0.113.9");
    /// ```
    pub const fn trust_unix_socket(mut self) -> Self {
        self.trusts_unix_socket = true;
        self
    }

    /// The header that the proxies write; `X-Forwarded-For` if nothing is said.
    ///
    /// Name the one that **each** of them adds to or replaces, never one that they pass on. A single address that a proxy
    /// puts into a header of its own, such as `X-Real-IP`, is read like `X-Forwarded-For`: hand its lines to
    /// [`key`](Self::key).
    ///
    /// ```
    /// use std::net::IpAddr;
    /// use windowlimit::{Clients, ForwardingHeader};
    ///
    /// let clients =
    ///     Clients::new().trust_proxy("10.0.0.0/8".parse()?).forwarding_header(ForwardingHeader::Forwarded);
    /// assert_eq!(clients.header_name(), "forwarded");
    ///
    /// let proxy: IpAddr = "10.0.0.1".parse()?;
    /// let line = r#"for=1.2.3.4, for="[2001:db8::17]:4711";proto=https;host="a, b""#;
    /// assert_eq!(clients.key(proxy, [line]).to_string(), "2001:db8::/64");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn forwarding_header(mut self, header: ForwardingHeader) -> Self {
        self.header = header;
        self
    }

    /// How many leading bits of an IPv6 address make a client: 64 if nothing is said, at most 128, for whole addresses.
    ///
    /// ```
    /// use std::net::IpAddr;
    /// use windowlimit::Clients;
    ///
    /// static CLIENTS: Clients = Clients::new().ipv6_prefix(56);
    ///
    /// let peer: IpAddr = "2001:db8:0:12ff::1".parse()?;
    /// assert_eq!(CLIENTS.key(peer, None::<&str>).to_string(), "2001:db8:0:1200::/56");
    /// # Ok::<(), std::net::AddrParseError>(())
    /// ```
    pub const fn ipv6_prefix(mut self, bits: u8) -> Self {
        self.ipv6_prefix = if bits > 128 { 128 } else { bits };
        self
    }

    /// The name, in lower case, of the header whose lines [`key`](Self::key) wants.
    #[must_use]
    pub const fn header_name(&self) -> &'static str {
        self.header.name()
    }

    /// The client that a call comes from.
    ///
    /// `peer` is the address at the other end of the connection, never one out of a header. `None` is a peer without an
    /// address: all of them are one client, and limited as one.
    ///
    /// `lines` are the values of the [header](Self::header_name): **all** of its lines, in the order they came, as text
    /// or bytes, and none left out because it is not readable: what a proxy wrote may stand behind what a client wrote
    /// in the same line. Without a header, `None::<&str>`.
    #[must_use]
    pub fn key<L: AsRef<[u8]>>(
        &self,
        peer: impl Into<Option<IpAddr>>,
        lines: impl IntoIterator<Item = L>,
    ) -> ClientKey {
        let peer = peer.into();
        let forwarded = if peer.map_or(self.trusts_unix_socket, |peer| self.is_proxy(peer)) {
            lines.into_iter().fold(None, |left, line| self.vouched_for(left, line.as_ref()))
        } else {
            None
        };
        ClientKey::new(forwarded.or(peer), self.ipv6_prefix)
    }

    /// The last address that is vouched for in this line and those to the left of it, if a proxy wrote its right end.
    ///
    /// `left` is the answer for the lines to the left alone. It counts only if this line is proxies to its left end.
    fn vouched_for(&self, left: Option<IpAddr>, line: &[u8]) -> Option<IpAddr> {
        let mut vouched_for = None;
        for entry in self.header.addresses_from_right(line) {
            match entry {
                Some(address) if self.is_proxy(address) => vouched_for = Some(address),
                Some(address) => return Some(address),
                // Whoever called the proxy that wrote this is not known, and may have written all the rest.
                None => return vouched_for,
            }
        }
        left.or(vouched_for)
    }

    fn is_proxy(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.proxies.iter().any(|network| network.contains(&address))
    }
}

impl Default for Clients {
    fn default() -> Self {
        Self::new()
    }
}

/// A network of IPv4 addresses written as IPv6 is the network of the IPv4 addresses: addresses are compared as those.
fn without_mapping(network: IpNet) -> IpNet {
    let IpNet::V6(mapped) = network else { return network };
    let (Some(address), Some(bits)) = (mapped.addr().to_ipv4_mapped(), mapped.prefix_len().checked_sub(96))
    else {
        return network;
    };
    Ipv4Net::new(address, bits).map_or(network, IpNet::V4)
}
