//! Edits of JSON in its three strictnesses, as splices into the text at the ranges the parser reports.
//!
//! Every operation parses, cuts, parses again and proves the result; the caller gets either a proved text or
//! a [`Refusal`]. Bytes outside the splices are never rewritten, which is what keeps comments, mixed line
//! ends, duplicate keys, huge integers and odd escapes as they are. Knows nothing of files.

mod compare;
mod parse;
mod style;

use crate::Refusal;
use crate::container::{Container, Notes, Room};
use crate::draft::Step;
use crate::plan::Presence;
use crate::prove::{judged, judged_elements, merged};
use crate::receipt::{Entry, Interior, Trace};
use crate::splice::{Splice, indent_of, spliced};
use crate::vocabulary::{Dialect, Edit, Ours, dotted};
use compare::{Free, equal_but};
use jsonc_parser::ast::{Array, Object, Value as Node};
use jsonc_parser::common::Ranged;
use parse::{kind, masked, parse};
use serde_json::Value;
use style::{Style, quoted};

/// Where a path leads.
enum Spot<'n, 't> {
    Found {
        parent: &'n Object<'t>,
        index: usize,
        value: &'n Node<'t>,
    },
    /// `parent` lacks the key at `depth`; `None`: the document is blank.
    Missing {
        parent: Option<&'n Object<'t>>,
        depth: usize,
    },
}

fn walk<'n, 't>(root: Option<&'n Node<'t>>, path: &[String]) -> Result<Spot<'n, 't>, Refusal> {
    let Some(mut node) = root else { return Ok(Spot::Missing { parent: None, depth: 0 }) };
    for (depth, key) in path.iter().enumerate() {
        let Some(object) = node.as_object() else {
            return Err(wrong_type(&path[..depth], "an object", kind(node)));
        };
        // The last of several members with one name is the one that hosts use.
        let Some(index) = object.properties.iter().rposition(|member| member.name.as_str() == key) else {
            return Ok(Spot::Missing { parent: Some(object), depth });
        };
        let value = &object.properties[index].value;
        if depth + 1 == path.len() {
            return Ok(Spot::Found { parent: object, index, value });
        }
        node = value;
    }
    Err(Refusal::Unsupported { reason: "an edit without a path cannot be made".to_owned() })
}

fn wrong_type(path: &[String], expected: &str, found: &str) -> Refusal {
    Refusal::WrongType { at: dotted(path), expected: expected.to_owned(), found: found.to_owned() }
}

fn object_container<'t>(text: &'t str, object: &Object<'_>) -> Container<'t> {
    Container {
        text,
        open: object.range.start + 1,
        close: object.range.end - 1,
        items: object.properties.iter().map(|member| member.range.start..member.range.end).collect(),
        notes: Notes::Slashes,
    }
}

fn array_container<'t>(text: &'t str, array: &Array<'_>) -> Container<'t> {
    Container {
        text,
        open: array.range.start + 1,
        close: array.range.end - 1,
        items: array.elements.iter().map(|element| element.start()..element.end()).collect(),
        notes: Notes::Slashes,
    }
}

