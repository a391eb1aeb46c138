//! One table: what windowlimit costs, what others cost, how the two compare, and what was to be reached; and a chart.
//!
//! ```text
//! cargo bench -p windowlimit --features quanta --bench compare [-- [quick] [keep] [SECTION ..]]
//! ```
//!
//! It takes some minutes, most of them for the section `compile`, which wants the network the first time. `quick` has fewer
//! rounds, smaller tables and no `compile`; `keep` writes the table into `windowlimit/benches/README.md` and the chart beside it.
//! Without `--features quanta` the rows of `QuantaClock` are missing.
//!
//! In every section all take turns of a millisecond or some, round after round, so that what else the machine does hits all
//! alike. A number is the median of the rounds, a ratio the median of the ratios inside a round.

#[path = "../threads/crew.rs"]
mod crew;
#[expect(dead_code, reason = "its table is of another benchmark")]
#[path = "../threads/latency.rs"]
mod latency;
#[path = "../subjects/mod.rs"]
mod subjects;
#[expect(dead_code, reason = "its table is of another benchmark")]
#[path = "../threads/throughput.rs"]
mod throughput;

mod attribute;
mod chart;
mod compile;
mod decisions;
mod flat;
mod kept;
mod keyed;
mod machine;
mod report;
mod rounds;
mod start;
mod threads;
mod waiting;

use std::env;

use report::Report;

/// How much is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Only whether all of this runs.
    Try,
    Quick,
    Full,
}

impl Extent {
    /// So many rounds, or fewer.
    pub(crate) fn rounds(self, full: usize) -> usize {
        match self {
            Self::Try => 1,
            Self::Quick => full.div_ceil(4),
            Self::Full => full,
        }
    }
}

type Section = (&'static str, fn(Extent, &mut Report));

/// In the order of the table. What needs a quiet machine most comes first, what makes it busy last.
const SECTIONS: [Section; 8] = [
    ("decisions", decisions::compare),
    ("threads", threads::compare),
    ("flat", flat::compare),
    ("attribute", attribute::compare),
    ("start", start::compare),
    ("keyed", keyed::compare),
    ("waiting", waiting::compare),
    ("compile", compile::compare),
];

fn main() {
    // This program runs itself, as a process that is new, and in front of the compiler.
    if start::is_child() || compile::is_wrapper() {
        return;
    }
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let is = |word: &str| arguments.iter().any(|argument| argument == word);
    // Without it, this is a test of whether the benchmark runs.
    let extent = match (env::args().any(|argument| argument == "--bench"), is("quick")) {
        (false, _) => Extent::Try,
        (true, true) => Extent::Quick,
        (true, false) => Extent::Full,
    };
    let names = SECTIONS.map(|(name, _)| name);
    if let Some(unknown) =
        arguments.iter().find(|word| !["quick", "keep"].iter().chain(&names).any(|name| name == word))
    {
        println!("there is no section `{unknown}`; say `quick`, `keep`, or some of: {}", names.join(", "));
        return;
    }
    let asked = |name: &str| match extent {
        _ if names.into_iter().any(is) => is(name),
        Extent::Full => true,
        Extent::Quick | Extent::Try => name != "compile",
    };
    let mut report = Report::new(&arguments);
    for (name, compare) in SECTIONS {
        if asked(name) {
            eprintln!("{name} ..");
            compare(extent, &mut report);
            report.looked_around();
        }
    }
    let text = report.text();
    println!("{text}");
    match kept::keep(&text, &report, is("keep")) {
        Ok(place) => eprintln!("{place}"),
        Err(error) => eprintln!("what was measured could not be written: {error}"),
    }
}
