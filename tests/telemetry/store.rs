//! Limiters on a store, as they are watched and changed from outside: with a server, and without.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use windowlimit::{
    Algorithm, Decider, Limit, OnStoreError, RateLimitExceeded, RateLimitFields, Reason, RedisStore,
    SharedLimiter, SharedPermit, StoreState, config::Settings, registry, registry::Mode, window_rate_limit,
};

use crate::{
    STORES,
    events::Written,
    server::{Program, Server, until},
};

/// Nobody listens at port 1.
static AWAY: LazyLock<RedisStore> =
    LazyLock::new(|| RedisStore::open("redis://127.0.0.1:1").expect("it is an address"));

#[window_rate_limit(limit = 2, window = "1h", key = user, store = AWAY, name = "shared")]
fn shared(user: &str) -> Result<(), RateLimitExceeded> {
    Ok(())
}

fn server() -> Option<Server> {
    match Program::find("redis", "redis-server", "REDIS_SERVER") {
        Ok(program) => Some(Server::start(&program)),
        Err(why) => {
            println!("{why}");
            None
        }
    }
}

fn limiter(store: &RedisStore, name: &'static str, on_error: OnStoreError) -> Arc<SharedLimiter> {
    let builder = SharedLimiter::builder(store, name).limit(Limit::per_hour(2)).on_store_error(on_error);
    Arc::new(builder.build().expect("it has a limit"))
}

/// However many calls notice it.
#[test]
fn an_outage_is_told_once_with_its_reason_and_so_is_its_end() {
    let _alone = STORES.lock();
    let Some(mut server) = server() else { return };
    let written = Written::default();
    // Of the whole process: a store is lost and found on a thread of its own.
    tracing::subscriber::set_global_default(written.clone()).expect("no other test does");
    let (mut changes, mut degraded) = (Vec::new(), 0);
    let mut read = || {
        for line in written.take() {
            match line.split_once(' ') {
                Some(("INFO" | "WARN", _)) => changes.push(line),
                _ if line == "DEBUG decided without the store limiter=\"open\" decider=Allowed" => {
                    degraded += 1;
                }
                _ => {}
            }
        }
        (changes.clone(), degraded)
    };

    let store = server.patient().build();
    let open = limiter(&store, "open", OnStoreError::Allow);
    assert!(open.check("ann").is_ok());
    until("it is told that there is a server", || read().0 == ["INFO the store is asked"]);

    server.kill();
    until("it is told that there is none", || open.check("bob").is_ok() && read().0.len() == 2);
    for _ in 0..100 {
        assert!(open.check("bob").is_ok());
    }
    let (changes, degraded) = read();
    let warning = "WARN the store cannot be asked, and calls are decided without it: the store ";
    assert!(changes[1].starts_with(warning) && changes.len() == 2, "{changes:?}");
    assert!(degraded >= 100 && degraded == open.degraded());

    server.run();
    until("it is told that there is one again", || open.check("bob").is_ok() && read().0.len() == 3);
    assert_eq!(read().0[2], "INFO the store is asked");
}

