//! The processes that started us, nearest first: an agent may have been started with settings that stand in no file.
//! Owns asking the system; what the words mean is the agents' affair.

use std::path::PathBuf;

/// How far up is looked: a shell or two, a wrapper, a version manager, the agent.
const GENERATIONS: usize = 12;

/// A process that started us, as far as the system shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caller {
    /// Its number; 0 where the system does not show it.
    pub pid: u32,
    /// Its command line; empty where the system does not show it.
    pub words: Vec<String>,
    /// The folder that it works in.
    pub cwd: Option<PathBuf>,
    /// Whether a terminal is at its standard input and output.
    pub terminal: Option<bool>,
}

impl From<Vec<String>> for Caller {
    fn from(words: Vec<String>) -> Self {
        Self { words, ..Self::default() }
    }
}

/// The processes above us. One that is not shown is the last: what is above it cannot be known either.
#[cfg(target_os = "linux")]
pub(crate) fn callers() -> Vec<Caller> {
    let mut found = Vec::new();
    let mut pid = std::os::unix::process::parent_id();
    while found.len() < GENERATIONS {
        // A parent outside our own namespace has no number here.
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
        match parent_in(&stat) {
            // The first process has no parent; an agent may be that process in a container.
            Some(parent) if parent > 0 => pid = parent,
            _ => break,
        }
    }
    found
}

/// Whether both standard input and output of a process are a terminal; nothing where the system does not say.
#[cfg(target_os = "linux")]
fn terminal(pid: u32) -> Option<bool> {
    let is = |stream: u8| {
        let target = std::fs::read_link(format!("/proc/{pid}/fd/{stream}")).ok()?;
        let target = target.to_string_lossy();
        Some(["/dev/pts/", "/dev/tty", "/dev/console"].iter().any(|start| target.starts_with(start)))
    };
    Some(is(0)? && is(1)?)
}

/// The parent in a line of `/proc/<pid>/stat`: the second word behind the name, which may hold anything.
#[cfg(target_os = "linux")]
fn parent_in(stat: &str) -> Option<u32> {
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// The processes above us. One that is not shown is the last: what is above it cannot be known either.
#[cfg(not(target_os = "linux"))]
pub(crate) fn callers() -> Vec<Caller> {
    use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};

    let what = ProcessRefreshKind::nothing().with_cmd(UpdateKind::Always).with_cwd(UpdateKind::Always);
    let mut found: Vec<Caller> = Vec::new();
    let Ok(mut system) = System::new() else { return vec![Caller::default()] };
    let mut pid = Pid::from_u32(std::process::id());
    for generation in 0..=GENERATIONS {
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), false, what);
        let Some(process) = system.process(pid) else {
            // On Windows a parent that has ended is still named; nothing of it can be asked.
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
            // Launchd and the session manager start no agents with flags, and are not shown to everybody.
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
    fn who_started_us_is_seen() {
        let found = callers();
        assert!(!found.is_empty() && found.iter().all(|caller| !caller.words.is_empty()), "{found:?}");
        assert!(found[0].cwd.is_some() && found[0].pid > 0, "{found:?}");
        assert_eq!(parent_in("12 (a) b) S 7 12 12 0"), Some(7));
        assert_eq!(parent_in("12 (a"), None);
    }
}
