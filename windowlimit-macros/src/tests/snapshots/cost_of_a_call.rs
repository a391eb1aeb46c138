// #[window_rate_limit(limit = 100, window = "1m", algorithm = segmented(60), skip_if = rows.is_empty(), cost = rows.len() as u32)]
// fn f(rows: &[Row]) -> Option<u32> { Some(1) }
fn f(rows: &[Row]) -> Option<u32> {
    {
        let __windowlimit_skip: ::windowlimit::__private::bool = rows.is_empty();
        if !__windowlimit_skip {
            let __windowlimit_cost: __windowlimit::u32 = rows.len() as u32;
            if let __windowlimit::Some(__windowlimit_refusal) = __windowlimit::check_n(
                &__WINDOWLIMIT,
                __windowlimit_cost,
            ) {
                return <Option<
                    u32,
                > as __windowlimit::Refuse>::refuse(__windowlimit_refusal);
            }
        }
        use ::windowlimit::__private as __windowlimit;
        static __WINDOWLIMIT: __windowlimit::Lazy<__windowlimit::Limiter> = __windowlimit::Lazy::new(||
        {
            __windowlimit::limiters(
                    [__windowlimit::nanos(100, 60000000000)],
                    __windowlimit::concat!(__windowlimit::module_path!(), "::f"),
                    &__WINDOWLIMIT,
                )
                .with_algorithm(__windowlimit::Algorithm::Segmented(60))
        });
    }
    {
        const _: () = ();
        Some(1)
    }
}
