//! The engines of windowlimit.

use windowlimit::{Algorithm, Limit, Limiter};

use super::{Case, Subject};

pub(super) fn all(max: u32, case: Case) -> Vec<Subject> {
    let exact = || limiter(max, case, Algorithm::Exact);
    vec![
        subject(Subject::RING, case, exact()),
        subject("windowlimit, log", case, with_a_cost(exact())),
        subject("windowlimit, segmented(10)", case, limiter(max, case, Algorithm::Segmented(10))),
        subject("windowlimit, fixed", case, limiter(max, case, Algorithm::Fixed)),
    ]
}

fn subject(name: &'static str, case: Case, limiter: Limiter) -> Subject {
    Subject::new(name, case, move || limiter.check().is_ok())
}

fn limiter(max: u32, case: Case, algorithm: Algorithm) -> Limiter {
    let limit = Limit::new(max, case.window(max)).expect("the window is above zero");
    Limiter::builder().limit(limit).algorithm(algorithm).build().expect("there is a limit and a few segments")
}

/// An exact window keeps a log from its first call on that takes more than one unit.
fn with_a_cost(limiter: Limiter) -> Limiter {
    limiter.check_n(2).expect("the window is empty");
    limiter
}
