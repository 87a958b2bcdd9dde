//! One task's files. Metadata is replaced as a whole, so a reader never sees half a file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::TaskInfo;
use crate::SandboxError;
use crate::spill::create_private_dir;

/// `<tasks>/<id>`.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    dir: PathBuf,
    id: String,
}

/// A new folder with an unguessable name.
pub(super) fn create(tasks: &Path) -> Result<Folder, SandboxError> {
    let fail = || SandboxError::io("making a task folder in", tasks);
    create_private_dir(tasks).map_err(fail())?;
    let mut new = tempfile::Builder::new();
    new.prefix("t").rand_bytes(8);
    #[cfg(unix)]
    new.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    let dir = new.tempdir_in(tasks).map_err(fail())?.keep();
    let id = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Folder { dir, id })
}

/// A task's folder, if it exists. An id has only letters and digits, so it can't point elsewhere.
pub(super) fn open(tasks: &Path, id: &str) -> Result<Folder, SandboxError> {
    let plain = id.len() <= 32 && id.starts_with('t') && id.bytes().all(|b| b.is_ascii_alphanumeric());
    let folder = Folder { dir: tasks.join(if plain { id } else { "none" }), id: id.to_owned() };
    if plain && folder.meta().is_file() {
        return Ok(folder);
    }
    Err(SandboxError::NoTask { id: id.chars().take(40).collect() })
}

impl Folder {
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    fn meta(&self) -> PathBuf {
        self.dir.join("meta.json")
    }

    pub(super) fn output(&self) -> PathBuf {
        self.dir.join("output.log")
    }

    /// The file with the text that the agent saw.
    pub(super) fn visible_path(&self) -> PathBuf {
        self.dir.join("shown.log")
    }

    /// The file that asks the owner to stop the task.
    fn stop_mark(&self) -> PathBuf {
        self.dir.join("stop")
    }

    pub(super) fn read(&self) -> Result<TaskInfo, SandboxError> {
        let path = self.meta();
        let bytes = std::fs::read(&path).map_err(SandboxError::io("reading", &path))?;
        let mut info: TaskInfo =
            serde_json::from_slice(&bytes).map_err(|e| SandboxError::io("reading", &path)(e.into()))?;
        info.output_bytes = self.output_bytes();
        Ok(info)
    }

    pub(super) fn write(&self, info: &TaskInfo) -> Result<(), SandboxError> {
        let path = self.meta();
        let written = tempfile::NamedTempFile::new_in(&self.dir).and_then(|mut temp| {
            temp.write_all(&serde_json::to_vec_pretty(info)?)?;
            temp.persist(&path).map_err(|e| e.error)
        });
        written.map(drop).map_err(SandboxError::io("writing", &path))
    }

    pub(super) fn output_bytes(&self) -> u64 {
        std::fs::metadata(self.output()).map_or(0, |meta| meta.len())
    }

    pub(super) fn create_output(&self) -> io::Result<File> {
        let mut options = File::options();
        private(options.create(true).append(true)).open(self.output())
    }

    pub(super) fn write_visible(&self, text: &str) -> io::Result<()> {
        let mut options = File::options();
        private(options.create(true).write(true).truncate(true))
            .open(self.visible_path())?
            .write_all(text.as_bytes())
    }

    pub(super) fn ask_to_stop(&self) -> Result<(), SandboxError> {
        let path = self.stop_mark();
        std::fs::write(&path, b"").map_err(SandboxError::io("writing", &path))
    }

    pub(super) fn is_asked_to_stop(&self) -> bool {
        self.stop_mark().exists()
    }

    /// Removes a folder whose task never started.
    pub(super) fn discard(&self) {
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// Readable by its owner only.
fn private(options: &mut std::fs::OpenOptions) -> &mut std::fs::OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// A file's last lines within `max_bytes`, and whether there is more before them.
pub(super) fn tail(path: &Path, max_bytes: u64, lines: Option<usize>) -> io::Result<(String, bool)> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let from = length.saturating_sub(max_bytes);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(max_bytes).read_to_end(&mut bytes)?;
    let mut start = 0;
    if from > 0 {
        start = memchr::memchr(b'\n', &bytes).map_or(0, |at| at + 1);
    }
    if let Some(lines) = lines {
        let without_end = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let nth = lines.checked_sub(1).and_then(|n| memchr::memrchr_iter(b'\n', without_end).nth(n));
        match (lines, nth) {
            (0, _) => start = bytes.len(),
            (_, Some(at)) => start = start.max(at + 1),
            (_, None) => {}
        }
    }
    let text = String::from_utf8_lossy(bytes.get(start..).unwrap_or_default()).into_owned();
    Ok((text, from + start as u64 > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn only_the_user_can_open_a_task() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let tasks = dir.path().join("tasks");
        let folder = create(&tasks).unwrap();
        for dir in [&tasks, &folder.dir] {
            let mode = std::fs::metadata(dir).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700, "{}", dir.display());
        }
    }

    #[test]
    fn a_tail_is_whole_lines_from_the_end() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        std::fs::write(&path, "one\ntwo\nthree\n").unwrap();
        let check = |max, lines, text: &str, cut| {
            assert_eq!(tail(&path, max, lines).unwrap(), (text.to_owned(), cut), "{max} {lines:?}");
        };
        check(100, None, "one\ntwo\nthree\n", false);
        check(100, Some(2), "two\nthree\n", true);
        check(100, Some(3), "one\ntwo\nthree\n", false);
        check(100, Some(9), "one\ntwo\nthree\n", false);
        check(100, Some(0), "", true);
        check(8, None, "three\n", true);
    }

    #[test]
    fn an_id_cannot_escape_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        for id in ["", ".", "..", "../x", "t/../..", "tü", "t\0", &"t".repeat(99)] {
            assert!(open(dir.path(), id).is_err(), "{id}");
        }
    }
}
