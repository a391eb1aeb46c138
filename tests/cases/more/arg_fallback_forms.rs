//@ check-pass
// Answers that move, borrow, await, coerce and return early.
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000, fallback = name)]
pub fn f(name: String) -> String {
    name + "x"
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000, fallback = { drop(name); None })]
pub fn g<'a>(name: String, b: &'a mut Vec<u8>) -> Option<&'a mut u8> {
    drop(name);
    b.first_mut()
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000, fallback = b.first_mut())]
pub fn h(b: &mut Vec<u8>) -> Option<&mut u8> {
    b.last_mut()
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000, fallback = Box::new([].into_iter()))]
pub fn i(b: &[u8]) -> Box<dyn Iterator<Item = u8> + '_> {
    Box::new(b.iter().copied())
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000, fallback = std::future::ready(b.len()).await)]
pub fn j(b: &[u8]) -> impl Future<Output = usize> {
    async move { b.len() }
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000, fallback = |_| b.len())]
pub async fn k(b: &[u8]) -> usize {
    b.len()
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000, error = "busy".into())]
pub fn l() -> Result<(), Box<dyn std::error::Error>> {
    Ok(())
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000, error = |e| e.into())]
pub fn m() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    Ok(())
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000, fallback = Err("x")?)]
pub fn n() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    Ok(())
}
#[windowlimit::window_rate_limit(limit = 5, window_ms = 60000, fallback = |_| None)]
pub fn o() -> Option<impl Iterator<Item = u8>> {
    Some([1].into_iter())
}
