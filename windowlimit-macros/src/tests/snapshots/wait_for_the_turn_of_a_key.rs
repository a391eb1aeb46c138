// #[window_rate_limit(limit = 5, window = "1m", wait, max_waiters = config().waiters, key = (user.id, action), cost = rows.len() as u32)]
// async fn f(user: &User, action: String, rows: Vec<Row>) -> Option<String> { Some(action) }
async fn f(user: &User, action: String, rows: Vec<Row>) -> Option<String> {
    {
        let __windowlimit_decision = match __windowlimit::key(&(&user.id, &action)) {
            __windowlimit_key => {
                let __windowlimit_cost: __windowlimit::u32 = rows.len() as u32;
                __windowlimit::wait_key(
                    __windowlimit::keyed(
                        &__WINDOWLIMIT,
                        5,
                        60000000000,
                        __windowlimit::concat!(__windowlimit::module_path!(), "::f"),
                    ),
                    __windowlimit_key,
                    __windowlimit_cost,
                    *__WINDOWLIMIT_WAITING,
                )
            }
        };
        if let __windowlimit::Some(__windowlimit_refusal) = __windowlimit::refused(
            __windowlimit_decision.await,
        ) {
            return <Option<
                String,
            > as __windowlimit::Refuse>::refuse(__windowlimit_refusal);
        }
        use ::windowlimit::__private as __windowlimit;
        static __WINDOWLIMIT: __windowlimit::KeyedHome = __windowlimit::KeyedHome::EMPTY;
        static __WINDOWLIMIT_WAITING: __windowlimit::Lazy<__windowlimit::Waiting> = __windowlimit::Lazy::new(||
        __windowlimit::waiting(
            __windowlimit::None,
            __windowlimit::waiters(config().waiters),
        ));
    }
    {
        const _: () = ();
        Some(action)
    }
}
