//! The registry of the process, outside of any scope. All in one test, and with functions of its own: other tests of this
//! binary have nothing to do with it.

use windowlimit::{Limit, RateLimitExceeded, registry, registry::Mode, testing, window_rate_limit};

use crate::admitted;

#[window_rate_limit(limit = 1, window = "1h", name = "of_the_process")]
fn of_the_process() -> Result<(), RateLimitExceeded> {
    Ok(())
}

#[test]
fn the_registry_outside_of_scopes_is_that_of_the_process() {
    let named = || registry().named("of_the_process");
    assert!(named().is_empty());
    assert_eq!(admitted(5, of_the_process), 1);
    assert_eq!(named().len(), 1);
    let outside = registry();
    testing::scope(|_| {
        assert!(named().is_empty());
        assert_eq!(admitted(5, of_the_process), 1);
        // What is changed from in here, by a registry that was got outside, is changed there.
        assert_eq!(outside.set_limits("of_the_process", [Limit::per_hour(3)]).ok(), Some(1));
        assert_eq!(admitted(5, of_the_process), 0);
        assert_eq!(named()[0].limits(), [Limit::per_hour(1)]);
    });
    assert_eq!(admitted(5, of_the_process), 2);
    assert!(registry().set_mode("of_the_process", Mode::Shadow).is_ok());
    assert_eq!(admitted(5, of_the_process), 5);
    testing::scope(|_| assert_eq!(admitted(5, of_the_process), 1));
    assert!(registry().set_mode("of_the_process", Mode::Enforce).is_ok());
    assert_eq!(registry().reset("of_the_process").ok(), Some(1));
    assert_eq!(admitted(5, of_the_process), 3);
    let counts = named()[0].counts();
    assert_eq!((counts.admitted(), counts.let_through()), (6, 5));
}
