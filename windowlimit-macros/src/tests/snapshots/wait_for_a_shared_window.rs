// #[window_rate_limit(limit = 5, window = "1m", key = user, store = &REDIS, name = "login", max_wait = "2s")]
// async fn f(user: &str) -> Result<u32, E> { Ok(1) }
async fn f(user: &str) -> Result<u32, E> {
    {
        let __windowlimit_call = match __windowlimit::store_key(&user) {
            __windowlimit_key => {
                __windowlimit::shared_call(&__WINDOWLIMIT, __windowlimit_key, 1)
            }
        };
        if let __windowlimit::Some(__windowlimit_refusal) = __windowlimit::refused(
            __windowlimit::wait_call(
                    __windowlimit_call,
                    __windowlimit::waiting(
                        __windowlimit::wait_nanos(2000000000),
                        __windowlimit::None,
                    ),
                )
                .await,
        ) {
            return <Result<
                u32,
                E,
            > as __windowlimit::Refuse>::refuse(__windowlimit_refusal);
        }
        use ::windowlimit::__private as __windowlimit;
        static __WINDOWLIMIT: __windowlimit::Lazy<__windowlimit::SharedLimiter> = __windowlimit::Lazy::new(||
        __windowlimit::shared_limiter(
            __windowlimit::shared(&&REDIS, "login"),
            [__windowlimit::nanos(5, 60000000000)],
        ));
    }
    {
        const _: () = ();
        Ok(1)
    }
}
