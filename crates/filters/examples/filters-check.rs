//! Checks filter files and their cases without rebuilding the program, and accepts what their filters make of the
//! cases: `filters-check [--accept] [--show] <files or folders>…`.

#![expect(clippy::print_stdout, reason = "a tool for the terminal")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plimsoll_filters::{Filter, FilterSet, check};

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let mut inside: Vec<_> =
            std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        inside.sort();
        inside.iter().filter(|path| !path.ends_with("cases")).for_each(|path| collect(path, files));
    } else if path.extension().is_some_and(|extension| extension == "toml") {
        files.push(path.to_owned());
    }
}

fn main() -> ExitCode {
    let (options, paths): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|arg| arg.starts_with("--"));
    let accept = options.iter().any(|option| option == "--accept");
    let show = options.iter().any(|option| option == "--show");
    let mut files = Vec::new();
    paths.iter().for_each(|path| collect(Path::new(path), &mut files));
    let (mut before, mut after, mut bad) = (0, 0, 0);
    // All files of one folder are one layer, so that filters of one command are tried together.
    for file in &files {
        let folder = file.parent().unwrap_or(Path::new("."));
        let set = FilterSet::load(Some(folder), None, &[]);
        let shown = file.display().to_string();
        let parsed = std::fs::read_to_string(file)
            .map_err(|error| error.to_string())
            .and_then(|text| Filter::parse_whole(&text, &shown).map_err(|error| error.to_string()));
        let filter = match parsed {
            Ok(filter) => filter,
            Err(error) => {
                println!("FAIL {shown}\n  {error}");
                bad += 1;
                continue;
            }
        };
        let file_of = |name: &str| match std::fs::read(folder.join(name)) {
            Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            // An expected result that is about to be accepted may be missing.
            Err(_) if accept && name.ends_with(".out") => Ok(String::new()),
            Err(error) => Err(error.to_string()),
        };
        let outcomes = match check::cases(&set, &filter, &shown, &file_of) {
            Ok(outcomes) => outcomes,
            Err(error) => {
                println!("FAIL {shown}\n  {error}");
                bad += 1;
                continue;
            }
        };
        if filter.cases.len() < 2 {
            println!("NOTE {shown}: fewer than two cases");
        }
        for (case, outcome) in filter.cases.iter().zip(outcomes) {
            before += outcome.before;
            after += outcome.after;
            let mut wrong = outcome.wrong;
            if let (true, Some(name), Some(text)) = (accept, &case.output_file, &outcome.shown) {
                wrong.retain(|wrong| !wrong.starts_with("differs from"));
                if let Err(error) = std::fs::write(folder.join(name), text) {
                    wrong.push(error.to_string());
                }
            }
            let word = if wrong.is_empty() { "ok  " } else { "FAIL" };
            println!(
                "{word} {} / {}: {} -> {} bytes",
                outcome.filter, outcome.case, outcome.before, outcome.after
            );
            bad += usize::from(!wrong.is_empty());
            wrong.iter().for_each(|wrong| println!("  {}", wrong.replace('\n', "\n  ")));
            if show {
                println!("{}", outcome.shown.as_deref().unwrap_or("(left alone)"));
            }
        }
    }
    println!("{} files, {before} -> {after} bytes, {bad} wrong", files.len());
    if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
