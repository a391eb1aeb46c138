//! What the tests of every engine share: an oracle that is obviously right, one table of cases, random traces, and
//! the subject that they all run on.
#![forbid(unsafe_code)]
// For the tests beside it, not for publication: where a name says all, no line repeats it.
#![allow(missing_docs, clippy::missing_panics_doc)]
#![cfg(not(windowlimit_loom))]

pub mod crowd;
pub mod fields;
pub mod members;
pub mod oracle;
pub mod script;
pub mod subject;
pub mod table;
pub mod trace;
pub mod witness;
