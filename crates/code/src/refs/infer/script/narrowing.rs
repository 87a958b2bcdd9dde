//! What a value surely is at a place, by the conditions that the place is behind: `if (x instanceof Cart)`, `x.kind === 'cart'`,
//! `case 'cart':`, `'lines' in x`, and a way out before it. Which of several objects a literal is, by the values that it lists.

use tree_sitter::Node;

use super::super::super::text_matches::whole_words;
use super::super::lookup::Source;
use super::conditions::Condition;
use super::members::Found;
use super::names::Name;
use super::ty::Ty;
use super::values::{is_value, plain};
use super::{Script, children, only_child};

/// Conditions are read no deeper.
pub(super) const MAX_INNER: u32 = 12;
/// How far up a type's bases are followed.
const MAX_BASES: u32 = 5;

/// What is known about a value at a place.
pub(super) struct Known {
    pub(super) ty: Ty,
    /// A condition may say more that isn't understood.
    pub(super) open: bool,
}

impl Known {
    /// Leaves out what is an object for sure.
    fn leave_out_objects(&mut self) {
        let may_be_none = |part: &&Ty| {
            matches!(part, Ty::Unknown | Ty::Foreign | Ty::Text(_))
                || matches!(part, Ty::Parameter(_) | Ty::Member(..) | Ty::Keyed(..))
                || matches!(part, Ty::Conditional(..) | Ty::Selected(..))
        };
        self.ty = Ty::one_of(self.ty.parts().iter().filter(may_be_none).cloned());
    }

    /// What is known if one of these is so, but not which.
    fn either(sides: Vec<Known>) -> Known {
        let open = sides.iter().any(|side| side.open);
        if sides.iter().any(|side| side.ty == Ty::Unknown) {
            return Known { ty: Ty::Unknown, open };
        }
        Known { ty: Ty::one_of(sides.into_iter().map(|side| side.ty)), open }
    }
}

