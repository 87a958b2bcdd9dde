//! The window and the tray: how soon they are ready and how much memory they use. The window's figures come from Chromium over
//! the test host; the real program's from the desktop's own tests, which print them.

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::Figure;
use crate::place::Place;
use crate::screens;
use crate::steps::go;

pub(crate) fn measure(place: &Place, scratch: &std::path::Path) -> Result<Vec<Figure>> {
    let report = screens::measure(place, scratch)?;
    let text = |one: &Value, key: &str| one[key].as_str().unwrap_or("–").to_owned();
    let listed = report.as_array().context("the window's bench writes a list")?;
    let mut figures: Vec<Figure> = listed
        .iter()
        .map(|one| Figure {
            what: text(one, "what"),
            ours: text(one, "ours"),
            baseline: text(one, "baseline"),
            goal: text(one, "goal").into(),
        })
        .collect();
    if cfg!(target_os = "linux") {
        figures.extend(program(place)?);
    }
    Ok(figures)
}

/// The real program: its tests that measure print lines `figure: what | value | baseline | goal`.
fn program(place: &Place) -> Result<Vec<Figure>> {
    // Measured beside the smallest program with the same toolkit.
    let mut build =
        place.cargo(&["build", "--quiet", "--release", "--locked", "--package", "plimsoll-desktop"]);
    go(build.args(["--bins", "--example", "bare"]))?;
    let mut test =
        place.cargo(&["test", "--quiet", "--locked", "--package", "plimsoll-tests", "--test", "desktop"]);
    test.args(["--", "--ignored", "--nocapture", "--test-threads=1", "measured_"]);
    let release = place.target().join("release");
    test.env("PLIMSOLL_DESKTOP", release.join("plimsoll-desktop")).env("PLIMSOLL_TEST_RELEASE", &release);
    test.env("PLIMSOLL_BARE", release.join("examples/bare"));
    let output = test.output()?;
    let printed = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        bail!("the desktop could not be measured:\n{printed}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let figure = |line: &str| {
        let parts: Vec<&str> = line.split("figure: ").nth(1)?.split(" | ").collect();
        let [what, ours, baseline, goal] = parts.as_slice() else { return None };
        let [what, ours, baseline, goal] = [what, ours, baseline, goal].map(|part| (*part).to_owned());
        Some(Figure { what, ours, baseline, goal: goal.into() })
    };
    Ok(printed.lines().filter_map(figure).collect())
}
