//! Windows: everything is built, and what needs no agent and nothing that wine lacks is run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail, ensure};

use super::toolchain::{Toolchain, logged};
use super::wine::Wine;
use super::{Line, size, smoke};
use crate::place::{Place, SHIPPED};
use crate::steps::{Steps, say};

pub(crate) const TARGET: &str = "x86_64-pc-windows-gnu";

/// Packages whose tests are run, by the name of their folder.
const TESTED: &[&str] = &[
    "contract",
    "home",
    "text",
    "shell",
    "rules",
    "edits",
    "sandbox",
    "ranking",
    "knowledge",
    "agents",
    "sessions",
    "system",
    "memory",
    "hooks",
    "service",
    "plimsoll",
];

/// Tests that aren't run under wine: package folder, test program, test (empty: all of them).
const NOT_UNDER_WINE: &[(&str, &str, &str)] = &[
    // They talk to shells and send signals.
    ("plimsoll", "cli", ""),
    ("plimsoll", "mcp", ""),
    // Wine has no Git Bash, and its PowerShell does nothing.
    ("sandbox", "sandbox", "languages::powershell"),
    ("sandbox", "sandbox", "runs::an_exit_of_one_with_output_is_an_answer_in_the_shell"),
    ("sandbox", "sandbox", "runs::both_streams_are_kept_apart_and_in_order"),
    ("sandbox", "sandbox", "runs::code_is_not_injected_and_credentials_pass"),
    ("sandbox", "sandbox", "runs::the_working_folder_is_the_projects_and_temp_is_the_runs_own"),
];

pub(crate) fn all(
    place: &Place,
    toolchain: &Toolchain,
    yes: bool,
    release: bool,
    steps: &mut Steps,
    table: &mut Vec<Line>,
) -> Result<()> {
    let wine = Wine::prepare(place, toolchain, yes)?;
    let mut programs = None;
    steps.step("Windows: build the sidecar, all crates and their tests", || {
        let built = build(place, toolchain)?;
        let exe = toolchain.output(TARGET, false).join("plimsoll.exe");
        table.push(Line::new("Windows, plimsoll.exe (debug)", size(&exe)?));
        table.push(Line::new("Windows, crates built with tests", packages(&built).to_string()));
        programs = Some(built);
        Ok(())
    });
    if release {
        steps.step("Windows: build the sidecar as it ships", || {
            let mut build = cargo(place, toolchain, "build");
            build.args(["--profile", SHIPPED, "--package", "plimsoll"]);
            logged(&mut build, &toolchain.folder("logs")?.join("windows-shipped.txt"))?;
            let exe = toolchain.output(TARGET, true).join("plimsoll.exe");
            table.push(Line::new("Windows, plimsoll.exe (as it ships)", size(&exe)?));
            Ok(())
        });
    }
    let Some(programs) = programs else {
        table.push(Line::new("Windows", "does not build; nothing was run"));
        return Ok(());
    };
    steps.step("Windows: the sidecar under wine", || {
        smoke::all(
            &wine,
            &toolchain.output(TARGET, release).join("plimsoll.exe"),
            &toolchain.folder("smoke")?,
            table,
        )
    });
    steps.step("Windows: tests under wine", || tests(place, toolchain, &wine, &programs, table));
    Ok(())
}

/// A cargo command that builds for Windows.
pub(crate) fn cargo(place: &Place, toolchain: &Toolchain, command: &str) -> std::process::Command {
    let mut cargo = place.cargo(&[command]);
    toolchain.apply(&mut cargo, TARGET);
    cargo.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", "x86_64-w64-mingw32-gcc");
    cargo
}

/// A program with tests.
struct TestProgram {
    /// Folder of its package, in the clone.
    package: PathBuf,
    exe: PathBuf,
}

