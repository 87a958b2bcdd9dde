//! Vectors of memories: derived from their texts, each valid only for the exact text and model it was made from.

use rusqlite::{Connection, OptionalExtension, params_from_iter};

use super::SqliteStore;
use super::condition::Condition;
use crate::query::Selection;
use crate::store::{NearMatch, QueryVector, Result, SharedVector};

/// Maximum number of vectors compared with a question, the newest.
const MAX_COMPARED: usize = 200_000;

/// A memory without a vector of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingVector {
    /// The store's number for it.
    pub key: i64,
    /// The hash of its text.
    pub hash: [u8; 16],
    /// Its text after its author's name: questions name people, and people rarely name themselves.
    pub content: String,
}

/// The number of vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VectorCount {
    /// Memories with a vector of the model.
    pub made: u64,
    /// Memories that could have one.
    pub of: u64,
    /// Vectors of other models.
    pub others: u64,
}

/// The condition for memories that can have a vector: no model reads pending or deleted ones.
const WANTED: &str = "m.status IN ('active', 'archived', 'superseded')";
/// The condition for a vector of the current text.
const CURRENT: &str = "v.model = ?1 AND v.hash = m.hash";

impl SqliteStore {
    /// Memories stored before `below` without a vector of this model, newest first.
    ///
    /// # Errors
    /// If the database fails.
    pub fn without_vector(&self, model: &str, below: i64, most: usize) -> Result<Vec<MissingVector>> {
        self.look(|db| {
            let join = if table_exists(db)? {
                format!(
                    "LEFT JOIN vectors v ON v.memory = m.row WHERE {WANTED} AND (v.memory IS NULL OR NOT ({CURRENT}))"
                )
            } else {
                format!("WHERE {WANTED} AND ?1 IS NOT NULL")
            };
            db.prepare_cached(&format!(
                "SELECT m.row, m.hash, ifnull(m.author || ': ', '') || m.content FROM memories m {join} AND m.row < ?3 ORDER BY m.row DESC LIMIT ?2"
            ))?
            .query_map((model, most, below), |r| Ok(MissingVector { key: r.get(0)?, hash: r.get(1)?, content: r.get(2)? }))?
            .collect()
        })
    }

    /// Stores vectors of memories whose text is unchanged.
    ///
    /// # Errors
    /// If the database fails.
    pub fn keep_vectors(&mut self, model: &str, all: &[(MissingVector, Vec<f32>)]) -> Result<()> {
        Ok(home::write(&mut self.db, |db| {
            let mut put = db.prepare_cached(
                "INSERT INTO vectors(memory, model, hash, vector)
                 SELECT row, ?2, hash, ?4 FROM memories WHERE row = ?1 AND hash = ?3
                 ON CONFLICT(memory) DO UPDATE SET model = ?2, hash = ?3, vector = ?4",
            )?;
            for (one, vector) in all {
                let bytes: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
                put.execute((one.key, model, one.hash, bytes))?;
            }
            Ok(())
        })?)
    }

    /// Vectors of current texts of memories stored before `below`, newest first, with the store's numbers for them.
    ///
    /// # Errors
    /// If the database fails.
    pub fn vectors_below(&self, below: i64, most: usize) -> Result<Vec<(i64, SharedVector)>> {
        self.look(|db| {
            if !table_exists(db)? {
                return Ok(Vec::new());
            }
            db.prepare_cached(&format!(
                "SELECT m.row, m.id, v.hash, v.model, v.vector FROM vectors v JOIN memories m ON m.row = v.memory
                 WHERE v.hash = m.hash AND {WANTED} AND m.row < ?1 ORDER BY m.row DESC LIMIT ?2"
            ))?
            .query_map((below, most), |r| {
                let vector = numbers(r.get_ref(4)?.as_blob()?).collect();
                Ok((r.get(0)?, SharedVector { id: r.get(1)?, hash: r.get(2)?, model: r.get(3)?, vector }))
            })?
            .collect()
        })
    }

