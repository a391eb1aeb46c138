// #[window_rate_limit(limit = 5, window = "1m", fallback = cached(&key).await)]
// async fn f(key: String) -> String { load(key).await }
async fn f(key: String) -> String {
    {
        if let __windowlimit::Some(__windowlimit_refusal) = __windowlimit::check(
            __windowlimit::limiter(
                &__WINDOWLIMIT,
                5,
                60000000000,
                __windowlimit::concat!(__windowlimit::module_path!(), "::f"),
            ),
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
