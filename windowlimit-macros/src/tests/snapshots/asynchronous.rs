// #[window_rate_limit(limit = 5, window = "1m", fallback = cached(&key).await)]
// async fn f(key: String) -> String { load(key).await }
async fn f(key: String) -> String {
    {
        if let __windowlimit::Some(__windowlimit_refusal) = __windowlimit::check(
            &__WINDOWLIMIT,
        ) {
            return match __windowlimit::YES {
                true => cached(&key).await,
                false => __windowlimit::never(),
            };
        }
        use ::windowlimit::__private as __windowlimit;
        static __WINDOWLIMIT: __windowlimit::Limiter = __windowlimit::limiter(
            __windowlimit::nanos(5, 60000000000),
            __windowlimit::concat!(__windowlimit::module_path!(), "::f"),
            &__WINDOWLIMIT,
        );
    }
    {
        const _: () = ();
        load(key).await
    }
}
