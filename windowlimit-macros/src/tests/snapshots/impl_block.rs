// #[window_rate_limit(limit = 5, window = "1m")]
// impl<T> Trait for S<T> { const N: u32 = 1; #[inline] fn f(&self) -> Option<u32> { Some(1) } #[window_rate_limit(skip)] fn g(&self) {} }
impl<T> Trait for S<T> {
    const N: u32 = 1;
    #[inline]
    #[::windowlimit::__private::__from_impl("S<T>", limit = 5, window = "1m")]
    fn f(&self) -> Option<u32> {
        Some(1)
    }
    #[window_rate_limit(skip)]
    #[::windowlimit::__private::__from_impl("S<T>", limit = 5, window = "1m")]
    fn g(&self) {}
}
