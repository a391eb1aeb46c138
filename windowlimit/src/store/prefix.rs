//! What the keys of a limiter begin with on the server, and in which slots of a cluster they are by that.

use crate::algorithm::Algorithm;

/// The keys of a limiter: what the store says, the name, and a colon. Windows that are counted have other ones, since what
/// they hold is something else.
///
/// Those of a group have its name in braces, the hash tag, and two colons before their own. No colon is left in a name and
/// no key begins with one, so that nothing runs into anything else.
pub(super) fn prefix(store: &str, algorithm: Algorithm, group: Option<&str>, name: &str) -> Box<[u8]> {
    let kind = match algorithm {
        Algorithm::Exact => "",
        Algorithm::Fixed => "-fixed",
        Algorithm::Segmented(_) | Algorithm::SegmentedBy(_) => "-segmented",
    };
    let name = one_part(name);
    let text = match group {
        None => format!("{store}{kind}:{name}:"),
        // A tag without text is none: it gets one that no other group has.
        Some("") => format!("{store}{kind}:{{%}}::{name}:"),
        Some(group) => {
            let group = one_part(group).replace('{', "%7B").replace('}', "%7D");
            format!("{store}{kind}:{{{group}}}::{name}:")
        }
    };
    text.into_bytes().into()
}

fn one_part(name: &str) -> String {
    name.replace('%', "%25").replace(':', "%3A")
}

/// What decides about the slot of every key that begins so; none if the rest of the key does. A cluster hashes what stands
/// between the first brace and the one that closes it, if anything does, and else the whole key.
pub(super) fn hash_tag(prefix: &[u8]) -> Option<&[u8]> {
    let (_, behind) = split(prefix, b'{')?;
    let (tag, _) = split(behind, b'}')?;
    (!tag.is_empty()).then_some(tag)
}

fn split(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let place = text.iter().position(|&byte| byte == at)?;
    Some((&text[..place], &text[place + 1..]))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Algorithm, hash_tag, prefix};

    const KINDS: [Algorithm; 3] = [Algorithm::Exact, Algorithm::Fixed, Algorithm::Segmented(2)];

    fn text(store: &str, group: Option<&str>, name: &str) -> String {
        String::from_utf8(prefix(store, Algorithm::Exact, group, name).into()).expect("it is text")
    }

    /// They are on servers: a change would forget every window, and must not come about by chance.
    #[test]
    fn no_name_runs_into_a_key() {
        assert_eq!(text("windowlimit", None, "login"), "windowlimit:login:");
        assert_eq!(text("windowlimit", None, "my::path"), "windowlimit:my%3A%3Apath:");
        assert_eq!(text("windowlimit", Some("log:in"), "a"), "windowlimit:{log%3Ain}::a:");
        assert_ne!(text("w", None, "a%3A"), text("w", None, "a:"));
        let prefixes: HashSet<_> = KINDS.map(|kind| prefix("w", kind, None, "a")).into();
        assert_eq!(prefixes.len(), 3);
        // Of no group, a name may look like one: it is followed by a key, and no key begins with a colon.
        assert_eq!(text("w", None, "{a}"), "w:{a}:");
        assert!(text("w", Some("a"), "b").starts_with("w:{a}::"));
    }

    #[test]
    fn every_group_is_a_tag_of_its_own_whatever_the_kind_and_the_name() {
        let groups = ["", "%", "a", "a}", "{a", "a:", "a%3A", "a%7D", "{}", "}{"];
        let tag = |kind, group, name| {
            let prefix = prefix("windowlimit", kind, Some(group), name);
            hash_tag(&prefix).expect("it has one").to_vec()
        };
        let tags = groups.map(|group| tag(Algorithm::Exact, group, "name"));
        assert_eq!(HashSet::from(tags.clone()).len(), groups.len());
        for (group, wanted) in groups.into_iter().zip(tags) {
            assert!(KINDS.into_iter().all(|kind| tag(kind, group, "{other}") == wanted), "{group}");
        }
    }

    #[test]
    fn a_tag_is_what_a_cluster_takes_for_one() {
        for (prefix, wanted) in [
            ("w:name:", None),
            ("w:{}:name:", None),
            ("w:{}{a}:", None),
            ("w:{a", None),
            ("w:a}b{", None),
            ("w:{{a}}:", Some("{a")),
            ("w:{a}{b}:", Some("a")),
            ("w{x:{a}::", Some("x:{a")),
        ] {
            assert_eq!(hash_tag(prefix.as_bytes()), wanted.map(str::as_bytes), "{prefix}");
        }
    }
}
