//! The knowledge base, measured inside its own crate by its example program, which prints one JSON object.

use anyhow::{Context, Result, bail};
use serde_json::Value;

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
    let report: Value = serde_json::from_slice(&output.stdout).context("the bench prints one JSON object")?;
    let number = |key: &str| report.get(key).and_then(Value::as_f64).unwrap_or(f64::NAN);
    let searched = |size: &str| {
        format!(
            "{:.2} ms (worst query {:.2} ms)",
            number(&format!("search_{size}_median_ms")),
            number(&format!("search_{size}_worst_ms"))
        )
    };
    let figure = |what: &str, ours: String, goal: &'static str| Figure {
        what: what.into(),
        ours,
        baseline: "–".into(),
        goal: goal.into(),
    };
    Ok(vec![
        figure(
            "index 237 KB of Markdown, in process",
            format!("{:.1} ms", number("index_237k_ms")),
            "≤ 30 ms",
        ),
        figure("search among 5,000 chunks, in process", searched("5k"), "≤ 3 ms"),
        figure("search among 100,000 chunks, in process", searched("100k"), "≤ 15 ms"),
        figure("database / text", format!("{:.2}×", number("database_ratio")), "≤ 3×"),
    ])
}
