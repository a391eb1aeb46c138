// #[window_rate_limit(limit = 5, window = "1m")]
// fn f<'a>(s: &'a str) -> BoxFuture<'a, Result<usize, E>> { let n = s.len(); Box::pin(async move { Ok(n) }) }
fn f<'a>(s: &'a str) -> BoxFuture<'a, Result<usize, E>> {
    let n = s.len();
    Box::pin(async move {
        {
            use ::windowlimit::__private as __windowlimit;
            static __LIMITER: __windowlimit::Limiter = __windowlimit::limiter(
                __windowlimit::nanos(5, 60000000000),
                __windowlimit::concat!(__windowlimit::module_path!(), "::f"),
            );
            if let __windowlimit::Some(__exceeded) = __windowlimit::check(&__LIMITER) {
                return __windowlimit::Refuse::refuse(__exceeded);
            }
        }
        {
            const _: () = ();
            Ok(n)
        }
    })
}
