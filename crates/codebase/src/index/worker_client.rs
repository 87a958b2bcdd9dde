//! Starts the worker and waits for it up to a limit. A process runs each task once at a time for a project; later callers wait
//! for the running one.

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::io::Read as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use system::{Call, Cancelled, Progress};

use super::IndexLocation;

/// The worker's largest answer, in bytes; a larger one isn't the worker's.
const MAX_ANSWER: u64 = 64 * 1024 * 1024;
/// The number of bytes of a worker's complaint that are passed on.
const MAX_COMPLAINT: usize = 400;

/// A worker's task.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Task {
    /// To read what changed.
    Update,
    /// To read these files, which alone changed.
    Only(Vec<String>),
    /// To read everything again.
    Again,
    /// To make a new database.
    Fresh,
    /// To find who uses a name.
    References(String),
    /// To find its callers, callees or implementations.
    Related(&'static str, String),
    /// To read what commits added.
    History,
    /// To review what changed since a commit, or since the branch diverged.
    Review(Option<String>),
    /// To run checkers: kind, program and folder of each.
    Check(Vec<String>),
}

impl Task {
    fn words(&self, place: &IndexLocation) -> Vec<OsString> {
        let folder = folder_word(place);
        match self {
            Self::Update => vec!["update".into(), folder],
            Self::Only(paths) => {
                let paths = paths.iter().map(OsString::from);
                ["only".into(), folder].into_iter().chain(paths).collect()
            }
            Self::Again => vec!["again".into(), folder],
            Self::Fresh => vec!["fresh".into(), folder],
            Self::References(name) => vec!["references".into(), folder, name.into()],
            Self::Related(what, name) => vec![(*what).into(), folder, name.into()],
            Self::History => vec!["history".into(), folder],
            Self::Review(base) => {
                ["review".into(), folder].into_iter().chain(base.iter().map(OsString::from)).collect()
            }
            Self::Check(words) => {
                ["check".into(), folder].into_iter().chain(words.iter().map(OsString::from)).collect()
            }
        }
    }
}

/// The project's folder as a worker's word. It's the worker's working folder as well, which names it where its name isn't
/// UTF-8: words that aren't don't arrive as they were.
pub(crate) fn folder_word(place: &IndexLocation) -> OsString {
    place.root.to_str().unwrap_or(".").into()
}

/// The outcome of a worker.
#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    /// It answered.
    Answer(Arc<Value>),
    /// It failed, and says why.
    Failed(String),
    /// It is still at it.
    Working,
}

#[derive(Default)]
struct Job {
    came: Mutex<Option<Result<Arc<Value>, String>>>,
    done: Condvar,
}

type Jobs = HashMap<(PathBuf, Task), Arc<Job>>;
static JOBS: LazyLock<Mutex<Jobs>> = LazyLock::new(Mutex::default);

fn jobs() -> MutexGuard<'static, Jobs> {
    JOBS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has a worker run `task` and waits at most `patience`; the worker continues without a waiter.
pub(crate) fn run(place: &IndexLocation, task: Task, patience: Duration, cancelled: &Cancelled) -> Outcome {
    wait(place, task, patience, cancelled, &|| {})
}

/// The same for a task that reads files, and tells the asker how many were read.
pub(crate) fn run_with_progress(
    place: &IndexLocation,
    task: Task,
    patience: Duration,
    call: &Call,
) -> Outcome {
    let told = Cell::new(0);
    wait(place, task, patience, &call.cancelled, &|| tell(place, &call.progress, &told))
}

/// How many files of how many a worker has read, as it last wrote.
pub(super) fn files_read(place: &IndexLocation) -> Option<(u64, u64)> {
    let text = home::read_regular_text(&place.progress(), 4_096).ok()?;
    let told: Value = serde_json::from_str(&text).ok()?;
    Some((told["done"].as_u64()?, told["total"].as_u64()?))
}

/// Tells how many files were read, if they are more than were `told`.
fn tell(place: &IndexLocation, progress: &Progress, told: &Cell<u64>) {
    if !progress.is_wanted() {
        return;
    }
    let Some((done, total)) = files_read(place).filter(|(done, _)| *done > told.get()) else { return };
    told.set(done);
    progress.report(
        Some(done as f64),
        Some(total as f64),
        &format!("Indexing the code: {done} of {total} files"),
    );
}

fn wait(
    place: &IndexLocation,
    task: Task,
    patience: Duration,
    cancelled: &Cancelled,
    each_step: &dyn Fn(),
) -> Outcome {
    let key = (place.db.clone(), task);
    let job = {
        let mut jobs = jobs();
        match jobs.get(&key) {
            Some(job) => Arc::clone(job),
            None => {
                let job = Arc::new(Job::default());
                jobs.insert(key.clone(), Arc::clone(&job));
                let (place, own) = (place.clone(), Arc::clone(&job));
                std::thread::spawn(move || {
                    let came = run_with_retries(&place, &key.1);
                    *own.came.lock().unwrap_or_else(PoisonError::into_inner) = Some(came);
                    self::jobs().remove(&key);
                    own.done.notify_all();
                });
                job
            }
        }
    };
    let end = Instant::now() + patience;
    let mut came = job.came.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        match &*came {
            Some(Ok(answer)) => return Outcome::Answer(Arc::clone(answer)),
            Some(Err(error)) => return Outcome::Failed(error.clone()),
            None => {}
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || cancelled.is_set() {
            return Outcome::Working;
        }
        each_step();
        let step = left.min(Duration::from_millis(50));
        came = job.done.wait_timeout(came, step).unwrap_or_else(PoisonError::into_inner).0;
    }
}

