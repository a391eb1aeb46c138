// #[window_rate_limit(key = user, limit_for = self.plan(user), window = "1h", cost = rows.len() as u32, skip_if = user.is_empty(), permit = permit)]
// async fn f(&self, user: String, rows: Vec<Row>) -> Result<u32, E> { Ok(permit.remaining()) }
async fn f(&self, user: String, rows: Vec<Row>) -> Result<u32, E> {
    let __windowlimit_skip: ::windowlimit::__private::bool = user.is_empty();
    let permit = {
        use ::windowlimit::__private as __windowlimit;
        static __WINDOWLIMIT: __windowlimit::Lazy<__windowlimit::KeyedLimiter> = __windowlimit::Lazy::new(||
        __windowlimit::keyed_for(
            __windowlimit::nanos(1, 3600000000000),
            __windowlimit::concat!(__windowlimit::module_path!(), "::f"),
            &__WINDOWLIMIT,
        ));
        if __windowlimit_skip {
            __windowlimit::uncounted_key(&__WINDOWLIMIT)
        } else {
            let __windowlimit_decision = match __windowlimit::key(&user) {
                __windowlimit_key => {
                    let __windowlimit_limits = __windowlimit::limits_for(
                        &self.plan(user),
                    );
                    let __windowlimit_cost: __windowlimit::u32 = rows.len() as u32;
                    __windowlimit::admit_key_for(
                        &__WINDOWLIMIT,
                        __windowlimit_key,
                        &__windowlimit_limits,
                        __windowlimit_cost,
                    )
                }
            };
            match __windowlimit_decision {
                __windowlimit::Ok(__windowlimit_permit) => __windowlimit_permit,
                __windowlimit::Err(__windowlimit_refusal) => {
                    return <Result<
                        u32,
                        E,
                    > as __windowlimit::Refuse>::refuse(__windowlimit_refusal);
                }
            }
        }
    };
    {
        const _: () = ();
        Ok(permit.remaining())
    }
}
