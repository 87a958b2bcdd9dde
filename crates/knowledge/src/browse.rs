//! Browsing the knowledge base: filtered and sorted lists, and a source page by page. For the window; [`crate::search`]
//! searches.

use rusqlite::{OptionalExtension, params};

use crate::ingest::base_title;
use crate::sources::{COLUMNS, info};
use crate::{KnowledgeError, Result, SourceInfo, SourceKind, SourceList, Store};

/// How a list of sources is sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SourceSort {
    /// Newest first.
    #[default]
    Newest,
    /// By label, ignoring case.
    Label,
    /// Largest text first.
    Size,
    /// Last used first, never used last.
    Used,
}

/// Which sources to list.
#[derive(Debug, Clone, Default)]
pub struct SourceQuery {
    /// Only sources whose label contains this (ignoring ASCII case), and folders with such a file.
    pub contains: Option<String>,
    /// Only those of this kind.
    pub kind: Option<SourceKind>,
    /// The order. A folder's files follow it by label.
    pub sort: SourceSort,
    /// Folders whose files are listed too.
    pub unfolded: Vec<i64>,
    /// How many to skip.
    pub offset: usize,
    /// How many to list.
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
    /// Whether it is code.
    pub code: bool,
    /// First and last line in the source.
    pub lines: (u32, u32),
}

/// The listed sources, each with the folder it belongs to: itself, if it is in none.
const LISTED: &str = "sources s JOIN sources f ON f.id = coalesce(s.parent, s.id)
    WHERE (?2 IS NULL OR f.kind = ?2) AND CASE WHEN s.parent IS NULL
        THEN ?1 IS NULL OR s.label LIKE ?1 ESCAPE '\\'
            OR EXISTS (SELECT 1 FROM sources k WHERE k.parent = s.id AND k.label LIKE ?1 ESCAPE '\\')
        ELSE s.parent IN (SELECT value FROM json_each(?3)) AND (?1 IS NULL OR s.label LIKE ?1 ESCAPE '\\') END";

/// Separates the headings in a chunk's title.
const BETWEEN_HEADINGS: &str = " > ";

impl Store {
    /// The matching sources; a folder stands for its files unless it is expanded.
    ///
    /// # Errors
    /// If the database can't be read.
    pub fn browse(&self, wanted: &SourceQuery) -> Result<SourceList> {
        let pattern = wanted.contains.as_deref().filter(|words| !words.is_empty()).map(like);
        let kind = wanted.kind.map(SourceKind::as_str);
        let unfolded = wanted.unfolded.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        let unfolded = format!("[{unfolded}]");
        // `f` is the folder of a file that is listed below it.
        let order = match wanted.sort {
            SourceSort::Newest => "f.indexed_ms DESC, f.id DESC",
            SourceSort::Label => "f.label COLLATE NOCASE, f.id",
            // A folder's size is its files' total.
            SourceSort::Size => {
                "f.bytes + coalesce((SELECT sum(k.bytes) FROM sources k WHERE k.parent = f.id), 0) DESC, f.id"
            }
            SourceSort::Used => "f.used_ms DESC NULLS LAST, f.indexed_ms DESC, f.id DESC",
        };
        let sql = format!(
            "SELECT {COLUMNS} FROM {LISTED} ORDER BY {order}, s.parent IS NOT NULL, s.label, s.id LIMIT ?4 OFFSET ?5"
        );
        self.read(|db| {
            let total = db
                .prepare_cached(&format!("SELECT count(*) FROM {LISTED}"))?
                .query_row(params![pattern, kind, unfolded], |row| row.get(0))?;
            let mut statement = db.prepare_cached(&sql)?;
            let rows = statement.query_map(
                params![pattern, kind, unfolded, whole(wanted.limit), whole(wanted.offset)],
                info,
            )?;
            Ok(SourceList { sources: rows.collect::<rusqlite::Result<_>>()?, total })
        })
    }

    /// A document's first heading, if headings name its chunks.
    ///
    /// # Errors
    /// If the database can't be read.
    pub fn first_heading(&self, source: &SourceInfo) -> Result<Option<String>> {
        let sql =
            "SELECT title FROM chunks WHERE source = ?1 AND title <> '' AND title <> ?2 ORDER BY id LIMIT 1";
        let title: Option<String> = self.read(|db| {
            db.prepare_cached(sql)?
                .query_row(params![source.id, base_title(source.kind, &source.label)], |row| row.get(0))
                .optional()
        })?;
        let outermost = title.as_deref().and_then(|title| title.split(BETWEEN_HEADINGS).next());
        Ok(outermost.map(str::trim).filter(|heading| !heading.is_empty()).map(str::to_owned))
    }

    /// One source by its number.
    ///
    /// # Errors
    /// [`KnowledgeError::NoSource`], or if the database can't be read.
    pub fn source_by_id(&self, id: i64) -> Result<SourceInfo> {
        let sql = format!("SELECT {COLUMNS} FROM sources s WHERE s.id = ?1");
        let found = self.read(|db| db.prepare_cached(&sql)?.query_row([id], info).optional())?;
        found.ok_or_else(|| KnowledgeError::NoSource(id.to_string()))
    }

