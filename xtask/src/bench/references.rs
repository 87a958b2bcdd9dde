//! `cargo xtask bench references [--only NAME] [--sample N] [--misses]`: the uses that the index finds, compared with
//! those of the language servers, on published packages. A definition's uses are places (file, line, column); those
//! that both name are right, those that only the index names are wrong, those that only the server names are missing.

mod debian;
mod lsp;
mod packages;
mod truth;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use lsp::Position;
use packages::Package;
use serde_json::{Value, json};

use crate::place::Place;
use crate::steps::{go, say};

/// Counts at one confidence or higher.
#[derive(Default, Clone, Copy)]
struct Count {
    right: u64,
    wrong: u64,
    missing: u64,
}

impl Count {
    fn add(&mut self, ours: &HashSet<Position>, truth: &HashSet<Position>) {
        self.right += ours.intersection(truth).count() as u64;
        self.wrong += ours.difference(truth).count() as u64;
        self.missing += truth.difference(ours).count() as u64;
    }

    fn precision(&self) -> f64 {
        self.right as f64 / ((self.right + self.wrong) as f64).max(1.0)
    }

    fn recall(&self) -> f64 {
        self.right as f64 / ((self.right + self.missing) as f64).max(1.0)
    }
}

/// The counts of one kind of definitions.
#[derive(Default, Clone, Copy)]
struct Part {
    definitions: u64,
    resolved: Count,
    in_scope: Count,
}

/// One repository's result: of its fields, and of all other definitions. Fields are apart because a field's uses mostly
/// have no written type near them, and some repositories have more fields than anything else.
struct Row {
    package: Package,
    server: String,
    files: u64,
    p95_ms: f64,
    fields: Part,
    others: Part,
}

pub(super) fn measure(place: &Place, options: &[String], json: bool) -> Result<()> {
    let option = |name: &str| options.iter().position(|o| o == name).and_then(|at| options.get(at + 1));
    let sample = option("--sample").map_or("400", String::as_str);
    let misses = options.iter().any(|o| o == "--misses");
    let cache = place.cache.join("references-bench");
    std::fs::create_dir_all(&cache)?;
    go(&mut place.cargo(&[
        "build",
        "--quiet",
        "--release",
        "--locked",
        "--package",
        "plimsoll-code",
        "--example",
        "uses",
    ]))?;
    let mut rows = Vec::new();
    for package in packages::list()? {
        if option("--only").is_some_and(|only| *only != package.name && *only != package.language().1) {
            continue;
        }
        let name = format!("{} {}", package.name, package.version);
        match compare(place, package, &cache, sample, misses) {
            Ok(row) => rows.push(row),
            Err(error) => say(&format!("{name} is left out: {error:#}")),
        }
    }
    if json {
        let rows: Vec<Value> = rows.iter().map(as_json).collect();
        say(&serde_json::to_string_pretty(&rows)?);
    } else if !rows.is_empty() {
        table(&rows);
    }
    Ok(())
}

fn compare(
    place: &Place,
    package: Package,
    cache: &std::path::Path,
    sample: &str,
    misses: bool,
) -> Result<Row> {
    let root = package.sources(cache)?;
    let program =
        place.target().join("release/examples").join(format!("uses{}", std::env::consts::EXE_SUFFIX));
    let output = std::process::Command::new(program)
        .arg("--root")
        .arg(&root)
        .args(["--sample", sample])
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        bail!("the index's side ended with {}", output.status);
    }
    let ours: Value = serde_json::from_slice(&output.stdout)?;
    let definitions: Vec<&Value> = ours.get("uses").and_then(Value::as_array).into_iter().flatten().collect();
    let (server, truths) = truth::of(place, &package, &root, &definitions)?;
    let mut row = Row {
        package,
        server,
        files: ours.get("files").and_then(Value::as_u64).unwrap_or(0),
        p95_ms: ours.get("p95_ms").and_then(Value::as_f64).unwrap_or(0.0),
        fields: Part::default(),
        others: Part::default(),
    };
    let mut texts = Texts { root, files: BTreeMap::new() };
    for (found, truth) in definitions.into_iter().zip(truths) {
        // A definition that can't be asked about isn't counted.
        let Some(truth) = truth else { continue };
        let text = |key: &str| found.get(key).and_then(Value::as_str).unwrap_or_default();
        let line = found.get("line").and_then(Value::as_u64).context("a definition has a line")?;
        // A constructor's uses are its type's, and those of a trait's implementations are the trait's, wherever that
        // is.
        if text("name") == "constructor" || found.get("fulfils") == Some(&Value::Bool(true)) {
            continue;
        }
        // Other definitions of the name (an overload, an override) aren't uses.
        let defined: BTreeSet<(String, u64)> = pairs(found.get("definitions")).collect();
        let mut counts = |spot: &Position| {
            !defined.contains(&(spot.0.clone(), spot.1)) && texts.has_name_at(spot, text("name"))
        };
        let truth: HashSet<Position> = truth.into_iter().filter(&mut counts).collect();
        let surest: HashSet<Position> = positions(found.get("resolved")).filter(&mut counts).collect();
        let both: HashSet<Position> =
            surest.iter().cloned().chain(positions(found.get("in_scope")).filter(&mut counts)).collect();
        let part = if text("kind") == "field" { &mut row.fields } else { &mut row.others };
        part.definitions += 1;
        part.resolved.add(&surest, &truth);
        part.in_scope.add(&both, &truth);
        if misses {
            let head = format!("{}.{} ({}:{line})", text("container"), text("name"), text("path"));
            let told = |what: &str, these: Vec<&Position>| {
                let mut by_file: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
                these.iter().for_each(|(path, line, _)| by_file.entry(path).or_default().push(*line));
                for (path, lines) in &mut by_file {
                    lines.sort_unstable();
                    say(&format!("{what} {head}: {path} {lines:?}"));
                }
            };
            told("wrong  ", surest.difference(&truth).collect());
            told("missing", truth.difference(&surest).collect());
        }
    }
    Ok(row)
}

