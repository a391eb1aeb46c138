// #[window_rate_limit(limit = 5, window = "1m")]
// fn f<'a>(s: &'a str) -> BoxFuture<'a, Result<usize, E>> { let n = s.len(); Box::pin(async move { Ok(n) }) }
fn f<'a>(s: &'a str) -> BoxFuture<'a, Result<usize, E>> {
    let n = s.len();
    Box::pin(async move {
        {
            if let __windowlimit::Some(__windowlimit_refusal) = __windowlimit::check(
                __windowlimit::limiter(
                    &__WINDOWLIMIT,
                    5,
                    60000000000,
                    __windowlimit::concat!(__windowlimit::module_path!(), "::f"),
                ),
            ) {
                return __windowlimit::Refuse::refuse(__windowlimit_refusal);
            }
            use ::windowlimit::__private as __windowlimit;
            static __WINDOWLIMIT: __windowlimit::LimiterHome = __windowlimit::LimiterHome::EMPTY;
        }
        {
            const _: () = ();
            Ok(n)
        }
    })
}
