//! Runs checkers: `plimsoll code-worker check`. A separate process of low priority, one at a time for each project, that kills what
//! runs too long. It starts each checker with its fixed arguments; the caller has checked permission.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::checkers::Checker;
use super::kinds::Kind;
use super::parse::{Diagnostic, Severity, has_report, parse, plain};
use super::results;
use crate::index::{IndexLocation, worker_process};

/// The time limit for one checker.
const SECONDS: u64 = 600;
/// What a checker may take, in megabytes: compilers need more than who reads code.
const MEMORY_MB: u64 = 4_000;
/// How long a run waits for another one.
const TURN: Duration = Duration::from_secs(SECONDS);
/// The number of printed bytes that are read.
const MAX_PRINTED: usize = 64 * 1024 * 1024;
const MAX_COMPLAINT: usize = 64 * 1024;
/// What still prints after it ended isn't waited for.
const LAST_WORDS: Duration = Duration::from_secs(5);
const MAX_PROBLEM: usize = 300;

/// Runs the checkers `words`: kind, program, folder and settings of each.
///
/// # Errors
/// When the project doesn't exist, or another run takes too long.
pub(crate) fn run(folder: &str, words: &[String]) -> Result<Value, String> {
    let place = worker_process::place_for_programs(folder, MEMORY_MB)?;
    let checkers: Option<Vec<Checker>> = words
        .chunks(4)
        .map(|words| match words {
            [kind, program, folder, config] => Some(Checker {
                kind: Kind::by_name(kind)?,
                program: program.into(),
                folder: folder.into(),
                config: Some(config.clone()).filter(|config| !config.is_empty()),
            }),
            _ => None,
        })
        .collect();
    let checkers = checkers.filter(|checkers| checkers.iter().all(|one| one.folder.starts_with(&place.root)));
    let checkers =
        checkers.ok_or("usage: plimsoll code-worker check FOLDER [KIND PROGRAM FOLDER CONFIG]...")?;
    let lock = format!("check-{}", place.id);
    let _alone = home::lock(&place.home, &lock, TURN).map_err(|error| error.to_string())?;
    let beside = place.db.with_file_name("check");
    home::private_dir(&beside).map_err(|error| format!("{}: {error}", beside.display()))?;
    let mut keys = Vec::new();
    for checker in &checkers {
        keys.push(run_checker(&place, checker, Duration::from_secs(SECONDS))?);
    }
    Ok(json!({"runs": keys}))
}

/// Runs one, stores its results, and returns their key.
fn run_checker(place: &IndexLocation, checker: &Checker, limit: Duration) -> Result<String, String> {
    let inside =
        checker.folder.strip_prefix(&place.root).unwrap_or(Path::new("")).to_string_lossy().into_owned();
    let key = checker.key(&place.root);
    let (began, started_ms) = (Instant::now(), now_ms());
    let printed = read_output(place, checker, limit);
    let mut results = results::load(&place.db);
    // Results for a removed folder are dropped.
    results.runs.retain(|_, run| place.root.join(&run.folder).is_dir());
    let run = results.runs.entry(key.clone()).or_default();
    checker.kind.name().clone_into(&mut run.checker);
    run.short = checker.short();
    run.folder = inside;
    match printed.and_then(|printed| read(place, checker, &printed)) {
        Ok(diagnostics) => run.record(diagnostics, started_ms),
        Err(problem) => run.problem = Some(plain(&problem, MAX_PROBLEM)),
    }
    run.started_ms = started_ms;
    run.took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    results::save(&place.db, &results).map_err(|error| format!("{}: {error}", place.db.display()))?;
    Ok(key)
}

fn now_ms() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_millis()).unwrap_or(0)
}

/// What a program printed, and how it ended.
struct Printed {
    out: Vec<u8>,
    err: Vec<u8>,
    status: ExitStatus,
}

