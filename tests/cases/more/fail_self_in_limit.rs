//@ fail: self & limiter ; n=1 ; at=self
use windowlimit::window_rate_limit;
pub struct S { pub n: u32 }
impl S {
    #[window_rate_limit(limit = self.n, window_ms = 60000)]
    pub fn f(&self) -> Option<u32> { Some(self.n) }
}