impl TestProgram {
    fn package_name(&self) -> String {
        self.package.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The name of the program without cargo's hash.
    fn name(&self) -> String {
        let stem = self.exe.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        stem.rsplit_once('-').map_or(stem.clone(), |(name, _hash)| name.to_owned())
    }
}

/// Builds everything in one go, so that nothing is built twice; returns the programs with tests.
fn build(place: &Place, toolchain: &Toolchain) -> Result<Vec<TestProgram>> {
    let mut build = cargo(place, toolchain, "build");
    build.args(["--workspace", "--lib", "--bins", "--tests", "--message-format=json-render-diagnostics"]);
    // Progress and errors of the build appear on standard error, as always.
    let output = build.stdout(Stdio::piped()).stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "the build ended with {}", output.status);
    let mut programs = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        // Of the profile, which `features` follows; the target says it of everything that has tests.
        if !line.contains("\"test\":true},\"features\"") {
            continue;
        }
        if let (Some(manifest), Some(exe)) = (field(line, "manifest_path"), field(line, "executable")) {
            let package = Path::new(manifest).parent().context("a manifest is in a folder")?.to_owned();
            programs.push(TestProgram { package, exe: exe.into() });
        }
    }
    programs.sort_by(|a, b| (&a.package, &a.exe).cmp(&(&b.package, &b.exe)));
    ensure!(!programs.is_empty(), "cargo named no program with tests");
    Ok(programs)
}

/// A text of one of cargo's JSON lines. Its paths contain nothing that JSON escapes on the systems that build.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let start = line.find(&format!("\"{name}\":\""))? + name.len() + 4;
    line.get(start..)?.split('"').next()
}

fn packages(programs: &[TestProgram]) -> usize {
    programs.iter().map(|program| &program.package).collect::<std::collections::BTreeSet<_>>().len()
}

#[derive(Default)]
struct Count {
    passed: u32,
    failed: Vec<String>,
    ignored: u32,
    skipped: u32,
}

fn tests(
    place: &Place,
    toolchain: &Toolchain,
    wine: &Wine,
    programs: &[TestProgram],
    table: &mut Vec<Line>,
) -> Result<()> {
    let logs = toolchain.folder("logs")?;
    wine.tidy()?;
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for program in programs.iter().filter(|program| TESTED.contains(&program.package_name().as_str())) {
        let (package, name) = (program.package_name(), program.name());
        let not: Vec<&str> = NOT_UNDER_WINE
            .iter()
            .filter(|(folder, program, _)| *folder == package && *program == name)
            .map(|(_, _, test)| *test)
            .collect();
        if not.contains(&"") {
            continue;
        }
        let mut command = wine.command(&program.exe);
        // Snapshots are looked for in the clone; asking cargo for it would not work in there.
        command
            .env("INSTA_WORKSPACE_ROOT", &place.repo)
            .env("INSTA_UPDATE", "no")
            .env("INSTA_FORCE_PASS", "0");
        // Files are slow under wine, and the laws are tried in full in the tests outside wine.
        command.env("PROPTEST_CASES", "32");
        // Some tests read files of the repository; cargo would have passed its path.
        command.env("CARGO_MANIFEST_DIR", &program.package);
        command.env("RUST_BACKTRACE", "0").current_dir(&program.package);
        for test in not {
            command.args(["--skip", test]);
        }
        let log = logs.join(format!("wine-{package}-{name}.txt"));
        let ended = logged(&mut command, &log);
        let text = String::from_utf8_lossy(&std::fs::read(&log)?).into_owned();
        let count = counts.entry(package.clone()).or_default();
        if read_result(&text, count).is_none() {
            // It died before it could say what passed.
            count.failed.push(format!(
                "{}: {:#}",
                program.name(),
                ended.err().unwrap_or_else(|| anyhow::anyhow!("no result"))
            ));
        }
    }
    let mut failed = 0;
    for (package, count) in counts {
        let mut result = format!("{} passed", count.passed);
        for (number, what) in [
            (count.failed.len(), "failed"),
            (count.ignored as usize, "ignored"),
            (count.skipped as usize, "that wine cannot run"),
        ] {
            if number > 0 {
                result.push_str(&format!(", {number} {what}"));
            }
        }
        for name in &count.failed {
            say(&format!("   failed: {package} {name}"));
        }
        failed += count.failed.len();
        table.push(Line::new(format!("wine, tests of {package}"), result));
    }
    if failed > 0 {
        bail!("{failed} tests failed; what they printed is in {}", logs.display());
    }
    Ok(())
}

/// Adds what a program with tests printed at its end; None when it printed no end.
fn read_result(text: &str, count: &mut Count) -> Option<()> {
    let end = text.lines().rev().find(|line| line.starts_with("test result: "))?;
    let number = |what: &str| -> u32 {
        end.split([';', '.'])
            .find_map(|part| part.trim().strip_suffix(what)?.trim().parse().ok())
            .unwrap_or_default()
    };
    count.passed += number("passed");
    count.ignored += number("ignored");
    count.skipped += number("filtered out");
    let names = text.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
    count.failed.extend(names.map(str::to_owned));
    Some(())
}
