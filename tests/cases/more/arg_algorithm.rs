//@ run-pass
// The window of each spelling is of the algorithm that it says.
use std::time::Duration;
use windowlimit::{Algorithm as A, Limit, RateLimitExceeded as E, Reason, window_rate_limit};
const SEGMENTS: u32 = 20;
fn length() -> Duration { Duration::from_millis(250) }
#[window_rate_limit(limit = 5, window = "1m", permit = p)]
fn default() -> Result<A, E> { Ok(p.algorithm()) }
#[window_rate_limit(limit = 5, window = "1m", permit = p, algorithm = exact)]
fn exact() -> Result<A, E> { Ok(p.algorithm()) }
#[window_rate_limit(limit = 5, window = "1m", permit = p, algorithm = fixed)]
fn fixed() -> Result<A, E> { Ok(p.algorithm()) }
#[window_rate_limit(limit = 5, window_ms = 60000, permit = p, algorithm = segmented(10))]
fn number() -> Result<A, E> { Ok(p.algorithm()) }
#[window_rate_limit(algorithm = segmented("100ms"), limit = 5, window = "1m", permit = p)]
fn text() -> Result<A, E> { Ok(p.algorithm()) }
#[window_rate_limit(limit = 5, window = "1m", permit = p, algorithm = segmented(SEGMENTS * 2))]
fn expression() -> Result<A, E> { Ok(p.algorithm()) }
#[window_rate_limit(limit = 5, window = "1m", permit = p, algorithm = segmented(length()))]
fn duration() -> Result<A, E> { Ok(p.algorithm()) }
#[window_rate_limit(limit = calls(), window = "1m", permit = p, algorithm = fixed)]
fn run_time_limit() -> Result<A, E> { Ok(p.algorithm()) }
fn calls() -> u32 { 5 }
#[window_rate_limit(limits = [(5, "1s"), (5, "1m")], permit = p, algorithm = segmented(7))]
fn several() -> Result<A, E> { Ok(p.algorithm()) }
#[window_rate_limit(limits = [(5, length() * 4), (5, "1m"), Limit::per_hour(calls())], permit = p, algorithm = segmented("1s"))]
fn several_at_run_time() -> Result<A, E> { Ok(p.algorithm()) }
#[window_rate_limit(limits = vec![Limit::per_hour(5)], permit = p, algorithm = segmented(1 + 1))]
fn list() -> Result<A, E> { Ok(p.algorithm()) }
struct S;
#[window_rate_limit(limit = 5, window = "1m", permit = p, algorithm = fixed)]
impl S { fn method(&self) -> Result<A, E> { Ok(p.algorithm()) } }
// The names of the algorithms are free for anything else.
#[window_rate_limit(limit = 5, window = "1m", permit = p, algorithm = fixed)]
fn parameter_fixed(fixed: A, exact: A) -> Result<bool, E> { Ok([fixed, exact].contains(&p.algorithm())) }
#[window_rate_limit(limit = 5, window = "1m", permit = p, algorithm = segmented(10))]
fn parameter_segmented(segmented: A) -> Result<bool, E> { Ok(segmented == p.algorithm()) }
macro_rules! limited {
    ($name:ident, $algorithm:expr, $segments:expr) => {
        mod $name {
            use super::{A, E};
            #[windowlimit::window_rate_limit(limit = 5, window = "1m", permit = p, algorithm = $algorithm)]
            pub fn whole() -> Result<A, E> { Ok(p.algorithm()) }
            #[windowlimit::window_rate_limit(limit = 5, window = "1m", permit = p, algorithm = segmented($segments))]
            pub fn part() -> Result<A, E> { Ok(p.algorithm()) }
        }
    };
}
limited!(first, fixed, 30);
limited!(second, segmented(12), "2s");
// What is no number of segments at run time refuses every call, and nothing panics.
#[window_rate_limit(limit = 5, window = "1m", algorithm = segmented(SEGMENTS - 20))]
fn zero() -> Result<(), E> { Ok(()) }
#[window_rate_limit(limit = 5, window = "1m", algorithm = segmented(u32::MAX))]
fn too_many() -> Result<(), E> { Ok(()) }
#[window_rate_limit(limit = 5, window = "1m", algorithm = segmented(Duration::ZERO))]
fn zero_length() -> Result<(), E> { Ok(()) }
#[window_rate_limit(limit = 5, window = length() * 4, algorithm = segmented("1us"))]
fn too_short() -> Result<(), E> { Ok(()) }
// Windows end, at the latest a segment later.
#[window_rate_limit(limit = 1, window = "4h", algorithm = segmented(4))]
fn in_segments() -> Result<(), E> { Ok(()) }
#[window_rate_limit(limit = 1, window = "4h", algorithm = fixed)]
fn in_fixed() -> Result<(), E> { Ok(()) }
fn main() {
    for (f, expected) in [
        (default as fn() -> Result<A, E>, A::Exact),
        (exact, A::Exact),
        (fixed, A::Fixed),
        (number, A::Segmented(10)),
        (text, A::SegmentedBy(Duration::from_millis(100))),
        (expression, A::Segmented(40)),
        (duration, A::SegmentedBy(Duration::from_millis(250))),
        (run_time_limit, A::Fixed),
        (several, A::Segmented(7)),
        (several_at_run_time, A::SegmentedBy(Duration::from_secs(1))),
        (list, A::Segmented(2)),
        (|| S.method(), A::Fixed),
        (first::whole, A::Fixed),
        (first::part, A::Segmented(30)),
        (second::whole, A::Segmented(12)),
        (second::part, A::SegmentedBy(Duration::from_secs(2))),
    ] {
        for _ in 0..5 { assert_eq!(f().ok(), Some(expected)); }
        assert_eq!(f().unwrap_err().limit(), 5);
    }
    assert_eq!(parameter_fixed(A::Fixed, A::Exact).ok(), Some(true));
    assert_eq!(parameter_segmented(A::Segmented(10)).ok(), Some(true));
    for f in [zero, too_many, zero_length, too_short] { assert_eq!(f().unwrap_err().reason(), Reason::Misconfigured); }
    let wait = |f: fn() -> Result<(), E>| { assert!(f().is_ok()); f().unwrap_err().retry_after().unwrap().as_secs_f64() / 3600.0 };
    assert!((4.0..=5.0).contains(&wait(in_segments)));
    assert!((3.5..=4.0).contains(&wait(in_fixed)));
}
