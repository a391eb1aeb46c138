//! Exact logs that stand in front of something: of an attribute, and of a service of tower, each with what it stands in
//! front of, which does nothing.

use std::{
    convert::Infallible,
    future::{Ready, ready},
    task::{Context, Poll, Waker},
    time::Duration,
};

use throttle_my_fn::throttle;
use tower_layer::Layer as _;
use tower_resilience_ratelimiter::{RateLimiterLayer, WindowType};
use tower_service::Service;

use super::{Case, Reads, Subject};

pub(super) fn all(max: u32, case: Case) -> Vec<Subject> {
    vec![
        Subject::new(Subject::THROTTLE_MY_FN, Reads::Std, case, throttled(max, case)),
        tower_resilience(max, case),
    ]
}

/// An attribute says its limit in the source.
macro_rules! throttled {
    ($($max:literal)*) => {
        fn throttled(max: u32, case: Case) -> fn() -> bool {
            match (max, case) {
                $(
                    ($max, Case::Admit) => {
                        #[throttle($max, Duration::from_nanos(super::NANOS * $max))]
                        fn decide() {}
                        || decide().is_some()
                    }
                    ($max, Case::Refuse) => {
                        #[throttle($max, Duration::from_secs(3600))]
                        fn decide() {}
                        || decide().is_some()
                    }
                )*
                _ => panic!("a function with a limit of {max} is not among those that were written"),
            }
        }
    };
}

throttled!(5 100 1_000 10_000 1_000_000);

/// The service that is limited.
#[derive(Clone)]
struct Nothing;

impl Service<()> for Nothing {
    type Response = ();
    type Error = Infallible;
    type Future = Ready<Result<(), Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, (): ()) -> Self::Future {
        ready(Ok(()))
    }
}

/// Cloned for each call, as servers do it, and without waiting.
fn tower_resilience(max: u32, case: Case) -> Subject {
    let layer = RateLimiterLayer::builder()
        .limit_for_period(max as usize)
        .refresh_period(case.window(max))
        .timeout_duration(Duration::ZERO)
        .window_type(WindowType::SlidingLog)
        .build()
        .expect("neither is zero");
    let service = layer.layer(Nothing);
    Subject::new(Subject::TOWER_RESILIENCE, Reads::Std, case, move || {
        let mut answer = service.clone().call(());
        matches!(answer.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(Ok(())))
    })
}
