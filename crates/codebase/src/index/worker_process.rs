//! The worker: a separate process of low priority that exits when its task is done. Only the worker loads grammars and writes, one at
//! a time for each project. It answers with one line of JSON.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use code::refs;
use code::search::Reader;
use code::{Options, Report, Store};
use home::{Env, Home, Project, Settings};
use serde_json::{Value, json};

use super::IndexLocation;
use super::location::remove;

/// How long a worker waits for another one.
const TURN: Duration = Duration::from_secs(60);
/// The minimum interval between progress reports.
const TELLING: Duration = Duration::from_millis(100);
/// The default memory limit in megabytes …
pub(crate) const MEMORY_MB: u64 = 1_536;
/// … and what it needs to do anything.
pub(crate) const LEAST_MEMORY_MB: u64 = 64;
/// The niceness: below interactive programs.
#[cfg(unix)]
const NICE: i32 = 10;

const USAGE: &str =
    "usage: plimsoll code-worker update|again|fresh FOLDER, or code-worker only FOLDER PATH..., code-worker references|callers|callees|implementations FOLDER NAME, code-worker history FOLDER, code-worker review FOLDER [BASE], code-worker check FOLDER [KIND PROGRAM FOLDER]..., or code-worker serve FOLDER KIND PROGRAM
Plimsoll starts this by itself; `plimsoll code reindex` is for people.";

/// Runs with the words behind `plimsoll code-worker`.
#[must_use]
pub(crate) fn run(words: &[String]) -> ExitCode {
    lower_priority();
    print_result(dispatch(words))
}

