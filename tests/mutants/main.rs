//! Breaks the source in one place after the other, and checks that the models notice: each test is a mutant.
//!
//! A mutant is a copy of the two crates with one text replaced, built and run under the model checker. A mutant that
//! survives means that a model is missing, or that the code is stronger than it needs to be. `tests/run.sh mutants`
//! runs them.
#![forbid(unsafe_code)]

use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, PoisonError},
};

/// One at a time: they share a folder, so that only what was changed is built again.
static FOLDER: Mutex<()> = Mutex::new(());

/// One replaced text in a file of `windowlimit/src`, and the model that must fail.
struct Mutant {
    file: &'static str,
    from: &'static str,
    to: &'static str,
    caught_by: &'static str,
}

impl Mutant {
    #[track_caller]
    fn must_die(&self) {
        let _alone = FOLDER.lock().unwrap_or_else(PoisonError::into_inner);
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a member has a parent");
        let copy = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mutants");
        lay_out(project, &copy);

        let path = copy.join("windowlimit/src").join(self.file);
        let source = fs::read_to_string(&path).expect("the file is there");
        let places = places(&source, self.from);
        let [place] = &places[..] else {
            panic!("wanted one place in {} to break, found {}:\n{}", self.file, places.len(), self.from);
        };
        let broken = [&source[..place.start], self.to, &source[place.end..]].concat();
        fs::write(&path, broken).expect("the copy can be written");

        let built = Self::cargo(&copy, &["--no-run"]);
        assert!(built.0, "the mutant does not build:\n{}", built.1);
        let (survived, output) = Self::cargo(&copy, &["--", "--exact", self.caught_by]);
        assert!(output.contains("running 1 test"), "there is no model `{}`:\n{output}", self.caught_by);
        assert!(!survived, "the model `{}` does not notice:\n-{}\n+{}", self.caught_by, self.from, self.to);
        // Killed by what the model asserts, and not by chance.
        assert!(output.contains("panicked at tests/loom/main.rs"), "it dies elsewhere:\n{output}");
        fs::copy(project.join("windowlimit/src").join(self.file), &path).expect("the copy can be mended");
    }

    /// Runs the models; whether they passed, and what was said.
    fn cargo(copy: &Path, arguments: &[&str]) -> (bool, String) {
        let output = Command::new(env!("CARGO"))
            .args(["test", "-p", "windowlimit-tests", "--test", "loom", "--release"])
            .args(arguments)
            .current_dir(copy)
            .env("RUSTFLAGS", "--cfg windowlimit_loom")
            .env("CARGO_TARGET_DIR", copy.join("target"))
            .output()
            .expect("cargo runs");
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&said).into_owned())
    }
}

/// Where a text stands, however it is broken into lines.
fn places(source: &str, text: &str) -> Vec<Range<usize>> {
    let text: String = text.split_whitespace().collect();
    let (squeezed, offsets): (String, Vec<usize>) =
        source.char_indices().filter(|(_, c)| !c.is_whitespace()).map(|(offset, c)| (c, offset)).unzip();
    assert!(source.is_ascii(), "offsets of characters are offsets of bytes");
    squeezed.match_indices(&text).map(|(at, _)| offsets[at]..offsets[at + text.len() - 1] + 1).collect()
}

/// A workspace of what the models need, without the rest and its dependencies.
fn lay_out(project: &Path, copy: &Path) {
    if copy.join("Cargo.toml").exists() {
        return refresh(project, copy);
    }
    refresh(project, copy);
    fs::copy(project.join("Cargo.lock"), copy.join("Cargo.lock")).expect("the lock file is there");
    let manifest = fs::read_to_string(project.join("Cargo.toml")).expect("it is there");
    let manifest = manifest.replace(", \"examples\"", "");
    fs::write(copy.join("Cargo.toml"), manifest).expect("the copy can be written");
    fs::copy(project.join("README.md"), copy.join("README.md")).expect("it is there");
    fs::copy(project.join("README.md"), copy.join("windowlimit/README.md")).expect("it is there");
}

fn refresh(project: &Path, copy: &Path) {
    for folder in ["windowlimit", "windowlimit-macros", "tests"] {
        copy_changed(&project.join(folder), &copy.join(folder));
    }
}

/// Copies what differs, so that the times of what does not stay, and with them what was built of it.
fn copy_changed(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the copy can be written");
    for entry in fs::read_dir(from).expect("it is there") {
        let (from, name) = {
            let entry = entry.expect("it can be read");
            (entry.path(), entry.file_name())
        };
        let to = to.join(name);
        if from.is_dir() {
            copy_changed(&from, &to);
        } else if !from.is_symlink() && fs::read(&from).ok() != fs::read(&to).ok() {
            fs::copy(&from, &to).expect("the copy can be written");
        }
    }
}

