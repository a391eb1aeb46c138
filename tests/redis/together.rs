//! Several windows that decide as one.

mod cluster;
mod random;

use std::{sync::Arc, thread, time::Duration};

use windowlimit::{
    Algorithm, Decider, Limit, ManualClock, OnStoreError, Reason, RedisStore, SharedLimiter,
    SharedLimiterBuilder, Together,
};

pub(crate) use self::{
    cluster::{a_group_lives_on_one_server_of_a_cluster, a_slot_moves_and_all_windows_of_a_group_with_it},
    random::ten_thousand_decisions_are_all_or_nothing,
};
use crate::server::{Program, Server, free_port, until};

const KINDS: [Algorithm; 3] = [Algorithm::Exact, Algorithm::Segmented(10), Algorithm::Fixed];

/// A limiter that shows an error by refusing, in the group of all of these.
fn strict(store: &RedisStore, name: &'static str, max: u32) -> SharedLimiterBuilder {
    let limiter = SharedLimiter::builder(store, name).group("log-in").limit(Limit::per_hour(max));
    limiter.on_store_error(OnStoreError::Deny)
}

fn two(limiters: [SharedLimiterBuilder; 2]) -> Together<2> {
    Together::new(limiters.map(|limiter| limiter.build().expect("it has a limit")))
        .expect("they are of a group")
}

/// So many an hour for a user and for an address.
fn logins(store: &RedisStore, by_user: u32, by_address: u32) -> Together<2> {
    two([strict(store, "user", by_user), strict(store, "address", by_address)])
}

fn live<K: windowlimit::StoreKey + ?Sized>(limiter: &SharedLimiter, key: &K) -> u32 {
    limiter.usage(key).expect("the store answers").live()
}

fn query<T: redis::FromRedisValue>(server: &Server, words: &[&str]) -> T {
    let mut command = redis::cmd(words[0]);
    command.arg(&words[1..]).query(&mut server.connect()).expect("the server answers")
}

fn changes(server: &Server) -> String {
    let text: String = query(server, &["INFO", "persistence"]);
    let line = text.lines().find(|line| line.starts_with("rdb_changes_since_last_save"));
    line.expect("it is told").to_owned()
}

pub(crate) fn clients_that_interleave_never_charge_one_window_without_the_other(program: &Program) {
    let server = Server::start(program);
    let admitted: Vec<(u32, u32)> = thread::scope(|scope| {
        let clients: Vec<_> = (0..4)
            .map(|client| {
                let logins = logins(&server.patient().remember(Duration::ZERO).build(), 40, 70);
                let keys = (0..300).map(move |call| ((call + client) % 5, (call * 7 + client) % 3));
                scope.spawn(move || keys.filter(|&keys| logins.check(keys).is_ok()).collect::<Vec<_>>())
            })
            .collect();
        clients.into_iter().flat_map(|client| client.join().expect("it ends")).collect()
    });
    let logins = logins(&server.store(), 40, 70);
    let [by_user, by_address] = logins.limiters();
    for user in 0..5_u32 {
        let calls = admitted.iter().filter(|(of, _)| *of == user).count();
        assert_eq!(live(by_user, &user) as usize, calls, "{user}");
        assert!(calls <= 40, "{user}: {calls}");
        for address in 0..3_u32 {
            let calls = admitted.iter().filter(|(_, of)| *of == address).count();
            assert_eq!(live(by_address, &address) as usize, calls, "{address}");
            assert!(calls <= 70, "{address}: {calls}");
            // All pairs were tried to the end: where both have room, none was turned away.
            let is_full = live(by_user, &user) == 40 || live(by_address, &address) == 70;
            assert!(is_full, "{user} {address}");
        }
    }
}

pub(crate) fn a_refusal_writes_to_none_of_the_windows(program: &Program) {
    let server = Server::start(program);
    let store = server.patient().remember(Duration::ZERO).build();
    for (one, other) in KINDS.into_iter().flat_map(|one| KINDS.map(|other| (one, other))) {
        server.run_command(&["FLUSHALL"]);
        let logins = two([
            strict(&store, "user", 2).algorithm(one),
            strict(&store, "address", 100).limit(Limit::per_minute(50)).algorithm(other),
        ]);
        assert!(logins.check_n(("ann", "home"), 2).is_ok());
        let before = (changes(&server), query::<u32>(&server, &["DBSIZE"]));
        for address in ["home", "elsewhere"] {
            for _ in 0..20 {
                let refusal = logins.check(("ann", address)).expect_err("the first window is full");
                assert_eq!((refusal.name(), refusal.limit()), ("user", 2));
            }
        }
        // Nothing is written, so nothing is replicated, and a new key is none.
        assert_eq!((changes(&server), query(&server, &["DBSIZE"])), before, "{one:?} {other:?}");
        assert!(logins.check_n(("bob", "home"), 1).is_ok());
        assert_eq!(live(logins.limiters()[1], "home"), 3);
        for key in query::<Vec<String>>(&server, &["KEYS", "*"]) {
            assert!(query::<i64>(&server, &["PTTL", &key]) > 3_500_000, "{key} lives as long as its window");
        }
    }
    assert_eq!(store.degraded(), 0, "{:?}", store.last_error());
}