fn plain(node: &Node<'_>) -> Value {
    node.clone().into()
}

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
        Edit::Block { .. } | Edit::Whole { .. } => {
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

impl Job<'_, '_> {
    fn set(&self, path: &[String], value: &Value, ours: &Ours, keep: bool) -> Result<Step, Refusal> {
        let (parent, index, node) = match walk(self.root, path)? {
            Spot::Missing { parent, depth } => return self.create(path, value, parent, depth, false),
            Spot::Found { parent, index, value } => (parent, index, value),
        };
        let current = plain(node);
        let wanted = if keep { merged(&current, value) } else { value.clone() };
        if current == wanted && (current == *value || ours.is(&current)) {
            return Ok(Step::unchanged(self.text));
        }
        if !ours.is(&current) {
            return Err(Refusal::Foreign { at: dotted(path) });
        }
        let mut splices = Vec::new();
        let container = object_container(self.text, parent);
        let own_line = matches!(self.room_of(&container, index), Room::Lines(_));
        let at = parent.properties[index].range.start;
        if keep {
            self.update(node, value, own_line.then(|| indent_of(self.text, at)), &mut splices);
        } else {
            splices.push(self.replacement(node, value, own_line.then(|| indent_of(self.text, at))));
        }
        let next = spliced(self.text, splices);
        self.prove(&next, path, &Free::Value, Some(&wanted))?;
        Ok(Step { text: next, trace: Trace::default(), had_ours: true })
    }

    /// How item `index` stands: on its own line, or beside others.
    fn room_of(&self, container: &Container<'_>, index: usize) -> Room {
        let upto = container.items.iter().take(index + 1).cloned().collect();
        Container { text: self.text, items: upto, ..*container }.room(&self.style.unit, self.style.spread)
    }

    /// `node` rewritten as `value`; `indent` is that of its line if it has one of its own.
    fn replacement(&self, node: &Node<'_>, value: &Value, indent: Option<&str>) -> Splice {
        let text = indent.map_or_else(|| self.style.inline(value), |indent| self.style.lines(value, indent));
        Splice::replace(node.start()..node.end(), text)
    }

    /// Sets every key of `wanted` in `node`, deep, and leaves all others.
    fn update(&self, node: &Node<'_>, wanted: &Value, indent: Option<&str>, splices: &mut Vec<Splice>) {
        if plain(node) == *wanted {
            return;
        }
        let (Node::Object(object), Value::Object(map)) = (node, wanted) else {
            splices.push(self.replacement(node, wanted, indent));
            return;
        };
        let container = object_container(self.text, object);
        let mut missing = Vec::new();
        for (key, value) in map {
            match object.properties.iter().rposition(|member| member.name.as_str() == key) {
                None => missing.push((key, value)),
                Some(index) => {
                    let member = &object.properties[index];
                    let own_line = matches!(self.room_of(&container, index), Room::Lines(_));
                    let indent = own_line.then(|| indent_of(self.text, member.range.start));
                    self.update(&member.value, value, indent, splices);
                }
            }
        }
        if !missing.is_empty() {
            let room = container.room(&self.style.unit, self.style.spread);
            let items: Vec<String> =
                missing.iter().map(|(key, value)| self.member(key, value, &room)).collect();
            let glue = match &room {
                Room::Lines(indent) => format!(",{}{indent}", self.style.eol),
                Room::Inline => format!(",{}", self.style.comma),
            };
            let (more, _) =
                container.insert_last(&room, &items.join(&glue), self.style.eol, self.style.comma);
            splices.extend(more);
        }
    }

    fn member(&self, key: &str, value: &Value, room: &Room) -> String {
        match room {
            Room::Lines(indent) => format!("{}: {}", quoted(key), self.style.lines(value, indent)),
            Room::Inline => self.style.inline_member(key, value),
        }
    }

    /// Adds a member that is missing from `depth` on, with the parents between.
    fn create(
        &self,
        path: &[String],
        value: &Value,
        parent: Option<&Object<'_>>,
        depth: usize,
        array: bool,
    ) -> Result<Step, Refusal> {
        let mut nested = if array { Value::Array(vec![value.clone()]) } else { value.clone() };
        let expected = nested.clone();
        for key in path[depth + 1..].iter().rev() {
            nested = Value::Object([(key.clone(), nested)].into_iter().collect());
        }
        let mut trace = Trace::default();
        let created = if array { path.len() } else { path.len() - 1 };
        trace.created_parents.extend((depth..created).map(|last| path[..=last].to_vec()));
        let next = match parent {
            None => {
                let whole = Value::Object([(path[depth].clone(), nested)].into_iter().collect());
                let notes = self.text.trim_end();
                let head =
                    if notes.is_empty() { String::new() } else { format!("{notes}{}", self.style.eol) };
                format!("{head}{}{}", self.style.lines(&whole, ""), self.style.eol)
            }
            Some(object) => {
                let container = object_container(self.text, object);
                let room = container.room(&self.style.unit, self.style.spread);
                let item = self.member(&path[depth], &nested, &room);
                let (splices, was) = container.insert_last(&room, &item, self.style.eol, self.style.comma);
                trace.interiors.extend(was.map(|text| Interior { path: path[..depth].to_vec(), text }));
                spliced(self.text, splices)
            }
        };
        self.prove(&next, path, &Free::Value, Some(&expected))?;
        Ok(Step { text: next, trace, had_ours: false })
    }

    fn put(&self, path: &[String], value: &Value, ours: &Ours) -> Result<Step, Refusal> {
        let node = match walk(self.root, path)? {
            Spot::Missing { parent, depth } => return self.create(path, value, parent, depth, true),
            Spot::Found { value, .. } => value,
        };
        let Node::Array(array) = node else { return Err(wrong_type(path, "an array", kind(node))) };
        let is_ours = |element: &Node<'_>| {
            let element = plain(element);
            element == *value || ours.is(&element)
        };
        let mine: Vec<usize> =
            (0..array.elements.len()).filter(|index| is_ours(&array.elements[*index])).collect();
        let container = array_container(self.text, array);
        let mut trace = Trace::default();
        let next = match mine.as_slice() {
            [only] if plain(&array.elements[*only]) == *value => return Ok(Step::unchanged(self.text)),
            [] => {
                let room = container.room(&self.style.unit, self.style.spread);
                let item = match &room {
                    Room::Lines(indent) => self.style.lines(value, indent),
                    Room::Inline => self.style.inline(value),
                };
                let (splices, was) = container.insert_last(&room, &item, self.style.eol, self.style.comma);
                trace.interiors.extend(was.map(|text| Interior { path: path.to_vec(), text }));
                spliced(self.text, splices)
            }
            [only] => {
                let own_line = matches!(self.room_of(&container, *only), Room::Lines(_));
                let element = &array.elements[*only];
                let indent = own_line.then(|| indent_of(self.text, element.start()));
                spliced(self.text, vec![self.replacement(element, value, indent)])
            }
            [.., last] => {
                // Too many of ours: take one out and look again.
                let fewer = spliced(self.text, container.remove(*last, ""));
                self.prove(&fewer, path, &Free::Elements(ours), None)?;
                let edit = Edit::Put { path: path.to_vec(), value: value.clone(), ours: ours.clone() };
                return edited(&fewer, self.dialect, &edit).map(|step| Step { had_ours: true, ..step });
            }
        };
        let either = Ours::new({
            let (value, ours) = (value.clone(), ours.clone());
            move |element| *element == value || ours.is(element)
        });
        self.prove(&next, path, &Free::Elements(&either), None)?;
        Ok(Step { text: next, trace, had_ours: !mine.is_empty() })
    }

    fn set_if_absent(&self, path: &[String], value: &Value) -> Result<Step, Refusal> {
        match walk(self.root, path)? {
            Spot::Found { .. } => Ok(Step { had_ours: false, ..Step::unchanged(self.text) }),
            Spot::Missing { parent, depth } => {
                let mut step = self.create(path, value, parent, depth, false)?;
                step.trace.defaults.push(Entry { path: path.to_vec(), value: value.clone() });
                Ok(step)
            }
        }
    }

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
                _ => return Err(failed("the new value does not stand where it should".to_owned())),
            }
        }
        Ok(())
    }

    /// The text without member `index` of `parent`, which stands at `path`.
    fn without(
        &self,
        path: &[String],
        parent: &Object<'_>,
        index: usize,
        trace: &Trace,
    ) -> Result<String, Refusal> {
        let above = path.len().checked_sub(1).and_then(|end| path.get(..end)).unwrap_or_default();
        let splices = object_container(self.text, parent).remove(index, trace.interior(above));
        let next = spliced(self.text, splices);
        self.prove(&next, path, &Free::Value, None)?;
        Ok(next)
    }
}

