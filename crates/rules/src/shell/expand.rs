//! Expands words to fields: removes quotes, fills in known variables, expands braces.
//!
//! Expands only what the text determines; unknown values keep their spelling and are marked. The total is bounded, because
//! a few bytes of `$X$X` can expand to megabytes.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use ::shell::grammar::{Seg, Word};

/// The longest variable value that is followed.
const MAX_VALUE: usize = 4096;
/// The most words that one pair of braces may expand to.
const MAX_BRACES: usize = 64;

/// One word as a program would receive it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Field {
    pub(crate) text: String,
    /// The text without unknown values, as if they were empty.
    pub(crate) bare: String,
    /// Contains an unknown value.
    pub(crate) dynamic: bool,
    /// Contains an unquoted `*`, `?` or `[`, which the shell replaces by file names.
    pub(crate) glob: bool,
}

impl Field {
    pub(crate) fn plain(text: impl Into<String>) -> Field {
        let text = text.into();
        Field { bare: text.clone(), text, dynamic: false, glob: false }
    }

    /// The same field with another text.
    pub(crate) fn with(&self, text: impl Into<String>) -> Field {
        let text = text.into();
        Field { bare: text.clone(), text, ..self.clone() }
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.bare.push_str(text);
    }
}

/// The variables known at one place, and the remaining expansion budget.
#[derive(Debug, Clone, Default)]
pub(crate) struct Vars {
    known: HashMap<String, String>,
    /// Loop variables: one name for several values, which stay separate even in quotes.
    lists: HashSet<String>,
    /// The bytes of all known values.
    size: usize,
}

impl Vars {
    /// `name` takes each word of `values` in turn.
    pub(crate) fn set_list(&mut self, name: &str, values: &str) {
        self.set(name, values);
        self.lists.insert(name.to_owned());
    }

    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.lists.remove(name);
        self.forget(name);
        if value.len() <= MAX_VALUE {
            self.size += name.len() + value.len();
            self.known.insert(name.to_owned(), value.to_owned());
        }
    }

    pub(crate) fn forget(&mut self, name: &str) {
        if let Some(value) = self.known.remove(name) {
            self.size = self.size.saturating_sub(name.len() + value.len());
        }
    }

    /// The cost of a copy, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }
}

/// Expands `word`. `budget` is how many bytes of variable values remain; at 0 they keep their names.
pub(crate) fn fields(word: &Word, vars: &Vars, budget: &mut usize) -> Vec<Field> {
    let mut done: Vec<Field> = Vec::new();
    let mut current = Field::default();
    let mut started = false;
    let mut braces = false;
    for seg in &word.segs {
        match seg {
            Seg::Lit { text, quoted } => {
                started = true;
                if !quoted {
                    current.glob |= text.contains(['*', '?', '[']);
                    braces |= text.contains('{');
                }
                current.push(text);
            }
            // `$(which x)` is x wherever it is.
            Seg::Opaque(text) if which_target(text).is_some() => {
                started = true;
                current.push(which_target(text).unwrap_or_default());
            }
            Seg::Opaque(text) => {
                started = true;
                current.dynamic = true;
                current.text.push_str(text);
            }
            Seg::Var { name, default, quoted, .. } => {
                let known = match vars.known.get(name) {
                    Some(value) => Some(value.as_str()),
                    None if name == "IFS" => Some(" "),
                    None => default.as_deref(),
                };
                match known.filter(|v| v.len() <= *budget) {
                    Some(value) if *quoted && !vars.lists.contains(name) => {
                        *budget -= value.len();
                        started = true;
                        current.push(value);
                    }
                    Some(value) => {
                        *budget -= value.len();
                        // Split as the shell would.
                        let between = |c: char| {
                            matches!(c, ' ' | '\t' | '\n')
                                || vars.known.get("IFS").is_some_and(|ifs| ifs.contains(c))
                        };
                        let mut pieces = value.split(between).peekable();
                        while let Some(piece) = pieces.next() {
                            if !piece.is_empty() {
                                started = true;
                                current.glob |= piece.contains(['*', '?', '[']);
                                current.push(piece);
                            }
                            if pieces.peek().is_some() && started {
                                done.push(std::mem::take(&mut current));
                                started = false;
                            }
                        }
                    }
                    None => {
                        started = true;
                        current.dynamic = true;
                        current.text.push('$');
                        current.text.push_str(name);
                    }
                }
            }
        }
    }
    if started {
        done.push(current);
    }
    if braces {
        done = done.iter().flat_map(expand_braces).collect();
    }
    done
}

/// Expands `a{b,c}d` to `abd acd`. Quoted braces expand too: it reports too much rather than too little.
fn expand_braces(field: &Field) -> Vec<Field> {
    let mut done = Vec::new();
    let mut open = vec![field.text.clone()];
    while let Some(text) = open.pop() {
        if done.len() + open.len() >= MAX_BRACES {
            return vec![field.clone()];
        }
        match first_braces(&text) {
            Some((before, items, after)) => {
                open.extend(items.iter().rev().map(|item| format!("{before}{item}{after}")));
            }
            None if field.dynamic => done.push(Field { text, ..field.clone() }),
            None => done.push(field.with(text)),
        }
    }
    done
}

/// The program that `$(which x)` or `$(command -v x)` looks up.
fn which_target(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("$(")?.strip_suffix(')')?.trim();
    let name = inner.strip_prefix("which ").or_else(|| inner.strip_prefix("command -v "))?.trim();
    name.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c)).then_some(name)
}

/// `{a..c}` to its letters, `{1..3}` to its numbers.
fn sequence(inner: &str) -> Option<Vec<String>> {
    let (from, to) = inner.split_once("..")?;
    if let (Ok(from), Ok(to)) = (from.parse::<i64>(), to.parse::<i64>()) {
        let (low, high) = (from.min(to), from.max(to));
        return (high.checked_sub(low)? < 64).then(|| (low..=high).map(|n| n.to_string()).collect());
    }
    let one = |text: &str| Some(text).filter(|t| t.len() == 1).and_then(|t| t.bytes().next());
    let (from, to) = (one(from)?, one(to)?);
    Some((from.min(to)..=from.max(to)).map(|b| char::from(b).to_string()).collect())
}

fn first_braces(text: &str) -> Option<(&str, Vec<Cow<'_, str>>, &str)> {
    let open = text.match_indices('{').map(|(i, _)| i).find(|i| !text[..*i].ends_with('$'))?;
    let mut depth = 0usize;
    let mut items = Vec::new();
    let mut from = open + 1;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b',' if depth == 1 => {
                items.push(Cow::Borrowed(text.get(from..at)?));
                from = at + 1;
            }
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    if items.is_empty() {
                        items = sequence(text.get(from..at)?)?.into_iter().map(Cow::Owned).collect();
                    } else {
                        items.push(Cow::Borrowed(text.get(from..at)?));
                    }
                    return Some((text.get(..open)?, items, text.get(at + 1..)?));
                }
            }
            _ => {}
        }
    }
    None
}
