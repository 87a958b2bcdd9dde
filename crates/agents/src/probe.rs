//! Runs another program for a short answer, bounded in time and output, without stdin, shell or console window. `version`,
//! `login_path` and `codex` decide what to ask.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

/// The answer's size limit; the rest is read and discarded so that the child never blocks.
const MAX_ANSWER: usize = 1024 * 1024;

/// Why a program didn't answer.
#[derive(Debug, Error)]
pub(crate) enum ProbeError {
    /// It couldn't be started.
    #[error("{program} couldn't be started: {source}")]
    Start {
        /// The program.
        program: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// It didn't end in time and was killed.
    #[error("{program} gave no answer within {ms} ms")]
    TooSlow {
        /// The program.
        program: String,
        /// The limit.
        ms: u128,
    },
}

/// Runs `program` and returns its stdout up to `limit`. The exit code doesn't matter: an answer is an answer.
///
/// # Errors
/// [`ProbeError::Start`] and [`ProbeError::TooSlow`].
pub(crate) fn query(
    program: &Path,
    args: &[&str],
    env: &[(OsString, OsString)],
    limit: Duration,
) -> Result<Vec<u8>, ProbeError> {
    let name = program.display().to_string();
    let mut command = command(program, env);
    command.args(args).stdin(Stdio::null());
    let mut child = command.spawn().map_err(|source| ProbeError::Start { program: name.clone(), source })?;
    let answer = read_to_end(&mut child, limit);
    kill(&mut child);
    answer.ok_or(ProbeError::TooSlow { program: name, ms: limit.as_millis() })
}

/// A command for `program` with its own folder first on PATH, because Node and Python scripts find their interpreter
/// there; in its own process group, so that its children can be killed too.
pub(crate) fn command(program: &Path, env: &[(OsString, OsString)]) -> Command {
    let mut command = Command::new(program);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    if !env.is_empty() {
        command.env_clear().envs(env.iter().map(|(name, value)| (name, value)));
    }
    if let Some(dir) = program.parent().filter(|dir| dir.is_absolute()) {
        let old = env.iter().find(|(name, _)| name == OsStr::new("PATH")).map(|(_, value)| value);
        let dirs = old.map(|old| std::iter::once(dir.to_path_buf()).chain(std::env::split_paths(old)));
        if let Some(Ok(path)) = dirs.map(std::env::join_paths) {
            command.env("PATH", path);
        }
    }
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        command.process_group(0);
    }
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt as _;
        const CREATE_NO_WINDOW: u32 = 0x0800_0000;
        command.creation_flags(CREATE_NO_WINDOW);
    }
    command
}

/// Kills the child and, on Unix, its process group.
pub(crate) fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // The group may be gone already, which is fine.
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

fn read_to_end(child: &mut Child, limit: Duration) -> Option<Vec<u8>> {
    let mut stdout = child.stdout.take()?;
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut answer = Vec::new();
        let mut buffer = [0; 8192];
        while let Ok(count) = stdout.read(&mut buffer) {
            if count == 0 {
                break;
            }
            let keep = count.min(MAX_ANSWER - answer.len());
            answer.extend_from_slice(&buffer[..keep]);
        }
        // The receiver is gone if the limit came first.
        let _ = send.send(answer);
    });
    let started = Instant::now();
    receive.recv_timeout(limit.saturating_sub(started.elapsed())).ok()
}
