//@ clippy-clean
// Nor have the lints of `restriction` that look at code like that of the expansion.
#![deny(
    clippy::match_bool,
    clippy::wildcard_enum_match_arm,
    clippy::unreachable,
    clippy::panic,
    clippy::as_conversions,
    clippy::question_mark_used,
    clippy::pattern_type_mismatch,
    clippy::ref_patterns,
    clippy::blanket_clippy_restriction_lints,
    clippy::allow_attributes,
    clippy::arithmetic_side_effects,
    clippy::else_if_without_else,
    clippy::exhaustive_structs,
    clippy::let_underscore_untyped,
    clippy::missing_trait_methods,
    clippy::mod_module_files,
    clippy::pub_use,
    clippy::semicolon_inside_block,
    clippy::semicolon_outside_block,
    clippy::shadow_reuse,
    clippy::shadow_same,
    clippy::shadow_unrelated,
    clippy::single_char_lifetime_names,
    clippy::std_instead_of_core,
    clippy::absolute_paths,
    clippy::unneeded_field_pattern,
    clippy::unseparated_literal_suffix,
    clippy::use_debug,
    clippy::redundant_type_annotations,
    clippy::separated_literal_suffix,
    clippy::decimal_literal_representation,
    clippy::integer_division,
    clippy::default_numeric_fallback,
    clippy::infinite_loop,
    clippy::min_ident_chars,
    clippy::items_after_statements,
    clippy::multiple_inherent_impl,
    clippy::no_effect_underscore_binding,
    clippy::used_underscore_items,
    clippy::used_underscore_binding,
    clippy::pub_underscore_fields,
    clippy::renamed_function_params,
    clippy::return_and_then,
    clippy::doc_paragraphs_missing_punctuation,
    clippy::arbitrary_source_item_ordering
)]
use windowlimit::{Limiter, RateLimitExceeded, window_rate_limit};
fn make() -> String {
    String::new()
}
#[window_rate_limit(limit = 5, window_ms = 60000, error = make())]
fn one(free: bool) -> Result<bool, String> {
    Ok(free)
}
#[window_rate_limit(limit = 5, window = "1m", skip_if = free, permit = permit, fallback = make())]
fn three(free: bool) -> String {
    let _: u32 = permit.remaining();
    make()
}
#[window_rate_limit(limiter = limiter, error = |refusal: RateLimitExceeded| refusal.limit())]
fn two(limiter: &Limiter) -> Result<&Limiter, u32> {
    Ok(limiter)
}
#[window_rate_limit(limit = 5, window = "1m", cost = weight, algorithm = segmented(segments()), permit = permit)]
fn four(weight: u32) -> Option<u32> {
    permit.refund();
    Some(weight)
}
#[window_rate_limit(limit = 5, window = "1m", cost = 2, algorithm = segmented("1s"))]
fn five(weight: u32) -> Option<u32> {
    Some(weight)
}
const fn segments() -> u32 {
    10
}
#[must_use]
pub fn zero(limiter: &Limiter) -> bool {
    one(true).is_ok() && two(limiter).is_ok() && three(true).is_empty() && four(1).is_some() && five(1).is_some()
}
