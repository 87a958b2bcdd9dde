//! A memory's history, reconstructed from what each change replaced.

use rusqlite::Connection;

use crate::domain::Memory;
use crate::store::{Actor, ChangeKind, HistoryEntry};

const WORDS: &[(ChangeKind, &str)] = &[
    (ChangeKind::Captured, "captured"),
    (ChangeKind::Updated, "updated"),
    (ChangeKind::Archived, "archived"),
    (ChangeKind::Superseded, "superseded"),
    (ChangeKind::Deleted, "deleted"),
    (ChangeKind::Restored, "restored"),
];

/// The stored name of a change.
pub(in crate::store) fn word(what: ChangeKind) -> &'static str {
    WORDS.iter().find(|(known, _)| *known == what).map_or("updated", |(_, word)| word)
}

/// The change with this stored name.
pub(in crate::store) fn step(stored: &str) -> ChangeKind {
    WORDS.iter().find(|(_, word)| *word == stored).map_or(ChangeKind::Updated, |(what, _)| *what)
}

/// Latest change first, each with the text after it.
pub(super) fn of(
    db: &Connection,
    row: i64,
    now: Memory,
    limit: usize,
) -> rusqlite::Result<Vec<HistoryEntry>> {
    let (mut content, mut tags) = (now.content, now.tags);
    let mut read = db.prepare_cached(
        "SELECT version, what, at_ms, client, session, before, tags_before FROM changes WHERE memory = ?1
         ORDER BY number DESC LIMIT ?2",
    )?;
    let mut rows = read.query((row, limit))?;
    let mut out = Vec::new();
    while let Some(row) = rows.next()? {
        let stored = row.get_ref(1)?.as_str()?;
        out.push(HistoryEntry {
            version: row.get(0)?,
            what: step(stored),
            who: Actor { at_ms: row.get(2)?, client: row.get(3)?, session: row.get(4)? },
            content: content.clone(),
            tags: tags.clone(),
        });
        if let Some(before) = row.get::<_, Option<String>>(5)? {
            content = before;
        }
        if let Some(before) = row.get::<_, Option<String>>(6)? {
            tags = serde_json::from_str(&before).unwrap_or_default();
        }
    }
    Ok(out)
}
