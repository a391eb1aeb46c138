use windowlimit::window_rate_limit;

struct S<const N: u32>;

#[window_rate_limit(limit = N, window_ms = 0)]
impl<const N: u32> S<N> {
    fn limited(&self) -> Option<u32> {
        Some(1)
    }

    #[window_rate_limit(skip)]
    fn free(&self) -> u32 {
        1
    }
}

fn main() {}
