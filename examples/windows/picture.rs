//! The picture: a row for each traffic, a column for each window, all on the same scales.
//!
//! The SVG backend counts in whole units. It gets two to a pixel, and the size is halved at the end.

use std::{error::Error, iter::once};

use plotters::{
    coord::{Shift, types::RangedCoordf64},
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};
use windowlimit::Algorithm;

use crate::{
    name,
    play::{Fullest, LIMIT, MINUTE, Play, SPAN},
    traffic::Traffic,
};

type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Panel<'a> = DrawingArea<SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Stroke = [(i32, i32)];
type Drawn = Result<(), Box<dyn Error>>;

/// The upper left corner of the first panel, the size of a panel, what is between two, and what is around them; in
/// halves of a pixel, as all lengths here.
const FIRST: (i32, i32) = (276, 216);
const PANEL: (i32, i32) = (480, 252);
const GAP: (i32, i32) = (30, 34);
const MARGIN: i32 = 36;
const SIZE: (i32, i32) = (
    FIRST.0 + 3 * PANEL.0 + 2 * GAP.0 + MARGIN,
    // The words of the last scale hang below.
    FIRST.1 + 3 * PANEL.1 + 2 * GAP.1 + 36 + MARGIN,
);

/// What a panel shows, in calls: the count up to the most that there is, and below nothing the calls.
const BOTTOM: f64 = -5.0;
const MOST: f64 = 20.0;
const TOP: f64 = 23.0;

const PAPER: RGBColor = RGBColor(252, 252, 250);
const GRID: RGBColor = RGBColor(230, 230, 226);
const REFUSED: RGBColor = RGBColor(178, 178, 172);
const QUIET: RGBColor = RGBColor(105, 105, 101);
const INK: RGBColor = RGBColor(32, 33, 36);
const OVER: RGBColor = RGBColor(207, 46, 34);

/// The picture of these plays, each row of them in the order of the columns.
pub(crate) fn draw(rows: &[(Traffic, Vec<Play>)]) -> Result<String, Box<dyn Error>> {
    let mut svg = String::new();
    {
        let size = (SIZE.0.unsigned_abs(), SIZE.1.unsigned_abs());
        let canvas = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        canvas.fill(&PAPER)?;
        draw_head(&canvas)?;
        let (mut left, mut top) = FIRST;
        for (traffic, plays) in rows {
            left = FIRST.0;
            draw_row_label(&canvas, traffic, top)?;
            draw_counts(&canvas, top)?;
            for play in plays {
                if top == FIRST.1 {
                    draw_column_label(&canvas, play.algorithm, left)?;
                }
                let panel = ChartBuilder::on(&canvas.clone().shrink((left, top), PANEL))
                    .build_cartesian_2d(0.0..at(SPAN), BOTTOM..TOP)?;
                draw_play(&canvas, panel.plotting_area(), play)?;
                left += PANEL.0 + GAP.0;
            }
            top += PANEL.1 + GAP.1;
        }
        for left in (FIRST.0..left).step_by((PANEL.0 + GAP.0).unsigned_abs() as usize) {
            draw_minutes(&canvas, left, top - GAP.1)?;
        }
        canvas.present()?;
    }
    let [full, half] = [1, 2].map(|part| format!("width=\"{}\" height=\"{}\"", SIZE.0 / part, SIZE.1 / part));
    // The paper is the first rectangle. Round corners, for pages that are dark.
    Ok(svg.replacen(&full, &half, 1).replacen("<rect ", "<rect rx=\"20\" ", 1))
}

