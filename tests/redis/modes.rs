//! Limiters on a store that are off or only watch, where others decide with them or calls wait.

use std::{sync::Arc, time::Duration};

use windowlimit::{
    Decider, Limit, OnStoreError, RedisStore, SharedLimiter, Together,
    registry::{Mode, registry},
};

use crate::server::{Program, Server};

/// One an hour, under a name that no other test changes the mode of.
fn limiter(store: &RedisStore, server: &Server, name: &str) -> (Arc<SharedLimiter>, String) {
    let name = format!("{name}-{}", server.port);
    let limiter = SharedLimiter::builder(store, name.clone()).group("modes").limit(Limit::per_hour(1));
    let limiter = Arc::new(limiter.on_store_error(OnStoreError::Deny).build().expect("it has a limit"));
    registry().register(&limiter);
    (limiter, name)
}

fn live(limiter: &SharedLimiter, key: &str) -> u32 {
    limiter.usage(key).expect("the store answers").live()
}

pub(crate) fn what_only_watches_changes_nothing_for_the_others(program: &Program) {
    let server = Server::start(program);
    let store = server.patient().remember(Duration::ZERO).build();
    let (watched, name) = limiter(&store, &server, "watched");
    let (strict, _) = limiter(&store, &server, "strict");
    let both = Together::new([watched.clone(), strict.clone()]).expect("they are of a group");

    assert_eq!(registry().set_mode(&name, Mode::Shadow), Ok(1));
    assert!(both.check(("ann", "home")).is_ok());
    assert_eq!((live(&watched, "ann"), live(&strict, "home")), (1, 1));
    // It is full, and lets through what the other admits.
    let permit = both.try_acquire(("ann", "work")).expect("the other has room");
    let deciders: Vec<_> = permit.parts().iter().map(windowlimit::SharedPermit::decider).collect();
    assert_eq!(deciders, [Decider::Uncounted, Decider::Store]);
    // What was not counted says nothing of the whole.
    assert_eq!((permit.decider(), permit.remaining(), permit.parts()[0].cost()), (Decider::Store, 0, 0));
    let counts = registry().named(&name)[0].counts();
    assert_eq!((counts.admitted(), counts.let_through(), counts.refused()), (1, 1, 0));
    assert_eq!((live(&watched, "ann"), live(&strict, "work")), (1, 1));
    // The other still refuses, and then nothing is taken here.
    assert!(both.check(("bob", "home")).is_err());
    assert_eq!(live(&watched, "bob"), 0);

    assert_eq!(registry().set_mode(&name, Mode::Off), Ok(1));
    assert!(both.check(("bob", "elsewhere")).is_ok());
    assert_eq!((live(&watched, "bob"), live(&strict, "elsewhere")), (0, 1));
    assert_eq!(registry().set_mode(&name, Mode::Enforce), Ok(1));
    assert!(both.check(("ann", "anywhere")).is_err());
}

pub(crate) fn nobody_waits_for_what_refuses_nothing(program: &Program) {
    let server = Server::start(program);
    let store = server.patient().remember(Duration::ZERO).build();
    let (limiter, name) = limiter(&store, &server, "waited-for");
    assert!(limiter.check("ann").is_ok());
    for mode in [Mode::Shadow, Mode::Off] {
        assert_eq!(registry().set_mode(&name, mode), Ok(1));
        let permit = limiter.acquire_blocking("ann").expect("it is let through");
        assert_eq!((permit.decider(), permit.cost()), (Decider::Uncounted, 0), "{mode:?}");
        assert_eq!(registry().set_mode(&name, Mode::Enforce), Ok(1));
    }
    // Who waits already need not wait any longer.
    for mode in [Mode::Shadow, Mode::Off] {
        std::thread::scope(|threads| {
            let waits = threads.spawn(|| limiter.acquire_blocking("ann").expect("it is let through").cost());
            crate::server::until("it stands in line", || limiter.waiting("ann") == 1);
            assert_eq!(registry().set_mode(&name, mode), Ok(1));
            assert_eq!(waits.join().expect("it ends"), 0);
        });
        assert_eq!(registry().set_mode(&name, Mode::Enforce), Ok(1));
    }
    // Each call in shadow, the one that did not wait and the one that did.
    let counts = registry().named(&name)[0].counts();
    assert_eq!((counts.let_through(), counts.refused()), (2, 0));
    assert_eq!((limiter.waiting("ann"), live(&limiter, "ann")), (0, 1));
}

pub(crate) fn nobody_passes_those_who_wait_for_one_of_the_windows(program: &Program) {
    let server = Server::start(program);
    let store = server.patient().remember(Duration::ZERO).build();
    let (by_user, name) = limiter(&store, &server, "in-line");
    let (by_address, _) = limiter(&store, &server, "beside");
    let both = Together::new([by_user.clone(), by_address]).expect("they are of a group");
    assert!(by_user.check("ann").is_ok());
    std::thread::scope(|threads| {
        let waits = threads.spawn(|| by_user.acquire_blocking("ann").map(|permit| permit.cost()));
        // It is known to wait when the store has refused it.
        let reason = || both.check(("ann", "home")).expect_err("the first is full").reason();
        crate::server::until("it is known to wait", || reason() == windowlimit::Reason::OthersWait);
        assert_eq!(registry().set_mode(&name, Mode::Off), Ok(1));
        assert_eq!(waits.join().expect("it ends"), Ok(0));
    });
}
