//! The ancestor processes, nearest first: an agent may have been started with settings that are in no file. Owns
//! querying the system; the agents know what the command lines mean.

use std::path::PathBuf;

/// How many ancestors are queried: a shell or two, a wrapper, a version manager, the agent.
const MAX_ANCESTORS: usize = 12;

/// An ancestor process, as far as the system shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caller {
    /// Its process number; 0 if the system doesn't show it.
    pub pid: u32,
    /// Its command line; empty if the system doesn't show it.
    pub words: Vec<String>,
    /// Its working folder.
    pub cwd: Option<PathBuf>,
    /// Whether its standard input and output are a terminal.
    pub terminal: Option<bool>,
}

impl From<Vec<String>> for Caller {
    fn from(words: Vec<String>) -> Self {
        Self { words, ..Self::default() }
    }
}

/// The ancestor processes. One that isn't shown is the last, because its parent can't be known.
#[cfg(target_os = "linux")]
pub(crate) fn callers() -> Vec<Caller> {
    let mut found = Vec::new();
    let mut pid = std::os::unix::process::parent_id();
    while found.len() < MAX_ANCESTORS {
        // A parent outside this process's namespace has no number here.
        let shown = (pid > 0).then(|| std::fs::read(format!("/proc/{pid}/cmdline")).ok()).flatten();
        let Some(line) = shown else {
            found.push(Caller::default());
            break;
        };
        let line = line.strip_suffix(b"\0").unwrap_or(&line);
        let words =
            line.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect();
        let cwd = std::fs::read_link(format!("/proc/{pid}/cwd")).ok();
        found.push(Caller { pid, words, cwd, terminal: terminal(pid) });
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        match parse_parent(&stat) {
            // The first process has no parent; in a container, an agent may be that process.
            Some(parent) if parent > 0 => pid = parent,
            _ => break,
        }
    }
    found
}

/// Whether both standard input and output of a process are a terminal; `None` if the system doesn't tell.
#[cfg(target_os = "linux")]
fn terminal(pid: u32) -> Option<bool> {
    let is = |stream: u8| {
        let target = std::fs::read_link(format!("/proc/{pid}/fd/{stream}")).ok()?;
        let target = target.to_string_lossy();
        Some(["/dev/pts/", "/dev/tty", "/dev/console"].iter().any(|start| target.starts_with(start)))
    };
    Some(is(0)? && is(1)?)
}

/// The parent in a line of `/proc/<pid>/stat`: the second word after the name, which may contain anything.
#[cfg(target_os = "linux")]
fn parse_parent(stat: &str) -> Option<u32> {
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// The ancestor processes. One that isn't shown is the last, because its parent can't be known.
#[cfg(not(target_os = "linux"))]
pub(crate) fn callers() -> Vec<Caller> {
    use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};

    let what = ProcessRefreshKind::nothing().with_cmd(UpdateKind::Always).with_cwd(UpdateKind::Always);
    let mut found: Vec<Caller> = Vec::new();
    let Ok(mut system) = System::new() else { return vec![Caller::default()] };
    let mut pid = Pid::from_u32(std::process::id());
    for generation in 0..=MAX_ANCESTORS {
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), false, what);
        let Some(process) = system.process(pid) else {
            // On Windows a parent that has ended is still named but can't be queried.
            if !cfg!(windows) {
                found.push(Caller::default());
            }
            break;
        };
        if generation > 0 {
            let words = process.cmd().iter().map(|word| word.to_string_lossy().into_owned()).collect();
            found.push(Caller {
                pid: pid.as_u32(),
                words,
                cwd: process.cwd().map(Into::into),
                terminal: None,
            });
        }
        match process.parent() {
            // Launchd and the session manager start no agents with flags, and aren't shown to everybody.
            Some(parent) if parent.as_u32() > 1 => pid = parent,
            _ => break,
        }
    }
    found
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_parent_process_is_found() {
        let found = callers();
        assert!(!found.is_empty() && found.iter().all(|caller| !caller.words.is_empty()), "{found:?}");
        assert!(found[0].cwd.is_some() && found[0].pid > 0, "{found:?}");
        assert_eq!(parse_parent("12 (a) b) S 7 12 12 0"), Some(7));
        assert_eq!(parse_parent("12 (a"), None);
    }
}
