//! The attribute with `store`: in every kind of function, with every argument that goes with it.

use windowlimit::{Decider, Limit, RateLimitExceeded, RedisStore, window_rate_limit};

use crate::server::{Program, Server};

type Refused = RateLimitExceeded;

/// Functions of their own for each server, since a function has one window for the whole process.
macro_rules! functions {
    ($($server:ident)*) => {
        $(mod $server {
            use super::*;

            pub(super) static STORE: std::sync::OnceLock<RedisStore> = std::sync::OnceLock::new();

            fn store() -> &'static RedisStore {
                STORE.get().expect("it is set first")
            }

            #[window_rate_limit(limit = 3, window = "1h", store = store(), name = "plain")]
            pub(super) fn plain() -> Result<u32, Refused> {
                Ok(1)
            }

            // Another function of this name, and another limit over the same admissions.
            #[window_rate_limit(limit = 5, window_ms = 3_600_000, store = store(), name = "plain")]
            pub(super) async fn plain_async() -> Result<u32, Refused> {
                Ok(1)
            }

            #[window_rate_limit(limits = [(2, "1m"), (3, "1h")], key = (user, action.as_str()), store = store(),
                name = "keyed", fallback = action)]
            pub(super) fn keyed(user: u64, action: String) -> String {
                format!("{user} may {action}")
            }

            #[window_rate_limit(window = "1h", key = user, limit_for = plan, cost = n, permit = permit, store = store(),
                name = "everything", skip_if = user == "root", on_store_error = deny, max_keys = 10)]
            pub(super) async fn everything(user: String, plan: Limit, n: u32) -> Result<(Decider, u32, u32), Refused> {
                let seen = (permit.decider(), permit.cost(), permit.remaining());
                if n == 2 {
                    permit.refund();
                }
                std::future::ready(()).await;
                Ok(seen)
            }

            #[window_rate_limit(limit = 2, window = "1h", algorithm = segmented(10), store = STORE.get().expect("it is set"),
                name = "segmented", on_store_error = allow)]
            pub(super) fn segmented() -> Option<()> {
                Some(())
            }

            #[window_rate_limit(limit = 2, window = "1h", algorithm = fixed, store = store(), name = "boxed")]
            pub(super) fn boxed<'a>(n: &'a u32)
                -> std::pin::Pin<Box<dyn Future<Output = Result<u32, Refused>> + Send + 'a>> {
                Box::pin(async move { Ok(*n) })
            }

            #[window_rate_limit(limit = 2, window = "100ms", key = user, cost = n, permit = permit, store = store(),
                name = "waits", max_wait = "1h", max_waiters = 10)]
            pub(super) async fn waits(user: &str, n: u32) -> Result<(Decider, u32), Refused> {
                Ok((permit.decider(), permit.remaining()))
            }

            pub(super) struct Api;

            #[window_rate_limit(limit = 1, window = "1h", store = store(), name = "api", error = |refusal| refusal.name().to_owned())]
            impl Api {
                pub(super) fn first(&self) -> Result<(), String> {
                    Ok(())
                }

                pub(super) async fn second(&self) -> Result<(), String> {
                    Ok(())
                }
            }

            #[window_rate_limit(limits = [LIMIT], key = flag, store = store(), name = "no limit")]
            pub(super) fn no_limit(flag: bool) -> Result<bool, Refused> {
                Ok(flag)
            }

            const LIMIT: (u32, std::time::Duration) = (5, std::time::Duration::ZERO);
        })*

        /// Runs all of it against the server of this name.
        async fn run(program: &Program, server: &Server) {
            $(if program.is(stringify!($server)) {
                use self::$server::*;
                STORE.set(server.store()).expect("this is the only test that does");
                // Blocks the thread, also inside of a runtime.
                assert_eq!((0..5).filter(|_| plain().is_ok()).count(), 3);
                assert!(plain_async().await.is_ok() && plain_async().await.is_ok());
                let refusal = plain_async().await.expect_err("five have been admitted");
                assert_eq!((refusal.name(), refusal.limit(), refusal.decider()), ("plain", 5, Decider::Store));
                assert_eq!(plain().expect_err("more than three").limit(), 3);

                assert_eq!([1, 1, 1, 2].map(|user| keyed(user, "post".to_owned())), ["1 may post", "1 may post", "post", "2 may post"]);
                assert_eq!(keyed(1, "like".to_owned()), "1 may like");

                let (free, paid) = (Limit::per_hour(3), Limit::per_minute(10));
                let ann = || "ann".to_owned();
                assert_eq!(everything(ann(), free, 3).await.ok(), Some((Decider::Store, 3, 0)));
                assert!(everything(ann(), free, 1).await.is_err());
                assert_eq!(everything(ann(), paid, 2).await.ok(), Some((Decider::Store, 2, 5)));
                // It was given back.
                assert_eq!(everything(ann(), paid, 1).await.ok(), Some((Decider::Store, 1, 6)));
                assert_eq!(everything("root".to_owned(), free, 9).await.ok(), Some((Decider::Uncounted, 0, 0)));

                assert_eq!((0..5).filter(|_| segmented().is_some()).count(), 2);
                assert!(boxed(&1).await.is_ok() && boxed(&2).await.is_ok() && boxed(&3).await.is_err());
                for n in [1, 2, 1, 2] {
                    assert_eq!(waits("ann", n).await.ok(), Some((Decider::Store, 2 - n)));
                }
                assert!(Api.first().is_ok() && Api.second().await.is_ok());
                assert_eq!(Api.first().expect_err("once an hour"), "api::first");
                assert_eq!(Api.second().await.expect_err("once an hour"), "api::second");
                let refusal = no_limit(true).expect_err("a window of zero");
                assert!(format!("{refusal:#}").contains("window of zero"), "{refusal:#}");
                assert_eq!(STORE.get().map(RedisStore::degraded), Some(0));
                return;
            })*
            unreachable!("{program:?} is none of the servers");
        }
    };
}

functions!(redis valkey);

pub(crate) fn every_kind_of_function_shares_its_window(program: &Program) {
    let server = Server::start(program);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().expect("it can be made");
    runtime.block_on(run(program, &server));
}

pub(crate) fn a_store_outlives_the_runtimes_that_ask_it(program: &Program) {
    let server = Server::start(program);
    let store = server.store();
    let limiter = windowlimit::SharedLimiter::new(&store, "runtimes", Limit::per_hour(3));
    let admitted = (0..5).filter(|_| {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("it can be made");
        // And without a runtime.
        runtime.block_on(limiter.check_async(&())).is_ok()
    });
    assert_eq!(admitted.count(), 3);
    assert!(limiter.check(&()).is_err() && limiter.degraded() == 0);
}
