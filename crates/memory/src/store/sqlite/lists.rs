//! Lists and figures.

use std::cmp::Reverse;

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params_from_iter};

use super::condition::Condition;
use super::rows::{self, COLUMNS};
use crate::domain::{Domain, Memory, Status};
use crate::query::{Clause, ProjectKeys, Scope, Selection};
use crate::store::{MemoryPage, Page, Statistics};

pub(super) fn list(db: &Connection, selection: &Selection, page: Page) -> rusqlite::Result<MemoryPage> {
    let condition = Condition::of(selection);
    let total = db
        .prepare_cached(&format!("SELECT count(*) FROM memories m WHERE {}", condition.sql))?
        .query_row(params_from_iter(&condition.values), |r| r.get(0))?;
    // SQLite's numbers end earlier, and a larger one would be reported as damage.
    let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let (limit, offset) = (number(page.limit), number(page.offset));
    let sql = format!(
        "SELECT {COLUMNS} FROM memories m WHERE {} ORDER BY m.created_ms DESC, m.row DESC LIMIT {limit} OFFSET {offset}",
        condition.sql
    );
    let found = read(db, &sql, &condition.values)?;
    Ok(MemoryPage { memories: found.into_iter().map(|(_, memory)| memory).collect(), total })
}

/// The newest selected memories, at most `most`, whose text is like one of these, among the newest `among` of each of the
/// selection's projects. What other projects have doesn't make it slower.
pub(super) fn containing(
    db: &Connection,
    selection: &Selection,
    patterns: &[String],
    (most, among): (usize, usize),
) -> rusqlite::Result<Vec<(i64, Memory)>> {
    if patterns.is_empty() {
        return Ok(Vec::new());
    }
    let condition = Condition::of(selection);
    let mut found: Vec<(i64, i64)> = Vec::new();
    for place in places(db, selection)? {
        let of_place = place.map(|place| Value::Text(place.to_owned()));
        let values = of_place.into_iter().chain(condition.values.iter().cloned());
        let values = values.chain(patterns.iter().cloned().map(Value::Text));
        let mut read =
            db.prepare_cached(&containing_sql(&condition, place, patterns.len(), (most, among)))?;
        for row in read.query_map(params_from_iter(values), |r| Ok((r.get(0)?, r.get(1)?)))? {
            found.push(row?);
        }
    }
    found.sort_by_key(|newest| Reverse(*newest));
    let rows: Vec<i64> = found.into_iter().take(most).map(|(_, row)| row).collect();
    rows::by_rows(db, &rows)
}

/// Asks for the times and rows of those in one place, or everywhere.
pub(super) fn containing_sql(
    condition: &Condition,
    place: Option<&str>,
    patterns: usize,
    (most, among): (usize, usize),
) -> String {
    let in_place = place.map_or_else(|| "1".to_owned(), |_| format!("{PLACE} = ?"));
    let any = vec!["n.content LIKE ?"; patterns].join(" OR ");
    format!(
        "SELECT n.created_ms, n.row FROM
            (SELECT m.created_ms, m.row, m.content FROM memories m WHERE {in_place} AND {}
             ORDER BY m.created_ms DESC, m.row DESC LIMIT {among}) n
         WHERE {any} ORDER BY n.created_ms DESC, n.row DESC LIMIT {most}",
        condition.sql
    )
}

/// The project that a memory belongs to, empty for the user's and the organisation's, as the index `memories_place` has it.
pub(super) const PLACE: &str = "CASE m.domain WHEN 'project' THEN m.project ELSE '' END";

/// Where the memories of these projects come from that were read from files of a repository below this folder, whatever became of
/// them.
pub(super) fn sources_below(
    db: &Connection,
    projects: &ProjectKeys,
    folder: &str,
) -> rusqlite::Result<Vec<String>> {
    let keys: Vec<&str> = projects.all().collect();
    db.prepare_cached(&format!(
        "SELECT DISTINCT m.source FROM memories m WHERE {PLACE} IN (SELECT value FROM json_each(?1))
            AND m.trust = 'repository' AND substr(m.source, 1, length(?2)) = ?2"
    ))?
    .query_map((serde_json::json!(keys).to_string(), format!("{folder}/")), |r| r.get(0))?
    .collect()
}

/// The newest memories of a selection since a moment, at most `most`, among the newest `among` that its scope sees. Neither
/// their number nor what other projects have makes it slower.
pub(super) fn newest(
    db: &Connection,
    selection: &Selection,
    since_ms: i64,
    (most, among): (usize, i64),
) -> rusqlite::Result<Vec<Memory>> {
    let condition = Condition::of(selection);
    let places = places(db, selection)?;
    let among = among / i64::try_from(places.len().max(1)).unwrap_or(i64::MAX);
    let mut found = Vec::new();
    for place in places {
        found.extend(newest_in(db, &condition, place, since_ms, (most, among))?);
    }
    found.sort_by_key(|(row, memory)| Reverse((memory.created_ms, *row)));
    found.dedup_by_key(|(row, _)| *row);
    found.truncate(most);
    Ok(found.into_iter().map(|(_, memory)| memory).collect())
}

