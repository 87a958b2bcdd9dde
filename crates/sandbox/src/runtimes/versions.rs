//! Programs' versions. Asking takes 5 to 500 ms, so answers are kept in a small file by the program's path, size and
//! modification time. An unusable cache file counts as missing.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// A program's time to print its version.
const LIMIT: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    bytes: u64,
    changed_ns: u64,
    version: String,
}

#[derive(Debug)]
pub(super) struct Versions {
    file: Option<PathBuf>,
    /// None until first needed.
    known: Mutex<Option<BTreeMap<String, Entry>>>,
}

impl Versions {
    pub(super) fn cached_in(file: Option<PathBuf>) -> Versions {
        Versions { file, known: Mutex::new(None) }
    }

    /// The first line of the program's output for `args`.
    pub(super) fn of(&self, program: &Path, args: &[&str]) -> Option<String> {
        let key = program.to_str()?.to_owned();
        let meta = std::fs::metadata(program).ok()?;
        let changed = meta.modified().ok().and_then(|t| t.duration_since(UNIX_EPOCH).ok());
        let changed_ns = changed.map_or(0, |t| u64::try_from(t.as_nanos()).unwrap_or(u64::MAX));
        let fits = |e: &Entry| e.bytes == meta.len() && e.changed_ns == changed_ns;
        {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            let known = known.get_or_insert_with(|| self.load());
            if let Some(entry) = known.get(&key).filter(|entry| fits(entry)) {
                return Some(entry.version.clone());
            }
        }
        // Not under the lock: several programs are asked at the same time.
        let version = query(program, args)?;
        let entry = Entry { bytes: meta.len(), changed_ns, version: version.clone() };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_with(BTreeMap::new);
        known.insert(key, entry);
        self.save(known);
        Some(version)
    }

    fn load(&self) -> BTreeMap<String, Entry> {
        self.file
            .as_ref()
            .and_then(|file| std::fs::read(file).ok())
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default()
    }

    fn save(&self, known: &BTreeMap<String, Entry>) {
        let Some(file) = &self.file else { return };
        if let Err(error) = write_atomically(file, known) {
            log::debug!("versions are not remembered in {}: {error}", file.display());
        }
    }
}

/// Writes a temporary file and renames it, so that another server never reads half a file.
fn write_atomically(file: &Path, known: &BTreeMap<String, Entry>) -> std::io::Result<()> {
    let dir = file.parent().unwrap_or(Path::new("."));
    crate::spill::create_private_dir(dir)?;
    let mut temp = tempfile::NamedTempFile::new_in(dir)?;
    temp.write_all(&serde_json::to_vec(known)?)?;
    temp.persist(file).map_err(|e| e.error)?;
    Ok(())
}

/// Starts the program and returns the first line of its stdout, or else of its stderr.
fn query(program: &Path, args: &[&str]) -> Option<String> {
    // Files, not pipes: neither much output nor a descendant that keeps a pipe open can block.
    let printed = tempfile::tempfile().ok()?;
    let complained = tempfile::tempfile().ok()?;
    let env: Vec<_> = std::env::vars_os().collect();
    let mut command = Command::new(program);
    command
        .args(args)
        .env_clear()
        .envs(crate::child_env(&env, None, None))
        .stdin(Stdio::null())
        .stdout(printed.try_clone().ok()?)
        .stderr(complained.try_clone().ok()?);
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt;
        command.creation_flags(windows_sys::Win32::System::Threading::CREATE_NO_WINDOW);
    }
    let mut child = command.spawn().ok()?;
    let started = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if started.elapsed() < LIMIT => std::thread::sleep(Duration::from_millis(3)),
            Ok(None) | Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    };
    if !status.success() {
        return None;
    }
    first_line(printed).or_else(|| first_line(complained))
}

fn first_line(mut file: File) -> Option<String> {
    file.rewind().ok()?;
    let mut printed = Vec::new();
    file.take(4096).read_to_end(&mut printed).ok()?;
    let text = String::from_utf8_lossy(&printed);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().take(120).collect())
}

/// The first two numbers of a version anywhere in the text: `go version go1.19.8` → (1, 19).
pub(super) fn major_minor(text: &str) -> Option<(u32, u32)> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let mut parts = text[start..].split(|c: char| !c.is_ascii_digit());
    let major = parts.next()?.parse().ok()?;
    let minor = parts.next().and_then(|part| part.parse().ok()).unwrap_or(0);
    Some((major, minor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_programs_say() {
        for (text, expected) in [
            ("v20.20.2", Some((20, 20))),
            ("Python 3.12.1", Some((3, 12))),
            ("go version go1.19.8 linux/amd64", Some((1, 19))),
            ("10", Some((10, 0))),
            ("none", None),
            ("99999999999999.1", None),
        ] {
            assert_eq!(major_minor(text), expected, "{text}");
        }
    }
}