fn with_job<T>(text: &str, dialect: Dialect, run: impl FnOnce(&Job<'_, '_>) -> T) -> Result<T, Refusal> {
    let seen = masked(text);
    let root = parse(&seen, dialect)?;
    Ok(run(&Job { text, root: root.as_ref(), dialect, style: Style::of(text, root.as_ref()) }))
}

/// The text without what `edit` put there, proved. What is not ours stays; a place that does not exist is
/// nothing to remove.
pub(crate) fn removed(text: &str, dialect: Dialect, edit: &Edit, trace: &Trace) -> Result<String, Refusal> {
    match edit {
        Edit::Set { path, value, ours, .. } => with_job(text, dialect, |job| match walk(job.root, path) {
            Ok(Spot::Found { parent, index, value: node }) => {
                let current = plain(node);
                if current == *value || ours.is(&current) {
                    job.without(path, parent, index, trace)
                } else {
                    Ok(text.to_owned())
                }
            }
            _ => Ok(text.to_owned()),
        })?,
        Edit::Put { path, value, ours } => {
            let mut text = text.to_owned();
            while let Some(next) =
                with_job(&text, dialect, |job| without_element(job, path, value, ours, trace))??
            {
                text = next;
            }
            Ok(text)
        }
        _ => Ok(text.to_owned()),
    }
}

