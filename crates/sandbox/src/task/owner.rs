//! The owner's side of a task: starts its programs, writes their output, records how it ended.

use std::fs::File;
use std::io::Write;
use std::time::Duration;

use tokio::time::Instant;

use super::files::Folder;
use super::{TaskInfo, TaskState};
use crate::capture::{Sink, Stream};
use crate::child::{Child, Launch};
use crate::run::{PreparedRun, Status, classify};
use crate::stream_redactor::{Redact, StreamRedactor};
use crate::{Cancel, ProcessMark, SandboxError};

/// How often the owner checks for a stop request.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A task's output file, up to its limit and without secrets. Each line is written once it is complete.
struct TaskLog {
    file: File,
    room: u64,
    cleaner: StreamRedactor,
}

impl TaskLog {
    /// Writes the last incomplete line, and then `more`.
    fn finish(&mut self, more: &str) {
        let rest = self.cleaner.finish();
        if let Err(error) = self.file.write_all(&rest).and_then(|()| self.file.write_all(more.as_bytes())) {
            log::warn!("a task's output cannot be written: {error}");
        }
    }
}

impl Sink for TaskLog {
    fn take(&mut self, _stream: Stream, piece: &[u8]) -> bool {
        let fits = usize::try_from(self.room).map_or(piece.len(), |room| room.min(piece.len()));
        self.room -= fits as u64;
        if let Err(error) = self.file.write_all(&self.cleaner.push(&piece[..fits])) {
            // A full disk ends the task: its further output would be lost.
            log::warn!("a task's output cannot be written: {error}");
            return false;
        }
        fits == piece.len()
    }
}

/// Starts the first program here, so that the caller learns of immediate failures, and leaves the rest to the runtime.
pub(super) fn start(
    prepared: PreparedRun,
    folder: Folder,
    mut info: TaskInfo,
    timeout: Option<Duration>,
    max_output: u64,
    redact: Redact,
) -> Result<TaskInfo, SandboxError> {
    let started = launch_first(&prepared, &folder, &mut info);
    let (child, file) = match started {
        Ok(started) => started,
        Err(error) => {
            folder.discard();
            return Err(error);
        }
    };
    let log = TaskLog { file, room: max_output, cleaner: StreamRedactor::new(redact) };
    let begun = info.clone();
    tokio::spawn(supervise(prepared, folder, info, child, log, timeout));
    Ok(begun)
}

fn launch_first(
    prepared: &PreparedRun,
    folder: &Folder,
    info: &mut TaskInfo,
) -> Result<(Child, File), SandboxError> {
    let path = folder.output();
    let file = folder.create_output().map_err(SandboxError::io("making", &path))?;
    let first = prepared.steps.first().ok_or_else(|| SandboxError::NoTask { id: info.id.clone() })?;
    let child = spawn(first)?;
    info.leader = ProcessMark::of(child.pid());
    folder.write(info)?;
    Ok((child, file))
}

fn spawn(launch: &Launch) -> Result<Child, SandboxError> {
    launch.spawn().map_err(|source| SandboxError::Spawn { program: launch.program.clone(), source })
}

/// Runs from the first program's start to the last one's end.
async fn supervise(
    prepared: PreparedRun,
    folder: Folder,
    mut info: TaskInfo,
    first: Child,
    mut log: TaskLog,
    timeout: Option<Duration>,
) {
    let begun = Instant::now();
    let deadline = timeout.map(|timeout| begun + timeout);
    let asked = folder.clone();
    let mut cancel = Cancel::when(async move {
        while !asked.is_asked_to_stop() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    });
    let mut rest = prepared.steps.iter().skip(1);
    let mut child = first;
    let state = loop {
        let ended = match child.drive(deadline, &mut cancel, &mut log).await {
            Ok(ended) => ended,
            Err(error) => {
                log.finish(&format!("waiting for the task failed: {error}\n"));
                break TaskState::Failed;
            }
        };
        let state = match classify(ended.status, ended.stopped) {
            (Status::TimedOut, _) => TaskState::TimedOut,
            (Status::Cancelled, _) => TaskState::Stopped,
            (Status::TooMuchOutput, _) => TaskState::TooMuchOutput,
            // Another process may have ended it because of a request not seen here yet.
            (Status::Signal(_), _) if folder.is_asked_to_stop() => TaskState::Stopped,
            (Status::Exit(code), _) | (Status::Signal(_), code) => TaskState::Exited(code),
        };
        let next = rest.next().filter(|_| state == TaskState::Exited(0));
        let Some(next) = next else { break state };
        child = match spawn(next) {
            Ok(child) => child,
            Err(error) => {
                log.finish(&format!("{error}\n"));
                break TaskState::Failed;
            }
        };
        info.leader = ProcessMark::of(child.pid());
        note(&folder, &info);
    };
    debug_assert!(!matches!(state, TaskState::Running));
    log.finish("");
    info.state = state;
    info.leader = None;
    let took = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
    info.ended_ms = Some(info.started_ms.saturating_add(took));
    note(&folder, &info);
}

fn note(folder: &Folder, info: &TaskInfo) {
    if let Err(error) = folder.write(info) {
        log::warn!("task {}: {error}", info.id);
    }
}
