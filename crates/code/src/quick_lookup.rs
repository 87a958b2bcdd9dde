//! Queries on the index that take a few milliseconds, for hooks: the files with a word, the definitions with a text's
//! rare words, a summary of the project. Reads the tables directly; loads no grammar and caches nothing.

use std::collections::{BTreeMap, HashMap, HashSet};

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::analyse::Tally;
use crate::error::Result;
use crate::grammar::Kind;
use crate::postings;
use crate::role::Role;
use crate::stamp;
use crate::store::Store;
use crate::words;

/// The number of a text's words that are looked for, the longest first: those are the rarest.
const MAX_WORDS: usize = 160;
/// Shorter words are too common.
const SHORT: usize = 4;
/// A word with a longer list isn't specific.
const RARE_BYTES: usize = 360;
/// The number of rare words that a part of a file must have …
const FEW_WORDS: usize = 4;
/// … and the number of parts that are looked at.
const PARTS: usize = 16;
/// Roles of files that aren't edited by hand.
const NOT_OURS: &[Role] = &[Role::VENDORED, Role::GENERATED, Role::MINIFIED, Role::DOCS];

/// A file as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedFile {
    /// Relative to the project.
    pub path: String,
    /// The part it plays.
    pub role: Role,
    size: u64,
    mtime_ns: i64,
}

impl IndexedFile {
    /// Whether the file is as it was when it was read.
    pub fn is_unchanged(&self, meta: &std::fs::Metadata) -> bool {
        meta.len() == self.size && stamp::mtime_ns(meta) == self.mtime_ns
    }
}

/// A definition with all its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// Its container.
    pub container: String,
    /// The line of its name.
    pub line: u32,
    /// Its first line.
    pub start_line: u32,
    /// Its last line.
    pub end_line: u32,
    /// Its signature.
    pub signature: String,
}

/// A summary of the project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overview {
    /// Its files.
    pub files: u64,
    /// Their definitions.
    pub definitions: u64,
    /// Its languages with their files, most first.
    pub languages: Vec<(String, u64)>,
    /// The folders of the product with their files, most first.
    pub folders: Vec<(String, u64)>,
    /// The files of the product that most others import.
    pub hubs: Vec<(String, u64)>,
}

const FILE: &str = "f.path, f.role, f.size, f.mtime_ns";
const SPAN: &str = "s.name, s.kind, s.container, s.line, s.start_line, s.end_line, s.signature";

fn file(row: &rusqlite::Row<'_>) -> rusqlite::Result<IndexedFile> {
    Ok(IndexedFile {
        path: row.get(0)?,
        role: Role(row.get(1)?),
        size: row.get::<_, i64>(2)?.unsigned_abs(),
        mtime_ns: row.get(3)?,
    })
}

fn span(row: &rusqlite::Row<'_>, from: usize) -> rusqlite::Result<Span> {
    Ok(Span {
        name: row.get(from)?,
        kind: Kind::from_name(row.get_ref(from + 1)?.as_str().unwrap_or_default()).unwrap_or(Kind::Constant),
        container: row.get(from + 2)?,
        line: row.get(from + 3)?,
        start_line: row.get(from + 4)?,
        end_line: row.get(from + 5)?,
        signature: row.get(from + 6)?,
    })
}