#[test]
fn a_limiter_on_a_store_is_listed_counted_and_changed_while_the_store_is_away() {
    let _alone = STORES.lock();
    assert!(shared("ann").is_ok() && shared("ann").is_ok() && shared("ann").is_err());

    let listed = &registry().named("shared")[0];
    assert!(listed.file().ends_with("store.rs") && listed.line() == 23, "{listed:?}");
    assert_eq!((listed.limits(), listed.algorithm()), (vec![Limit::per_hour(2)], Algorithm::Exact));
    assert_eq!((listed.mode(), listed.usage(), listed.keys()), (Mode::Enforce, None, Some(1)));
    assert_eq!(listed.degraded(), Some(3));
    let state = listed.store().map(|store| store.state());
    assert!(matches!(state, Some(StoreState::Down(_))), "{state:?}");
    let counts = || listed.counts();
    assert_eq!((counts().admitted(), counts().refused(), counts().let_through()), (2, 1, 0));

    assert_eq!(registry().set_mode("shared", Mode::Shadow), Ok(1));
    assert!(shared("ann").is_ok());
    assert_eq!((counts().admitted(), counts().refused(), counts().let_through()), (2, 1, 1));
    assert_eq!(registry().set_mode("shared", Mode::Off), Ok(1));
    assert!(shared("ann").is_ok());
    assert_eq!((counts().let_through(), listed.degraded()), (1, Some(4)));
    assert_eq!(registry().set_mode("shared", Mode::Enforce), Ok(1));

    assert_eq!(registry().set_limits("shared", [Limit::per_hour(3)]), Ok(1));
    assert!(shared("ann").is_ok() && shared("ann").is_err());
    assert_eq!(registry().restore_limits("shared"), Ok(1));
    assert_eq!(listed.limits(), [Limit::per_hour(2)]);

    let settings = Settings::from_toml("shared = ['5/h', '9/d']").expect("it is right");
    assert_eq!(settings.apply().expect("it can have them").known(), ["shared"]);
    assert!(shared("ann").is_ok() && shared("ann").is_ok() && shared("ann").is_err());
    assert!(Settings::default().apply().is_ok());
    assert_eq!(listed.limits(), [Limit::per_hour(2)]);

    // Nobody can tell a server to forget keys that nobody knows.
    let error = registry().reset("shared").unwrap_err();
    assert!(error.is_unfit() && error.to_string().contains("on a store"), "{error}");
    assert!(shared("ann").is_err());
}

#[test]
fn a_limiter_on_a_store_is_changed_by_name_while_the_store_decides() {
    let _alone = STORES.lock();
    let Some(server) = server() else { return };
    let store = server.patient().build();
    let limiter = limiter(&store, "on a server", OnStoreError::Deny);
    registry().register(&limiter);
    let admitted = |calls: usize| (0..calls).filter(|_| limiter.check("ann").is_ok()).count();
    assert_eq!(admitted(3), 2);
    let refusal = limiter.check("ann").unwrap_err();
    assert_eq!((refusal.reason(), refusal.decider()), (Reason::WindowFull, Decider::Memory));

    assert_eq!(registry().set_limits("on a server", [Limit::per_hour(3)]), Ok(1));
    assert_eq!(admitted(3), 1);
    assert_eq!(registry().set_mode("on a server", Mode::Shadow), Ok(1));
    assert_eq!(admitted(3), 3);
    let permit = limiter.try_acquire("ann").expect("it lets everybody through");
    assert_eq!((permit.decider(), permit.cost()), (Decider::Uncounted, 0));
    let asked = store.asked();
    assert_eq!(registry().set_mode("on a server", Mode::Off), Ok(1));
    assert_eq!((admitted(3), store.asked()), (3, asked));
    assert_eq!(registry().named("on a server")[0].degraded(), Some(0));
    drop(limiter);
    assert_eq!(registry().named("on a server").len(), 0);
}

#[test]
fn f96_a_permit_of_a_store_has_the_fields_of_each_limit() {
    let _alone = STORES.lock();
    let Some(server) = server() else { return };
    let store = server.patient().build();
    let limits = [Limit::per_hour(5), Limit::new(3, Duration::from_secs(86_400)).expect("a limit")];
    let api = SharedLimiter::builder(&store, "api").limits(limits).build().expect("it has limits");
    let fields = |permit: &SharedPermit<'_>| RateLimitFields::from(permit).iter().collect::<Vec<_>>();
    let permit = api.try_acquire("ann").expect("it is the first");
    assert_eq!(
        fields(&permit),
        [
            ("ratelimit-policy", r#""api 5/1h";q=5;w=3600, "api 3/1day";q=3;w=86400"#.to_owned()),
            ("ratelimit", r#""api 3/1day";r=2;t=86400, "api 5/1h";r=4;t=3600"#.to_owned()),
        ]
    );
    // Without its store, what stands in for it is told; of a call that is not counted, nothing.
    let away = limiter(&AWAY, "away", OnStoreError::Local);
    let permit = away.try_acquire("ann").expect("it is the first");
    assert_eq!(fields(&permit)[1].1, r#""away";r=1;t=3600"#);
    let open = limiter(&AWAY, "open door", OnStoreError::Allow);
    assert_eq!(fields(&open.try_acquire("ann").expect("everybody is admitted")), []);
}
