//! The types that are expected of an expression by where it's written: as an argument, a variable's value, what a function gives back,
//! or a part of another literal.

use tree_sitter::Node;

use super::super::super::syntax_nodes::ancestors;
use super::super::lookup::Source;
use super::memo::About;
use super::ty::{Place, Ty};
use super::{Script, children, has_word, is_function, only_child};

/// Nothing is expected of the arguments of a call that has more.
const MAX_ARGUMENTS: usize = 400;

impl Script<'_> {
    /// The type that is expected of an expression.
    pub(super) fn expected(&self, s: &Source, node: Node<'_>) -> Ty {
        self.once(About::Expected, Place::of(s, node), || self.expected_type(s, node))
    }

    fn expected_type(&self, s: &Source, node: Node<'_>) -> Ty {
        let Some(parent) = node.parent() else { return Ty::Unknown };
        let field = |name: &str| parent.child_by_field_name(name);
        let written = || field("type").map_or(Ty::Unknown, |of| self.written(s, of));
        let around = || self.expected(s, parent);
        match parent.kind() {
            "variable_declarator" if field("type").is_none() => {
                self.documented(s, parent).unwrap_or(Ty::Unknown)
            }
            "variable_declarator"
            | "required_parameter"
            | "optional_parameter"
            | "public_field_definition" => written(),
            "parenthesized_expression" | "sequence_expression" | "non_null_expression" => around(),
            "as_expression" | "satisfies_expression" => match children(parent).as_slice() {
                [value, of] if *value == node => self.written(s, *of),
                // `{ … } as const`
                [_] => around(),
                _ => Ty::Unknown,
            },
            "ternary_expression" if field("condition") != Some(node) => around(),
            "binary_expression" => match field("operator").map(|of| s.text_of(of)) {
                Some("||" | "??") => {
                    let wanted = around();
                    let left = field("left").filter(|left| *left != node);
                    match left {
                        Some(left) if wanted == Ty::Unknown => self.value(s, left),
                        _ => wanted,
                    }
                }
                Some("&&") if field("right") == Some(node) => around(),
                _ => Ty::Unknown,
            },
            "assignment_expression" if field("right") == Some(node) => {
                field("left").map_or(Ty::Unknown, |left| self.value(s, left))
            }
            "await_expression" => around(),
            // Each of thousands would be looked for among all of them.
            "arguments" if parent.named_child_count() > MAX_ARGUMENTS => Ty::Unknown,
            "arguments" => {
                let place = children(parent).iter().position(|one| *one == node).unwrap_or(0);
                parent.parent().map_or(Ty::Unknown, |call| self.argument(s, call, place))
            }
            "return_statement" => self.returned_from(s, parent),
            "yield_expression" if !has_word(parent, "*") => self.yielded_from(s, parent),
            "arrow_function" if field("body") == Some(node) => self.expected_result(s, parent),
            "pair" => {
                let name = field("key").filter(|key| key.kind() != "computed_property_name");
                let literal = parent.parent().map_or(Ty::Unknown, |literal| self.expected(s, literal));
                match name {
                    Some(name) => self.member_type(&literal, s.text_of(name).trim_matches(['"', '\''])),
                    None => self.indexed(&literal),
                }
            }
            "spread_element" => match parent.parent() {
                Some(literal) if literal.kind() == "object" => self.expected(s, literal),
                _ => Ty::Unknown,
            },
            "array" => match around() {
                Ty::Tuple(parts) => {
                    let place = children(parent).iter().position(|one| *one == node);
                    place.and_then(|place| parts.get(place)).cloned().unwrap_or(Ty::Unknown)
                }
                list => list.element(),
            },
            "jsx_expression" => {
                let attribute = parent.parent().filter(|of| of.kind() == "jsx_attribute");
                let name = attribute.and_then(only_child).map(|name| s.text_of(name));
                match (attribute.and_then(|of| of.parent()), name) {
                    (Some(element), Some(name)) => self.member_type(&self.attributes(s, element), name),
                    _ => Ty::Unknown,
                }
            }
            _ => Ty::Unknown,
        }
    }

    /// The type of what an element of JSX is given.
    pub(super) fn attributes(&self, s: &Source, element: Node<'_>) -> Ty {
        let Some(name) = element.child_by_field_name("name") else { return Ty::Unknown };
        match self.value(s, name) {
            Ty::Function(place, bound) => self.filled(&self.nth_parameter(place, 0), &bound),
            Ty::Callback(given) => given.first().cloned().unwrap_or(Ty::Unknown),
            _ => Ty::Unknown,
        }
    }

    /// What is expected of what a statement returns.
    fn returned_from(&self, s: &Source, node: Node<'_>) -> Ty {
        let around = ancestors(s.tree.root_node(), node).into_iter().rev();
        let function = around.into_iter().find(|of| is_function(of.kind()));
        function.map_or(Ty::Unknown, |function| self.expected_result(s, function))
    }

    /// What is expected of what a generator gives, as its head writes it: `Generator<Line>`.
    fn yielded_from(&self, s: &Source, node: Node<'_>) -> Ty {
        let around = ancestors(s.tree.root_node(), node).into_iter().rev();
        let function = around.into_iter().find(|of| is_function(of.kind()));
        let written = function.and_then(|function| function.child_by_field_name("return_type"));
        written.map_or(Ty::Unknown, |of| self.written(s, of).element())
    }

    /// The type that is expected of a function where it's written: of a method, as the member of an object.
    pub(super) fn expected_function(&self, s: &Source, function: Node<'_>) -> Ty {
        match function.kind() {
            "method_definition" => {
                let literal = function.parent().filter(|of| of.kind() == "object");
                let name = function.child_by_field_name("name").map(|name| s.text_of(name));
                match (literal, name) {
                    (Some(literal), Some(name)) => self.member_type(&self.expected(s, literal), name),
                    _ => Ty::Unknown,
                }
            }
            "arrow_function" | "function_expression" | "generator_function" => self.expected(s, function),
            _ => Ty::Unknown,
        }
    }

    /// What a function has to give: as it's written, or as where it is written expects.
    fn expected_result(&self, s: &Source, function: Node<'_>) -> Ty {
        let result = match function.child_by_field_name("return_type") {
            Some(written) => self.written(s, written),
            None => {
                // What a generator returns isn't what it's asked for.
                let expected = match function.kind() {
                    "generator_function" => Ty::Unknown,
                    _ => self.expected_function(s, function),
                };
                Ty::one_of(expected.parts().iter().filter_map(|part| match part {
                    Ty::Function(place, bound) => Some(self.result_of(*place, bound)),
                    Ty::Instance(..) | Ty::Shape(..) => {
                        let (place, bound) = self.call_signature(part)?;
                        Some(self.result_of(place, &bound))
                    }
                    _ => None,
                }))
            }
        };
        if has_word(function, "async") { result.awaited() } else { result }
    }
}
