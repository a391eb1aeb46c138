//@ fail: limit & zero ; n=1 ; at=0
// One error for the block and none for its methods; `skip` still has its block.
use windowlimit::window_rate_limit;
pub struct S;
#[window_rate_limit(limit = 0, window_ms = 60000)]
impl S { pub fn a(&self) -> Option<u32> { None } pub fn b(&self) -> Option<u32> { None } #[window_rate_limit(skip)] pub fn c(&self) {} }
