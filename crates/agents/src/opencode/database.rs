//! Reads OpenCode's database while OpenCode may be writing it. Owns the connection, which can't write and leaves no file
//! behind, and the order of rows. A missing table or column isn't an error: versions differ.
//!
//! Only one message, with its tool output, is in memory at a time, and no transaction spans two messages, so the writer can
//! checkpoint its log as usual.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};
use serde_json::Value;
use transcripts::{Counts, LINE_BYTES, Record, Store, TranscriptError, modified_ms, object, only};

use super::transcript;

/// The database's owner, in errors.
const AGENT: &str = "OpenCode";

/// How long to wait for a busy database. Reading figures must not delay the user.
const BUSY: Duration = Duration::from_millis(250);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Table {
    Message,
    SessionMessage,
    Done,
}

/// The records in a database.
pub(super) struct Rows {
    path: PathBuf,
    conn: Connection,
    /// The main file and its log as they were when nothing else contained data.
    snapshot: Option<Stamp>,
    table: Table,
    with_parts: bool,
    row: i64,
    since: i64,
    newest: i64,
    queue: VecDeque<Record>,
    counts: Counts,
    error: Option<TranscriptError>,
}

/// A row of one of the tables.
struct Item {
    row: i64,
    id: String,
    session: String,
    kind: String,
    at_ms: i64,
    data: Option<Vec<u8>>,
}

impl Rows {
    /// Opens the rows written at or after `since` (milliseconds since 1970).
    pub(super) fn open(path: &Path, since: i64) -> Result<Self, TranscriptError> {
        let failed = |source| TranscriptError::Database { agent: AGENT, path: path.to_owned(), source };
        let (mode, snapshot) = mode(path)?;
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(uri(path, mode), flags).map_err(failed)?;
        conn.busy_timeout(BUSY).map_err(failed)?;
        let mut rows = Self {
            path: path.to_owned(),
            conn,
            snapshot,
            table: Table::Message,
            with_parts: false,
            row: i64::MIN,
            since,
            newest: since,
            queue: VecDeque::new(),
            counts: Counts::default(),
            error: None,
        };
        rows.with_parts = rows.has("part", &["id", "message_id", "data"]).map_err(failed)?;
        rows.enter(Table::Message).map_err(failed)?;
        Ok(rows)
    }

    /// Moves to a table, or to the next one if it is missing.
    fn enter(&mut self, table: Table) -> rusqlite::Result<()> {
        self.row = i64::MIN;
        self.table = match table {
            Table::Message if self.has("message", &["id", "session_id", "time_updated", "data"])? => table,
            Table::Message | Table::SessionMessage => {
                let columns = ["id", "session_id", "type", "time_updated", "data"];
                if self.has("session_message", &columns)? { Table::SessionMessage } else { Table::Done }
            }
            Table::Done => Table::Done,
        };
        Ok(())
    }

    fn has(&self, table: &str, columns: &[&str]) -> rusqlite::Result<bool> {
        let mut statement = self.conn.prepare("SELECT name FROM pragma_table_info(?1)")?;
        let names = statement.query_map([table], |row| row.get::<_, String>(0))?;
        let names: Vec<String> = names.collect::<rusqlite::Result<_>>()?;
        Ok(columns.iter().all(|column| names.iter().any(|name| name == column)))
    }

    /// The table's next row; a text over the size limit isn't read.
    fn step(&mut self) -> rusqlite::Result<bool> {
        let sql = match self.table {
            Table::Message => {
                "SELECT rowid, id, session_id, '', time_updated, CASE WHEN octet_length(data) <= ?3 THEN data END
                 FROM message WHERE rowid > ?1 AND time_updated >= ?2 ORDER BY rowid LIMIT 1"
            }
            Table::SessionMessage => {
                "SELECT rowid, id, session_id, type, time_updated, CASE WHEN octet_length(data) <= ?3 THEN data END
                 FROM session_message WHERE rowid > ?1 AND time_updated >= ?2 ORDER BY rowid LIMIT 1"
            }
            Table::Done => return Ok(false),
        };
        let found = self
            .conn
            .prepare_cached(sql)?
            .query_row(params![self.row, self.since, bound()], Item::read)
            .optional()?;
        let Some(item) = found else {
            match self.table {
                Table::Message => self.enter(Table::SessionMessage)?,
                Table::SessionMessage | Table::Done => self.table = Table::Done,
            }
            return Ok(self.table != Table::Done);
        };
        self.row = item.row;
        self.newest = self.newest.max(item.at_ms);
        let Some(data) = parsed(item.data.as_deref(), &mut self.counts) else { return Ok(true) };
        let place = transcript::Place { session: &item.session, message: &item.id, at_ms: item.at_ms };
        let mut found = Vec::new();
        if self.table == Table::SessionMessage {
            transcript::session_message(&place, &item.kind, &data, &mut found);
        } else {
            let tools = if self.with_parts { self.parts(&place, &mut found)? } else { Vec::new() };
            transcript::message(&place, &data, only(tools), &mut found);
        }
        self.queue.extend(found);
        Ok(true)
    }