impl Store {
    /// Whether every file was read, and no change is being written.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn is_complete(&self) -> Result<bool> {
        Ok(self.fact("complete")?.as_deref() == Some("true"))
    }

    /// An upper bound of the number of chunks, to which the memory for a reader is proportional.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn max_chunk_id(&self) -> Result<u64> {
        self.read(|db| db.query_row("SELECT coalesce(max(id), 0) FROM chunks", [], |r| r.get::<_, i64>(0)))
            .map(i64::unsigned_abs)
    }

    /// Whether there are more chunks than so many. Counts no further, so that a larger index takes no longer.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn has_more_chunks_than(&self, most: u64) -> Result<bool> {
        // A number isn't used again, so where files are written often the last one is far above how many there are.
        if self.max_chunk_id()? <= most {
            return Ok(false);
        }
        let limit = i64::try_from(most).unwrap_or(i64::MAX).saturating_add(1);
        let sql = "SELECT count(*) FROM (SELECT 1 FROM chunks LIMIT ?1)";
        let counted = self.read(|db| db.query_row(sql, [limit], |r| r.get::<_, i64>(0)))?;
        Ok(counted.unsigned_abs() > most)
    }

    /// One file as it was read.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn indexed_file(&self, path: &str) -> Result<Option<IndexedFile>> {
        use rusqlite::OptionalExtension as _;
        self.read(|db| {
            db.prepare_cached(&format!("SELECT {FILE} FROM files f WHERE f.path = ?1"))?
                .query_row([path], file)
                .optional()
        })
    }

    /// The definitions of one file, in order of their lines.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn spans_of(&self, path: &str) -> Result<Vec<Span>> {
        self.read(|db| {
            let mut statement = db.prepare_cached(&format!(
                "SELECT {SPAN} FROM symbols s JOIN files f ON f.id = s.file WHERE f.path = ?1 ORDER BY s.line, s.id"
            ))?;
            statement.query_map([path], |row| span(row, 0))?.collect()
        })
    }

    /// How many definitions have exactly this name, outside tests and vendored code. A C function counts once.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn count_definitions(&self, name: &str) -> Result<usize> {
        let mut folded = String::new();
        words::whole(name, &mut folded);
        self.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT f.role FROM symbols s JOIN files f ON f.id = s.file WHERE s.folded = ?1 AND s.name = ?2
                 -- A constructor that's called as its type doesn't count beside it.
                 AND NOT (s.kind = 'method' AND (s.container = s.name OR s.container LIKE '%.' || s.name))
                 -- A prototype of C is of the function that's defined elsewhere.
                 AND NOT (s.kind = 'function' AND s.signature LIKE '%;' AND f.language IN ('c', 'cpp'))
                 ORDER BY f.path, s.line, s.id LIMIT 50",
            )?;
            let mut rows = statement.query([folded.as_str(), name])?;
            let mut count = 0;
            while let Some(row) = rows.next()? {
                let role = Role(row.get(0)?);
                count += usize::from(!role.is(Role::TEST) && is_ours(role));
            }
            Ok(count)
        })
    }

    /// The hand-written files that contain the word `name`, or `None` if there are more than `most`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn files_with_word(&self, name: &str, most: usize) -> Result<Option<Vec<IndexedFile>>> {
        self.files_where(name, most, |_| true)
    }

    /// The hand-written files that contain the word `name` in their code, not only in comments.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn files_with_code(&self, name: &str) -> Result<Vec<IndexedFile>> {
        Ok(self.files_where(name, usize::MAX, |tally| tally.code > 0)?.unwrap_or_default())
    }

    fn files_where(
        &self,
        name: &str,
        most: usize,
        counts: fn(Tally) -> bool,
    ) -> Result<Option<Vec<IndexedFile>>> {
        let mut wanted = Vec::new();
        let mut scratch = String::new();
        words::words(name, &mut scratch, |word| wanted.push(word.to_owned()));
        // The whole identifier comes last.
        let Some(word) = wanted.pop() else { return Ok(None) };
        self.read(|db| {
            let lists = lists(db, &[word], usize::MAX, counts)?;
            let Some(chunks) = lists.into_values().next() else { return Ok(Some(Vec::new())) };
            if chunks.len() > most.saturating_mul(16) {
                return Ok(None);
            }
            let mut statement = db.prepare_cached(&format!(
                "SELECT {FILE} FROM chunks c JOIN files f ON f.id = c.file WHERE c.id = ?1"
            ))?;
            let mut out: BTreeMap<String, IndexedFile> = BTreeMap::new();
            for chunk in chunks {
                for one in statement.query_map([chunk], file)? {
                    let one = one?;
                    if is_ours(one.role) {
                        out.insert(one.path.clone(), one);
                    }
                }
            }
            Ok((out.len() <= most).then(|| out.into_values().collect()))
        })
    }

    /// Functions that have many of the rare words of `text`, the likeliest first: candidates for being the same.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn functions_like(&self, text: &str) -> Result<Vec<(IndexedFile, Span)>> {
        let wanted = rare_first(text);
        self.read(|db| {
            let mut counts: HashMap<i64, usize> = HashMap::new();
            for chunk in lists(db, &wanted, RARE_BYTES, |_| true)?.into_values().flatten() {
                *counts.entry(chunk).or_default() += 1;
            }
            let mut parts: Vec<(usize, i64)> =
                counts.into_iter().filter(|(_, n)| *n >= FEW_WORDS).map(|(chunk, n)| (n, chunk)).collect();
            parts.sort_by_key(|(n, chunk)| (std::cmp::Reverse(*n), *chunk));
            let mut statement = db.prepare_cached(&format!(
                "SELECT {FILE}, {SPAN}, s.id FROM chunks c JOIN files f ON f.id = c.file
                 JOIN symbols s ON s.file = f.id AND s.start_line <= c.end_line AND s.end_line >= c.start_line
                 WHERE c.id = ?1 AND s.kind IN ('function', 'method') ORDER BY s.start_line, s.id"
            ))?;
            let (mut out, mut seen) = (Vec::new(), HashSet::new());
            for (_, chunk) in parts.into_iter().take(PARTS) {
                let mut rows = statement.query([chunk])?;
                while let Some(row) = rows.next()? {
                    let one = file(row)?;
                    if is_ours(one.role) && !one.role.is(Role::TEST) && seen.insert(row.get::<_, i64>(11)?) {
                        out.push((one, span(row, 4)?));
                    }
                }
            }
            Ok(out)
        })
    }

    /// A summary of the project, with at most `most` entries of each kind.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn overview(&self, most: usize) -> Result<Overview> {
        self.read(|db| {
            let mut out = Overview {
                definitions: db.query_row("SELECT count(*) FROM symbols", [], |r| r.get::<_, i64>(0))?.unsigned_abs(),
                ..Overview::default()
            };
            let (mut languages, mut paths) = (BTreeMap::<String, u64>::new(), Vec::new());
            let mut statement = db.prepare_cached("SELECT path, role, coalesce(language, '') FROM files")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                out.files += 1;
                let (path, role): (String, Role) = (row.get(0)?, Role(row.get(1)?));
                if is_product(role) {
                    *languages.entry(row.get(2)?).or_default() += 1;
                    paths.push(path);
                }
            }
            out.languages = most_first(languages, most);
            let folders = crate::graph::folders(&paths);
            let mut sizes = BTreeMap::<String, u64>::new();
            folders.into_iter().for_each(|folder| *sizes.entry(folder).or_default() += 1);
            out.folders = most_first(sizes, most);
            // Among equals the path decides: numbers only tell in which order files were written. Nor can a number of rows be a
            // limit, because each file of a package of Go has one. Paths are read as far as they're needed: a hook asks this.
            let mut statement = db.prepare_cached(
                "SELECT imported, count(DISTINCT importer) AS n FROM edges GROUP BY imported HAVING n > 1 ORDER BY n DESC",
            )?;
            let mut file = db.prepare_cached("SELECT path, role FROM files WHERE id = ?1")?;
            let mut rows = statement.query([])?;
            let (mut equals, mut number) = (Vec::<String>::new(), 0_i64);
            loop {
                let next: Option<(i64, i64)> = match rows.next()? {
                    Some(row) => Some((row.get(0)?, row.get(1)?)),
                    None => None,
                };
                if next.is_none_or(|(_, n)| n != number) {
                    equals.sort();
                    for path in equals.drain(..) {
                        let name = crate::graph::hub_name(&path);
                        if out.hubs.len() < most && !out.hubs.iter().any(|(known, _)| known == name) {
                            out.hubs.push((name.to_owned(), number.unsigned_abs()));
                        }
                    }
                }
                let Some((id, n)) = next.filter(|_| out.hubs.len() < most) else { break };
                let found: Option<(String, Role)> =
                    file.query_row([id], |r| Ok((r.get(0)?, Role(r.get(1)?)))).optional()?;
                equals.extend(found.filter(|(_, role)| is_product(*role)).map(|(path, _)| path));
                number = n;
            }
            Ok(out)
        })
    }
}

