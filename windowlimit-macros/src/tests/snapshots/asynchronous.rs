// #[window_rate_limit(limit = 5, window = "1m", fallback = cached(&key).await)]
// async fn f(key: String) -> String { load(key).await }
async fn f(key: String) -> String {
    {
        use ::windowlimit::__private as __windowlimit;
        static __LIMITER: __windowlimit::Limiter = __windowlimit::limiter(
            __windowlimit::nanos(5, 60000000000),
            __windowlimit::concat!(__windowlimit::module_path!(), "::f"),
        );
        if let __windowlimit::Some(__exceeded) = __windowlimit::check(&__LIMITER) {
            return cached(&key).await;
        }
    }
    {
        const _: () = ();
        load(key).await
    }
}