    /// Reads a message's parts one by one; returns the tools they call.
    fn parts(
        &mut self,
        place: &transcript::Place<'_>,
        out: &mut Vec<Record>,
    ) -> rusqlite::Result<Vec<String>> {
        let mut statement = self.conn.prepare_cached(
            "SELECT 0, id, '', '', 0, CASE WHEN octet_length(data) <= ?2 THEN data END
             FROM part WHERE message_id = ?1 ORDER BY id",
        )?;
        let mut rows = statement.query(params![place.message, bound()])?;
        let mut tools = Vec::new();
        while let Some(row) = rows.next()? {
            let item = Item::read(row)?;
            let Some(data) = parsed(item.data.as_deref(), &mut self.counts) else { continue };
            tools.push(transcript::tool(&data));
            transcript::part(place, &item.id, &data, out);
        }
        Ok(tools)
    }
}

impl Iterator for Rows {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        loop {
            if let Some(record) = self.queue.pop_front() {
                return Some(record);
            }
            match self.step() {
                Ok(true) => {}
                Ok(false) => {
                    let changed =
                        self.snapshot.as_ref().is_some_and(|before| *before != Stamp::of(&self.path));
                    if changed && self.error.is_none() {
                        self.error = Some(TranscriptError::Changed { path: self.path.clone() });
                    }
                    return None;
                }
                Err(source) => {
                    self.table = Table::Done;
                    self.error =
                        Some(TranscriptError::Database { agent: AGENT, path: self.path.clone(), source });
                }
            }
        }
    }
}

impl Store for Rows {
    /// The previous position if the reading can't be trusted.
    fn finish(self: Box<Self>) -> (i64, Counts, Option<TranscriptError>) {
        let watermark = if self.error.is_some() { self.since } else { self.newest };
        (watermark, self.counts, self.error)
    }
}

impl Item {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let text =
            |index: usize| row.get_ref(index).map(|value| lossy(value.as_bytes_or_null().ok().flatten()));
        let number = |index: usize| row.get_ref(index).map(|value| value.as_i64().unwrap_or(0));
        let data = row.get_ref(5)?.as_bytes_or_null().ok().flatten().map(<[u8]>::to_vec);
        Ok(Self { row: number(0)?, id: text(1)?, session: text(2)?, kind: text(3)?, at_ms: number(4)?, data })
    }
}

fn lossy(bytes: Option<&[u8]>) -> String {
    String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
}

fn bound() -> i64 {
    i64::try_from(LINE_BYTES).unwrap_or(i64::MAX)
}

fn parsed(data: Option<&[u8]>, counts: &mut Counts) -> Option<Value> {
    counts.lines += 1;
    let Some(data) = data else {
        counts.too_long += 1;
        return None;
    };
    let value = object(data);
    counts.unreadable += u64::from(value.is_none());
    value
}

/// The size and time of a database and of its log.
#[derive(Debug, PartialEq, Eq)]
struct Stamp([Option<(u64, i64)>; 2]);

impl Stamp {
    fn of(path: &Path) -> Self {
        Self(
            [path.to_owned(), sibling(path, "-wal")]
                .map(|path| fs::metadata(path).ok().map(|metadata| (metadata.len(), modified_ms(&metadata)))),
        )
    }
}

fn sibling(path: &Path, ending: &str) -> PathBuf {
    let mut name: OsString = path.to_owned().into_os_string();
    name.push(ending);
    name.into()
}

/// How to open the file so that nothing is written beside it. A plain read-only connection would leave a log and its
/// index behind.
fn mode(path: &Path) -> Result<(&'static str, Option<Stamp>), TranscriptError> {
    let failed = |source| TranscriptError::Io { path: path.to_owned(), source };
    let mut header = [0; 20];
    let read = home::open_regular(path).and_then(|mut file| file.read(&mut header)).map_err(failed)?;
    let logged = read == header.len() && header[18] == 2;
    if !logged {
        return Ok(("mode=ro", None));
    }
    if sibling(path, "-shm").exists() {
        // OpenCode runs, or was killed: its own index is used, and never written.
        return Ok(("mode=ro&readonly_shm=1", None));
    }
    let log = fs::metadata(sibling(path, "-wal")).map_or(0, |metadata| metadata.len());
    if log > 0 {
        return Err(TranscriptError::LogWithoutIndex { agent: AGENT, path: path.to_owned() });
    }
    // No one has it open, and everything is in the one file. If OpenCode starts meanwhile, the end check sees it.
    Ok(("mode=ro&immutable=1", Some(Stamp::of(path))))
}

fn uri(path: &Path, mode: &str) -> String {
    let text = path.to_string_lossy();
    let mut uri = String::from("file:");
    if cfg!(windows) {
        uri.push_str("///");
    }
    for character in text.chars() {
        match character {
            '%' | '?' | '#' => {
                let _ = write!(uri, "%{:02X}", u32::from(character));
            }
            '\\' if cfg!(windows) => uri.push('/'),
            character => uri.push(character),
        }
    }
    format!("{uri}?{mode}")
}
