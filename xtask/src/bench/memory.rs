//! Recall, measured inside its own crate by its example program, which prints one JSON object. LoCoMo is for
//! non-commercial use, so it stays outside the repository: `--data PATH` says where it is, and without it that part is
//! left out with a message. On the same data and in the same run the reference memory server is asked, where npm can install it, and basic-memory, where uv can.

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::Figure;
use crate::place::{Place, on_path};
use crate::steps::say;
use crate::tools;

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
    // Recall by meaning beside that by words, with a model that may not be redistributed either.
    if let Some(at) = options.iter().position(|option| option == "--vectors") {
        arguments.extend(["--vectors", options.get(at + 1).context("--vectors needs a model's folder")?]);
    }
    // Its speed alone, among so many memories.
    let rows = options.iter().position(|option| option == "--rows");
    if let Some(at) = rows {
        arguments.extend(["--rows", options.get(at + 1).context("--rows needs a number")?]);
    }
    let (mut script, mut basic_memory) = (None, None);
    if let Some(at) = options.iter().position(|option| option == "--data") {
        arguments.push(options.get(at + 1).context("--data needs the path of LoCoMo")?);
        match reference(place) {
            Ok(found) => script = Some(found),
            Err(error) => say(&format!("the reference memory server is not measured: {error:#}")),
        }
        match tools::basic_memory(place) {
            Ok(found) => basic_memory = Some(found),
            Err(error) => say(&format!("basic-memory is not measured: {error:#}")),
        }
    }
    if let Some(script) = &script {
        arguments.extend(["--reference", script.to_str().context("a path that is text")?]);
    }
    if let Some(program) = &basic_memory {
        arguments.extend(["--basic-memory", program.to_str().context("a path that is text")?]);
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
        if let Some(reason) = of["no_reference"].as_str() {
            say(&format!("the reference memory server is not measured: {reason}"));
        }
        if let Some(reason) = of["no_basic_memory"].as_str() {
            say(&format!("basic-memory is not measured: {reason}"));
        }
        let (beside, notes) = (&of["reference"], &of["basic_memory"]);
        let conversations = of["conversations"].as_array().map_or(0, Vec::len);
        for (figure, key, goal) in
            [("turn hit@5", "turn_hit_5", goals[0]), ("session hit@1", "session_hit_1", goals[1])]
        {
            let mut baseline = format!("{} (plain FTS5)", of["plain"][key]);
            if beside.is_object() && key == "session_hit_1" {
                let (whole, words) = (&beside["whole"][key], &beside["words"][key]);
                baseline += &format!(
                    "; reference memory server {whole} as asked, {} of {questions} without any answer, {words} with a call for \
                     each word",
                    beside["empty"]
                );
            }
            if notes.is_object() && key == "session_hit_1" {
                let (hit, empty) = (&notes["whole"][key], &notes["empty"]);
                baseline += &format!("; basic-memory {hit}, {empty} of {questions} without any answer");
            }
            figures.push(Figure {
                what: format!(
                    "LoCoMo, {conversations} {about} conversations, {questions} questions: {figure}"
                ),
                ours: of["ours"][key].to_string(),
                baseline,
                goal: goal.into(),
            });
            for way in ["hybrid", "vector"].into_iter().filter(|way| of[way].is_object()) {
                figures.push(Figure {
                    what: format!("the same in mode {way}: {figure}"),
                    ours: of[way][key].to_string(),
                    baseline: format!("{} (mode text)", of["ours"][key]),
                    goal: "–".into(),
                });
            }
        }
        for (peer, name) in [(beside, "reference memory server"), (notes, "basic-memory")] {
            if peer.is_object() {
                figures.push(Figure {
                    what: format!("a question to one of these {about} conversations, p95"),
                    ours: format!("{} ms, in process", of["ours"]["p95_ms"]),
                    baseline: format!("{} ms ({name}, over its pipes)", peer["p95_ms"]),
                    goal: "–".into(),
                });
            }
        }
    }
    if rows.is_none() {
        figures.extend(synthetic_figures(&report));
    }
    figures.extend(speed(&report["speed"]));
    Ok(figures)
}

