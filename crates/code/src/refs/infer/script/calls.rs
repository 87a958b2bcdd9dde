//! What calls give, and what they expect of their arguments: by functions' heads or by what they return, and by constructors.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::lookup::Source;
use super::memo::About;
use super::names::Name;
use super::standard::{callback, expected_argument};
use super::ty::{Bound, Parameter, Place, Ty, joined};
use super::{Script, called, children, has_word, is_function, is_rest, only_child, parameters};

/// No more of what a function returns is read.
const MAX_RETURNS: usize = 8;
/// Statements are looked through for those, this many.
const MAX_NODES: usize = 4_000;

impl Script<'_> {
    /// The type of a call.
    pub(super) fn call(&self, s: &Source, node: Node<'_>) -> Ty {
        match called(node) {
            Some((function, true)) => self.call_of(s, node, function).awaited(),
            Some((function, false)) => self.call_of(s, node, function),
            None => Ty::Unknown,
        }
    }

    fn call_of(&self, s: &Source, node: Node<'_>, function: Node<'_>) -> Ty {
        match s.text_of(function) {
            "require" | "import" => {
                let line = u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX);
                let of =
                    self.facts.imported(s, line).first().map_or(Ty::Unknown, |file| self.module_value(*file));
                return if s.text_of(function) == "import" { Ty::promise(of) } else { of };
            }
            "structuredClone" if self.meaning(s, function, "structuredClone", false) == Name::Undeclared => {
                let given = node.child_by_field_name("arguments").and_then(only_child);
                return given.map_or(Ty::Unknown, |one| self.value(s, one));
            }
            _ => {}
        }
        let known = self.standard_call(s, node, function).or_else(|| self.library_call(s, node, function));
        if let Some(of) = known {
            return of;
        }
        let this = match function.child_by_field_name("object") {
            Some(object) => self.value(s, object),
            None => Ty::Unknown,
        };
        let called = self.value(s, function);
        self.by_heads(node, &called, |place, bound| {
            let mut all = self.bindings(s, node, place, bound, true);
            all.push((Parameter::This, this.clone()));
            self.result_of(place, &joined(all, bound))
        })
    }

    /// What the functions say that may be called.
    fn by_heads(&self, call: Node<'_>, called: &Ty, says: impl Fn(Place, &Bound) -> Ty) -> Ty {
        let mut functions: Vec<(Place, Vec<(Place, Bound)>)> = Vec::new();
        for (head, bound) in called.parts().iter().flat_map(|part| self.functions_in(part)) {
            let around = self.around_head(head);
            let same = |known: &&mut (Place, Vec<(Place, Bound)>)| {
                known.0 == around && known.1.first().is_some_and(|(_, other)| *other == bound)
            };
            match functions.iter_mut().find(same) {
                Some((_, heads)) => heads.push((head, bound)),
                None => functions.push((around, vec![(head, bound)])),
            }
        }
        let given = call.child_by_field_name("arguments").map(children).unwrap_or_default();
        Ty::one_of(functions.into_iter().map(|(_, heads)| self.by_overloads(heads, &given, &says)))
    }

    /// What the heads of one function say: nothing if several take what they're given and say different things.
    pub(super) fn by_overloads(
        &self,
        mut heads: Vec<(Place, Bound)>,
        given: &[Node<'_>],
        says: impl Fn(Place, &Bound) -> Ty,
    ) -> Ty {
        if heads.len() > 1 {
            let has_body = |place: Place| {
                self.with_node(place, false, |_, node| node.child_by_field_name("body").is_some())
            };
            // Beside heads without a body, nobody sees that of the function itself.
            if heads.iter().any(|(place, _)| !has_body(*place)) {
                heads.retain(|(place, _)| !has_body(*place));
            }
            // `on(of: 'open', …)` comes before `on(of: string, …)`.
            let fits: Vec<Option<usize>> = heads.iter().map(|(place, _)| self.takes(*place, given)).collect();
            let best = fits.iter().copied().max().flatten();
            let mut fits = fits.into_iter();
            heads.retain(|_| fits.next().flatten().is_some_and(|exact| Some(exact) == best));
        }
        let mut all = heads.iter().map(|(place, bound)| says(*place, bound));
        let Some(first) = all.next() else { return Ty::Unknown };
        if all.all(|other| other.is_alike(&first)) { first } else { Ty::Unknown }
    }

    /// What the heads of one function are in, by which they're known; any other function is only itself.
    fn around_head(&self, head: Place) -> Place {
        self.with_node(head, head, |s, node| {
            if matches!(node.kind(), "arrow_function" | "function_expression" | "function_type") {
                return head;
            }
            let mut at = node.parent();
            let is_statement =
                |of: &Node<'_>| matches!(of.kind(), "export_statement" | "ambient_declaration");
            while let Some(around) = at.filter(is_statement) {
                at = around.parent();
            }
            at.map_or(head, |around| Place::of(s, around))
        })
    }

    /// The heads of the function that a value is: of one itself, or of an object that can be called.
    fn functions_in(&self, of: &Ty) -> Vec<(Place, Bound)> {
        match of {
            Ty::Function(place, bound) => vec![(*place, Rc::clone(bound))],
            Ty::Instance(..) | Ty::Shape(..) => self.signatures(of, "call_signature"),
            Ty::Intersection(parts) => {
                let mut all = parts.iter().map(|part| self.functions_in(part));
                all.find(|found| !found.is_empty()).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    /// Whether a function takes these arguments, by their number and by what texts and numbers show of themselves; and how many are the
    /// very ones that it writes.
    fn takes(&self, function: Place, given: &[Node<'_>]) -> Option<usize> {
        self.with_node(function, Some(0), |s, node| {
            let Some(list) = node.child_by_field_name("parameters") else {
                return (given.len() == 1).then_some(0);
            };
            let all = parameters(list);
            let needed = all.iter().filter(|one| {
                one.kind() == "required_parameter"
                    && one.child_by_field_name("value").is_none()
                    && !is_rest(**one)
            });
            if given.iter().any(|one| one.kind() == "spread_element") {
                return Some(0);
            }
            let has_rest = all.iter().any(|one| is_rest(*one));
            if needed.count() > given.len() || given.len() > all.len() && !has_rest {
                return None;
            }
            let mut exact = 0;
            for (parameter, argument) in all.iter().zip(given).filter(|(one, _)| !is_rest(**one)) {
                let Some(written) = parameter.child_by_field_name("type").and_then(only_child) else {
                    continue;
                };
                if !may_be_given(s, written, *argument) {
                    return None;
                }
                exact += usize::from(written.kind() == "literal_type" && is_literal(*argument));
            }
            Some(exact)
        })
    }

    /// The type that a call expects of one of its arguments.
    pub(super) fn argument(&self, s: &Source, call: Node<'_>, place: usize) -> Ty {
        let field = |name: &str| call.child_by_field_name(name);
        if call.kind() == "new_expression" {
            let Some(class) = field("constructor") else { return Ty::Unknown };
            if self.is_standard(s, class) {
                return match (self.value(s, call), place) {
                    (Ty::Map(key, value), 0) => {
                        Ty::array(Ty::Tuple([(*key).clone(), (*value).clone()].into()))
                    }
                    (list @ Ty::Array(_), 0) => list,
                    _ => Ty::Unknown,
                };
            }
            let Ty::Class(class) = self.value(s, class) else { return Ty::Unknown };
            let constructor = self.with_node(class, None, |s, node| {
                let body = node.child_by_field_name("body")?;
                self.own(s, body, "constructor", false).first().copied()
            });
            let of = constructor.map_or(Ty::Unknown, |constructor| self.nth_parameter(constructor, place));
            let bound = self.with_node(class, Bound::default(), |own, node| {
                self.bind(own, node, &self.arguments_of(s, call))
            });
            return self.filled(&of, &bound);
        }
        let Some((function, _)) = called(call) else { return Ty::Unknown };
        if let Some(object) = function.child_by_field_name("object") {
            let name = function.child_by_field_name("property").map_or("", |name| s.text_of(name));
            // `Array.from(carts, (one) => …)`
            let makes_of =
                matches!((s.text_of(object), name), ("Array", "from") | ("Object" | "Map", "groupBy"));
            if makes_of && place == 1 && self.meaning(s, object, s.text_of(object), false) == Name::Undeclared
            {
                let list = call.child_by_field_name("arguments").and_then(only_child);
                let list = list.map_or(Ty::Unknown, |list| self.bounded(self.value(s, list)));
                return Ty::Callback([list.element(), Ty::Foreign].into());
            }
            let of = self.standard_with(self.value(s, object), name);
            if let Some(one) = expected_argument(&of, name, place) {
                return one;
            }
            if let Some(mut given) = callback(&of, name) {
                if matches!(name, "reduce" | "reduceRight") && place == 0 {
                    given[0] = self.value(s, call);
                }
                return Ty::Callback(given.into());
            }
        }
        if let Some(of) = self.library_argument(s, call, function, place) {
            return of;
        }
        let called = if function.kind() == "super" {
            return Ty::Unknown;
        } else {
            self.value(s, function)
        };
        // `setCart({ lines })`
        if let Ty::Callback(parameters) = &called {
            return parameters.get(place).cloned().unwrap_or(Ty::Unknown);
        }
        let wanted = self.by_heads(call, &called, |of, bound| {
            let own = self.bindings(s, call, of, bound, false);
            self.filled(&self.nth_parameter(of, place), &joined(own, bound))
        });
        // A parameter that nothing bounds expects nothing.
        match wanted {
            Ty::Parameter(parameter) => self.constraint(parameter),
            wanted => wanted,
        }
    }

    /// What a function gives.
    pub(super) fn result_of(&self, function: Place, bound: &[(Parameter, Ty)]) -> Ty {
        let result = self.once(About::Result, function, || {
            self.with_node(function, Ty::Unknown, |s, node| {
                let written = node.child_by_field_name("return_type");
                // A construct signature has the type of what it makes.
                let made =
                    || node.child_by_field_name("type").filter(|_| node.kind() == "construct_signature");
                match written.or_else(made) {
                    Some(written) => self.written(s, written),
                    None => self.documented_result(s, node).unwrap_or_else(|| self.returned(s, node)),
                }
            })
        });
        self.filled(&result, bound)
    }

    /// What a function without a written result returns.
    fn returned(&self, s: &Source, function: Node<'_>) -> Ty {
        let Some(body) = function.child_by_field_name("body") else { return Ty::Unknown };
        if has_word(function, "*") || function.kind().starts_with("generator") {
            return self.yielded(s, body);
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

    /// What a generator gives one after the other.
    fn yielded(&self, s: &Source, body: Node<'_>) -> Ty {
        let (mut values, mut open) = (Vec::new(), vec![body]);
        for _ in 0..MAX_NODES {
            let Some(node) = open.pop().filter(|_| values.len() < MAX_RETURNS) else { break };
            if node.kind() == "yield_expression" {
                let of = only_child(node).map_or(Ty::Unknown, |of| self.value(s, of));
                values.push(if has_word(node, "*") { self.bounded(of).element() } else { of.awaited() });
            }
            if !is_function(node.kind()) && node.kind() != "class_body" {
                open.extend(children(node));
            }
        }
        Ty::array(Ty::one_of(values))
    }
}

/// Whether an argument says its value, as a type does that is one value.
fn is_literal(value: Node<'_>) -> bool {
    matches!(value.kind(), "string" | "number" | "true" | "false")
}

/// Whether a value may be given where a type is written: surely not a text where numbers are.
fn may_be_given(s: &Source, written: Node<'_>, value: Node<'_>) -> bool {
    let of = match value.kind() {
        "string" | "template_string" => "string",
        "number" => "number",
        "true" | "false" => "boolean",
        "object" | "array" | "arrow_function" | "function_expression" => "",
        _ => return true,
    };
    match written.kind() {
        "literal_type" if is_literal(value) => {
            s.text_of(written).trim_matches(['"', '\'']) == s.text_of(value).trim_matches(['"', '\''])
        }
        "predefined_type" => match s.text_of(written) {
            basic @ ("string" | "number" | "boolean" | "symbol" | "bigint") => basic == of,
            _ => true,
        },
        "array_type" | "tuple_type" => value.kind() == "array",
        "function_type" => matches!(value.kind(), "arrow_function" | "function_expression"),
        _ => true,
    }
}
