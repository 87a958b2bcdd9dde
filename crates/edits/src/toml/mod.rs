//! Edits of TOML as splices around the ranges that `toml_edit` reports, so that CRLF, mixed line ends, odd
//! spacing and comments stay as they are in every line that is not ours. Proved after each edit by parsing
//! the result and comparing the value trees. Knows nothing of files.
//!
//! This file owns the parsed text and the proof; `set` writes values, `create` adds what is missing, `put`
//! keeps elements of arrays, `inline` is about what stands between brackets, `removal` takes things out again, `rename`
//! calls keys otherwise.

mod create;
mod inline;
mod put;
mod read;
mod removal;
mod rename;
mod set;

use crate::Refusal;
use crate::prove::{Free, equal_but, judged, judged_elements};
use crate::receipt::Entry;
use crate::splice::line_end;
use crate::step::Presence;
use crate::step::Step;
use crate::vocabulary::{Edit, Ours, dotted};
use put::put;
use read::{Statement, item_at, kind_of, parse, statements, table_tree, tree};
pub(crate) use removal::{removed, tidied};
use serde_json::Value;
use set::set;
use toml_edit::{Document, Item, Value as Node};

struct Job<'t> {
    text: &'t str,
    document: Document<&'t str>,
    statements: Vec<Statement>,
}

fn job(text: &str) -> Result<Job<'_>, Refusal> {
    let document = parse(text)?;
    let statements = statements(text, &document);
    Ok(Job { text, document, statements })
}

/// The text with `edit` made, proved.
pub(crate) fn edited(text: &str, edit: &Edit) -> Result<Step, Refusal> {
    match edit {
        Edit::Set { path, value, ours, keep_extra_keys } => set(text, path, value, ours, *keep_extra_keys),
        Edit::Put { path, value, ours } => put(text, path, value, ours),
        Edit::SetIfAbsent { path, value } => {
            let job = job(text)?;
            if job.item(path)?.is_some() {
                return Ok(Step { had_ours: false, ..Step::unchanged(text) });
            }
            let mut step = job.create(path, value)?;
            step.trace.defaults.push(Entry { path: path.clone(), value: value.clone() });
            Ok(step)
        }
        Edit::RenameOnRemoval { .. } | Edit::Block { .. } | Edit::Whole { .. } => Ok(Step::unchanged(text)),
    }
}

impl Job<'_> {
    /// The item at `path`; a refusal if something on the way is not a table.
    fn item(&self, path: &[String]) -> Result<Option<&Item>, Refusal> {
        for depth in 1..path.len() {
            let Some(item) = item_at(self.document.as_table(), &path[..depth]) else { return Ok(None) };
            if !item.is_table_like() {
                return Err(Refusal::WrongType {
                    at: dotted(&path[..depth]),
                    expected: "a table".to_owned(),
                    found: kind_of(item).to_owned(),
                });
            }
        }
        Ok(item_at(self.document.as_table(), path))
    }

    fn eol(&self) -> &'static str {
        line_end(self.text)
    }
}

fn either(value: &Value, ours: &Ours) -> Ours {
    let (value, ours) = (value.clone(), ours.clone());
    Ours::new(move |element| *element == value || ours.is(element))
}

/// Parses `next` and shows that it differs from `text` in our place only.
fn prove(
    text: &str,
    next: &str,
    path: &[String],
    free: &Free<'_>,
    expected: Option<&Value>,
) -> Result<(), Refusal> {
    let failed = |reason: String| Refusal::NotProven { at: dotted(path), reason };
    let before = parse(text)?;
    let after = parse(next).map_err(|refusal| failed(refusal.to_string()))?;
    let (a, b) = (table_tree(before.as_table()), table_tree(after.as_table()));
    if !equal_but(Some(&a), Some(&b), path, free) {
        return Err(failed("something else changed too".to_owned()));
    }
    if let Some(expected) = expected
        && item_at(after.as_table(), path).map(tree).as_ref() != Some(expected)
    {
        return Err(failed("the new value isn't where it should be".to_owned()));
    }
    Ok(())
}

/// Whether two texts mean the same to the host.
pub(crate) fn equal(a: &str, b: &str) -> bool {
    match (parse(a), parse(b)) {
        (Ok(a), Ok(b)) => table_tree(a.as_table()) == table_tree(b.as_table()),
        _ => false,
    }
}

/// What stands at the place of `edit`.
pub(crate) fn presence(text: &str, edit: &Edit) -> Result<Presence, Refusal> {
    let job = job(text)?;
    Ok(match edit {
        Edit::Set { path, value, ours, .. } => match job.item(path) {
            Ok(None) => Presence::Absent,
            Ok(Some(item)) => judged(&tree(item), value, ours),
            Err(_) => Presence::Foreign,
        },
        Edit::Put { path, value, ours } => match job.item(path) {
            Ok(None) => Presence::Absent,
            Ok(Some(Item::Value(Node::Array(array)))) => {
                let elements: Vec<Value> = array.iter().map(|v| tree(&Item::Value(v.clone()))).collect();
                judged_elements(&elements, value, ours)
            }
            _ => Presence::Foreign,
        },
        Edit::SetIfAbsent { path, .. } => match job.item(path) {
            Ok(None) => Presence::Absent,
            Ok(Some(_)) => Presence::Ours,
            Err(_) => Presence::Foreign,
        },
        Edit::RenameOnRemoval { .. } | Edit::Block { .. } | Edit::Whole { .. } => Presence::Absent,
    })
}
