//! Array elements: exactly one of Plimsoll's among the others.

use crate::Refusal;
use crate::container::Placement;
use crate::edit::{Edit, EntryMatcher};
use crate::outcome::EditOutcome;
use crate::receipt::{Interior, Trace};
use crate::splice::{apply_splices, indent_of};
use jsonc_parser::ast::Value as Node;
use jsonc_parser::common::Ranged;
use serde_json::Value;

use super::compare::AllowedDifference;
use super::locate::{Location, array_container, locate, to_value, wrong_type};
use super::parse::kind;
use super::{Job, apply_edit};

impl Job<'_, '_> {
    pub(super) fn put(
        &self,
        path: &[String],
        value: &Value,
        ours: &EntryMatcher,
    ) -> Result<EditOutcome, Refusal> {
        let node = match locate(self.root, path)? {
            Location::Missing { parent, depth } => return self.create(path, value, parent, depth, true),
            Location::Found { value, .. } => value,
        };
        let Node::Array(array) = node else { return Err(wrong_type(path, "an array", kind(node))) };
        let is_ours = |element: &Node<'_>| {
            let element = to_value(element);
            element == *value || ours.is(&element)
        };
        let mine: Vec<usize> =
            (0..array.elements.len()).filter(|index| is_ours(&array.elements[*index])).collect();
        let container = array_container(self.text, array);
        let mut trace = Trace::default();
        let next = match mine.as_slice() {
            [only] if to_value(&array.elements[*only]) == *value => {
                return Ok(EditOutcome::unchanged(self.text));
            }
            [] => {
                let room = container.placement(&self.style.unit, self.style.spread);
                let item = match &room {
                    Placement::Lines(indent) => self.style.lines(value, indent),
                    Placement::Inline => self.style.inline(value),
                };
                let (splices, was) = container.insert_last(&room, &item, self.style.eol, self.style.comma);
                trace.interiors.extend(was.map(|text| Interior { path: path.to_vec(), text }));
                apply_splices(self.text, splices)
            }
            [only] => {
                let own_line = matches!(self.placement_of(&container, *only), Placement::Lines(_));
                let element = &array.elements[*only];
                let indent = own_line.then(|| indent_of(self.text, element.start()));
                apply_splices(self.text, vec![self.replacement(element, value, indent)])
            }
            [.., last] => {
                // More than one of Plimsoll's: remove one and check again.
                let fewer = apply_splices(self.text, container.remove(*last, ""));
                self.verify(&fewer, path, &AllowedDifference::Elements(ours), None)?;
                let edit = Edit::Put { path: path.to_vec(), value: value.clone(), ours: ours.clone() };
                return apply_edit(&fewer, self.dialect, &edit)
                    .map(|step| EditOutcome { had_ours: true, ..step });
            }
        };
        let either = EntryMatcher::new({
            let (value, ours) = (value.clone(), ours.clone());
            move |element| *element == value || ours.is(element)
        });
        self.verify(&next, path, &AllowedDifference::Elements(&either), None)?;
        Ok(EditOutcome { text: next, trace, had_ours: !mine.is_empty() })
    }
}
