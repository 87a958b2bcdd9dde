//! An organisation's server, measured by an example program of memory's own crate, which starts a real one, fills it and prints one
//! JSON object. `--rows N` says how many memories; a million take a quarter of an hour.

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::Figure;
use crate::place::Place;
use crate::steps::say;

pub(crate) fn measure(place: &Place, options: &[String]) -> Result<Vec<Figure>> {
    let mut arguments = vec![
        "run",
        "--quiet",
        "--release",
        "--locked",
        "--package",
        "plimsoll-memory",
        "--example",
        "org",
        "--",
    ];
    if let Some(at) = options.iter().position(|option| option == "--rows") {
        arguments.push(options.get(at + 1).context("--rows needs a number")?);
    }
    let output = place.cargo(&arguments).stderr(std::process::Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("the bench of an organisation's server ended with {}", output.status);
    }
    let report: Value = serde_json::from_slice(&output.stdout).context("the bench prints one JSON object")?;
    if let Some(reason) = report["no_server"].as_str() {
        say(&format!("An organisation's server is not measured: {reason}"));
        return Ok(Vec::new());
    }
    let rows = &report["rows"];
    let line = |what: String, ours: String| Figure { what, ours, baseline: "–".into(), goal: "–".into() };
    let mut figures: Vec<Figure> = [
        ("search by who sees one project, p95", "search_one_project_p95_ms"),
        ("search by who sees every project, p95", "search_everywhere_p95_ms"),
        ("capture, p95", "capture_p95_ms"),
        ("first look at a project, 2,000 memories", "first_look_ms"),
        ("a look at what is new, nothing is", "nothing_new_ms"),
    ]
    .into_iter()
    .map(|(what, key)| {
        line(format!("PostgreSQL with {rows} memories: {what}"), format!("{} ms", report[key]))
    })
    .collect();
    for (name, bytes) in report["bytes"].as_object().into_iter().flatten() {
        figures.push(line(format!("the same on the disk: {name}"), format!("{bytes} bytes")));
    }
    Ok(figures)
}
