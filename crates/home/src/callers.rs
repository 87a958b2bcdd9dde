//! The command lines of the processes that started us, nearest first: an agent may have been started with settings that
//! stand in no file. Owns asking the system; what the words mean is the agents' affair.

/// How far up is looked: a shell or two, a wrapper, the agent.
const GENERATIONS: usize = 6;

/// The command lines as far as the system shows them.
#[cfg(target_os = "linux")]
pub(crate) fn command_lines() -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut pid = Some(std::os::unix::process::parent_id());
    while let Some(parent) = pid.filter(|pid| *pid > 1 && found.len() < GENERATIONS) {
        let Ok(line) = std::fs::read(format!("/proc/{parent}/cmdline")) else { break };
        let line = line.strip_suffix(b"\0").unwrap_or(&line);
        found.push(
            line.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect(),
        );
        pid = std::fs::read_to_string(format!("/proc/{parent}/stat")).ok().as_deref().and_then(parent_in);
    }
    found
}

/// The parent in a line of `/proc/<pid>/stat`: the second word behind the name, which may hold anything.
#[cfg(target_os = "linux")]
fn parent_in(stat: &str) -> Option<u32> {
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// The command lines as far as the system shows them.
#[cfg(not(target_os = "linux"))]
pub(crate) fn command_lines() -> Vec<Vec<String>> {
    use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};

    let what = ProcessRefreshKind::nothing().with_cmd(UpdateKind::Always);
    let mut found = Vec::new();
    let Ok(mut system) = System::new() else { return found };
    let mut pid = Pid::from_u32(std::process::id());
    for generation in 0..=GENERATIONS {
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), false, what);
        let Some(process) = system.process(pid) else { break };
        if generation > 0 {
            found.push(process.cmd().iter().map(|word| word.to_string_lossy().into_owned()).collect());
        }
        match process.parent() {
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
        let lines = command_lines();
        assert!(!lines.is_empty() && lines.iter().all(|line| !line.is_empty()), "{lines:?}");
        assert_eq!(parent_in("12 (a) b) S 7 12 12 0"), Some(7));
        assert_eq!(parent_in("12 (a"), None);
    }
}
