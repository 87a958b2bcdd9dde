//! Edits of JSON in its three strictnesses, as splices into the text at the ranges the parser reports.
//!
//! Every operation parses, cuts, parses again and proves the result; the caller gets either a proved text or
//! a [`Refusal`]. Bytes outside the splices are never rewritten, which is what keeps comments, mixed line
//! ends, duplicate keys, huge integers and odd escapes as they are. Knows nothing of files.
//!
//! This file owns the parsed text and the proof; `spot` finds a place in it, `set` writes values, `put` keeps
//! elements of arrays, `removal` takes both out again.

mod compare;
mod locate;
mod parse;
mod put;
mod removal;
mod set;
mod style;

use crate::Refusal;
use crate::prove::{judged, judged_elements};
use crate::step::Presence;
use crate::step::Step;
use crate::vocabulary::{Dialect, Edit, dotted};
use compare::{Free, equal_but};
use jsonc_parser::ast::Value as Node;
use locate::{Spot, plain, walk, wrong_type};
use parse::{kind, masked, parse};
pub(crate) use removal::{removed, tidied};
use serde_json::Value;
use style::Style;

/// The text with `edit` made, proved.
pub(crate) fn edited(text: &str, dialect: Dialect, edit: &Edit) -> Result<Step, Refusal> {
    let seen = masked(text);
    let root = parse(&seen, dialect)?;
    if let Some(node) = &root
        && node.as_object().is_none()
    {
        return Err(wrong_type(&[], "an object", kind(node)));
    }
    let job = Job { text, root: root.as_ref(), dialect, style: Style::of(text, root.as_ref()) };
    match edit {
        Edit::Set { path, value, ours, keep_extra_keys } => job.set(path, value, ours, *keep_extra_keys),
        Edit::Put { path, value, ours } => job.put(path, value, ours),
        Edit::SetIfAbsent { path, value } => job.set_if_absent(path, value),
        Edit::RenameOnRemoval { .. } | Edit::Block { .. } | Edit::Whole { .. } => {
            Err(Refusal::Unsupported { reason: format!("{} cannot be placed in JSON", edit.place()) })
        }
    }
}

struct Job<'j, 't> {
    text: &'j str,
    root: Option<&'j Node<'t>>,
    dialect: Dialect,
    style: Style,
}

fn with_job<T>(text: &str, dialect: Dialect, run: impl FnOnce(&Job<'_, '_>) -> T) -> Result<T, Refusal> {
    let seen = masked(text);
    let root = parse(&seen, dialect)?;
    Ok(run(&Job { text, root: root.as_ref(), dialect, style: Style::of(text, root.as_ref()) }))
}

impl Job<'_, '_> {
    /// Parses `next` in the host's dialect and shows that it differs from the text in our place only.
    fn prove(
        &self,
        next: &str,
        path: &[String],
        free: &Free<'_>,
        expected: Option<&Value>,
    ) -> Result<(), Refusal> {
        let failed = |reason: String| Refusal::NotProven { at: dotted(path), reason };
        let seen = masked(next);
        let root = parse(&seen, self.dialect).map_err(|refusal| failed(refusal.to_string()))?;
        if !equal_but(self.root, root.as_ref(), path, free) {
            return Err(failed("something else changed too".to_owned()));
        }
        if let Some(expected) = expected {
            match walk(root.as_ref(), path)? {
                Spot::Found { value, .. } if plain(value) == *expected => {}
                _ => return Err(failed("the new value isn't where it should be".to_owned())),
            }
        }
        Ok(())
    }
}

/// Whether the text holds nothing: blank, or an empty object without comments.
pub(crate) fn is_blank(text: &str) -> bool {
    let body = text.trim();
    body.is_empty()
        || body
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'))
            .is_some_and(|inner| inner.trim().is_empty())
}

/// Whether two texts mean the same to the host.
pub(crate) fn equal(a: &str, b: &str, dialect: Dialect) -> bool {
    let (a, b) = (masked(a), masked(b));
    match (parse(&a, dialect), parse(&b, dialect)) {
        (Ok(a), Ok(b)) => compare::equal(a.as_ref(), b.as_ref()),
        _ => false,
    }
}

/// What stands at the place of `edit`.
pub(crate) fn presence(text: &str, dialect: Dialect, edit: &Edit) -> Result<Presence, Refusal> {
    with_job(text, dialect, |job| match edit {
        Edit::Set { path, value, ours, .. } => match walk(job.root, path) {
            Ok(Spot::Missing { .. }) => Presence::Absent,
            Ok(Spot::Found { value: node, .. }) => judged(&plain(node), value, ours),
            Err(_) => Presence::Foreign,
        },
        Edit::Put { path, value, ours } => match walk(job.root, path) {
            Ok(Spot::Missing { .. }) => Presence::Absent,
            Ok(Spot::Found { value: Node::Array(array), .. }) => {
                let elements: Vec<Value> = array.elements.iter().map(plain).collect();
                judged_elements(&elements, value, ours)
            }
            _ => Presence::Foreign,
        },
        Edit::SetIfAbsent { path, .. } => match walk(job.root, path) {
            Ok(Spot::Missing { .. }) => Presence::Absent,
            Ok(Spot::Found { .. }) => Presence::Ours,
            Err(_) => Presence::Foreign,
        },
        Edit::RenameOnRemoval { .. } | Edit::Block { .. } | Edit::Whole { .. } => Presence::Absent,
    })
}
