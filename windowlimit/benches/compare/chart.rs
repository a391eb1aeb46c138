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
    bars: Vec<Bar>,
}

struct Bar {
    name: &'static str,
    kind: Kind,
    nanos: f64,
}

/// What a bar stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ours,
    /// A log of each admission, as ours.
    Exact,
    /// A bucket, or what is like one.
    Approximate,
    Floor,
}

impl Panel {
    /// With a bar for each of these that one would choose between.
    pub(crate) fn new(title: &str, subjects: &[Subject], nanos: impl Fn(usize) -> f64) -> Self {
        const SHOWN: [(&str, &str, Kind); 13] = [
            (Subject::FLOOR, "the floor", Kind::Floor),
            (Subject::RING, "windowlimit", Kind::Ours),
            (Subject::RING_COUNTER, "windowlimit, QuantaClock", Kind::Ours),
            (Subject::GOVERNOR_DEFAULT, "governor", Kind::Approximate),
            (Subject::GOVERNOR_STD, "governor, MonotonicClock", Kind::Approximate),
            (Subject::RATELIMIT, "ratelimit", Kind::Approximate),
            (Subject::LEAKY_BUCKET, "leaky-bucket", Kind::Approximate),
            (Subject::STD_MUTEX, "mutex of a VecDeque", Kind::Exact),
            (Subject::PARKING_LOT, "parking_lot, VecDeque", Kind::Exact),
            (Subject::RATE_NET, "rate-net", Kind::Exact),
            (Subject::THROTTLE_NET, "throttle-net", Kind::Exact),
            (Subject::THROTTLE_MY_FN, "throttle_my_fn", Kind::Exact),
            (Subject::TOWER_RESILIENCE, "tower-resilience", Kind::Exact),
        ];
        let shown = SHOWN.iter().filter_map(|&(subject, name, kind)| {
            let place = subjects.iter().position(|other| other.name == subject)?;
            Some(Bar { name, kind, nanos: nanos(place) })
        });
        let mut bars: Vec<_> = shown.collect();
        bars.sort_by(|a, b| a.nanos.total_cmp(&b.nanos));
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

/// A bar that is so many times as long as the one in the middle is cut off.
const MOST: f64 = 4.0;

const PAPER: RGBColor = RGBColor(252, 252, 250);
const EXACT: RGBColor = RGBColor(148, 148, 142);
const APPROXIMATE: RGBColor = RGBColor(208, 208, 202);
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
        let legend = [
            ("windowlimit", Kind::Ours),
            ("other exact windows", Kind::Exact),
            ("approximate limiters", Kind::Approximate),
            ("a clock read and a compare-and-swap", Kind::Floor),
        ];
        for ((name, kind), line) in legend.into_iter().zip(0..) {
            let (x, y) =
                (MARGIN + panel.0 + 440 * (line % 2) - 90 * (line % 2), MARGIN + 24 + 38 * (line / 2));
            kind.draw(&canvas, [(x, y - THICK / 2), (x + 44, y + THICK / 2)])?;
            words(&canvas, name, (x + 60, y), 25, QUIET, HPos::Left)?;
        }
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
    let middle = panel.bars.get(panel.bars.len() / 2).map_or(1.0, |bar| bar.nanos);
    let longest = panel.bars.last().map_or(1.0, |bar| bar.nanos).min(MOST * middle);
    for (line, bar) in (0..).zip(&panel.bars) {
        let middle = top + TITLE + LINE * line;
        let ink = if bar.kind == Kind::Ours { OURS } else { QUIET };
        words(canvas, bar.name, (left, middle), 25, ink, HPos::Left)?;
        #[expect(clippy::cast_possible_truncation, reason = "it is at most as long as the bars are")]
        let length = (f64::from(BARS) * (bar.nanos / longest).min(1.0)) as i32;
        let start = left + LABEL;
        bar.kind.draw(canvas, [(start, middle - THICK / 2), (start + length.max(2), middle + THICK / 2)])?;
        let cut = if bar.nanos > longest { " ›" } else { "" };
        words(
            canvas,
            &format!("{}{cut}", digits(bar.nanos)),
            (start + length + 12, middle),
            25,
            ink,
            HPos::Left,
        )?;
    }
    Ok(())
}

impl Kind {
    /// A rectangle between these corners.
    fn draw(self, canvas: &Canvas, corners: [(i32, i32); 2]) -> Drawn {
        let (color, style) = match self {
            Self::Ours => (OURS, OURS.filled()),
            Self::Exact => (EXACT, EXACT.filled()),
            Self::Approximate => (APPROXIMATE, APPROXIMATE.filled()),
            Self::Floor => (QUIET, PAPER.filled()),
        };
        canvas.draw(&Rectangle::new(corners, style))?;
        if self == Self::Floor {
            canvas.draw(&Rectangle::new(corners, color.stroke_width(2)))?;
        }
        Ok(())
    }
}

fn words(canvas: &Canvas, text: &str, at: (i32, i32), size: i32, ink: RGBColor, to: HPos) -> Drawn {
    let style = TextStyle::from(("sans-serif", size).into_font()).color(&ink).pos(Pos::new(to, VPos::Center));
    canvas.draw(&Text::new(text.to_owned(), at, style))?;
    Ok(())
}
