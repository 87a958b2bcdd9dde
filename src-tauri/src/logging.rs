//! The log: a file in the log folder as soon as there is a Plimsoll folder, standard error before. Nothing is written on a
//! computer before the person agrees to something, and from that moment on everything that is said to be logged is.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use home::Home;

/// How long the log may grow before it is put aside, in bytes.
const MOST: u64 = 1024 * 1024;

/// The log's name, and that of the one before it.
const NAME: &str = "desktop.log";
const BEFORE: &str = "desktop.log.1";

/// Writes a line where it belongs at this moment.
pub(crate) fn write(home: &Home, line: &str) {
    let written = file(home).and_then(|path| append(&path, line));
    if written.is_none() {
        let _ = writeln!(std::io::stderr(), "{}", line.trim_end());
    }
}

/// The log file, once there is a place for it.
fn file(home: &Home) -> Option<PathBuf> {
    if !home.root().is_dir() {
        return None;
    }
    let logs = home.logs_dir();
    home::private_dir(&logs).ok()?;
    Some(logs.join(NAME))
}

fn append(path: &Path, line: &str) -> Option<()> {
    if std::fs::metadata(path).is_ok_and(|meta| meta.len() > MOST) {
        // One that cannot be put aside goes on growing rather than being lost.
        let _ = std::fs::rename(path, path.with_file_name(BEFORE));
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut line = line.trim_end().to_owned();
    line.push('\n');
    // One write, so that lines of two threads do not mix.
    options.open(path).and_then(|mut file| file.write_all(line.as_bytes())).ok()
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
        std::fs::write(&log, "x".repeat(usize::try_from(MOST).unwrap() + 1)).unwrap();
        write(&home, "three");
        assert_eq!(std::fs::read_to_string(&log).unwrap(), "three\n");
        assert!(home.logs_dir().join(BEFORE).is_file());
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
