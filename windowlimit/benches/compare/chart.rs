//! The chart: nanoseconds of a call, by one thread and by two, admitted and refused.
//!
//! The SVG backend counts in whole units. It gets two to a pixel, and the size is halved at the end.

use std::error::Error;

use plotters::{
    coord::Shift,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use crate::{report::digits, subjects::Subject};

/// What one group of bars shows: nanoseconds by name.
pub(crate) struct Panel {
    title: String,
    bars: Vec<(&'static str, f64)>,
}

impl Panel {
    /// With a bar for each of these that one would choose between.
    pub(crate) fn new(title: &str, subjects: &[Subject], nanos: impl Fn(usize) -> f64) -> Self {
        const SHOWN: [(&str, &str); 13] = [
            (Subject::FLOOR, "the floor"),
            (Subject::RING, "windowlimit"),
            (Subject::RING_COUNTER, "windowlimit, QuantaClock"),
            (Subject::GOVERNOR_DEFAULT, "governor"),
            (Subject::GOVERNOR_STD, "governor, MonotonicClock"),
            (Subject::RATELIMIT, "ratelimit"),
            (Subject::LEAKY_BUCKET, "leaky-bucket"),
            (Subject::STD_MUTEX, "mutex of a VecDeque"),
            (Subject::PARKING_LOT, "parking_lot, VecDeque"),
            (Subject::RATE_NET, "rate-net"),
            (Subject::THROTTLE_NET, "throttle-net"),
            (Subject::THROTTLE_MY_FN, "throttle_my_fn"),
            (Subject::TOWER_RESILIENCE, "tower-resilience"),
        ];
        let shown = SHOWN.iter().filter_map(|(name, label)| {
            let place = subjects.iter().position(|subject| subject.name == *name)?;
            Some((*label, nanos(place)))
        });
        let mut bars: Vec<_> = shown.collect();
        bars.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        Self { title: title.to_owned(), bars }
    }
}

type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn Error>>;

/// In halves of a pixel, as all lengths here.
const MARGIN: i32 = 36;
const HEAD: i32 = 120;
const LABEL: i32 = 350;
const BARS: i32 = 420;
/// Right of the longest bar, for its number.
const NUMBER: i32 = 110;
const LINE: i32 = 40;
const THICK: i32 = 24;
const TITLE: i32 = 70;
const COLUMNS: i32 = 2;

/// A bar that is longer is cut off.
const MOST: f64 = 250.0;

const PAPER: RGBColor = RGBColor(252, 252, 250);
const OTHER: RGBColor = RGBColor(190, 190, 184);
const FLOOR: RGBColor = RGBColor(226, 226, 221);
const OURS: RGBColor = RGBColor(28, 110, 140);
const QUIET: RGBColor = RGBColor(105, 105, 101);
const INK: RGBColor = RGBColor(32, 33, 36);

pub(crate) fn draw(panels: &[Panel]) -> Result<String, Box<dyn Error>> {
    let lines = panels.iter().map(|panel| panel.bars.len()).max().unwrap_or_default();
    let panel = (LABEL + BARS + NUMBER, TITLE + LINE * i32::try_from(lines)?);
    let rows = i32::try_from(panels.len())?.div_euclid(COLUMNS) + i32::try_from(panels.len())? % COLUMNS;
    let size = (2 * MARGIN + COLUMNS * panel.0, HEAD + rows * panel.1 + MARGIN);
    let mut svg = String::new();
    {
        let canvas = SVGBackend::with_string(&mut svg, (size.0.unsigned_abs(), size.1.unsigned_abs()))
            .into_drawing_area();
        canvas.fill(&PAPER)?;
        words(&canvas, "Nanoseconds of a call", (MARGIN, MARGIN + 24), 36, INK, HPos::Left)?;
        let what = "shorter is better; two threads: of both together, on one limiter";
        words(&canvas, what, (MARGIN, MARGIN + 62), 25, QUIET, HPos::Left)?;
        for (place, one) in (0..).zip(panels) {
            let corner = (MARGIN + place % COLUMNS * panel.0, HEAD + place / COLUMNS * panel.1);
            draw_panel(&canvas, one, corner)?;
        }
        canvas.present()?;
    }
    let [full, half] = [1, 2].map(|part| format!("width=\"{}\" height=\"{}\"", size.0 / part, size.1 / part));
    // The paper is the first rectangle. Round corners, for pages that are dark.
    Ok(svg.replacen(&full, &half, 1).replacen("<rect ", "<rect rx=\"20\" ", 1))
}

fn draw_panel(canvas: &Canvas, panel: &Panel, (left, top): (i32, i32)) -> Drawn {
    words(canvas, &panel.title, (left, top + TITLE / 2 - 4), 29, INK, HPos::Left)?;
    // A scale of its own: the longest that is not cut off fills the panel.
    let longest = panel.bars.iter().map(|&(_, nanos)| nanos).fold(1.0, f64::max).min(MOST);
    for (line, &(name, nanos)) in (0..).zip(&panel.bars) {
        let middle = top + TITLE + LINE * line;
        let (bar, ink) = match name {
            name if name.starts_with("windowlimit") => (OURS, OURS),
            "the floor" => (FLOOR, QUIET),
            _ => (OTHER, QUIET),
        };
        words(canvas, name, (left, middle), 25, ink, HPos::Left)?;
        #[expect(clippy::cast_possible_truncation, reason = "it is at most as long as the bars are")]
        let length = (f64::from(BARS) * (nanos / longest).min(1.0)) as i32;
        let start = left + LABEL;
        let corners = [(start, middle - THICK / 2), (start + length.max(2), middle + THICK / 2)];
        canvas.draw(&Rectangle::new(corners, bar.filled()))?;
        let cut = if nanos > longest { " ›" } else { "" };
        words(
            canvas,
            &format!("{}{cut}", digits(nanos)),
            (start + length + 12, middle),
            25,
            ink,
            HPos::Left,
        )?;
    }
    Ok(())
}

fn words(canvas: &Canvas, text: &str, at: (i32, i32), size: i32, ink: RGBColor, to: HPos) -> Drawn {
    let style = TextStyle::from(("sans-serif", size).into_font()).color(&ink).pos(Pos::new(to, VPos::Center));
    canvas.draw(&Text::new(text.to_owned(), at, style))?;
    Ok(())
}
