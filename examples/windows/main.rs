//! Which window do I want? `cargo run --example windows` plays the same calls against each kind of window, draws what
//! they admit, and prints what came of it.
//!
//! Nothing sleeps and nothing is left to chance: the clock moves by hand and the random calls have a seed, so that the
//! picture is the same on every machine. It goes to `examples/windows.svg`, or to the path given as the argument.

mod picture;
mod play;
mod traffic;

use std::{env, error::Error, fs};

use windowlimit::Algorithm;

use crate::{
    play::{LIMIT, Play},
    traffic::Traffic,
};

/// Few segments, so that one can see what they cost: room comes back up to a fifth of a minute late.
const SEGMENTS: u32 = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let algorithms = [Algorithm::Exact, Algorithm::Segmented(SEGMENTS), Algorithm::Fixed];
    let rows: Vec<(Traffic, Vec<Play>)> = traffic::all()
        .into_iter()
        .map(|traffic| {
            let plays = algorithms.iter().map(|&algorithm| Play::new(algorithm, &traffic)).collect();
            (traffic, plays)
        })
        .collect();

    println!("{LIMIT} calls a minute\n");
    println!("{:<10}{:<14}{:>8}{:>9}   the fullest minute", "calls", "window", "admitted", "refused");
    for (traffic, plays) in &rows {
        for play in plays {
            println!(
                "{:<10}{:<14}{:>8}{:>9}   {:>2} of {LIMIT}",
                traffic.name,
                name(play.algorithm),
                play.admitted(),
                play.refused(),
                play.fullest().count,
            );
        }
    }

    let picture = picture::draw(&rows)?;
    let (path, shown) = match env::args().nth(1) {
        Some(path) => (path.clone(), path),
        None => (
            concat!(env!("CARGO_MANIFEST_DIR"), "/windows.svg").to_owned(),
            "examples/windows.svg".to_owned(),
        ),
    };
    fs::write(path, picture).map_err(|error| format!("wanted to write {shown}: {error}"))?;
    println!("\ndrawn to {shown}");
    Ok(())
}

/// An algorithm as the attribute writes it.
fn name(algorithm: Algorithm) -> String {
    match algorithm {
        Algorithm::Exact => "exact".to_owned(),
        Algorithm::Segmented(segments) => format!("segmented({segments})"),
        Algorithm::Fixed => "fixed".to_owned(),
        other => format!("{other:?}"),
    }
}
