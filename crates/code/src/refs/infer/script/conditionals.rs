//! Conditional types: `T extends Cart ? A : B` for each of the types that `T` is bound to, `infer`, and what `Extract` and `Exclude` select.
//! While something isn't bound that they ask about, they're kept as they're written.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::lookup::Source;
use super::members::Found;
use super::ty::{Bound, Parameter, Place, Ty, joined};
use super::{Script, children};

/// How far up a type's bases are followed.
const MAX_BASES: u32 = 5;
/// A condition isn't read for `infer` that has more parts.
const MAX_PARTS: usize = 200;

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
            let Ty::Parameter(parameter) = asked else { return self.branch(s, node, &checked, bound) };
            let each: Vec<Ty> = checked
                .parts()
                .iter()
                .map(|one| self.branch(s, node, one, &joined(vec![(parameter, one.clone())], bound)))
                .collect();
            // What isn't known may be any of them.
            if each.contains(&Ty::Unknown) { Ty::Unknown } else { Ty::one_of(each) }
        };
        self.limited(|| self.with_node(place, Ty::Unknown, decide))
    }

    /// What a conditional type comes to by what bounds the parameter that it asks about.
    pub(super) fn settled(&self, place: Place, bound: &Bound) -> Ty {
        let settle = |s: &Source, node: Node<'_>| {
            let Some(left) = node.child_by_field_name("left") else { return Ty::Unknown };
            let checked = self.bounded(self.filled(&self.written(s, left), bound));
            self.branch(s, node, &checked, bound)
        };
        self.limited(|| self.with_node(place, Ty::Unknown, settle))
    }

    /// The side that a conditional type comes to for one type: where that isn't told, the only one that may have members.
    fn branch(&self, s: &Source, node: Node<'_>, checked: &Ty, bound: &Bound) -> Ty {
        let field = |name: &str| node.child_by_field_name(name);
        let (Some(right), Some(then), Some(otherwise)) =
            (field("right"), field("consequence"), field("alternative"))
        else {
            return Ty::Unknown;
        };
        let inferred = inferred_in(s, right);
        // An alias that names itself infers another time.
        let bound: Vec<(Parameter, Ty)> =
            bound.iter().filter(|(known, _)| !inferred.contains(known)).cloned().collect();
        let to = self.filled(&self.written(s, right), &bound);
        let found = if inferred.is_empty() { Vec::new() } else { self.inferred(&to, checked, &inferred) };
        let is_so = if !inferred.is_empty() && found.len() == inferred.len() {
            Some(true)
        } else {
            self.is_assignable(s, checked, right, &to)
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
        let is_list = |of: &Ty| matches!(of, Ty::Array(_) | Ty::Tuple(_) | Ty::Map(..) | Ty::Promise(_));
        let is_object = is_list(of) || matches!(of, Ty::Instance(..) | Ty::Shape(..) | Ty::Class(_));
        let is_function = matches!(of, Ty::Function(..));
        match s.text_of(right) {
            "any" | "unknown" => return Some(true),
            "object" => return (is_object || is_function).then_some(true),
            "Function" if matches!(of, Ty::Instance(..) | Ty::Shape(..)) => {
                return self.signatures(of, "call_signature").is_empty().then_some(false);
            }
            _ => {}
        }
        if is_basic(right) {
            return (is_object || is_function).then_some(false);
        }
        if matches!(to, Ty::Instance(..) | Ty::Shape(..)) && to.is_alike(of) {
            return Some(true);
        }
        match to {
            Ty::Instance(..) if self.is_made_from(of, to, MAX_BASES) => Some(true),
            Ty::Shape(..) => {
                let (name, values) = self.listed(to)?;
                if !values.iter().any(|value| self.may_be(of, &name, value)) {
                    return Some(false);
                }
                values.iter().any(|value| self.must_be(of, &name, value)).then_some(true)
            }
            Ty::Array(_) | Ty::Tuple(_) => {
                (is_object && !matches!(of, Ty::Array(_) | Ty::Tuple(_))).then_some(false)
            }
            Ty::Map(..) => (is_object && !matches!(of, Ty::Map(..))).then_some(false),
            Ty::Promise(_) => (is_object && !matches!(of, Ty::Promise(_))).then_some(false),
            Ty::Function(..) if is_list(of) => Some(false),
            Ty::Function(..) if matches!(of, Ty::Instance(..) | Ty::Shape(..)) => {
                self.signatures(of, "call_signature").is_empty().then_some(false)
            }
            _ => None,
        }
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

/// Whether a type that is written is one without members of the project: a text, a number, or values of these.
fn is_basic(written: Node<'_>) -> bool {
    match written.kind() {
        "predefined_type" | "literal_type" | "template_literal_type" => true,
        "union_type" | "parenthesized_type" => children(written).into_iter().all(is_basic),
        _ => false,
    }
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