    /// Removes the vectors of every other model.
    ///
    /// # Errors
    /// If the database fails.
    pub fn only_vectors_of(&mut self, model: &str) -> Result<()> {
        Ok(home::write(&mut self.db, |db| {
            db.execute("DELETE FROM vectors WHERE model <> ?1", [model]).map(|_| ())
        })?)
    }

    /// Removes this model's vectors of another length, made by another model of the same name.
    ///
    /// # Errors
    /// If the database fails.
    pub fn drop_other_lengths(&mut self, model: &str, numbers: usize) -> Result<()> {
        Ok(home::write(&mut self.db, |db| {
            db.execute(
                "DELETE FROM vectors WHERE model = ?1 AND length(vector) <> ?2",
                (model, bytes(numbers)),
            )
            .map(|_| ())
        })?)
    }

    /// The number of this model's vectors, optionally of one length, and of others.
    ///
    /// # Errors
    /// If the database fails.
    pub fn count_vectors(&self, model: &str, numbers: Option<usize>) -> Result<VectorCount> {
        self.look(|db| {
            let of =
                db.query_row(&format!("SELECT count(*) FROM memories m WHERE {WANTED}"), [], |r| r.get(0))?;
            if !table_exists(db)? {
                return Ok(VectorCount { of, ..VectorCount::default() });
            }
            let made = db.query_row(
                &format!(
                    "SELECT count(*) FROM vectors v JOIN memories m ON m.row = v.memory
                     WHERE {CURRENT} AND {WANTED} AND length(v.vector) = ifnull(?2, length(v.vector))"
                ),
                (model, numbers.map(bytes)),
                |r| r.get(0),
            )?;
            let others =
                db.query_row("SELECT count(*) FROM vectors WHERE model <> ?1", [model], |r| r.get(0))?;
            Ok(VectorCount { made, of, others })
        })
    }
}

/// The numbers of a stored vector.
fn numbers(blob: &[u8]) -> impl Iterator<Item = f32> {
    blob.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four))
}

/// The size of a vector with this many numbers.
fn bytes(numbers: usize) -> i64 {
    i64::try_from(numbers).unwrap_or(i64::MAX).saturating_mul(4)
}

/// A file that this version has only read may not have the table yet.
fn table_exists(db: &Connection) -> rusqlite::Result<bool> {
    let found = db
        .prepare_cached("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'vectors'")?
        .query_row([], |_| Ok(()))
        .optional()?;
    Ok(found.is_some())
}

/// The selected memories with a vector of the question's model and length.
pub(super) fn nearest(
    db: &Connection,
    selection: &Selection,
    meaning: &QueryVector,
) -> rusqlite::Result<Vec<NearMatch>> {
    if !table_exists(db)? {
        return Ok(Vec::new());
    }
    let condition = Condition::of(selection);
    let mut values = vec![
        rusqlite::types::Value::Text(meaning.model.clone()),
        rusqlite::types::Value::Integer(bytes(meaning.vector.len())),
    ];
    values.extend(condition.values.iter().cloned());
    let mut look = db.prepare_cached(&format!(
        "SELECT v.memory, v.vector FROM vectors v JOIN memories m ON m.row = v.memory
         WHERE v.model = ? AND length(v.vector) = ? AND v.hash = m.hash AND {}
         ORDER BY v.memory DESC LIMIT {MAX_COMPARED}",
        condition.sql
    ))?;
    let mut rows = look.query(params_from_iter(&values))?;
    let mut out = Vec::new();
    while let Some(row) = rows.next()? {
        let cosine: f32 = numbers(row.get_ref(1)?.as_blob()?).zip(&meaning.vector).map(|(a, b)| a * b).sum();
        if cosine.is_finite() {
            out.push(NearMatch { key: row.get(0)?, cosine: f64::from(cosine) });
        }
    }
    Ok(out)
}
