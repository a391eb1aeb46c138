// #[window_rate_limit(limit = 5, window = "1m")]
// fn f() -> Result<(impl Fn() -> u8, Vec<impl Copy + Send>), E> { #![allow(unused)] todo!() }
fn f() -> Result<(impl Fn() -> u8, Vec<impl Copy + Send>), E> {
    #![allow(unused)]
    {
        use ::windowlimit::__private as __windowlimit;
        static __LIMITER: __windowlimit::Limiter = __windowlimit::limiter(
            __windowlimit::nanos(5, 60000000000),
            __windowlimit::concat!(__windowlimit::module_path!(), "::f"),
        );
        if let __windowlimit::Some(__exceeded) = __windowlimit::check(&__LIMITER) {
            return <Result<(_, Vec<_>), E> as __windowlimit::Refuse>::refuse(__exceeded);
        }
    }
    {
        const _: () = ();
        todo!()
    }
}
