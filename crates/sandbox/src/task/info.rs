//! What describes a task: the request to run it, its state, its metadata, its output.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize, Serializer};

use crate::stream_redactor::Redact;
use crate::{Language, ProcessMark};

/// A run in the background.
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
    /// The time limit; `None`: until its session ends.
    pub timeout: Option<Duration>,
    /// This process's environment.
    pub env: Vec<(OsString, OsString)>,
    /// As [`crate::Run::temp_root`].
    pub temp_root: PathBuf,
    /// The output limit, in bytes.
    pub max_output: u64,
    /// The agent's session, if known.
    pub session: Option<String>,
    /// The label in lists; `None`: the first line of the code.
    pub label: Option<String>,
    /// Removes the secrets from the label and the output.
    pub redact: Redact,
    /// The time, in milliseconds since 1970.
    pub now_ms: i64,
    /// The rules it runs under.
    pub confine: Option<crate::Confine>,
}

/// A task's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "state", content = "code")]
pub enum TaskState {
    /// It is running, and so is the server that owns it.
    Running,
    /// It exited on its own with this code (128 + signal).
    Exited(i32),
    /// It was stopped.
    Stopped,
    /// It reached its time limit.
    TimedOut,
    /// It reached its output limit.
    TooMuchOutput,
    /// It ended with its session.
    SessionEnded,
    /// It couldn't be started; the output says why.
    Failed,
    /// It ended elsewhere with an unknown code.
    Ended,
}

/// A task's metadata.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskInfo {
    /// Its id: `t` and some letters and digits.
    pub id: String,
    /// Its state.
    #[serde(flatten)]
    pub state: TaskState,
    /// Its label in lists.
    pub label: String,
    /// The language.
    pub language: Language,
    /// The working folder, as it can be shown.
    #[serde(serialize_with = "shown_path")]
    pub cwd: PathBuf,
    /// The agent's session, if known.
    pub session: Option<String>,
    /// The server that owns it.
    pub owner: ProcessMark,
    /// The current leader of its process group.
    pub leader: Option<ProcessMark>,
    /// When it was started, in milliseconds since 1970.
    pub started_ms: i64,
    /// When it ended, if known.
    pub ended_ms: Option<i64>,
    /// The size of its output so far, in bytes.
    #[serde(default)]
    pub output_bytes: u64,
    /// Not a task: the full output of a command that ran elsewhere.
    #[serde(default)]
    pub kept: bool,
}

/// The end of a task's output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskOutput {
    /// The task.
    pub task: TaskInfo,
    /// Its last lines; invalid bytes replaced.
    pub text: String,
    /// Whether there is more before [`TaskOutput::text`].
    pub is_cut: bool,
    /// The file with the full output.
    pub path: PathBuf,
}

/// A name that isn't UTF-8 can't be in JSON, and must not cost a task.
fn shown_path<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&path.to_string_lossy())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;

    #[test]
    fn a_folder_whose_name_isnt_utf8_has_tasks() {
        let info = TaskInfo {
            id: "t1".into(),
            state: TaskState::Running,
            label: "ls".into(),
            language: Language::Shell,
            cwd: std::ffi::OsStr::from_bytes(b"/ship/ke\xffel").into(),
            session: None,
            owner: ProcessMark { pid: 1, started: 1 },
            leader: None,
            started_ms: 1,
            ended_ms: None,
            output_bytes: 0,
            kept: false,
        };
        let written = serde_json::to_string(&info).unwrap();
        let read: TaskInfo = serde_json::from_str(&written).unwrap();
        assert_eq!(read.cwd, Path::new("/ship/ke\u{fffd}el"));
    }
}
