//! Records, what a team shares besides memories: prompts, entities, relations, links. The latest version of each
//! wins.

use tokio_postgres::Row;

use super::PgStore;
use super::columns::column;
use super::connect::Server;
use super::rows::{Db, rows};
use super::values::Values;
use crate::domain::{LinkKind, Record, RecordKind};
use crate::store::{OrgError, Result};

/// Page size.
const AT_ONCE: i64 = 500;

/// A page of changed records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordsPage {
    /// The records in their current version.
    pub records: Vec<Record>,
    /// Where to continue.
    pub next: (i64, i64),
    /// Whether there are more.
    pub more: bool,
}

impl PgStore {
    /// The records of a scope (or, with an empty name, of everybody) that changed since a position, under the
    /// conditions of [`since`](Self::since).
    ///
    /// # Errors
    /// [`OrgError`].
    pub fn recent(&self, place: &str, from: (i64, i64)) -> Result<RecordsPage> {
        let mut values = Values::default();
        let (place, xid, row) = (values.text(place), values.number(from.0), values.number(from.1));
        let sql = format!(
            "SELECT place, what, key, body, at_ms, changed::text::bigint, row FROM plimsoll.records WHERE place = {place}
                AND changed < pg_snapshot_xmin(pg_current_snapshot())
                AND (changed, row) > ({xid}::text::xid8, {row}) ORDER BY changed, row LIMIT {AT_ONCE}"
        );
        let rows = self.rows(&sql, &values)?;
        let mut found = RecordsPage { next: from, ..RecordsPage::default() };
        for one in &rows {
            found.next = (column(one, 5)?, column(one, 6)?);
            found.records.extend(record(one)?);
        }
        found.more = i64::try_from(rows.len()).is_ok_and(|rows| rows >= AT_ONCE);
        Ok(found)
    }
}

/// A newer Plimsoll's kinds of records are left alone.
fn record(row: &Row) -> Result<Option<Record>, OrgError> {
    let Some(kind) = RecordKind::from_name(column(row, 1)?) else { return Ok(None) };
    Ok(Some(Record {
        place: column(row, 0)?,
        kind,
        key: column(row, 2)?,
        body: column(row, 3)?,
        at_ms: column(row, 4)?,
    }))
}

pub(super) fn of(store: &PgStore, place: &str, kind: RecordKind) -> Result<Vec<Record>> {
    let mut values = Values::default();
    let (place, kind) = (values.text(place), values.text(kind.as_str()));
    let sql = format!(
        "SELECT place, what, key, body, at_ms FROM plimsoll.records WHERE place = {place} AND what = {kind} ORDER BY key"
    );
    let found = store.rows(&sql, &values)?.iter().map(record).collect::<Result<Vec<_>, OrgError>>()?;
    Ok(found.into_iter().flatten().collect())
}

pub(super) async fn put(db: &Db<'_>, server: &Server, all: &[Record]) -> Result<u64, OrgError> {
    let mut order: Vec<&Record> = all.iter().collect();
    // In a fixed order, so that two senders of the same records never deadlock.
    order.sort_by(|a, b| (&a.place, a.kind, &a.key).cmp(&(&b.place, b.kind, &b.key)));
    let mut count = 0;
    for record in order {
        let mut values = Values::default();
        let places = [
            values.text(&record.place),
            values.text(record.kind.as_str()),
            values.text(&record.key),
            values.maybe(record.body.as_deref()),
            values.number(record.at_ms),
        ];
        let sql = format!(
            "INSERT INTO plimsoll.records AS r (place, what, key, body, at_ms) VALUES ({})
             ON CONFLICT (place, what, key) DO UPDATE SET body = excluded.body, at_ms = excluded.at_ms, person = session_user,
                changed = pg_current_xact_id()
             WHERE (excluded.at_ms, coalesce(excluded.body, '')) > (r.at_ms, coalesce(r.body, '')) RETURNING 1",
            places.join(", ")
        );
        if !rows(db, server, &sql, &values).await?.is_empty() {
            count += 1;
        }
        if record.kind == RecordKind::Link && record.body.is_some() {
            link(db, server, record).await?;
        }
    }
    Ok(count)
}

/// Also links the memories themselves, if both are there.
async fn link(db: &Db<'_>, server: &Server, record: &Record) -> Result<(), OrgError> {
    let parts: Vec<&str> = record.key.split('/').collect();
    let [from, to, kind] = parts.as_slice() else { return Ok(()) };
    let Some(kind) = LinkKind::from_name(kind) else { return Ok(()) };
    let mut values = Values::default();
    let (from, to, place) = (values.text(from), values.text(to), values.text(&record.place));
    let (kind, at) = (values.text(kind.as_str()), values.number(record.at_ms));
    let sql = format!(
        "INSERT INTO plimsoll.links (source, target, kind, at_ms)
         SELECT a.row, b.row, {kind}, {at} FROM plimsoll.memories a, plimsoll.memories b
         WHERE a.id = {from} AND b.id = {to} AND a.row <> b.row AND a.place = {place} AND a.domain <> 'user'
         ON CONFLICT DO NOTHING"
    );
    rows(db, server, &sql, &values).await.map(|_| ())
}
