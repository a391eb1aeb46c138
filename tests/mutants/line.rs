//! Of the line in front of a window.

use super::{ASSERTION, Mutant, NOBODY_WAKES};

mutants! {
    w1_everybody_is_the_first: "line/queue.rs",
        "filter(|(first, _)| **first == ticket)"
        => "filter(|(first, _)| **first <= ticket)",
        caught by "line::the_second_in_line_has_no_turn";
    w2_nobody_looks_at_the_line: "limiter/decision.rs",
        "if let Some(refusal) = self.behind_line(cost) { return Err(refusal); }"
        => "",
        caught by "line::nobody_passes_whom_it_could_have_seen";
    w2_the_gate_is_not_set: "limiter/waiting.rs",
        "(true, false) => self.gate.set(Gate::LINE),"
        => "(true, false) => {}",
        caught by "line::nobody_passes_whom_it_could_have_seen";
    w3_whoever_leaves_wakes_nobody: "line/queue.rs",
        "if was_first { self.first_waker() } else { None }"
        => "{ let _ = was_first; None }",
        stuck at "line::whoever_leaves_as_the_first_wakes_the_next";
    w3_whoever_is_admitted_wakes_nobody: "line/queue.rs",
        "self.retired.push(served.waker); self.first_waker()"
        => "self.retired.push(served.waker); None",
        stuck at "line::whoever_was_admitted_wakes_the_next";
    w5_whoever_is_dropped_stays_in_line: "line/acquire.rs",
        "self.place.leave(ticket);"
        => "let _ = ticket;",
        stuck at "line::whoever_leaves_as_the_first_wakes_the_next";
    w6_a_change_looks_at_the_gate: "limiter/waiting.rs",
        "if self.line.lock().is_some() {"
        => "if self.gate.has(Gate::LINE) {",
        stuck at "line::a_reset_meets_a_call_that_joins";
    w6_a_reset_is_told_nobody: "limiter/mod.rs",
        "self.timeline.reset(&self.clock); self.disturb();"
        => "self.timeline.reset(&self.clock);",
        stuck at "line::a_reset_meets_a_call_that_joins";
    w6_a_refund_is_told_nobody: "limiter/mod.rs",
        "self.timeline.refund(&self.clock, admitted); self.disturb();"
        => "self.timeline.refund(&self.clock, admitted);",
        stuck at "line::a_refund_meets_a_call_that_joins";
    w6_other_limits_are_told_nobody: "limiter/mod.rs",
        "Limits::shared(&limits))?; self.disturb();"
        => "Limits::shared(&limits))?;",
        stuck at "line::a_raised_limit_meets_a_call_that_joins";
}
