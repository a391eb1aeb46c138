//! What is left to the compiler is still found, whatever the limiter's features bring along. An implementation of a trait in
//! any dependency, however deep, can make a type ambiguous: so `http` brings no crate for JSON, and `config` one that compares
//! nothing. (This binary is built with these features, and uses none. A framework brings what it brings: actix-web has `serde_json`, by which these do not
//! compile, and whoever turns it on has that anyway.)

#[test]
fn f97_what_numbers_are_compared_with_is_found_by_the_compiler() {
    assert_eq!(Vec::<usize>::new(), []);
    assert_eq!(Vec::<u32>::new(), []);
    assert_eq!(Vec::<u64>::new(), []);
    assert_eq!(Vec::<i64>::new(), []);
    assert_eq!(Vec::<f64>::new(), []);
    assert_eq!(Vec::<bool>::new(), []);
}
