// #[window_rate_limit(limit = 5, window = "1m", store = &REDIS, name = "login", on_store_error = deny)]
// fn f() -> Result<u32, E> { Ok(1) }
fn f() -> Result<u32, E> {
    {
        let __windowlimit_call = __windowlimit::shared_call(&__WINDOWLIMIT, &(), 1);
        if let __windowlimit::Some(__windowlimit_refusal) = __windowlimit::check_call(
            __windowlimit_call,
        ) {
            return <Result<
                u32,
                E,
            > as __windowlimit::Refuse>::refuse(__windowlimit_refusal);
        }
        use ::windowlimit::__private as __windowlimit;
        static __WINDOWLIMIT: __windowlimit::Lazy<__windowlimit::SharedLimiter> = __windowlimit::Lazy::new(||
        __windowlimit::shared_limiter(
            __windowlimit::shared(&&REDIS, "login")
                .on_store_error(__windowlimit::OnStoreError::Deny),
            [__windowlimit::nanos(5, 60000000000)],
        ));
    }
    {
        const _: () = ();
        Ok(1)
    }
}
