//! What the values of arguments may be, where a type decides.

use std::{slice, sync::Arc, time::Duration};

use crate::{
    algorithm::Algorithm,
    limit::{InvalidLimit, Limit},
};

/// What may stand behind `limits =`: an array, slice or `Vec` of limits or of `(limit, window)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` gives no limits: write an array of `Limit`, or of `(limit, window)`",
    label = "not a list of limits"
)]
pub trait IntoLimits {
    /// All of them, or what is wrong with the first bad one.
    fn into_limits(self) -> Result<Vec<Limit>, InvalidLimit>;
}

impl<T: IntoLimit, const N: usize> IntoLimits for [T; N] {
    fn into_limits(self) -> Result<Vec<Limit>, InvalidLimit> {
        self.into_iter().map(T::into_limit).collect()
    }
}

impl<T: IntoLimit> IntoLimits for Vec<T> {
    fn into_limits(self) -> Result<Vec<Limit>, InvalidLimit> {
        self.into_iter().map(T::into_limit).collect()
    }
}

impl<T: IntoLimit + Clone> IntoLimits for &[T] {
    fn into_limits(self) -> Result<Vec<Limit>, InvalidLimit> {
        self.iter().cloned().map(T::into_limit).collect()
    }
}

impl<T: IntoLimit + Clone, const N: usize> IntoLimits for &[T; N] {
    fn into_limits(self) -> Result<Vec<Limit>, InvalidLimit> {
        self.as_slice().into_limits()
    }
}

/// What may stand in such a list.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no limit: write a `Limit`, or `(limit, window)`",
    label = "neither a `Limit` nor a `(u32, Duration)`"
)]
pub trait IntoLimit {
    /// The limit.
    fn into_limit(self) -> Result<Limit, InvalidLimit>;
}

impl IntoLimit for Limit {
    fn into_limit(self) -> Result<Limit, InvalidLimit> {
        Ok(self)
    }
}

impl IntoLimit for Result<Limit, InvalidLimit> {
    fn into_limit(self) -> Result<Limit, InvalidLimit> {
        self
    }
}

impl IntoLimit for (u32, Duration) {
    fn into_limit(self) -> Result<Limit, InvalidLimit> {
        Limit::new(self.0, self.1)
    }
}

/// What may stand in `algorithm = segmented(..)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` gives no segments: write how many there are, a `u32`, or how long one is, a `Duration`",
    label = "neither a `u32` nor a `Duration`"
)]
pub trait IntoSegments {
    /// The algorithm with these segments. Whether a window can have them is for the limiter to say.
    fn into_segments(self) -> Algorithm;
}

impl IntoSegments for u32 {
    fn into_segments(self) -> Algorithm {
        Algorithm::Segmented(self)
    }
}

impl IntoSegments for Duration {
    fn into_segments(self) -> Algorithm {
        Algorithm::SegmentedBy(self)
    }
}

/// What may stand behind `limit_for =`. It is only borrowed, and copied.
#[diagnostic::on_unimplemented(
    message = "`{Self}` gives no limit for this call: write a `Limit`, or an array, slice or `Vec` of them",
    label = "not a `Limit`, and no list of them"
)]
pub trait LimitsFor {
    /// The limits, or what is wrong with them.
    fn limits(&self) -> Result<&[Limit], InvalidLimit>;
}

impl LimitsFor for Limit {
    fn limits(&self) -> Result<&[Limit], InvalidLimit> {
        Ok(slice::from_ref(self))
    }
}

impl LimitsFor for Result<Limit, InvalidLimit> {
    fn limits(&self) -> Result<&[Limit], InvalidLimit> {
        self.as_ref().map(slice::from_ref).map_err(|why| *why)
    }
}

impl LimitsFor for [Limit] {
    fn limits(&self) -> Result<&[Limit], InvalidLimit> {
        Ok(self)
    }
}

impl<const N: usize> LimitsFor for [Limit; N] {
    fn limits(&self) -> Result<&[Limit], InvalidLimit> {
        Ok(self)
    }
}

impl LimitsFor for Vec<Limit> {
    fn limits(&self) -> Result<&[Limit], InvalidLimit> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: LimitsFor + ?Sized> LimitsFor for &T {
    fn limits(&self) -> Result<&[Limit], InvalidLimit> {
        (**self).limits()
    }
}

#[diagnostic::do_not_recommend]
impl<T: LimitsFor + ?Sized> LimitsFor for Box<T> {
    fn limits(&self) -> Result<&[Limit], InvalidLimit> {
        (**self).limits()
    }
}

#[diagnostic::do_not_recommend]
impl<T: LimitsFor + ?Sized> LimitsFor for Arc<T> {
    fn limits(&self) -> Result<&[Limit], InvalidLimit> {
        (**self).limits()
    }
}

/// The limits of one call. They are copied, so that nothing is held on to of where they came from, such as the guard
/// of a lock, when the cost is evaluated.
pub struct CallLimits(Held);

enum Held {
    /// So many of these: who has a limit for each of second, minute, hour and day makes no allocation.
    Few(usize, [Limit; 4]),
    Many(Box<[Limit]>),
    Invalid(InvalidLimit),
}

/// `limit_for = ..`.
#[inline]
pub fn limits_for<T: LimitsFor + ?Sized>(limits: &T) -> CallLimits {
    CallLimits(match limits.limits() {
        Ok(limits) => {
            let mut few = [Limit::NONE; 4];
            match few.get_mut(..limits.len()) {
                Some(places) => {
                    places.copy_from_slice(limits);
                    Held::Few(limits.len(), few)
                }
                None => Held::Many(limits.into()),
            }
        }
        Err(why) => Held::Invalid(why),
    })
}

impl CallLimits {
    #[inline]
    pub(super) fn get(&self) -> Result<&[Limit], InvalidLimit> {
        match &self.0 {
            Held::Few(count, few) => Ok(&few[..*count]),
            Held::Many(limits) => Ok(limits),
            Held::Invalid(why) => Err(*why),
        }
    }
}
