//! What a limiter does with its decisions.

use std::{fmt, str::FromStr};

use crate::gate::Gate;

/// What becomes of the calls of a limiter.
///
/// ```
/// use windowlimit::registry::Mode;
///
/// assert_eq!("shadow".parse::<Mode>()?, Mode::Shadow);
/// assert!("shade".parse::<Mode>().unwrap_err().to_string().contains("`enforce`, `shadow` or `off`"));
/// # Ok::<(), windowlimit::registry::ParseModeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// They are limited: what every limiter does unless it is told otherwise.
    #[default]
    Enforce,
    /// They are decided, counted and reported, and all let through. What would have been refused takes nothing of the window,
    /// as if it had been refused; its permit has a cost of 0.
    Shadow,
    /// They are let through, neither limited nor counted.
    Off,
}

impl Mode {
    const BITS: u8 = Gate::SHADOW | Gate::OFF;

    pub(crate) fn of(gate: &Gate) -> Self {
        if gate.has(Gate::OFF) {
            Self::Off
        } else if gate.has(Gate::SHADOW) {
            Self::Shadow
        } else {
            Self::Enforce
        }
    }

    pub(crate) fn put(self, gate: &Gate) {
        let bits = match self {
            Self::Enforce => 0,
            Self::Shadow => Gate::SHADOW,
            Self::Off => Gate::OFF,
        };
        // First what is wanted: nobody finds the mode before and the mode after both gone.
        gate.set(bits);
        gate.clear(Self::BITS & !bits);
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Enforce => "enforce",
            Self::Shadow => "shadow",
            Self::Off => "off",
        }
    }
}

/// `enforce`, `shadow` or `off`, which [`FromStr`] reads back.
impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Mode {
    type Err = ParseModeError;

    fn from_str(text: &str) -> Result<Self, ParseModeError> {
        let modes = [Self::Enforce, Self::Shadow, Self::Off];
        let found = modes.into_iter().find(|mode| mode.word() == text.trim());
        found.ok_or_else(|| ParseModeError { text: text.to_owned() })
    }
}

/// The answer to a text that is no [`Mode`]; it quotes what was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseModeError {
    text: String,
}

impl fmt::Display for ParseModeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wanted `enforce`, `shadow` or `off`, found `{}`", self.text)
    }
}

impl std::error::Error for ParseModeError {}
