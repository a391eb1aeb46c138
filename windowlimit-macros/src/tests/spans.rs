//! Where the tokens of an expansion come from, and how many there are.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::{count, errors, expanded, flat, tokens};
use crate::expand::expand;

const ARGS: &str = "limit = 5, window_ms = 60000";

const SHAPES: [&str; 6] = [
    "fn f() -> Result<u32, E> { let n = 1; if n > 0 { return Ok(n); } Ok(2) }",
    "pub async fn f<T: Copy>(self: &Self, t: T) -> Result<T, E> where T: Send { t.later().await?; Ok(t) }",
    "fn f() -> Option<impl Iterator<Item = u32>> { Some([1].into_iter()) }",
    "fn f() -> BoxFuture<'static, Result<u32, E>> { let n = 1; Box::pin(async move { Ok(n) }) }",
    "#[inline] unsafe extern \"C\" fn f() -> Option<u32> { #![allow(unused)] let unused = 1; None }",
    "fn f() -> Option<u32> {}",
];

fn place(token: &TokenTree) -> (usize, usize) {
    let start = token.span().start();
    (start.line, start.column)
}

fn braces(tokens: TokenStream, found: &mut Vec<Group>) {
    for token in tokens {
        if let TokenTree::Group(group) = token {
            braces(group.stream(), found);
            if group.delimiter() == Delimiter::Brace {
                found.push(group);
            }
        }
    }
}

#[test]
fn both_blocks_around_the_body_have_the_braces_of_the_user() {
    for shape in SHAPES {
        let item = tokens(shape);
        let mut of_user = Vec::new();
        braces(item.clone(), &mut of_user);
        let mut made = Vec::new();
        braces(expand(tokens(ARGS), item), &mut made);
        // Of a function that ends with an async block, that block is the one with the guard.
        let body =
            if shape.contains("async move") { &of_user[0] } else { of_user.last().expect("there is a body") };
        let same = |brace: &&Group| brace.span().byte_range() == body.span().byte_range();
        assert_eq!(made.iter().filter(same).count(), 2, "{shape}");
    }
}

#[test]
fn every_token_of_the_user_comes_out_once_and_those_of_the_return_type_twice() {
    for shape in SHAPES {
        let item = tokens(shape);
        let (head, output) = shape.split_once("->").expect("every shape returns something");
        let output = head.len() + 2..head.len() + 2 + output.find('{').expect("every shape has a body");
        let made = flat(expand(tokens(ARGS), item.clone()));
        for token in flat(item) {
            let copies = made
                .iter()
                .filter(|made| made.to_string() == token.to_string() && place(made) == place(&token));
            let twice = output.contains(&token.span().byte_range().start) && !shape.contains("async move");
            let copies = copies.count();
            assert!(copies == 1 || twice && copies <= 2, "`{token}` comes out {copies} times: {shape}");
        }
    }
}

#[test]
fn the_output_is_the_input_and_a_constant_number_of_tokens() {
    for shape in SHAPES {
        let item = tokens(shape);
        let output = shape
            .split_once("->")
            .and_then(|(_, rest)| rest.split_once([if shape.contains("where") { 'w' } else { '{' }]));
        let output = count(tokens(output.expect("every shape returns something").0));
        let added = count(expand(tokens(ARGS), item.clone())) - count(item);
        assert!(added <= 80 + output, "{added} tokens more: {shape}");
    }
}

#[test]
fn no_argument_doubles_anything() {
    let item = "fn f() -> Result<u32, E> { Ok(1) }";
    let long = "very::long(a, b, c, d, e, f)";
    for more in [
        "error = very::long(a, b, c, d, e, f)",
        "fallback = very::long(a, b, c, d, e, f)",
        "skip_if = very::long(a, b, c, d, e, f)",
        "skip_if = very::long(a, b, c, d, e, f), permit = p",
        "cost = very::long(a, b, c, d, e, f)",
        "cost = very::long(a, b, c, d, e, f), permit = p, skip_if = x",
        "algorithm = segmented(very::long(a, b, c, d, e, f))",
        "wait, max_waiters = very::long(a, b, c, d, e, f)",
        "max_wait = \"2s\", cost = very::long(a, b, c, d, e, f), permit = p",
        "algorithm = segmented(\"1s\"), cost = very::long(a, b, c, d, e, f), permit = p",
    ] {
        let args = format!("{ARGS}, {more}");
        let made = expanded(&args, item);
        assert_eq!(errors(made.clone()), [""; 0]);
        assert_eq!(
            flat(made.clone()).iter().filter(|token| token.to_string() == "very").count(),
            1,
            "{more}"
        );
        // All of it once, and little else for it.
        let short = expanded(&format!("{ARGS}, {}", more.replace(long, "short")), item);
        assert!(count(made) < count(short) + count(tokens(long)) + 15, "{more}");
    }
    let made = expanded("limiter = very::long(), skip_if = x, permit = p", item);
    assert_eq!(flat(made).iter().filter(|token| token.to_string() == "very").count(), 1);
}

#[test]
fn the_body_is_not_looked_into() {
    // What stands inside of the delimiters of a body is not Rust, and need not be.
    let item = "fn f() -> Option<u32> { let = ) }".replace(')', "}{");
    assert!(item.parse::<TokenStream>().is_err() || errors(expanded(ARGS, &item)).is_empty());
    assert_eq!(errors(expanded(ARGS, "fn f() -> Option<u32> { let x = foo. ; 1 + + if }")), [""; 0]);
    assert_eq!(errors(expanded(ARGS, "async fn f() -> Option<u32> { x.await. }")), [""; 0]);
}