/// Where the memories of a selection are, see [`PLACE`]; `None` for everywhere at once.
pub(super) fn places<'s>(
    db: &Connection,
    selection: &'s Selection,
) -> rusqlite::Result<Vec<Option<&'s str>>> {
    let keys: Vec<&str> = match &selection.scope {
        Scope::Everywhere => return Ok(vec![None]),
        Scope::Outside => Vec::new(),
        Scope::Project(keys) => keys.all().collect(),
    };
    // A reader may come before the first writer, and so before the index exists.
    let has_index: bool = db
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'memories_place')")?
        .query_row([], |r| r.get(0))?;
    if !has_index {
        return Ok(vec![None]);
    }
    let only_projects = Clause::Domain(vec![Domain::Project]);
    let beside = if selection.filter.clauses.contains(&only_projects) { None } else { Some("") };
    Ok(keys.into_iter().chain(beside).map(Some).collect())
}

/// The same of one place, with their rows.
fn newest_in(
    db: &Connection,
    condition: &Condition,
    place: Option<&str>,
    since_ms: i64,
    (most, among): (usize, i64),
) -> rusqlite::Result<Vec<(i64, Memory)>> {
    let in_place = place.map_or_else(|| "1".to_owned(), |_| format!("{PLACE} = ?"));
    let of_place: Vec<Value> = place.map(|place| Value::Text(place.to_owned())).into_iter().collect();
    let values = |numbers: &[i64]| -> Vec<Value> {
        of_place.iter().cloned().chain(numbers.iter().copied().map(Value::Integer)).collect()
    };
    let too_old: Option<(i64, i64)> = db
        .prepare_cached(&format!(
            "SELECT m.created_ms, m.row FROM memories m WHERE {in_place}
             ORDER BY m.created_ms DESC, m.row DESC LIMIT 1 OFFSET ?"
        ))?
        .query_row(params_from_iter(values(&[among])), |r| Ok((r.get(0)?, r.get(1)?)))
        .optional()?;
    let (at_ms, row) = too_old.unwrap_or((i64::MIN, 0)).max((since_ms.saturating_sub(1), i64::MAX));
    // Many may have one time, such as those of one import.
    let bounds = [("m.created_ms > ?", vec![at_ms]), ("m.created_ms = ? AND m.row > ?", vec![at_ms, row])];
    let mut found = Vec::new();
    for (bound, numbers) in bounds {
        if found.len() == most {
            break;
        }
        let sql = format!(
            "SELECT {COLUMNS} FROM memories m WHERE {in_place} AND {bound} AND {}
             ORDER BY m.created_ms DESC, m.row DESC LIMIT {}",
            condition.sql,
            most - found.len()
        );
        let mut values = values(&numbers);
        values.extend(condition.values.iter().cloned());
        found.extend(read(db, &sql, &values)?);
    }
    Ok(found)
}

fn read(db: &Connection, sql: &str, values: &[Value]) -> rusqlite::Result<Vec<(i64, Memory)>> {
    let mut read = db.prepare(sql)?;
    let found: Vec<_> = read.query_map(params_from_iter(values), rows::memory)?.collect::<Result<_, _>>()?;
    found.into_iter().map(|row| rows::with_tags(db, row)).collect()
}

pub(super) fn statistics(db: &Connection, selection: &Selection) -> rusqlite::Result<Statistics> {
    let condition = Condition::of(selection);
    let (sql, values) = (&condition.sql, &condition.values);
    let counted = |query: String, values: &[Value]| -> rusqlite::Result<Vec<(String, u64)>> {
        db.prepare(&query)?.query_map(params_from_iter(values), |r| Ok((r.get(0)?, r.get(1)?)))?.collect()
    };
    let namespaces = counted(
        format!("SELECT m.namespace, count(*) FROM memories m WHERE {sql} GROUP BY 1 ORDER BY 2 DESC, 1"),
        values,
    )?;
    let tags = counted(
        format!(
            "SELECT t.tag, count(*) FROM tags t JOIN memories m ON m.row = t.memory WHERE {sql}
             GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20"
        ),
        values,
    )?;
    let recent = counted(
        format!(
            "SELECT tag, max(at) FROM (SELECT t.tag AS tag, m.created_ms AS at FROM memories m
                JOIN tags t ON t.memory = m.row WHERE {sql} ORDER BY m.created_ms DESC, m.row DESC LIMIT 200)
             GROUP BY tag ORDER BY 2 DESC, 1 LIMIT 10"
        ),
        values,
    )?;
    let scope = Condition::scope(&selection.scope);
    let statuses = counted(
        format!(
            "SELECT m.status, count(*) FROM memories m WHERE {} GROUP BY 1 ORDER BY 2 DESC, 1",
            scope.sql
        ),
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
