//@ fail: skip & const ; n=1 ; at=const
// A method that cannot be limited is an error that names the way out; the others are limited all the same.
use windowlimit::window_rate_limit;
pub struct S;
#[window_rate_limit(limit = 5, window_ms = 60000)]
impl S { pub const fn new() -> Self { S } pub fn f(&self) -> Option<u32> { None } }
pub fn caller() -> Option<u32> { S::new().f() }
