//! The list of tests. They are made at run time, since there are as many as there are servers.

use std::{
    sync::{Arc, OnceLock},
    thread,
};

use libtest_mimic::{Arguments, Failed, Trial};

use crate::{
    attribute, cluster, conformance, decisions, faults, history, load, members, modes,
    server::{Program, Server},
    tls, together, under_load, waiting,
};

type Test = fn(&Program);
type Run = dyn FnOnce(&Program) + Send;

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
    faults: a_replica_that_is_asked_is_told_of_once a_replica_takes_over a_wrong_password_is_told
        a_full_server_admits_nothing_and_still_refuses nobody_listens a_socket_and_a_client_of_ones_own;
    under_load: two_versions_change_their_limits_up_and_down;
    conformance: a_hundred_thousand_decisions_are_those_of_the_oracle segmented_windows_are_those_of_the_oracle
        fixed_windows_are_those_of_the_oracle;
    members: f94_every_limit_is_a_member_with_the_numbers_of_the_decision
        what_is_remembered_of_a_refusal_tells_of_every_limit a_refusal_in_front_of_a_line_tells_of_every_limit;
    modes: what_only_watches_changes_nothing_for_the_others nobody_waits_for_what_refuses_nothing
        nobody_passes_those_who_wait_for_one_of_the_windows;
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
    together: ten_thousand_decisions_are_all_or_nothing
        clients_that_interleave_never_charge_one_window_without_the_other a_refusal_writes_to_none_of_the_windows
        the_refusal_is_of_the_limit_that_has_room_last a_refusal_of_one_window_is_known_to_whoever_asks_it
        a_refund_gives_back_to_every_window a_script_that_was_flushed_is_sent_again
        where_one_key_holds_something_else_none_is_charged async_calls_are_decided_when_they_are_polled
        a_process_keeps_all_limits_by_itself_and_returns_to_the_store without_the_store_the_strictest_decides
        a_group_lives_on_one_server_of_a_cluster a_slot_moves_and_all_windows_of_a_group_with_it
        a_clock_that_went_back_voids_no_window_of_a_refused_call;
};

/// Of servers that can encrypt.
const TLS: &[(&str, Test)] = tests! {
    tls: a_client_that_trusts_the_authority_shares_the_window a_certificate_that_nobody_vouches_for_is_told
        four_processes_share_a_window_over_encrypted_connections;
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
        let mut add = |test: &str, program: Result<Program, String>, run: Box<Run>| {
            let test = format!("{name}::{test}");
            trials.push(match program {
                Ok(program) => Trial::test(test, move || {
                    run(&program);
                    Ok::<(), Failed>(())
                }),
                Err(why) => Trial::test(test, || Ok(())).with_kind(why).with_ignored_flag(true),
            });
        };
        // Those that wait the longest first.
        for (test, start) in under_load::scenes() {
            let run = move |program: &Program| under_load::play(&mut *start(program));
            add(&format!("under_load::{test}"), program.clone(), Box::new(run));
        }
        let encrypted = program.clone().and_then(|program| tls::can_encrypt(&program).map(|()| program));
        for &(test, run) in TLS {
            add(test, encrypted.clone(), Box::new(run));
        }
        let apart = program.clone().and_then(|program| under_load::faketime().map(|()| program));
        let clocks = "under_load::f79_clocks_that_are_apart_change_nothing";
        add(clocks, apart, Box::new(under_load::f79_clocks_that_are_apart_change_nothing));
        for &(test, run) in TESTS {
            add(test, program.clone(), Box::new(run));
        }
        let server = Arc::new(OnceLock::new());
        for (row, case) in conformance::rows() {
            let server = Arc::clone(&server);
            let run = move |program: &Program| {
                conformance::run_row(server.get_or_init(|| Server::start(program)), case);
            };
            add(&format!("table::{row}"), program.clone(), Box::new(run));
        }
    }
    let mut arguments = Arguments::from_args();
    // Most wait for something.
    arguments.test_threads.get_or_insert(2 * thread::available_parallelism().map_or(2, usize::from));
    libtest_mimic::run(&arguments, trials).exit();
}
