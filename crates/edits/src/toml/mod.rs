//! Edits of TOML as splices around the ranges that `toml_edit` reports, so that CRLF, mixed line ends, odd
//! spacing and comments stay as they are in every line that is not ours. Proved after each edit by parsing
//! the result and comparing the value trees. Knows nothing of files.

mod read;

use crate::Refusal;
use crate::container::{Container, Notes, Room};
use crate::draft::Step;
use crate::plan::Presence;
use crate::prove::{Free, equal_but, judged, judged_elements, merged};
use crate::receipt::{Entry, Trace};
use crate::splice::{
    Splice, indent_of, line_close, line_end, line_end_before, spliced, with_paragraph, without_paragraph,
};
use crate::vocabulary::{Edit, Ours, dotted};
use read::{
    Kind, Statement, inline_items, item_at, key, keys, kind_of, parse, statements, table_tree, tree, written,
};
use serde_json::Value;
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
        Edit::Block { .. } | Edit::Whole { .. } => Ok(Step::unchanged(text)),
    }
}

fn set(text: &str, path: &[String], value: &Value, ours: &Ours, keep: bool) -> Result<Step, Refusal> {
    let job = job(text)?;
    let Some(item) = job.item(path)? else { return job.create(path, value) };
    let current = tree(item);
    let wanted = if keep { merged(&current, value) } else { value.clone() };
    if current == wanted && (current == *value || ours.is(&current)) {
        return Ok(Step::unchanged(text));
    }
    if !ours.is(&current) {
        return Err(Refusal::Foreign { at: dotted(path) });
    }
    let next =
        if keep { update(text.to_owned(), path, &current, value)? } else { job.replaced(path, value)? };
    prove(text, &next, path, &Free::Value, Some(&wanted))?;
    Ok(Step { text: next, trace: Trace::default(), had_ours: true })
}

