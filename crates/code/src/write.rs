//! Writes analysed files inside the caller's transaction: a file with its chunks, definitions and imports, the watched folders and
//! ignore files (also read back, for comparison), and single facts about the index.

use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use crate::analyse::Analysis;
use crate::autoload::LOADER;
use crate::grammar::Kind;
use crate::mentions;
use crate::postings::{self, Builder};
use crate::stamp::Stamp;
use crate::walk::FoundFile;
use crate::words;

pub(crate) fn put_fact(tx: &Transaction<'_>, name: &str, value: &str) -> rusqlite::Result<()> {
    tx.prepare_cached("INSERT OR REPLACE INTO facts(name, value) VALUES(?1, ?2)")?.execute([name, value])?;
    Ok(())
}

/// Whether a file imports what it imported, on the same lines.
fn imports_the_same(tx: &Transaction<'_>, path: &str, analysis: &Analysis) -> rusqlite::Result<bool> {
    let mut statement = tx.prepare_cached(
        "SELECT i.target, i.names, i.line FROM imports i JOIN files f ON f.id = i.file WHERE f.path = ?1 ORDER BY i.id",
    )?;
    let rows = statement.query_map([path], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))?;
    let old: Vec<(String, String, u32)> = rows.collect::<rusqlite::Result<_>>()?;
    let new = analysis.outline.imports.iter();
    Ok(new.map(|i| (i.target.clone(), i.names.join(","), i.line)).eq(old))
}

/// What a written file changed of what needs what.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Relinks {
    /// What it imports or mentions.
    pub(crate) own: bool,
    /// What others mean by the types that they mention.
    pub(crate) others: bool,
}

/// The types that a file names, as they're kept.
fn mentioned_types(analysis: &Analysis) -> String {
    let names = analysis.outline.mentions.iter().map(|(name, line)| format!("{name}:{line}"));
    names.collect::<Vec<_>>().join(" ")
}

/// Whether a file names the types that it named, on the same lines.
fn mentions_the_same(tx: &Transaction<'_>, path: &str, names: &str) -> rusqlite::Result<bool> {
    let mut statement =
        tx.prepare_cached("SELECT m.names FROM mentions m JOIN files f ON f.id = m.file WHERE f.path = ?1")?;
    let old: Option<String> = statement.query_row([path], |r| r.get(0)).optional()?;
    Ok(old.unwrap_or_default() == names)
}

/// Whether a file defines the types, namespaces and functions that it defined, as far as others find it by them.
fn defines_the_same(tx: &Transaction<'_>, path: &str, analysis: &Analysis) -> rusqlite::Result<bool> {
    // What Ruby loads is found by the names of files.
    let is_found = |language: &str| mentions::has_them(language) && language != "ruby";
    let mut statement = tx.prepare_cached("SELECT language FROM files WHERE path = ?1")?;
    let before: Option<Option<String>> = statement.query_row([path], |r| r.get(0)).optional()?;
    let (was, is) = (
        before.flatten().is_some_and(|language| is_found(&language)),
        analysis.language.is_some_and(is_found),
    );
    // A file that becomes a template, or ceases to be one, is of another language.
    if was != is || !is {
        return Ok(was == is);
    }
    let mut statement = tx.prepare_cached(
        "SELECT s.name, s.container, s.kind FROM symbols s JOIN files f ON f.id = s.file WHERE f.path = ?1",
    )?;
    let rows = statement.query_map([path], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))?;
    let rows: Vec<(String, String, String)> = rows.collect::<rusqlite::Result<_>>()?;
    // Kotlin imports functions and values by their names, too, also those of Scala.
    let by_name = matches!(analysis.language, Some("kotlin" | "scala"));
    let is_named = |kind: Kind, container: &str| {
        kind.is_type() || kind == Kind::Module || by_name && container.is_empty()
    };
    let mut old: Vec<(String, String, String)> = rows
        .into_iter()
        .filter(|row| Kind::from_name(&row.2).is_some_and(|kind| is_named(kind, &row.1)))
        .collect();
    let new = analysis.outline.symbols.iter().filter(|s| is_named(s.kind, &s.container));
    let mut new: Vec<(String, String, String)> =
        new.map(|s| (s.name.clone(), s.container.clone(), s.kind.name().to_owned())).collect();
    old.sort();
    new.sort();
    Ok(old == new)
}

