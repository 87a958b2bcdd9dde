//! The searched part of the knowledge base: a source, a folder, labels with the same start, code or prose.

use rusqlite::OptionalExtension;
use rusqlite::types::Value;
use text::ChunkKind;

use super::{MAX_LABEL_BYTES, SearchRequest};
use crate::error::{KnowledgeError, Result};
use crate::source_kind::SourceKind;
use crate::store::Store;

/// The chunks to consider: an SQL condition on `f` (index) and `c` (chunk), with its values.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// The condition; empty for everything.
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
    /// Whether the condition needs the chunk's own row.
    pub(super) join: bool,
}

/// The sources that a name matches.
#[derive(Debug)]
pub(crate) enum SourceFilter {
    /// A single source.
    One(i64),
    /// A folder's files.
    Folder(i64),
    /// An output that was too long for one source: the first part and its continuations.
    Parts(Vec<i64>),
    /// Every label from the first to before the second.
    Labels { from: String, to: String },
}

impl Store {
    /// The part of the knowledge base that the request is limited to.
    pub(super) fn scope(&self, request: &SearchRequest) -> Result<Scope> {
        let mut scope = Scope::default();
        let mut conditions: Vec<String> = Vec::new();
        if let Some(name) = request.source.as_deref().map(str::trim).filter(|n| !n.is_empty()) {
            let (sql, values) = self.source_scope(name)?;
            conditions.push(sql);
            scope.values = values;
            scope.join = true;
        }
        if let Some(kind) = request.kind {
            conditions.push(if matches!(kind, ChunkKind::Code) {
                "c.code".into()
            } else {
                "NOT c.code".into()
            });
            scope.join = true;
        }
        scope.sql = conditions.iter().map(|c| format!(" AND {c}")).collect();
        Ok(scope)
    }

    /// A condition for the source called `name`.
    fn source_scope(&self, name: &str) -> Result<(String, Vec<Value>)> {
        let filter = match self.filter_for(name) {
            Err(KnowledgeError::NoSource(missing)) => {
                return self.scope_of_steps(name)?.ok_or(KnowledgeError::NoSource(missing));
            }
            filter => filter?,
        };
        match filter {
            SourceFilter::Folder(id) => {
                Ok(("c.source IN (SELECT id FROM sources WHERE parent = ?)".into(), vec![id.into()]))
            }
            SourceFilter::One(id) => {
                // A source's chunks are written in one transaction and are adjacent.
                let range: (Option<i64>, Option<i64>) = self.read(|db| {
                    db.prepare_cached("SELECT min(id), max(id) FROM chunks WHERE source = ?1")?
                        .query_row([id], |r| Ok((r.get(0)?, r.get(1)?)))
                })?;
                let (low, high) = (range.0.unwrap_or(0), range.1.unwrap_or(-1));
                let condition = "f.rowid >= ? AND f.rowid <= ? AND c.source = ?";
                Ok((condition.into(), vec![low.into(), high.into(), id.into()]))
            }
            SourceFilter::Parts(ids) => {
                let marks = vec!["?"; ids.len()].join(", ");
                Ok((format!("c.source IN ({marks})"), ids.into_iter().map(Value::from).collect()))
            }
            SourceFilter::Labels { from, to } => {
                let condition = "c.source IN (SELECT id FROM sources WHERE label >= ? AND label < ?)";
                Ok((condition.into(), vec![from.into(), to.into()]))
            }
        }
    }

    /// A condition for the sources with these whole steps or words in their label: an output that a batch ran under the
    /// caller's own label (`batch:<id>/2 npm test`), or a folder by its name. A number is only ever an id. Not for a purge,
    /// which must not remove more than what was named.
    fn scope_of_steps(&self, name: &str) -> Result<Option<(String, Vec<Value>)>> {
        let steps = name.replace([' ', '\\'], "/");
        let steps = steps.trim_matches('/');
        if steps.is_empty() || steps.bytes().all(|byte| byte.is_ascii_digit() || byte == b'#') {
            return Ok(None);
        }
        let matches = "instr('/' || replace(replace(label, ' ', '/'), '\\', '/') || '/', ?) > 0";
        let wanted = Value::Text(format!("/{steps}/"));
        let any: bool = self.read(|db| {
            db.prepare_cached(&format!("SELECT EXISTS(SELECT 1 FROM sources WHERE {matches})"))?
                .query_row([&wanted], |r| r.get(0))
        })?;
        Ok(any.then(|| (format!("c.source IN (SELECT id FROM sources WHERE {matches})"), vec![wanted])))
    }

    /// The sources that `name` matches: the label itself, a number, or the start of labels.
    pub(crate) fn filter_for(&self, name: &str) -> Result<SourceFilter> {
        match self.find_source(name)? {
            Some((id, SourceKind::Folder)) => return Ok(SourceFilter::Folder(id)),
            Some((id, SourceKind::Output)) => {
                let parts = self.parts_of(id)?;
                return Ok(if parts.len() > 1 { SourceFilter::Parts(parts) } else { SourceFilter::One(id) });
            }
            Some((id, _)) => return Ok(SourceFilter::One(id)),
            None => {}
        }
        let to = format!("{name}\u{10FFFF}");
        let any: bool = self.read(|db| {
            db.prepare_cached("SELECT EXISTS(SELECT 1 FROM sources WHERE label >= ?1 AND label < ?2)")?
                .query_row([name, &to], |r| r.get(0))
        })?;
        if !any || name.is_empty() {
            return Err(KnowledgeError::NoSource(crate::cut(name, MAX_LABEL_BYTES).to_owned()));
        }
        Ok(SourceFilter::Labels { from: name.to_owned(), to })
    }

    /// An output and its continuations, `<label>/2` and so on, in order.
    pub(crate) fn parts_of(&self, id: i64) -> Result<Vec<i64>> {
        self.read(|db| {
            let label: Option<String> = db
                .prepare_cached("SELECT label FROM sources WHERE id = ?1 AND kind = 'output'")?
                .query_row([id], |r| r.get(0))
                .optional()?;
            let mut parts = vec![id];
            let Some(label) = label else { return Ok(parts) };
            let mut next =
                db.prepare_cached("SELECT id FROM sources WHERE label = ?1 AND kind = 'output'")?;
            while let Some(part) =
                next.query_row([format!("{label}/{}", parts.len() + 1)], |r| r.get(0)).optional()?
            {
                parts.push(part);
            }
            Ok(parts)
        })
    }

    /// The source with this label, or with this number (`12` or `#12`).
    pub(crate) fn find_source(&self, name: &str) -> Result<Option<(i64, SourceKind)>> {
        let row = |r: &rusqlite::Row<'_>| Ok((r.get(0)?, SourceKind::from_stored(r.get_ref(1)?.as_str()?)));
        let by_label = self.read(|db| {
            db.prepare_cached("SELECT id, kind FROM sources WHERE label = ?1")?
                .query_row([name], row)
                .optional()
        })?;
        if by_label.is_some() {
            return Ok(by_label);
        }
        let Ok(id) = name.trim_start_matches('#').parse::<i64>() else { return Ok(None) };
        self.read(|db| {
            db.prepare_cached("SELECT id, kind FROM sources WHERE id = ?1")?.query_row([id], row).optional()
        })
    }
}
