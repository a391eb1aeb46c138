// #[window_rate_limit(limit = config().calls, window = WINDOW, name = "f")]
// fn f() -> Option<u32> { Some(1) }
fn f() -> Option<u32> {
    {
        use ::windowlimit::__private as __windowlimit;
        static __LIMITER: __windowlimit::Lazy<__windowlimit::Limiter> = __windowlimit::Lazy::new(||
        __windowlimit::limiter(__windowlimit::span(config().calls, WINDOW), "f"));
        if let __windowlimit::Some(__exceeded) = __windowlimit::check(&__LIMITER) {
            return <Option<u32> as __windowlimit::Refuse>::refuse(__exceeded);
        }
    }
    {
        const _: () = ();
        Some(1)
    }
}
