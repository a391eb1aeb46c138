//! The table.

use std::fmt::Write as _;

use crate::{chart::Panel, machine::Machine};

/// What was to be reached.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    AtMost(f64),
    Below(f64),
    AtLeast(f64),
    Above(f64),
    /// Nothing: the number is stated beside others.
    None,
}

impl Goal {
    fn is_reached(self, by: f64) -> bool {
        // As it is written in the table: nobody can tell more than hundredths apart.
        let by = (by * 100.0).round() / 100.0;
        match self {
            Self::AtMost(most) => by <= most,
            Self::Below(bound) => by < bound,
            Self::AtLeast(least) => by >= least,
            Self::Above(bound) => by > bound,
            Self::None => true,
        }
    }

    fn text(self) -> String {
        match self {
            Self::AtMost(most) => format!("≤ {most}"),
            Self::Below(bound) => format!("< {bound}"),
            Self::AtLeast(least) => format!("≥ {least}"),
            Self::Above(bound) => format!("> {bound}"),
            Self::None => String::new(),
        }
    }
}

/// A row of the table.
pub(crate) struct Row {
    pub(crate) what: String,
    pub(crate) ours: String,
    /// With its name, if there is one.
    pub(crate) peer: String,
    pub(crate) theirs: String,
    pub(crate) ratio: Option<f64>,
    pub(crate) goal: Goal,
    /// What the goal is about where that is no ratio.
    pub(crate) judged: Option<f64>,
}

impl Row {
    /// Ours beside theirs, in these units; the goal is about the ratio.
    pub(crate) fn beside(
        what: impl Into<String>,
        ours: f64,
        (peer, theirs): (&str, f64),
        ratio: f64,
        goal: Goal,
    ) -> Self {
        Self {
            what: what.into(),
            ours: digits(ours),
            peer: peer.to_owned(),
            theirs: digits(theirs),
            ratio: Some(ratio),
            goal,
            judged: None,
        }
    }

    /// A number of ours alone; the goal is about the number.
    pub(crate) fn alone(what: impl Into<String>, ours: f64, goal: Goal) -> Self {
        Self {
            what: what.into(),
            ours: digits(ours),
            peer: String::new(),
            theirs: String::new(),
            ratio: None,
            goal,
            judged: Some(ours),
        }
    }
}

/// Three digits that count.
pub(crate) fn digits(number: f64) -> String {
    let digits = match number.abs() {
        0.0..0.995 => 3,
        0.995..9.995 => 2,
        9.995..99.95 => 1,
        _ => 0,
    };
    format!("{number:.digits$}")
}

pub(crate) struct Report {
    machine: Machine,
    rows: String,
    counts: [usize; 2],
    notes: Vec<String>,
    pub(crate) panels: Vec<Panel>,
}

impl Report {
    pub(crate) fn new(arguments: &[String]) -> Self {
        Self {
            machine: Machine::now(arguments),
            rows: String::new(),
            counts: [0; 2],
            notes: Vec::new(),
            panels: Vec::new(),
        }
    }

    /// Rows about the same, in the same units.
    pub(crate) fn group(&mut self, heading: &str, rows: impl IntoIterator<Item = Row>) {
        let mut lines = format!("| **{heading}** | | | | | | |\n");
        for row in rows {
            let judged = row.judged.or(row.ratio).unwrap_or_default();
            let verdict = match row.goal {
                Goal::None => "",
                goal => {
                    let is_reached = goal.is_reached(judged);
                    self.counts[usize::from(is_reached)] += 1;
                    if is_reached { "reached" } else { "**missed**" }
                }
            };
            let ratio = row.ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
            let goal = row.goal.text();
            writeln!(
                lines,
                "| {} | {} | {} | {} | {ratio} | {goal} | {verdict} |",
                row.what, row.ours, row.peer, row.theirs
            )
            .expect("a string takes everything");
        }
        eprint!("{lines}");
        self.rows += &lines;
    }

    /// What one has to know of the table.
    pub(crate) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    pub(crate) fn version(&mut self, of: &str, version: String) {
        self.machine.version(of, version);
    }

    /// Notes how busy the machine is by now.
    pub(crate) fn looked_around(&mut self) {
        self.machine.look();
    }

    /// All of it, in Markdown.
    pub(crate) fn text(&self) -> String {
        let [missed, reached] = self.counts;
        let mut text = format!("{}\n\n{reached} goals reached, {missed} missed.\n\n", self.machine.text());
        text += "| | windowlimit | beside | | ratio | goal | |\n|---|---|---|---|---|---|---|\n";
        text += &self.rows;
        if !self.notes.is_empty() {
            text += "\n";
        }
        for note in &self.notes {
            writeln!(text, "* {note}").expect("a string takes everything");
        }
        text
    }
}
