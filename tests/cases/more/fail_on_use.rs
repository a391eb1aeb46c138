//@ fail: function & impl ; n=1 ; at=use
// The keyword is told.
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
pub use std::mem;
