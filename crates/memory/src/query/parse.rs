//! Parses filters.
//!
//! ```text
//! filter := token (white space token)*
//! token  := ['-'] key ':' value (',' value)*
//! value  := word | '"' text '"'          (in quotes: \" and \\, and nothing is a pattern)
//! ```
//! Values of one key are alternatives, and so are repeated keys of single-valued fields; `tag:a tag:b` requires both.
//! Anything unknown is an error with its position; nothing is ignored.

use contract::{LowerError as _, Sentence};

use super::error::FilterError;
use super::filter::{Clause, Field, Filter, Statuses};
use super::glob::Glob;
use super::messages;
use crate::domain::{Domain, InvalidPeriod, Namespace, Status, Trust, UnknownName, moment, range_end};

/// Maximum length of a filter.
const MAX_BYTES: usize = 10_000;
/// The allowed keys.
const KEYS: &str = "ns, tag, since, until, source, project, branch, path, status, domain, trust, entity, author, client, session";
/// Aliases of keys.
const ALIASES: &str = "namespace, tags, src, proj, repo, file, file_path, agent, entities, ent";

/// Whether this is a filter key, for telling filters from words.
pub fn is_key(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    KEYS.split(", ").chain(ALIASES.split(", ")).any(|key| key == word)
}

/// A value with its position.
struct Value {
    text: String,
    quoted: bool,
    at: usize,
}

impl Value {
    fn glob(&self) -> Glob {
        if self.quoted { Glob::literal(&self.text) } else { Glob::new(&self.text) }
    }
}

struct Token {
    not: bool,
    key: String,
    at: usize,
    values: Vec<Value>,
}

impl Filter {
    /// Parses a filter; an empty text is the empty filter.
    ///
    /// # Errors
    /// [`FilterError`] with the position of the error.
    pub fn parse(text: &str, now_ms: i64) -> Result<Self, FilterError> {
        if text.len() > MAX_BYTES {
            return Err(error(1, messages::filter_too_long(MAX_BYTES, text.len())));
        }
        let mut filter = Self::default();
        let mut asked = StateTerms::default();
        for token in tokens(text)? {
            match token.key.as_str() {
                "status" => asked.add(&token)?,
                _ => add(&mut filter.clauses, clause(&token, now_ms)?),
            }
        }
        filter.statuses = asked.statuses();
        Ok(filter)
    }
}

fn error(at: usize, reason: Sentence) -> FilterError {
    FilterError { at, reason }
}

fn tokens(text: &str) -> Result<Vec<Token>, FilterError> {
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        if chars[i].is_whitespace() {
            i += 1;
            continue;
        }
        let at = i + 1;
        let not = chars[i] == '-';
        i += usize::from(not);
        let start = i;
        while i < chars.len() && !chars[i].is_whitespace() && !matches!(chars[i], ':' | '"') {
            i += 1;
        }
        let key: String = chars[start..i].iter().collect();
        if chars.get(i) != Some(&':') || key.is_empty() {
            let word: String = chars[start..].iter().take_while(|c| !c.is_whitespace()).take(40).collect();
            return Err(error(at, messages::filter_without_key(word, KEYS)));
        }
        i += 1;
        let mut values = Vec::new();
        loop {
            let (value, next) = value(&chars, i, &key)?;
            values.push(value);
            i = next;
            if chars.get(i) == Some(&',') {
                i += 1;
            } else {
                break;
            }
        }
        if chars.get(i).is_some_and(|c| !c.is_whitespace()) {
            return Err(error(i + 1, messages::filter_after_quote()));
        }
        out.push(Token { not, key: key.to_ascii_lowercase(), at, values });
    }
    Ok(out)
}

fn value(chars: &[char], from: usize, key: &str) -> Result<(Value, usize), FilterError> {
    let mut text = String::new();
    let mut i = from;
    let quoted = chars.get(i) == Some(&'"');
    if quoted {
        i += 1;
        loop {
            match chars.get(i) {
                None => return Err(error(from + 1, messages::filter_open_quote())),
                Some('"') => break,
                Some('\\') if matches!(chars.get(i + 1), Some('"' | '\\')) => {
                    text.push(chars[i + 1]);
                    i += 2;
                }
                Some(c) => {
                    text.push(*c);
                    i += 1;
                }
            }
        }
        i += 1;
    } else {
        while let Some(c) = chars.get(i).filter(|c| !c.is_whitespace() && **c != ',') {
            if *c == '"' {
                return Err(error(i + 1, messages::filter_half_quoted()));
            }
            text.push(*c);
            i += 1;
        }
    }
    if text.is_empty() {
        return Err(error(from + 1, messages::filter_no_value(key)));
    }
    Ok((Value { text, quoted, at: from + 1 }, i))
}

/// Converts every value; an unknown one is an error at its position.
fn each<T>(token: &Token, read: impl Fn(&str) -> Result<T, UnknownName>) -> Result<Vec<T>, FilterError> {
    token
        .values
        .iter()
        .map(|value| read(&value.text).map_err(|unknown| error(value.at, unknown.message())))
        .collect()
}

