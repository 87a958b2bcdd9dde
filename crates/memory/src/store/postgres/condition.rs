//! Translates a selection into SQL over `memories m`. Must agree with [`Selection::accepts`], like the local store; a
//! property test compares them.

use super::index_words;
use super::values::Values;
use crate::graph::names_in;
use crate::query::{Clause, Field, Filter, Glob, Piece, Scope, Selection};

/// A condition with its values.
#[derive(Default)]
pub(super) struct Condition {
    /// True for memories that may be returned.
    pub(super) sql: String,
    /// The parameters.
    pub(super) values: Values,
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
            Scope::Everywhere => condition.push("true"),
            Scope::Outside => condition.push("m.domain <> 'project'"),
            // Memories sent under an earlier key are in the local store as well.
            Scope::Project(keys) => {
                let here = condition.values.text(keys.here());
                condition.push(&format!("(m.domain <> 'project' OR m.project = {here})"));
            }
        }
        condition
    }

    /// Only a filter's conditions, without states.
    pub(super) fn clauses(filter: &Filter) -> Self {
        let mut condition = Self::default();
        condition.push("true");
        for clause in &filter.clauses {
            condition.push(" AND ");
            condition.clause(clause);
        }
        condition
    }

    fn push(&mut self, sql: &str) {
        self.sql.push_str(sql);
    }

    fn filter(&mut self, filter: &Filter, now_ms: i64) {
        self.words("m.status", filter.statuses.any.iter().map(|status| status.as_str()));
        if let Some(expired) = filter.statuses.expired {
            let now = self.values.number(now_ms);
            self.push(&if expired {
                format!(" AND m.expires_ms <= {now}")
            } else {
                format!(" AND (m.expires_ms IS NULL OR m.expires_ms > {now})")
            });
        }
        for clause in &filter.clauses {
            self.push(" AND ");
            self.clause(clause);
        }
    }

    fn clause(&mut self, clause: &Clause) {
        match clause {
            Clause::Namespace(any) => self.words("m.namespace", any.iter().map(|n| n.as_str())),
            Clause::Domain(any) => self.words("m.domain", any.iter().map(|d| d.as_str())),
            Clause::Trust(any) => self.words("m.trust", any.iter().map(|t| t.as_str())),
            Clause::Tag(any) => {
                self.push("EXISTS (SELECT 1 FROM unnest(m.tags) AS t(tag) WHERE ");
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
                self.push("true");
                for (bound, sign) in [(from, ">="), (until, "<")] {
                    if let Some(at) = bound {
                        let at = self.values.number(*at);
                        self.push(&format!(" AND m.created_ms {sign} {at}"));
                    }
                }
            }
            Clause::Entity(_) => self.push("false"),
            Clause::Mentions { names, .. } => {
                let all = self.values.texts(names.clone());
                self.push(&format!(
                    "(EXISTS (SELECT 1 FROM plimsoll.mentions t WHERE t.memory = m.row AND t.name = ANY ({all}))"
                ));
                for name in names.iter().filter(|name| is_only_given(name)) {
                    let spellings = serde_json::json!([index_words::plain(name).trim_end()]);
                    let spellings = self.values.text(&spellings.to_string());
                    let whole = self.values.text(&as_whole_words(name));
                    self.push(&format!(
                        " OR (m.own @@ plimsoll.query({spellings}::jsonb) AND lower(m.content) ~ {whole})"
                    ));
                }
                self.push(")");
            }
            // The server's history names who captured a memory, not who deleted it.
            Clause::NotDeletedByUser => self.push("m.status <> 'tombstoned'"),
            Clause::Not(clause) => {
                self.push("NOT (");
                self.clause(clause);
                self.push(")");
            }
        }
    }

    fn words<'a>(&mut self, column: &str, words: impl Iterator<Item = &'a str>) {
        let words = self.values.texts(words.map(str::to_owned).collect());
        self.push(&format!("{column} = ANY ({words})"));
    }

    fn globs(&mut self, column: &str, any: &[Glob]) {
        self.push("(false");
        for glob in any {
            let sql = match glob.plain() {
                Some(text) => format!(" OR {column} = {}", self.values.text(&text)),
                None => format!(" OR {column} LIKE {}", self.values.text(&pattern(glob))),
            };
            self.push(&sql);
        }
        self.push(")");
    }
}

/// A scope as functions of the schema take it: whether it's everything, and the key of the project, which is empty outside any.
pub(super) fn scope_arguments(scope: &Scope) -> (bool, &str) {
    match scope {
        Scope::Everywhere => (true, ""),
        Scope::Project(keys) => (false, keys.here()),
        Scope::Outside => (false, ""),
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

/// A pattern in `LIKE` syntax.
fn pattern(glob: &Glob) -> String {
    let mut out = String::new();
    for piece in glob.pieces() {
        match piece {
            Piece::Many => out.push('%'),
            Piece::One => out.push('_'),
            Piece::Exactly(c) => {
                if matches!(c, '%' | '_' | '\\') {
                    out.push('\\');
                }
                out.push(*c);
            }
        }
    }
    out
}

/// Whether no rule finds a name in texts, so that somebody must have given it by hand: then the texts are asked.
fn is_only_given(name: &str) -> bool {
    name.chars().count() > 2 && !names_in(name).iter().any(|known| known == name)
}

/// The pattern of a name in a text in small letters, as whole words with any blanks between.
fn as_whole_words(name: &str) -> String {
    let escaped = |word: &str| -> String {
        word.chars().flat_map(|c| (!c.is_alphanumeric()).then_some('\\').into_iter().chain([c])).collect()
    };
    let words: Vec<String> = name.split_whitespace().map(escaped).collect();
    format!("(^|[^[:alnum:]_]){}($|[^[:alnum:]_])", words.join("\\s+"))
}
