//@ fail: async ; n=1 ; at=std::future::ready(Some(1))
use windowlimit::window_rate_limit;
#[window_rate_limit(limit = 5, window_ms = 60000)]
pub fn f() -> impl Future<Output = Option<u32>> { let _n = 1; std::future::ready(Some(1)) }