/// The diagnostics; an error where it failed and named none, because nothing found is something else.
fn read(place: &IndexLocation, checker: &Checker, printed: &Printed) -> Result<Vec<Diagnostic>, String> {
    let out = String::from_utf8_lossy(if complains(checker.kind) { &printed.err } else { &printed.out });
    let found = parse(checker.kind, &place.root, &checker.folder, checker.config.as_deref(), &out);
    // With most of them, 1 means that they found something; cargo fails with 101. A build script that fails has no
    // diagnostic of its own, whatever warnings came before, and half a report tells nothing about the other half. Neither
    // does an error about the settings alone.
    let answered = match checker.kind {
        Kind::Cargo | Kind::Tsc | Kind::Mypy => {
            let is_placed = |one: &Diagnostic| one.severity == Severity::Error && one.line > 0;
            printed.status.success() || found.iter().any(is_placed)
        }
        // What vet finds are warnings, and it fails for them.
        Kind::Go => printed.status.success() || !found.is_empty(),
        Kind::Eslint | Kind::Pyright | Kind::Ruff => has_report(checker.kind, &out),
    };
    // One that was killed, as for its memory, may have been in the middle.
    if printed.status.code().is_none() && !has_report(checker.kind, &out) {
        return Err(format!("{} was ended before it was done: {}", checker.short(), printed.status));
    }
    if answered {
        return Ok(found);
    }
    let err = String::from_utf8_lossy(&printed.err);
    let first = |text: &str| {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let all: Vec<&str> = lines.collect();
        all.iter().find(|line| line.contains("error")).or(all.last()).map(|line| (*line).to_owned())
    };
    // A part of a report isn't a reason.
    let is_report = |line: &&str| line.trim_start().starts_with(['{', '[', '}', ']', '"']);
    let words: Vec<&str> = out.lines().filter(|line| !is_report(line)).collect();
    let wording = first(&err).or_else(|| first(&words.join("\n")));
    Err(wording.unwrap_or_else(|| {
        format!("{} ended with {} and printed no reason", checker.short(), printed.status)
    }))
}

/// Whether it says what it finds on its error output.
fn complains(kind: Kind) -> bool {
    kind == Kind::Go
}

fn read_output(place: &IndexLocation, checker: &Checker, limit: Duration) -> Result<Printed, String> {
    let mut command = Command::new(&checker.program);
    command
        .args(checker.words(place))
        .current_dir(&checker.folder)
        // Wrappers of checkers fetch them, or look for newer ones, where nothing says otherwise.
        .env("CARGO_NET_OFFLINE", "true")
        .env("npm_config_offline", "true")
        // Without the second, modules that are called private are fetched all the same.
        .env("GOPROXY", "off")
        .env("GONOPROXY", "none")
        .env("GOTOOLCHAIN", "local")
        .env("PYRIGHT_PYTHON_IGNORE_WARNINGS", "1")
        // A plugin of mypy may be a file of the project.
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("NO_COLOR", "1")
        .env("CARGO_TERM_COLOR", "never")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command
        .spawn()
        .map_err(|error| format!("{} can't be started: {error}", checker.program.display()))?;
    let out = listen(child.stdout.take(), MAX_PRINTED);
    let err = listen(child.stderr.take(), if complains(checker.kind) { MAX_PRINTED } else { MAX_COMPLAINT });
    let end = Instant::now() + limit;
    let mut pause = Duration::from_millis(5);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < end => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(100));
            }
            Ok(None) => {
                end_all(&mut child);
                return Err(format!(
                    "{} took more than {} s and was ended",
                    checker.short(),
                    limit.as_secs()
                ));
            }
            Err(error) => return Err(format!("{} is lost: {error}", checker.short())),
        }
    };
    // Both have the same time.
    let end = Instant::now() + LAST_WORDS;
    Ok(Printed { out: out.until(end), err: err.until(end), status })
}

/// What a program prints, as far as it has come.
struct Listening {
    bytes: Arc<Mutex<Vec<u8>>>,
    /// Closed at the end of the output.
    ended: mpsc::Receiver<()>,
}

impl Listening {
    /// All that was printed until the output's end. Something that the program started may keep that open: then what was
    /// printed until `end`.
    fn until(self, end: Instant) -> Vec<u8> {
        let _ = self.ended.recv_timeout(end.saturating_duration_since(Instant::now()));
        self.bytes.lock().map(|mut bytes| std::mem::take(&mut *bytes)).unwrap_or_default()
    }
}

