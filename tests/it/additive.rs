//! What is left to the compiler is still found, whatever the limiter's features bring along. An implementation of a trait in
//! any dependency, however deep, can make a type ambiguous: so `http` brings no crate for JSON, and `config` one that compares
//! nothing. (This binary is built with these features, and uses none.)
//!
//! A feature that is about another crate brings that crate, which whoever turns it on has anyway: `http` compares its status
//! with `u16`, `redis` brings `url`, in which something compares with `char`, and actix-web has `serde_json`, by which none of
//! these compiles.

#[test]
fn f97_what_numbers_are_compared_with_is_found_by_the_compiler() {
    assert_eq!(Vec::<usize>::new(), []);
    assert_eq!(Vec::<u32>::new(), []);
    assert_eq!(Vec::<u64>::new(), []);
    assert_eq!(Vec::<i64>::new(), []);
    assert_eq!(Vec::<f64>::new(), []);
    assert_eq!(Vec::<bool>::new(), []);
}
