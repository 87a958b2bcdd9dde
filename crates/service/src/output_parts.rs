//! Splits an output file into storable parts at line ends, without colours and secrets. Only one part is in memory at
//! a time, regardless of the output's size. Doesn't know what a part is used for.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use knowledge::KnowledgeError;

use crate::printed_text;

/// Bytes per part: the knowledge base replaces sources as a whole, so this bounds memory.
pub(crate) const PART: usize = 4 * 1024 * 1024;

/// Longer lines are read in pieces.
const PIECE: u64 = 64 * 1024;

/// The part of an output that is still to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rest {
    /// The file with the full output.
    pub(crate) path: PathBuf,
    /// The byte at which the rest begins.
    pub(crate) from: u64,
}

/// The parts of a file from an offset on.
pub(crate) struct Parts {
    path: PathBuf,
    reader: BufReader<File>,
}

impl Parts {
    /// Opens the file.
    ///
    /// # Errors
    /// If it can't be read.
    pub(crate) fn of(path: &Path, from: u64) -> knowledge::Result<Self> {
        let failed = |error| KnowledgeError::Io { path: path.to_owned(), error };
        let mut file = File::open(path).map_err(failed)?;
        // No file system seeks beyond its largest file.
        let from = from.min(file.metadata().map_err(failed)?.len());
        file.seek(SeekFrom::Start(from)).map_err(failed)?;
        Ok(Self { path: path.to_owned(), reader: BufReader::with_capacity(256 * 1024, file) })
    }
}

impl Iterator for Parts {
    type Item = knowledge::Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut part = String::new();
        while part.len() < PART {
            match line(&mut self.reader) {
                Ok(Some(line)) => part.push_str(&printed_text::storable(&String::from_utf8_lossy(&line))),
                Ok(None) => break,
                Err(error) => return Some(Err(KnowledgeError::Io { path: self.path.clone(), error })),
            }
        }
        (!part.is_empty()).then(|| Ok(text::redact(&part).into_owned()))
    }
}

/// The next line with its line end, or a piece of a long one; `None` at the end.
pub(crate) fn line(reader: &mut impl BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let read = reader.by_ref().take(PIECE).read_until(b'\n', &mut line)?;
    if read as u64 == PIECE {
        // A piece doesn't end inside a letter: at most three of its bytes follow.
        for _ in 0..3 {
            let Some(byte) = reader.fill_buf()?.first().copied().filter(|byte| byte & 0xc0 == 0x80) else {
                break;
            };
            line.push(byte);
            reader.consume(1);
        }
    }
    Ok((read > 0).then_some(line))
}

/// The label of a part; the first has the plain label.
pub(crate) fn label(label: &str, index: usize) -> String {
    if index == 0 { label.to_owned() } else { format!("{label}/{}", index + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_not_cut_inside_a_letter() {
        for letter in ["ü", "日", "😀"] {
            for shift in 0..4 {
                let text = format!("{}{}\nend\n", "x".repeat(shift), letter.repeat(PIECE as usize));
                let mut reader = BufReader::with_capacity(4096, text.as_bytes());
                let mut seen = String::new();
                while let Some(piece) = line(&mut reader).unwrap() {
                    seen.push_str(std::str::from_utf8(&piece).expect("whole letters"));
                }
                assert!(seen == text, "{letter} {shift}");
            }
        }
    }

    #[test]
    fn the_parts_make_up_the_whole_and_end_after_lines() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out");
        let line = "\u{1b}[31mplain words of a line\u{1b}[0m\n";
        std::fs::write(&path, line.repeat(2 * PART / 20)).unwrap();
        let parts: Vec<String> = Parts::of(&path, line.len() as u64).unwrap().map(Result::unwrap).collect();
        assert!(parts.len() > 1 && parts.iter().all(|part| part.ends_with("line\n")), "{}", parts.len());
        assert!(parts.iter().all(|part| part.len() < PART + 100));
        assert_eq!(parts.concat(), "plain words of a line\n".repeat(2 * PART / 20 - 1));
        assert_eq!(Parts::of(&path, u64::MAX / 4).unwrap().count(), 0);
    }
}
