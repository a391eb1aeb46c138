//! Decisions on a server's own clock: the known faults of limiters on Redis, which the list of public faults has as F72 to
//! F88.

use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use windowlimit::{Algorithm, Decider, Limit, OnStoreError, Reason, RedisStore, SharedLimiter, StoreState};

use crate::server::{Program, Server, until};

const HOUR: Limit = Limit::per_hour(100);

fn millis(max: u32, window: u64) -> Limit {
    Limit::new(max, Duration::from_millis(window)).expect("the window is above zero")
}

/// A limiter that shows an error by refusing.
fn strict(store: &RedisStore, name: &str, limit: Limit) -> SharedLimiter {
    let limiter = SharedLimiter::builder(store, name.to_owned()).limit(limit);
    limiter.on_store_error(OnStoreError::Deny).build().expect("it has a limit")
}

fn keys(server: &Server) -> Vec<String> {
    redis::cmd("KEYS").arg("*").query(&mut server.connect()).expect("the server answers")
}

fn pttl(server: &Server, key: &str) -> i64 {
    redis::cmd("PTTL").arg(key).query(&mut server.connect()).expect("the server answers")
}

fn info(server: &Server, section: &str, field: &str) -> String {
    let text: String =
        redis::cmd("INFO").arg(section).query(&mut server.connect()).expect("the server answers");
    let line = text.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    line.unwrap_or_else(|| panic!("no {field} in {text}")).to_owned()
}

pub(crate) fn f72_clients_that_interleave_get_exactly_n(program: &Program) {
    let server = Server::start(program);
    let admitted = thread::scope(|scope| {
        let clients: Vec<_> = (0..4)
            .map(|_| {
                let limiter = strict(&server.patient().remember(Duration::ZERO).build(), "f72", HOUR);
                scope.spawn(move || (0..100).filter(|_| limiter.check(&()).is_ok()).count())
            })
            .collect();
        clients.into_iter().map(|client| client.join().expect("it ends")).collect::<Vec<_>>()
    });
    assert_eq!(admitted.iter().sum::<usize>(), 100, "{admitted:?}");
}

pub(crate) fn f73_calls_of_one_instant_are_separate_calls(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    let limiter = Arc::new(strict(&store, "f73", Limit::per_hour(10_000)));
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("it can be made");
    // As fast as the connection takes them, so that many share a microsecond or at least a millisecond.
    let admitted = runtime.block_on(async {
        let tasks: Vec<_> = (0..10_100)
            .map(|_| {
                let limiter = Arc::clone(&limiter);
                tokio::spawn(async move { limiter.check_async("all").await.is_ok() })
            })
            .collect();
        let mut admitted = 0;
        for task in tasks {
            admitted += usize::from(task.await.expect("it ends"));
        }
        admitted
    });
    assert_eq!((admitted, limiter.degraded()), (10_000, 0), "{:?}", store.last_error());
}

pub(crate) fn f74_every_key_has_a_time_to_live_after_whatever_is_done(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    for algorithm in [Algorithm::Exact, Algorithm::Segmented(10), Algorithm::Fixed] {
        let limiter = SharedLimiter::builder(&store, "f74").limit(Limit::per_hour(200)).algorithm(algorithm);
        let limiter = limiter.on_store_error(OnStoreError::Deny).build().expect("it has a limit");
        let permit = limiter.try_acquire("refunded").expect("there is room");
        let _ = limiter.check("refunded");
        permit.refund();
        let _ = limiter.try_acquire("emptied").map(windowlimit::SharedPermit::refund);
        assert!(limiter.check_n("refused", 150).is_ok() && limiter.check_n("refused", 60).is_err());
        limiter.set_limits([millis(50, 100)]).expect("it can be kept");
        let _ = limiter.check("refused");
        let _ = limiter.check_n("fresh", 0);
    }
    let keys = keys(&server);
    assert!(keys.len() >= 6, "{keys:?}");
    for key in keys {
        // -2 is one that has gone.
        assert_ne!(pttl(&server, &key), -1, "{key}");
    }
}

