use windowlimit::window_rate_limit;

trait T {
    #[window_rate_limit(limit = 5, window_ms = 60000)]
    fn required() -> Option<u32>;
}

unsafe extern "C" {
    #[window_rate_limit(limit = 5, window_ms = 60000)]
    fn foreign() -> u32;
}

fn main() {}
