// #[window_rate_limit(limit = 5, window_ms = 60000)]
// pub fn f(n: u32) -> Result<u32, E> { Ok(n) }
pub fn f(n: u32) -> Result<u32, E> {
    {
        if let __windowlimit::Some(__windowlimit_refusal) = __windowlimit::check(
            __windowlimit::limiter(
                &__WINDOWLIMIT,
                5,
                60000000000,
                __windowlimit::concat!(__windowlimit::module_path!(), "::f"),
            ),
        ) {
            return <Result<
                u32,
                E,
            > as __windowlimit::Refuse>::refuse(__windowlimit_refusal);
        }
        use ::windowlimit::__private as __windowlimit;
        static __WINDOWLIMIT: __windowlimit::LimiterHome = __windowlimit::LimiterHome::EMPTY;
    }
    {
        const _: () = ();
        Ok(n)
    }
}
