//! Processes from `/proc`: which are alive, their parents, and which are zombies.

use std::time::{Duration, Instant};

/// A line of the process table.
#[derive(Debug, Clone)]
pub struct Process {
    /// Its id.
    pub pid: u32,
    /// Its parent's id.
    pub parent: u32,
    /// Whether it has ended and hasn't been waited for.
    pub zombie: bool,
    /// Its words, separated by spaces; empty for zombies.
    pub words: String,
}

/// The process table; empty on systems without `/proc`.
pub fn processes() -> Vec<Process> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| process(entry.file_name().to_str()?.parse().ok()?)).collect()
}

fn process(pid: u32) -> Option<Process> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, may contain anything.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let zombie = fields.next()? == "Z";
    let parent = fields.next()?.parse().ok()?;
    let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = String::from_utf8_lossy(&words).replace('\0', " ").trim().to_owned();
    Some(Process { pid, parent, zombie, words })
}

/// Whether a process with this id is running; a zombie isn't.
pub fn alive(pid: u32) -> bool {
    process(pid).is_some_and(|process| !process.zombie)
}

/// Running processes with this among their words, except shells that only pass it on.
pub fn running(mark: &str) -> Vec<Process> {
    processes().into_iter().filter(|process| !process.zombie && process.words.contains(mark)).collect()
}

/// Zombies whose parent is this process.
pub fn zombies_of(pid: u32) -> Vec<Process> {
    processes().into_iter().filter(|process| process.zombie && process.parent == pid).collect()
}

/// How long it took until this was true; `None` if it wasn't within `limit`.
pub fn time_until(limit: Duration, mut holds: impl FnMut() -> bool) -> Option<Duration> {
    let since = Instant::now();
    loop {
        if holds() {
            return Some(since.elapsed());
        }
        if since.elapsed() > limit {
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Resident memory in bytes.
pub fn resident(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}