/// What is drawn, and the signs that it is drawn with.
fn draw_head(canvas: &Canvas) -> Drawn {
    let line = MARGIN + 34;
    Words::new(34).bold().draw(canvas, "Calls admitted in the last minute", (MARGIN, line))?;
    let (tall, short) = ([(0, 6), (0, -24)], [(0, 6), (0, -12)]);
    let bracket = [(0, 0), (0, -10), (60, -10), (60, 0)];
    let signs: [(i32, &str, &Stroke, RGBColor); 4] = [
        (1030, "admitted", &tall, QUIET),
        (1182, "refused", &short, REFUSED),
        (1318, "limit", &[(0, -8), (50, -8)], INK),
        (1476, "fullest minute", &bracket, QUIET),
    ];
    for (left, words, stroke, ink) in signs {
        let stroke: Vec<_> = stroke.iter().map(|&(x, y)| (left + x, line + y)).collect();
        let right = stroke.last().map_or(left, |&(x, _)| x);
        canvas.draw(&PathElement::new(stroke, ink.stroke_width(3)))?;
        Words::new(24).ink(QUIET).draw(canvas, words, (right + 14, line))?;
    }
    Ok(())
}

fn draw_column_label(canvas: &Canvas, algorithm: Algorithm, left: i32) -> Drawn {
    let (promise, ink) = match algorithm {
        Algorithm::Exact => ("never over, never late".to_owned(), QUIET),
        Algorithm::Segmented(segments) => {
            (format!("never over, up to {} s late", MINUTE / 1_000 / u64::from(segments)), QUIET)
        }
        _ => (format!("up to {} around an edge", 2 * LIMIT - 1), OVER),
    };
    Words::new(31).bold().ink(ink_of(algorithm)).draw(canvas, &name(algorithm), (left, FIRST.1 - 76))?;
    Words::new(25).ink(ink).draw(canvas, &promise, (left, FIRST.1 - 40))
}

fn draw_row_label(canvas: &Canvas, traffic: &Traffic, top: i32) -> Drawn {
    let middle = top + PANEL.1 / 2;
    Words::new(31).bold().draw(canvas, traffic.name, (MARGIN, middle - 16))?;
    Words::new(24).ink(QUIET).draw(canvas, traffic.note, (MARGIN, middle + 20))
}

/// The scale of counts, left of the first panel of a row.
fn draw_counts(canvas: &Canvas, top: i32) -> Drawn {
    for count in [0, 10, 20] {
        let y = f64::from(PANEL.1) * (TOP - f64::from(count)) / (TOP - BOTTOM);
        #[expect(clippy::cast_possible_truncation, reason = "it is inside a panel")]
        let line = top + y as i32 + 8;
        Words::new(24).ink(QUIET).to(HPos::Right).draw(canvas, &count.to_string(), (FIRST.0 - 14, line))?;
    }
    Ok(())
}

/// The scale of time, below the last panel of a column.
fn draw_minutes(canvas: &Canvas, left: i32, bottom: i32) -> Drawn {
    for (minute, words) in ["0", "1", "2", "3", "4 min"].into_iter().enumerate() {
        let x = left + i32::try_from(minute)? * PANEL.0 / 4;
        let to = [HPos::Left, HPos::Center, HPos::Center, HPos::Center, HPos::Right][minute];
        Words::new(24).ink(QUIET).to(to).draw(canvas, words, (x, bottom + 28))?;
    }
    Ok(())
}

