//@ run-pass
// Fragments of every kind, in arguments, heads and bodies, also through several macros.
#![allow(dead_code)]
use windowlimit::{Limit, Limiter, RateLimitExceeded as E, window_rate_limit};
mod deps {
    pub use windowlimit as rl;
}
static SHARED: Limiter = Limiter::new("s", Limit::per_minute(1));
macro_rules! all {
    ($k:ident = $v:expr; $lim:expr; $perm:ident; $path:path; $err:expr; $name:literal; $skip:expr;
     $list:expr; $c:path; $tt:tt) => {
        #[window_rate_limit($k = $v, window_ms = $tt, name = $name, permit = $perm, crate = $c)]
        fn a() -> Result<u32, E> {
            Ok($perm.remaining())
        }
        #[window_rate_limit(limiter = $path, error = $err)]
        fn b(n: u32) -> Result<u32, String> {
            Ok(n)
        }
        #[window_rate_limit(limits = $list, skip_if = $skip)]
        fn c() -> Option<u32> {
            Some($v * 2)
        }
        #[window_rate_limit(limit = $lim, window = "1m", fallback = $v * 3)]
        fn d() -> u32 {
            $v * 2
        }
    };
}
all!(limit = 1 + 1; { 2 }; left; crate::SHARED; |e| e.to_string(); "named"; 1 > 2;
     [(1, "1m"), (2, "1h")]; crate::deps::rl; 60000);
macro_rules! outer { ($($rest:tt)*) => { inner! { $($rest)* } } }
macro_rules! inner {
    ($v:vis fn $n:ident($($p:tt : $t:ty),*) -> $r:ty { $e:expr } limited $args:tt) => {
        inner2! { $v, $n, ($($p: $t),*), $r, $e, $args }
    };
}
macro_rules! inner2 {
    ($v:vis, $n:ident, ($($p:tt : $t:ty),*), $r:ty, $e:expr, ($($args:tt)*)) => {
        #[window_rate_limit($($args)*)]
        $v fn $n($($p: $t),*) -> $r { Some($e * 2) }
    };
}
outer! { pub(crate) fn e((_x, _y): (u8, u32), _z: &u32) -> Option<u32> { 1 + 2 } limited (limit = 1, window = "1m") }
macro_rules! block {
    ($i:item) => {
        #[window_rate_limit(limit = 1, window = "1m")]
        $i
    };
}
struct S;
block! {
    impl S {
        /// Docs.
        fn x(&self) -> Option<u32> {
            Some(1)
        }
    }
}
macro_rules! trait_impl {
    ($t:ty, $ty:ty, $body:expr) => {
        impl Tr for $t {
            #[window_rate_limit(limit = 1, window = "1m")]
            fn t(&self, _: &$ty) -> Option<$ty> {
                Some($body * 2)
            }
        }
    };
}
trait Tr {
    fn t(&self, x: &u32) -> Option<u32>;
}
trait_impl!(S, u32, 1 + 1);
macro_rules! stmts {
    ($([$($s:tt)*])*; $last:expr) => {
        #[window_rate_limit(limit = 1, window = "1m")]
        fn st() -> Option<u32> {
            $($($s)*)*
            Some($last * 2)
        }
    };
}
stmts! { [let a = 1;][let _b = a + 1;]; 3 + 4 }
macro_rules! fut {
    ($n:expr, $b:block) => {
        #[window_rate_limit(limit = 1, window = "1m")]
        fn fu() -> impl Future<Output = Option<u32>> {
            let x = $n * 2;
            assert_eq!(x, 4);
            async move $b
        }
    };
}
fut!(1 + 1, { Some(1) });
macro_rules! fut2 {
    ($n:expr) => {
        #[window_rate_limit(limit = 1, window = "1m")]
        fn fu2() -> impl Future<Output = Option<u32>> {
            $n
        }
    };
}
fut2!(async { Some(2) });
macro_rules! lt {
    ($l:lifetime, $lit:literal, $m:meta) => {
        #[$m]
        #[window_rate_limit(limit = $lit, window = "1m")]
        fn lt<$l>(s: &$l str) -> Option<&$l str> {
            Some(s)
        }
    };
}
lt!('q, 1, inline);
fn main() {
    assert_eq!(a().unwrap(), 1);
    assert_eq!(a().unwrap(), 0);
    assert_eq!(a().unwrap_err().name(), "named");
    assert!(b(1).is_ok());
    assert!(b(1).unwrap_err().contains("Too many"));
    assert_eq!(c(), Some(4));
    assert_eq!(c(), None);
    assert_eq!((d(), d(), d()), (4, 4, 6));
    assert_eq!(e((1, 2), &3), Some(6));
    assert_eq!(e((1, 2), &3), None);
    assert!(S.x().is_some() && S.x().is_none());
    assert_eq!(S.t(&1), Some(4));
    assert_eq!(S.t(&1), None);
    assert_eq!(st(), Some(14));
    assert_eq!(st(), None);
    assert!(lt("a").is_some() && lt("a").is_none());
    let mut w = std::task::Context::from_waker(std::task::Waker::noop());
    let mut poll = |f: std::pin::Pin<Box<dyn Future<Output = Option<u32>>>>| {
        let mut f = f;
        match f.as_mut().poll(&mut w) {
            std::task::Poll::Ready(x) => x,
            _ => None,
        }
    };
    drop(fu());
    drop(fu2());
    assert_eq!(poll(Box::pin(fu())), Some(1));
    assert_eq!(poll(Box::pin(fu())), None);
    assert_eq!(poll(Box::pin(fu2())), Some(2));
    assert_eq!(poll(Box::pin(fu2())), None);
}