/// Whether a file of Ruby has constants loaded by the names of files, as it had.
fn loads_the_same(tx: &Transaction<'_>, path: &str, analysis: &Analysis) -> rusqlite::Result<bool> {
    if !path.ends_with(".rb") {
        return Ok(true);
    }
    let mut statement = tx.prepare_cached(
        "SELECT EXISTS(SELECT 1 FROM imports i JOIN files f ON f.id = i.file WHERE f.path = ?1 AND i.target = ?2)",
    )?;
    let old: bool = statement.query_row([path, LOADER], |r| r.get(0))?;
    Ok(old == analysis.outline.imports.iter().any(|import| import.target == LOADER))
}

/// Whether a file of C# uses the namespaces for its whole project that it used for it.
fn gives_the_same(tx: &Transaction<'_>, path: &str, analysis: &Analysis) -> rusqlite::Result<bool> {
    if !path.ends_with(".cs") {
        return Ok(true);
    }
    let mut statement = tx.prepare_cached(
        "SELECT i.target FROM imports i JOIN files f ON f.id = i.file WHERE f.path = ?1 AND i.passed_on ORDER BY i.id",
    )?;
    let rows = statement.query_map([path], |r| r.get(0))?;
    let old: Vec<String> = rows.collect::<rusqlite::Result<_>>()?;
    let new = analysis.outline.imports.iter().filter(|import| import.passed_on);
    Ok(new.map(|import| import.target.clone()).eq(old))
}

/// Writes an analysed file in place of its earlier record and adds its words to `words`. Returns what must be resolved
/// again.
pub(crate) fn put_file(
    tx: &Transaction<'_>,
    found: &FoundFile,
    hash: &[u8],
    analysis: &Analysis,
    words: &mut Builder,
) -> rusqlite::Result<Relinks> {
    let mentioned = mentioned_types(analysis);
    let same_imports =
        imports_the_same(tx, &found.path, analysis)? && mentions_the_same(tx, &found.path, &mentioned)?;
    let same_types = defines_the_same(tx, &found.path, analysis)?
        && loads_the_same(tx, &found.path, analysis)?
        && gives_the_same(tx, &found.path, analysis)?;
    let size = i64::try_from(found.size).unwrap_or(i64::MAX);
    let parsed = i64::try_from(analysis.parsed.number()).unwrap_or(0);
    // A file keeps its number, because others point to it.
    let file: i64 = tx
        .prepare_cached(
            "INSERT INTO files(path, size, mtime_ns, hash, language, role, parsed, lines) VALUES(?1,?2,?3,?4,?5,?6,?7,?8)
             ON CONFLICT(path) DO UPDATE SET size = ?2, mtime_ns = ?3, hash = ?4, language = ?5, role = ?6, parsed = ?7,
                 lines = ?8
             RETURNING id",
        )?
        .query_row(
            params![
                found.path,
                size,
                found.mtime_ns,
                hash,
                analysis.language,
                analysis.role.0,
                parsed,
                analysis.lines
            ],
            |r| r.get(0),
        )?;
    for sql in [
        "DELETE FROM chunks WHERE file = ?1",
        "DELETE FROM symbols WHERE file = ?1",
        "DELETE FROM imports WHERE file = ?1",
        "DELETE FROM mentions WHERE file = ?1",
    ] {
        tx.prepare_cached(sql)?.execute([file])?;
    }
    if !same_imports {
        tx.prepare_cached("DELETE FROM edges WHERE importer = ?1")?.execute([file])?;
    }
    if !mentioned.is_empty() {
        tx.prepare_cached("INSERT INTO mentions(file, names) VALUES(?1, ?2)")?
            .execute(params![file, mentioned])?;
    }
    let symbol_ids = insert_symbols(tx, file, analysis)?;
    insert_chunks(tx, file, analysis, &symbol_ids, words)?;
    insert_imports(tx, file, analysis)?;
    Ok(Relinks { own: !same_imports, others: !same_types })
}

