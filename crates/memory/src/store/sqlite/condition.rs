//! Translates a selection into SQL over `memories m`. Must agree with [`Selection::accepts`]; a property test
//! compares them.

use rusqlite::types::Value;

use crate::domain::Domain;
use crate::query::{Clause, Field, Filter, Glob, Piece, Scope, Selection};

/// A condition with its parameters, in order.
#[derive(Debug, Default)]
pub(super) struct Condition {
    /// True for memories that may be returned.
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

impl Condition {
    pub(super) fn of(selection: &Selection) -> Self {
        let mut condition = Self::scope(&selection.scope);
        condition.push(" AND ");
        condition.filter(&selection.filter, selection.now_ms);
        condition
    }

    /// Only the scope, for any state.
    pub(super) fn scope(scope: &Scope) -> Self {
        let mut condition = Self::default();
        match scope {
            Scope::Everywhere => condition.push("1"),
            Scope::Outside => condition.push("m.domain <> 'project'"),
            Scope::Project(keys) => {
                condition.push("(m.domain <> 'project' OR ");
                condition.words("m.project", keys.all());
                condition.push(")");
            }
        }
        condition
    }

    fn push(&mut self, sql: &str) {
        self.sql.push_str(sql);
    }

    fn text(&mut self, value: &str) {
        self.values.push(Value::Text(value.to_owned()));
    }

    fn filter(&mut self, filter: &Filter, now_ms: i64) {
        self.words("m.status", filter.statuses.any.iter().map(|status| status.as_str()));
        match filter.statuses.expired {
            None => {}
            Some(expired) => {
                self.push(if expired {
                    " AND m.expires_ms <= ?"
                } else {
                    " AND (m.expires_ms IS NULL OR m.expires_ms > ?)"
                });
                self.values.push(Value::Integer(now_ms));
            }
        }
        for clause in &filter.clauses {
            self.push(" AND ");
            self.clause(clause);
        }
    }

    fn clause(&mut self, clause: &Clause) {
        match clause {
            Clause::Namespace(any) => self.words("m.namespace", any.iter().map(|n| n.as_str())),
            Clause::Domain(any) => self.words("m.domain", any.iter().map(|d: &Domain| d.as_str())),
            Clause::Trust(any) => self.words("m.trust", any.iter().map(|t| t.as_str())),
            Clause::Tag(any) => {
                self.push("EXISTS (SELECT 1 FROM tags t WHERE t.memory = m.row AND ");
                self.globs("t.tag", any);
                self.push(")");
            }
            Clause::Text(field, any) => {
                let column = column(*field);
                self.push(&format!("({column} IS NOT NULL AND "));
                self.globs(column, any);
                self.push(")");
            }
            Clause::Captured { from, until } => {
                self.push("1");
                for (bound, sql) in [(from, " AND m.created_ms >= ?"), (until, " AND m.created_ms < ?")] {
                    if let Some(at) = bound {
                        self.push(sql);
                        self.values.push(Value::Integer(*at));
                    }
                }
            }
            Clause::Entity(_) => self.push("0"),
            Clause::Mentions { ids, .. } => self.words("m.id", ids.iter().map(String::as_str)),
            Clause::NotDeletedByUser => self.push(
                "(m.status <> 'tombstoned' OR (SELECT d.client FROM changes d WHERE d.memory = m.row AND d.what = 'deleted'
                                               ORDER BY d.number DESC LIMIT 1) IS NOT NULL)",
            ),
            Clause::Not(clause) => {
                self.push("NOT (");
                self.clause(clause);
                self.push(")");
            }
        }
    }

    fn words<'a>(&mut self, column: &str, words: impl Iterator<Item = &'a str>) {
        let words: Vec<&str> = words.collect();
        self.push(&format!("{column} IN ({})", vec!["?"; words.len()].join(",")));
        for word in words {
            self.text(word);
        }
    }

    fn globs(&mut self, column: &str, any: &[Glob]) {
        self.push("(0");
        for glob in any {
            match glob.plain() {
                Some(text) => {
                    self.push(&format!(" OR {column} = ?"));
                    self.text(&text);
                }
                None => {
                    self.push(&format!(" OR {column} GLOB ?"));
                    self.text(&pattern(glob));
                }
            }
        }
        self.push(")");
    }
}

fn column(field: Field) -> &'static str {
    match field {
        Field::Source => "m.source",
        Field::Project => "m.project",
        Field::Branch => "m.branch",
        Field::Path => "m.file",
        Field::Author => "m.author",
        Field::Client => "m.client",
        Field::Session => "m.session",
    }
}

/// A pattern in `GLOB` syntax, which has one more wildcard.
fn pattern(glob: &Glob) -> String {
    let mut out = String::new();
    for piece in glob.pieces() {
        match piece {
            Piece::Many => out.push('*'),
            Piece::One => out.push('?'),
            Piece::Exactly(c @ ('*' | '?' | '[')) => {
                out.push('[');
                out.push(*c);
                out.push(']');
            }
            Piece::Exactly(c) => out.push(*c),
        }
    }
    out
}
