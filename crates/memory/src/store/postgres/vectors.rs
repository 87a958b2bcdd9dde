//! Vectors of memories on a server with `pgvector`: storing them, and the nearest to a question. Each is valid only for
//! the text and model it was made from. Doesn't make any: that is done where a model is configured.

use super::PgStore;
use super::columns::column;
use super::condition::{Condition, scope_arguments};
use super::rows::rows;
use super::values::Values;
use crate::query::Selection;
use crate::store::{NearMatch, OrgError, QueryVector, Result};

/// The number of memories returned, the nearest.
const MAX_NEAREST: i64 = 400;
/// The same if a filter will leave some out.
const MAX_FILTERED: i64 = 20_000;

/// A memory's vector, as computers share it.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedVector {
    /// The memory's id.
    pub id: String,
    /// The hash of the text that it was made from.
    pub hash: [u8; 16],
    /// The model.
    pub model: String,
    /// The vector, of length 1.
    pub vector: Vec<f32>,
}

impl PgStore {
    /// Whether the server stores vectors.
    ///
    /// # Errors
    /// [`OrgError`].
    pub fn has_vectors(&self) -> Result<bool> {
        if let Some(known) = self.vectors.get() {
            return Ok(*known);
        }
        let sql = "SELECT to_regclass('plimsoll.vectors') IS NOT NULL";
        let rows = self.rows(sql, &Values::default())?;
        let found = rows.first().map(|row| column(row, 0)).transpose()?.unwrap_or(false);
        Ok(*self.vectors.get_or_init(|| found))
    }

    /// Stores the vectors of memories that the user may change and whose text is unchanged; the others are left out.
    ///
    /// # Errors
    /// [`OrgError`].
    pub fn put_vectors(&mut self, all: &[SharedVector]) -> Result<()> {
        self.change(async |db, server| {
            for one in all {
                let mut values = Values::default();
                let (id, hash) = (values.text(&one.id), values.bytes(&one.hash));
                let (model, vector) = (values.text(&one.model), values.floats(one.vector.clone()));
                let sql = format!(
                    "INSERT INTO plimsoll.vectors (memory, model, hash, vector)
                     SELECT m.row, {model}, m.hash, plimsoll.as_vector({vector}) FROM plimsoll.memories m
                     WHERE m.id = {id} AND m.hash = {hash} AND plimsoll.may_change(m.row)
                     ON CONFLICT (memory, model) DO UPDATE SET hash = excluded.hash, vector = excluded.vector"
                );
                rows(db, server, &sql, &values).await?;
            }
            Ok(())
        })
    }
}

/// The selected memories with a vector of the question's model and length; none on a server without vectors.
pub(super) fn nearest(
    store: &PgStore,
    selection: &Selection,
    question: &QueryVector,
) -> Result<Vec<NearMatch>> {
    if !store.has_vectors()? {
        return Ok(Vec::new());
    }
    let mut condition = Condition::clauses(&selection.filter);
    let (everywhere, here) = scope_arguments(&selection.scope);
    let most = if selection.filter.clauses.is_empty() { MAX_NEAREST } else { MAX_FILTERED };
    let statuses = &selection.filter.statuses;
    let values = &mut condition.values;
    let arguments = [
        values.floats(question.vector.clone()),
        values.text(&question.model),
        values.maybe_switch(Some(everywhere)),
        values.text(here),
        values.texts(statuses.any.iter().map(|status| status.as_str().to_owned()).collect()),
        values.maybe_switch(statuses.expired),
        values.number(selection.now_ms),
        values.number(most),
    ];
    let sql = format!(
        "SELECT n.key, n.cosine FROM plimsoll.nearest({}) n JOIN plimsoll.memories m ON m.row = n.key WHERE {}",
        arguments.join(", "),
        condition.sql
    );
    let read = |row: &tokio_postgres::Row| Ok(NearMatch { key: column(row, 0)?, cosine: column(row, 1)? });
    let found = store.rows(&sql, &condition.values)?;
    let near: Vec<NearMatch> = found.iter().map(read).collect::<Result<_, OrgError>>()?;
    Ok(near.into_iter().filter(|one| one.cosine.is_finite()).collect())
}
