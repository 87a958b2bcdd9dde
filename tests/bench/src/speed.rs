//! `speed`: how long every built-in filter takes for 1 MB, made of its largest captured output again and again.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use serde_json::json;

use crate::ours::median;
use crate::scenario::{self, Captured};
use crate::table::markdown;
use crate::{Options, Report};

/// Bytes that every filter gets.
const SIZE: usize = 1_000_000;
/// How often each is run.
const TIMES: usize = 7;

/// One filter's time.
#[derive(Debug)]
struct Timed {
    filter: String,
    ms: f64,
}

pub(crate) fn measure(options: &Options) -> Result<Report> {
    let set = scenario::filter_set();
    let folder = options.clone.join("crates/filters/builtin");
    let mut families: BTreeMap<String, Vec<Timed>> = BTreeMap::new();
    for family in sorted(&folder)? {
        let name = family.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for file in sorted(&family)? {
            let filter = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if file.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            if options.only.as_ref().is_some_and(|only| !filter.contains(only.as_str())) {
                continue;
            }
            let Some((command, exit, raw)) = largest(&options.clone, &file)? else { continue };
            let output = repeated(&raw);
            let time = || {
                let started = Instant::now();
                std::hint::black_box(filters::shorten(&set, &command, exit, &output));
                started.elapsed().as_secs_f64() * 1000.0
            };
            let mut times: Vec<f64> = (0..TIMES).map(|_| time()).collect();
            families.entry(name.clone()).or_default().push(Timed { filter, ms: median(&mut times) });
        }
    }
    Ok(Report { text: shown(options, families)?, ..Report::default() })
}

fn shown(options: &Options, mut families: BTreeMap<String, Vec<Timed>>) -> Result<String> {
    families.values_mut().for_each(|filters| filters.sort_by(|a, b| b.ms.total_cmp(&a.ms)));
    let of = |filters: &[Timed]| median(&mut filters.iter().map(|timed| timed.ms).collect::<Vec<_>>());
    let all: Vec<f64> = families.values().flatten().map(|timed| timed.ms).collect();
    if options.json {
        let families: BTreeMap<&String, BTreeMap<&String, f64>> = families
            .iter()
            .map(|(name, filters)| (name, filters.iter().map(|timed| (&timed.filter, timed.ms)).collect()))
            .collect();
        return Ok(serde_json::to_string_pretty(
            &json!({"bytes": SIZE, "p50_ms": median(&mut all.clone()), "families": families}),
        )?);
    }
    let rows: Vec<Vec<String>> = families
        .iter()
        .map(|(name, filters)| {
            let slow: Vec<String> =
                filters.iter().take(4).map(|timed| format!("{} {:.1}", timed.filter, timed.ms)).collect();
            vec![name.clone(), filters.len().to_string(), format!("{:.1}", of(filters)), slow.join(", ")]
        })
        .collect();
    Ok(format!(
        "### Filters over 1 MB, milliseconds\n\n{}\np50 over all {} filters: {:.1} ms (goal ≤ 5 ms)\n",
        markdown(&["family", "filters", "p50", "slowest"], &rows),
        all.len(),
        median(&mut all.clone())
    ))
}

fn sorted(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// The largest captured output of a filter, with its command and exit code.
fn largest(clone: &Path, file: &Path) -> Result<Option<(String, Option<i32>, String)>> {
    let relative = file.strip_prefix(clone).unwrap_or(file).to_string_lossy().into_owned();
    let mut found: Option<(String, Option<i32>, String)> = None;
    for name in scenario::case_names(file)? {
        let captured = Captured { filter: relative.clone(), name };
        let (case, raw) = scenario::captured_case(clone, &captured)?;
        if found.as_ref().is_none_or(|(_, _, known)| known.len() < raw.len()) {
            found = Some((case.command, case.exit, raw));
        }
    }
    Ok(found)
}

fn repeated(raw: &str) -> String {
    let mut out = String::with_capacity(SIZE + raw.len());
    while !raw.is_empty() && out.len() < SIZE {
        out.push_str(raw);
        if !raw.ends_with('\n') {
            out.push('\n');
        }
    }
    out
}
