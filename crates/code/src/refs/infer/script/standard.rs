//! What the language's own lists, maps, promises and functions give and are given.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::lookup::Source;
use super::members::Found;
use super::names::Name;
use super::ty::Ty;
use super::{Script, children};

/// How far up a type's bases are followed.
const MAX_BASES: u32 = 5;
/// A literal's values are read from no more parts.
const MAX_VALUES: usize = 60;

impl Script<'_> {
    /// What a method of a list, a map or a promise gives, or a function of the language.
    pub(super) fn standard_call(&self, s: &Source, call: Node<'_>, function: Node<'_>) -> Option<Ty> {
        let object = function.child_by_field_name("object")?;
        let name = s.text_of(function.child_by_field_name("property")?);
        let given = call.child_by_field_name("arguments").map(children).unwrap_or_default();
        let first = || given.first().map_or(Ty::Unknown, |one| self.value(s, *one));
        let result = || match first() {
            Ty::Function(place, bound) => self.result_of(place, &bound),
            _ => Ty::Unknown,
        };
        let owner = s.text_of(object);
        if matches!(owner, "Promise" | "Object" | "Array")
            && self.meaning(s, object, owner, false) == Name::Undeclared
        {
            return Some(match (owner, name) {
                ("Promise", "resolve") => Ty::promise(first()),
                ("Promise", "all" | "race" | "any") => {
                    let all = given.first().filter(|one| one.kind() == "array").map(|list| children(*list));
                    match all {
                        Some(parts) if name == "all" => {
                            let parts: Vec<Ty> =
                                parts.iter().map(|one| self.value(s, *one).awaited()).collect();
                            Ty::promise(Ty::Tuple(parts.into()))
                        }
                        _ if name == "all" => Ty::promise(Ty::array(first().element().awaited())),
                        _ => Ty::promise(first().element().awaited()),
                    }
                }
                ("Object", "assign") => Ty::all_of(given.iter().map(|one| self.value(s, *one))),
                ("Object", "freeze" | "seal") => first(),
                ("Object", "values") => Ty::array(self.each_of(&first())),
                ("Object", "entries") => Ty::array(Ty::Tuple([Ty::Foreign, self.each_of(&first())].into())),
                ("Object", "fromEntries") => {
                    let values = given.first().map_or(Ty::Unknown, |pairs| self.pairs(s, *pairs).1);
                    Ty::Record(Rc::new(values))
                }
                ("Object", "keys" | "getOwnPropertyNames") => Ty::array(Ty::Foreign),
                ("Array", "from") => match given.get(1).map(|one| self.value(s, *one)) {
                    None => Ty::array(self.bounded(first()).element()),
                    Some(Ty::Function(place, bound)) => Ty::array(self.result_of(place, &bound)),
                    Some(_) => Ty::Unknown,
                },
                ("Array", "of") => Ty::array(Ty::one_of(given.iter().map(|one| self.value(s, *one)))),
                ("Object", "groupBy") => Ty::Record(Rc::new(Ty::array(first().element()))),
                _ => Ty::Unknown,
            });
        }
        let of = self.standard_with(self.value(s, object), name);
        Some(match (&of, name) {
            (Ty::Array(_) | Ty::Tuple(_), "map") => Ty::array(result()),
            (Ty::Array(_) | Ty::Tuple(_), "flatMap") => Ty::array(match result() {
                list @ (Ty::Array(_) | Ty::Tuple(_)) => list.element(),
                one => one,
            }),
            (Ty::Array(_) | Ty::Tuple(_), "filter") => {
                Ty::array(self.passing(s, given.first(), of.element()))
            }
            (
                Ty::Array(_) | Ty::Tuple(_),
                "slice" | "concat" | "reverse" | "sort" | "splice" | "toSorted" | "toReversed" | "fill"
                | "values",
            ) => Ty::array(of.element()),
            (Ty::Array(_) | Ty::Tuple(_), "find" | "findLast") => {
                self.passing(s, given.first(), of.element())
            }
            (Ty::Array(_) | Ty::Tuple(_), "at" | "pop" | "shift") => of.element(),
            (Ty::Array(_) | Ty::Tuple(_), "reduce" | "reduceRight") => {
                // What it begins with, unless that begins with the first element.
                let written = self.arguments_of(s, call).into_iter().next();
                let begun = || given.get(1).map(|one| self.value(s, *one));
                written.or_else(begun).unwrap_or_else(|| of.element())
            }
            (Ty::Array(_) | Ty::Tuple(_), "entries") => {
                Ty::array(Ty::Tuple([Ty::Foreign, of.element()].into()))
            }
            (Ty::Array(_) | Ty::Tuple(_), "join" | "indexOf" | "includes" | "push" | "some" | "every") => {
                Ty::Foreign
            }
            (Ty::Array(of), "flat") => Ty::array(of.element()),
            (Ty::Map(_, value), "get") => (**value).clone(),
            (Ty::Map(_, value), "values") => Ty::Array(Rc::clone(value)),
            (Ty::Map(key, _), "keys") => Ty::Array(Rc::clone(key)),
            (Ty::Map(..), "entries") => Ty::array(of.element()),
            (Ty::Map(..), "set") => of.clone(),
            (Ty::Promise(_), "then") => Ty::promise(result().awaited()),
            (Ty::Promise(_), "catch" | "finally") => of.clone(),
            (Ty::Function(place, bound), "call" | "apply") => self.result_of(*place, bound),
            (Ty::Function(..), "bind") => of.clone(),
            (Ty::Array(_) | Ty::Tuple(_) | Ty::Map(..) | Ty::Promise(_), _) => Ty::Unknown,
            _ => return None,
        })
    }

    /// The list, map or promise that an instance is of whose class or interface is made from one: `class Carts extends Array<Cart>`.
    pub(super) fn standard_part(&self, of: &Ty) -> Option<Ty> {
        let mut at = of.clone();
        for _ in 0..MAX_BASES {
            let Ty::Instance(places, arguments) = &at else { break };
            let base = places.iter().find_map(|place| {
                self.with_node(*place, None, |s, node| {
                    let bound = self.bind(s, node, arguments);
                    let mut bases = self.bases(s, node).into_iter().map(|base| self.filled(&base, &bound));
                    bases.find(|base| is_standard(base) || matches!(base, Ty::Instance(..)))
                })
            });
            at = base?;
        }
        is_standard(&at).then_some(at)
    }

    /// A value whose method is called: as a list, map or promise unless its class has a method of that name itself.
    pub(super) fn standard_with(&self, of: Ty, method: &str) -> Ty {
        let is_own = matches!(of, Ty::Instance(..)) && matches!(self.members(&of, method), Found::Members(_));
        if is_own { of } else { self.bounded(of) }
    }

    /// What a literal has behind its keys, if all of them are written there.
    fn values_in(&self, s: &Source, literal: Node<'_>) -> Option<Ty> {
        let parts = if literal.kind() == "object" { children(literal) } else { return None };
        if parts.len() > MAX_VALUES {
            return None;
        }
        let values: Option<Vec<Ty>> = parts
            .into_iter()
            .map(|part| match part.kind() {
                "pair" => part.child_by_field_name("value").map(|value| self.value(s, value)),
                "shorthand_property_identifier" => Some(self.value(s, part)),
                _ => None,
            })
            .collect();
        values.map(Ty::one_of)
    }

    /// What is behind each key of an object.
    pub(super) fn each_of(&self, of: &Ty) -> Ty {
        match of {
            Ty::Shape(place, _) => {
                let parts = self.with_node(*place, None, |s, node| self.values_in(s, node));
                parts.unwrap_or_else(|| self.indexed(of))
            }
            Ty::Instance(..) => self.indexed(of),
            other => other.element(),
        }
    }
}