pub(crate) fn the_refusal_is_of_the_limit_that_has_room_last(program: &Program) {
    let server = Server::start(program);
    let store = server.patient().remember(Duration::ZERO).build();
    let logins = two([
        strict(&store, "user", 1).limit(Limit::per_second(1)),
        strict(&store, "address", 9).limit(Limit::per_minute(1)),
    ]);
    let permit = logins.try_acquire(("ann", "home")).expect("there is room");
    let remaining: Vec<_> = permit.parts().iter().map(|part| (part.name(), part.remaining())).collect();
    assert_eq!(remaining, [("user", 0), ("address", 0)]);
    assert_eq!((permit.remaining(), permit.usage().window()), (0, Duration::from_secs(3600)));
    let refusal = logins.check(("ann", "home")).expect_err("both are full");
    assert_eq!((refusal.name(), refusal.limit(), refusal.window()), ("user", 1, Duration::from_secs(3600)));
    assert_eq!(refusal.limits().len(), 2);
    let refusal = logins.check(("bob", "home")).expect_err("one is full");
    assert_eq!((refusal.name(), refusal.window()), ("address", Duration::from_secs(60)));
    assert!(refusal.retry_after().is_some_and(|wait| wait <= Duration::from_secs(60)));
    assert_eq!(refusal.decider(), Decider::Store);
    let refusal = logins.check_each(("bob", "work"), [1, 10]).expect_err("it never fits");
    assert_eq!((refusal.name(), refusal.reason(), refusal.limit()), ("address", Reason::NeverFits, 1));
    assert_eq!(live(logins.limiters()[0], "bob"), 0);
    // Limits of the call's own, for one of them.
    let plan = [Limit::per_hour(3)];
    let permit = logins.try_acquire_for(("ann", "work"), [Some(&plan), None], [2, 1]);
    assert_eq!(
        permit
            .expect("there is room")
            .parts()
            .iter()
            .map(windowlimit::SharedPermit::cost)
            .collect::<Vec<_>>(),
        [2, 1]
    );
    let refusal =
        logins.check_for(("ann", "club"), [Some(&plan), None], [1, 1]).expect_err("the plan is used up");
    assert_eq!((refusal.name(), refusal.limit()), ("user", 3));
}

pub(crate) fn a_refusal_of_one_window_is_known_to_whoever_asks_it(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    let logins = logins(&store, 1, 9);
    let [by_user, by_address] = logins.limiters();
    let permit = logins.try_acquire(("ann", "home")).expect("there is room");
    assert_eq!(logins.check(("ann", "home")).expect_err("it is full").decider(), Decider::Store);
    let asked = store.asked();
    let is_remembered = |refusal: windowlimit::RateLimitExceeded| {
        assert_eq!((refusal.name(), refusal.decider()), ("user", Decider::Memory));
        assert!(refusal.retry_after().is_some_and(|wait| wait <= Duration::from_secs(3600)));
    };
    // Wherever the call comes from, and of this limiter alone.
    is_remembered(logins.check(("ann", "home")).expect_err("it is full"));
    is_remembered(logins.try_acquire(("ann", "work")).map(drop).expect_err("it is full"));
    is_remembered(by_user.check("ann").expect_err("it is full"));
    assert_eq!(store.asked(), asked);
    // It says nothing about the other window.
    assert!(by_address.check("home").is_ok() && logins.check(("bob", "home")).is_ok());
    // And what one window was heard to refuse alone, it refuses here.
    assert_eq!(by_user.check("bob").expect_err("it is full").decider(), Decider::Store);
    is_remembered(logins.check(("bob", "home")).expect_err("it is full"));
    // What is given back is seen at once.
    permit.refund();
    assert_eq!(live(by_address, "home"), 2);
    assert!(logins.check(("ann", "home")).is_ok());
    assert_eq!(store.degraded(), 0, "{:?}", store.last_error());
}

