// #[window_rate_limit(limiter = self.limiter, max_wait_ms = 500, skip_if = self.free)]
// async fn f(&self) -> Result<u32, E> { Ok(1) }
async fn f(&self) -> Result<u32, E> {
    {
        let __windowlimit_skip: ::windowlimit::__private::bool = self.free;
        if !__windowlimit_skip {
            let __windowlimit_limiter = &self.limiter;
            if let __windowlimit::Some(__windowlimit_refusal) = __windowlimit::refused(
                __windowlimit::wait(
                        __windowlimit::limiter_of(__windowlimit_limiter),
                        1,
                        __windowlimit::waiting(
                            __windowlimit::wait_millis(500),
                            __windowlimit::None,
                        ),
                    )
                    .await,
            ) {
                return <Result<
                    u32,
                    E,
                > as __windowlimit::Refuse>::refuse(__windowlimit_refusal);
            }
        }
        use ::windowlimit::__private as __windowlimit;
    }
    {
        const _: () = ();
        Ok(1)
    }
}
