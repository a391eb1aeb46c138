use windowlimit::window_rate_limit;

struct S;

#[window_rate_limit(limit = 5, window_ms = 60000)]
impl S {
    const fn constant() -> u32 {
        1
    }

    fn nothing(&self) {}

    fn new() -> Self {
        S
    }
}

fn main() {}