/// Reads to the end, beyond what it keeps, so that the writer never blocks.
fn listen<R: std::io::Read + Send + 'static>(from: Option<R>, most: usize) -> Listening {
    let (sender, ended) = mpsc::channel::<()>();
    let bytes = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&bytes);
    std::thread::spawn(move || {
        // It's dropped at the end.
        let _ended = sender;
        let Some(mut from) = from else { return };
        let mut part = vec![0; 64 * 1024];
        loop {
            let read = match from.read(&mut part) {
                Ok(0) => return,
                Ok(read) => read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(_) => return,
            };
            let Ok(mut kept) = kept.lock() else { return };
            let left = most.saturating_sub(kept.len()).min(read);
            kept.extend_from_slice(&part[..left]);
        }
    });
    Listening { bytes, ended }
}

/// Ends it with everything that it started.
pub(crate) fn end_all(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// The words for a worker that runs these.
pub(crate) fn words(checkers: &[Checker]) -> Option<Vec<String>> {
    let text = |path: &PathBuf| path.to_str().map(str::to_owned);
    let all: Option<Vec<[String; 4]>> = checkers
        .iter()
        .map(|one| {
            let config = one.config.clone().unwrap_or_default();
            Some([one.kind.name().to_owned(), text(&one.program)?, text(&one.folder)?, config])
        })
        .collect();
    Some(all?.into_iter().flatten().collect())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use home::{Home, Project};

    use super::super::results::Run;
    use super::*;

    /// A project with a checker of its own that does what `script` says.
    fn project(script: &str) -> (tempfile::TempDir, IndexLocation, Checker) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("p");
        let program = root.join("node_modules/.bin/tsc");
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let place = IndexLocation::new(&Home::at(dir.path().join("data")), &Project::at(&root).unwrap());
        home::private_dir(place.db.parent().unwrap()).unwrap();
        let checker = Checker { kind: Kind::Tsc, program, folder: root, config: None };
        (dir, place, checker)
    }

    fn ran(script: &str, limit: Duration) -> Run {
        ran_as(Kind::Tsc, script, limit)
    }

    fn ran_as(kind: Kind, script: &str, limit: Duration) -> Run {
        let (_dir, place, checker) = project(script);
        let checker = Checker { kind, ..checker };
        let key = run_checker(&place, &checker, limit).unwrap();
        assert_eq!(key, format!("{} ", kind.name()));
        results::load(&place.db).runs.remove(&key).unwrap()
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn checker_results_are_kept_and_a_failure_never_counts_as_clean() {
        let run = ran("echo \"src/a.ts(1,2): error TS1: bad\"; exit 2", LONG);
        assert_eq!((run.errors, run.problem), (1, None));
        let run = ran("exit 0", LONG);
        assert_eq!((run.errors, run.problem), (0, None));
        let run = ran("echo 'error TS5083: cannot read file' ; exit 1", LONG);
        assert_eq!(run.problem.as_deref(), Some("error TS5083: cannot read file"));
        // Beside others, what is wrong with the settings is one of them.
        let run = ran(
            "echo \"error TS2688: Cannot find type definition file for 'jest'.\"; echo \"src/a.ts(1,2): error TS1: bad\"; exit 2",
            LONG,
        );
        assert_eq!((run.errors, run.problem), (2, None));
        let run = ran("exit 3", LONG);
        assert!(run.problem.unwrap().contains("printed no reason"), "a code alone is a problem");
        // It's told to leave the project as it is, and where to keep what makes it quick.
        let run = ran("echo \"error $*\"; exit 1", LONG);
        assert!(run.problem.unwrap().contains("--noEmit --pretty false --incremental --tsBuildInfoFile "));
    }

    #[test]
    fn failures_and_truncated_reports_are_not_results() {
        let warning = r#"{"reason":"compiler-message","message":{"level":"warning","message":"unused","spans":[{"file_name":"src/a.rs","is_primary":true,"line_start":2,"column_start":9}]}}"#;
        let script = format!(
            "echo '{warning}'; echo 'error: failed to run custom build command for `x`' >&2; exit 101"
        );
        let run = ran_as(Kind::Cargo, &script, LONG);
        assert_eq!(run.problem.as_deref(), Some("error: failed to run custom build command for `x`"));
        let run = ran_as(Kind::Cargo, &format!("echo '{warning}'"), LONG);
        assert_eq!((run.warnings, run.problem), (1, None));
        for (kind, half, whole) in [
            (Kind::Ruff, "[{\"code\": \"F401\",", "[]"),
            (Kind::Pyright, "{\"generalDiagnostics\": [{", "{\"generalDiagnostics\": []}"),
            (Kind::Eslint, "[{\"filePath\": \"a.js\", \"messages\": [", "[]"),
        ] {
            for code in [0, 1] {
                let run = ran_as(kind, &format!("echo '{half}'; exit {code}"), LONG);
                assert!(run.problem.is_some_and(|problem| !problem.contains('{')), "{kind:?} {code}");
                let run = ran_as(kind, &format!("echo '{whole}'; exit {code}"), LONG);
                assert_eq!((run.errors, run.problem), (0, None), "{kind:?} {code}");
            }
        }
    }

    #[test]
    fn results_of_go_and_mypy_are_kept_and_failures_are_problems() {
        let run = ran_as(Kind::Go, "echo './a.go:3:2: undefined: x' >&2; exit 1", LONG);
        assert_eq!((run.errors, run.problem), (1, None));
        let found = "printf '# m\\n# [m]\\n./a.go:3:2: self-assignment of x\\n' >&2; exit 1";
        let run = ran_as(Kind::Go, found, LONG);
        assert_eq!((run.errors, run.warnings, run.problem), (0, 1, None));
        let run = ran_as(
            Kind::Go,
            "echo 'a.go:4:2: m@v1: module lookup disabled by GOPROXY=off' >&2; exit 1",
            LONG,
        );
        assert!(run.problem.unwrap().contains("disabled by GOPROXY=off"));
        // It's told to fetch nothing.
        let run = ran_as(Kind::Go, "echo \"error $GOPROXY $GONOPROXY $GOTOOLCHAIN $*\" >&2; exit 1", LONG);
        assert_eq!(run.problem.as_deref(), Some("error off none local vet -mod=readonly ./..."));
        let run = ran_as(Kind::Mypy, "echo 'a.py:1:1: error: no  [x]'; exit 1", LONG);
        assert_eq!((run.errors, run.problem), (1, None));
        let run = ran_as(Kind::Mypy, "echo \"mypy: error: $PYTHONDONTWRITEBYTECODE\" >&2; exit 2", LONG);
        assert_eq!(run.problem.as_deref(), Some("mypy: error: 1"));
        let run = ran_as(Kind::Eslint, "echo 'Oops! error in settings' >&2; exit 2", LONG);
        assert_eq!(run.problem.as_deref(), Some("Oops! error in settings"));
    }

    #[test]
    fn a_killed_checkers_partial_output_is_not_a_result() {
        let run = ran("echo \"src/a.ts(1,2): error TS1: bad\"; kill -9 $$", LONG);
        assert!(run.problem.unwrap().starts_with("tsc --noEmit was ended before it was done: signal: 9"));
        assert_eq!(run.errors, 0);
        let run = ran_as(Kind::Ruff, "echo '[]'; kill -9 $$", LONG);
        assert_eq!(run.problem, None, "its report is whole");
    }

    /// Compilers start servers that outlive them, with their output.
    #[test]
    fn printed_results_count_even_if_the_output_stays_open() {
        let run = ran("echo \"src/a.ts(1,2): error TS1: bad\"; sleep 7 & exit 2", LONG);
        assert_eq!((run.errors, run.problem), (1, None));
        let run = ran("echo \"src/a.ts(1,2): warning TS1: bad\"; sleep 7 & exit 0", LONG);
        assert_eq!((run.warnings, run.problem), (1, None), "and isn't nothing");
    }

    #[test]
    fn a_slow_checker_is_ended_with_its_children() {
        let (dir, place, checker) = project("sleep 300 & echo $! > ../pid; wait");
        run_checker(&place, &checker, Duration::from_millis(700)).unwrap();
        let run = results::load(&place.db).runs.remove("tsc ").unwrap();
        assert!(run.problem.unwrap().contains("was ended"));
        let pid: u32 = std::fs::read_to_string(dir.path().join("pid")).unwrap().trim().parse().unwrap();
        let end = Instant::now() + Duration::from_secs(20);
        let runs = || {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            !stat.is_empty() && !stat.contains(") Z ")
        };
        while runs() && Instant::now() < end {
            std::thread::yield_now();
        }
        assert!(!runs(), "what it started goes on");
    }
}
