//! Elements of arrays: exactly one of ours among those of others.

use crate::Refusal;
use crate::container::Room;
use crate::receipt::{Interior, Trace};
use crate::splice::{indent_of, spliced};
use crate::step::Step;
use crate::vocabulary::{Edit, Ours};
use jsonc_parser::ast::Value as Node;
use jsonc_parser::common::Ranged;
use serde_json::Value;

use super::compare::Free;
use super::locate::{Spot, array_container, plain, walk, wrong_type};
use super::parse::kind;
use super::{Job, edited};

impl Job<'_, '_> {
    pub(super) fn put(&self, path: &[String], value: &Value, ours: &Ours) -> Result<Step, Refusal> {
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
}
