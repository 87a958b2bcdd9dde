//! Binds the type parameters of a function by what a call gives it and by what is expected of the call.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::lookup::Source;
use super::ty::{Bound, Parameter, Place, Ty};
use super::{Script, children, is_function};

/// Types are compared no deeper.
const MAX_MATCHED: u32 = 6;
/// No more arguments of a call or members of two objects are compared.
const MAX_COMPARED: usize = 20;

impl Script<'_> {
    /// What a function's type parameters are bound to in a call; what functions among the arguments give counts `with_functions`.
    pub(super) fn bindings(
        &self,
        s: &Source,
        call: Node<'_>,
        function: Place,
        outer: &Bound,
        with_functions: bool,
    ) -> Vec<(Parameter, Ty)> {
        let parameters = self.with_node(function, Vec::new(), |own, node| {
            let list = node.child_by_field_name("type_parameters").map(children).unwrap_or_default();
            list.iter().map(|one| Parameter::Declared(own.file, one.start_byte())).collect::<Vec<Parameter>>()
        });
        if parameters.is_empty() {
            return Vec::new();
        }
        let explicit = self.arguments_of(s, call);
        let mut bound: Vec<(Parameter, Ty)> = parameters.iter().copied().zip(explicit).collect();
        if bound.is_empty() {
            self.match_arguments(s, call, function, &mut bound, with_functions);
            if parameters.iter().any(|one| !bound.iter().any(|(known, _)| known == one)) {
                let expected = self.expected(s, call);
                if expected != Ty::Unknown {
                    let result = self.filled(&self.result_of(function, &Bound::default()), outer);
                    self.matched_with(&result, &expected, &mut bound, MAX_MATCHED);
                }
            }
            bound.retain(|(known, _)| parameters.contains(known));
        }
        // What is left has its default.
        self.with_node(function, (), |own, node| {
            let list = node.child_by_field_name("type_parameters").map(children).unwrap_or_default();
            for (parameter, one) in parameters.iter().zip(list) {
                let default = one.child_by_field_name("value");
                if let Some(default) = default.filter(|_| !bound.iter().any(|(known, _)| known == parameter))
                {
                    let of = self.filled(&self.written(own, default), &bound);
                    bound.push((*parameter, of));
                }
            }
        });
        bound
    }

    /// Binds type parameters by comparing what a function's parameters are with what it's given.
    pub(super) fn match_arguments(
        &self,
        s: &Source,
        call: Node<'_>,
        function: Place,
        bound: &mut Vec<(Parameter, Ty)>,
        with_functions: bool,
    ) {
        let given = call.child_by_field_name("arguments").map(children).unwrap_or_default();
        for (place, argument) in given.into_iter().enumerate().take(MAX_COMPARED) {
            if is_function(argument.kind()) && !with_functions || argument.kind() == "spread_element" {
                continue;
            }
            let parameter = self.nth_parameter(function, place);
            // `on('open', …)`, where the text says which member of another type is meant.
            let of = match (&parameter, argument.kind()) {
                (Ty::Parameter(_), "string") => {
                    Ty::Text(s.text_of(argument).trim_matches(['"', '\'']).into())
                }
                _ => self.value(s, argument),
            };
            self.matched_with(&parameter, &of, bound, MAX_MATCHED);
        }
    }

    /// What those of these parameters are bound to that a type has, by comparing it with another.
    pub(super) fn inferred(&self, open: &Ty, given: &Ty, parameters: &[Parameter]) -> Vec<(Parameter, Ty)> {
        let mut bound = Vec::new();
        self.matched_with(open, given, &mut bound, MAX_MATCHED);
        bound.retain(|(known, _)| parameters.contains(known));
        bound
    }

    /// Binds the parameters in a type by comparing it with another.
    fn matched_with(&self, open: &Ty, given: &Ty, bound: &mut Vec<(Parameter, Ty)>, depth: u32) {
        if depth == 0 || *given == Ty::Unknown {
            return;
        }
        if let Ty::Parameter(parameter) = open {
            if !bound.iter().any(|(known, _)| known == parameter) {
                bound.push((*parameter, given.clone()));
            }
            return;
        }
        let mut inner = |open: &Ty, given: &Ty| self.matched_with(open, given, bound, depth - 1);
        match (open, given) {
            (Ty::Array(a), Ty::Array(b))
            | (Ty::Promise(a), Ty::Promise(b))
            | (Ty::Record(a), Ty::Record(b)) => {
                inner(a, b);
            }
            (Ty::Array(a), Ty::Tuple(_)) => inner(a, &given.element()),
            (Ty::Map(a, b), Ty::Map(c, d)) => {
                inner(a, c);
                inner(b, d);
            }
            (Ty::Tuple(a), Ty::Tuple(b)) => a.iter().zip(b.iter()).for_each(|(a, b)| inner(a, b)),
            (Ty::Instance(a, own), Ty::Instance(b, other)) if a == b => {
                own.iter().zip(other.iter()).for_each(|(a, b)| inner(a, b));
            }
            (Ty::Shape(a, own), Ty::Shape(b, other)) if a == b => {
                for (parameter, of) in own.iter() {
                    let same = other.iter().find(|(known, _)| known == parameter);
                    if let Some((_, given)) = same {
                        inner(of, given);
                    }
                }
            }
            (Ty::Shape(place, own), Ty::Shape(..) | Ty::Instance(..)) => {
                let names = self.with_node(*place, Vec::new(), |s, node| {
                    let members = children(node).into_iter().filter(|one| one.kind() == "property_signature");
                    let names = members.filter_map(|one| one.child_by_field_name("name"));
                    names.take(MAX_COMPARED).map(|name| s.text_of(name).to_owned()).collect()
                });
                for name in names {
                    let open = self.filled(&self.member_type(&Ty::Shape(*place, Rc::default()), &name), own);
                    if has_parameter(&open, MAX_MATCHED) {
                        let given = self.member_type(given, &name);
                        // Members may be of types that have as many again.
                        self.matched_with(&open, &given, bound, depth / 2);
                    }
                }
            }
            (Ty::Function(a, own), Ty::Function(b, other)) => {
                let open = self.result_of(*a, own);
                if has_parameter(&open, MAX_MATCHED) {
                    let given = self.result_of(*b, other);
                    inner(&open, &given);
                }
            }
            (Ty::Union(parts), given) => {
                // `T | T[]` of a list of carts: a parameter alone is only what nothing else fits.
                let is_alone = |part: &&Ty| matches!(part, Ty::Parameter(_));
                let open = parts.iter().filter(|part| has_parameter(part, MAX_MATCHED));
                let (alone, others): (Vec<&Ty>, Vec<&Ty>) = open.partition(is_alone);
                others.into_iter().chain(alone).for_each(|part| inner(part, given));
            }
            (open, Ty::Union(parts)) if !matches!(open, Ty::Intersection(_)) => {
                parts.iter().for_each(|part| inner(open, part));
            }
            _ => {}
        }
    }
}

/// Whether something in a type is still to be bound, as deep as it's looked for.
fn has_parameter(of: &Ty, depth: u32) -> bool {
    let inner = |of: &Ty| depth > 0 && has_parameter(of, depth - 1);
    match of {
        Ty::Parameter(_) => true,
        Ty::Member(of, _) | Ty::Part(of, ..) | Ty::Array(of) | Ty::Promise(of) | Ty::Record(of) => inner(of),
        Ty::Map(key, value) | Ty::Keyed(key, value) | Ty::Selected(key, value, _) => {
            inner(key) || inner(value)
        }
        Ty::Instance(_, all)
        | Ty::Tuple(all)
        | Ty::Union(all)
        | Ty::Intersection(all)
        | Ty::Callback(all) => all.iter().any(inner),
        // What these name by their places may have any.
        Ty::Shape(..) | Ty::Function(..) | Ty::Conditional(..) => true,
        Ty::Unknown | Ty::Nothing | Ty::Foreign | Ty::Text(_) | Ty::Class(_) | Ty::Module(_) => false,
    }
}