/// The number of retries after a crash; each leaves one more file to indexing by lines.
const TRIES: usize = 12;

fn run_with_retries(place: &IndexLocation, task: &Task) -> Result<Arc<Value>, String> {
    let mut tries = 0;
    loop {
        match run_once(place, task) {
            Err(Ended::OwnFault(printed)) => {
                tries += 1;
                // Only tasks that write keep a journal.
                let writes = matches!(task, Task::Update | Task::Only(_) | Task::Again | Task::Fresh);
                if !writes || tries >= TRIES || !code::record_crash(&place.root, &place.reading()) {
                    return Err(printed);
                }
                log::warn!("the worker crashed on a file and starts again: {printed}");
            }
            Err(Ended::Otherwise(printed)) => return Err(printed),
            Ok(answer) => return Ok(answer),
        }
    }
}

/// How a worker ended that did not answer.
enum Ended {
    /// By a signal that only a fault in itself sends: what it read may be why.
    OwnFault(String),
    /// By a kill from outside, or with an error.
    Otherwise(String),
}

impl From<String> for Ended {
    fn from(printed: String) -> Self {
        Self::Otherwise(printed)
    }
}

/// Whether the process crashed, as opposed to being killed from outside.
fn is_own_fault(status: std::process::ExitStatus) -> bool {
    #[cfg(unix)]
    {
        use rustix::process::Signal;
        let faults = [Signal::SEGV, Signal::BUS, Signal::ILL, Signal::ABORT, Signal::FPE];
        let signal = std::os::unix::process::ExitStatusExt::signal(&status);
        signal.is_some_and(|signal| faults.iter().any(|fault| fault.as_raw() == signal))
    }
    #[cfg(not(unix))]
    {
        // As the system numbers its exceptions.
        status.code().is_some_and(|code| code < -0x3000_0000)
    }
}

fn run_once(place: &IndexLocation, task: &Task) -> Result<Arc<Value>, Ended> {
    let mut command = Command::new(program_path(place)?);
    command
        .arg("code-worker")
        .args(task.words(place))
        .env("PLIMSOLL_HOME", place.home.root())
        .current_dir(&place.root)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    detach(&mut command);
    let mut child = command.spawn().map_err(|error| format!("the worker can't be started: {error}"))?;
    let complaints = child.stderr.take();
    let listening = std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(complaints) = complaints {
            let _ = complaints.take(64 * 1024).read_to_end(&mut text);
        }
        String::from_utf8_lossy(&text).into_owned()
    });
    let mut answer = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        let _ = stdout.take(MAX_ANSWER).read_to_end(&mut answer);
    }
    let status = child.wait().map_err(|error| format!("the worker is lost: {error}"))?;
    let complaint = listening.join().unwrap_or_default();
    if !status.success() {
        let printed = complaint.trim();
        let end = printed.floor_char_boundary(MAX_COMPLAINT);
        let printed = if printed.is_empty() {
            format!("the worker ended with {status}")
        } else {
            printed[..end].to_owned()
        };
        return Err(if is_own_fault(status) { Ended::OwnFault(printed) } else { Ended::Otherwise(printed) });
    }
    serde_json::from_slice(&answer)
        .map(Arc::new)
        .map_err(|error| format!("the worker's answer: {error}").into())
}

/// Detaches the worker from the terminal's interrupts: the next query would only have to start it again.
pub(crate) fn detach(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(command, BELOW_NORMAL | NO_WINDOW);
}

/// The program that is the worker.
pub(crate) fn program_path(place: &IndexLocation) -> Result<PathBuf, String> {
    place.program.clone().map_or_else(program, Ok)
}

/// This program; if it was replaced while running, its path is the new one's.
fn program() -> Result<PathBuf, String> {
    let path =
        std::env::current_exe().map_err(|error| format!("this program's own file is unknown: {error}"))?;
    let replaced = path.to_str().and_then(|path| path.strip_suffix(" (deleted)")).map(PathBuf::from);
    Ok(replaced.filter(|_| !path.exists()).unwrap_or(path))
}

#[cfg(windows)]
const BELOW_NORMAL: u32 = 0x4000;
#[cfg(windows)]
const NO_WINDOW: u32 = 0x0800_0000;

#[cfg(test)]
mod tests {
    use home::{Env, Home, Project};

    use super::*;

    #[test]
    fn progress_is_reported_when_it_grows() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::resolve(&Env::for_test(dir.path())).unwrap();
        let place = IndexLocation::new(&home, &Project::at(dir.path()).unwrap());
        std::fs::create_dir_all(place.progress().parent().unwrap()).unwrap();
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let hears = Arc::clone(&heard);
        let progress = Progress::new(move |_, _, words| hears.lock().unwrap().push(words.to_owned()));
        let told = Cell::new(0);
        tell(&place, &progress, &told);
        for text in
            [r#"{"done": 3, "total": 9}"#, r#"{"done": 3, "total": 9}"#, "{", r#"{"done": 8, "total": 9}"#]
        {
            std::fs::write(place.progress(), text).unwrap();
            tell(&place, &progress, &told);
            tell(&place, &Progress::none(), &told);
        }
        let expected = ["Indexing the code: 3 of 9 files", "Indexing the code: 8 of 9 files"];
        assert_eq!(*heard.lock().unwrap(), expected);
    }
}
