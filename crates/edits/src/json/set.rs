//! Values at a path: written, brought up to date key by key, or added with the parents that are missing.

use crate::Refusal;
use crate::container::{Container, Room};
use crate::prove::merged;
use crate::receipt::{Entry, Interior, Trace};
use crate::splice::{Splice, indent_of, spliced};
use crate::step::Step;
use crate::vocabulary::{Ours, dotted};
use jsonc_parser::ast::{Object, Value as Node};
use jsonc_parser::common::Ranged;
use serde_json::Value;

use super::Job;
use super::compare::Free;
use super::locate::{Spot, object_container, plain, walk};
use super::style::quoted;

impl Job<'_, '_> {
    pub(super) fn set(
        &self,
        path: &[String],
        value: &Value,
        ours: &Ours,
        keep: bool,
    ) -> Result<Step, Refusal> {
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
    pub(super) fn room_of(&self, container: &Container<'_>, index: usize) -> Room {
        let upto = container.items.iter().take(index + 1).cloned().collect();
        Container { text: self.text, items: upto, ..*container }.room(&self.style.unit, self.style.spread)
    }

    /// `node` rewritten as `value`; `indent` is that of its line if it has one of its own.
    pub(super) fn replacement(&self, node: &Node<'_>, value: &Value, indent: Option<&str>) -> Splice {
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
    pub(super) fn create(
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

    pub(super) fn set_if_absent(&self, path: &[String], value: &Value) -> Result<Step, Refusal> {
        match walk(self.root, path)? {
            Spot::Found { .. } => Ok(Step { had_ours: false, ..Step::unchanged(self.text) }),
            Spot::Missing { parent, depth } => {
                let mut step = self.create(path, value, parent, depth, false)?;
                step.trace.defaults.push(Entry { path: path.to_vec(), value: value.clone() });
                Ok(step)
            }
        }
    }
}
