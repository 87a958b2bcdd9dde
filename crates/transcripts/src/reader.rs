//! Reads one source, from its beginning or from where an earlier reading ended. Owns the cursor and how it recognises a
//! replaced file. Knows no format.

use std::fs::{File, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::TranscriptError;
use crate::format::Format;
use crate::record::Record;
use crate::records::{Counts, LINE_BYTES, Records};
use crate::source::{Kind, Source, Store, modified_ms};
use crate::state::State;

/// How much of a file's beginning identifies it.
const HEAD_BYTES: usize = 1024;

/// Where a reading ended. Keep it and pass it to the next reading; its content is private.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cursor {
    identity: (u64, u64),
    head: u64,
    head_bytes: usize,
    size: u64,
    modified_ms: i64,
    offset: u64,
    skipping: bool,
    watermark: i64,
    state: State,
}

/// The result of a reading.
#[derive(Debug)]
pub struct ReadOutcome {
    /// Where the next one continues.
    pub cursor: Cursor,
    /// What was found.
    pub counts: Counts,
    /// Why it didn't reach the end.
    pub error: Option<TranscriptError>,
}

enum Open {
    File {
        records: Box<Records<File>>,
        cursor: Cursor,
    },
    Store(Box<dyn Store>),
    /// A document that hasn't changed since it was read.
    Nothing(Cursor),
}

/// A source's records, in the order in which they were written.
///
/// A record may be returned again if the source has more about it now or if a file must be read from the start: callers
/// that keep records recognise it by its key.
pub struct Reader {
    path: PathBuf,
    open: Open,
    went_on: bool,
}

impl Reader {
    /// Opens a source. With an earlier reading's cursor it continues from there, unless the file was replaced or is
    /// shorter now; then it starts over.
    ///
    /// # Errors
    /// If it can't be opened; see [`TranscriptError`].
    pub fn open(source: &Source, cursor: Option<&Cursor>) -> Result<Self, TranscriptError> {
        let went_on = cursor.is_some();
        let since = cursor.map_or(0, |cursor| cursor.watermark);
        let path = source.path.clone();
        match source.kind {
            Kind::Store(open) => {
                let store = open(&path, since)?;
                Ok(Self { path, open: Open::Store(store), went_on })
            }
            Kind::File(format) => Self::file(path, format, cursor),
        }
    }

    fn file(
        path: PathBuf,
        format: &'static Format,
        cursor: Option<&Cursor>,
    ) -> Result<Self, TranscriptError> {
        let failed = |source| TranscriptError::Io { path: path.clone(), source };
        let mut file = home::open_regular(&path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        let head = read_head(&mut file).map_err(failed)?;
        let now = Cursor {
            identity: identity(&metadata),
            head: hash(&head),
            head_bytes: head.len(),
            size: metadata.len(),
            modified_ms: modified_ms(&metadata),
            state: State::for_session(&(format.session)(&path)),
            ..Cursor::default()
        };
        let same = |before: &&Cursor| {
            before.identity == now.identity
                && before.offset <= now.size
                && head.get(..before.head_bytes).is_some_and(|part| hash(part) == before.head)
        };
        let before = cursor.filter(same);
        let went_on = before.is_some();
        let (state, offset, skipping) = match before {
            Some(before) if format.document => {
                if (before.size, before.modified_ms) == (now.size, now.modified_ms) {
                    return Ok(Self { path, open: Open::Nothing(before.clone()), went_on });
                }
                (now.state.clone(), 0, false)
            }
            Some(before) => (before.state.clone(), before.offset, before.skipping),
            None => (now.state.clone(), 0, false),
        };
        file.seek(SeekFrom::Start(offset)).map_err(failed)?;
        let records = Box::new(Records::from(format, state, file, LINE_BYTES, offset, skipping));
        Ok(Self { path, open: Open::File { records, cursor: now }, went_on })
    }

    /// Whether it continues from the given cursor instead of starting over.
    pub fn resumed(&self) -> bool {
        self.went_on
    }

    /// Where the next reading continues, and how this one went. Before the last record is taken, the cursor is after what was
    /// read, which may be further than what was taken.
    pub fn finish(self) -> ReadOutcome {
        match self.open {
            Open::File { records, mut cursor } => {
                (cursor.offset, cursor.skipping) = records.resume_point();
                let counts = records.counts();
                let error = records.error.map(|source| TranscriptError::Io { path: self.path, source });
                cursor.state = records.state;
                ReadOutcome { cursor, counts, error }
            }
            Open::Store(store) => {
                let (watermark, counts, error) = store.finish();
                ReadOutcome { cursor: Cursor { watermark, ..Cursor::default() }, counts, error }
            }
            Open::Nothing(cursor) => ReadOutcome { cursor, counts: Counts::default(), error: None },
        }
    }
}

impl Iterator for Reader {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        match &mut self.open {
            Open::File { records, .. } => records.next(),
            Open::Store(store) => store.next(),
            Open::Nothing(_) => None,
        }
    }
}

fn read_head(file: &mut File) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD_BYTES);
    file.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head)?;
    Ok(head)
}

fn hash(bytes: &[u8]) -> u64 {
    let mut first = [0; 8];
    first.copy_from_slice(&blake3::hash(bytes).as_bytes()[..8]);
    u64::from_le_bytes(first)
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

/// Without file numbers, the creation time and the beginning identify a file.
#[cfg(not(unix))]
fn identity(metadata: &Metadata) -> (u64, u64) {
    let made = metadata.created().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    (made.map_or(0, |made| made.as_secs()), made.map_or(0, |made| u64::from(made.subsec_nanos())))
}
