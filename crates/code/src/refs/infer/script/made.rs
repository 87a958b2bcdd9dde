//! What can be called and what makes something: the signatures that types list, and the values of `new`.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::lookup::Source;
use super::names::Name;
use super::ty::{Bound, Parameter, Place, Ty};
use super::{Script, children, given_back, only_child};

/// The pairs of a map are read from no more of a list's elements.
const MAX_PAIRS: usize = 8;

impl Script<'_> {
    /// The only signature by which a value of a type is called.
    pub(super) fn call_signature(&self, of: &Ty) -> Option<(Place, Bound)> {
        let mut all = self.signatures(of, "call_signature");
        all.pop().filter(|_| all.is_empty())
    }

    /// The signatures that a type lists: by which its values are called, or by which they make others.
    pub(super) fn signatures(&self, of: &Ty, kind: &str) -> Vec<(Place, Bound)> {
        let in_body = |place: Place, bound: &Bound| {
            self.with_node(place, Vec::new(), |s, node| {
                let body = node.child_by_field_name("body").unwrap_or(node);
                let read = self.body(s, body);
                let all = read.open.iter().filter(|one| one.node(s).is_some_and(|of| of.kind() == kind));
                all.map(|one| (*one, Rc::clone(bound))).collect()
            })
        };
        match of {
            Ty::Shape(place, bound) => in_body(*place, bound),
            Ty::Instance(places, arguments) => {
                let of_place = |place: &Place| {
                    let bound =
                        self.with_node(*place, Bound::default(), |s, node| self.bind(s, node, arguments));
                    in_body(*place, &bound)
                };
                places.iter().flat_map(of_place).collect()
            }
            _ => Vec::new(),
        }
    }

    /// `new Cart()`
    pub(super) fn new_value(&self, s: &Source, node: Node<'_>) -> Ty {
        let Some(class) = node.child_by_field_name("constructor") else { return Ty::Unknown };
        let arguments = self.arguments_of(s, node);
        let name = s.text_of(class);
        if self.is_standard(s, class) {
            let expected = if arguments.is_empty() { self.expected(s, node) } else { Ty::Unknown };
            return match expected {
                // A call of what isn't known expects nothing.
                Ty::Unknown | Ty::Nothing if arguments.is_empty() => self.filled_with(s, node, name),
                Ty::Unknown | Ty::Nothing => self.type_called(s, class, name, &arguments),
                expected => expected,
            };
        }
        if class.kind() == "identifier" && self.meaning(s, class, name, false) == Name::Undeclared {
            return self.type_called(s, class, name, &[]);
        }
        let called = self.value(s, class);
        if called == Ty::Foreign {
            return Ty::Foreign;
        }
        let is_class = |place: &Place| {
            let kind = |_: &Source, node: Node<'_>| node.kind().contains("class");
            self.with_node(*place, false, kind)
        };
        // A namespace of its name may add to a class.
        let classes: Option<Vec<Place>> = called
            .parts()
            .iter()
            .map(|part| match part {
                Ty::Class(place) => Some(*place),
                _ => None,
            })
            .collect();
        if let Some(classes) = classes {
            return Ty::one_of(classes.into_iter().filter(is_class).map(|place| {
                let given =
                    if arguments.is_empty() { self.made_with(s, node, place) } else { arguments.clone() };
                self.instance_of(place, &given)
            }));
        }
        let given = node.child_by_field_name("arguments").map(children).unwrap_or_default();
        let heads = self.signatures(&called, "construct_signature");
        self.by_overloads(heads, &given, |place, bound| self.result_of(place, bound))
    }

    /// A set or a map of what it's given: `new Set(carts)`, `new Map(carts.map((one) => [one.id, one]))`.
    fn filled_with(&self, s: &Source, call: Node<'_>, name: &str) -> Ty {
        let given = call.child_by_field_name("arguments").map(children).unwrap_or_default();
        let first = given.first().filter(|_| given.len() == 1);
        match name {
            "Set" | "WeakSet" => Ty::array(first.map_or(Ty::Unknown, |of| self.value(s, *of).element())),
            "Map" | "WeakMap" => {
                let (key, value) = first.map_or((Ty::Unknown, Ty::Unknown), |of| self.pairs(s, *of));
                Ty::Map(Rc::new(key), Rc::new(value))
            }
            "Promise" => Ty::promise(Ty::Unknown),
            _ => Ty::array(Ty::Unknown),
        }
    }

    /// The keys and the values that a list of pairs has.
    pub(super) fn pairs(&self, s: &Source, list: Node<'_>) -> (Ty, Ty) {
        let mapped = list.child_by_field_name("arguments").filter(|_| {
            let function = list.child_by_field_name("function");
            let name = function.and_then(|of| of.child_by_field_name("property"));
            name.is_some_and(|name| s.text_of(name) == "map")
        });
        let literals: Vec<Node<'_>> = match mapped {
            Some(arguments) => only_child(arguments).and_then(given_back).into_iter().collect(),
            None if list.kind() == "array" => children(list),
            None => Vec::new(),
        };
        let pairs: Option<Vec<(Ty, Ty)>> = literals
            .into_iter()
            .take(MAX_PAIRS)
            .map(|one| match children(one).as_slice() {
                [key, value] if one.kind() == "array" => Some((self.value(s, *key), self.value(s, *value))),
                _ => None,
            })
            .collect();
        if let Some(pairs) = pairs.filter(|pairs| !pairs.is_empty()) {
            let (keys, values): (Vec<Ty>, Vec<Ty>) = pairs.into_iter().unzip();
            return (Ty::one_of(keys), Ty::one_of(values));
        }
        if let Ty::Tuple(parts) = self.value(s, list).element()
            && let [key, value] = &*parts
        {
            return (key.clone(), value.clone());
        }
        (Ty::Unknown, Ty::Unknown)
    }

    /// Whether a class that is named is one of the language's own that are made of other types.
    pub(super) fn is_standard(&self, s: &Source, class: Node<'_>) -> bool {
        let name = s.text_of(class);
        class.kind() == "identifier"
            && matches!(name, "Map" | "WeakMap" | "Set" | "WeakSet" | "Array" | "Promise")
            && self.meaning(s, class, name, false) == Name::Undeclared
    }

    /// What a class's parameters are bound to by what its constructor is given.
    fn made_with(&self, s: &Source, call: Node<'_>, class: Place) -> Vec<Ty> {
        let parameters = self.with_node(class, None, |s, node| {
            let list = children(node.child_by_field_name("type_parameters")?);
            let body = node.child_by_field_name("body")?;
            let constructor = self.own(s, body, "constructor", false).first().copied()?;
            let all = list.iter().map(|one| Parameter::Declared(s.file, one.start_byte()));
            Some((constructor, all.collect::<Vec<Parameter>>()))
        });
        let Some((constructor, parameters)) = parameters else { return Vec::new() };
        let mut bound = Vec::new();
        self.match_arguments(s, call, constructor, &mut bound, true);
        let of = |parameter: &Parameter| {
            let found = bound.iter().find(|(known, _)| known == parameter);
            found.map_or_else(|| self.constraint(*parameter), |(_, ty)| ty.clone())
        };
        parameters.iter().map(of).collect()
    }
}
