//! Writes the database's posting lists. Small changes are collected and merged in bulk; stale entries are removed once they
//! make up half of a list.

use std::collections::BTreeMap;

use rusqlite::{OptionalExtension as _, Transaction, params};

use crate::postings::{self, Builder};
use crate::write::put_fact;

/// The number of small changes that are collected before they are merged into the lists.
const MAX_PENDING_CHUNKS: u64 = 4_000;
const MAX_PENDING: u64 = 48;
/// A change of more chunks goes into the lists at once.
const SMALL_CHUNKS: u64 = 1_500;

/// Writes the words of the chunks that were added: few of them aside, many into the lists. Says whether the lists were written.
pub(crate) fn put_words(tx: &Transaction<'_>, words: Builder) -> rusqlite::Result<bool> {
    let chunks = words.chunks();
    if chunks == 0 {
        return Ok(false);
    }
    let lists = words.finish();
    if chunks <= SMALL_CHUNKS {
        let bytes = postings::bundle(&lists);
        tx.prepare_cached("INSERT INTO pending(chunks, words) VALUES(?1, ?2)")?
            .execute(params![i64::try_from(chunks).unwrap_or(0), bytes])?;
        let (count, all): (i64, i64) =
            tx.query_row("SELECT count(*), coalesce(sum(chunks), 0) FROM pending", [], |r| {
                Ok((r.get(0)?, r.get(1)?))
            })?;
        if count.unsigned_abs() > MAX_PENDING || all.unsigned_abs() > MAX_PENDING_CHUNKS {
            merge_pending(tx)?;
            return Ok(true);
        }
        return Ok(false);
    }
    // Lists ascend: what was put aside before comes first.
    merge_pending(tx)?;
    append(tx, lists.iter().map(|(word, list)| (word.as_str(), list.as_slice())))?;
    Ok(true)
}

/// Puts everything that was put aside into the lists.
pub(crate) fn merge_pending(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    let mut merged: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    {
        let mut statement = tx.prepare_cached("SELECT words FROM pending ORDER BY id")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            postings::unbundle(row.get_ref(0)?.as_blob().unwrap_or_default(), |word, list| {
                merged.entry(word.to_owned()).or_default().extend(list);
            });
        }
    }
    append(tx, merged.iter().map(|(word, list)| (word.as_str(), list.as_slice())))?;
    tx.execute("DELETE FROM pending", [])?;
    Ok(())
}

fn append<'l>(
    tx: &Transaction<'_>,
    lists: impl Iterator<Item = (&'l str, &'l [u8])>,
) -> rusqlite::Result<()> {
    let mut statement = tx.prepare_cached(
        "INSERT INTO postings(word, docs) VALUES(?1, ?2)
         ON CONFLICT(word) DO UPDATE SET docs = CAST(docs || excluded.docs AS BLOB)",
    )?;
    for (word, list) in lists {
        statement.execute(params![word, list])?;
    }
    Ok(())
}

/// Rewrites the lists without removed chunks, if there are many.
pub(crate) fn drop_stale(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    let alive: i64 = tx.query_row("SELECT count(*) FROM chunks", [], |r| r.get(0))?;
    let ever: i64 = tx
        .query_row("SELECT seq FROM sqlite_sequence WHERE name = 'chunks'", [], |r| r.get(0))
        .optional()?
        .unwrap_or(0);
    let swept: i64 = tx
        .query_row("SELECT value FROM facts WHERE name = 'swept'", [], |r| r.get::<_, String>(0))
        .optional()?
        .and_then(|v| v.parse().ok())
        .unwrap_or(0);
    // Since the last time, more were added than there are: at least half of the lists is about what is gone.
    if ever - swept < alive + 20_000 {
        return Ok(());
    }
    merge_pending(tx)?;
    let mut live = std::collections::HashSet::new();
    {
        let mut statement = tx.prepare("SELECT id FROM chunks")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            live.insert(row.get::<_, i64>(0)?.unsigned_abs());
        }
    }
    let words: Vec<String> = tx
        .prepare("SELECT word FROM postings")?
        .query_map([], |r| r.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let mut get = tx.prepare("SELECT docs FROM postings WHERE word = ?1")?;
    let mut put = tx.prepare("UPDATE postings SET docs = ?2 WHERE word = ?1")?;
    let mut drop = tx.prepare("DELETE FROM postings WHERE word = ?1")?;
    for word in words {
        let old: Vec<u8> = get.query_row([&word], |r| r.get(0))?;
        let mut builder = Builder::default();
        postings::read(&old, |chunk, counts| {
            if live.contains(&chunk) {
                builder.add(chunk, &[(word.clone(), counts)]);
            }
        });
        match builder.finish().remove(&word) {
            Some(new) => put.execute(params![word, new])?,
            None => drop.execute([&word])?,
        };
    }
    put_fact(tx, "swept", &ever.to_string())
}