/// Sets every key of `wanted` at `path`, one after another; keys that only the file has stay.
fn update(mut text: String, path: &[String], current: &Value, wanted: &Value) -> Result<String, Refusal> {
    if let (Value::Object(known), Value::Object(map)) = (current, wanted) {
        for (name, value) in map {
            let mut place = path.to_vec();
            place.push(name.clone());
            text = match known.get(name) {
                Some(old) if old == value => text,
                Some(old) => update(text, &place, old, value)?,
                None => job(&text)?.create(&place, value)?.text,
            };
        }
        return Ok(text);
    }
    job(&text)?.replaced(path, wanted)
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

    /// Adds what is missing at `path`.
    fn create(&self, path: &[String], value: &Value) -> Result<Step, Refusal> {
        let mut trace = Trace::default();
        let Some((name, parent)) = path.split_last() else {
            return Err(Refusal::Unsupported { reason: "an edit without a path cannot be made".to_owned() });
        };
        let missing = (1..=parent.len())
            .filter(|depth| item_at(self.document.as_table(), &parent[..*depth]).is_none())
            .map(|depth| parent[..depth].to_vec());
        trace.created_parents.extend(missing);
        let inline = (1..=parent.len()).rev().find_map(|depth| {
            match item_at(self.document.as_table(), &parent[..depth]) {
                Some(Item::Value(Node::InlineTable(table))) => Some((depth, table)),
                _ => None,
            }
        });
        let next = if let Some((depth, table)) = inline {
            let mut nested = value.clone();
            for key in path[depth + 1..].iter().rev() {
                nested = Value::Object([(key.clone(), nested)].into_iter().collect());
            }
            let container = self.inline_container(table)?;
            let item = format!("{} = {}", key(&path[depth]), written(&nested)?);
            self.inserted(&container, &item)
        } else if let Value::Object(map) = value {
            let mut lines = vec![format!("[{}]", keys(path))];
            for (name, value) in map {
                lines.push(format!("{} = {}", key(name), written(value)?));
            }
            with_paragraph(self.text, &lines.join(self.eol()), self.eol())
        } else {
            self.pair_added(parent, name, value)?
        };
        prove(self.text, &next, path, &Free::Value, Some(value))?;
        Ok(Step { text: next, trace, had_ours: false })
    }

    /// A new `name = value` line in the table at `parent`.
    fn pair_added(&self, parent: &[String], name: &str, value: &Value) -> Result<String, Refusal> {
        let line = format!("{} = {}", key(name), written(value)?);
        let eol = self.eol();
        let header = self.statements.iter().position(|s| s.kind == Kind::Header && s.path == parent);
        if header.is_none() && !parent.is_empty() {
            if let Some(item @ Item::Table(table)) = item_at(self.document.as_table(), parent)
                && table.is_dotted()
            {
                return Err(Refusal::Unsupported {
                    reason: format!(
                        "{} is {} made of dotted keys; add the line by hand",
                        dotted(parent),
                        kind_of(item)
                    ),
                });
            }
            let block = format!("[{}]{eol}{line}", keys(parent));
            return Ok(with_paragraph(self.text, &block, eol));
        }
        // Behind the last own pair of that table, or behind its header, or at the top for the root table.
        let first = header.map_or(0, |index| index + 1);
        let pairs = self.statements[first..].iter().take_while(|s| matches!(s.kind, Kind::Pair(_)));
        let anchor = pairs.last().or_else(|| header.and_then(|index| self.statements.get(index)));
        let Some(anchor) = anchor else {
            return Ok(format!("{line}{eol}{}", self.text));
        };
        let at = line_close(self.text, anchor.end);
        let indent = indent_of(self.text, anchor.start + indent_of(self.text, anchor.end).len());
        let insertion = if self.text[..at].ends_with('\n') {
            format!("{indent}{line}{eol}")
        } else {
            format!("{eol}{indent}{line}")
        };
        Ok(spliced(self.text, vec![Splice::insert(at, insertion)]))
    }

    fn inline_container(&self, table: &toml_edit::InlineTable) -> Result<Container<'_>, Refusal> {
        let hidden = || Refusal::Unsupported {
            reason: "the entry stands in an inline table with dotted keys; edit it by hand".to_owned(),
        };
        let range = table.span().ok_or_else(hidden)?;
        let items = inline_items(table).ok_or_else(hidden)?;
        Ok(Container {
            text: self.text,
            open: range.start + 1,
            close: range.end - 1,
            items: items.into_iter().map(|(_, range)| range).collect(),
            notes: Notes::Hash,
        })
    }

    fn inserted(&self, container: &Container<'_>, item: &str) -> String {
        let room = container.room("  ", false);
        let item = if container.items.is_empty() && room == Room::Inline && item.contains(" = ") {
            format!(" {item} ")
        } else {
            item.to_owned()
        };
        let (splices, _) = container.insert_last(&room, &item, self.eol(), " ");
        spliced(self.text, splices)
    }

    /// The statements at or below `path`.
    fn below(&self, path: &[String]) -> Vec<&Statement> {
        self.statements.iter().filter(|statement| statement.path.starts_with(path)).collect()
    }

    /// The entry at `path` written anew, where it stands.
    fn replaced(&self, path: &[String], value: &Value) -> Result<String, Refusal> {
        if let Some(Item::Value(node)) = item_at(self.document.as_table(), path)
            && let Some(range) = node.span()
        {
            return Ok(spliced(self.text, vec![Splice::replace(range, written(value)?)]));
        }
        let doomed = self.below(path);
        let Some(first) = doomed.first() else {
            return Err(Refusal::Unsupported { reason: format!("{} cannot be replaced here", dotted(path)) });
        };
        let at = first.start;
        let block = match value {
            Value::Object(map) if first.kind == Kind::Header => {
                let mut lines = vec![format!("[{}]", keys(path))];
                for (name, value) in map {
                    lines.push(format!("{} = {}", key(name), written(value)?));
                }
                lines.join(self.eol())
            }
            _ => {
                // Dotted keys: take them out and let the entry go where a new one goes.
                let text = self.without(path)?;
                return Ok(job(&text)?.create(path, value)?.text);
            }
        };
        let mut splices = self.cuts(&doomed, false);
        let open_end =
            splices.last().is_some_and(|s| s.range.end == self.text.len()) && !self.text.ends_with('\n');
        let tail = if open_end { "" } else { self.eol() };
        splices.insert(0, Splice::insert(at, format!("{block}{tail}")));
        Ok(spliced(self.text, splices))
    }

    /// The text without the entry at `path`, sub-tables included.
    fn without(&self, path: &[String]) -> Result<String, Refusal> {
        let doomed = self.below(path);
        if !doomed.is_empty() {
            return Ok(spliced(self.text, self.cuts(&doomed, true)));
        }
        let Some((name, parent)) = path.split_last() else { return Ok(self.text.to_owned()) };
        match item_at(self.document.as_table(), parent) {
            Some(Item::Value(Node::InlineTable(table))) => {
                let container = self.inline_container(table)?;
                let items = inline_items(table).unwrap_or_default();
                let index = items.iter().position(|(key, _)| key == name);
                Ok(index.map_or_else(
                    || self.text.to_owned(),
                    |index| spliced(self.text, container.remove(index, "")),
                ))
            }
            _ => Ok(self.text.to_owned()),
        }
    }

    /// Cuts whole statements. Blank lines between two of them go along; comments on lines of their own are
    /// the user's and stay.
    fn cuts(&self, doomed: &[&Statement], paragraph: bool) -> Vec<Splice> {
        let mut ranges: Vec<(std::ops::Range<usize>, bool)> = Vec::new();
        for statement in doomed {
            let range = statement.start..line_close(self.text, statement.end);
            match ranges.last_mut() {
                Some((last, _))
                    if self.text.get(last.end..range.start).is_some_and(|gap| gap.trim().is_empty()) =>
                {
                    last.end = range.end;
                }
                _ => ranges.push((range, statement.kind == Kind::Header)),
            }
        }
        let cut = |(range, header): (std::ops::Range<usize>, bool)| {
            if paragraph && header {
                return Splice::delete(without_paragraph(self.text, range));
            }
            let open_end = range.end == self.text.len() && !self.text.ends_with('\n');
            let start = if open_end && paragraph {
                line_end_before(self.text, range.start).unwrap_or(range.start)
            } else {
                range.start
            };
            Splice::delete(start..range.end)
        };
        ranges.into_iter().map(cut).collect()
    }
}

