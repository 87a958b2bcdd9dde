//! Programs that print the real ones' output: the captured cases of the built-in filters, behind small scripts with
//! the programs' names. They need no toolchain and no network, and each case has the facts that must survive.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use toml_edit::{DocumentMut, Item};

/// A captured run of a real tool.
#[derive(Debug, Clone)]
pub struct Case {
    /// The command line.
    pub command: String,
    /// Its exit code.
    pub exit: i32,
    /// What it printed.
    pub text: String,
    /// Facts that must survive.
    pub keep: Vec<String>,
}

/// A built-in filter's case: `case("cargo/cargo-test.toml", "four failures")`.
///
/// # Errors
/// If there is no such file or case.
pub fn case(file: &str, name: &str) -> Result<Case> {
    // Build output outlives clones: the folder is the one of this run, not of the last build.
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let path = Path::new(&here).join("../crates/filters/builtin").join(file);
    let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let document: DocumentMut = text.parse().with_context(|| format!("parsing {}", path.display()))?;
    let cases = document.get("case").and_then(Item::as_array_of_tables).context("no cases")?;
    let word = |table: &toml_edit::Table, key: &str| table.get(key).and_then(Item::as_str).map(str::to_owned);
    let Some(found) = cases.iter().find(|case| word(case, "name").as_deref() == Some(name)) else {
        bail!("{file} has no case {name:?}");
    };
    let input = word(found, "input_file").context("the case has no input file")?;
    let folder = path.parent().context("no folder")?;
    let keep = found.get("keep").and_then(Item::as_array).into_iter().flatten();
    Ok(Case {
        command: word(found, "command").context("the case has no command")?,
        exit: found
            .get("exit")
            .and_then(Item::as_integer)
            .and_then(|code| i32::try_from(code).ok())
            .unwrap_or(0),
        text: std::fs::read_to_string(folder.join(input))?,
        keep: keep.filter_map(|fact| fact.as_str().map(str::to_owned)).collect(),
    })
}

/// Creates a folder with a program for each case, which prints its text on each line's original stream and exits with its code.
/// `to_stderr` decides for a program and a line whether it goes to standard error.
///
/// # Errors
/// If the files can't be written.
pub fn programs(folder: &Path, cases: &[Case], to_stderr: impl Fn(&str, &str) -> bool) -> Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    for case in cases {
        let name = case.command.split_whitespace().next().context("an empty command")?;
        let mut script = String::from("#!/bin/sh\n");
        let mut parts: Vec<(bool, String)> = Vec::new();
        for line in case.text.split_inclusive('\n') {
            let err = to_stderr(name, line);
            match parts.last_mut() {
                Some((last, text)) if *last == err => text.push_str(line),
                _ => parts.push((err, line.to_owned())),
            }
        }
        for (number, (err, text)) in parts.iter().enumerate() {
            let file = folder.join(format!(".{name}-{number}.txt"));
            std::fs::write(&file, text)?;
            let stream = if *err { " >&2" } else { "" };
            script.push_str(&format!("cat '{}'{stream}\n", file.display()));
        }
        script.push_str(&format!("exit {}\n", case.exit));
        let program = folder.join(name);
        std::fs::write(&program, script)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(folder.to_owned())
}
