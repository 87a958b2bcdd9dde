//! Paging: every list that can grow is read page by page.

use serde::{Deserialize, Serialize};

/// Selects a page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// How many entries to skip.
    pub offset: u64,
    /// The maximum number of entries; at most 1,000.
    pub limit: u64,
}

impl Default for Page {
    fn default() -> Self {
        Page { offset: 0, limit: 50 }
    }
}

impl Page {
    pub(crate) fn limit_sql(self) -> i64 {
        crate::values::int(self.limit.min(1_000))
    }

    pub(crate) fn offset_sql(self) -> i64 {
        crate::values::int(self.offset)
    }
}

/// A page, and the length of the complete list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paged<T> {
    /// The entries of this page.
    pub items: Vec<T>,
    /// The length of the complete list.
    pub total: u64,
    /// The offset of this page.
    pub offset: u64,
}

impl<T> Paged<T> {
    /// The offset of the next page, if there is one.
    pub fn next_offset(&self) -> Option<u64> {
        let next = self.offset + self.items.len() as u64;
        (next < self.total && !self.items.is_empty()).then_some(next)
    }
}

/// The conditions of a query with their values.
#[derive(Debug, Default)]
pub struct Conditions {
    text: String,
    values: Vec<rusqlite::types::Value>,
}

impl Conditions {
    /// Adds `condition`, in which each `?` is replaced by `value`.
    pub fn and(&mut self, condition: &str, value: Option<impl Into<rusqlite::types::Value>>) {
        let Some(value) = value else { return };
        self.values.push(value.into());
        self.text.push_str(if self.text.is_empty() { " WHERE " } else { " AND " });
        self.text.push_str(&condition.replace('?', &format!("?{}", self.values.len())));
    }

    /// Adds a condition without a value.
    pub(crate) fn always(&mut self, condition: &str) {
        self.text.push_str(if self.text.is_empty() { " WHERE " } else { " AND " });
        self.text.push_str(condition);
    }

    /// One page of `SELECT columns FROM table`, in `order`.
    ///
    /// # Errors
    /// The database's.
    pub fn page<T>(
        &self,
        db: &rusqlite::Connection,
        table: &str,
        columns: &str,
        order: &str,
        page: Page,
        row: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Paged<T>> {
        let bound = || rusqlite::params_from_iter(self.values.iter());
        let total: i64 =
            db.query_row(&format!("SELECT count(*) FROM {table}{}", self.text), bound(), |r| r.get(0))?;
        let sql = format!(
            "SELECT {columns} FROM {table}{} ORDER BY {order} LIMIT {} OFFSET {}",
            self.text,
            page.limit_sql(),
            page.offset_sql()
        );
        let items = db.prepare(&sql)?.query_map(bound(), row)?.collect::<rusqlite::Result<Vec<T>>>()?;
        Ok(Paged { items, total: crate::values::count(total), offset: page.offset })
    }
}

/// A pattern that finds `text` anywhere, for `LIKE ? ESCAPE '\'`.
#[must_use]
pub fn like_anywhere(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}
