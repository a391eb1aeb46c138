// #[window_rate_limit(limit = config().calls, window = WINDOW, name = "f")]
// fn f() -> Option<u32> { Some(1) }
fn f() -> Option<u32> {
    {
        if let __windowlimit::Some(__windowlimit_refusal) = __windowlimit::check(
            &__WINDOWLIMIT,
        ) {
            return <Option<u32> as __windowlimit::Refuse>::refuse(__windowlimit_refusal);
        }
        use ::windowlimit::__private as __windowlimit;
        static __WINDOWLIMIT: __windowlimit::Lazy<__windowlimit::Limiter> = __windowlimit::Lazy::new(||
        __windowlimit::limiters(
            [__windowlimit::span(config().calls, WINDOW)],
            "f",
            &__WINDOWLIMIT,
        ));
    }
    {
        const _: () = ();
        Some(1)
    }
}
