//! What a decision left of the limits beside the one that it names.
//!
//! Only header fields tell it, so that without the feature `http` it is not looked for, which takes a search in the window for
//! each limit, and takes no room.

#[cfg(feature = "http")]
mod packed;

use std::convert::Infallible;

use crate::{limit::Limit, usage::Usage};

/// The numbers of the other limits and, where they are kept, of the one that is named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Others {
    #[cfg(feature = "http")]
    packed: packed::Packed,
}

impl Others {
    pub(crate) const NONE: Self = Self {
        #[cfg(feature = "http")]
        packed: packed::Packed::NONE,
    };

    /// What is left of the limit that is named, and nothing of others.
    pub(crate) fn untold(named: &Limit, left: u32) -> Self {
        #[cfg(not(feature = "http"))]
        let _ = (named, left);
        Self {
            #[cfg(feature = "http")]
            packed: packed::Packed::untold(named, left),
        }
    }

    /// What is left of the limit that is named, and the state of all, in their order; that of the named one is passed over.
    pub(crate) fn of(named: &Limit, left: u32, all: impl IntoIterator<Item = Usage>) -> Self {
        match Self::try_of(named, left, all.into_iter().map(Ok::<_, Infallible>)) {
            Ok(others) => others,
            Err(never) => match never {},
        }
    }

    /// The same where the window may be gone while it is looked at.
    #[inline]
    #[cfg_attr(not(feature = "http"), allow(clippy::unnecessary_wraps))] // then nothing is looked at
    pub(crate) fn try_of<E>(
        named: &Limit,
        left: u32,
        all: impl IntoIterator<Item = Result<Usage, E>>,
    ) -> Result<Self, E> {
        #[cfg(not(feature = "http"))]
        let _ = (named, left, all);
        Ok(Self {
            #[cfg(feature = "http")]
            packed: packed::Packed::of(named, left, all)?,
        })
    }

    /// What was left of the limit that is named.
    #[cfg(feature = "http")]
    pub(crate) fn left_of(self, named: &Limit) -> u32 {
        self.packed.left_of(named)
    }

    /// Of each other limit that is told of: the units left, and the seconds until there are more.
    #[cfg(feature = "http")]
    pub(crate) fn read(self, named: &Limit, all: &[Limit]) -> Vec<(Limit, u32, u64)> {
        self.packed.read(named, all)
    }
}
