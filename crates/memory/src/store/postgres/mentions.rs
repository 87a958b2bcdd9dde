//! Which names a memory on the server mentions, so that a filter by entity works for everybody. `graph` decides what
//! counts as a name; manual aliases are known where the question is asked.

use super::PgStore;
use super::columns::column;
use super::condition::Condition;
use super::connect::Server;
use super::rows::{Db, rows};
use super::values::Values;
use crate::graph::{names_in, possible_names};
use crate::query::Scope;
use crate::store::{OrgError, Result};

/// Number of memories processed at once.
const AT_ONCE: i64 = 1_000;

/// Stores the names in a new text.
pub(super) async fn post(db: &Db<'_>, server: &Server, row: i64, content: &str) -> Result<(), OrgError> {
    let names = names_in(content);
    if names.is_empty() {
        return Ok(());
    }
    let mut values = Values::default();
    let (row, names) = (values.number(row), values.texts(names));
    let sql = format!(
        "INSERT INTO plimsoll.mentions (name, memory) SELECT unnest({names}), {row} ON CONFLICT DO NOTHING"
    );
    rows(db, server, &sql, &values).await.map(|_| ())
}

/// Removes a text's names.
pub(super) async fn unpost(db: &Db<'_>, server: &Server, row: i64) -> Result<(), OrgError> {
    let mut values = Values::default();
    let row = values.number(row);
    rows(db, server, &format!("DELETE FROM plimsoll.mentions WHERE memory = {row}"), &values)
        .await
        .map(|_| ())
}

/// Stores the names of all memories, for tables from before this existed.
pub(super) async fn post_all(db: &Db<'_>, server: &Server) -> Result<(), OrgError> {
    let mut from = 0;
    loop {
        let mut values = Values::default();
        let after = values.number(from);
        let sql = format!(
            "SELECT m.row, m.content FROM plimsoll.memories m WHERE m.row > {after} ORDER BY m.row LIMIT {AT_ONCE}"
        );
        let found = rows(db, server, &sql, &values).await?;
        let (mut names, mut memories) = (Vec::new(), Vec::new());
        for one in &found {
            from = column(one, 0)?;
            for name in names_in(column(one, 1)?) {
                names.push(name);
                memories.push(from);
            }
        }
        if found.is_empty() {
            return Ok(());
        }
        let mut values = Values::default();
        let (names, memories) = (values.texts(names), values.numbers(memories));
        let sql = format!(
            "INSERT INTO plimsoll.mentions (name, memory) SELECT * FROM unnest({names}, {memories}) ON CONFLICT DO NOTHING"
        );
        rows(db, server, &sql, &values).await?;
    }
}

pub(super) fn ids_mentioning(
    store: &PgStore,
    scope: &Scope,
    names: &[String],
    limit: usize,
) -> Result<Vec<String>> {
    let mut condition = Condition::scope(scope);
    let names = condition.values.texts(possible_names(names));
    let limit = condition.values.number(i64::try_from(limit).unwrap_or(i64::MAX));
    let sql = format!(
        "SELECT m.id FROM plimsoll.memories m WHERE {} AND EXISTS
            (SELECT 1 FROM plimsoll.mentions t WHERE t.memory = m.row AND t.name = ANY ({names}))
         ORDER BY m.row DESC LIMIT {limit}",
        condition.sql
    );
    let found = store.rows(&sql, &condition.values)?;
    Ok(found.iter().map(|row| column(row, 0)).collect::<Result<_, OrgError>>()?)
}
