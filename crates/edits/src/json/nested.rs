//! Plimsoll's elements inside somebody else's value: one of Plimsoll's hooks in a group that the user's own hook
//! joined. Finds them, takes them out, and says where any are.

use crate::Refusal;
use crate::edit::{EntryMatcher, dotted};
use crate::receipt::Trace;
use crate::splice::apply_splices;
use jsonc_parser::ast::{Array, Value as Node};

use super::Job;
use super::compare::AllowedDifference;
use super::locate::{Location, array_container, locate, to_value};

/// One step into a value.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

/// One of Plimsoll's elements: its array, and the way to that array.
struct Nested<'n, 't> {
    array: &'n Array<'t>,
    index: usize,
    way: Vec<Step>,
}

/// The first of Plimsoll's elements in an array at or below `node`.
fn first<'n, 't>(node: &'n Node<'t>, ours: &EntryMatcher, way: &mut Vec<Step>) -> Option<Nested<'n, 't>> {
    match node {
        Node::Object(object) => object.properties.iter().find_map(|member| {
            way.push(Step::Key(member.name.as_str().to_owned()));
            let found = first(&member.value, ours, way);
            way.pop();
            found
        }),
        Node::Array(array) => {
            let own = array.elements.iter().position(|element| ours.is(&to_value(element)));
            if let Some(index) = own {
                return Some(Nested { array, index, way: way.clone() });
            }
            array.elements.iter().enumerate().find_map(|(index, element)| {
                way.push(Step::Index(index));
                let found = first(element, ours, way);
                way.pop();
                found
            })
        }
        _ => None,
    }
}

impl<'n, 't> Job<'n, 't> {
    /// The value at `path`, which may be the root.
    fn at(&self, path: &[String]) -> Option<&'n Node<'t>> {
        if path.is_empty() {
            return self.root;
        }
        match locate(self.root, path) {
            Ok(Location::Found { value, .. }) => Some(value),
            _ => None,
        }
    }

    /// The text without one of Plimsoll's elements at or below `path`; `None` if there is none.
    pub(super) fn without_nested(
        &self,
        path: &[String],
        ours: &EntryMatcher,
        trace: &Trace,
    ) -> Result<Option<String>, Refusal> {
        let mut way = path.iter().cloned().map(Step::Key).collect();
        let Some(found) = self.at(path).and_then(|node| first(node, ours, &mut way)) else {
            return Ok(None);
        };
        // A trace only knows places that are reached through objects.
        let keys: Option<Vec<String>> = found
            .way
            .iter()
            .map(|step| if let Step::Key(key) = step { Some(key.clone()) } else { None })
            .collect();
        let interior = keys.as_deref().map_or("", |keys| trace.interior(keys));
        let next =
            apply_splices(self.text, array_container(self.text, found.array).remove(found.index, interior));
        self.verify(&next, path, &AllowedDifference::Nested(ours), None)?;
        Ok(Some(next))
    }

    /// The places of every entry in the whole text that is Plimsoll's, as far as `ours` recognises it.
    pub(super) fn places(&self, ours: &EntryMatcher) -> Vec<String> {
        let mut places = Vec::new();
        if let Some(root) = self.root {
            walk(root, ours, &mut Vec::new(), &mut places);
        }
        places
    }
}

fn walk(node: &Node<'_>, ours: &EntryMatcher, way: &mut Vec<Step>, places: &mut Vec<String>) {
    let mut enter = |node: &Node<'_>, step: Step| {
        way.push(step);
        // Entries are objects: nothing else is worth a copy.
        if node.as_object().is_some() && ours.is(&to_value(node)) {
            places.push(written(way));
        } else {
            walk(node, ours, way, places);
        }
        way.pop();
    };
    match node {
        Node::Object(object) => {
            for member in &object.properties {
                enter(&member.value, Step::Key(member.name.as_str().to_owned()));
            }
        }
        Node::Array(array) => {
            for (index, element) in array.elements.iter().enumerate() {
                enter(element, Step::Index(index));
            }
        }
        _ => {}
    }
}

/// `hooks.PreToolUse[0].hooks[1]`
fn written(way: &[Step]) -> String {
    let mut keys: Vec<String> = Vec::new();
    for step in way {
        match (step, keys.last_mut()) {
            (Step::Key(key), _) => keys.push(key.clone()),
            (Step::Index(index), Some(last)) => *last = format!("{last}[{index}]"),
            (Step::Index(index), None) => keys.push(format!("[{index}]")),
        }
    }
    dotted(&keys)
}