    /// Some chunks of a source in text order, and their total number.
    ///
    /// # Errors
    /// If the database can't be read.
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

    /// How many chunks precede this one in its source; 0 if it no longer exists.
    ///
    /// # Errors
    /// If the database can't be read.
    pub fn position_of(&self, chunk: i64) -> Result<usize> {
        let before: i64 = self.read(|db| {
            db.prepare_cached(
                "SELECT count(*) FROM chunks WHERE id < ?1 AND source = (SELECT source FROM chunks WHERE id = ?1)",
            )?
            .query_row([chunk], |row| row.get(0))
        })?;
        Ok(usize::try_from(before).unwrap_or(0))
    }

    /// When something was last stored, in milliseconds since 1970; 0 if nothing is stored.
    ///
    /// # Errors
    /// If the database can't be read.
    pub fn last_stored_ms(&self) -> Result<i64> {
        self.read(|db| db.query_row("SELECT coalesce(max(indexed_ms), 0) FROM sources", [], |row| row.get(0)))
    }
}

fn whole(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// A `LIKE` pattern for a text that may contain wildcards.
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
    fn lists_are_filtered_sorted_and_paged_and_wildcards_are_literal() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(dir.path());
        let all = |browse: SourceQuery| store.browse(&SourceQuery { limit: 10, ..browse }).unwrap();
        assert_eq!(labels(&all(SourceQuery::default())), ["page", "notesx1", "Notes_1"]);
        assert_eq!(
            labels(&all(SourceQuery { sort: SourceSort::Label, ..SourceQuery::default() })),
            ["Notes_1", "notesx1", "page"]
        );
        assert_eq!(
            labels(&all(SourceQuery { sort: SourceSort::Size, ..SourceQuery::default() }))[0],
            "notesx1"
        );
        assert_eq!(
            labels(&all(SourceQuery { contains: Some("S_1".into()), ..SourceQuery::default() })),
            ["Notes_1"]
        );
        assert_eq!(
            labels(&all(SourceQuery { kind: Some(SourceKind::Url), ..SourceQuery::default() })),
            ["page"]
        );
        let second = store.browse(&SourceQuery { offset: 1, limit: 1, ..SourceQuery::default() }).unwrap();
        assert_eq!((labels(&second), second.total), (vec!["notesx1"], 3));
        assert_eq!(store.last_stored_ms().unwrap(), 1_002);
    }

    #[test]
    fn an_expanded_folder_is_followed_by_its_files_in_every_order() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = store(dir.path());
        let folder = dir.path().join("docs");
        std::fs::create_dir(&folder).unwrap();
        for (name, content) in
            [("a.md", "# Anchors\n\nkedge"), ("b.md", "tides and currents, a long text of them")]
        {
            std::fs::write(folder.join(name), content).unwrap();
        }
        let origin = crate::folder::Origin { now_ms: 2_000, ..Default::default() };
        crate::folder::index(
            &mut store,
            &folder,
            &crate::folder::WalkOptions::default(),
            &origin,
            &mut |_| true,
        )
        .unwrap();
        let folded = store.browse(&SourceQuery { limit: 10, ..SourceQuery::default() }).unwrap();
        assert_eq!(folded.total, 4);
        let id = folded.sources.iter().find(|one| one.kind == SourceKind::Folder).unwrap().id;
        for sort in [SourceSort::Newest, SourceSort::Label, SourceSort::Size, SourceSort::Used] {
            let all = |offset, limit| {
                store
                    .browse(&SourceQuery {
                        unfolded: vec![id],
                        sort,
                        offset,
                        limit,
                        ..SourceQuery::default()
                    })
                    .unwrap()
            };
            let list = all(0, 10);
            assert_eq!((list.total, list.sources.len()), (6, 6));
            let at = list.sources.iter().position(|one| one.id == id).unwrap();
            let below: Vec<_> =
                list.sources[at + 1..at + 3].iter().map(|one| (one.folder, &one.label)).collect();
            assert!(below[0].1.ends_with("a.md") && below[1].1.ends_with("b.md"), "{sort:?}: {below:?}");
            assert!(below.iter().all(|(of, _)| *of == Some(id)));
            // Page by page it is the same list.
            let pieces: Vec<_> = (0..6).flat_map(|at| all(at, 1).sources).collect();
            assert_eq!(pieces, list.sources, "{sort:?}");
        }
        // A filter finds a file of a folder, and lists no others.
        let found = |unfolded| {
            let contains = Some("b.MD".to_owned());
            store
                .browse(&SourceQuery { contains, unfolded, limit: 10, ..SourceQuery::default() })
                .unwrap()
                .total
        };
        assert_eq!((found(vec![]), found(vec![id])), (1, 2));
    }

    #[test]
    fn a_document_is_titled_by_its_first_heading() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(dir.path());
        let heading = |label: &str| store.first_heading(&store.source(label).unwrap()).unwrap();
        assert_eq!(heading("Notes_1").as_deref(), Some("One"));
        assert_eq!(heading("page"), None);
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
