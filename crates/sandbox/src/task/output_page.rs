//! Reads an output from its beginning, page by page. Owns where a page ends: after a line if there is one, otherwise between
//! two characters.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::{TaskInfo, Tasks, files};
use crate::SandboxError;

/// A page of a task's output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskOutputPage {
    /// The task.
    pub task: TaskInfo,
    /// The page's text; invalid bytes replaced.
    pub text: String,
    /// Where the next one begins, in bytes; `None` at the end.
    pub next: Option<u64>,
    /// The output's total size, in bytes.
    pub total: u64,
}

impl Tasks {
    /// About `max` bytes of the task's output, from the byte `offset` on.
    ///
    /// # Errors
    /// [`SandboxError::NoTask`], or the file cannot be read.
    pub fn output_page(&self, id: &str, offset: u64, max: u64) -> Result<TaskOutputPage, SandboxError> {
        let task = self.get(id)?;
        let path = files::open(self.dir(), id)?.output();
        let (text, next, total) =
            output_page(&path, offset, max).map_err(SandboxError::io("reading", &path))?;
        Ok(TaskOutputPage { task, text, next, total })
    }
}

fn output_page(path: &Path, offset: u64, max: u64) -> io::Result<(String, Option<u64>, u64)> {
    let mut file = File::open(path)?;
    let total = file.metadata()?.len();
    let offset = offset.min(total);
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    file.take(max.max(4)).read_to_end(&mut bytes)?;
    if offset + (bytes.len() as u64) < total {
        bytes.truncate(end_of(&bytes));
    }
    let next = offset + bytes.len() as u64;
    Ok((
        String::from_utf8_lossy(&bytes).into_owned(),
        (next < total && !bytes.is_empty()).then_some(next),
        total,
    ))
}

/// How much of a page is complete lines, or else complete characters.
fn end_of(bytes: &[u8]) -> usize {
    if let Some(feed) = memchr::memrchr(b'\n', bytes) {
        return feed + 1;
    }
    let begun = (1..=bytes.len().min(4)).find(|back| bytes[bytes.len() - back] & 0xc0 != 0x80);
    match begun {
        // An unfinished multi-byte character belongs to the next page.
        Some(back) if bytes[bytes.len() - back] >= 0xc0 && back < bytes.len() => bytes.len() - back,
        _ => bytes.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(content: &[u8], max: u64) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        std::fs::write(&path, content).unwrap();
        let (mut found, mut at) = (Vec::new(), Some(0));
        while let Some(offset) = at {
            let (text, next, total) = output_page(&path, offset, max).unwrap();
            assert_eq!(total, content.len() as u64);
            found.push(text);
            at = next;
        }
        found
    }

    #[test]
    fn pieces_are_whole_lines_or_whole_letters() {
        assert_eq!(pieces(b"one\ntwo\nthree\n", 9), ["one\ntwo\n", "three\n"]);
        assert_eq!(pieces("öäüß".as_bytes(), 5), ["öä", "üß"]);
        assert_eq!(pieces(b"abcdefgh", 5), ["abcde", "fgh"]);
        assert_eq!(pieces(b"", 9), [""]);
        assert_eq!(pieces(b"\xff\xfe\xc3\xc3\xc3\xc3", 4).concat().chars().count(), 6);
    }

    #[test]
    fn a_page_past_the_end_is_empty() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        std::fs::write(&path, "one").unwrap();
        assert_eq!(output_page(&path, 99, 10).unwrap(), (String::new(), None, 3));
    }
}
