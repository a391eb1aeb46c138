//! An annotated function, called over a window and a half: `cargo run --example quickstart`.
//!
//! Watch the admissions of the last two seconds move to the left. As soon as the oldest one falls off the edge, and
//! not a moment sooner, there is room for another.

use std::{
    thread,
    time::{Duration, Instant},
};

use anstream::println;
use anstyle::{AnsiColor, Style};
use windowlimit::{Permit, RateLimitExceeded, window_rate_limit};

const WINDOW: Duration = Duration::from_secs(2);

/// At most five calls in any two seconds. The permit says what is left.
#[window_rate_limit(limit = 5, window = WINDOW, name = "get_content", permit = permit)]
fn get_content() -> Result<(&'static str, Permit<'static>), RateLimitExceeded> {
    Ok(("Hello World", permit))
}

fn main() {
    let started = Instant::now();
    let mut admissions: Vec<Instant> = Vec::new();
    println!("five calls in any two seconds\n");
    println!(" time    call       left  one back    the last two seconds");

    for call in 0..22 {
        // A burst of three, then a call every 150 ms.
        if call >= 3 {
            thread::sleep(Duration::from_millis(150));
        }
        let outcome = get_content();
        let now = Instant::now();
        let (style, word, left, next) = match &outcome {
            Ok((_content, permit)) => {
                admissions.push(now);
                (AnsiColor::Green, "admitted", permit.remaining(), permit.reset_after())
            }
            Err(refusal) => (AnsiColor::Red, "refused ", 0, refusal.retry_after().unwrap_or_default()),
        };
        let style = Style::new().fg_color(Some(style.into())).bold();
        println!(
            "{:5.2}s  {style}{word}{style:#}   {left:>3}   in {:.2}s   {}",
            (now - started).as_secs_f64(),
            next.as_secs_f64(),
            picture(&admissions, now, style),
        );
    }
    println!("\n{} of 22 calls were admitted", admissions.len());
}

/// The admissions of the last window, the newest at the right: a digit for so many in one place.
fn picture(admissions: &[Instant], now: Instant, style: Style) -> String {
    const PLACES: usize = 40;
    let mut places = [0_u32; PLACES];
    for age in admissions.iter().map(|&at| now - at).filter(|&age| age < WINDOW) {
        let place = age.as_millis() * PLACES as u128 / WINDOW.as_millis();
        places[PLACES - 1 - usize::try_from(place).unwrap_or(0).min(PLACES - 1)] += 1;
    }
    let drawn: String = places
        .into_iter()
        .map(|count| char::from_digit(count, 10).filter(|_| count > 0).unwrap_or('·'))
        .collect();
    format!("{style}│{style:#}{drawn}{style}│{style:#}")
}
