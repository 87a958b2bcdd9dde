//! The types of variables and parameters, by what is written beside them, what they're set to and what a function is given.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::super::syntax_nodes::ancestors;
use super::super::super::text_matches::whole_words;
use super::super::lookup::Source;
use super::ty::{Parameter, Place, Ty};
use super::{Script, is_rest, parameters};
use crate::define_names::bound_names;

/// One step from a pattern to one of its parts.
enum Step<'s> {
    Member(&'s str),
    Element(usize),
    /// All from this element on: `[, ...rest]`.
    Rest(usize),
}

/// No more parameters of a function are read at once.
const MAX_PARAMETERS: usize = 20;
/// A pattern isn't followed that is in more others.
const MAX_STEPS: u32 = 24;

impl Script<'_> {
    /// The type of the variable or parameter that is bound at a name.
    pub(super) fn bound_type(&self, s: &Source, name: Node<'_>) -> Ty {
        let mut steps = Vec::new();
        if name.kind() == "shorthand_property_identifier_pattern" {
            steps.push(Step::Member(s.text_of(name)));
        }
        self.pattern_type(s, name, steps)
    }

    /// Whether a place is behind a condition on what is taken out of one object together with a variable: `{ type, payload }`. It may say
    /// which of several types the variable has.
    pub(super) fn is_told_by_siblings(&self, s: &Source, place: Place, node: Node<'_>) -> bool {
        let own = place.node(s).and_then(|name| name.parent());
        let part = own.filter(|of| of.kind() == "pair_pattern").map_or(place.node(s), Some);
        let pattern = part.and_then(|part| part.parent()).filter(|of| of.kind() == "object_pattern");
        let Some(pattern) = pattern else { return false };
        let siblings = bound_names(pattern);
        let mut others =
            siblings.iter().filter(|one| Place::of(s, **one) != place).map(|one| s.text_of(*one));
        let mut inner = node;
        let mut asked = Vec::new();
        for around in ancestors(s.tree.root_node(), node).into_iter().rev() {
            let condition = match around.kind() {
                "if_statement" | "ternary_expression" | "while_statement" => {
                    around.child_by_field_name("condition")
                }
                "switch_statement" => around.child_by_field_name("value"),
                "binary_expression" => around.child_by_field_name("left"),
                _ => None,
            };
            asked.extend(condition.filter(|of| *of != inner).map(|of| s.text_of(of)));
            inner = around;
        }
        others.any(|name| asked.iter().any(|condition| whole_words(condition, name).next().is_some()))
    }

    /// The type of the value that a pattern for an object is matched with.
    pub(super) fn matched(&self, s: &Source, pattern: Node<'_>) -> Ty {
        self.limited(|| self.pattern_type(s, pattern, Vec::new()))
    }

    fn pattern_type<'s>(&self, s: &'s Source, pattern: Node<'s>, mut steps: Vec<Step<'s>>) -> Ty {
        let mut at = pattern;
        let mut base = Ty::Unknown;
        for _ in 0..MAX_STEPS {
            let Some(parent) = at.parent() else { break };
            let field = |name: &str| parent.child_by_field_name(name);
            match parent.kind() {
                "object_pattern" | "object_assignment_pattern" | "assignment_pattern" => {}
                "rest_pattern" => {}
                "pair_pattern" => match field("key") {
                    Some(key) if key.kind() != "computed_property_name" => {
                        steps.push(Step::Member(s.text_of(key).trim_matches(['"', '\''])));
                    }
                    _ => return Ty::Unknown,
                },
                "array_pattern" => {
                    // `[, second]` has no node for what is left out.
                    let mut cursor = parent.walk();
                    let before = parent.children(&mut cursor).take_while(|one| *one != at);
                    let place = before.filter(|one| one.kind() == ",").count();
                    let is_rest = at.kind() == "rest_pattern";
                    steps.push(if is_rest { Step::Rest(place) } else { Step::Element(place) });
                }
                "variable_declarator" => {
                    let written = field("type").map(|of| self.written(s, of));
                    let written = written.or_else(|| self.documented(s, parent));
                    let set = || field("value").map(|value| self.value(s, value));
                    base = written.or_else(set).unwrap_or(Ty::Unknown);
                    break;
                }
                "required_parameter" | "optional_parameter" => {
                    base = self.parameter_type(s, parent);
                    break;
                }
                "formal_parameters" | "arrow_function" => {
                    base = self.parameter_type(s, at);
                    break;
                }
                "for_in_statement" => {
                    let is_of = field("operator").is_some_and(|of| s.text_of(of) == "of");
                    let all = field("right").filter(|_| is_of).map(|all| self.value(s, all));
                    base = all.map_or(Ty::Unknown, |all| self.bounded(all).awaited().element());
                    break;
                }
                "assignment_expression" => {
                    base = field("right").map_or(Ty::Unknown, |value| self.value(s, value));
                    break;
                }
                _ => return Ty::Unknown,
            }
            at = parent;
        }
        steps.iter().rev().fold(base, |of, step| match step {
            Step::Member(name) => self.member_type(&of, name),
            Step::Element(place) => match &self.bounded(of) {
                Ty::Tuple(parts) => parts.get(*place).cloned().unwrap_or(Ty::Unknown),
                other => other.element(),
            },
            Step::Rest(place) => match self.bounded(of) {
                Ty::Tuple(parts) => Ty::Tuple(parts.get(*place..).unwrap_or_default().into()),
                other => other,
            },
        })
    }

    /// The type of a function's parameter: as it's written, as what the function is given to calls it with, or as its default.
    pub(super) fn parameter_type(&self, s: &Source, parameter: Node<'_>) -> Ty {
        let field = |name: &str| parameter.child_by_field_name(name);
        if let Some(written) = field("type") {
            return self.written(s, written);
        }
        let list = parameter.parent();
        let function =
            list.map(|list| if list.kind() == "formal_parameters" { list.parent() } else { Some(list) });
        if let (Some(list), Some(Some(function))) = (list, function) {
            let named = match parameter.kind() {
                "assignment_pattern" => field("left"),
                "rest_pattern" => parameter.named_child(0),
                _ => Some(parameter),
            };
            let documented = named.and_then(|name| self.documented_parameter(s, function, s.text_of(name)));
            if let Some(of) = documented {
                return of;
            }
            let mut all = parameters(list).into_iter();
            let place = if list == function { 0 } else { all.position(|one| one == parameter).unwrap_or(0) };
            let rest = is_rest(parameter);
            let given = self.given_to(s, function, place);
            if !matches!(given, Ty::Unknown | Ty::Nothing) {
                return if rest { Ty::array(given) } else { given };
            }
        }
        let default =
            field("value").or_else(|| field("right").filter(|_| parameter.kind() == "assignment_pattern"));
        default.map_or(Ty::Unknown, |value| self.value(s, value))
    }

    /// What a function is called with at a place among its arguments, by what is expected where it is written.
    fn given_to(&self, s: &Source, function: Node<'_>, place: usize) -> Ty {
        let expected = self.expected_function(s, function);
        Ty::one_of(expected.parts().iter().filter_map(|part| match part {
            Ty::Callback(given) => Some(given.get(place).cloned().unwrap_or(Ty::Unknown)),
            Ty::Function(of, bound) => Some(self.filled(&self.nth_parameter(*of, place), bound)),
            Ty::Instance(..) | Ty::Shape(..) => {
                let (of, bound) = self.call_signature(part)?;
                Some(self.filled(&self.nth_parameter(of, place), &bound))
            }
            _ => None,
        }))
    }

    /// The types that a function writes for its parameters; `None` if one of them takes all that are left, however many these are.
    pub(super) fn all_parameters(&self, function: Place, bound: &[(Parameter, Ty)]) -> Option<Rc<[Ty]>> {
        let count = self.with_node(function, None, |_, node| {
            let all = node.child_by_field_name("parameters").map(parameters).unwrap_or_default();
            let is_told = all.len() <= MAX_PARAMETERS && !all.iter().any(|one| is_rest(*one));
            is_told.then_some(all.len())
        })?;
        Some((0..count).map(|at| self.filled(&self.nth_parameter(function, at), bound)).collect())
    }

    /// The type that a function writes for one of its parameters.
    pub(super) fn nth_parameter(&self, function: Place, place: usize) -> Ty {
        self.with_node(function, Ty::Unknown, |s, node| {
            let Some(list) = node.child_by_field_name("parameters") else {
                // `x => …`
                return node
                    .child_by_field_name("parameter")
                    .filter(|_| place == 0)
                    .map_or(Ty::Unknown, |one| self.parameter_type(s, one));
            };
            let all = parameters(list);
            let rest = all.last().filter(|last| is_rest(**last));
            match (all.get(place), rest) {
                (Some(one), _) if !is_rest(*one) => self.limited(|| self.parameter_type(s, *one)),
                (_, Some(rest)) => self.limited(|| self.parameter_type(s, *rest)).element(),
                _ => Ty::Unknown,
            }
        })
    }
}
