//! Leafing through the knowledge base: lists that are filtered and sorted, and a source piece by piece. For
//! people at a window; searching is in [`crate::search`].

use rusqlite::{OptionalExtension, params};

use crate::sources::{COLUMNS, info};
use crate::{KnowledgeError, Result, SourceInfo, SourceKind, SourceList, Store};

/// By what a list of sources is sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SourceSort {
    /// Newest first.
    #[default]
    Newest,
    /// By label, whatever the case.
    Label,
    /// Most text first.
    Size,
    /// Used last first, then never used.
    Used,
}

/// Which sources are wanted.
#[derive(Debug, Clone, Default)]
pub struct Browse {
    /// Only those whose label contains this, whatever the case (of ASCII letters).
    pub contains: Option<String>,
    /// Only those of this kind.
    pub kind: Option<SourceKind>,
    /// Order.
    pub sort: SourceSort,
    /// How many to pass over.
    pub offset: usize,
    /// How many.
    pub limit: usize,
}

/// One chunk of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkText {
    /// Its number.
    pub id: i64,
    /// Its heading path.
    pub title: String,
    /// Its text as stored.
    pub text: String,
    /// It is code.
    pub code: bool,
    /// First and last line in the source.
    pub lines: (u32, u32),
}

impl Store {
    /// The sources that are wanted; a folder stands for its files.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn browse(&self, wanted: &Browse) -> Result<SourceList> {
        let pattern = wanted.contains.as_deref().filter(|words| !words.is_empty()).map(like);
        let kind = wanted.kind.map(SourceKind::as_str);
        let conditions = "s.parent IS NULL AND (?1 IS NULL OR s.label LIKE ?1 ESCAPE '\\') AND (?2 IS NULL OR s.kind = ?2)";
        let order = match wanted.sort {
            SourceSort::Newest => "s.indexed_ms DESC, s.id DESC",
            SourceSort::Label => "s.label COLLATE NOCASE, s.id",
            SourceSort::Size => "s.bytes DESC, s.id",
            SourceSort::Used => "s.used_ms DESC NULLS LAST, s.indexed_ms DESC, s.id DESC",
        };
        let sql =
            format!("SELECT {COLUMNS} FROM sources s WHERE {conditions} ORDER BY {order} LIMIT ?3 OFFSET ?4");
        self.read(|db| {
            let total = db
                .prepare_cached(&format!("SELECT count(*) FROM sources s WHERE {conditions}"))?
                .query_row(params![pattern, kind], |row| row.get(0))?;
            let mut statement = db.prepare_cached(&sql)?;
            let rows = statement
                .query_map(params![pattern, kind, whole(wanted.limit), whole(wanted.offset)], info)?;
            Ok(SourceList { sources: rows.collect::<rusqlite::Result<_>>()?, total })
        })
    }

    /// One source by its number.
    ///
    /// # Errors
    /// [`KnowledgeError::NoSource`], or when the database cannot be read.
    pub fn source_by_id(&self, id: i64) -> Result<SourceInfo> {
        let sql = format!("SELECT {COLUMNS} FROM sources s WHERE s.id = ?1");
        let found = self.read(|db| db.prepare_cached(&sql)?.query_row([id], info).optional())?;
        found.ok_or_else(|| KnowledgeError::NoSource(id.to_string()))
    }

    /// Some chunks of a source in the order of its text, and how many there are.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn chunks_of(&self, source: i64, offset: usize, limit: usize) -> Result<(Vec<ChunkText>, u64)> {
        self.read(|db| {
            let total = db
                .prepare_cached("SELECT count(*) FROM chunks WHERE source = ?1")?
                .query_row([source], |row| row.get(0))?;
            let mut statement = db.prepare_cached(
                "SELECT id, title, text, code, start_line, end_line FROM chunks WHERE source = ?1
             ORDER BY id LIMIT ?2 OFFSET ?3",
            )?;
            let rows = statement.query_map(params![source, whole(limit), whole(offset)], |row| {
                Ok(ChunkText {
                    id: row.get(0)?,
                    title: row.get(1)?,
                    text: row.get(2)?,
                    code: row.get(3)?,
                    lines: (row.get(4)?, row.get(5)?),
                })
            })?;
            Ok((rows.collect::<rusqlite::Result<_>>()?, total))
        })
    }

    /// How many chunks of its source stand before this one; 0 when it is not there any more.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn position_of(&self, chunk: i64) -> Result<usize> {
        let before: i64 = self.read(|db| {
            db.prepare_cached(
                "SELECT count(*) FROM chunks WHERE id < ?1 AND source = (SELECT source FROM chunks WHERE id = ?1)",
            )?
            .query_row([chunk], |row| row.get(0))
        })?;
        Ok(usize::try_from(before).unwrap_or(0))
    }

    /// When something was last stored, in milliseconds since 1970; 0 when nothing is.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn last_stored_ms(&self) -> Result<i64> {
        self.read(|db| db.query_row("SELECT coalesce(max(indexed_ms), 0) FROM sources", [], |row| row.get(0)))
    }
}