pub(crate) fn a_refund_gives_back_to_every_window(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    for algorithm in KINDS {
        let logins = two([
            strict(&store, "user", 5).algorithm(algorithm),
            strict(&store, "address", 9).algorithm(algorithm),
        ]);
        let [by_user, by_address] = logins.limiters();
        let first = logins.try_acquire_each(("ann", "home"), [3, 5]).expect("there is room");
        assert!(logins.check(("ann", "home")).is_ok());
        assert_eq!((live(by_user, "ann"), live(by_address, "home")), (4, 6));
        first.refund();
        assert_eq!((live(by_user, "ann"), live(by_address, "home")), (1, 1), "{algorithm:?}");
        by_user.reset("ann").expect("the store answers");
        by_address.reset("home").expect("the store answers");
    }
    assert_eq!(store.degraded(), 0, "{:?}", store.last_error());
}

pub(crate) fn a_script_that_was_flushed_is_sent_again(program: &Program) {
    let server = Server::start(program);
    let store = server.patient().remember(Duration::ZERO).build();
    let logins = logins(&store, 10, 30);
    let admitted = (0..20).filter(|_| {
        server.run_command(&["SCRIPT", "FLUSH"]);
        logins.check(("ann", "home")).is_ok()
    });
    assert_eq!((admitted.count(), store.degraded()), (10, 0));
    assert_eq!(live(logins.limiters()[1], "home"), 10);
}

pub(crate) fn where_one_key_holds_something_else_none_is_charged(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    for (kind, algorithm) in [("", Algorithm::Exact), ("-fixed", Algorithm::Fixed)] {
        let logins = two([strict(&store, "user", 3), strict(&store, "address", 3).algorithm(algorithm)]);
        let key = |key: &str| format!("windowlimit{kind}:{{log-in}}::address:{}:{key}", key.len());
        server.run_command(&["RPUSH", &key("list"), "a"]);
        server.run_command(&["SET", &key("text"), &"sixteen letters!".repeat(4)]);
        server.run_command(&["SET", &key("short"), "short"]);
        server.run_command(&["HSET", &key("hash"), "a", "b"]);
        for name in ["list", "text", "short", "hash"] {
            let refusal = logins.check(("ann", name)).expect_err("it cannot be decided");
            assert_eq!(refusal.reason(), Reason::StoreUnavailable, "{kind} {name}");
            assert!(store.last_error().is_some_and(|error| error.is_answer()), "{kind} {name}");
        }
        assert_eq!(query::<String>(&server, &["GET", &key("short")]), "short");
        assert_eq!(live(logins.limiters()[0], "ann"), 0);
        assert!(logins.check(("ann", "other")).is_ok());
        logins.limiters()[0].reset("ann").expect("the store answers");
    }
}

pub(crate) fn async_calls_are_decided_when_they_are_polled(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    let [by_user, by_address] = [("user", 10), ("address", 99)]
        .map(|(name, max)| Arc::new(strict(&store, name, max).build().expect("it has a limit")));
    let logins = Together::new([Arc::clone(&by_user), by_address]).expect("they are of a group");
    let logins = Arc::new(logins);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().expect("it can be made");
    let admitted = runtime.block_on(async {
        drop(logins.check_async(("ann", "home")));
        let call = |logins: Arc<Together<2, Arc<SharedLimiter>>>| async move {
            logins.try_acquire_async(("ann", "home")).await.is_ok()
        };
        let calls: Vec<_> = (0..30).map(|_| tokio::spawn(call(Arc::clone(&logins)))).collect();
        let mut admitted = 0;
        for call in calls {
            admitted += usize::from(call.await.expect("it ends"));
        }
        admitted
    });
    assert_eq!((admitted, live(&by_user, "ann"), store.degraded()), (10, 10, 0));
}

