// #[window_rate_limit(limit = 100, window = "1m", algorithm = segmented(config().segments), cost = 2, permit = permit)]
// fn f() -> Option<u32> { Some(permit.cost()) }
fn f() -> Option<u32> {
    let permit = {
        use ::windowlimit::__private as __windowlimit;
        static __WINDOWLIMIT: __windowlimit::Lazy<__windowlimit::Limiter> = __windowlimit::Lazy::new(||
        {
            __windowlimit::limiters(
                    [__windowlimit::nanos(100, 60000000000)],
                    __windowlimit::concat!(__windowlimit::module_path!(), "::f"),
                    &__WINDOWLIMIT,
                )
                .with_algorithm(__windowlimit::segmented(config().segments))
        });
        match __windowlimit::admit_n(&__WINDOWLIMIT, 2) {
            __windowlimit::Ok(__windowlimit_permit) => __windowlimit_permit,
            __windowlimit::Err(__windowlimit_refusal) => {
                return <Option<
                    u32,
                > as __windowlimit::Refuse>::refuse(__windowlimit_refusal);
            }
        }
    };
    {
        const _: () = ();
        Some(permit.cost())
    }
}
