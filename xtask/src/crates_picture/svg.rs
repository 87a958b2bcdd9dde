//! The picture of the crates as SVG, in the colours of the page that shows it, light or dark.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::layout::{HEIGHT, Layout};

/// Crates that are programs.
const PROGRAMS: [&str; 3] = ["plimsoll", "desktop", "webhost"];

const STYLE: &str = "\
  text { font: 13px system-ui, sans-serif; text-anchor: middle; fill: #1c2530 }
  rect { fill: #f4f6f8; stroke: #8a96a3 }
  .program { fill: #dbe9f8; stroke: #2f6fb0 }
  .system { fill: #e3f1e4; stroke: #3d8b46 }
  path { fill: none; stroke: #8a96a3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e4e9ee }
    rect { fill: #222a33; stroke: #66727f }
    .program { fill: #1d3652; stroke: #5e9bd8 }
    .system { fill: #1f3a24; stroke: #63b06d }
    path { stroke: #66727f }
  }
";

/// Draws it; `systems` are the crates that are one of Plimsoll's systems.
pub(super) fn draw(layout: &Layout, systems: &BTreeSet<String>) -> String {
    let (width, height) = (layout.width, layout.height);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\n\
         <title>Which crate uses which: a crate uses those below it that its lines point to</title>\n\
         <style>\n{STYLE}</style>\n"
    );
    for line in &layout.lines {
        let mut path = format!("M{:.0} {:.0}", line[0].0, line[0].1);
        for pair in line.windows(2) {
            let middle = f64::midpoint(pair[0].1, pair[1].1);
            let _ = write!(
                path,
                " C{:.0} {middle:.0} {:.0} {middle:.0} {:.0} {:.0}",
                pair[0].0, pair[1].0, pair[1].0, pair[1].1
            );
        }
        let _ = writeln!(svg, "<path d=\"{path}\"/>");
    }
    for one in &layout.boxes {
        let class = if PROGRAMS.contains(&one.name.as_str()) {
            " class=\"program\""
        } else if systems.contains(&one.name) {
            " class=\"system\""
        } else {
            ""
        };
        let (x, y, width) = (one.x, one.y, one.width);
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"{width:.0}\" height=\"{HEIGHT:.0}\" rx=\"6\"{class}/>"
        );
        let (middle, base) = (x + width / 2.0, y + HEIGHT / 2.0 + 4.5);
        let _ = writeln!(svg, "<text x=\"{middle:.0}\" y=\"{base:.0}\">{}</text>", one.name);
    }
    svg.push_str("</svg>\n");
    svg
}
