//! Background tasks: runs that go on after the call that started them, until they end, are stopped, or the server
//! that owns them dies.
//!
//! All that is known about a task is in files, `<dir>/<id>/meta.json` and `output.log`, so that any process can list, read
//! and stop it. Only the owner writes the end of a living task; others ask by a mark file and a signal. A task
//! whose owner is dead is ended by whoever notices; its output stays.

mod files;
mod owner;
mod piece;

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::clean::Redact;
use crate::kill::{self, Force};
use crate::run::Prepared;
use crate::script::Request;
use crate::{Language, ProcessMark, Runtimes, SandboxError};
pub use piece::TaskPiece;

/// The tasks of all sessions, in one folder.
#[derive(Debug, Clone)]
pub struct Tasks {
    dir: PathBuf,
}

/// What to run in the background.
#[derive(Debug, Clone)]
pub struct TaskSpec {
    /// The language of `code`.
    pub language: Language,
    /// The code.
    pub code: String,
    /// The working folder; must exist.
    pub cwd: PathBuf,
    /// As [`crate::Run::file`].
    pub file: Option<PathBuf>,
    /// When to end it; None: not before its session ends.
    pub timeout: Option<Duration>,
    /// The environment of our own process.
    pub env: Vec<(OsString, OsString)>,
    /// As [`crate::Run::temp_root`].
    pub temp_root: PathBuf,
    /// When to end it because it prints too much, in bytes.
    pub max_output: u64,
    /// The agent's session, as far as known.
    pub session: Option<String>,
    /// What people see in lists; None: the first line of the code.
    pub label: Option<String>,
    /// Takes the secrets out of the label and of what it prints.
    pub redact: Redact,
    /// The time, in milliseconds since 1970.
    pub now_ms: i64,
    /// The rules that it runs under.
    pub confine: Option<crate::Confine>,
}

/// Where a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "state", content = "code")]
pub enum TaskState {
    /// It runs, and so does the server that owns it.
    Running,
    /// It ended by itself, with this code (128 + signal).
    Exited(i32),
    /// Somebody stopped it.
    Stopped,
    /// Its time was up.
    TimedOut,
    /// It printed more than it may.
    TooMuchOutput,
    /// Its session ended, and it with it.
    SessionEnded,
    /// It could not be started; the output says why.
    Failed,
    /// It ended elsewhere, and nobody said with which code.
    Ended,
}

/// What is known about a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskInfo {
    /// Its id: `t` and some letters and digits.
    pub id: String,
    /// Where it stands.
    #[serde(flatten)]
    pub state: TaskState,
    /// What it is.
    pub label: String,
    /// The language.
    pub language: Language,
    /// The working folder.
    pub cwd: PathBuf,
    /// The agent's session, as far as known.
    pub session: Option<String>,
    /// The server that owns it.
    pub owner: ProcessMark,
    /// The process that leads its group now.
    pub leader: Option<ProcessMark>,
    /// When it was started, in milliseconds since 1970.
    pub started_ms: i64,
    /// When it ended, as far as known.
    pub ended_ms: Option<i64>,
    /// What it has printed until now, in bytes.
    #[serde(default)]
    pub output_bytes: u64,
    /// It never was a task of ours: the output of a command that ran elsewhere, kept whole.
    #[serde(default)]
    pub kept: bool,
}

/// An output that is kept whole because only a part of it is shown.
#[derive(Debug, Clone, Copy)]
pub struct Kept<'a> {
    /// The command line.
    pub label: &'a str,
    /// Where it ran.
    pub cwd: &'a Path,
    /// The agent's session, as far as known.
    pub session: Option<&'a str>,
    /// Its exit code, as far as known.
    pub exit: Option<i32>,
    /// What it printed, free of secrets.
    pub text: &'a [u8],
    /// The time, in milliseconds since 1970.
    pub now_ms: i64,
}

/// An output that is being kept while it is printed. If its process dies, what was written stays.
#[derive(Debug)]
pub struct Keeper {
    folder: files::Folder,
    info: TaskInfo,
    file: std::fs::File,
}

impl Keeper {
    /// Its id.
    pub fn id(&self) -> &str {
        &self.info.id
    }

    /// Removes it again.
    pub fn discard(self) {
        self.folder.discard();
    }

    /// What is in it by now, in bytes.
    pub fn bytes(&self) -> u64 {
        self.folder.output_bytes()
    }

    /// Adds to it.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), SandboxError> {
        self.file.write_all(bytes).map_err(SandboxError::io("writing", &self.folder.output()))
    }

    /// Notes the end, with the exit code as far as it is known.
    ///
    /// # Errors
    /// When that cannot be written.
    pub fn finish(mut self, exit: Option<i32>, now_ms: i64) -> Result<(), SandboxError> {
        self.info.state = exit.map_or(TaskState::Ended, TaskState::Exited);
        self.info.ended_ms = Some(now_ms);
        self.info.output_bytes = self.folder.output_bytes();
        self.folder.write(&self.info)
    }
}

