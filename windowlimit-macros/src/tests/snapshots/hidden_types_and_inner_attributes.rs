// #[window_rate_limit(limit = 5, window = "1m")]
// fn f() -> Result<(impl Fn() -> u8, Vec<impl Copy + Send>), E> { #![allow(unused)] todo!() }
fn f() -> Result<(impl Fn() -> u8, Vec<impl Copy + Send>), E> {
    #![allow(unused)]
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
                (_, Vec<_>),
                E,
            > as __windowlimit::Refuse>::refuse(__windowlimit_refusal);
        }
        use ::windowlimit::__private as __windowlimit;
        static __WINDOWLIMIT: __windowlimit::LimiterHome = __windowlimit::LimiterHome::EMPTY;
    }
    {
        const _: () = ();
        todo!()
    }
}
