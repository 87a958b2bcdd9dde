//! Lists, figures, history and links.

use tokio_postgres::Row;

use super::PgStore;
use super::columns::{COLUMNS, column};
use super::condition::Condition;
use super::values::Values;
use crate::domain::{Link, LinkKind, Status};
use crate::query::Selection;
use crate::store::sqlite::step;
use crate::store::{Actor, HistoryEntry, MemoryPage, OrgError, Page, Result, Statistics, Store, StoreError};

pub(super) fn list(store: &PgStore, selection: &Selection, page: Page) -> Result<MemoryPage> {
    let condition = Condition::of(selection);
    let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let (limit, offset) = (number(page.limit), number(page.offset));
    let count = format!("SELECT count(*) FROM plimsoll.memories m WHERE {}", condition.sql);
    let total: i64 = first(&store.rows(&count, &condition.values)?)?.unwrap_or(0);
    let sql = format!(
        "SELECT {COLUMNS} FROM plimsoll.memories m WHERE {} ORDER BY m.created_ms DESC, m.row DESC LIMIT {limit} OFFSET {offset}",
        condition.sql
    );
    let memories = store.memories(&sql, &condition.values)?.into_iter().map(|(_, memory)| memory).collect();
    Ok(MemoryPage { memories, total: u64::try_from(total).unwrap_or(0) })
}

fn first(rows: &[Row]) -> Result<Option<i64>, OrgError> {
    rows.first().map(|row| column(row, 0)).transpose()
}

pub(super) fn statistics(store: &PgStore, selection: &Selection) -> Result<Statistics> {
    let condition = Condition::of(selection);
    let counted = |sql: String, values: &Values| -> Result<Vec<(String, u64)>> {
        let read = |row: &Row| -> Result<(String, u64), OrgError> {
            let count: i64 = column(row, 1)?;
            Ok((column(row, 0)?, u64::try_from(count).unwrap_or(0)))
        };
        Ok(store.rows(&sql, values)?.iter().map(read).collect::<Result<_, OrgError>>()?)
    };
    let (sql, values) = (&condition.sql, &condition.values);
    let from = "FROM plimsoll.memories m";
    let namespaces = counted(
        format!("SELECT m.namespace, count(*) {from} WHERE {sql} GROUP BY 1 ORDER BY 2 DESC, 1"),
        values,
    )?;
    let tags = counted(
        format!(
            "SELECT t.tag, count(*) {from} CROSS JOIN unnest(m.tags) AS t(tag) WHERE {sql} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20"
        ),
        values,
    )?;
    let recent = counted(
        format!(
            "SELECT tag, max(at) FROM (SELECT t.tag AS tag, m.created_ms AS at {from} CROSS JOIN unnest(m.tags) AS t(tag)
                WHERE {sql} ORDER BY m.created_ms DESC, m.row DESC LIMIT 200) AS newest
             GROUP BY tag ORDER BY 2 DESC, 1 LIMIT 10"
        ),
        values,
    )?;
    let scope = Condition::scope(&selection.scope);
    let statuses = counted(
        format!("SELECT m.status, count(*) {from} WHERE {} GROUP BY 1 ORDER BY 2 DESC, 1", scope.sql),
        &scope.values,
    )?;
    Ok(Statistics {
        total: namespaces.iter().map(|(_, count)| count).sum(),
        namespaces,
        statuses: statuses
            .into_iter()
            .filter_map(|(word, n)| Status::from_name(&word).map(|s| (s, n)))
            .collect(),
        tags,
        recent_topics: recent.into_iter().map(|(tag, _)| tag).collect(),
    })
}

/// Latest change first, each with the text after it.
pub(super) fn history(store: &PgStore, id: &str, limit: usize) -> Result<Vec<HistoryEntry>> {
    let now = store.get(id)?.ok_or_else(|| StoreError::NotFound(id.to_owned()))?;
    let mut values = Values::default();
    let id = values.text(id);
    let sql = format!(
        "SELECT c.version, c.what, c.at_ms, c.client, c.session, c.before, c.tags_before FROM plimsoll.changes c
         JOIN plimsoll.memories m ON m.row = c.memory WHERE m.id = {id} ORDER BY c.number DESC LIMIT {limit}"
    );
    let (mut content, mut tags) = (now.content, now.tags);
    let mut out = Vec::new();
    for row in store.rows(&sql, &values)? {
        let version: i64 = column(&row, 0)?;
        out.push(HistoryEntry {
            version: u32::try_from(version).unwrap_or(u32::MAX),
            what: step(column(&row, 1)?),
            who: Actor { at_ms: column(&row, 2)?, client: column(&row, 3)?, session: column(&row, 4)? },
            content: content.clone(),
            tags: tags.clone(),
        });
        if let Some(before) = column::<Option<String>>(&row, 5)? {
            content = before;
        }
        if let Some(before) = column::<Option<Vec<String>>>(&row, 6)? {
            tags = before;
        }
    }
    Ok(out)
}

pub(super) fn links(store: &PgStore, id: &str) -> Result<Vec<Link>> {
    let mut values = Values::default();
    let id = values.text(id);
    let sql = format!(
        "SELECT a.id, b.id, l.kind, l.at_ms FROM plimsoll.links l JOIN plimsoll.memories a ON a.row = l.source
         JOIN plimsoll.memories b ON b.row = l.target WHERE a.id = {id} OR b.id = {id} ORDER BY l.number"
    );
    let read = |row: &Row| -> Result<Link, OrgError> {
        let kind = LinkKind::from_name(column(row, 2)?).unwrap_or(LinkKind::RelatesTo);
        Ok(Link { from: column(row, 0)?, to: column(row, 1)?, kind, at_ms: column(row, 3)? })
    };
    Ok(store.rows(&sql, &values)?.iter().map(read).collect::<Result<_, OrgError>>()?)
}
