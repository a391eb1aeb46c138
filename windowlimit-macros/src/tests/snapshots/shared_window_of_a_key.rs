// #[window_rate_limit(key = (user.id, action), limit_for = user.plan, window = "1h", store = REDIS, name = "act", cost = rows.len() as u32, permit = permit, algorithm = fixed, skip_if = user.is_admin)]
// async fn f(user: User, action: String, rows: Vec<Row>) -> Result<u32, E> { Ok(permit.remaining()) }
async fn f(user: User, action: String, rows: Vec<Row>) -> Result<u32, E> {
    let __windowlimit_skip: ::windowlimit::__private::bool = user.is_admin;
    let permit = {
        use ::windowlimit::__private as __windowlimit;
        static __WINDOWLIMIT: __windowlimit::Lazy<__windowlimit::SharedLimiter> = __windowlimit::Lazy::new(||
        __windowlimit::shared_limiter_for(
            __windowlimit::shared(&REDIS, "act")
                .algorithm(__windowlimit::Algorithm::Fixed),
            __windowlimit::nanos(1, 3600000000000),
        ));
        if __windowlimit_skip {
            __windowlimit::uncounted_shared(&__WINDOWLIMIT)
        } else {
            let __windowlimit_call = match __windowlimit::store_key(
                &(&user.id, &action),
            ) {
                __windowlimit_key => {
                    let __windowlimit_limits = __windowlimit::limits_for(&user.plan);
                    let __windowlimit_cost: __windowlimit::u32 = rows.len() as u32;
                    __windowlimit::shared_call_for(
                        &__WINDOWLIMIT,
                        __windowlimit_key,
                        &__windowlimit_limits,
                        __windowlimit_cost,
                    )
                }
            };
            match __windowlimit::admit_call_async(__windowlimit_call).await {
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
