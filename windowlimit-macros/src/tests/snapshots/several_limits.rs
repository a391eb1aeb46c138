// #[window_rate_limit(limits = [(10, "1s"), (100, "1m")], error = |refusal| Fault::Busy(refusal))]
// fn f() -> Result<u32, Fault> { Ok(1) }
fn f() -> Result<u32, Fault> {
    {
        if let __windowlimit::Some(__windowlimit_refusal) = __windowlimit::check(
            &__WINDOWLIMIT,
        ) {
            return __windowlimit::err(
                __windowlimit::call(
                    (|refusal| Fault::Busy(refusal),),
                    __windowlimit_refusal,
                ),
            );
        }
        use ::windowlimit::__private as __windowlimit;
        static __WINDOWLIMIT: __windowlimit::Lazy<__windowlimit::Limiter> = __windowlimit::Lazy::new(||
        __windowlimit::limiters(
            [
                __windowlimit::nanos(10, 1000000000),
                __windowlimit::nanos(100, 60000000000),
            ],
            __windowlimit::concat!(__windowlimit::module_path!(), "::f"),
            &__WINDOWLIMIT,
        ));
    }
    {
        const _: () = ();
        Ok(1)
    }
}
