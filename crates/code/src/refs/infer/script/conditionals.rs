//! Conditional types: `T extends Cart ? A : B` for each of the types that `T` is bound to, `infer`, and what `Extract` and `Exclude` select.
//! While something isn't bound that they ask about, they're kept as they're written.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::lookup::Source;
use super::members::{Found, Member};
use super::ty::{Bound, Parameter, Place, Ty, joined};
use super::{Script, children, has_word, is_rest, only_child, parameters};

/// How far up a type's bases are followed.
const MAX_BASES: u32 = 5;
/// A condition isn't read for `infer` that has more parts.
const MAX_PARTS: usize = 200;
/// What a condition infers is looked for no deeper.
const MAX_INNER: u32 = 8;

impl Script<'_> {
    /// What a conditional type comes to, for each of the types that it asks about; itself while that isn't bound.
    pub(super) fn decided(&self, place: Place, bound: &Bound) -> Ty {
        let decide = |s: &Source, node: Node<'_>| {
            let Some(left) = node.child_by_field_name("left") else { return Ty::Unknown };
            let asked = self.written(s, left);
            let checked = self.filled(&asked, bound);
            if is_open(&checked) {
                return Ty::Conditional(place, Rc::clone(bound));
            }
            let Ty::Parameter(parameter) = asked else {
                return self.branch(s, node, &checked, bound, true);
            };
            let each: Vec<Ty> = checked
                .parts()
                .iter()
                .map(|one| self.branch(s, node, one, &joined(vec![(parameter, one.clone())], bound), true))
                .collect();
            // What isn't known may be any of them.
            if each.contains(&Ty::Unknown) { Ty::Unknown } else { Ty::one_of(each) }
        };
        self.limited(|| self.with_node(place, Ty::Unknown, decide))
    }

    /// What a conditional type comes to by what bounds the parameter that it asks about.
    pub(super) fn settle(&self, place: Place, bound: &Bound) -> Ty {
        let settle = |s: &Source, node: Node<'_>| {
            let Some(left) = node.child_by_field_name("left") else { return Ty::Unknown };
            let checked = self.bounded(self.filled(&self.written(s, left), bound));
            self.branch(s, node, &checked, bound, false)
        };
        self.limited(|| self.with_node(place, Ty::Unknown, settle))
    }

    /// The side that a conditional type comes to for one type: where that isn't told, the only one that may have members. What isn't
    /// `whole` may have more than what is known about it.
    fn branch(&self, s: &Source, node: Node<'_>, checked: &Ty, bound: &Bound, whole: bool) -> Ty {
        let field = |name: &str| node.child_by_field_name(name);
        let (Some(right), Some(then), Some(otherwise)) =
            (field("right"), field("consequence"), field("alternative"))
        else {
            return Ty::Unknown;
        };
        let inferred = inferred_in(s, right);
        if !inferred.is_empty() && has_rest_in_front(right) {
            return Ty::Unknown;
        }
        // An alias that names itself infers another time.
        let bound: Vec<(Parameter, Ty)> =
            bound.iter().filter(|(known, _)| !inferred.contains(known)).cloned().collect();
        let to = self.filled(&self.written(s, right), &bound);
        // `class Carts extends Array<Cart>` is asked as the list that it is.
        let list = self.standard_part(checked).filter(|_| is_list(&to));
        let given = list.as_ref().unwrap_or(checked);
        let found = if inferred.is_empty() { Vec::new() } else { self.inferred(&to, given, &inferred) };
        let is_all = !inferred.is_empty() && found.len() == inferred.len();
        let is_so = match self.is_assignable(s, given, right, &to) {
            None if is_all && self.asks_no_more(s, given, right, &to) => Some(true),
            told => told.filter(|is_so| *is_so || whole),
        };
        let bound = joined(found, &bound);
        let filled = |side: Node<'_>| self.filled(&self.written(s, side), &bound);
        match is_so {
            Some(true) => filled(then),
            Some(false) => filled(otherwise),
            None => {
                let mut sides = [filled(then), filled(otherwise)]
                    .into_iter()
                    .filter(|side| !matches!(side, Ty::Foreign | Ty::Text(_) | Ty::Nothing));
                match (sides.next(), sides.next()) {
                    (None, _) => Ty::Nothing,
                    // `T extends Cart ? T : never` leaves out some of them.
                    (Some(one), None) if one == *checked && !is_open(&one) => Ty::Unknown,
                    (Some(one), None) => one,
                    (Some(one), Some(other)) if one.is_alike(&other) => one,
                    _ => Ty::Unknown,
                }
            }
        }
    }

    /// Whether a type is of what is written behind `extends`; `None` if that isn't told.
    fn is_assignable(&self, s: &Source, of: &Ty, right: Node<'_>, to: &Ty) -> Option<bool> {
        let is_object = is_list(of) || matches!(of, Ty::Instance(..) | Ty::Shape(..) | Ty::Class(_));
        let is_function = matches!(of, Ty::Function(..));
        match s.text_of(right) {
            "any" | "unknown" => return Some(true),
            "object" => return (is_object || is_function).then_some(true),
            "Function" => return self.is_plain(of, MAX_BASES).then_some(false),
            _ => {}
        }
        if is_basic(s, right) {
            return (is_object || is_function).then_some(false);
        }
        // A box of lines isn't a box of carts.
        let is_of_any = match to {
            Ty::Instance(_, arguments) => arguments.is_empty() || takes_any(s, right, MAX_INNER),
            _ => true,
        };
        if matches!(to, Ty::Instance(..) | Ty::Shape(..)) && (to == of || is_of_any && to.is_alike(of)) {
            return Some(true);
        }
        match to {
            Ty::Instance(..) if is_of_any && self.is_made_from(of, to, MAX_BASES) => Some(true),
            Ty::Shape(..) => {
                let (name, values) = self.listed(to)?;
                if !values.iter().any(|value| self.may_be(of, &name, value)) {
                    return Some(false);
                }
                values.iter().any(|value| self.must_be(of, &name, value)).then_some(true)
            }
            Ty::Array(_) | Ty::Tuple(_) | Ty::Map(..) | Ty::Promise(_) => {
                let is_other = match (of, to) {
                    (Ty::Array(_) | Ty::Tuple(_), Ty::Array(_) | Ty::Tuple(_))
                    | (Ty::Map(..), Ty::Map(..))
                    | (Ty::Promise(_), Ty::Promise(_)) => false,
                    _ => is_list(of) || self.is_plain(of, MAX_BASES),
                };
                // A map is an `Iterable`, too, and anything may be `PromiseLike`.
                (is_other && is_named_list(s, right)).then_some(false)
            }
            Ty::Function(..) => (is_list(of) || self.is_plain(of, MAX_BASES)).then_some(false),
            _ => None,
        }
    }

    /// Whether a type is an object that can't be called and is made from nothing else that isn't known.
    fn is_plain(&self, of: &Ty, depth: u32) -> bool {
        let is_called = || !self.signatures(of, "call_signature").is_empty();
        match of {
            Ty::Shape(..) => !is_called(),
            Ty::Instance(places, _) => {
                let is_base_plain = |place: &Place| {
                    let bases = self.with_node(*place, vec![Ty::Unknown], |s, node| self.bases(s, node));
                    bases.iter().all(|base| self.is_plain(base, depth - 1))
                };
                depth > 0 && !is_called() && places.iter().all(is_base_plain)
            }
            _ => false,
        }
    }

    /// Whether what a condition infers is all that it asks of a type, but for members whose values are told: not of
    /// `{ kind: string; held: infer U }`.
    fn asks_no_more(&self, s: &Source, of: &Ty, right: Node<'_>, to: &Ty) -> bool {
        if right.kind() != "object_type" {
            return infers_only(s, right, Some(of), MAX_INNER);
        }
        children(right).into_iter().all(|one| {
            let (Some(name), Some(written)) =
                (one.child_by_field_name("name"), one.child_by_field_name("type").and_then(only_child))
            else {
                return false;
            };
            let name = s.text_of(name);
            let listed = || match self.members(to, name) {
                Found::Members(members) => members.first().and_then(|member| self.literals(member)),
                _ => None,
            };
            let must_be_one = |values: Vec<String>| values.iter().any(|value| self.must_be(of, name, value));
            // What may be left out there isn't what can't be here.
            let is_there = |member: &Member| {
                self.with_node(member.place, false, |_, node| !has_word(node, "?")) || has_word(one, "?")
            };
            let are_there = || match self.members(of, name) {
                Found::Members(members) => members.iter().all(is_there),
                _ => false,
            };
            one.kind() == "property_signature"
                && (infers_only(s, written, None, MAX_INNER) && are_there()
                    || listed().is_some_and(must_be_one))
        })
    }

    /// The values that an object type lists for its only member: `{ kind: 'cart' }`.
    fn listed(&self, of: &Ty) -> Option<(String, Vec<String>)> {
        let Ty::Shape(place, _) = of else { return None };
        let names = self.with_node(*place, Vec::new(), |s, node| {
            let names = children(node).into_iter().map(|one| one.child_by_field_name("name"));
            names.map(|name| name.map(|name| s.text_of(name).to_owned())).collect::<Vec<Option<String>>>()
        });
        let [Some(name)] = names.as_slice() else { return None };
        let Found::Members(members) = self.members(of, name) else { return None };
        // `{ kind: K }`, where `K` is bound to a text.
        let bound = || match self.member_type(of, name) {
            Ty::Text(value) => Some(vec![value.to_string()]),
            _ => None,
        };
        let values = members.first().and_then(|member| self.literals(member)).or_else(bound)?;
        Some((name.clone(), values))
    }

    /// Those of several types that are another one, or have the values that its members list; or else all but those.
    pub(super) fn selected(&self, all: &Ty, by: &Ty, only: bool) -> Ty {
        let later = || Ty::Selected(Rc::new(all.clone()), Rc::new(by.clone()), only);
        let keep = |fits: &dyn Fn(&Ty) -> bool| {
            Ty::one_of(all.parts().iter().filter(|part| fits(part) == only).cloned())
        };
        let Ty::Union(parts) = all else {
            // What isn't bound yet may be several types.
            let is_all = matches!(by, Ty::Foreign | Ty::Nothing);
            return if is_open(all) && !is_all { later() } else { all.clone() };
        };
        if parts.iter().any(|part| by.parts().contains(part)) || matches!(by, Ty::Foreign | Ty::Nothing) {
            return keep(&|part: &Ty| by.parts().contains(part));
        }
        // A parameter in it may be bound later: `Extract<Event, { kind: K }>`.
        let Some((name, values)) = self.listed(by) else { return later() };
        // What may be one of the values and another one isn't told.
        let fits = |part: &Ty| values.iter().any(|value| self.may_be(part, &name, value));
        let is_told = |part: &Ty| values.iter().any(|value| self.must_be(part, &name, value));
        if parts.iter().any(|part| fits(part) && !is_told(part)) {
            return Ty::Unknown;
        }
        keep(&fits)
    }
}

