//@ run-pass
// F70: turns on a clock that stands still until it is told to move: futures are polled by hand, and nothing sleeps.
use std::{future::Future, pin::{Pin, pin}, sync::{Arc, Mutex}, task::{Context, Poll, Waker}, time::Duration};
use windowlimit::{KeyedLimiter, Limit, Limiter, ManualClock, RateLimitExceeded as E, Reason, window_rate_limit};
type Manual = Arc<ManualClock>;
struct Api { limiter: Limiter<Manual>, keys: KeyedLimiter<Manual>, names: Mutex<Vec<&'static str>>, clock: Manual }
const SECOND: Duration = Duration::from_secs(1);
impl Api {
    /// Two in ten seconds.
    fn new() -> Self {
        let clock = Manual::default();
        let limit = Limit::new(2, 10 * SECOND).unwrap();
        let limiter = Limiter::builder().name("api").limit(limit).clock(clock.clone()).build().unwrap();
        let keys = KeyedLimiter::builder().name("keys").limit(limit).clock(clock.clone()).build().unwrap();
        Self { limiter, keys, names: Mutex::new(vec!["ann", "bob"]), clock }
    }
    #[window_rate_limit(limiter = self.limiter, wait)]
    async fn call(&self, n: u32) -> Result<u32, E> { Ok(n) }
    #[window_rate_limit(limiter = self.limiter, wait, cost = n, permit = p)]
    async fn cost(&self, n: u32) -> Result<u32, E> { std::future::ready(()).await; Ok(p.remaining()) }
    #[window_rate_limit(limiter = self.limiter, max_wait = "9999ms")]
    async fn impatient(&self) -> Result<u32, E> { Ok(1) }
    #[window_rate_limit(limiter = self.limiter, max_wait_ms = 10_000)]
    async fn patient(&self) -> Result<u32, E> { Ok(1) }
    #[window_rate_limit(limiter = self.limiter, wait, max_waiters = 1)]
    async fn alone_in_line(&self) -> Result<u32, E> { Ok(1) }
    #[window_rate_limit(limiter = self.limiter)]
    async fn at_once(&self) -> Result<u32, E> { Ok(1) }
    #[window_rate_limit(limiter = self.keys, wait, key = self.names.lock().unwrap()[n], cost = u32::from(n < 9))]
    async fn key(&self, n: usize) -> Result<&'static str, E> { Ok(self.names.lock().unwrap()[n]) }
    #[window_rate_limit(limiter = self.limiter, wait)]
    fn blocking(&self) -> Result<u32, E> { Ok(1) }
    #[window_rate_limit(limiter = self.keys, wait, key = n, permit = p)]
    fn blocking_key(&self, n: usize) -> Result<u32, E> { Ok(p.remaining()) }
}
fn poll<F: Future>(future: &mut Pin<&mut F>) -> Option<F::Output> {
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) { Poll::Ready(output) => Some(output), Poll::Pending => None }
}
/// What comes of a call that need not wait.
fn now<T>(call: impl Future<Output = Result<T, E>>) -> Result<T, E> { poll(&mut pin!(call)).expect("it does not wait") }
fn in_order_and_exact() {
    let api = Api::new();
    assert!(now(api.call(1)).is_ok() && now(api.call(2)).is_ok());
    let (mut third, mut fourth, mut fifth) = (pin!(api.call(3)), pin!(api.call(4)), pin!(api.call(5)));
    for line in [&mut third, &mut fourth, &mut fifth] { assert!(poll(line).is_none()); }
    api.clock.advance(10 * SECOND - Duration::from_nanos(1));
    for line in [&mut third, &mut fourth, &mut fifth] { assert!(poll(line).is_none()); }
    api.clock.advance(Duration::from_nanos(1));
    // F69: two units are free, and those who wait have them.
    assert_eq!(now(api.at_once()).unwrap_err().reason(), Reason::OthersWait);
    assert!(api.limiter.check().is_err());
    assert_eq!((poll(&mut third).unwrap().ok(), poll(&mut fourth).unwrap().ok()), (Some(3), Some(4)));
    assert!(poll(&mut fifth).is_none());
    api.clock.advance(10 * SECOND);
    assert_eq!(poll(&mut fifth).unwrap().ok(), Some(5));
    assert!(now(api.at_once()).is_ok());
}
fn refused_at_once() {
    let api = Api::new();
    assert!(now(api.call(1)).is_ok() && now(api.call(2)).is_ok());
    // F67
    let refusal = now(api.impatient()).unwrap_err();
    assert_eq!((refusal.reason(), refusal.retry_after()), (Reason::TurnTooLate, Some(10 * SECOND)));
    // F65: what never fits does not join the line.
    let refusal = now(api.cost(3)).unwrap_err();
    assert_eq!((refusal.reason(), refusal.retry_after(), api.limiter.waiting()), (Reason::NeverFits, None, 0));
    let mut patient = pin!(api.patient());
    assert!(poll(&mut patient).is_none());
    // F71: one stands in line, and that is as many as may.
    assert_eq!(now(api.alone_in_line()).unwrap_err().reason(), Reason::LineFull);
    let mut call = pin!(api.call(2));
    assert!(poll(&mut call).is_none());
    // Both units that come free in ten seconds are theirs, and the next ones come ten later.
    assert_eq!(now(api.patient()).unwrap_err().retry_after(), Some(20 * SECOND));
    api.clock.advance(10 * SECOND);
    assert!(poll(&mut patient).unwrap().is_ok() && poll(&mut call).unwrap().is_ok());
    assert!(now(api.impatient()).is_err());
    let mut alone = pin!(api.alone_in_line());
    assert!(poll(&mut alone).is_none());
    assert!(now(api.alone_in_line()).is_err());
    api.clock.advance(10 * SECOND);
    assert!(poll(&mut alone).unwrap().is_ok());
}
// F65: the first in line, with a large cost, is dropped.
fn dropped_in_line() {
    let api = Api::new();
    assert_eq!(now(api.cost(2)).ok(), Some(0));
    {
        let mut third = pin!(api.cost(2));
        assert!(poll(&mut third).is_none());
    }
    let mut fourth = pin!(api.cost(1));
    assert!(poll(&mut fourth).is_none());
    api.clock.advance(10 * SECOND);
    assert_eq!(poll(&mut fourth).unwrap().ok(), Some(1));
    assert!(now(api.at_once()).is_ok() && now(api.at_once()).is_err());
}
// F63, and what the key holds on to is let go.
fn keys_do_not_meet_and_nothing_is_locked() {
    let api = Api::new();
    assert!(now(api.key(0)).is_ok() && now(api.key(0)).is_ok());
    let mut third = pin!(api.key(0));
    assert!(poll(&mut third).is_none());
    assert!(api.names.try_lock().is_ok());
    assert_eq!(now(api.key(1)).ok(), Some("bob"));
    api.clock.advance(10 * SECOND);
    assert_eq!(poll(&mut third).unwrap().ok(), Some("ann"));
}
fn threads_wait_too() {
    let api = Api::new();
    assert!(api.blocking().is_ok() && api.blocking().is_ok() && api.blocking_key(1).is_ok() && api.blocking_key(1).is_ok());
    let start = windowlimit::Clock::now(&*api.clock);
    std::thread::scope(|scope| {
        let calls = [scope.spawn(|| api.blocking()), scope.spawn(|| api.blocking_key(1)), scope.spawn(|| api.blocking())];
        while !calls.iter().all(|call| call.is_finished()) {
            api.clock.advance(SECOND);
            std::thread::yield_now();
        }
        for call in calls { assert!(call.join().unwrap().is_ok()); }
    });
    assert!(windowlimit::Clock::now(&*api.clock) >= start + 10_000_000_000);
}
fn main() {
    in_order_and_exact();
    refused_at_once();
    dropped_in_line();
    keys_do_not_meet_and_nothing_is_locked();
    threads_wait_too();
}
