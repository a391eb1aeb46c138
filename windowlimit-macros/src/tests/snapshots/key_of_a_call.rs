// #[window_rate_limit(limit = 5, window = "1m", key = (user.id, action), max_keys = 1000)]
// fn f(user: &User, action: String) -> Option<String> { Some(action) }
fn f(user: &User, action: String) -> Option<String> {
    {
        let __windowlimit_decision = __windowlimit::check_key(
            &__WINDOWLIMIT,
            __windowlimit::key(&(&user.id, &action)),
        );
        if let __windowlimit::Some(__windowlimit_refusal) = __windowlimit_decision {
            return <Option<
                String,
            > as __windowlimit::Refuse>::refuse(__windowlimit_refusal);
        }
        use ::windowlimit::__private as __windowlimit;
        static __WINDOWLIMIT: __windowlimit::Lazy<__windowlimit::KeyedLimiter> = __windowlimit::Lazy::new(||
        {
            __windowlimit::keyed_limiters(
                    [__windowlimit::nanos(5, 60000000000)],
                    __windowlimit::concat!(__windowlimit::module_path!(), "::f"),
                    &__WINDOWLIMIT,
                )
                .with_max_keys(1000)
        });
    }
    {
        const _: () = ();
        Some(action)
    }
}
