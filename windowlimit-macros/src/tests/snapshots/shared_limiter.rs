// #[window_rate_limit(limiter = self.limiter, skip_if = self.free, permit = permit)]
// fn f(&self) -> Result<u32, E> { Ok(permit.remaining()) }
fn f(&self) -> Result<u32, E> {
    let __skip: bool = self.free;
    let __limiter = &self.limiter;
    let permit = {
        use ::windowlimit::__private as __windowlimit;
        if __skip {
            __windowlimit::uncounted(__limiter)
        } else {
            match __windowlimit::admit(__limiter) {
                __windowlimit::Ok(__permit) => __permit,
                __windowlimit::Err(__exceeded) => {
                    return <Result<u32, E> as __windowlimit::Refuse>::refuse(__exceeded);
                }
            }
        }
    };
    {
        const _: () = ();
        Ok(permit.remaining())
    }
}
