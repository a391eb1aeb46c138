//! The scripts, and how a question is put to one.

use std::sync::LazyLock;

/// A script, with the digest by which the server knows it.
pub(super) struct Script {
    pub(super) source: &'static str,
    digest: LazyLock<String>,
}

macro_rules! script {
    ($name:ident, $file:literal) => {
        pub(super) static $name: Script = Script {
            source: include_str!($file),
            digest: LazyLock::new(|| sha1_smol::Sha1::from(include_str!($file)).digest().to_string()),
        };
    };
}

script!(EXACT, "lua/exact.lua");
script!(EXACT_REFUND, "lua/exact_refund.lua");
script!(COUNTED, "lua/counted.lua");
script!(COUNTED_REFUND, "lua/counted_refund.lua");

/// All of them, to be made known to a server beforehand.
pub(super) static ALL: [&Script; 4] = [&EXACT, &EXACT_REFUND, &COUNTED, &COUNTED_REFUND];

impl Script {
    pub(super) fn digest(&self) -> &str {
        &self.digest
    }
}