/// Writes a file's definitions; returns their numbers in the same order.
fn insert_symbols(tx: &Transaction<'_>, file: i64, analysis: &Analysis) -> rusqlite::Result<Vec<i64>> {
    let mut insert = tx.prepare_cached(
        "INSERT INTO symbols(file, name, folded, kind, container, start_line, end_line, line, exported, signature)
         VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)",
    )?;
    let mut ids = Vec::with_capacity(analysis.outline.symbols.len());
    let mut folded = String::new();
    for s in &analysis.outline.symbols {
        words::whole(&s.name, &mut folded);
        let kind = s.kind.name();
        insert.execute(params![
            file,
            s.name,
            folded,
            kind,
            s.container,
            s.start_line,
            s.end_line,
            s.line,
            s.exported,
            s.signature
        ])?;
        ids.push(tx.last_insert_rowid());
    }
    Ok(ids)
}

/// Writes a file's chunks and their lengths, and adds their words to `words`. `symbol_ids` are the numbers of its definitions.
fn insert_chunks(
    tx: &Transaction<'_>,
    file: i64,
    analysis: &Analysis,
    symbol_ids: &[i64],
    words: &mut Builder,
) -> rusqlite::Result<()> {
    let mut insert = tx.prepare_cached(
        "INSERT INTO chunks(file, key, start_line, end_line, symbol) VALUES(?1,?2,?3,?4,?5)",
    )?;
    let mut first = None;
    for chunk in &analysis.chunks {
        let symbol = chunk.symbol.and_then(|i| symbol_ids.get(i));
        insert.execute(params![file, chunk.key, chunk.start_line, chunk.end_line, symbol])?;
        let number = tx.last_insert_rowid().unsigned_abs();
        first.get_or_insert(number);
        words.add(number, &chunk.words);
    }
    let lengths = analysis.chunks.iter().map(|chunk| chunk.length);
    let lengths = first.map(|first| postings::lengths(first, lengths)).unwrap_or_default();
    tx.prepare_cached("UPDATE files SET chunks = ?2 WHERE id = ?1")?.execute(params![file, lengths])?;
    Ok(())
}

/// Writes a file's imports.
fn insert_imports(tx: &Transaction<'_>, file: i64, analysis: &Analysis) -> rusqlite::Result<()> {
    let mut insert = tx.prepare_cached(
        "INSERT INTO imports(file, target, names, line, passed_on, types_only) VALUES(?1,?2,?3,?4,?5,?6)",
    )?;
    for import in &analysis.outline.imports {
        insert.execute(params![
            file,
            import.target,
            import.names.join(","),
            import.line,
            import.passed_on,
            import.types_only
        ])?;
    }
    Ok(())
}

/// The watched paths besides files, in order.
pub(crate) fn watched(db: &Connection) -> rusqlite::Result<Vec<Stamp>> {
    let mut statement = db.prepare_cached("SELECT path, size, mtime_ns FROM watched ORDER BY path")?;
    let rows = statement.query_map([], |r| {
        Ok(Stamp { path: r.get(0)?, size: r.get::<_, i64>(1)?.unsigned_abs(), mtime_ns: r.get(2)? })
    })?;
    rows.collect()
}

/// Writes the watched paths and returns whether they changed.
pub(crate) fn put_watched(tx: &Transaction<'_>, mut watched: Vec<Stamp>) -> rusqlite::Result<bool> {
    watched.sort_by(|a, b| a.path.cmp(&b.path));
    if self::watched(tx)? == watched {
        return Ok(false);
    }
    tx.execute("DELETE FROM watched", [])?;
    watched.iter().try_for_each(|stamp| put_stamp(tx, stamp))?;
    Ok(true)
}

/// Writes one watched path.
pub(crate) fn put_stamp(tx: &Transaction<'_>, stamp: &Stamp) -> rusqlite::Result<()> {
    let size = i64::try_from(stamp.size).unwrap_or(i64::MAX);
    tx.prepare_cached("INSERT OR REPLACE INTO watched(path, size, mtime_ns) VALUES(?1, ?2, ?3)")?
        .execute(params![stamp.path, size, stamp.mtime_ns])?;
    Ok(())
}

/// Takes a file out of the index, and says whether it was there.
pub(crate) fn forget(tx: &Transaction<'_>, path: &str) -> rusqlite::Result<bool> {
    Ok(tx.prepare_cached("DELETE FROM files WHERE path = ?1")?.execute([path])? > 0)
}
