//! The scripts, and how a question is put to one.

use std::sync::LazyLock;

/// A script, with the digest by which the server knows it.
pub(super) struct Script {
    pub(super) source: &'static str,
    digest: LazyLock<String>,
}

macro_rules! script {
    ($name:ident, $source:expr) => {
        pub(super) static $name: Script = Script {
            source: $source,
            digest: LazyLock::new(|| sha1_smol::Sha1::from($source).digest().to_string()),
        };
    };
}

script!(EXACT, include_str!("lua/exact.lua"));
script!(EXACT_REFUND, include_str!("lua/exact_refund.lua"));
script!(COUNTED, include_str!("lua/counted.lua"));
script!(COUNTED_REFUND, include_str!("lua/counted_refund.lua"));

// Several windows decide as each does alone: by the same text.
script!(
    TOGETHER,
    concat!(
        "local function exact(KEYS, ARGV)\n",
        include_str!("lua/exact.lua"),
        "end\nlocal function counted(KEYS, ARGV)\n",
        include_str!("lua/counted.lua"),
        "end\n",
        include_str!("lua/together.lua")
    )
);

/// All of them, to be made known to a server beforehand.
pub(super) static ALL: [&Script; 5] = [&EXACT, &EXACT_REFUND, &COUNTED, &COUNTED_REFUND, &TOGETHER];

impl Script {
    pub(super) fn digest(&self) -> &str {
        &self.digest
    }
}