pub(crate) fn a_process_keeps_all_limits_by_itself_and_returns_to_the_store(program: &Program) {
    let mut server = Server::start(program);
    let store = server.store();
    let local = |limiter: SharedLimiterBuilder| limiter.on_store_error(OnStoreError::Local);
    for (one, other) in [(Algorithm::Exact, Algorithm::Exact), (Algorithm::Fixed, Algorithm::Segmented(10))] {
        let logins = two([
            local(strict(&store, "user", 5).algorithm(one)),
            local(strict(&store, "address", 7).algorithm(other)),
        ]);
        let [by_user, by_address] = logins.limiters();
        assert!((0..3).all(|_| logins.check(("ann", "home")).is_ok()));
        server.kill();
        let degraded = store.degraded();
        // What the store has admitted here counts here as well.
        let admitted = |user| (0..9).filter(|_| logins.check((user, "home")).is_ok()).count();
        assert_eq!((admitted("ann"), admitted("bob")), (2, 2), "{one:?} {other:?}");
        // Refused by the address, without being charged for the user.
        let refusal = logins.check(("carl", "home")).expect_err("it is full");
        assert_eq!((refusal.name(), refusal.decider()), ("address", Decider::Local));
        let permit = logins.try_acquire_n(("carl", "work"), 5).expect("nothing was taken");
        assert_eq!((permit.decider(), permit.remaining()), (Decider::Local, 0));
        assert!(logins.check(("carl", "work")).is_err());
        permit.refund();
        assert!(logins.check_n(("carl", "work"), 5).is_ok());
        // Each decision counts once on the store, and once for each limiter that was to make it.
        let count = store.degraded() - degraded;
        assert_eq!(count, 22);
        assert_eq!((by_user.degraded(), by_address.degraded()), (count, count));
        server.run();
        until("the store is back", || {
            logins.try_acquire(("dora", "den")).is_ok_and(|permit| {
                let decider = permit.decider();
                permit.refund();
                decider == Decider::Store
            })
        });
        server.run_command(&["FLUSHALL"]);
    }
}

/// Each limiter does what it was told: one that refuses without the store refuses for all.
pub(crate) fn without_the_store_the_strictest_decides(_: &Program) {
    let nobody = format!("redis://127.0.0.1:{}", free_port());
    let store = RedisStore::open(&nobody).expect("it is an address");
    let decide = |policies: [OnStoreError; 2], calls: u32| {
        let [one, other] = policies;
        let logins = two([
            strict(&store, "user", 2).on_store_error(one),
            strict(&store, "address", 3).on_store_error(other),
        ]);
        let decided: Vec<_> = (0..calls)
            .map(|_| logins.try_acquire((1, 2)).map_or_else(|no| no.decider(), |permit| permit.decider()))
            .collect();
        let admitted = (0..calls).filter(|_| logins.check((3, 4)).is_ok()).count();
        assert!(decided.iter().all(|decider| *decider == decided[0]));
        (decided[0], admitted)
    };
    let (allow, deny, local) = (OnStoreError::Allow, OnStoreError::Deny, OnStoreError::Local);
    assert_eq!(decide([local, local], 5), (Decider::Local, 2));
    assert_eq!(decide([allow, local], 5), (Decider::Local, 3));
    assert_eq!(decide([local, allow], 5), (Decider::Local, 2));
    assert_eq!(decide([allow, allow], 5), (Decider::Allowed, 5));
    assert_eq!(decide([local, deny], 5), (Decider::Denied, 0));
    assert_eq!(decide([deny, allow], 5), (Decider::Denied, 0));
    assert_eq!(store.degraded(), 60);
}

/// What a clock said that went back is void once, for whoever is admitted by it: not for a call that is refused.
pub(crate) fn a_clock_that_went_back_voids_no_window_of_a_refused_call(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    for algorithm in KINDS {
        let clock = Arc::new(ManualClock::starting_at(1_000_000_000_000));
        let limiter = |name, limit| {
            let limiter =
                SharedLimiter::builder(&store, name).group("back").limit(limit).algorithm(algorithm);
            limiter.instants(Arc::clone(&clock))
        };
        let logins = two([limiter("user", Limit::per_second(2)), limiter("address", Limit::per_hour(3))]);
        let [by_user, by_address] = logins.limiters();
        assert!(logins.check_n(("ann", "home"), 2).is_ok() && by_address.check("home").is_ok());
        // More than two windows of the one, and not of the other.
        clock.set(990_000_000_000);
        let before = changes(&server);
        let refusal = logins.check(("ann", "home")).expect_err("the other is full");
        assert_eq!((refusal.name(), changes(&server)), ("address", before), "{algorithm:?}");
        assert!(logins.check_n(("ann", "work"), 2).is_ok(), "{algorithm:?}");
        assert!(by_user.check("ann").is_err() && live(by_address, "work") == 2, "{algorithm:?}");
        server.run_command(&["FLUSHALL"]);
    }
    assert_eq!(store.degraded(), 0, "{:?}", store.last_error());
}
