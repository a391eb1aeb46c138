//! Where the table and the chart are put.

use std::{error::Error, fs, path::Path};

use crate::{chart, report::Report};

/// Between these lines of the README.
const MARKS: [&str; 2] =
    ["<!-- the comparison, as it was written by `-- keep` -->\n", "<!-- end of the comparison -->"];

/// Draws the chart, and with `keep` puts it and the text where they are read; says where.
pub(crate) fn keep(text: &str, report: &Report, keep: bool) -> Result<String, Box<dyn Error>> {
    if report.panels.is_empty() {
        return Ok("there is no chart without the sections `decisions` and `threads`".to_owned());
    }
    let picture = chart::draw(&report.panels)?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches");
    if !keep {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compare.svg");
        fs::write(&path, picture)?;
        return Ok(format!("drawn to {}; `-- keep` puts it and the table into the README", path.display()));
    }
    let readme = folder.join("README.md");
    let kept = fs::read_to_string(&readme)?;
    let (before, rest) = kept.split_once(MARKS[0]).ok_or("the README has no mark for the table")?;
    let (_, after) = rest.split_once(MARKS[1]).ok_or("the README has no mark for the end of the table")?;
    fs::write(&readme, format!("{before}{}\n{text}\n{}{after}", MARKS[0], MARKS[1]))?;
    fs::write(folder.join("compare.svg"), picture)?;
    Ok("written to windowlimit/benches/README.md and windowlimit/benches/compare.svg".to_owned())
}