/// The end of what a task has printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskOutput {
    /// The task.
    pub task: TaskInfo,
    /// Its last lines; foreign bytes replaced.
    pub text: String,
    /// Whether there is more before [`TaskOutput::text`].
    pub is_cut: bool,
    /// The file with everything.
    pub path: PathBuf,
}

/// The most that [`Tasks::output`] returns, in bytes.
const OUTPUT_BYTES: u64 = crate::WHOLE_BYTES as u64;
/// How long [`Tasks::stop`] waits for the owner to note the end.
const STOP_WAIT: Duration = Duration::from_secs(4);

impl Tasks {
    /// The tasks kept in `dir`, which need not exist yet.
    pub fn new(dir: impl Into<PathBuf>) -> Tasks {
        Tasks { dir: dir.into() }
    }

    /// Starts a task and returns while it runs. Must be called inside the server's tokio runtime, which from then on
    /// takes care of the task; the same holds for the thread as for [`crate::run`].
    ///
    /// # Errors
    /// What keeps it from starting: folder, file, runtime, disk.
    pub fn start(&self, spec: TaskSpec, runtimes: &Runtimes) -> Result<TaskInfo, SandboxError> {
        let prepared = Prepared::new(&Request {
            language: spec.language,
            code: &spec.code,
            cwd: &spec.cwd,
            file: spec.file.as_deref(),
            env: &spec.env,
            temp_root: &spec.temp_root,
            runtimes,
            confine: spec.confine.as_ref(),
        })?;
        let folder = files::create(&self.dir)?;
        let info = TaskInfo {
            id: folder.id().to_owned(),
            state: TaskState::Running,
            label: match &spec.label {
                Some(label) => (spec.redact)(label, 0).into_owned(),
                // The whole first: a secret that is cut off is not seen for one.
                None => label_of(&(spec.redact)(&spec.code, 0)),
            },
            language: spec.language,
            cwd: spec.cwd.clone(),
            session: spec.session.clone(),
            owner: ProcessMark::current(),
            leader: None,
            started_ms: spec.now_ms,
            ended_ms: None,
            output_bytes: 0,
            kept: false,
        };
        owner::start(prepared, folder, info, spec.timeout, spec.max_output, spec.redact)
    }

    /// Keeps an output under an id of its own, readable like a task's.
    ///
    /// # Errors
    /// When it cannot be written; nothing of it then stays.
    pub fn keep(&self, kept: &Kept<'_>) -> Result<String, SandboxError> {
        let keeper = self.keeper(kept)?;
        let id = keeper.id().to_owned();
        let folder = keeper.folder.clone();
        keeper.finish(kept.exit, kept.now_ms).inspect_err(|_| folder.discard())?;
        Ok(id)
    }

    /// Keeps an output that is still being printed.
    ///
    /// # Errors
    /// When its files cannot be written.
    pub fn keeper(&self, kept: &Kept<'_>) -> Result<Keeper, SandboxError> {
        let folder = files::create(&self.dir)?;
        let info = TaskInfo {
            id: folder.id().to_owned(),
            state: TaskState::Running,
            label: label_of(kept.label),
            language: Language::Shell,
            cwd: kept.cwd.to_path_buf(),
            session: kept.session.map(str::to_owned),
            owner: ProcessMark::current(),
            leader: None,
            started_ms: kept.now_ms,
            ended_ms: None,
            output_bytes: 0,
            kept: true,
        };
        let opened = folder
            .create_output()
            .and_then(|mut file| file.write_all(kept.text).map(|()| file))
            .map_err(SandboxError::io("writing", &folder.output()))
            .and_then(|file| folder.write(&info).map(|()| file));
        match opened {
            Ok(file) => Ok(Keeper { folder, info, file }),
            Err(error) => {
                folder.discard();
                Err(error)
            }
        }
    }

    /// Notes what an agent was shown of a kept output, so that both can be compared later. Whoever calls has freed the text of
    /// secrets.
    ///
    /// # Errors
    /// [`SandboxError::NoTask`], or it cannot be written.
    pub fn note_shown(&self, id: &str, text: &str) -> Result<(), SandboxError> {
        let folder = files::open(&self.dir, id)?;
        folder.write_shown(text).map_err(SandboxError::io("writing", &folder.shown()))
    }