fn draw_play(canvas: &Canvas, panel: &Panel, play: &Play) -> Drawn {
    let ink = ink_of(play.algorithm);
    let is_over = play.fullest().count > LIMIT;
    let (limit, end) = (f64::from(LIMIT), at(SPAN));

    for time in (0..=SPAN).step_by(usize::try_from(MINUTE)?).map(at) {
        panel.draw(&PathElement::new([(time, 0.0), (time, MOST)], GRID.stroke_width(2)))?;
    }
    draw_fullest(canvas, panel, play.fullest(), if is_over { OVER } else { ink })?;

    let line = steps(play);
    // What is between a count and the line, where the line is higher.
    let above = |count: f64, color: RGBAColor| {
        let line = line.iter().map(|&(x, y)| (x, y.max(count)));
        let corners: Vec<_> = once((0.0, count)).chain(line).chain(once((end, count))).collect();
        Polygon::new(corners, color.filled())
    };
    panel.draw(&above(0.0, ink.mix(0.2)))?;
    if is_over {
        panel.draw(&above(limit, OVER.mix(0.75)))?;
    }
    panel.draw(&PathElement::new(line.clone(), ink.stroke_width(4)))?;
    panel.draw(&PathElement::new([(0.0, limit), (end, limit)], INK.stroke_width(2)))?;

    // The calls hang from the axis like the teeth of a comb, the admitted ones in front.
    for (admitted, color, length) in [(false, REFUSED, 2.2), (true, ink, 4.4)] {
        let calls = play.calls.iter().filter(|call| call.admitted == admitted);
        let comb = calls.flat_map(|call| [0.0, -length, 0.0].map(|y| (at(call.at), y)));
        panel.draw(&PathElement::new(comb.collect::<Vec<_>>(), color.stroke_width(2)))?;
    }
    panel.draw(&PathElement::new([(0.0, 0.0), (end, 0.0)], QUIET.stroke_width(2)))?;
    Ok(())
}

/// How many were admitted in the last minute, as a line of steps.
fn steps(play: &Play) -> Vec<(f64, f64)> {
    let mut line = vec![(0.0, 0.0)];
    let mut last = 0.0;
    for (time, count) in play.trailing() {
        line.push((at(time), last));
        last = f64::from(count);
        line.push((at(time), last));
    }
    line.push((at(SPAN), last));
    line
}

/// A bracket over the minute, and what is in it.
fn draw_fullest(canvas: &Canvas, panel: &Panel, fullest: Fullest, ink: RGBColor) -> Drawn {
    let (from, to) = (at(fullest.end.saturating_sub(MINUTE)), at(fullest.end));
    let top = f64::from(fullest.count.max(LIMIT)) + 1.6;
    let foot = top - 1.0;
    panel.draw(&Rectangle::new([(from, 0.0), (to, top)], ink.mix(0.1).filled()))?;
    let bracket = [(from, foot), (from, top), (to, top), (to, foot)];
    panel.draw(&PathElement::new(bracket, ink.stroke_width(3)))?;
    let (x, y) = panel.map_coordinate(&(f64::midpoint(from, to), top));
    let words = format!("{} of {LIMIT}", fullest.count);
    Words::new(28).bold().ink(ink).to(HPos::Center).draw(canvas, &words, (x, y - 9))
}

fn ink_of(algorithm: Algorithm) -> RGBColor {
    match algorithm {
        Algorithm::Exact => RGBColor(13, 124, 102),
        Algorithm::Segmented(_) => RGBColor(42, 88, 190),
        _ => RGBColor(176, 106, 12),
    }
}

#[expect(clippy::cast_precision_loss, reason = "minutes in milliseconds are far below 2^52")]
fn at(time: u64) -> f64 {
    time as f64
}

/// How some words look.
#[derive(Clone, Copy)]
struct Words {
    size: i32,
    style: FontStyle,
    ink: RGBColor,
    to: HPos,
}

impl Words {
    fn new(size: i32) -> Self {
        Self { size, style: FontStyle::Normal, ink: INK, to: HPos::Left }
    }

    fn bold(self) -> Self {
        Self { style: FontStyle::Bold, ..self }
    }

    fn ink(self, ink: RGBColor) -> Self {
        Self { ink, ..self }
    }

    fn to(self, to: HPos) -> Self {
        Self { to, ..self }
    }

    /// Where the words stand is where their line begins, ends, or has its middle.
    fn draw(self, canvas: &Canvas, words: &str, (x, line): (i32, i32)) -> Drawn {
        // The backend divides sizes by 1.24, and lowers words that hang from a point by 0.76 of that.
        let font = ("Helvetica, Arial, sans-serif", f64::from(self.size) * 1.24, self.style);
        let style = TextStyle::from(font).color(&self.ink).pos(Pos::new(self.to, VPos::Top));
        canvas.draw(&Text::new(words, (x, line - self.size * 76 / 100), style))?;
        Ok(())
    }
}
