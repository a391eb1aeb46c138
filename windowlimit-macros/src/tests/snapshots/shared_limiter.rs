// #[window_rate_limit(limiter = self.limiter, skip_if = self.free, permit = permit)]
// fn f(&self) -> Result<u32, E> { Ok(permit.remaining()) }
fn f(&self) -> Result<u32, E> {
    let __windowlimit_skip: ::windowlimit::__private::bool = self.free;
    let __windowlimit_limiter = &self.limiter;
    let permit = {
        use ::windowlimit::__private as __windowlimit;
        if __windowlimit_skip {
            __windowlimit::uncounted(__windowlimit_limiter)
        } else {
            match __windowlimit::admit(__windowlimit_limiter) {
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
