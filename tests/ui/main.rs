//! What the compiler says about every mistake one can make with the attribute, word for word.
//!
//! `fail/` has one file for each mistake, named after it, and what was said about it; `pass/` has what is nearly the
//! same and right. The words are those of one compiler, which `build.rs` looks for; with another one the test is
//! ignored. `TRYBUILD=overwrite` records them anew; read each as somebody would who sees it for the first time.

#[test]
#[cfg_attr(not(recorded_toolchain), ignore = "SKIPPED: the messages were recorded with rustc 1.95")]
fn every_mistake_is_explained() {
    let cases = trybuild::TestCases::new();
    cases.pass("pass/*.rs");
    cases.compile_fail("fail/*.rs");
}