/// Search results in a made-up project, and the answer when nothing is known.
fn synthetic_figures(report: &Value) -> Vec<Figure> {
    let mut figures = Vec::new();
    let made_up = &report["made_up"]["ours"];
    let of = |key: &str| made_up[key].to_string();
    figures.push(Figure {
        what: format!("made-up project, {} memories, {} questions: hit@5", of("memories"), of("questions")),
        ours: of("hit_5"),
        baseline: "–".into(),
        goal: "≥ 0.97".into(),
    });
    figures.extend(unasked_figures(&report["made_up"]["unasked"]));
    for way in ["hybrid", "vector"].into_iter().filter(|way| report["made_up"][way].is_object()) {
        let (of, text) = (&report["made_up"][way], made_up);
        figures.push(Figure {
            what: format!(
                "made-up project in mode {way}: hit@5; prompts that ask for nothing known and find something"
            ),
            ours: format!("{}; {}", of["hit_5"], of["answered_on_negatives"]),
            baseline: format!("{}; {} (mode text)", text["hit_5"], text["answered_on_negatives"]),
            goal: "–".into(),
        });
    }
    figures
}

/// The text that an agent gets unasked, by the hook's own rule.
fn unasked_figures(unasked: &Value) -> Vec<Figure> {
    let session = &unasked["session"];
    let rows = [
        (
            format!("the same, {} prompts that ask for nothing known: told something", unasked["negatives"]),
            unasked["told_on_negatives"].to_string(),
            "0",
        ),
        (
            format!("the same, {} prompts that ask for something known: not told it", unasked["prompts"]),
            unasked["left_out"].to_string(),
            "–",
        ),
        (
            format!(
                "a session's start and {} prompts that ask for something known: tokens of all that's told unasked, a token as \
                 three bytes; texts with a reason",
                session["prompts"]
            ),
            format!("{}; {} of {}", session["tokens"], session["with_reason"], session["texts"]),
            "≤ 1,500; all",
        ),
    ];
    rows.into_iter()
        .map(|(what, ours, goal)| Figure { what, ours, baseline: "–".into(), goal: goal.into() })
        .collect()
}

/// How long a search and a capture take.
fn speed(speed: &Value) -> Vec<Figure> {
    let mut figures = Vec::new();
    let memories = speed["memories"].as_u64().unwrap_or(0);
    let among = format!("among {},{:03} memories", memories / 1_000, memories % 1_000);
    let among = if memories < 1_000_000 {
        among
    } else {
        format!("among {} million memories", memories as f64 / 1e6)
    };
    if !speed["hybrid_p95_ms"].is_null() {
        figures.push(Figure {
            what: format!("search by words and meaning {among}, in process, p95"),
            ours: format!("{} ms", speed["hybrid_p95_ms"]),
            baseline: format!("{} ms (mode text)", speed["search_p95_ms"]),
            goal: "–".into(),
        });
    }
    let (search, capture) =
        if memories > 100_000 { ("≤ 25 ms", "≤ 5 ms") } else { ("≤ 5 ms", "≤ 5 ms") };
    for (what, key, goal) in [
        (format!("search {among}, in process, each the quickest of three, p95"), "search_p95_ms", search),
        (format!("capture {among}, in process, p95"), "capture_p95_ms", capture),
    ] {
        figures.push(Figure {
            what,
            ours: format!("{} ms", speed[key]),
            baseline: "–".into(),
            goal: goal.into(),
        });
    }
    figures.push(Figure {
        what: format!("filling it, all together; size of the database ({among})"),
        ours: format!("{} s; {} MB", speed["filled_s"], speed["mb"]),
        baseline: "–".into(),
        goal: "–".into(),
    });
    figures
}

/// The script of the reference memory server, installed where it isn't yet.
fn reference(place: &Place) -> Result<std::path::PathBuf> {
    let folder = tools::npm(place, "reference-memory", &["@modelcontextprotocol/server-memory@2026.8.31"])?;
    let script = folder.join("node_modules/@modelcontextprotocol/server-memory/dist/index.js");
    if on_path("node").is_none() {
        bail!("node was not found; install Node.js");
    }
    if !script.is_file() {
        bail!("{} is not there", script.display());
    }
    Ok(script)
}
