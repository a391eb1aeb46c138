//! A key as text: the same in every process and every version, and of no two values the same.

use std::{
    borrow::Cow,
    fmt::{self, Write as _},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    rc::Rc,
    sync::Arc,
};

use sha2::{Digest, Sha256};

/// A key whose windows can be shared: what has a text that is the same in every process.
///
/// Strings, integers, `bool`, `char`, addresses, `Uuid` (with the feature `uuid`), options, arrays, slices and tuples of such, and references to them have
/// one. For a type of your own, write the parts that tell its values apart:
///
/// ```
/// use windowlimit::{KeyText, StoreKey};
///
/// struct User {
///     tenant: String,
///     id: u64,
/// }
///
/// impl StoreKey for User {
///     fn write(&self, text: &mut KeyText) {
///         text.part(&self.tenant).part(self.id);
///     }
/// }
///
/// let user = User { tenant: "acme".to_owned(), id: 17 };
/// assert_eq!(KeyText::of(&user).to_string(), "4:acme2:17");
/// assert_eq!(KeyText::of(&("acme", 17)).to_string(), "4:acme2:17");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a key of a shared window, since it has no text that is the same in every process: \
               implement `StoreKey`, or write `key = EXPR` of a type that does",
    label = "this type does not implement `StoreKey`",
    note = "strings, integers, `bool`, IP addresses, options and tuples of such do",
    note = "a part often does as well, such as `key = user.id`, or its text: `key = user.id.to_string()`"
)]
pub trait StoreKey {
    /// Appends this value to the text, part by part.
    fn write(&self, text: &mut KeyText);
}

/// The text of a key: each part with its length before it, so that no two keys differ only by where they were cut.
///
/// Longer than 128 bytes, it is replaced by its SHA-256: whatever a client sends as its key, the server stores little.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KeyText(Vec<u8>);

/// The longest text that is stored as it is.
const LONGEST: usize = 128;

impl KeyText {
    /// The text of this key.
    pub fn of<K: StoreKey + ?Sized>(key: &K) -> Self {
        let mut text = Self::default();
        key.write(&mut text);
        if text.0.len() > LONGEST {
            let digest = Sha256::digest(&text.0);
            // No part begins so.
            let mut short = "#".to_owned();
            for byte in digest {
                let _ = write!(short, "{byte:02x}");
            }
            text.0 = short.into_bytes();
        }
        text
    }

    /// Appends a part.
    pub fn part(&mut self, part: impl fmt::Display) -> &mut Self {
        self.bytes(part.to_string().as_bytes())
    }

    /// Appends a part that need not be text.
    pub fn bytes(&mut self, part: &[u8]) -> &mut Self {
        self.0.extend_from_slice(part.len().to_string().as_bytes());
        self.0.push(b':');
        self.0.extend_from_slice(part);
        self
    }

