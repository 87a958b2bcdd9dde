//! Reads columns of an answer: an unexpected value is an error that names the column, never a panic.

use tokio_postgres::Row;
use tokio_postgres::types::FromSql;

use crate::domain::{Domain, Memory, Namespace, Status, Trust};
use crate::store::org_error::OrgError;

/// The value of this column.
pub(super) fn column<'a, T: FromSql<'a>>(row: &'a Row, index: usize) -> Result<T, OrgError> {
    row.try_get(index).map_err(|error| OrgError::Column { index, reason: error.to_string() })
}

/// A column that contains a name of an enumeration.
fn word<T>(row: &Row, index: usize, named: impl Fn(&str) -> Option<T>) -> Result<T, OrgError> {
    let text: &str = column(row, index)?;
    named(text).ok_or_else(|| OrgError::Column { index, reason: format!("unknown word {text:?}") })
}

/// The columns that [`memory`] reads, in this order.
pub(super) const COLUMNS: &str = "m.row, m.id, m.namespace, m.domain, m.status, m.project, m.created_ms, m.expires_ms, m.branch, \
     m.file, m.source, m.author, m.client, m.session, m.trust, m.version, m.updated_ms, m.tombstoned_ms, m.content, m.tags";

/// The number of those columns.
pub(super) const WIDTH: usize = 20;

/// A memory with its row number.
pub(super) fn memory(row: &Row) -> Result<(i64, Memory), OrgError> {
    let version: i64 = column(row, 15)?;
    Ok((
        column(row, 0)?,
        Memory {
            id: column(row, 1)?,
            namespace: word(row, 2, Namespace::from_name)?,
            domain: word(row, 3, Domain::from_name)?,
            status: word(row, 4, Status::from_name)?,
            project: column(row, 5)?,
            created_ms: column(row, 6)?,
            expires_ms: column(row, 7)?,
            branch: column(row, 8)?,
            file: column(row, 9)?,
            source: column(row, 10)?,
            author: column(row, 11)?,
            client: column(row, 12)?,
            session: column(row, 13)?,
            trust: word(row, 14, Trust::from_name)?,
            version: u32::try_from(version).unwrap_or(u32::MAX),
            updated_ms: column(row, 16)?,
            tombstoned_ms: column(row, 17)?,
            content: column(row, 18)?,
            tags: column(row, 19)?,
        },
    ))
}
