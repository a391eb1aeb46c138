//! A refusal as a response, and an admission in the header fields of one. Knows limits, refusals and permits, and no
//! limiter: every number comes from the decision that is answered.
//!
//! [`fields`] are the header fields as text, [`problem`] is the whole response, both for any framework. Behind them there is
//! a file for each, which says in its types what those two say in text.
//!
//! All that a feature adds to types that are there without it are implementations of traits of the framework's. There is no
//! method among it, which could come before one of the same name from a trait of the user's; and no conversion into a type
//! of another crate, but for `tonic::Status`, which is what its handlers have to return.

mod fields;
mod http;
mod problem;
mod text;

#[cfg(feature = "actix-web")]
mod actix_web;
#[cfg(feature = "axum")]
mod axum;
#[cfg(feature = "tonic")]
mod tonic;

pub use self::{
    fields::{FieldSyntax, RateLimitFields},
    problem::TooManyRequests,
};
