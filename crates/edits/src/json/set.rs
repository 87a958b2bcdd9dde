//! Values at a path: written, updated key by key, or added with their missing parents.

use crate::Refusal;
use crate::container::{Container, Placement};
use crate::edit::{EntryMatcher, dotted};
use crate::outcome::{EditOutcome, EntryState};
use crate::receipt::{Entry, Interior, Trace};
use crate::splice::{Splice, apply_splices, indent_of};
use crate::values::{entry_state_of, merge};
use jsonc_parser::ast::{Object, Value as Node};
use jsonc_parser::common::Ranged;
use serde_json::Value;

use super::Job;
use super::compare::AllowedDifference;
use super::locate::{Location, locate, object_container, to_value};
use super::style::quote;

impl Job<'_, '_> {
    pub(super) fn set(
        &self,
        path: &[String],
        value: &Value,
        ours: &EntryMatcher,
        keep: bool,
    ) -> Result<EditOutcome, Refusal> {
        let (parent, index, node) = match locate(self.root, path)? {
            Location::Missing { parent, depth } => return self.create(path, value, parent, depth, false),
            Location::Found { parent, index, value } => (parent, index, value),
        };
        let current = to_value(node);
        let wanted = if keep { merge(&current, value) } else { value.clone() };
        if current == wanted && (current == *value || ours.is(&current)) {
            return Ok(EditOutcome::unchanged(self.text));
        }
        if !ours.is(&current) {
            if entry_state_of(&current, value, ours) == EntryState::OursWithExtras {
                // Others joined Plimsoll's lists, and all of Plimsoll's elements are there.
                return Ok(EditOutcome::unchanged(self.text));
            }
            return Err(Refusal::Foreign { at: dotted(path) });
        }
        let mut splices = Vec::new();
        let container = object_container(self.text, parent);
        let own_line = matches!(self.placement_of(&container, index), Placement::Lines(_));
        let at = parent.properties[index].range.start;
        if keep {
            self.update(node, value, own_line.then(|| indent_of(self.text, at)), &mut splices);
        } else {
            splices.push(self.replacement(node, value, own_line.then(|| indent_of(self.text, at))));
        }
        let next = apply_splices(self.text, splices);
        self.verify(&next, path, &AllowedDifference::Value, Some(&wanted))?;
        Ok(EditOutcome { text: next, trace: Trace::default(), had_ours: true })
    }

    /// The placement of item `index`: on its own line, or inline.
    pub(super) fn placement_of(&self, container: &Container<'_>, index: usize) -> Placement {
        let upto = container.items.iter().take(index + 1).cloned().collect();
        Container { text: self.text, items: upto, ..*container }
            .placement(&self.style.unit, self.style.spread)
    }

    /// `node` replaced by `value`; `indent` is its line's indentation if it has a line of its own.
    pub(super) fn replacement(&self, node: &Node<'_>, value: &Value, indent: Option<&str>) -> Splice {
        let text = indent.map_or_else(|| self.style.inline(value), |indent| self.style.lines(value, indent));
        Splice::replace(node.start()..node.end(), text)
    }

    /// Sets every key of `wanted` in `node`, recursively, and leaves all others.
    fn update(&self, node: &Node<'_>, wanted: &Value, indent: Option<&str>, splices: &mut Vec<Splice>) {
        if to_value(node) == *wanted {
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
                    let own_line = matches!(self.placement_of(&container, index), Placement::Lines(_));
                    let indent = own_line.then(|| indent_of(self.text, member.range.start));
                    self.update(&member.value, value, indent, splices);
                }
            }
        }
        if !missing.is_empty() {
            let room = container.placement(&self.style.unit, self.style.spread);
            let items: Vec<String> =
                missing.iter().map(|(key, value)| self.member(key, value, &room)).collect();
            let glue = match &room {
                Placement::Lines(indent) => format!(",{}{indent}", self.style.eol),
                Placement::Inline => format!(",{}", self.style.comma),
            };
            let (more, _) =
                container.insert_last(&room, &items.join(&glue), self.style.eol, self.style.comma);
            splices.extend(more);
        }
    }

    fn member(&self, key: &str, value: &Value, room: &Placement) -> String {
        match room {
            Placement::Lines(indent) => format!("{}: {}", quote(key), self.style.lines(value, indent)),
            Placement::Inline => self.style.inline_member(key, value),
        }
    }

    /// Adds a member that is missing from `depth` on, with the parents between.
    pub(super) fn create(
        &self,
        path: &[String],
        value: &Value,
        parent: Option<&Object<'_>>,
        depth: usize,
        array: bool,
    ) -> Result<EditOutcome, Refusal> {
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
                let room = container.placement(&self.style.unit, self.style.spread);
                let item = self.member(&path[depth], &nested, &room);
                let (splices, was) = container.insert_last(&room, &item, self.style.eol, self.style.comma);
                trace.interiors.extend(was.map(|text| Interior { path: path[..depth].to_vec(), text }));
                apply_splices(self.text, splices)
            }
        };
        self.verify(&next, path, &AllowedDifference::Value, Some(&expected))?;
        Ok(EditOutcome { text: next, trace, had_ours: false })
    }

    pub(super) fn set_if_absent(&self, path: &[String], value: &Value) -> Result<EditOutcome, Refusal> {
        match locate(self.root, path)? {
            Location::Found { .. } => {
                Ok(EditOutcome { had_ours: false, ..EditOutcome::unchanged(self.text) })
            }
            Location::Missing { parent, depth } => {
                let mut step = self.create(path, value, parent, depth, false)?;
                step.trace.defaults.push(Entry { path: path.to_vec(), value: value.clone() });
                Ok(step)
            }
        }
    }
}
