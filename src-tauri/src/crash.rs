//! Records a crash: a file in the log folder with the reason and the location, which the window offers to show at the
//! next start. Nothing is sent anywhere. Doesn't know what the program was doing.

use std::backtrace::Backtrace;
use std::fmt::Write as _;
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use home::Home;

/// The prefix of a crash file's name; the rest is the time in milliseconds since 1970.
const PREFIX: &str = "desktop-crash-";

/// How many crash files are kept.
const KEPT: usize = 5;

/// The marker that the newest crash file has been shown.
const SHOWN: &str = "desktop-crash.shown";

/// Only one crash is written at a time.
static WRITING: Mutex<()> = Mutex::new(());

/// Makes a panic of any thread leave a file in the log folder.
pub(crate) fn watch(home: &Home) {
    let logs = home.logs_dir();
    let root = home.clone();
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let text = describe(info);
        if let Ok(_one) = WRITING.lock()
            && root.ensure().is_ok()
        {
            let _ = write(&logs, &text, home::Clock::system().now_ms());
        }
        before(info);
    }));
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let what = info
        .payload()
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| info.payload().downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no reason was given");
    let mut text = format!(
        "Plimsoll {} on {} {}\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH
    );
    let _ = writeln!(text, "thread: {}", std::thread::current().name().unwrap_or("without a name"));
    let _ = writeln!(text, "reason: {what}");
    if let Some(place) = info.location() {
        let _ = writeln!(text, "place: {place}");
    }
    let _ = writeln!(text, "\n{}", Backtrace::force_capture());
    text
}

/// Writes a crash file and deletes the oldest beyond [`KEPT`].
fn write(logs: &Path, text: &str, now_ms: i64) -> std::io::Result<()> {
    home::private_dir(logs)?;
    home::write_private(&logs.join(format!("{PREFIX}{now_ms:013}.log")), text.as_bytes())?;
    let mut files = crash_files(logs);
    while files.len() > KEPT {
        let _ = std::fs::remove_file(files.remove(0));
    }
    Ok(())
}

/// The crash files, oldest first.
fn crash_files(logs: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(logs).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with(PREFIX) && name.ends_with(".log")
        })
        .collect();
    files.sort();
    files
}

/// The newest crash file, unless it was shown before. A second call returns `None`.
pub(crate) fn take(logs: &Path) -> Option<PathBuf> {
    let newest = crash_files(logs).pop()?;
    let name = newest.file_name()?.to_str()?;
    let mark = logs.join(SHOWN);
    if std::fs::read_to_string(&mark).is_ok_and(|shown| shown == name) {
        return None;
    }
    let _ = home::write_private(&mark, name.as_bytes());
    Some(newest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_reported_once_and_only_the_last_few_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(take(dir.path()), None);
        for at in 1..=7 {
            write(dir.path(), &format!("crash {at}"), at).unwrap();
        }
        assert_eq!(crash_files(dir.path()).len(), KEPT);
        let told = take(dir.path()).unwrap();
        assert_eq!(std::fs::read_to_string(&told).unwrap(), "crash 7");
        assert_eq!(take(dir.path()), None, "it is told once");
        write(dir.path(), "crash 8", 8).unwrap();
        assert!(take(dir.path()).is_some_and(|path| path != told));
    }
}