    /// How many parts follow, or whether one does.
    fn count(&mut self, count: usize) {
        self.0.extend_from_slice(count.to_string().as_bytes());
        self.0.push(b'*');
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// As people read it; bytes that are no text are replaced.
impl fmt::Display for KeyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

impl StoreKey for str {
    fn write(&self, text: &mut KeyText) {
        text.bytes(self.as_bytes());
    }
}

macro_rules! as_displayed {
    ($($type:ty),*) => {
        $(impl StoreKey for $type {
            fn write(&self, text: &mut KeyText) {
                text.part(self);
            }
        })*
    };
}

as_displayed!(
    String, bool, char, u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, IpAddr, Ipv4Addr,
    Ipv6Addr, SocketAddr
);

#[cfg(feature = "client")]
as_displayed!(crate::ClientKey);

#[cfg(feature = "uuid")]
as_displayed!(uuid::Uuid);

macro_rules! as_what_it_holds {
    ($($type:ty),*) => {
        $(#[diagnostic::do_not_recommend]
        impl<T: StoreKey + ?Sized> StoreKey for $type {
            fn write(&self, text: &mut KeyText) {
                (**self).write(text);
            }
        })*
    };
}

as_what_it_holds!(&T, &mut T, Box<T>, Rc<T>, Arc<T>);

#[diagnostic::do_not_recommend]
impl<T: StoreKey + ToOwned + ?Sized> StoreKey for Cow<'_, T> {
    fn write(&self, text: &mut KeyText) {
        (**self).write(text);
    }
}

#[diagnostic::do_not_recommend]
impl<T: StoreKey> StoreKey for Option<T> {
    fn write(&self, text: &mut KeyText) {
        text.count(usize::from(self.is_some()));
        if let Some(value) = self {
            value.write(text);
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: StoreKey> StoreKey for [T] {
    fn write(&self, text: &mut KeyText) {
        text.count(self.len());
        for value in self {
            value.write(text);
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: StoreKey> StoreKey for Vec<T> {
    fn write(&self, text: &mut KeyText) {
        self.as_slice().write(text);
    }
}

#[diagnostic::do_not_recommend]
impl<T: StoreKey, const N: usize> StoreKey for [T; N] {
    fn write(&self, text: &mut KeyText) {
        self.as_slice().write(text);
    }
}

/// A limiter without keys has this one.
impl StoreKey for () {
    fn write(&self, _: &mut KeyText) {}
}

macro_rules! tuples {
    ($(($($name:ident)+))*) => {
        $(#[diagnostic::do_not_recommend]
        impl<$($name: StoreKey),+> StoreKey for ($($name,)+) {
            fn write(&self, text: &mut KeyText) {
                #[allow(non_snake_case)]
                let ($($name,)+) = self;
                $($name.write(text);)+
            }
        })*
    };
}

tuples!((A)(A B)(A B C)(A B C D)(A B C D E)(A B C D E F)(A B C D E F G)(A B C D E F G H));

#[cfg(test)]
mod tests {
    use super::{KeyText, LONGEST, StoreKey};

    fn text<K: StoreKey + ?Sized>(key: &K) -> String {
        KeyText::of(key).to_string()
    }

    /// They are on servers: a change would forget every window, and must not come about by chance.
    #[test]
    fn texts_stay_what_they_are() {
        let address: std::net::IpAddr = "2001:db8::1".parse().expect("it is one");
        for (found, wanted) in [
            (text("ann"), "3:ann"),
            (text(&"ann".to_owned()), "3:ann"),
            (text(&&Box::new("ann")), "3:ann"),
            (text(""), "0:"),
            (text(&()), ""),
            (text(&17_u8), "2:17"),
            (text(&-17_i128), "3:-17"),
            (text(&true), "4:true"),
            (text(&'x'), "1:x"),
            (text(&address), "11:2001:db8::1"),
            (text(&("ann", 17_u64)), "3:ann2:17"),
            (text(&(1, ("a", 'b'))), "1:11:a1:b"),
            (text(&Some("a")), "1*1:a"),
            (text(&None::<u8>), "0*"),
            (text(&["a", "b"]), "2*1:a1:b"),
            (text(&vec![1, 2]), "2*1:11:2"),
        ] {
            assert_eq!(found, wanted);
        }
    }

    #[test]
    fn no_two_keys_differ_only_by_where_they_are_cut() {
        assert_ne!(text(&("a", "bc")), text(&("ab", "c")));
        assert_ne!(text(&("a:1", "")), text(&("a", "1:")));
        assert_ne!(text(&("", "1:")), text(&("0:", "")));
        assert_ne!(text(&(Some("a"), "b")), text(&(None::<&str>, "b")));
        assert_ne!(text(&(vec!["a"], vec!["b"])), text(&(vec!["a", "b"], Vec::<&str>::new())));
        assert_ne!(text("Ann"), text("ann"));
    }

    #[test]
    fn long_keys_become_short_and_stay_apart() {
        let long = |end: &str| "a".repeat(1_000_000) + end;
        assert!(KeyText::of(&long("x")).as_bytes().len() <= LONGEST);
        assert_ne!(text(&long("x")), text(&long("y")));
        assert_eq!(text(&long("x")), text(&long("x")));
        // Of nothing that is short.
        assert_ne!(text(&long("x")), text(text(&long("x")).as_str()));
        assert!(text(&long("x")).starts_with('#'));
    }
}
