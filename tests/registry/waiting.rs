//! Calls that wait, in scopes and in the modes of their limiters.

use std::{pin::pin, sync::Arc, time::Duration};

use windowlimit::{
    KeyedLimiter, Limit, Limiter, ManualClock, Reason, TokioClock, registry,
    registry::Mode,
    testing::{self, Scope},
};

/// Whether a future is ready when it is polled once.
fn is_ready<F: Future>(future: std::pin::Pin<&mut F>) -> bool {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    future.poll(&mut context).is_ready()
}

#[test]
fn turns_come_by_the_clock_of_the_scope() {
    static API: Limiter = Limiter::new("turns", Limit::per_minute(1));
    static KEYS: KeyedLimiter = KeyedLimiter::new("turns of keys", Limit::per_minute(1));
    registry().register(&API);
    registry().register(&KEYS);
    testing::scope(|clock| {
        assert!(API.check().is_ok() && KEYS.check("ann").is_ok());
        let mut waiting = pin!(API.acquire());
        let mut waiting_key = pin!(KEYS.acquire("ann"));
        assert!(!is_ready(waiting.as_mut()) && !is_ready(waiting_key.as_mut()));
        assert_eq!((API.waiting(), KEYS.waiting("ann"), KEYS.waiting("bob")), (1, 1, 0));
        assert_eq!(API.check().unwrap_err().reason(), Reason::OthersWait);
        // Another scope knows nothing of it.
        testing::scope(|_| assert!(API.waiting() == 0 && API.check().is_ok() && KEYS.check("ann").is_ok()));
        clock.advance(Duration::from_secs(60));
        assert!(is_ready(waiting.as_mut()) && is_ready(waiting_key.as_mut()));
        assert_eq!((API.waiting(), KEYS.waiting("ann"), API.usage().live()), (0, 0, 1));
    });
    assert_eq!((API.usage().live(), API.waiting(), KEYS.len()), (0, 0, 0));
}

#[test]
fn a_call_that_is_dropped_leaves_the_line_of_its_scope() {
    static API: Limiter = Limiter::new("dropped", Limit::per_minute(1));
    registry().register(&API);
    let scope = Scope::with_clock(ManualClock::new());
    let mut waiting = Box::pin(API.acquire());
    scope.run(|| {
        assert!(API.check().is_ok() && !is_ready(waiting.as_mut()));
        assert_eq!(API.waiting(), 1);
    });
    drop(waiting);
    scope.run(|| assert_eq!(API.waiting(), 0));
}

#[test]
fn permits_that_were_waited_for_are_given_back_in_their_scope() {
    static API: Limiter = Limiter::new("given back", Limit::per_hour(1));
    registry().register(&API);
    testing::scope(|_| {
        let permit = API.acquire_blocking().expect("it is fresh");
        assert_eq!((permit.remaining(), API.usage().live()), (0, 1));
        permit.refund();
        assert_eq!(API.usage().live(), 0);
        let refusal =
            API.acquire_within_blocking(Duration::ZERO).and(API.acquire_within_blocking(Duration::ZERO));
        assert_eq!(refusal.unwrap_err().reason(), Reason::TurnTooLate);
    });
}

#[test]
fn nobody_waits_where_nobody_is_refused() {
    for mode in [Mode::Off, Mode::Shadow] {
        testing::scope(|_| {
            let api = Arc::new(Limiter::new("api", Limit::per_hour(1)));
            let keys = Arc::new(KeyedLimiter::new("keys", Limit::per_hour(1)));
            registry().register(&api);
            registry().register(&keys);
            assert!(api.check().is_ok() && keys.check("ann").is_ok());
            let mut in_line: Vec<_> = (0..3).map(|_| Box::pin(api.acquire())).collect();
            let mut of_key: Vec<_> = (0..3).map(|_| Box::pin(keys.acquire("ann"))).collect();
            assert!(!in_line.iter_mut().any(|call| is_ready(call.as_mut())));
            assert!(!of_key.iter_mut().any(|call| is_ready(call.as_mut())));
            assert_eq!((api.waiting(), keys.waiting("ann")), (3, 3));

            assert!(registry().set_mode("api", mode).is_ok() && registry().set_mode("keys", mode).is_ok());
            // Those in line go, and those who come do not join it.
            assert!(in_line.iter_mut().all(|call| is_ready(call.as_mut())));
            assert!(of_key.iter_mut().all(|call| is_ready(call.as_mut())));
            assert!(api.acquire_blocking().is_ok_and(|permit| permit.cost() == 0));
            assert!(keys.acquire_blocking("ann").is_ok_and(|permit| permit.cost() == 0));
            assert_eq!((api.waiting(), keys.waiting("ann"), api.usage().live()), (0, 0, 1));
            let counted = registry().named("api")[0].counts().let_through();
            assert_eq!(counted, if mode == Mode::Shadow { 4 } else { 0 });

            assert!(registry().set_mode("api", Mode::Enforce).is_ok());
            assert!(api.check().is_err());
        });
    }
}

#[test]
fn those_in_line_are_woken_when_the_mode_lets_them_go() {
    let clock = Arc::new(ManualClock::new());
    let api =
        Limiter::builder().name("woken").limit(Limit::per_hour(1)).clock(clock).build().expect("a limit");
    let api = Arc::new(api);
    registry().register(&api);
    assert!(api.check().is_ok());
    let calls: Vec<_> = (0..4)
        .map(|_| {
            let api = api.clone();
            std::thread::spawn(move || api.acquire_blocking().is_ok())
        })
        .collect();
    while api.waiting() < 4 {
        std::thread::yield_now();
    }
    assert!(registry().set_mode("woken", Mode::Off).is_ok());
    for call in calls {
        assert!(call.join().expect("it does not panic"));
    }
}

#[test]
fn new_limits_by_name_wake_those_in_line() {
    testing::scope(|_| {
        let api = Arc::new(Limiter::new("raised", Limit::per_hour(1)));
        registry().register(&api);
        assert!(api.check().is_ok());
        let mut call = pin!(api.acquire());
        assert!(!is_ready(call.as_mut()));
        assert!(registry().set_limits("raised", [Limit::per_hour(2)]).is_ok());
        assert!(is_ready(call.as_mut()));
    });
}

#[test]
fn calls_that_waited_are_counted_as_such() {
    testing::scope(|_| {
        let clock = Arc::new(ManualClock::new());
        let builder = Limiter::builder().name("counted").limit(Limit::per_hour(1)).clock(clock.clone());
        let api = Arc::new(builder.build().expect("a limit"));
        registry().register(&api);
        assert!(api.acquire_blocking().is_ok());
        let mut call = pin!(api.acquire());
        assert!(!is_ready(call.as_mut()));
        assert!(api.acquire_within_blocking(Duration::from_secs(1)).is_err());
        clock.advance(Duration::from_secs(3_600));
        assert!(is_ready(call.as_mut()));
        let counts = registry().named("counted")[0].counts();
        assert_eq!((counts.admitted(), counts.waited(), counts.refused()), (2, 1, 1));
        assert_eq!(counts.refused_for(Reason::TurnTooLate), 1);
    });
}

#[tokio::test(start_paused = true)]
async fn waiting_moves_the_paused_time_of_tokio() {
    static API: Limiter = Limiter::new("paused", Limit::per_minute(1));
    registry().register(&API);
    let started = tokio::time::Instant::now();
    Scope::with_clock(TokioClock)
        .run_async(async {
            for _ in 0..4 {
                assert!(API.acquire().await.is_ok());
            }
        })
        .await;
    assert_eq!(started.elapsed().as_secs(), 180);
}