/// Whether a type isn't known until a parameter is bound.
fn is_open(of: &Ty) -> bool {
    matches!(of, Ty::Parameter(_) | Ty::Member(..) | Ty::Keyed(..) | Ty::Conditional(..) | Ty::Selected(..))
}

fn is_list(of: &Ty) -> bool {
    matches!(of, Ty::Array(_) | Ty::Tuple(_) | Ty::Map(..) | Ty::Promise(_))
}

/// Whether a type that is written is one without members of the project: a text, a number, or thousands of these, each in the one around.
fn is_basic(s: &Source, written: Node<'_>) -> bool {
    let mut open = vec![written];
    while let Some(one) = open.pop() {
        match one.kind() {
            "predefined_type" if !is_any(s, one) && s.text_of(one) != "object" => {}
            "literal_type" | "template_literal_type" => {}
            "union_type" | "parenthesized_type" => open.extend(children(one)),
            _ => return false,
        }
    }
    true
}

fn is_any(s: &Source, written: Node<'_>) -> bool {
    matches!(s.text_of(written), "any" | "unknown")
}

/// Whether a list, a map or a promise is written itself, and not one of the interfaces that others fulfil as well, as `Iterable`.
fn is_named_list(s: &Source, written: Node<'_>) -> bool {
    let name = s.text_of(written).split('<').next().unwrap_or_default().trim_end();
    let is_class =
        matches!(name, "Array" | "ReadonlyArray" | "Set" | "ReadonlySet" | "Map" | "ReadonlyMap" | "Promise");
    is_class || matches!(written.kind(), "array_type" | "tuple_type" | "readonly_type")
}