fn is_ours(role: Role) -> bool {
    !NOT_OURS.iter().any(|other| role.is(*other))
}

fn is_product(role: Role) -> bool {
    is_ours(role) && ![Role::TEST, Role::EXAMPLE, Role::CONFIG].iter().any(|other| role.is(*other))
}

fn most_first(counts: BTreeMap<String, u64>, most: usize) -> Vec<(String, u64)> {
    let mut out: Vec<(String, u64)> = counts.into_iter().collect();
    out.sort_by(|a, b| (std::cmp::Reverse(a.1), &a.0).cmp(&(std::cmp::Reverse(b.1), &b.0)));
    out.truncate(most);
    out
}

/// The words of a text, the longest first.
fn rare_first(text: &str) -> Vec<String> {
    let (mut seen, mut scratch) = (HashSet::new(), String::new());
    words::words(text, &mut scratch, |word| {
        if word.len() >= SHORT && !seen.contains(word) {
            seen.insert(word.to_owned());
        }
    });
    let mut out: Vec<String> = seen.into_iter().collect();
    out.sort_by(|a, b| (std::cmp::Reverse(a.len()), a).cmp(&(std::cmp::Reverse(b.len()), b)));
    out.truncate(MAX_WORDS);
    out
}

/// The chunks of each word, ascending, without those of words whose list takes more than `most_bytes`.
fn lists(
    db: &Connection,
    wanted: &[String],
    most_bytes: usize,
    counts: fn(Tally) -> bool,
) -> rusqlite::Result<BTreeMap<String, Vec<i64>>> {
    let mut out: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    let take = |bytes: &[u8], list: &mut Vec<i64>| {
        postings::read(bytes, |chunk, tally| {
            list.extend(i64::try_from(chunk).ok().filter(|_| counts(Tally::unpack(tally))));
        });
    };
    let mut common = HashSet::new();
    let most = i64::try_from(most_bytes).unwrap_or(i64::MAX);
    let mut statement = db.prepare_cached(
        "SELECT length(docs), CASE WHEN length(docs) <= ?2 THEN docs END FROM postings WHERE word = ?1",
    )?;
    for word in wanted {
        let mut rows = statement.query(params![word, most])?;
        while let Some(row) = rows.next()? {
            match row.get_ref(1)?.as_blob() {
                Ok(bytes) => take(bytes, out.entry(word.clone()).or_default()),
                Err(_) => drop(common.insert(word.clone())),
            }
        }
    }
    let looked: HashSet<&str> =
        wanted.iter().filter(|word| !common.contains(*word)).map(String::as_str).collect();
    let mut statement = db.prepare_cached("SELECT words FROM pending ORDER BY id")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        postings::unbundle(row.get_ref(0)?.as_blob().unwrap_or_default(), |word, list| {
            if looked.contains(word) {
                take(list, out.entry(word.to_owned()).or_default());
            }
        });
    }
    Ok(out)
}