/// Prints the result.
pub(crate) fn print_result(answer: Result<Value, String>) -> ExitCode {
    match answer {
        Ok(answer) => {
            // The caller may be gone; the work is done all the same.
            let _ = writeln!(std::io::stdout(), "{answer}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(words: &[String]) -> Result<Value, String> {
    match words {
        [what, folder] if what == "update" => {
            place(folder).and_then(|place| update_as_json(&place, UpdateScope::Changed))
        }
        [what, folder] if what == "again" => {
            place(folder).and_then(|place| update_as_json(&place, UpdateScope::Again))
        }
        [what, folder] if what == "fresh" => {
            place(folder).and_then(|place| update_as_json(&place, UpdateScope::Fresh))
        }
        [what, folder, paths @ ..] if what == "only" => {
            place(folder).and_then(|place| update_as_json(&place, UpdateScope::Only(paths)))
        }
        [what, folder, name] if what == "references" => {
            place(folder).and_then(|place| about(&place, |s, r, root| refs::references(s, r, root, name)))
        }
        [what, folder, name] if what == "callers" => {
            place(folder).and_then(|place| about(&place, |s, r, root| refs::callers(s, r, root, name)))
        }
        [what, folder, name] if what == "callees" => {
            place(folder).and_then(|place| about(&place, |s, r, root| refs::callees(s, r, root, name)))
        }
        [what, folder, name] if what == "implementations" => place(folder)
            .and_then(|place| about(&place, |s, r, root| refs::implementations(s, r, root, name))),
        [what, folder] if what == "history" => {
            place(folder).and_then(|place| super::git_history::read(&place, TURN))
        }
        [what, folder] if what == "review" => {
            place(folder).and_then(|place| super::review::review(&place, None))
        }
        [what, folder, base] if what == "review" => {
            place(folder).and_then(|place| super::review::review(&place, Some(base)))
        }
        _ => Err(USAGE.to_owned()),
    }
}

fn place(folder: &str) -> Result<IndexLocation, String> {
    let place = locate(folder)?;
    limit_memory(&place.home);
    Ok(place)
}

/// The place of a worker that starts other programs, at low priority; it and each of them may use `memory_mb`
/// megabytes.
pub(crate) fn place_for_programs(folder: &str, memory_mb: u64) -> Result<IndexLocation, String> {
    lower_priority();
    limit_memory_to(memory_mb);
    locate(folder)
}

fn locate(folder: &str) -> Result<IndexLocation, String> {
    let env = Env::capture().map_err(|error| error.to_string())?;
    let home = Home::resolve(&env).map_err(|error| error.to_string())?;
    let project = Project::at(folder.as_ref()).map_err(|error| error.to_string())?;
    Ok(IndexLocation::new(&home, &project))
}

/// The scope of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UpdateScope<'a> {
    /// All changed files.
    Changed,
    /// Everything.
    Again,
    /// Everything, into a new database: the old one is damaged.
    Fresh,
    /// These files, which alone changed.
    Only(&'a [String]),
}

fn update_as_json(place: &IndexLocation, how: UpdateScope<'_>) -> Result<Value, String> {
    let report = update(place, how)?;
    serde_json::to_value(report).map_err(|error| error.to_string())
}

/// Brings a project's index up to date, alone.
pub(crate) fn update(place: &IndexLocation, how: UpdateScope<'_>) -> Result<Report, String> {
    let _alone = home::lock(&place.home, &place.lock, TURN).map_err(|error| error.to_string())?;
    if let Some(folder) = place.db.parent() {
        home::private_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    if how == UpdateScope::Fresh {
        remove(&place.db).map_err(|error| format!("{}: {error}", place.db.display()))?;
    }
    if how == UpdateScope::Changed {
        super::beginning::begin(place);
    }
    let report = match write_index(place, how) {
        // Out of memory ends as a crash: the journal says what was being read.
        Err(error) if error.is_out_of_memory() => std::process::abort(),
        // Found during a write; readers notice by the file's identity.
        Err(error) if error.is_damaged() => {
            log::warn!("{}: damaged; the index is built again from the project's files", place.db.display());
            log::info!("{error}");
            remove(&place.db).map_err(|error| format!("{}: {error}", place.db.display()))?;
            write_index(place, UpdateScope::Fresh)
        }
        other => other,
    };
    let _ = std::fs::remove_file(place.progress());
    report.map_err(|error| error.to_string())
}

fn write_index(place: &IndexLocation, how: UpdateScope<'_>) -> code::Result<Report> {
    let mut store = Store::open(&place.db)?;
    let progress = place.progress();
    let told: Mutex<Option<Instant>> = Mutex::new(None);
    let tell = |done: u64, total: u64| {
        let mut told = told.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if told.is_none_or(|last| last.elapsed() >= TELLING) {
            *told = Some(Instant::now());
            // Nobody is harmed by not knowing how far it is.
            let _ = std::fs::write(&progress, json!({"done": done, "total": total}).to_string());
        }
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let options = Options {
        again: how == UpdateScope::Again,
        now_ns: i64::try_from(now.as_nanos()).unwrap_or(0),
        progress: &tell,
        reading: Some(place.reading()),
        ..Options::default()
    };
    match how {
        UpdateScope::Only(paths) => code::update_only(&mut store, &place.root, paths, &options),
        UpdateScope::Changed | UpdateScope::Again | UpdateScope::Fresh => {
            code::update(&mut store, &place.root, &options)
        }
    }
}

/// Answers a question about a name, which needs grammars.
fn about<T: serde::Serialize>(
    place: &IndexLocation,
    ask: impl Fn(&Store, &Reader, &Path) -> code::Result<T>,
) -> Result<Value, String> {
    #[cfg(unix)]
    end_with_the_caller();
    let store = Store::open_read_only(&place.db).map_err(|error| error.to_string())?;
    let store = store.ok_or_else(|| "there is no index yet".to_owned())?;
    let reader = Reader::open(&store).map_err(|error| error.to_string())?;
    let found = ask(&store, &reader, &place.root).map_err(|error| error.to_string())?;
    serde_json::to_value(found).map_err(|error| error.to_string())
}

/// Ends this process once nobody can read its answer. A question that is asked again starts again, so its worker would work
/// for nobody; an index that a worker makes is of use to the next caller.
#[cfg(unix)]
fn end_with_the_caller() {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    // Of a pipe nothing but an error is reported, and that only when its reader is gone.
    let is_gone = |limit: Option<&Timespec>| {
        let stdout = std::io::stdout();
        let mut answer = [PollFd::new(&stdout, PollFlags::empty())];
        poll(&mut answer, limit).is_ok_and(|count| count > 0)
    };
    if is_gone(Some(&Timespec { tv_sec: 0, tv_nsec: 0 })) {
        std::process::exit(1);
    }
    std::thread::spawn(move || {
        if is_gone(None) {
            std::process::exit(1);
        }
    });
}

/// Limits memory to the setting: over it the system ends the process, the journal convicts the file that was being read,
/// and the next run continues without its grammar. Windows has no such limit that a process can set itself.
fn limit_memory(home: &Home) {
    let set = Settings::load(home).ok().and_then(|set| set.own("codebase.worker_memory_mb")?.as_u64());
    limit_memory_to(set.unwrap_or(MEMORY_MB).max(LEAST_MEMORY_MB));
}

/// Limits the memory of this process, and of each program that it starts, to `megabytes`.
fn limit_memory_to(megabytes: u64) {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let bytes = megabytes.saturating_mul(1_000_000);
        if let Err(error) = setrlimit(Resource::Data, Rlimit { current: Some(bytes), maximum: Some(bytes) }) {
            log::debug!("the worker's memory has no limit: {error}");
        }
    }
    #[cfg(not(unix))]
    let _ = megabytes;
}

/// Lowers the process's priority.
fn lower_priority() {
    #[cfg(unix)]
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        log::debug!("the worker keeps its priority: {error}");
    }
}
