//! Recall, measured inside its own room by its example program, which prints one JSON object. LoCoMo is for
//! non-commercial use, so it stays outside the repository: `--data PATH` says where it is, and without it that part is
//! left out with a message.

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
        "recall",
        "--",
    ];
    if let Some(at) = options.iter().position(|option| option == "--data") {
        arguments.push(options.get(at + 1).context("--data needs the path of LoCoMo")?);
    }
    let output = place.cargo(&arguments).stderr(std::process::Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("the bench of memory ended with {}", output.status);
    }
    let report: Value = serde_json::from_slice(&output.stdout).context("the bench prints one JSON object")?;
    if let Some(reason) = report["no_locomo"].as_str() {
        say(&format!("LoCoMo is not measured: {reason}"));
    }
    let mut figures = Vec::new();
    for (part, about, goals) in
        [("held_out", "held-out", ["≥ 78", "≥ 76"]), ("tuning", "tuning", ["– (tuned on)", "– (tuned on)"])]
    {
        let of = &report["locomo"][part];
        let Some(questions) = of["ours"]["questions"].as_u64() else { continue };
        let conversations = of["conversations"].as_array().map_or(0, Vec::len);
        for (figure, key, goal) in
            [("turn hit@5", "turn_hit_5", goals[0]), ("session hit@1", "session_hit_1", goals[1])]
        {
            figures.push(Figure {
                what: format!(
                    "LoCoMo, {conversations} {about} conversations, {questions} questions: {figure}"
                ),
                ours: of["ours"][key].to_string(),
                baseline: format!("{} (plain FTS5)", of["plain"][key]),
                goal: goal.into(),
            });
        }
    }
    let made_up = &report["made_up"];
    let of = |key: &str| made_up[key].to_string();
    for (what, key, goal) in [
        (
            format!("made-up project, {} memories, {} questions: hit@5", of("memories"), of("questions")),
            "hit_5",
            "≥ 0.97",
        ),
        (
            format!("the same, {} prompts that ask for nothing known: told something", of("negatives")),
            "told_on_negatives",
            "0",
        ),
    ] {
        figures.push(Figure { what, ours: of(key), baseline: "–".into(), goal: goal.into() });
    }
    let speed = &report["speed"];
    for (what, key, goal) in [
        (
            "search among 10,000 memories, in process, each the quickest of three, p95",
            "search_p95_ms",
            "≤ 5 ms",
        ),
        ("capture among 10,000 memories, in process, p95", "capture_p95_ms", "≤ 5 ms"),
    ] {
        figures.push(Figure {
            what: what.into(),
            ours: format!("{} ms", speed[key]),
            baseline: "–".into(),
            goal: goal.into(),
        });
    }
    Ok(figures)
}
