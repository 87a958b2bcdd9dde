//! Background tasks: runs that continue after the call that started them, until they end, are stopped, or the server that
//! owns them dies.
//!
//! A task's state is in files, `<dir>/<id>/meta.json` and `output.log`, so that any process can list, read and stop it. Only
//! the owner records the end of a living task; others request it by a mark file and a signal. A task whose owner is dead is
//! ended by whichever process notices; its output stays.

mod files;
mod info;
mod kept_output;
mod output_page;
mod owner;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::kill::{self, Force};
use crate::run::PreparedRun;
use crate::script::Request;
use crate::{ProcessMark, Runtimes, SandboxError};
pub use info::{TaskInfo, TaskOutput, TaskSpec, TaskState};
pub use kept_output::{KeptOutput, OutputRecorder};
pub use output_page::TaskOutputPage;

/// The tasks of all sessions, in one folder.
#[derive(Debug, Clone)]
pub struct Tasks {
    dir: PathBuf,
}

/// The most that [`Tasks::output`] returns, in bytes.
const OUTPUT_BYTES: u64 = crate::WHOLE_BYTES as u64;
/// How long [`Tasks::stop`] waits for the owner to record the end.
const STOP_WAIT: Duration = Duration::from_secs(4);

impl Tasks {
    /// The tasks in `dir`, which doesn't have to exist yet.
    pub fn new(dir: impl Into<PathBuf>) -> Tasks {
        Tasks { dir: dir.into() }
    }

    /// Starts a task and returns while it runs. Call it inside the server's tokio runtime, which then drives the task; the
    /// thread must meet the same condition as for [`crate::run`].
    ///
    /// # Errors
    /// What keeps it from starting: folder, file, runtime, disk.
    pub fn start(&self, spec: TaskSpec, runtimes: &Runtimes) -> Result<TaskInfo, SandboxError> {
        let prepared = PreparedRun::new(&Request {
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
                Some(label) => (spec.redact.after)(label, 0).into_owned(),
                // Redact before cutting: a secret that is cut off isn't recognised.
                None => label_of(&(spec.redact.after)(&spec.code, 0)),
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

    /// Every task, newest first. A task whose owner is gone is listed as [`TaskState::SessionEnded`];
    /// [`Tasks::reap_dead_sessions`] records that.
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

    /// The last `tail_lines` lines of the task's output, at most 100 KB; `None`: as many as that allows.
    ///
    /// # Errors
    /// [`SandboxError::NoTask`], or the file can't be read.
    pub fn output(&self, id: &str, tail_lines: Option<usize>) -> Result<TaskOutput, SandboxError> {
        let task = self.get(id)?;
        let folder = files::open(&self.dir, id)?;
        let path = folder.output();
        let (text, is_cut) =
            files::tail(&path, OUTPUT_BYTES, tail_lines).map_err(SandboxError::io("reading", &path))?;
        Ok(TaskOutput { task, text, is_cut, path })
    }

    /// Stops a task of any session and waits until that is recorded. An ended task is left as it is.
    ///
    /// # Errors
    /// [`SandboxError::NoTask`], or its files can't be written.
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
            // The owner sees the mark within a tenth of a second. If it doesn't, because it hangs, kill the group here.
            if let (true, false, Some(leader)) = (waited > Duration::from_secs(2), insisted, now.leader) {
                insisted = true;
                kill::group_of(leader, Force::Kill);
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Ends the tasks whose server has died, and records it; their output stays. Returns those tasks.
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

    /// Removes ended tasks with their output: those started before `before_ms`, then the oldest until the rest takes at most
    /// `max_bytes`. Returns how many.
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

    /// Removes an ended task with its output; whether it is gone.
    pub fn remove(&self, task: &TaskInfo) -> bool {
        let ended = self.get(&task.id).is_ok_and(|now| now.state != TaskState::Running);
        ended && std::fs::remove_dir_all(self.dir.join(&task.id)).is_ok()
    }

    /// The tasks' folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

/// Ends what a dead server left running. Its guardian has usually done that already.
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
