use windowlimit::window_rate_limit;

struct S;

#[window_rate_limit(skip)]
impl S {
    fn f() -> Option<u32> {
        Some(1)
    }
}

fn main() {}