/// The files of a project, each read once.
struct Texts {
    root: PathBuf,
    files: BTreeMap<String, Vec<String>>,
}

impl Texts {
    /// Whether the name itself is written at a place of the project's code: not another name that it is imported by, and
    /// not a comment, whose links some servers count.
    fn has_name_at(&mut self, (path, line, column): &Position, name: &str) -> bool {
        let lines = self.files.entry(path.clone()).or_insert_with(|| {
            let text = std::fs::read_to_string(self.root.join(path)).unwrap_or_default();
            text.lines().map(str::to_owned).collect()
        });
        let (Ok(line), Ok(column)) = (usize::try_from(*line), usize::try_from(*column)) else { return false };
        let Some(line) = lines.get(line.saturating_sub(1)) else { return false };
        let comment = ["*", "//", "/*"].iter().any(|mark| line.trim_start().starts_with(mark));
        !comment && line.get(column.saturating_sub(1)..).is_some_and(|rest| rest.starts_with(name))
    }
}

fn positions(list: Option<&Value>) -> impl Iterator<Item = Position> + '_ {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(|spot| {
        Some((spot.get(0)?.as_str()?.to_owned(), spot.get(1)?.as_u64()?, spot.get(2)?.as_u64()?))
    })
}

fn pairs(list: Option<&Value>) -> impl Iterator<Item = (String, u64)> + '_ {
    let places = list.and_then(Value::as_array).into_iter().flatten();
    places.filter_map(|place| Some((place.get(0)?.as_str()?.to_owned(), place.get(1)?.as_u64()?)))
}

fn as_json(row: &Row) -> Value {
    let count = |c: &Count| json!({"right": c.right, "wrong": c.wrong, "missing": c.missing, "precision": c.precision(), "recall": c.recall()});
    let part = |p: &Part| json!({"definitions": p.definitions, "resolved": count(&p.resolved), "in_scope": count(&p.in_scope)});
    json!({
        "package": row.package.name, "version": row.package.version, "language": row.package.language().0,
        "developed_on": row.package.developed_on, "server": row.server, "files": row.files, "p95_ms": row.p95_ms,
        "others": part(&row.others), "fields": part(&row.fields),
    })
}

fn table(rows: &[Row]) {
    one_table("functions, methods, types, variables", rows, |row| &row.others);
    one_table("fields", rows, |row| &row.fields);
}

fn one_table(what: &str, rows: &[Row], part: impl Fn(&Row) -> &Part) {
    say(&format!(
        "\n| {what} | against | definitions | uses | precision, recall (resolved) | with those in scope | p95 of all names |\n|---|---|---|---|---|---|---|"
    ));
    let line = |name: &str, against: &str, Part { definitions, resolved, in_scope }: &Part, p95: &str| {
        say(&format!(
            "| {name} | {against} | {definitions} | {} | {:.3}, {:.3} | {:.3}, {:.3} | {p95} |",
            resolved.right + resolved.missing,
            resolved.precision(),
            resolved.recall(),
            in_scope.precision(),
            in_scope.recall()
        ));
    };
    let mut sums: BTreeMap<(&str, bool), Part> = BTreeMap::new();
    for row in rows {
        let name = format!(
            "{} {} ({} files{})",
            row.package.name,
            row.package.version,
            row.files,
            if row.package.developed_on { "" } else { ", kept blind" }
        );
        let part = part(row);
        line(&name, &row.server, part, &format!("{:.0} ms", row.p95_ms));
        let sum = sums.entry((row.package.language().0, row.package.developed_on)).or_default();
        sum.definitions += part.definitions;
        for (sum, count) in [(&mut sum.resolved, part.resolved), (&mut sum.in_scope, part.in_scope)] {
            sum.right += count.right;
            sum.wrong += count.wrong;
            sum.missing += count.missing;
        }
    }
    for ((language, developed_on), sum) in sums {
        let name = format!("**{language}**, {}", if developed_on { "developed on" } else { "kept blind" });
        line(&name, "", &sum, "");
    }
}
