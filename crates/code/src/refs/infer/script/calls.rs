//! What calls give, and what they expect of their arguments: by functions' heads or by what they return, and by constructors.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::lookup::Source;
use super::names::Name;
use super::standard::callback;
use super::ty::{Bound, Parameter, Place, Ty, joined};
use super::{Script, children, has_word, only_child};

/// No more of what a function returns is read.
const MAX_RETURNS: usize = 8;
/// Statements are looked through for those, this many.
const MAX_NODES: usize = 4_000;

impl Script<'_> {
    /// The type of a call.
    pub(super) fn call(&self, s: &Source, node: Node<'_>) -> Ty {
        let Some(function) = node.child_by_field_name("function") else { return Ty::Unknown };
        match s.text_of(function) {
            "require" | "import" => {
                let line = u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX);
                let of =
                    self.facts.imported(s, line).first().map_or(Ty::Unknown, |file| self.module_value(*file));
                return if s.text_of(function) == "import" { Ty::promise(of) } else { of };
            }
            _ => {}
        }
        if let Some(of) = self.standard_call(s, node, function) {
            return of;
        }
        let this = match function.child_by_field_name("object") {
            Some(object) => self.value(s, object),
            None => Ty::Unknown,
        };
        let called = self.value(s, function);
        let given = node.child_by_field_name("arguments").map_or(0, |list| children(list).len());
        let heads: Vec<(Place, Bound)> =
            called.parts().iter().filter_map(|part| self.function_in(part)).collect();
        let fitting = heads.iter().find(|(place, _)| heads.len() == 1 || self.takes(*place, given));
        let Some((place, bound)) = fitting else { return Ty::Unknown };
        let own = self.bindings(s, node, *place, bound, true);
        let mut all = own;
        all.push((Parameter::This, this));
        self.result_of(*place, &joined(all, bound))
    }

    /// The function that a value is: one itself, or an object that can be called.
    fn function_in(&self, of: &Ty) -> Option<(Place, Bound)> {
        match of {
            Ty::Function(place, bound) => Some((*place, Rc::clone(bound))),
            Ty::Instance(..) | Ty::Shape(..) => self.call_signature(of),
            Ty::Intersection(parts) => parts.iter().find_map(|part| self.function_in(part)),
            _ => None,
        }
    }

    /// Whether a function takes as many arguments.
    fn takes(&self, function: Place, given: usize) -> bool {
        self.with_node(function, true, |_, node| {
            let Some(list) = node.child_by_field_name("parameters") else { return given == 1 };
            let all = children(list);
            let is_rest = |one: &Node<'_>| {
                one.child_by_field_name("pattern").is_some_and(|pattern| pattern.kind() == "rest_pattern")
            };
            let needed = all.iter().filter(|one| {
                one.kind() == "required_parameter"
                    && one.child_by_field_name("value").is_none()
                    && !is_rest(one)
            });
            needed.count() <= given && (given <= all.len() || all.iter().any(is_rest))
        })
    }

    /// The signature by which a value of a type is called.
    pub(super) fn call_signature(&self, of: &Ty) -> Option<(Place, Bound)> {
        self.signature(of, "call_signature")
    }

    fn signature(&self, of: &Ty, kind: &str) -> Option<(Place, Bound)> {
        let in_body = |place: Place, bound: &Bound| {
            self.with_node(place, None, |s, node| {
                let body = node.child_by_field_name("body").unwrap_or(node);
                let found = children(body).into_iter().find(|one| one.kind() == kind)?;
                Some((Place::of(s, found), Rc::clone(bound)))
            })
        };
        match of {
            Ty::Shape(place, bound) => in_body(*place, bound),
            Ty::Instance(places, arguments) => places.iter().find_map(|place| {
                let bound = self.with_node(*place, Bound::default(), |s, node| self.bind(s, node, arguments));
                in_body(*place, &bound)
            }),
            _ => None,
        }
    }

    /// `new Cart()`
    pub(super) fn new_value(&self, s: &Source, node: Node<'_>) -> Ty {
        let Some(class) = node.child_by_field_name("constructor") else { return Ty::Unknown };
        let arguments = self.arguments_of(s, node);
        let name = s.text_of(class);
        if class.kind() == "identifier" && self.meaning(s, class, name, false) == Name::Undeclared {
            return match name {
                "Map" | "WeakMap" | "Set" | "WeakSet" | "Array" | "Promise" => {
                    let expected = if arguments.is_empty() { self.expected(s, node) } else { Ty::Unknown };
                    if expected == Ty::Unknown {
                        self.type_called(s, class, name, &arguments)
                    } else {
                        expected
                    }
                }
                _ => self.type_called(s, class, name, &[]),
            };
        }
        match self.value(s, class) {
            Ty::Class(place) => {
                let arguments = if arguments.is_empty() { self.made_with(s, node, place) } else { arguments };
                self.instance_of(place, &arguments)
            }
            Ty::Foreign => Ty::Foreign,
            other => match self.signature(&other, "construct_signature") {
                Some((place, bound)) => self.result_of(place, &bound),
                None => Ty::Unknown,
            },
        }
    }

    /// What a class's parameters are bound to by what its constructor is given.
    fn made_with(&self, s: &Source, call: Node<'_>, class: Place) -> Vec<Ty> {
        let parameters = self.with_node(class, None, |s, node| {
            let list = children(node.child_by_field_name("type_parameters")?);
            let body = children(node.child_by_field_name("body")?);
            let is_constructor = |one: &&Node<'_>| {
                one.child_by_field_name("name").is_some_and(|name| s.text_of(name) == "constructor")
            };
            let constructor = body.iter().find(is_constructor).map(|one| Place::of(s, *one))?;
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

    /// The type that a call expects of one of its arguments.
    pub(super) fn argument(&self, s: &Source, call: Node<'_>, place: usize) -> Ty {
        let field = |name: &str| call.child_by_field_name(name);
        if call.kind() == "new_expression" {
            let Some(class) = field("constructor") else { return Ty::Unknown };
            let Ty::Class(class) = self.value(s, class) else { return Ty::Unknown };
            let constructor = self.with_node(class, None, |s, node| {
                let body = children(node.child_by_field_name("body")?);
                let is_constructor = |one: &&Node<'_>| {
                    one.child_by_field_name("name").is_some_and(|name| s.text_of(name) == "constructor")
                };
                body.iter().find(is_constructor).map(|one| Place::of(s, *one))
            });
            let of = constructor.map_or(Ty::Unknown, |constructor| self.nth_parameter(constructor, place));
            let bound = self.with_node(class, Bound::default(), |own, node| {
                self.bind(own, node, &self.arguments_of(s, call))
            });
            return self.filled(&of, &bound);
        }
        let Some(function) = field("function") else { return Ty::Unknown };
        if let Some(object) = function.child_by_field_name("object") {
            let name = function.child_by_field_name("property").map_or("", |name| s.text_of(name));
            if let Some(given) = callback(&self.bounded(self.value(s, object)), name) {
                return Ty::Callback(given.into());
            }
        }
        let called = if function.kind() == "super" {
            return Ty::Unknown;
        } else {
            self.value(s, function)
        };
        let given = field("arguments").map_or(0, |list| children(list).len());
        let heads: Vec<(Place, Bound)> =
            called.parts().iter().filter_map(|part| self.function_in(part)).collect();
        let fitting = heads.iter().find(|(of, _)| heads.len() == 1 || self.takes(*of, given));
        let Some((of, bound)) = fitting else { return Ty::Unknown };
        let own = self.bindings(s, call, *of, bound, false);
        let wanted = self.filled(&self.nth_parameter(*of, place), &joined(own, bound));
        // A parameter that nothing bounds expects nothing.
        match wanted {
            Ty::Parameter(parameter) => self.constraint(parameter),
            wanted => wanted,
        }
    }

    /// What a function gives.
    pub(super) fn result_of(&self, function: Place, bound: &[(Parameter, Ty)]) -> Ty {
        let result = self.once(&self.results, function, || {
            self.with_node(function, Ty::Unknown, |s, node| {
                let written = node.child_by_field_name("return_type");
                // A construct signature has the type of what it makes.
                let made =
                    || node.child_by_field_name("type").filter(|_| node.kind() == "construct_signature");
                match written.or_else(made) {
                    Some(written) => self.written(s, written),
                    None => self.returned(s, node),
                }
            })
        });
        self.filled(&result, bound)
    }

    /// What a function without a written result returns.
    fn returned(&self, s: &Source, function: Node<'_>) -> Ty {
        let Some(body) = function.child_by_field_name("body") else { return Ty::Unknown };
        if has_word(function, "*") || function.kind().starts_with("generator") {
            return Ty::Unknown;
        }
        let of = if body.kind() == "statement_block" {
            let mut values = Vec::new();
            let mut open = vec![body];
            for _ in 0..MAX_NODES {
                let Some(node) = open.pop().filter(|_| values.len() < MAX_RETURNS) else { break };
                if node.kind() == "return_statement" {
                    values.extend(only_child(node));
                } else if node.kind().ends_with("statement")
                    || matches!(
                        node.kind(),
                        "statement_block"
                            | "else_clause"
                            | "switch_body"
                            | "switch_case"
                            | "switch_default"
                            | "catch_clause"
                            | "finally_clause"
                    )
                {
                    open.extend(children(node));
                }
            }
            Ty::one_of(values.into_iter().map(|value| self.value(s, value)))
        } else {
            self.value(s, body)
        };
        if has_word(function, "async") { Ty::promise(of.awaited()) } else { of }
    }
}