impl Script<'_> {
    /// The type `ty` of the value at a node, with what the conditions around say.
    pub(super) fn known_here<'t>(&self, s: &'t Source, node: Node<'t>, ty: Ty) -> Known {
        let text = s.text_of(node);
        let conditions = self.conditions(s, node);
        let mut known = self.as_set(s, node, ty);
        if !conditions.is_empty() && matches!(known.ty, Ty::Parameter(_)) {
            // Of `T extends Cart | Line`, a condition may leave one.
            let bounded = self.bounded(known.ty.clone());
            known.ty = if matches!(bounded, Ty::Union(_)) { bounded } else { known.ty };
        }
        // The outermost condition comes first.
        for condition in conditions.into_iter().rev() {
            match condition {
                Condition::Is(condition, truth) => {
                    self.suppose(s, condition, text, truth, &mut known, MAX_INNER);
                }
                Condition::OneOf(asked, values, is_one) => {
                    let of = asked.child_by_field_name("object").filter(|of| s.text_of(*of) == text);
                    let property = asked.child_by_field_name("property").filter(|_| of.is_some());
                    let Some(property) = property else {
                        known.open = true;
                        continue;
                    };
                    let name = s.text_of(property);
                    let values: Vec<&str> = values.iter().map(|value| plain(s.text_of(*value))).collect();
                    retain(&mut known, |part| {
                        if is_one {
                            values.iter().any(|value| self.may_be(part, name, value))
                        } else {
                            !values.iter().any(|value| self.must_be(part, name, value))
                        }
                    });
                }
                Condition::Set => known.open = true,
            }
        }
        known
    }

    /// What a variable of one of several types is as it was set: with `const x: Cart | Line = new Cart()`, a cart.
    fn as_set(&self, s: &Source, node: Node<'_>, ty: Ty) -> Known {
        let known = Known { ty, open: false };
        if !matches!(known.ty, Ty::Union(_)) || node.kind() != "identifier" {
            return known;
        }
        let Name::Declared(places) = self.meaning(s, node, s.text_of(node), false) else { return known };
        let [place] = &*places else { return known };
        if place.file != s.file {
            return known;
        }
        if self.is_set_since(s, node, *place) || self.is_told_by_siblings(s, *place, node) {
            return Known { open: true, ..known };
        }
        let declarator = place.node(s).and_then(|name| name.parent());
        let declarator = declarator.filter(|of| of.kind() == "variable_declarator");
        let value =
            declarator.and_then(|of| of.child_by_field_name("type").and(of.child_by_field_name("value")));
        let Some(value) = value else { return known };
        let set = self.value(s, value);
        let is_part = |part: &&Ty| set.parts().iter().any(|one| one.is_alike(part));
        let left = Ty::one_of(known.ty.parts().iter().filter(is_part).cloned());
        if left != Ty::Nothing {
            return Known { ty: left, open: false };
        }
        // It's set to what is made from one of them, or to a literal.
        let open = !set.parts().iter().any(|part| matches!(part, Ty::Unknown | Ty::Nothing));
        Known { ty: self.discriminated(s, value, known.ty), open }
    }

    /// Leaves of what a value may be what it can be where a condition is true, or false.
    pub(super) fn suppose(
        &self,
        s: &Source,
        condition: Node<'_>,
        text: &str,
        truth: bool,
        known: &mut Known,
        depth: u32,
    ) {
        let field = |name: &str| condition.child_by_field_name(name);
        let is_asked = |node: Option<Node<'_>>| node.is_some_and(|node| s.text_of(node) == text);
        if depth == 0 {
            known.open = true;
            return;
        }
        if is_asked(Some(condition)) {
            if !truth {
                known.leave_out_objects();
            }
            return;
        }
        if condition.kind() == "identifier"
            && let Some(value) = self.aliased(s, condition, text)
        {
            return self.suppose(s, value, text, truth, known, depth - 1);
        }
        if whole_words(s.text_of(condition), text).next().is_none() && !self.has_alias(s, condition, text) {
            return;
        }
        let operator = field("operator").map_or("", |of| s.text_of(of));
        match condition.kind() {
            "parenthesized_expression" | "non_null_expression" => match only_child(condition) {
                Some(inner) => self.suppose(s, inner, text, truth, known, depth - 1),
                None => known.open = true,
            },
            "unary_expression" if operator == "!" => match field("argument") {
                Some(inner) => self.suppose(s, inner, text, !truth, known, depth - 1),
                None => known.open = true,
            },
            "binary_expression" if operator == if truth { "&&" } else { "||" } => {
                for side in [field("left"), field("right")].into_iter().flatten() {
                    self.suppose(s, side, text, truth, known, depth - 1);
                }
            }
            "binary_expression" if matches!(operator, "&&" | "||") => {
                let sides = [field("left"), field("right")].into_iter().flatten();
                let sides = sides.map(|side| {
                    let mut one = Known { ty: known.ty.clone(), open: known.open };
                    self.suppose(s, side, text, truth, &mut one, depth - 1);
                    one
                });
                *known = Known::either(sides.collect());
            }
            "binary_expression" if operator == "instanceof" && is_asked(field("left")) => {
                let class = field("right").map_or(Ty::Unknown, |class| self.value(s, class));
                let of = match class {
                    Ty::Class(place) => self.instance_of(place, &[]),
                    Ty::Foreign => Ty::Foreign,
                    _ => Ty::Unknown,
                };
                let is_of = |part: &Ty| part.is_alike(&of) || self.is_made_from(part, &of, MAX_BASES);
                if !truth {
                    retain(known, |part| !is_of(part));
                } else if known.ty.parts().iter().any(is_of) {
                    retain(known, is_of);
                } else {
                    known.ty = of;
                }
            }
            "binary_expression" if operator == "in" && is_asked(field("right")) => {
                let name = field("left").map_or("", |name| plain(s.text_of(name)));
                let has = |part: &Ty| self.members(part, name);
                retain(known, |part| match has(part) {
                    Found::Members(_) => truth,
                    Found::None => !truth,
                    Found::Unknown => true,
                });
            }
            "binary_expression" if matches!(operator, "===" | "==" | "!==" | "!=") => {
                let equal = operator.starts_with('=') == truth;
                self.suppose_equal(s, [field("left"), field("right")], text, equal, known);
            }
            "member_expression" if is_asked(field("object")) => {
                let name = field("property").map_or("", |name| s.text_of(name));
                retain(known, |part| self.may_count_as(part, name, truth));
            }
            "call_expression" if condition.parent().is_some_and(|of| of.kind() == "expression_statement") => {
                self.suppose_asserted(s, condition, text, known, depth - 1);
            }
            "call_expression" if called_on(s, condition, text, "every") => {
                let given = field("arguments").map(children).unwrap_or_default();
                let element = known.ty.element();
                if truth && matches!(known.ty, Ty::Array(_)) {
                    known.ty = Ty::array(self.passing(s, given.first(), element));
                }
            }
            // What is asked of a part of the value says nothing about itself.
            "member_expression" | "call_expression" if !is_guard(s, condition, text) => {}
            "call_expression" => match self.guarded(s, condition, text) {
                Some(of) if truth => known.ty = of,
                Some(of) => retain(known, |part| *part != of),
                None => known.open = true,
            },
            _ => known.open = true,
        }
    }

    /// `x.kind === 'cart'`, `typeof x === 'string'`
    fn suppose_equal(
        &self,
        s: &Source,
        [left, right]: [Option<Node<'_>>; 2],
        text: &str,
        equal: bool,
        known: &mut Known,
    ) {
        let (Some(mut left), Some(mut right)) = (left, right) else { return };
        // `'cart' === x.kind`
        if is_value(s, left) && left.kind() != "member_expression" {
            (left, right) = (right, left);
        }
        let value = plain(s.text_of(right));
        let of = left.child_by_field_name("object").filter(|of| s.text_of(*of) == text);
        if let (Some(_), Some(property)) = (of, left.child_by_field_name("property")) {
            let name = s.text_of(property);
            if is_value(s, right) {
                retain(known, |part| {
                    if equal { self.may_be(part, name, value) } else { !self.must_be(part, name, value) }
                });
            } else {
                known.open = true;
            }
            return;
        }
        if left.kind() == "unary_expression" {
            let asked = left.child_by_field_name("argument").is_some_and(|of| s.text_of(of) == text);
            let basic = matches!(value, "string" | "number" | "boolean" | "bigint" | "symbol" | "undefined");
            if asked && basic && equal {
                known.ty = Ty::Foreign;
            }
            return;
        }
        if s.text_of(left) != text {
            return;
        }
        if !is_value(s, right) {
            // What is equal to another value is what that is.
            known.open |= equal;
            return;
        }
        match value {
            "null" | "undefined" if equal => known.leave_out_objects(),
            "null" | "undefined" => {}
            _ => known.open = true,
        }
    }

    /// Whether a type is a class or an interface that is made from another one.
    pub(super) fn is_made_from(&self, part: &Ty, of: &Ty, depth: u32) -> bool {
        let Ty::Instance(places, _) = part else { return false };
        depth > 0
            && places.iter().any(|place| {
                let bases = self.with_node(*place, Vec::new(), |s, node| self.bases(s, node));
                bases.iter().any(|base| {
                    *base != Ty::Unknown && base.is_alike(of) || self.is_made_from(base, of, depth - 1)
                })
            })
    }

    /// Those of the types that an object's literal may be of, by the values that it lists.
    pub(super) fn discriminated(&self, s: &Source, literal: Node<'_>, of: Ty) -> Ty {
        if !matches!(of, Ty::Union(_)) || literal.kind() != "object" {
            return of;
        }
        let mut known = Known { ty: of, open: false };
        for pair in children(literal).into_iter().filter(|one| one.kind() == "pair") {
            let (Some(key), Some(value)) =
                (pair.child_by_field_name("key"), pair.child_by_field_name("value"))
            else {
                continue;
            };
            if is_value(s, value) && key.kind() != "computed_property_name" {
                let (name, value) = (plain(s.text_of(key)), plain(s.text_of(value)));
                retain(&mut known, |part| self.may_be(part, name, value));
            }
        }
        known.ty
    }
}

/// Keeps those of a value's types that fit, if any does.
fn retain(known: &mut Known, fits: impl Fn(&Ty) -> bool) {
    let kept: Vec<Ty> = known.ty.parts().iter().filter(|part| fits(part)).cloned().collect();
    if !kept.is_empty() {
        known.ty = Ty::one_of(kept);
    }
}

/// Whether a call calls a method of the value itself.
fn called_on(s: &Source, call: Node<'_>, text: &str, method: &str) -> bool {
    let function = call.child_by_field_name("function");
    let is_text = |field: &str, text: &str| {
        let part = function.and_then(|of| of.child_by_field_name(field));
        part.is_some_and(|part| s.text_of(part) == text)
    };
    is_text("object", text) && is_text("property", method)
}

/// Whether a call is given the value itself.
fn is_guard(s: &Source, call: Node<'_>, text: &str) -> bool {
    let given = call.child_by_field_name("arguments").map(children).unwrap_or_default();
    given.iter().any(|one| s.text_of(*one) == text)
}