pub(crate) fn f75_the_time_to_live_is_never_shorter_than_the_window(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    for window in [1_900, 900, 1] {
        for algorithm in [Algorithm::Exact, Algorithm::Segmented(10), Algorithm::Fixed] {
            let name = format!("f75 {window}");
            let limiter = SharedLimiter::builder(&store, name).limit(millis(1, window)).algorithm(algorithm);
            let limiter = limiter.build().expect("it has a limit");
            let before = Instant::now();
            assert!(limiter.try_acquire(&()).is_ok_and(|permit| permit.decider() == Decider::Store));
            let keys = keys(&server);
            let key = keys.iter().find(|key| key.contains(&format!("f75 {window}:")));
            let left = key.map_or(-2, |key| pttl(&server, key));
            let passed = i64::try_from(before.elapsed().as_millis()).expect("it is short") + 1;
            assert!(
                left + passed >= window.try_into().expect("it is short"),
                "{window} {algorithm:?}: {left}"
            );
            limiter.reset(&()).expect("the store answers");
        }
    }
}

pub(crate) fn f76_every_admission_renews_the_time_to_live(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    let limiter = strict(&store, "f76", Limit::per_hour(5));
    assert!(limiter.check(&()).is_ok());
    let key = &keys(&server)[0];
    // As if most of the hour had passed.
    server.run_command(&["PEXPIRE", key, "60000"]);
    assert!(limiter.check(&()).is_ok());
    assert!(pttl(&server, key) > 3_500_000);
    // And nobody with a shorter window makes it any shorter.
    assert!(strict(&store, "f76", Limit::per_second(5)).check(&()).is_ok());
    assert!(pttl(&server, key) > 3_500_000);
}

pub(crate) fn f77_keys_that_fall_silent_are_gone(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    let limiter = strict(&store, "f77", millis(3, 20));
    let admitted = (0..2_000).filter(|key| limiter.check(key).is_ok()).count();
    assert_eq!(admitted, 2_000);
    until("no key is left", || {
        redis::cmd("DBSIZE").query::<usize>(&mut server.connect()).expect("the server answers") == 0
    });
}

pub(crate) fn f78_a_refusal_changes_nothing_on_the_server(program: &Program) {
    let server = Server::start(program);
    let store = server.patient().remember(Duration::ZERO).build();
    for algorithm in [Algorithm::Exact, Algorithm::Segmented(10), Algorithm::Fixed] {
        let limiter = SharedLimiter::builder(&store, "f78").limit(HOUR).algorithm(algorithm).build();
        let limiter = limiter.expect("it has a limit");
        assert!(limiter.check_n("full", 100).is_ok());
        let changes = info(&server, "persistence", "rdb_changes_since_last_save");
        let refused = (0..5_000).filter(|_| limiter.check("full").is_err()).count();
        assert_eq!(refused, 5_000);
        // Nothing is written, so nothing is replicated, and no memory is taken.
        assert_eq!(info(&server, "persistence", "rdb_changes_since_last_save"), changes);
    }
}

pub(crate) fn f79_no_clock_of_a_client_is_ever_sent(program: &Program) {
    let server = Server::start(program);
    let mut monitor = TcpStream::connect(("127.0.0.1", server.port)).expect("the server is up");
    monitor.write_all(b"MONITOR\r\n").expect("it listens");
    let mut lines = BufReader::new(monitor).lines();
    assert_eq!(lines.next().expect("it answers").expect("in text"), "+OK");
    let limiter = strict(&server.store(), "f79", HOUR);
    assert!(limiter.check("key").is_ok());
    limiter.try_acquire("key").expect("there is room").refund();
    let scripts = lines.map(|line| line.expect("it is text")).filter(|line| line.contains("\"EVALSHA\""));
    let scripts: Vec<_> = scripts.take(3).collect();
    let behind_key = |script: &String| -> Vec<String> {
        let words = script.split('"').filter(|word| !word.trim().is_empty());
        words.skip_while(|word| !word.contains(":f79:")).skip(1).map(str::to_owned).collect()
    };
    // Where the record of an hour's hundredth admission is, and how long it counts: no instant at all.
    assert_eq!(behind_key(&scripts[0]), ["-800", "-793", "3600000000", "3600001"]);
    for script in &scripts[1..] {
        // The cost, and then the instant: the server's own.
        assert_eq!(behind_key(script)[..2], ["1", "-1"], "{script}");
    }
    // But what is given back is named by the server's own instant.
    let is_instant = |word: &str| word.len() > 14 && word.bytes().all(|byte| byte.is_ascii_digit());
    let instants = scripts.iter().map(|script| script.split('"').filter(|word| is_instant(word)).count());
    assert!(instants.eq([0, 0, 1]), "{scripts:?}");
}