fn whole(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// `LIKE` pattern of a text that may hold its wildcards.
fn like(words: &str) -> String {
    let mut pattern = String::from("%");
    for c in words.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NewSource;

    fn store(dir: &std::path::Path) -> Store {
        let mut store = Store::open(&dir.join("knowledge.db")).unwrap();
        for (n, (label, kind, content)) in [
            ("Notes_1", SourceKind::Text, "# One\n\nalpha\n\n# Two\n\nbeta"),
            ("notesx1", SourceKind::Output, "a longer text about gamma and delta, and more of it"),
            ("page", SourceKind::Url, "epsilon"),
        ]
        .into_iter()
        .enumerate()
        {
            store
                .index_text(NewSource {
                    label,
                    kind,
                    origin: None,
                    session: None,
                    agent: None,
                    content,
                    format: Some(text::Format::Markdown),
                    now_ms: 1_000 + n as i64,
                })
                .unwrap();
        }
        store
    }

    fn labels(list: &SourceList) -> Vec<&str> {
        list.sources.iter().map(|source| source.label.as_str()).collect()
    }

    #[test]
    fn lists_are_filtered_sorted_and_paged_and_wildcards_are_letters() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(dir.path());
        let all = |browse: Browse| store.browse(&Browse { limit: 10, ..browse }).unwrap();
        assert_eq!(labels(&all(Browse::default())), ["page", "notesx1", "Notes_1"]);
        assert_eq!(
            labels(&all(Browse { sort: SourceSort::Label, ..Browse::default() })),
            ["Notes_1", "notesx1", "page"]
        );
        assert_eq!(labels(&all(Browse { sort: SourceSort::Size, ..Browse::default() }))[0], "notesx1");
        assert_eq!(labels(&all(Browse { contains: Some("S_1".into()), ..Browse::default() })), ["Notes_1"]);
        assert_eq!(labels(&all(Browse { kind: Some(SourceKind::Url), ..Browse::default() })), ["page"]);
        let second = store.browse(&Browse { offset: 1, limit: 1, ..Browse::default() }).unwrap();
        assert_eq!((labels(&second), second.total), (vec!["notesx1"], 3));
        assert_eq!(store.last_stored_ms().unwrap(), 1_002);
    }

    #[test]
    fn a_source_is_read_piece_by_piece() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(dir.path());
        let id = store.source("Notes_1").unwrap().id;
        let (chunks, total) = store.chunks_of(id, 0, 1).unwrap();
        assert_eq!((chunks.len(), total), (1, 2));
        let (rest, _) = store.chunks_of(id, 1, 10).unwrap();
        assert!(rest[0].text.contains("beta"));
        assert_eq!(store.position_of(rest[0].id).unwrap(), 1);
        assert_eq!(store.position_of(9_999).unwrap(), 0);
        assert!(matches!(store.source_by_id(9_999), Err(KnowledgeError::NoSource(_))));
    }
}
