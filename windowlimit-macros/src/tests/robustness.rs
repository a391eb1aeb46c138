//! Whatever comes in: no panic, and the item comes out again.

use proc_macro2::{TokenStream, TokenTree};

use super::{errors, flat, tokens};
use crate::{
    error::{Errors, caught},
    expand::{expand, expand_method},
};

const ITEMS: [&str; 10] = [
    "#[a] pub(crate) async unsafe extern \"C\" fn f<'a, T: Fn(u8) -> Vec<Vec<T>>, const N: usize>(self: &Self, (a, _): (T, [u8; N])) -> Result<Foo<{ N }>, E> where T: 'a { #![b] a }",
    "impl<T> Trait<T> for Vec<T> where T: Copy { const N: u32 = { 1 }; type X = u8; fn f() -> Option<u8> { None } m! { a } m!(b); fn g(); }",
    "fn f() -> Pin<Box<dyn Future<Output = u8>>> { return x; Box::pin(async move { 1 }.boxed(),) }",
    "const X: u32 = 5;",
    "struct S<T>(T) where T: Copy;",
    "pub macro m { () => {} }",
    "unsafe impl Send for X {}",
    "|x| x + 1",
    "default fn f() {}",
    "fn f() -> Option<u8> { None } and something else",
];

const ARGS: [&str; 9] = [
    "limit = 5, window = \"1m30s\", error = |e| Fault::from(e), name = \"x\", crate = ::a::b",
    "limits = [(1, \"1s\"), (N, W), x], fallback = a::<b, c>().await, skip_if = x == S { y: 1 }, permit = p",
    "limiter = *self.x as &L, error = -1",
    "skip",
    "key = (a, b), wait, cost = 5 limit 7 = = , , window",
    "limit = 5, window = \"1m\", algorithm = segmented(f(1) + 1, \"1s\"), cost = -n + (2), permit = p",
    "window = \"1m\", key = ((a, b.c), \"d\", *e), limit_for = [x, f(1)?], max_keys = N + 1, permit = p",
    "limits = [(1, \"1s\")], max_wait = f(1)? + a, max_waiters = -N, wait = 5, max_wait_ms = \"2\", cost = c.await",
    "",
];

/// Everything that is left when tokens are taken away from the end, at any depth.
fn starts(tokens: &TokenStream) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut starts = Vec::new();
    for end in 0..=tokens.len() {
        starts.push(tokens[..end].iter().cloned().collect());
        if let Some(TokenTree::Group(group)) = tokens.get(end) {
            for inside in self::starts(&group.stream()) {
                let shorter = proc_macro2::Group::new(group.delimiter(), inside);
                starts.push(tokens[..end].iter().cloned().chain([shorter.into()]).collect());
            }
        }
    }
    starts
}

#[test]
fn half_typed_items_and_arguments_come_out_again() {
    let args: Vec<TokenStream> = ARGS.iter().flat_map(|args| starts(&tokens(args))).collect();
    for item in ITEMS.iter().flat_map(|item| starts(&tokens(item))) {
        for args in args.iter().step_by(3) {
            for made in [expand(args.clone(), item.clone()), expand_method(args.clone(), item.clone())] {
                assert!(flat(made).len() >= flat(item.clone()).len(), "{args} on {item}");
            }
        }
    }
}

#[test]
fn an_item_with_errors_comes_out_as_it_went_in() {
    for item in ITEMS {
        let made = expand(tokens("limit = 0"), tokens(item)).to_string();
        let errors = made.find(":: core :: compile_error").expect("a zero is an error");
        if !item.contains("impl") {
            assert_eq!(made[..errors].trim(), tokens(item).to_string());
        }
    }
}

#[test]
fn a_panic_becomes_an_error_that_asks_for_a_report() {
    let made = caught(tokens("limit = 5"), tokens("fn f() {}"), |_, _| panic!("at the disco"));
    let found = errors(made.clone());
    assert!(made.to_string().starts_with("fn f () { }"));
    assert!(
        found.len() == 1 && found[0].contains("please report it") && found[0].ends_with("at the disco"),
        "{found:?}"
    );
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "looks at a debug assertion")]
#[should_panic(expected = "were not read")]
fn errors_that_nobody_reads_are_noticed() {
    let mut errors = Errors::default();
    errors.at_attribute("lost");
}