fn namespace(word: &str) -> Result<Namespace, UnknownName> {
    Namespace::from_name(word).ok_or_else(|| UnknownName {
        what: "namespace",
        given: UnknownName::shortened(word),
        allowed: Namespace::names(),
    })
}

fn clause(token: &Token, now_ms: i64) -> Result<Clause, FilterError> {
    let globs = || token.values.iter().map(Value::glob).collect();
    let field = |field| Ok(Clause::Text(field, globs()));
    let found = match token.key.as_str() {
        "ns" | "namespace" => Ok(Clause::Namespace(each(token, namespace)?)),
        "tag" | "tags" => Ok(Clause::Tag(globs())),
        "domain" => Ok(Clause::Domain(each(token, Domain::parse)?)),
        "trust" => Ok(Clause::Trust(each(token, Trust::parse)?)),
        "entity" | "entities" | "ent" => {
            Ok(Clause::Entity(token.values.iter().map(|value| value.text.clone()).collect()))
        }
        "since" => one(token, now_ms, moment).map(|at| Clause::Captured { from: Some(at), until: None }),
        "until" => one(token, now_ms, range_end).map(|at| Clause::Captured { from: None, until: Some(at) }),
        "source" | "src" => field(Field::Source),
        "project" | "proj" | "repo" => field(Field::Project),
        "branch" => field(Field::Branch),
        "path" | "file" | "file_path" => field(Field::Path),
        "author" => field(Field::Author),
        "client" | "agent" => field(Field::Client),
        "session" => field(Field::Session),
        other => Err(error(token.at, messages::filter_unknown_key(UnknownName::shortened(other), KEYS))),
    }?;
    Ok(if token.not { Clause::Not(Box::new(found)) } else { found })
}

fn one(
    token: &Token,
    now_ms: i64,
    read: fn(&str, i64) -> Result<i64, InvalidPeriod>,
) -> Result<i64, FilterError> {
    if token.not {
        return Err(error(token.at, messages::filter_no_negation()));
    }
    match token.values.as_slice() {
        [value] => read(&value.text, now_ms).map_err(|bad| error(value.at, bad.message())),
        [_, second, ..] => Err(error(second.at, messages::filter_one_value(&token.key))),
        [] => Err(error(token.at, messages::filter_no_value(&token.key))),
    }
}

/// Adds a condition. Repeating the key of a single-valued field adds alternatives.
fn add(clauses: &mut Vec<Clause>, new: Clause) {
    for clause in clauses.iter_mut() {
        match (clause, &new) {
            (Clause::Namespace(any), Clause::Namespace(more)) => return any.extend(more),
            (Clause::Domain(any), Clause::Domain(more)) => return any.extend(more),
            (Clause::Trust(any), Clause::Trust(more)) => return any.extend(more),
            (Clause::Text(field, any), Clause::Text(same, more)) if field == same => {
                return any.extend(more.iter().cloned());
            }
            _ => {}
        }
    }
    clauses.push(new);
}

/// The requested states across all tokens, independent of their order.
#[derive(Default)]
struct StateTerms {
    any: bool,
    these: Vec<Status>,
    not: Vec<Status>,
    expired: bool,
    not_expired: bool,
}

impl StateTerms {
    fn add(&mut self, token: &Token) -> Result<(), FilterError> {
        for value in &token.values {
            match (value.text.to_ascii_lowercase().as_str(), token.not) {
                ("any" | "all", false) => self.any = true,
                ("any" | "all", true) => return Err(error(value.at, messages::filter_asks_for_nothing())),
                ("expired", false) => self.expired = true,
                ("expired", true) => self.not_expired = true,
                (word, not) => {
                    let known = Status::parse(word)
                        .map_err(|unknown| UnknownName {
                            allowed: format!("{}, expired, any", unknown.allowed),
                            ..unknown
                        })
                        .map_err(|unknown| error(value.at, unknown.message()))?;
                    if not { self.not.push(known) } else { self.these.push(known) }
                }
            }
        }
        Ok(())
    }

    /// Active, unexpired memories, unless another state was named, or just what isn't active.
    fn statuses(&self) -> Statuses {
        let plain = Statuses::default();
        let (mut any, mut expired) = match (self.any, self.these.is_empty(), self.expired) {
            (true, _, _) => (Statuses::all().any, None),
            (_, false, also) => (self.these.clone(), if also { None } else { Some(false) }),
            (_, true, true) => (Statuses::all().any, Some(true)),
            // An empty selection is never intended: excluding the active ones means the others.
            (_, true, false) if self.not.contains(&Status::Active) => (Statuses::all().any, plain.expired),
            (_, true, false) => (plain.any, plain.expired),
        };
        any.retain(|status| !self.not.contains(status));
        any.sort_unstable();
        any.dedup();
        if self.not_expired {
            expired = Some(false);
        }
        Statuses { any, expired }
    }
}
