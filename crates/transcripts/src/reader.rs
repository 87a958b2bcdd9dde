//! Reading one source, from its beginning or from where an earlier reading ended. Owns the cursor and how it is
//! told that a file is another one now. Knows no format.

use std::fs::{File, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::TranscriptError;
use crate::calls::State;
use crate::format::Format;
use crate::places::{Kind, Source, Store, modified_ms};
use crate::record::Record;
use crate::records::{Counts, LINE_BYTES, Records};

/// How much of a file's beginning tells it from another.
const HEAD_BYTES: usize = 1024;

/// Where a reading ended. To be kept and handed to the next one; what is in it is the reader's affair.
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

/// How a reading ended.
#[derive(Debug)]
pub struct Ended {
    /// Where the next one goes on.
    pub cursor: Cursor,
    /// What was met.
    pub counts: Counts,
    /// Why it did not come to the end.
    pub error: Option<TranscriptError>,
}

enum Open {
    File {
        records: Box<Records<File>>,
        cursor: Cursor,
    },
    Store(Box<dyn Store>),
    /// A document that has not changed since it was read.
    Nothing(Cursor),
}

/// The records of a source, in the order in which they were written.
///
/// A record that was already told may be told again, when the source says more about it now or when a file has to
/// be read afresh: who keeps records over several calls recognises it by its key.
pub struct Reader {
    path: PathBuf,
    open: Open,
    went_on: bool,
}

impl Reader {
    /// Opens a source. With a cursor of an earlier reading it goes on from there, unless the file is another one
    /// or shorter now; then it begins anew.
    ///
    /// # Errors
    /// When it cannot be opened; see [`TranscriptError`].
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
            state: State::named(&(format.session)(&path)),
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

    /// Whether this goes on from the cursor that was given, rather than from the beginning.
    pub fn went_on(&self) -> bool {
        self.went_on
    }

    /// Where the next reading goes on, and how this one went. Before the last record was taken, the cursor stands
    /// behind what was read, which may be further than what was taken.
    pub fn finish(self) -> Ended {
        match self.open {
            Open::File { records, mut cursor } => {
                (cursor.offset, cursor.skipping) = records.place();
                let counts = records.counts();
                let error = records.error.map(|source| TranscriptError::Io { path: self.path, source });
                cursor.state = records.state;
                Ended { cursor, counts, error }
            }
            Open::Store(store) => {
                let (watermark, counts, error) = store.ended();
                Ended { cursor: Cursor { watermark, ..Cursor::default() }, counts, error }
            }
            Open::Nothing(cursor) => Ended { cursor, counts: Counts::default(), error: None },
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

/// Where files have no number that can be asked for, when they were made tells them apart, and how they begin.
#[cfg(not(unix))]
fn identity(metadata: &Metadata) -> (u64, u64) {
    let made = metadata.created().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    (made.map_or(0, |made| made.as_secs()), made.map_or(0, |made| u64::from(made.subsec_nanos())))
}
