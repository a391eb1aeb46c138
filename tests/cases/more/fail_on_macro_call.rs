//@ fail: function & impl ; n=1
// The attribute on a macro call, whose items it cannot see.
macro_rules! m {
    () => {
        pub struct A;
    };
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000)]
m! {}
