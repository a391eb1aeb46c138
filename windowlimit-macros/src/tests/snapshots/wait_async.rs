// #[window_rate_limit(limit = 5, window = "1m", max_wait = "2s", max_waiters = 100, fallback = cached(&key).await)]
// async fn f(key: String) -> String { load(key).await }
async fn f(key: String) -> String {
    {
        if let __windowlimit::Some(__windowlimit_refusal) = __windowlimit::refused(
            __windowlimit::wait(
                    __windowlimit::limiter(
                        &__WINDOWLIMIT,
                        5,
                        60000000000,
                        __windowlimit::concat!(__windowlimit::module_path!(), "::f"),
                    ),
                    1,
                    __windowlimit::waiting(
                        __windowlimit::wait_nanos(2000000000),
                        __windowlimit::waiters(100),
                    ),
                )
                .await,
        ) {
            return match __windowlimit::YES {
                true => cached(&key).await,
                false => __windowlimit::never(),
            };
        }
        use ::windowlimit::__private as __windowlimit;
        static __WINDOWLIMIT: __windowlimit::LimiterHome = __windowlimit::LimiterHome::EMPTY;
    }
    {
        const _: () = ();
        load(key).await
    }
}