/// The arguments of a type that is written: of `Box<Cart>`, `Cart`.
fn arguments_in(written: Node<'_>) -> Vec<Node<'_>> {
    written.child_by_field_name("type_arguments").map(children).unwrap_or_default()
}

/// Whether a written type leaves all of its arguments open: `Box<any>`, `Box<infer U>`.
fn takes_any(s: &Source, written: Node<'_>, depth: u32) -> bool {
    let arguments = arguments_in(written);
    !arguments.is_empty()
        && arguments.into_iter().all(|one| is_any(s, one) || infers_only(s, one, None, depth))
}

/// Whether a written type fits all that what it infers is found in: `(infer U)[]`, not `Map<string, infer U>`. How many parts a tuple has
/// is told by `of`.
fn infers_only(s: &Source, written: Node<'_>, of: Option<&Ty>, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    let fits_all = |one: Node<'_>| is_any(s, one) || infers_only(s, one, None, depth - 1);
    match written.kind() {
        // `infer U extends Cart`
        "infer_type" => children(written).len() == 1,
        "parenthesized_type" | "readonly_type" => {
            only_child(written).is_some_and(|one| infers_only(s, one, of, depth - 1))
        }
        "array_type" => only_child(written).is_some_and(fits_all),
        "generic_type" => takes_any(s, written, depth - 1),
        "tuple_type" => {
            let parts = children(written);
            let is_of_rest = parts.last().is_some_and(|last| last.kind() == "rest_type");
            let is_as_long = matches!(of, Some(Ty::Tuple(given)) if given.len() == parts.len());
            !is_of_rest && is_as_long && parts.into_iter().all(fits_all)
        }
        "function_type" => {
            let given = written.child_by_field_name("parameters").map(parameters).unwrap_or_default();
            let is_any_rest = |one: Node<'_>| {
                let of = one.child_by_field_name("type").and_then(only_child);
                is_rest(one) && of.is_some_and(|of| matches!(s.text_of(of), "any" | "any[]" | "never[]"))
            };
            let result = written.child_by_field_name("return_type");
            given.into_iter().all(is_any_rest) && result.is_some_and(fits_all)
        }
        _ => false,
    }
}

/// Whether a tuple has parts behind what takes all that are left: where these are isn't followed.
fn has_rest_in_front(condition: Node<'_>) -> bool {
    let (mut open, mut read) = (vec![condition], 0);
    while let Some(node) = open.pop().filter(|_| read < MAX_PARTS) {
        read += 1;
        let parts = children(node);
        let before = parts.split_last().map_or(&[][..], |(_, before)| before);
        if node.kind() == "tuple_type" && before.iter().any(|one| one.kind() == "rest_type") {
            return true;
        }
        open.extend(parts);
    }
    false
}

/// The parameters that a condition infers: `Promise<infer U>`.
fn inferred_in(s: &Source, condition: Node<'_>) -> Vec<Parameter> {
    let (mut open, mut found) = (vec![condition], Vec::new());
    for _ in 0..MAX_PARTS {
        let Some(node) = open.pop() else { break };
        if node.kind() == "infer_type" {
            found.push(Parameter::Declared(s.file, node.start_byte()));
        }
        open.extend(children(node));
    }
    found
}
