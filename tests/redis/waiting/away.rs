//! Calls that wait while the store cannot be asked.

use std::{
    sync::LazyLock,
    thread,
    time::{Duration, Instant},
};

use windowlimit::{
    Decider, Limit, OnStoreError, RateLimitExceeded, Reason, RedisStore, SharedLimiter, window_rate_limit,
};
use windowlimit_tests::crowd::Crowd;

use super::{ms, per};
use crate::server::{Program, Server, free_port, until};

pub(crate) fn without_the_store_a_call_waits_for_what_stands_in() {
    let address = format!("redis://127.0.0.1:{}", free_port());
    let away = |policy, limit| {
        let store = RedisStore::open(&address).expect("it is an address");
        let limiter = SharedLimiter::builder(&store, "away").limit(limit).on_store_error(policy);
        (limiter.build().expect("it has a limit"), store)
    };
    let (local, store) = away(OnStoreError::Local, per(2, 60));
    let started = Instant::now();
    let deciders = [(); 5].map(|()| local.acquire_blocking(&()).expect("there is no bound").decider());
    assert_eq!(deciders, [Decider::Local; 5]);
    assert!(started.elapsed() >= ms(120), "two windows later");
    assert_eq!((local.degraded(), store.degraded()), (5, 5), "a wait is no decision");
    let hour = [Limit::per_hour(1)];
    assert!(
        local.acquire_for("hour", &hour).blocking().is_err_and(|why| why.reason() == Reason::Misconfigured)
    );
    let (local, _) = away(OnStoreError::Local, Limit::per_hour(1));
    assert!(local.acquire_for("hour", &hour).blocking().is_ok());
    let refusal = local.acquire_for("hour", &hour).within(ms(60_000)).blocking().expect_err("it is full");
    assert_eq!((refusal.reason(), refusal.decider()), (Reason::TurnTooLate, Decider::Local));
    assert_eq!(local.degraded(), 2);

    let (allow, _) = away(OnStoreError::Allow, per(2, 60));
    assert!(
        (0..5).all(|_| allow.acquire_blocking(&()).is_ok_and(|permit| permit.decider() == Decider::Allowed))
    );
    let (deny, _) = away(OnStoreError::Deny, per(2, 60));
    let refusal = deny.acquire_blocking(&()).expect_err("the store is away");
    assert_eq!((refusal.reason(), refusal.retry_after()), (Reason::StoreUnavailable, None));
    assert_eq!((allow.degraded(), deny.degraded(), deny.waiting(&())), (5, 1, 0));
}

/// The window of the process is full for an hour, and the one on the store, when that is there, is empty.
pub(crate) fn who_waits_for_what_stands_in_sees_that_the_store_is_back(program: &Program) {
    let mut server = Server::start(program);
    server.kill();
    let store = server.store();
    let limiter = SharedLimiter::builder(&store, "back").limit(Limit::per_hour(1)).build();
    let limiter = limiter.expect("it has a limit");
    assert_eq!(limiter.acquire_blocking(&()).expect("there is room").decider(), Decider::Local);
    let deciders = thread::scope(|scope| {
        let waits = scope.spawn(|| limiter.acquire_blocking(&()).expect("there is no bound").decider());
        until("it waits", || limiter.check(&()).is_err_and(|refusal| refusal.reason() == Reason::OthersWait));
        server.run();
        waits.join().expect("it ends")
    });
    assert_eq!(deciders, Decider::Store);
}

/// A server that takes questions and never answers: who waits for one that is asked about is decided at its deadline.
pub(crate) fn a_line_goes_on_when_an_answer_never_comes(program: &Program) {
    let server = Server::start(program);
    let store = RedisStore::open(&server.address()).expect("it is an address");
    let limiter = SharedLimiter::builder(&store, "stopped").limit(Limit::per_hour(3)).build();
    let limiter = limiter.expect("it has a limit");
    assert!(limiter.check("first").is_ok());
    server.signal("-STOP");
    let deciders = thread::scope(|scope| {
        let calls: Vec<_> = (0..3).map(|_| scope.spawn(|| limiter.acquire_blocking(&()))).collect();
        let calls = calls.into_iter().map(|call| call.join().expect("it ends"));
        calls.map(|decided| decided.expect("there is room").decider()).collect::<Vec<_>>()
    });
    server.signal("-CONT");
    assert_eq!(deciders, [Decider::Local; 3]);
    assert_eq!(limiter.waiting(&()), 0);
}

