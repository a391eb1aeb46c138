//! The list of tests. They are made at run time, since there are as many as there are servers.

use libtest_mimic::{Arguments, Failed, Trial};

use crate::{attribute, cluster, conformance, decisions, faults, history, load, server::Program, waiting};

type Test = fn(&Program);

/// The tests of these functions, by their names.
macro_rules! tests {
    ($($module:ident: $($name:ident)*;)*) => {
        &[$($((concat!(stringify!($module), "::", stringify!($name)), $module::$name as Test)),*),*]
    };
}

const TESTS: &[(&str, Test)] = tests! {
    cluster: f81_windows_spread_over_three_servers a_slot_moves_and_its_window_with_it
        an_owner_is_killed_and_comes_back;
    history: limits_of_two_versions_are_kept_over_one_history
        a_clock_that_went_back_delays_and_then_is_void a_log_is_cut_while_it_is_used;
    faults: a_server_is_killed_and_started_again a_server_stands_still clients_are_paused
        a_primary_becomes_a_replica_and_comes_back a_replica_that_is_asked_is_told_of_once
        everything_is_flushed_in_mid_window a_replica_takes_over a_wrong_password_is_told
        a_full_server_admits_nothing_and_still_refuses nobody_listens a_socket_and_a_client_of_ones_own;
    conformance: a_hundred_thousand_decisions_are_those_of_the_oracle segmented_windows_are_those_of_the_oracle
        fixed_windows_are_those_of_the_oracle;
    waiting: a_crowd_has_its_turns_in_order_to_the_microsecond a_flood_that_waits_asks_little
        who_leaves_has_cost_nothing_and_wakes_the_next f67_a_turn_after_the_deadline_is_refused_at_once
        a_deadline_ends_the_wait a_turn_that_comes_later_is_told_when_it_is_known f71_a_full_line_refuses what_brings_a_turn_forward_is_seen_at_once
        processes_share_a_window_that_they_wait_for a_line_moves_on_the_clock_of_the_server
        calls_that_give_up_cost_nothing_under_load
        who_waits_for_what_stands_in_sees_that_the_store_is_back a_line_goes_on_when_an_answer_never_comes;
    attribute: every_kind_of_function_shares_its_window a_store_outlives_the_runtimes_that_ask_it;
    decisions: f72_clients_that_interleave_get_exactly_n f73_calls_of_one_instant_are_separate_calls
        f74_every_key_has_a_time_to_live_after_whatever_is_done
        f75_the_time_to_live_is_never_shorter_than_the_window f76_every_admission_renews_the_time_to_live
        f77_keys_that_fall_silent_are_gone f78_a_refusal_changes_nothing_on_the_server
        f79_no_clock_of_a_client_is_ever_sent f80_a_cost_above_what_is_left_is_a_refusal
        f82_a_script_that_was_flushed_is_sent_again_and_run_once f83_large_costs_fit
        f84_a_refusal_is_remembered_until_its_retry_time_and_no_longer
        f84_what_this_process_changes_is_seen_at_once
        f84_what_another_process_changes_is_seen_after_the_cap
        f85_a_key_that_holds_something_else_is_left_alone
        f86_a_server_that_never_answers_ends_no_call_late
        f87_a_process_keeps_the_limit_by_itself_and_returns_to_the_store
        f88_a_refund_after_the_record_has_left_does_nothing;
};

/// Those that need no server.
const ALONE: &[(&str, fn())] = &[
    (
        "waiting::without_the_store_a_call_waits_for_what_stands_in",
        waiting::without_the_store_a_call_waits_for_what_stands_in,
    ),
    (
        "waiting::every_kind_of_function_waits_for_its_turn",
        waiting::every_kind_of_function_waits_for_its_turn,
    ),
];

const SERVERS: [(&str, &str, &str); 2] = [
    ("redis", "redis-server", "WINDOWLIMIT_REDIS_SERVER"),
    ("valkey", "valkey-server", "WINDOWLIMIT_VALKEY_SERVER"),
];

pub(crate) fn run() {
    if load::is_worker() || waiting::is_worker() {
        return;
    }
    let alone = |&(name, run): &(&str, fn())| {
        Trial::test(name, move || {
            run();
            Ok::<(), Failed>(())
        })
    };
    let mut trials: Vec<Trial> = ALONE.iter().map(alone).collect();
    for (name, program, variable) in SERVERS {
        let program = Program::find(name, program, variable);
        let mut add = |test: String, run: Box<dyn FnOnce(&Program) + Send>| {
            trials.push(match program.clone() {
                Ok(program) => Trial::test(format!("{name}::{test}"), move || {
                    run(&program);
                    Ok::<(), Failed>(())
                }),
                Err(why) => {
                    Trial::test(format!("{name}::{test}"), || Ok(())).with_kind(why).with_ignored_flag(true)
                }
            });
        };
        for (row, case) in conformance::rows() {
            add(format!("table::{row}"), Box::new(move |program| conformance::run_row(program, case)));
        }
        for &(test, run) in TESTS {
            add(test.to_owned(), Box::new(run));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
