//! The ledger with ten million calls, measured inside its own crate by its example program, which prints one JSON
//! object. The baseline is a plain sum over the rows of the same file.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::Figure;
use crate::place::Place;

pub(crate) fn measure(place: &Place, scratch: &Path) -> Result<Vec<Figure>> {
    let folder = scratch.join("ledger");
    let output = place
        .cargo(&[
            "run",
            "--quiet",
            "--release",
            "--locked",
            "--package",
            "plimsoll-sessions",
            "--example",
            "ledger",
            "--",
        ])
        .arg(&folder)
        .stderr(std::process::Stdio::inherit())
        .output()?;
    if !output.status.success() {
        bail!("the ledger's bench ended with {}", output.status);
    }
    let report: Value = serde_json::from_slice(&output.stdout).context("the bench prints one JSON object")?;
    let number = |key: &str| report.get(key).and_then(Value::as_f64).unwrap_or(f64::NAN);
    for key in ["agree", "same_after_forgetting"] {
        ensure!(report.get(key).and_then(Value::as_bool) == Some(true), "the ledger's sums are wrong: {key}");
    }
    let plain = number("plain_sum_ms");
    let sums = |what: &str, key: &str| Figure {
        what: format!("ledger of 10 million calls: {what}"),
        ours: format!("{:.2} ms", number(key)),
        baseline: format!("sum over the rows {plain:.0} ms ({:.0}×)", plain / number(key)),
        goal: "< 20 ms".into(),
    };
    let figure = |what: &str, ours: String, baseline: String| Figure {
        what: what.into(),
        ours,
        baseline,
        goal: "–".into(),
    };
    let mb = |key: &str| format!("{:.0} MB", number(key) / 1e6);
    Ok(vec![
        sums("totals of all, by agent, project, tool, filter", "all_ms"),
        sums("the same of today", "today_ms"),
        sums("the same of 7 days", "week_ms"),
        sums("the same of 13 months, from an odd hour", "thirteen_months_ms"),
        sums("30 days, day by day", "days_30_ms"),
        sums("two years without a pause, day by day", "days_all_ms"),
        sums("the same where midnight is at half past", "days_odd_ms"),
        sums("totals of all, rows beyond 500,000 forgotten", "all_after_ms"),
        figure(
            "ledger: one call written by itself",
            format!("{:.0} µs", number("insert_us")),
            format!(
                "without sums {:.0} µs; in bulk {:.1} µs",
                number("plain_insert_us"),
                number("fill_us_per_row")
            ),
        ),
        figure(
            "ledger: file with 500,000 calls kept",
            mb("kept_bytes"),
            format!(
                "with all 10 million {}, {:.0} rows of sums among them",
                mb("bytes"),
                number("sums_rows")
            ),
        ),
        figure("ledger: forgetting 9.5 million calls", format!("{:.0} s", number("forget_s")), "–".into()),
    ])
}