/// Nobody listens there.
static AWAY: LazyLock<RedisStore> = LazyLock::new(|| {
    RedisStore::open(&format!("redis://127.0.0.1:{}", free_port())).expect("it is an address")
});

type E = RateLimitExceeded;

#[window_rate_limit(limit = 2, window = "40ms", store = AWAY, name = "plain", wait)]
fn plain(n: u32) -> Result<u32, E> {
    Ok(n)
}

#[window_rate_limit(limits = [(2, "40ms"), (100, "1h")], key = (user, 1), cost = cost, permit = permit, store = AWAY,
    name = "keyed", max_wait = PATIENCE, max_waiters = 100)]
async fn keyed(user: &str, cost: u32) -> Result<(u32, Decider), E> {
    Ok((permit.cost(), permit.decider()))
}

const PATIENCE: Duration = Duration::from_secs(3_600);

#[window_rate_limit(limit = 1, window = "1h", store = AWAY, name = "bounded", max_wait_ms = 5, on_store_error = local,
    fallback = |refusal| Err(refusal.reason()))]
fn bounded() -> Result<(), Reason> {
    Ok(())
}

#[window_rate_limit(limit = 1, window = "1h", store = AWAY, name = "line", wait, max_waiters = 1, skip_if = free,
    error = |refusal| refusal.reason())]
fn line<'a>(free: bool) -> std::pin::Pin<Box<dyn Future<Output = Result<(), Reason>> + Send + 'a>> {
    Box::pin(async move { Ok(()) })
}

struct Api {
    plan: Limit,
}

#[window_rate_limit(window = "1h", key = user, limit_for = self.plan, store = AWAY, name = "api", max_wait_ms = 5)]
impl Api {
    fn first(&self, user: u64) -> Option<u64> {
        Some(user)
    }

    async fn second(&self, user: u64) -> Option<u64> {
        Some(user)
    }
}

#[window_rate_limit(limit = 1, window = "1h", store = AWAY, name = "denied", wait, on_store_error = deny)]
async fn denied() -> Result<(), E> {
    Ok(())
}

pub(crate) fn every_kind_of_function_waits_for_its_turn() {
    let started = Instant::now();
    assert!((0..5).all(|n| plain(n).is_ok_and(|same| same == n)));
    assert!(started.elapsed() >= ms(80), "two windows later");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("it can be made");
    runtime.block_on(async {
        let started = Instant::now();
        for cost in [2, 1, 2] {
            assert_eq!(keyed("ann", cost).await.ok(), Some((cost, Decider::Local)));
        }
        assert!(started.elapsed() >= ms(80), "two windows later");
        assert_eq!(keyed("ann", 3).await.expect_err("it never fits").reason(), Reason::NeverFits);
        assert_eq!(denied().await.expect_err("the store is away").reason(), Reason::StoreUnavailable);

        let api = Api { plan: Limit::per_hour(1) };
        assert_eq!((api.first(1), api.first(1), api.first(2)), (Some(1), None, Some(2)));
        assert_eq!((api.second(1).await, api.second(1).await), (Some(1), None));
        let plan = Limit::new(1, ms(7_200_000)).expect("it is one");
        assert_eq!(Api { plan }.first(3), None, "longer than the longest");
    });
    assert_eq!((bounded(), bounded()), (Ok(()), Err(Reason::TurnTooLate)));

    let mut crowd = Crowd::default();
    let mut results: Vec<_> = (0..3).filter_map(|id| Some((id, crowd.enter(id, line(false))?))).collect();
    until("one waits, and one is told that it cannot", || {
        results.extend(crowd.settle(|_| 0));
        results.len() == 2
    });
    results.sort_by_key(|(id, _)| *id);
    assert_eq!(results, [(0, Ok(())), (2, Err(Reason::LineFull))]);
    assert_eq!(crowd.enter(3, line(false)), Some(Err(Reason::LineFull)), "now it is known");
    assert_eq!(crowd.enter(4, line(true)), Some(Ok(())), "it need not");
}
