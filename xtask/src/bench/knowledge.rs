//! The knowledge base, measured inside its own room by its example program, which prints one line per
//! figure: name, value, baseline, goal, separated by tabs.

use anyhow::{Result, bail};

use super::Figure;
use crate::place::Place;

pub(crate) fn measure(place: &Place) -> Result<Vec<Figure>> {
    let output = place
        .cargo(&[
            "run",
            "--quiet",
            "--release",
            "--locked",
            "--package",
            "plimsoll-knowledge",
            "--example",
            "bench",
        ])
        .stderr(std::process::Stdio::inherit())
        .output()?;
    if !output.status.success() {
        bail!("the knowledge base's bench ended with {}", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| {
            let mut cells = line.split('\t').map(str::to_owned);
            Some(Figure {
                what: cells.next()?,
                ours: cells.next()?,
                baseline: cells.next().unwrap_or_else(|| "–".into()),
                goal: "",
            })
        })
        .collect())
}
