//! The full-text index: keeps a memory's entry and its neighbours' entries up to date.

use std::collections::BTreeSet;

use ranking::words::parts;
use rusqlite::{Connection, OptionalExtension};

use super::composed_names::compose_names;
use super::entities::mention_known;
use crate::domain::{composed, other_spellings};

/// The number of neighbours on each side that are indexed with a memory.
const REACH: usize = 2;
/// Maximum length of a neighbour's indexed text.
const NEIGHBOUR_BYTES: usize = 1_200;
/// The row of `tasks` that is there from when somebody without the time found the index incomplete until it's built.
const TASK: &str = "build index";

/// Indexes a row in its current version.
pub(super) fn post(db: &Connection, row: i64) -> rusqlite::Result<()> {
    unpost(db, row)?;
    let found = db
        .prepare_cached("SELECT content, file, source, branch, thread FROM memories WHERE row = ?1")?
        .query_row([row], |r| {
            let content: String = r.get(0)?;
            let place: [Option<String>; 3] = [r.get(1)?, r.get(2)?, r.get(3)?];
            let place: Vec<String> = place.into_iter().flatten().collect();
            let thread: Option<i64> = r.get(4)?;
            Ok((content, place.join(" "), thread))
        })
        .optional()?;
    let Some((content, place, thread)) = found else { return Ok(()) };
    let tags: Vec<String> = super::rows::tags(db, row)?;
    let tags = tags.join(" ");
    let [asked, before, after, around] = match thread {
        Some(thread) => context_texts(db, row, thread)?,
        None => Default::default(),
    };
    let beside = [hidden(&content), hidden(&place), hidden(&tags)].join(" ");
    db.prepare_cached(
        "INSERT INTO memory_index(rowid, content, tags, place, parts, asked, before, after, around)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute((row, content, tags, place, beside, asked, before, after, around))?;
    Ok(())
}

/// What the index wouldn't find of a text by itself: the parts of identifiers, and other spellings.
fn hidden(text: &str) -> String {
    let mut out = parts(&composed(text));
    for spelling in other_spellings(text) {
        out.push(' ');
        out.push_str(&spelling);
    }
    out
}

/// Removes a row's index entry.
pub(super) fn unpost(db: &Connection, row: i64) -> rusqlite::Result<()> {
    db.prepare_cached("DELETE FROM memory_index WHERE rowid = ?1")?.execute([row])?;
    Ok(())
}

/// Indexes new rows, and their neighbours again; each once.
pub(super) fn post_fresh(db: &Connection, fresh: &[i64]) -> rusqlite::Result<()> {
    let mut all: BTreeSet<i64> = fresh.iter().copied().collect();
    for row in fresh {
        let thread: Option<i64> = db
            .prepare_cached("SELECT thread FROM memories WHERE row = ?1")?
            .query_row([row], |r| r.get(0))?;
        if let Some(thread) = thread {
            all.extend(neighbours(db, *row, thread)?.into_iter().flatten());
        }
    }
    all.into_iter().try_for_each(|row| post(db, row))
}

/// Indexes the neighbours of a row again.
pub(super) fn post_neighbours(db: &Connection, row: i64, thread: Option<i64>) -> rusqlite::Result<()> {
    let Some(thread) = thread else { return Ok(()) };
    let [before, after] = neighbours(db, row, thread)?;
    for neighbour in before.into_iter().chain(after) {
        post(db, neighbour)?;
    }
    Ok(())
}

/// The context of a row: the question right before it, what else is right before and right after it, and one step
/// further.
fn context_texts(db: &Connection, row: i64, thread: i64) -> rusqlite::Result<[String; 4]> {
    let mut out: [String; 4] = Default::default();
    for (side, rows) in neighbours(db, row, thread)?.into_iter().enumerate() {
        for (step, neighbour) in rows.into_iter().enumerate() {
            let text: String = db
                .prepare_cached("SELECT content FROM memories WHERE row = ?1")?
                .query_row([neighbour], |r| r.get(0))?;
            let column = match (step, side) {
                (0, 0) if text.trim_end().ends_with(['?', '？']) => 0,
                (0, 0) => 1,
                (0, _) => 2,
                _ => 3,
            };
            let text = &text[..text.floor_char_boundary(NEIGHBOUR_BYTES)];
            for part in [text, &hidden(text)] {
                out[column].push_str(part);
                out[column].push('\n');
            }
        }
    }
    Ok(out)
}

/// The rows before and after it in the same thread, nearest first. Deleted and superseded memories have no text.
fn neighbours(db: &Connection, row: i64, thread: i64) -> rusqlite::Result<[Vec<i64>; 2]> {
    let side = |sql: &str| -> rusqlite::Result<Vec<i64>> {
        db.prepare_cached(sql)?.query_map((thread, row, REACH), |r| r.get(0))?.collect()
    };
    Ok([
        side(
            "SELECT row FROM memories WHERE thread = ?1 AND row < ?2 AND status NOT IN ('tombstoned', 'superseded')
             ORDER BY row DESC LIMIT ?3",
        )?,
        side(
            "SELECT row FROM memories WHERE thread = ?1 AND row > ?2 AND status NOT IN ('tombstoned', 'superseded')
             ORDER BY row LIMIT ?3",
        )?,
    ])
}

/// Indexes everything again; returns the number of memories.
pub(super) fn rebuild(db: &Connection) -> rusqlite::Result<u64> {
    db.execute("INSERT INTO memory_index(memory_index) VALUES('delete-all')", [])?;
    compose_names(db)?;
    let rows: Vec<i64> = db
        .prepare("SELECT row FROM memories ORDER BY row")?
        .query_map([], |r| r.get(0))?
        .collect::<Result<_, _>>()?;
    for row in &rows {
        post(db, *row)?;
        mention_known(db, *row)?;
    }
    db.execute("DELETE FROM tasks WHERE name = ?1", [TASK])?;
    Ok(rows.len() as u64)
}

/// Leaves the building of an incomplete index to whoever has the time. What is captured meanwhile is indexed, and the highest row
/// numbers would be the same again.
pub(super) fn plan_rebuild(db: &Connection) -> rusqlite::Result<()> {
    if !is_complete(db).unwrap_or(false) {
        db.execute("INSERT OR IGNORE INTO tasks VALUES(?1)", [TASK])?;
    }
    Ok(())
}

/// Whether every memory is indexed, by comparing the highest row numbers, unless somebody found before that it isn't; costs
/// nothing. One statement sees one moment: between two another process may capture a memory, which isn't damage.
pub(super) fn is_complete(db: &Connection) -> rusqlite::Result<bool> {
    let same = "SELECT (SELECT max(row) FROM memories) IS (SELECT max(id) FROM memory_index_docsize)";
    let is_same: bool = db.query_row(same, [], |r| r.get(0))?;
    Ok(is_same && !awaits_rebuild(db))
}

/// Whether somebody left the building of the index to others. An earlier version's database has no tasks.
fn awaits_rebuild(db: &Connection) -> bool {
    let waits = db.prepare_cached("SELECT EXISTS (SELECT 1 FROM tasks WHERE name = ?1)");
    waits.and_then(|mut waits| waits.query_row([TASK], |r| r.get(0))).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::super::SqliteStore;
    use super::is_complete;
    use crate::domain::{Domain, Namespace};
    use crate::store::{Actor, Draft, Secrets, Store as _};

    #[test]
    fn captures_during_the_check_are_not_damage() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("memory.db");
        let store = SqliteStore::open(&path).unwrap();
        let asked = std::thread::scope(|threads| {
            let writer = threads.spawn(|| {
                let mut other = SqliteStore::open(&path).unwrap();
                let who = Actor { at_ms: 1_000, client: None, session: None };
                for number in 0..200 {
                    let content = format!("Memory {number} is about the lighthouse");
                    let draft = Draft::new(&content, Namespace::Decisions, Domain::User);
                    other.capture(&draft.check(Secrets::Redact).unwrap(), &who).unwrap();
                }
            });
            let mut asked = 0;
            while !writer.is_finished() {
                assert!(is_complete(&store.db).unwrap(), "question {asked}");
                asked += 1;
            }
            asked
        });
        assert!(asked > 10, "{asked}");
    }
}
