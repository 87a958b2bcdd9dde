//! Makes a path absolute from its text alone, without reading the disk.

use std::path::{Component, Path, PathBuf};

/// `text` as an absolute path without `.` and `..`.
pub(crate) fn absolute_path(text: &str, dir: &Path, home: &Path) -> PathBuf {
    let text = text.strip_prefix("file://").unwrap_or(text);
    let with_drive = if cfg!(windows) { drive(text) } else { None };
    let text = with_drive.as_deref().unwrap_or(text);
    let path = match text.strip_prefix('~') {
        Some("") => home.to_path_buf(),
        Some(rest) if rest.starts_with(['/', '\\']) => home.join(rest.trim_start_matches(['/', '\\'])),
        _ => dir.join(text),
    };
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

/// Git Bash and Claude Code write `/c/x` for `C:\x`.
fn drive(text: &str) -> Option<String> {
    let (letter, rest) = text.strip_prefix('/')?.split_at_checked(1)?;
    let named =
        letter.starts_with(|c: char| c.is_ascii_alphabetic()) && (rest.is_empty() || rest.starts_with('/'));
    named.then(|| format!("{letter}:/{}", rest.trim_start_matches('/')))
}