fn without_element(
    job: &Job<'_, '_>,
    path: &[String],
    value: &Value,
    ours: &Ours,
    trace: &Trace,
) -> Result<Option<String>, Refusal> {
    let Ok(Spot::Found { value: Node::Array(array), .. }) = walk(job.root, path) else { return Ok(None) };
    let either = Ours::new({
        let (value, ours) = (value.clone(), ours.clone());
        move |element| *element == value || ours.is(element)
    });
    let Some(index) = array.elements.iter().rposition(|element| either.is(&plain(element))) else {
        return Ok(None);
    };
    let next = spliced(job.text, array_container(job.text, array).remove(index, trace.interior(path)));
    job.prove(&next, path, &Free::Elements(&either), None)?;
    Ok(Some(next))
}

/// The text without the empty containers that we created and the defaults that nobody else needs
/// (`all_defaults`: without any default of ours, because the file did well without it before).
pub(crate) fn tidied(
    text: &str,
    dialect: Dialect,
    trace: &Trace,
    all_defaults: bool,
) -> Result<String, Refusal> {
    let mut text = text.to_owned();
    let mut places: Vec<&Vec<String>> = trace.created_parents.iter().collect();
    places.sort_by_key(|path| std::cmp::Reverse(path.len()));
    for round in 0..2 {
        for path in &places {
            let next = with_job(&text, dialect, |job| match walk(job.root, path) {
                Ok(Spot::Found { parent, index, value }) if is_empty(job.text, value) => {
                    job.without(path, parent, index, trace)
                }
                _ => Ok(text.clone()),
            })??;
            text = next;
        }
        if round == 0 {
            text = without_defaults(text, dialect, trace, all_defaults)?;
        }
    }
    Ok(text)
}

/// Removes a default of ours when nothing but our defaults stands beside it: a schema version is needed as
/// long as the file has content.
fn without_defaults(mut text: String, dialect: Dialect, trace: &Trace, all: bool) -> Result<String, Refusal> {
    let is_default = |path: &[String], value: &Node<'_>| {
        trace.defaults.iter().any(|entry| entry.path == path && entry.value == plain(value))
    };
    let mut doomed: Vec<&Entry> = Vec::new();
    for entry in &trace.defaults {
        let alone = with_job(&text, dialect, |job| match walk(job.root, &entry.path) {
            Ok(Spot::Found { value, .. }) if all => is_default(&entry.path, value),
            Ok(Spot::Found { parent, .. }) => parent.properties.iter().all(|member| {
                let mut path = entry.path.clone();
                path.pop();
                path.push(member.name.as_str().to_owned());
                is_default(&path, &member.value)
            }),
            _ => false,
        })?;
        if alone {
            doomed.push(entry);
        }
    }
    for entry in doomed {
        let next = with_job(&text, dialect, |job| match walk(job.root, &entry.path) {
            Ok(Spot::Found { parent, index, .. }) => job.without(&entry.path, parent, index, trace),
            _ => Ok(text.clone()),
        })??;
        text = next;
    }
    Ok(text)
}

/// Whether a node is an object or array with nothing inside, comments included.
fn is_empty(text: &str, node: &Node<'_>) -> bool {
    matches!(node, Node::Object(_) | Node::Array(_))
        && text[node.start() + 1..node.end() - 1].trim().is_empty()
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
        Edit::Block { .. } | Edit::Whole { .. } => Presence::Absent,
    })
}