    /// What an agent was shown of a kept output; `None` where nobody noted it. At most `max_bytes`, from its beginning.
    ///
    /// # Errors
    /// [`SandboxError::NoTask`], or the file cannot be read.
    pub fn shown(&self, id: &str, max_bytes: u64) -> Result<Option<String>, SandboxError> {
        let path = files::open(&self.dir, id)?.shown();
        let file = match std::fs::File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(SandboxError::io("reading", &path)(error)),
        };
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::Read::take(file, max_bytes), &mut bytes)
            .map_err(SandboxError::io("reading", &path))?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Every task, the newest first. A task whose owner is gone is shown as [`TaskState::SessionEnded`]; use
    /// [`Tasks::reap_dead_sessions`] to make it so.
    pub fn list(&self) -> Vec<TaskInfo> {
        let Ok(entries) = std::fs::read_dir(&self.dir) else { return Vec::new() };
        let mut tasks: Vec<TaskInfo> =
            entries.flatten().filter_map(|entry| self.get(entry.file_name().to_str()?).ok()).collect();
        tasks.sort_by(|a, b| (b.started_ms, &b.id).cmp(&(a.started_ms, &a.id)));
        tasks
    }

    /// One task.
    ///
    /// # Errors
    /// [`SandboxError::NoTask`].
    pub fn get(&self, id: &str) -> Result<TaskInfo, SandboxError> {
        let folder = files::open(&self.dir, id)?;
        let mut info = folder.read()?;
        if info.state == TaskState::Running && !info.owner.is_alive() {
            info.state = TaskState::SessionEnded;
        }
        Ok(info)
    }

    /// The last `tail_lines` lines that the task has printed, 100 KB at the most; None: as much as that allows.
    ///
    /// # Errors
    /// [`SandboxError::NoTask`], or the file cannot be read.
    pub fn output(&self, id: &str, tail_lines: Option<usize>) -> Result<TaskOutput, SandboxError> {
        let task = self.get(id)?;
        let folder = files::open(&self.dir, id)?;
        let path = folder.output();
        let (text, is_cut) =
            files::tail(&path, OUTPUT_BYTES, tail_lines).map_err(SandboxError::io("reading", &path))?;
        Ok(TaskOutput { task, text, is_cut, path })
    }

    /// Stops a task of any session and waits until that is noted. A task that has ended is left as it is.
    ///
    /// # Errors
    /// [`SandboxError::NoTask`], or its files cannot be written.
    pub async fn stop(&self, id: &str, now_ms: i64) -> Result<TaskInfo, SandboxError> {
        let folder = files::open(&self.dir, id)?;
        let info = folder.read()?;
        if info.state != TaskState::Running {
            return Ok(info);
        }
        if !info.owner.is_alive() {
            return end_orphan(&folder, info, now_ms);
        }
        folder.ask_to_stop()?;
        let started = tokio::time::Instant::now();
        let mut insisted = false;
        loop {
            let now = folder.read()?;
            if now.state != TaskState::Running {
                return Ok(now);
            }
            let waited = started.elapsed();
            if waited > STOP_WAIT {
                return Ok(now);
            }
            // The owner sees the mark within a tenth of a second. One that does not, because it hangs, is helped.
            if let (true, false, Some(leader)) = (waited > Duration::from_secs(2), insisted, now.leader) {
                insisted = true;
                kill::group_of(leader, Force::Kill);
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Ends the tasks whose server has died and notes it; their output stays. Returns those that it found.
    pub fn reap_dead_sessions(&self, now_ms: i64) -> Vec<TaskInfo> {
        let Ok(entries) = std::fs::read_dir(&self.dir) else { return Vec::new() };
        let dead = |folder: &files::Folder| {
            folder.read().ok().filter(|i| i.state == TaskState::Running && !i.owner.is_alive())
        };
        entries
            .flatten()
            .filter_map(|entry| {
                let folder = files::open(&self.dir, entry.file_name().to_str()?).ok()?;
                let info = dead(&folder)?;
                end_orphan(&folder, info, now_ms)
                    .inspect_err(|error| log::warn!("a task of a dead session: {error}"))
                    .ok()
            })
            .collect()
    }

    /// Removes ended tasks, with their output, that started before `before_ms`, and of the rest the oldest until what is
    /// left takes `max_bytes` at most. Returns how many.
    pub fn forget(&self, before_ms: i64, max_bytes: u64) -> usize {
        let mut room = max_bytes;
        let ended = self.list().into_iter().filter(|task| task.state != TaskState::Running);
        ended
            .filter(|task| {
                let old = task.started_ms < before_ms || task.output_bytes > room;
                if !old {
                    room -= task.output_bytes;
                }
                old
            })
            .filter(|task| std::fs::remove_dir_all(self.dir.join(&task.id)).is_ok())
            .count()
    }

    /// Removes a task that has ended, with its output; whether it is gone.
    pub fn remove(&self, task: &TaskInfo) -> bool {
        let ended = self.get(&task.id).is_ok_and(|now| now.state != TaskState::Running);
        ended && std::fs::remove_dir_all(self.dir.join(&task.id)).is_ok()
    }

    /// The folder with the tasks.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

/// Ends what a dead server left running. Its guardian has usually done so already.
fn end_orphan(folder: &files::Folder, mut info: TaskInfo, now_ms: i64) -> Result<TaskInfo, SandboxError> {
    if let Some(leader) = info.leader {
        kill::group_of(leader, Force::Kill);
    }
    info.state = TaskState::SessionEnded;
    info.ended_ms = Some(now_ms);
    info.output_bytes = folder.output_bytes();
    folder.write(&info)?;
    Ok(info)
}

fn label_of(code: &str) -> String {
    let line = code.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("(no code)");
    line.chars().take(80).collect()
}
