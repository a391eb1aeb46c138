// #[window_rate_limit(key = user, limit_for = self.plan(user), window = "1h", wait, skip_if = user.is_empty(), permit = permit)]
// fn f<'a>(&'a self, user: String) -> BoxFuture<'a, Result<u32, E>> { Box::pin(async move { Ok(permit.remaining()) }) }
fn f<'a>(&'a self, user: String) -> BoxFuture<'a, Result<u32, E>> {
    Box::pin(async move {
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
                        __windowlimit::wait_key_for(
                            &__WINDOWLIMIT,
                            __windowlimit_key,
                            &__windowlimit_limits,
                            1,
                            __windowlimit::waiting(
                                __windowlimit::None,
                                __windowlimit::None,
                            ),
                        )
                    }
                };
                match __windowlimit_decision.await {
                    __windowlimit::Ok(__windowlimit_permit) => __windowlimit_permit,
                    __windowlimit::Err(__windowlimit_refusal) => {
                        return __windowlimit::Refuse::refuse(__windowlimit_refusal);
                    }
                }
            }
        };
        {
            const _: () = ();
            Ok(permit.remaining())
        }
    })
}
