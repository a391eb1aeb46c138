//@ run-pass
//@ deps: futures
// What may stand in a key, that it moves nothing, and that what it borrows from is let go before the answer.
use futures::executor::block_on;
use std::{borrow::Cow, cell::Cell, collections::BTreeMap, hash::Hash, sync::{Arc, Mutex}};
use windowlimit::window_rate_limit;
#[derive(Hash)] struct Id(String);
struct User { id: Id, name: String }
// None of these is `Copy`, and the bodies own them.
#[window_rate_limit(limit = 1, window = "1m", key = text)]
fn by_value(text: String) -> Option<String> { Some(text) }
#[window_rate_limit(limit = 1, window = "1m", key = (user.id, action))]
fn tuple(user: &User, action: String) -> Option<String> { Some(action) }
#[window_rate_limit(limit = 1, window = "1m", key = ((a, b), (c,), ()))]
fn nested(a: String, b: Vec<u8>, c: Option<String>) -> Option<(String, Vec<u8>, Option<String>)> { Some((a, b, c)) }
#[window_rate_limit(limit = 1, window = "1m", key = ((id, name)), permit = p)]
fn pattern(User { id, name }: User) -> Option<(Id, String, u32)> { Some((id, name, p.cost())) }
#[window_rate_limit(limit = 1, window = "1m", key = (a, b))]
fn pair(a: &str, b: &str) -> Option<u32> { Some(1) }
#[window_rate_limit(limit = 1, window = "1m", key = *text)]
fn unsized_text(text: &str) -> Option<u32> { Some(1) }
#[window_rate_limit(limit = 1, window = "1m", key = (*bytes, bytes[0..1], 7))]
fn unsized_parts(bytes: &[u8]) -> Option<u32> { Some(1) }
#[window_rate_limit(limit = 1, window = "1m", key = &user.name[..1])]
fn reference(user: &User) -> Option<u32> { Some(1) }
#[window_rate_limit(limit = 1, window = "1m", key = [a, b])]
fn array(a: u32, b: u32) -> Option<u32> { Some(1) }
#[window_rate_limit(limit = 1, window = "1m", key = a + 1 << 2)]
fn operator(a: u64) -> Option<u64> { Some(a) }
#[window_rate_limit(limit = 1, window = "1m", key = a as u8)]
fn cast(a: u64) -> Option<u64> { Some(a) }
#[window_rate_limit(limit = 1, window = "1m", key = if a > 9 { "large" } else { "small" })]
fn conditional(a: u64) -> Option<u64> { Some(a) }
#[window_rate_limit(limit = 1, window = "1m", key = match o { Some(n) if n > 1 => n, Some(_) => 0, None => return None })]
fn branches(o: Option<u8>) -> Option<u8> { o }
#[window_rate_limit(limit = 1, window = "1m", key = text.parse::<u32>().map_err(drop)?, error = ())]
fn question_mark(text: &str) -> Result<u32, ()> { Ok(1) }
#[window_rate_limit(limit = 1, window = "1m", key = { let mut words: Vec<_> = text.split(' ').collect(); words.sort(); words })]
fn block(text: String) -> Option<String> { Some(text) }
#[window_rate_limit(limit = 1, window = "1m", key = look_up(&name).await)]
async fn awaits(name: String) -> Option<String> { std::future::ready(()).await; Some(name) }
async fn look_up(name: &str) -> usize { std::future::ready(name.len()).await }
#[window_rate_limit(limit = 1, window = "1m", key = (key, N))]
fn generic<K: Hash, const N: usize>(key: K) -> Option<K> { Some(key) }
#[window_rate_limit(limit = 1, window = "1m", key = key)]
fn boxed(key: Box<(Arc<str>, Cow<'static, str>, BTreeMap<u8, char>)>) -> Option<usize> { Some(key.0.len()) }
#[window_rate_limit(limit = 1, window = "1m", key = "all")]
fn literal() -> Option<u32> { Some(1) }
#[window_rate_limit(limit = 1, window = "1m", key = (n.get(), n.replace(9)))]
fn not_sync(n: &Cell<u8>) -> Option<u8> { Some(n.get()) }
macro_rules! limited {
    ($name:ident, $number:ident, $key:expr, $n:expr, $($part:tt)*) => {
        #[window_rate_limit(limit = 1, window = "1m", key = ($key, $n * 2, $($part)*))]
        fn $name($number: u32) -> Option<u32> { Some($number) }
        mod $name {
            #[windowlimit::window_rate_limit(limit = 1, window = "1m", key = $key)]
            pub fn whole($number: u32) -> Option<u32> { Some($number) }
        }
    };
}
limited!(from_macro, number, (number, number + 1), 1 + 1, number / 2, "x");
// The lock that the key takes is free again in the answer and in the body.
struct Shared(Mutex<String>, Mutex<u32>);
impl Shared {
    #[window_rate_limit(limit = 4, window = "1m", key = *self.0.lock().unwrap(), cost = *self.1.lock().unwrap(), error = self.free())]
    fn plain(&self) -> Result<bool, bool> { Ok(self.free()) }
    #[window_rate_limit(limit = 1, window = "1m", key = (self.0.lock().unwrap().as_str(), 1), permit = _p, error = self.free())]
    fn with_permit(&self) -> Result<bool, bool> { Ok(self.free()) }
    #[window_rate_limit(limit = 1, window = "1m", key = self.0.lock().unwrap().as_bytes()[0], fallback = std::future::ready(!self.free()).await)]
    async fn later(&self) -> bool { let free = self.free(); std::future::ready(free).await }
    fn free(&self) -> bool { self.0.try_lock().is_ok() && self.1.try_lock().is_ok() }
}
fn send<T: Send>(t: T) -> T { t }
fn user(id: &str, name: &str) -> User { User { id: Id(id.into()), name: name.into() } }
fn main() {
    assert_eq!((by_value("a".into()), by_value("A".into()), by_value("a".into())), (Some("a".into()), Some("A".into()), None));
    // An empty key is a key like others.
    assert!(by_value(String::new()).is_some() && by_value(String::new()).is_none() && by_value(" ".into()).is_some());
    assert!(tuple(&user("1", "x"), "read".into()).is_some() && tuple(&user("1", "y"), "write".into()).is_some());
    assert!(tuple(&user("2", "x"), "read".into()).is_some() && tuple(&user("1", "z"), "read".into()).is_none());
    assert!(nested("a".into(), vec![1], None).is_some() && nested("a".into(), vec![1], None).is_none());
    assert!(nested("a".into(), vec![], Some("a".into())).is_some() && nested(String::new(), vec![1], None).is_some());
    assert!(pattern(user("1", "x")).is_some() && pattern(user("1", "y")).is_some() && pattern(user("1", "x")).is_none());
    assert!(pair("a", "bc").is_some() && pair("ab", "c").is_some() && pair("", "abc").is_some() && pair("abc", "").is_some());
    assert!(pair("a", "bc").is_none() && pair("", "").is_some() && pair("", "").is_none() && pair("A", "bc").is_some());
    assert!(unsized_text("a").is_some() && unsized_text("b").is_some() && unsized_text("a").is_none());
    assert!(unsized_parts(&[1, 2]).is_some() && unsized_parts(&[1, 3]).is_some() && unsized_parts(&[1, 2]).is_none());
    assert!(reference(&user("1", "ann")).is_some() && reference(&user("2", "bob")).is_some() && reference(&user("3", "abe")).is_none());
    assert!(array(1, 2).is_some() && array(2, 1).is_some() && array(1, 2).is_none());
    assert!(operator(1).is_some() && operator(2).is_some() && operator(1).is_none());
    assert!(cast(1).is_some() && cast(257).is_none() && cast(2).is_some());
    assert!(conditional(1).is_some() && conditional(10).is_some() && conditional(2).is_none());
    assert!(branches(Some(5)).is_some() && branches(Some(0)).is_some() && branches(Some(1)).is_none() && branches(None).is_none());
    assert!(question_mark("1").is_ok() && question_mark("x").is_err() && question_mark("01").is_err() && question_mark("2").is_ok());
    assert!(block("a b".into()).is_some() && block("b a".into()).is_none() && block("b".into()).is_some());
    assert!(block_on(send(awaits("ann".into()))).is_some() && block_on(awaits("bob".into())).is_none() && block_on(awaits("a".into())).is_some());
    assert!(generic::<_, 1>("a").is_some() && generic::<_, 2>("a").is_some() && generic::<_, 1>(String::from("a")).is_none());
    let key = |n| Box::new((Arc::from("a"), Cow::from("b"), BTreeMap::from([(n, 'c')])));
    assert!(boxed(key(1)).is_some() && boxed(key(2)).is_some() && boxed(key(1)).is_none());
    assert!(literal().is_some() && literal().is_none());
    assert!(not_sync(&Cell::new(1)).is_some() && not_sync(&Cell::new(2)) == Some(9) && not_sync(&Cell::new(1)).is_none());
    assert!(from_macro(1).is_some() && from_macro(2).is_some() && from_macro(1).is_none());
    assert!(from_macro::whole(1).is_some() && from_macro::whole(2).is_some() && from_macro::whole(1).is_none());
    let (a, b) = (Shared(Mutex::new("a".into()), Mutex::new(3)), Shared(Mutex::new("b".into()), Mutex::new(3)));
    assert_eq!((a.plain(), b.plain(), a.plain()), (Ok(true), Ok(true), Err(true)));
    assert_eq!((a.with_permit(), b.with_permit(), a.with_permit()), (Ok(true), Ok(true), Err(true)));
    assert_eq!((block_on(send(a.later())), block_on(b.later()), block_on(send(a.later()))), (true, true, false));
}