fn put(text: &str, path: &[String], value: &Value, ours: &Ours) -> Result<Step, Refusal> {
    let job = job(text)?;
    let Some(item) = job.item(path)? else {
        let mut step = job.create(path, &Value::Array(vec![value.clone()]))?;
        step.trace.created_parents.push(path.to_vec());
        return Ok(step);
    };
    let Item::Value(Node::Array(array)) = item else {
        return Err(Refusal::WrongType {
            at: dotted(path),
            expected: "an array".to_owned(),
            found: kind_of(item).to_owned(),
        });
    };
    let either = either(value, ours);
    let elements: Vec<Value> = array.iter().map(|node| tree(&Item::Value(node.clone()))).collect();
    let mine: Vec<usize> = (0..elements.len()).filter(|index| either.is(&elements[*index])).collect();
    let container = job.array_container(array);
    let next = match mine.as_slice() {
        [only] if elements[*only] == *value => return Ok(Step::unchanged(text)),
        [] => job.inserted(&container, &written(value)?),
        [only] => {
            let range = container.items.get(*only).cloned().unwrap_or_default();
            spliced(text, vec![Splice::replace(range, written(value)?)])
        }
        [.., last] => {
            let fewer = spliced(text, container.remove(*last, ""));
            prove(text, &fewer, path, &Free::Elements(&either), None)?;
            return put(&fewer, path, value, ours).map(|step| Step { had_ours: true, ..step });
        }
    };
    prove(text, &next, path, &Free::Elements(&either), None)?;
    Ok(Step { text: next, trace: Trace::default(), had_ours: !mine.is_empty() })
}

impl Job<'_> {
    fn array_container(&self, array: &toml_edit::Array) -> Container<'_> {
        let range = array.span().unwrap_or_default();
        Container {
            text: self.text,
            open: range.start + 1,
            close: range.end.saturating_sub(1),
            items: array.iter().filter_map(Node::span).collect(),
            notes: Notes::Hash,
        }
    }
}

fn either(value: &Value, ours: &Ours) -> Ours {
    let (value, ours) = (value.clone(), ours.clone());
    Ours::new(move |element| *element == value || ours.is(element))
}

/// The text without what `edit` put there, proved.
pub(crate) fn removed(text: &str, edit: &Edit) -> Result<String, Refusal> {
    match edit {
        Edit::Set { path, value, ours, .. } => {
            let job = job(text)?;
            let Ok(Some(item)) = job.item(path) else { return Ok(text.to_owned()) };
            if !either(value, ours).is(&tree(item)) {
                return Ok(text.to_owned());
            }
            let next = job.without(path)?;
            prove(text, &next, path, &Free::Value, None)?;
            Ok(next)
        }
        Edit::Put { path, value, ours } => {
            let either = either(value, ours);
            let mut text = text.to_owned();
            loop {
                let next = {
                    let job = job(&text)?;
                    let Ok(Some(Item::Value(Node::Array(array)))) = job.item(path) else { return Ok(text) };
                    let found = array.iter().position(|node| either.is(&tree(&Item::Value(node.clone()))));
                    let Some(index) = found else { return Ok(text) };
                    spliced(&text, job.array_container(array).remove(index, ""))
                };
                prove(&text, &next, path, &Free::Elements(&either), None)?;
                text = next;
            }
        }
        _ => Ok(text.to_owned()),
    }
}

/// The text without tables and arrays that we created and that are empty now, and without our defaults.
pub(crate) fn tidied(text: &str, trace: &Trace) -> Result<String, Refusal> {
    let mut text = text.to_owned();
    for default in trace.defaults.iter().rev() {
        let next = {
            let job = job(&text)?;
            match job.item(&default.path) {
                Ok(Some(item)) if tree(item) == default.value => job.without(&default.path)?,
                _ => continue,
            }
        };
        prove(&text, &next, &default.path, &Free::Value, None)?;
        text = next;
    }
    let mut places: Vec<&Vec<String>> = trace.created_parents.iter().collect();
    places.sort_by_key(|path| std::cmp::Reverse(path.len()));
    for path in places {
        let next = {
            let job = job(&text)?;
            match job.item(path) {
                Ok(Some(item)) if matches!(tree(item), Value::Object(map) if map.is_empty()) => {
                    job.without(path)?
                }
                Ok(Some(item)) if matches!(tree(item), Value::Array(items) if items.is_empty()) => {
                    job.without(path)?
                }
                _ => continue,
            }
        };
        prove(&text, &next, path, &Free::Value, None)?;
        text = next;
    }
    Ok(text)
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
        return Err(failed("the new value does not stand where it should".to_owned()));
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
        Edit::Block { .. } | Edit::Whole { .. } => Presence::Absent,
    })
}