macro_rules! mutants {
    ($($name:ident: $file:literal, $from:literal => $to:literal, caught by $model:literal;)*) => {
        $(
            #[test]
            fn $name() {
                Mutant { file: $file, from: $from, to: $to, caught_by: $model }.must_die();
            }
        )*
    };
}

mutants! {
    i1_time_follows_the_clock_back: "window/ring.rs",
        "let now = if reading >= newest { reading } else { not_before(newest) };"
        => "let now = reading; let _ = (newest, not_before);",
        caught by "a_clock_that_goes_back_frees_nothing_early";
    i2_the_newest_is_read_before_the_oldest: "window/circle.rs",
        "let oldest = self.read(place)?; let newest = self.read(self.back(place, 1))?;"
        => "let newest = self.read(self.back(place, 1))?; let oldest = self.read(place)?;",
        caught by "a_stalled_caller_is_lapped_in_a_circle_of_three";
    i2_the_head_is_not_verified: "window/circle.rs",
        "while !Self::is_head(seen) {" => "while false {",
        caught by "two_limits_are_one_decision";
    i2_the_hint_is_not_verified: "window/circle.rs",
        "Ok(if Self::is_head(seen) { Some(seen) } else { None })" => "Ok(Some(seen))",
        caught by "two_units_for_three_threads";
    i2_a_claim_does_not_compare: "window/circle.rs",
        "compare_exchange( head.oldest.bits()," => "compare_exchange( self.slots[head.place].load(Ordering::Acquire),",
        caught by "one_unit_for_two_threads";
    i3_slots_are_read_relaxed: "window/circle.rs",
        "self.slots[place].load(Ordering::Acquire)" => "self.slots[place].load(Ordering::Relaxed)",
        caught by "a_look_back_is_as_fresh_as_the_newest";
    i3_claims_are_published_relaxed: "window/circle.rs",
        "Ordering::Release," => "Ordering::Relaxed,",
        caught by "a_look_back_is_as_fresh_as_the_newest";
    i3_only_the_first_limit_is_asked: "window/ring.rs",
        "for limit in self.others { verdict" => "for limit in &self.others[1..] { verdict",
        caught by "two_limits_are_one_decision";
    i4_a_refusal_does_not_look_again: "window/ring.rs",
        "Verdict::Full(full) if window.is_still() =>" => "Verdict::Full(full) if true =>",
        caught by "a_stalled_refusal_looks_again";
    i4_the_second_look_rests_on_relaxed_reads: "window/circle.rs",
        "self.read(self.back(head.place, n))"
        => "Ok(Word::from_bits(self.slots[self.back(head.place, n)].load(Ordering::Relaxed)))",
        caught by "a_stalled_caller_is_lapped_in_a_circle_of_three";
    i4_usage_does_not_look_again: "window/ring.rs",
        "Ok(if window.is_still() { Step::Done(usage) } else { Step::Again })" => "Ok(Step::Done(usage))",
        caught by "usage_never_mixes_two_states";
    i6_the_old_circle_is_not_frozen: "window/circle.rs",
        "slot.swap(Word::FROZEN.bits(), Ordering::Relaxed)" => "slot.load(Ordering::Acquire)",
        caught by "a_growth_takes_a_circle_in_which_room_appears";
    i6_the_mark_is_taken_for_an_admission: "window/circle.rs",
        "if word == Word::FROZEN { Err(Frozen) } else { Ok(word) }" => "Ok(word)",
        caught by "usage_meets_a_growth";
    i6_the_larger_circle_starts_empty: "window/ring.rs",
        "circle.freeze(&mut admissions);" => "circle.freeze(&mut admissions); admissions.clear();",
        caught by "a_claim_meets_a_growth";
    i6_the_order_is_lost: "window/circle.rs",
        "admissions.rotate_left(head);" => "let _ = head;",
        caught by "a_growth_keeps_the_order";
    i6_a_live_admission_is_overwritten_instead_of_growing: "window/ring.rs",
        "Verdict::Outgrown(full) => Step::Grow(Err(full))," =>
        "Verdict::Outgrown(_) if window.claim() => Step::Done(Ok(observe(window)?)), Verdict::Outgrown(_) => Step::Again,",
        caught by "the_last_unit_comes_with_a_growth";
}