pub(crate) fn f80_a_cost_above_what_is_left_is_a_refusal(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    for algorithm in [Algorithm::Exact, Algorithm::Segmented(10), Algorithm::Fixed] {
        let limiter = SharedLimiter::builder(&store, "f80").limit(HOUR).algorithm(algorithm).build();
        let limiter = limiter.expect("it has a limit");
        assert_eq!(limiter.check_n("empty", 101).expect_err("it never fits").reason(), Reason::NeverFits);
        assert!(limiter.check_n("empty", 60).is_ok());
        let refusal = limiter.check_n("empty", 41).expect_err("40 are left");
        assert_eq!((refusal.reason(), refusal.decider()), (Reason::WindowFull, Decider::Store));
        assert!(limiter.check_n("empty", 40).is_ok());
    }
    assert_eq!(store.degraded(), 0);
}

pub(crate) fn f82_a_script_that_was_flushed_is_sent_again_and_run_once(program: &Program) {
    let server = Server::start(program);
    let store = server.patient().remember(Duration::ZERO).build();
    let limiter = strict(&store, "f82", HOUR);
    let mut connection = server.connect();
    let admitted = (0..150).filter(|_| {
        redis::cmd("SCRIPT").arg("FLUSH").exec(&mut connection).expect("the server answers");
        limiter.check(&()).is_ok()
    });
    assert_eq!((admitted.count(), limiter.degraded()), (100, 0));
}

pub(crate) fn f83_large_costs_fit(program: &Program) {
    let server = Server::start(program);
    let limiter = strict(&server.store(), "f83", Limit::per_hour(1_500_000));
    assert!(limiter.check_n(&(), 20_000).is_ok());
    assert!(limiter.check_n(&(), 1_000_000).is_ok());
    assert_eq!(limiter.usage(&()).expect("the store answers").remaining(), 480_000);
    let refusal = limiter.check_n(&(), 1_000_001).expect_err("more than a call may take");
    assert_eq!(refusal.reason(), Reason::Misconfigured);
    assert!(format!("{refusal:#}").contains("1000000 units"), "{refusal:#}");
    assert_eq!(limiter.degraded(), 0);
}

pub(crate) fn f84_a_refusal_is_remembered_until_its_retry_time_and_no_longer(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    let limiter = strict(&store, "f84", millis(1, 300));
    assert!(limiter.check(&()).is_ok());
    assert_eq!(limiter.check(&()).expect_err("it is full").decider(), Decider::Store);
    let asked = store.asked();
    let mut remembered = 0;
    loop {
        match limiter.check(&()) {
            Ok(()) => break,
            Err(refusal) => {
                remembered += u64::from(refusal.decider() == Decider::Memory);
                assert!(refusal.retry_after().expect("it comes") <= Duration::from_millis(300));
            }
        }
    }
    // The call that was admitted, and such as came while the question for the refusal was on its way to the server.
    let asked = store.asked() - asked;
    assert!((1..=5).contains(&asked), "{asked} asked, {remembered} remembered");
}

pub(crate) fn f84_what_this_process_changes_is_seen_at_once(program: &Program) {
    let server = Server::start(program);
    let limiter = strict(&server.store(), "f84 changes", Limit::per_hour(1));
    let permit = limiter.try_acquire("a").expect("there is room");
    let refused = |decider| limiter.check("a").is_err_and(|refusal| refusal.decider() == decider);
    assert!(refused(Decider::Store) && refused(Decider::Memory));
    permit.refund();
    assert!(limiter.check("a").is_ok() && refused(Decider::Store) && refused(Decider::Memory));
    limiter.reset("a").expect("the store answers");
    assert!(limiter.check("a").is_ok() && refused(Decider::Store));
    limiter.set_limits([Limit::per_hour(2)]).expect("it can be kept");
    assert!(limiter.check("a").is_ok() && refused(Decider::Store) && refused(Decider::Memory));
}

pub(crate) fn f84_what_another_process_changes_is_seen_after_the_cap(program: &Program) {
    let server = Server::start(program);
    let store = server.patient().remember(Duration::from_millis(50)).build();
    let limiter = strict(&store, "f84 cap", Limit::per_hour(1));
    let other = strict(&server.store(), "f84 cap", Limit::per_hour(1));
    assert!(limiter.check(&()).is_ok() && limiter.check(&()).is_err());
    other.reset(&()).expect("the store answers");
    until("the cap has passed", || limiter.check(&()).is_ok());
}

