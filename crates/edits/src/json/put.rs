//! Array elements: exactly one of Plimsoll's among the others.

use crate::Refusal;
use crate::container::Placement;
use crate::edit::{Edit, EntryMatcher};
use crate::outcome::{EditOutcome, EntryState};
use crate::receipt::{Interior, Trace};
use crate::splice::{apply_splices, indent_of};
use crate::values::{either, entry_state_of_elements, has_nested};
use jsonc_parser::ast::Value as Node;
use jsonc_parser::common::Ranged;
use serde_json::Value;

use super::compare::AllowedDifference;
use super::locate::{Location, array_container, locate, to_value, wrong_type};
use super::parse::kind;
use super::removal::without_nested;
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
        let either = either(value, ours);
        let elements: Vec<Value> = array.elements.iter().map(to_value).collect();
        let alone = elements.iter().any(|element| either.is(element));
        if !alone && entry_state_of_elements(&elements, value, ours) == EntryState::OursWithExtras {
            // A group that others joined has everything.
            return Ok(EditOutcome::unchanged(self.text));
        }
        if elements.iter().any(|element| !either.is(element) && has_nested(element, ours)) {
            // Out of the group that others joined; what belongs there comes as a group of its own.
            let fewer = without_nested(self.text, self.dialect, path, ours, &Trace::default())?;
            let edit = Edit::Put { path: path.to_vec(), value: value.clone(), ours: ours.clone() };
            return apply_edit(&fewer, self.dialect, &edit)
                .map(|step| EditOutcome { had_ours: true, ..step });
        }
        let mine: Vec<usize> = (0..elements.len()).filter(|index| either.is(&elements[*index])).collect();
        let container = array_container(self.text, array);
        let mut trace = Trace::default();
        let next = match mine.as_slice() {
            [only] if elements[*only] == *value => {
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
                // There are several of Plimsoll's elements: remove one and check again.
                let fewer = apply_splices(self.text, container.remove(*last, ""));
                self.verify(&fewer, path, &AllowedDifference::Elements(&either), None)?;
                let edit = Edit::Put { path: path.to_vec(), value: value.clone(), ours: ours.clone() };
                return apply_edit(&fewer, self.dialect, &edit)
                    .map(|step| EditOutcome { had_ours: true, ..step });
            }
        };
        self.verify(&next, path, &AllowedDifference::Elements(&either), None)?;
        Ok(EditOutcome { text: next, trace, had_ours: !mine.is_empty() })
    }
}
