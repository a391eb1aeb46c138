// #[window_rate_limit(limiter = self.limiter, key = *self.tenant, cost = 2)]
// fn f(&self) -> Result<u32, E> { Ok(1) }
fn f(&self) -> Result<u32, E> {
    {
        let __windowlimit_limiter = &self.limiter;
        let __windowlimit_decision = __windowlimit::check_key_n(
            __windowlimit_limiter,
            __windowlimit::key(&*self.tenant),
            2,
        );
        if let __windowlimit::Some(__windowlimit_refusal) = __windowlimit_decision {
            return <Result<
                u32,
                E,
            > as __windowlimit::Refuse>::refuse(__windowlimit_refusal);
        }
        use ::windowlimit::__private as __windowlimit;
    }
    {
        const _: () = ();
        Ok(1)
    }
}