pub(crate) fn f85_a_key_that_holds_something_else_is_left_alone(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    let limiter = strict(&store, "f85", Limit::per_hour(3));
    let mut connection = server.connect();
    let key = |key: &str| format!("windowlimit:f85:{}:{key}", key.len());
    redis::cmd("RPUSH").arg(key("list")).arg("a").exec(&mut connection).expect("the server answers");
    let text = "sixteen letters!";
    redis::cmd("SET").arg(key("text")).arg(text.repeat(4)).exec(&mut connection).expect("the server answers");
    redis::cmd("SET").arg(key("short")).arg("short").exec(&mut connection).expect("the server answers");
    for name in ["list", "text", "short"] {
        let refusal = limiter.check(name).expect_err("it cannot be decided");
        assert_eq!(refusal.reason(), Reason::StoreUnavailable, "{name}");
        assert!(store.last_error().is_some_and(|error| error.is_answer()), "{name}");
    }
    let get = |key: String, connection: &mut redis::Connection| {
        redis::cmd("GET").arg(key).query::<String>(connection).expect("it is a text")
    };
    assert_eq!(get(key("text"), &mut connection), text.repeat(4));
    assert_eq!(get(key("short"), &mut connection), "short");
    // It concerns nobody else, and is over when the key is gone.
    assert!(limiter.check("other").is_ok() && matches!(store.state(), StoreState::Up));
    redis::cmd("DEL").arg(key("list")).exec(&mut connection).expect("the server answers");
    assert!(limiter.check("list").is_ok());
}

pub(crate) fn f86_a_server_that_never_answers_ends_no_call_late(_: &Program) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let address = format!("redis://{}", listener.local_addr().expect("it has an address"));
    let store = RedisStore::open(&address).expect("it is an address");
    for (policy, decider, is_admitted) in [
        (OnStoreError::Deny, Decider::Denied, false),
        (OnStoreError::Allow, Decider::Allowed, true),
        (OnStoreError::Local, Decider::Local, true),
    ] {
        let limiter = SharedLimiter::builder(&store, "f86").limit(Limit::per_hour(1)).on_store_error(policy);
        let limiter = limiter.build().expect("it has a limit");
        let started = Instant::now();
        let decided = limiter.try_acquire(&());
        // Far more than a deadline of 50 ms, for a machine that is busy; far less than any time-out of a client.
        assert!(started.elapsed() < Duration::from_secs(5), "{policy:?}");
        assert_eq!(decided.is_ok(), is_admitted);
        let found = decided.map_or_else(|refusal| refusal.decider(), |permit| permit.decider());
        assert_eq!(found, decider);
        assert_eq!((limiter.degraded(), found.is_degraded()), (1, true));
    }
    assert_eq!(store.degraded(), 3);
}

pub(crate) fn f87_a_process_keeps_the_limit_by_itself_and_returns_to_the_store(program: &Program) {
    let mut server = Server::start(program);
    let told = Arc::new(Mutex::new(Vec::new()));
    let hook = Arc::clone(&told);
    let store = server.patient().on_change(move |state| {
        hook.lock().expect("nobody panics").push(matches!(state, StoreState::Up));
    });
    let store = store.build();
    let limiter = SharedLimiter::new(&store, "f87", Limit::per_hour(5));
    let deciders = |calls: u32| -> Vec<Decider> {
        let decided = (0..calls).filter_map(|_| limiter.try_acquire(&()).ok());
        decided.map(|permit| permit.decider()).collect()
    };
    assert_eq!(deciders(3), [Decider::Store; 3]);
    server.kill();
    // What the store has admitted here counts here as well.
    assert_eq!(deciders(20), [Decider::Local; 2]);
    assert_eq!(limiter.degraded(), 20);
    assert!(matches!(store.state(), StoreState::Down(_)));
    server.run();
    until("the store is back", || {
        limiter.try_acquire("another").is_ok_and(|permit| permit.decider() == Decider::Store)
    });
    assert!(matches!(store.state(), StoreState::Up));
    // Told of once, however many calls and attempts there were.
    assert_eq!(*told.lock().expect("nobody panics"), [true, false, true]);
}

pub(crate) fn f88_a_refund_after_the_record_has_left_does_nothing(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    for algorithm in [Algorithm::Exact, Algorithm::Segmented(2), Algorithm::Fixed] {
        let limiter = SharedLimiter::builder(&store, "f88").limit(millis(2, 20)).algorithm(algorithm).build();
        let limiter = limiter.expect("it has a limit");
        let permit = limiter.try_acquire(&()).expect("there is room");
        until("it has left", || limiter.usage(&()).expect("the store answers").live() == 0);
        permit.refund();
        assert_eq!(limiter.usage(&()).expect("the store answers").live(), 0);
        for key in keys(&server) {
            assert_ne!(pttl(&server, &key), -1, "{key}");
        }
    }
}
