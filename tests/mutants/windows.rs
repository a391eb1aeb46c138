//! Of the windows.

use super::{ASSERTION, Mutant, NO_END};

mutants! {
    i1_time_follows_the_clock_back: "window/ring.rs",
        "let now = if reading >= newest { reading } else { not_before(newest) };"
        => "let now = reading; let _ = (newest, not_before);",
        caught by "ring::a_clock_that_goes_back_frees_nothing_early";
    i2_the_newest_is_read_before_the_oldest: "window/circle.rs",
        "let oldest = self.read(place)?; let newest = self.read(self.back(place, 1))?;"
        => "let newest = self.read(self.back(place, 1))?; let oldest = self.read(place)?;",
        caught by "ring::a_stalled_caller_is_lapped_in_a_circle_of_three";
    i2_the_head_is_not_verified: "window/circle.rs",
        "while !Self::is_head(seen) {"
        => "while false {",
        caught by "ring::two_limits_are_one_decision";
    i2_the_hint_is_not_verified: "window/circle.rs",
        "Ok(if Self::is_head(seen) { Some(seen) } else { None })"
        => "Ok(Some(seen))",
        caught by "ring::two_units_for_three_threads";
    i2_a_claim_does_not_compare: "window/circle.rs",
        "compare_exchange( head.oldest.bits(),"
        => "compare_exchange( self.slots[head.place].load(Ordering::Acquire),",
        caught by "ring::one_unit_for_two_threads";
    i3_slots_are_read_relaxed: "window/circle.rs",
        "self.slots[place].load(Ordering::Acquire)"
        => "self.slots[place].load(Ordering::Relaxed)",
        caught by "ring::a_look_back_is_as_fresh_as_the_newest";
    i3_claims_are_published_relaxed: "window/circle.rs",
        "Ordering::Release,"
        => "Ordering::Relaxed,",
        caught by "ring::a_look_back_is_as_fresh_as_the_newest";
    i3_only_the_first_limit_is_asked: "window/ring.rs",
        "for limit in self.others { verdict"
        => "for limit in &self.others[1..] { verdict",
        caught by "ring::two_limits_are_one_decision";
    i4_a_refusal_does_not_look_again: "window/ring.rs",
        "if self.is_still() { Step::Done(Err((full, others))) } else { Step::Again }"
        => "Step::Done(Err((full, others)))",
        caught by "ring::a_stalled_refusal_looks_again";
    i4_the_second_look_rests_on_relaxed_reads: "window/circle.rs",
        "self.read(self.back(head.place, n))"
        => "Ok(Word::from_bits(self.slots[self.back(head.place, n)].load(Ordering::Relaxed)))",
        caught by "ring::a_stalled_caller_is_lapped_in_a_circle_of_three";
    i4_usage_does_not_look_again: "window/ring.rs",
        "Ok(if view.is_still() { Step::Done(usages) } else { Step::Again })"
        => "Ok(Step::Done(usages))",
        caught by "ring::usage_never_mixes_two_states";
    i6_the_old_circle_is_not_frozen: "window/circle.rs",
        "slot.swap(Word::FROZEN.bits(), Ordering::Relaxed)"
        => "slot.load(Ordering::Acquire)",
        caught by "ring::a_growth_takes_a_circle_in_which_room_appears";
    i6_the_mark_is_taken_for_an_admission: "window/circle.rs",
        "if word == Word::FROZEN { Err(Frozen) } else { Ok(word) }"
        => "Ok(word)",
        caught by "ring::usage_meets_a_growth";
    i6_the_larger_circle_starts_empty: "window/ring.rs",
        "circle.freeze(&mut admissions); let is_alone"
        => "circle.freeze(&mut admissions); admissions.clear(); let is_alone",
        caught by "ring::a_claim_meets_a_growth";
    i6_the_order_is_lost: "window/circle.rs",
        "admissions.rotate_left(head);"
        => "let _ = head;",
        caught by "ring::a_growth_keeps_the_order";
    i6_a_live_admission_is_overwritten_instead_of_growing: "window/ring.rs",
        "Verdict::Outgrown(full) => Step::Grow(full),"
        => "Verdict::Outgrown(_) if self.circle.claim(self.head, self.now) => Step::Done(Ok(None)), Verdict::Outgrown(_) => Step::Again,",
        caught by "ring::the_last_unit_comes_with_a_growth";
    i7_the_latest_instant_is_not_asked_for: "window/ring/full_until.rs",
        "clock.latest().is_some_and(|latest| latest.nanos() < free_at - 1)"
        => "clock.latest().is_some_and(|latest| latest.nanos() < u64::MAX)",
        caught by "refusals::time_passes_a_limit_of_one";
    i7_the_latest_instant_is_a_nanosecond_early: "window/ring/full_until.rs",
        "latest.nanos() < free_at - 1)"
        => "latest.nanos() < free_at)",
        caught by "refusals::time_passes_a_limit_of_one";
    i7_an_admission_takes_nothing_back: "window/ring/at_once.rs",
        "self.full_until.forget(); Some(Ok(receipt))"
        => "Some(Ok(receipt))",
        caught by "refusals::the_clock_goes_back_behind_an_admission";
    i7_a_closed_window_is_still_full: "window/ring/full_until.rs",
        "self.0.swap(Known::CLOSED.0, Ordering::Relaxed);"
        => "",
        caught by "refusals::a_reset_comes_between";
    i7_what_is_learned_opens_a_closed_window: "window/ring/full_until.rs",
        "let _ = self.0.compare_exchange(known.0, next.0, Ordering::Relaxed, Ordering::Relaxed);"
        => "self.0.store(next.0, Ordering::Relaxed);",
        caught by "refusals::a_refusal_meets_a_reset";
    s1_a_segment_is_not_announced: "window/segmented.rs",
        "let announced = State::new(view.borders, view.state.total());"
        => "let announced = view.state;",
        caught by "segmented::the_clock_goes_back_under_a_publisher";
    s1_an_announcement_does_not_compare: "window/segmented.rs",
        "if announced != view.state && !self.swap(view.state, announced, Ordering::Relaxed) {"
        => "if announced != view.state && self.state.swap(announced.bits(), Ordering::Relaxed) == 0 {",
        caught by "segmented::segments_that_nobody_saw";
    s2_marks_are_not_published: "window/segmented.rs",
        "row.publish(view.now, announced.total());"
        => "let _ = row;",
        caught by "segmented::units_leave_at_a_border";
    s2_marks_are_published_relaxed: "window/marks.rs",
        "// marks before it. Ordering::Release,"
        => "Ordering::Relaxed,",
        caught by "segmented::a_refusal_has_seen_what_its_marks_were_taken_from";
    s2_marks_are_read_relaxed: "window/marks.rs",
        "Mark(self.marks[self.place(segment)].load(Ordering::Acquire))"
        => "Mark(self.marks[self.place(segment)].load(Ordering::Relaxed))",
        caught by "segmented::a_refusal_has_seen_what_its_marks_were_taken_from";
    s2_the_word_is_read_relaxed: "window/segmented.rs",
        "State::from_bits(self.state.load(Ordering::Acquire))"
        => "State::from_bits(self.state.load(Ordering::Relaxed))",
        caught by "segmented::a_refusal_is_right_when_it_is_given";
    s2_claims_are_published_relaxed: "window/segmented.rs",
        "announced.with_more(u64::from(cost)), Ordering::Release)"
        => "announced.with_more(u64::from(cost)), Ordering::Relaxed)",
        caught by "segmented::a_refusal_is_right_when_it_is_given";
    s2_the_newest_mark_comes_first: "window/marks.rs",
        "for segment in (segment + 1).saturating_sub(self.marks.len() as u64)..=segment {"
        => "for segment in ((segment + 1).saturating_sub(self.marks.len() as u64)..=segment).rev() {",
        caught by "segmented::the_next_segment_begins_under_a_publisher";
    s2_what_is_not_there_counts_all: "window/marks.rs",
        "{ mark.units_until(total) } else { 0 }"
        => "{ mark.units_until(total) } else { total }",
        caught by "segmented::segments_that_nobody_saw";
    s2_a_publisher_does_not_try_again: "window/marks.rs",
        "loop { let seen = self.mark(segment);"
        => "for _ in 0..1 { let seen = self.mark(segment);",
        caught by "segmented::a_stalled_publisher_is_lapped";
    s3_late_callers_stay_in_their_segment: "window/segmented.rs",
        "if borders < state.borders() {"
        => "if false && borders < state.borders() {",
        caught by "segmented::the_clock_goes_back_under_a_publisher";
    s4_a_claim_does_not_compare: "window/segmented.rs",
        "Ok(self.swap(announced, announced.with_more(u64::from(cost)), Ordering::Release))"
        => "Ok(self.state.swap(announced.with_more(u64::from(cost)).bits(), Ordering::AcqRel) > 0)",
        caught by "segmented::units_of_one_segment";
    s5_a_refusal_does_not_look_again: "window/segmented.rs",
        "if self.is_still(view.state) { return Err(Stop::Full(full, others)); }"
        => "if true { return Err(Stop::Full(full, others)); }",
        caught by "segmented::a_stalled_refusal_is_looked_at_again";
    s5_usage_does_not_look_again: "window/segmented.rs",
        "if self.is_still(view.state) { return Ok(usages); }"
        => "if true { return Ok(usages); }",
        caught by "segmented::a_stalled_answer_is_looked_at_again";
    s5_a_call_that_takes_nothing_does_not_look_again: "window/segmented.rs",
        "return Ok(self.is_still(view.state));"
        => "return Ok(true);",
        caught by "segmented::a_stalled_answer_is_looked_at_again";
    s6_a_renewed_window_is_empty: "window/timeline.rs",
        "_ => era.followed_by(now, legacy),"
        => "Legacy::Segmented(_) => era.followed_by(now, legacy.emptied()), _ => era.followed_by(now, legacy),",
        caught by "segmented::a_window_is_renewed";
    t1_changes_do_not_take_turns: "window/timeline.rs",
        "let _turn = self.eras.turn(); let era = self.era();"
        => "let era = self.era();",
        never ends at "changes::two_threads_change_at_once";
    t1_growth_does_not_take_turns: "window/timeline.rs",
        "let _turn = self.eras.turn(); match &era.engine"
        => "match &era.engine",
        never ends at "ring::two_threads_want_to_grow_at_once";
    t2_a_closed_total_is_only_read: "window/segmented.rs",
        "self.state.swap(State::CLOSED.bits(), Ordering::Acquire)"
        => "self.state.load(Ordering::Acquire)",
        caught by "changes::a_lowered_limit_meets_claims_in_segments";
    t2_a_total_is_closed_relaxed: "window/segmented.rs",
        "self.state.swap(State::CLOSED.bits(), Ordering::Acquire)"
        => "self.state.swap(State::CLOSED.bits(), Ordering::Relaxed)",
        caught by "changes::a_change_meets_a_claim_after_a_silence";
    t2_a_closed_ring_loses_its_newest: "window/era.rs",
        "words.into_iter().map("
        => "words.into_iter().rev().skip(1).rev().map(",
        caught by "changes::a_lowered_limit_meets_claims";
    t2_a_closed_ring_is_not_frozen: "window/circle.rs",
        "slot.swap(Word::FROZEN.bits(), Ordering::Relaxed)"
        => "slot.load(Ordering::Acquire)",
        caught by "changes::a_lowered_limit_meets_claims";
    t2_a_closed_word_is_only_read: "window/fixed.rs",
        "word.state.swap(CLOSED, Ordering::Relaxed)"
        => "word.state.load(Ordering::Relaxed)",
        caught by "fixed::a_change_meets_claims";
    t4_what_has_expired_counts_again: "window/timeline.rs",
        "let legacy = legacy.settled(&era.limits, now);"
        => "",
        caught by "changes::what_has_left_does_not_come_back";
    t4_what_has_expired_counts_again_in_segments: "window/legacy.rs",
        "edge.units = edge.units.min(known.live);"
        => "let _ = edge;",
        caught by "changes::what_has_left_does_not_come_back_in_segments";
    t4_decisions_are_made_before_a_change: "window/timeline.rs",
        "Next { begins: now, limits, since: now, voided, legacy }"
        => "Next { begins: now, limits, since: era.since, voided, legacy }",
        caught by "changes::no_decision_is_made_before_a_change";
    t4_a_reset_does_not_void: "window/timeline.rs",
        "voided: era.voided + 1,"
        => "voided: era.voided,",
        caught by "changes::a_refund_meets_a_reset";
    t4_other_segments_do_not_void: "window/timeline.rs",
        "let voided = era.voided + u64::from(others);"
        => "let voided = era.voided; let _ = others;",
        caught by "changes::a_refund_meets_other_segments";
    t4_a_refund_is_applied_to_any_era: "window/timeline.rs",
        "|current| is_same(current, &era), |era, now, legacy| {"
        => "|_| true, |era, now, legacy| {",
        caught by "changes::a_refund_meets_a_reset_in_segments";
    x1_a_claim_does_not_compare: "window/fixed.rs",
        "self.state.compare_exchange(seen, next, Ordering::Relaxed, Ordering::Relaxed).is_ok()"
        => "self.state.swap(next, Ordering::Relaxed) != CLOSED",
        caught by "fixed::one_unit_for_three_threads";
    x2_time_follows_the_clock_back: "window/fixed.rs",
        "reading.max(self.start)"
        => "reading",
        caught by "fixed::a_refund_after_the_clock_went_back";
    x3_a_word_that_runs_out_is_emptied: "window/fixed.rs",
        "same.or_else(longest).map_or(Open::NONE, |(_, open)| *open)"
        => "same.or_else(longest).map_or(Open::NONE, |_| Open::NONE)",
        caught by "fixed::a_change_meets_claims";
    x4_two_windows_are_not_closed: "window/fixed.rs",
        "several.lock().take().map(|several| several.open)"
        => "several.lock().as_ref().map(|several| several.open.clone())",
        caught by "fixed::a_change_meets_the_claims_of_two_limits";
}
