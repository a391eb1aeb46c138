use windowlimit::window_rate_limit;

struct S;

#[window_rate_limit(limit = 5, window = "1m")]
impl S {
    #[window_rate_limit(skip)]
    const fn constant() -> u32 {
        1
    }

    #[window_rate_limit(skip)]
    fn new() -> Self {
        S
    }

    #[window_rate_limit(limit = 5, window = "1m", fallback = ())]
    fn nothing(&self) {}

    fn limited(&self, skip: bool) -> Option<bool> {
        Some(skip)
    }
}

fn main() {
    assert_eq!(S::constant(), 1);
    S::new().nothing();
    assert!(S.limited(true).is_some());
}