/// Whether a type is one of the language's own that are made of other types.
fn is_standard(of: &Ty) -> bool {
    matches!(of, Ty::Array(_) | Ty::Map(..) | Ty::Promise(_))
}

/// What a method of a list or a map takes at a place among its arguments: one of its elements, a key or a value.
pub(super) fn expected_argument(of: &Ty, method: &str, place: usize) -> Option<Ty> {
    match (of, method, place) {
        (Ty::Array(one), "push" | "unshift", _)
        | (Ty::Array(one), "add" | "fill" | "has" | "delete" | "includes" | "indexOf" | "lastIndexOf", 0)
        | (Ty::Array(one), "with", 1) => Some((**one).clone()),
        (Ty::Array(one), "splice" | "toSpliced", 2..) => Some((**one).clone()),
        (Ty::Array(one), "concat", _) => Some(Ty::one_of([(**one).clone(), of.clone()])),
        (Ty::Map(_, value), "set", 1) => Some((**value).clone()),
        (Ty::Map(key, _), "get" | "set" | "has" | "delete", 0) => Some((**key).clone()),
        _ => None,
    }
}

/// What a method of a list, a map or a promise calls its argument with.
pub(super) fn callback(of: &Ty, method: &str) -> Option<Vec<Ty>> {
    match (of, method) {
        (Ty::Array(_) | Ty::Tuple(_), "reduce" | "reduceRight") => {
            Some(vec![Ty::Unknown, of.element(), Ty::Foreign])
        }
        (Ty::Array(_) | Ty::Tuple(_), "sort" | "toSorted") => Some(vec![of.element(), of.element()]),
        (
            Ty::Array(_) | Ty::Tuple(_),
            "map" | "forEach" | "filter" | "find" | "findIndex" | "findLast" | "findLastIndex" | "some"
            | "every" | "flatMap",
        ) => Some(vec![of.element(), Ty::Foreign, of.clone()]),
        (Ty::Map(key, value), "forEach") => Some(vec![(**value).clone(), (**key).clone()]),
        (Ty::Promise(of), "then") => Some(vec![(**of).clone()]),
        _ => None,
    }
}
