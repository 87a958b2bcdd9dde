//! The log: a file in the log folder once Plimsoll's folder exists, standard error before. Nothing is written on a
//! computer before the user agrees to something; from then on everything is logged.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use home::Home;

/// The size in bytes at which the log is rotated.
const MAX_BYTES: u64 = 1024 * 1024;

/// The names of the log and of the previous one.
const NAME: &str = "desktop.log";
const PREVIOUS: &str = "desktop.log.1";

/// Writes a line to the file or to standard error.
pub(crate) fn write(home: &Home, line: &str) {
    let written = file(home).and_then(|path| append(&path, line));
    if written.is_none() {
        let _ = writeln!(std::io::stderr(), "{}", line.trim_end());
    }
}

/// The log file, once its folder exists.
fn file(home: &Home) -> Option<PathBuf> {
    if !home.root().is_dir() {
        return None;
    }
    let logs = home.logs_dir();
    home::private_dir(&logs).ok()?;
    Some(logs.join(NAME))
}

fn append(path: &Path, line: &str) -> Option<()> {
    if std::fs::metadata(path).is_ok_and(|meta| meta.len() > MAX_BYTES) {
        // A log that can't be rotated grows rather than being lost.
        let _ = std::fs::rename(path, path.with_file_name(PREVIOUS));
    }
    let mut options = home::private_options();
    let mut line = line.trim_end().to_owned();
    line.push('\n');
    // A single write, so that lines of two threads or processes don't mix.
    options.create(true).append(true).open(path).and_then(|mut file| file.write_all(line.as_bytes())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_before_there_is_a_folder_and_everything_after() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
        write(&home, "before");
        assert!(!home.root().exists(), "logging made a folder");
        home.ensure().unwrap();
        write(&home, "one\n");
        write(&home, "two");
        let log = home.logs_dir().join(NAME);
        assert_eq!(std::fs::read_to_string(&log).unwrap(), "one\ntwo\n");
        std::fs::write(&log, "x".repeat(usize::try_from(MAX_BYTES).unwrap() + 1)).unwrap();
        write(&home, "three");
        assert_eq!(std::fs::read_to_string(&log).unwrap(), "three\n");
        assert!(home.logs_dir().join(PREVIOUS).is_file());
    }

    #[test]
    fn a_folder_that_takes_nothing_harms_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("plimsoll"));
        std::fs::create_dir(home.root()).unwrap();
        std::fs::write(home.logs_dir(), "a file in its place").unwrap();
        write(&home, "said on standard error");
        assert_eq!(std::fs::read_to_string(home.logs_dir()).unwrap(), "a file in its place");
    }
}
