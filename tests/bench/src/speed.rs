//! `speed`: how long every built-in filter takes for 1 MB, made of its largest captured output again and again; and for
//! that output as it was captured, as the first one of a process, which is what a hook pays.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};
use filters::FilterSet;
use serde_json::json;

use crate::ours::median;
use crate::scenario::{self, Captured};
use crate::table::markdown;
use crate::{Options, Report};

/// Bytes that every filter gets.
const SIZE: usize = 1_000_000;
/// How often each is run.
const TIMES: usize = 7;
/// Processes that each see one output.
const PROCESSES: usize = 5;

/// One filter's time.
#[derive(Debug)]
struct FilterTime {
    filter: String,
    ms: f64,
    /// For the output as captured, as the first one of a process.
    first_ms: f64,
    /// Its size.
    bytes: usize,
}

pub(crate) fn measure(options: &Options) -> Result<Report> {
    let set = scenario::filter_set();
    let folder = options.clone.join("crates/filters/builtin");
    let mut families: BTreeMap<String, Vec<FilterTime>> = BTreeMap::new();
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
            let first_ms = time_in_fresh_processes(&options.clone, &relative(&options.clone, &file))?;
            let timed = FilterTime { filter, ms: median(&mut times), first_ms, bytes: raw.len() };
            families.entry(name.clone()).or_default().push(timed);
        }
    }
    Ok(Report { text: table(options, families)?, ..Report::default() })
}

fn table(options: &Options, mut families: BTreeMap<String, Vec<FilterTime>>) -> Result<String> {
    families.values_mut().for_each(|filters| filters.sort_by(|a, b| b.ms.total_cmp(&a.ms)));
    let of = |filters: &[FilterTime]| median(&mut filters.iter().map(|timed| timed.ms).collect::<Vec<_>>());
    let all: Vec<f64> = families.values().flatten().map(|timed| timed.ms).collect();
    let each = |of: &dyn Fn(&FilterTime) -> f64| {
        median(&mut families.values().flatten().map(of).collect::<Vec<_>>())
    };
    let (first, size) = (each(&|timed| timed.first_ms), each(&|timed| timed.bytes as f64));
    if options.json {
        let families: BTreeMap<&String, BTreeMap<&String, f64>> = families
            .iter()
            .map(|(name, filters)| (name, filters.iter().map(|timed| (&timed.filter, timed.ms)).collect()))
            .collect();
        return Ok(serde_json::to_string_pretty(
            &json!({"bytes": SIZE, "p50_ms": median(&mut all.clone()), "first_p50_ms": first, "families": families}),
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
        "### Filters over 1 MB, milliseconds\n\n{}\np50 over all {} filters: {:.1} ms (goal ≤ 5 ms)\n\
         the first output of a process, as captured (median {:.1} KB): p50 {first:.1} ms\n",
        markdown(&["family", "filters", "p50", "slowest"], &rows),
        all.len(),
        median(&mut all.clone()),
        size / 1000.0
    ))
}

/// The median of a few processes that each shorten one output, a new process each time.
fn time_in_fresh_processes(clone: &Path, filter: &str) -> Result<f64> {
    let once = || -> Result<f64> {
        let output = Command::new(std::env::current_exe()?)
            .args(["first", "--only", filter])
            .current_dir(clone)
            .output()?;
        let printed = String::from_utf8_lossy(&output.stdout);
        printed
            .trim()
            .parse()
            .with_context(|| format!("{filter}: {printed}{}", String::from_utf8_lossy(&output.stderr)))
    };
    let mut times = (0..PROCESSES).map(|_| once()).collect::<Result<Vec<_>>>()?;
    Ok(median(&mut times))
}

/// Shortens the largest captured output of the filter file `--only` once, and says how many milliseconds that took.
pub(crate) fn first(options: &Options) -> Result<Report> {
    let file = options.clone.join(options.only.as_deref().context("first wants --only FILE")?);
    let (command, exit, raw) = largest(&options.clone, &file)?.context("the filter has no cases")?;
    let started = Instant::now();
    let set = FilterSet::builtin();
    std::hint::black_box(filters::shorten(&set, &command, exit, &raw));
    Ok(Report { text: (started.elapsed().as_secs_f64() * 1000.0).to_string(), ..Report::default() })
}

fn relative(clone: &Path, file: &Path) -> String {
    file.strip_prefix(clone).unwrap_or(file).to_string_lossy().into_owned()
}

fn sorted(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// The largest captured output of a filter, with its command and exit code.
fn largest(clone: &Path, file: &Path) -> Result<Option<(String, Option<i32>, String)>> {
    let relative = relative(clone, file);
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
