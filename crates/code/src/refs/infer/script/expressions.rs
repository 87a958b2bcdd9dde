//! The types of expressions: names, `this`, members, calls and literals.

use tree_sitter::Node;

use super::super::super::syntax_nodes::ancestors;
use super::super::lookup::Source;
use super::memo::About;
use super::names::Name;
use super::narrowing::Known;
use super::ty::{Bound, Parameter, Place, Ty};
use super::{Script, children, has_word, is_function, not_null, only_child};

/// An array's type is read from no more of its elements.
const MAX_ELEMENTS: usize = 8;
/// A constant list has the types of no more elements.
const MAX_CONSTANTS: usize = 60;

impl Script<'_> {
    /// The type of an expression.
    pub(super) fn value(&self, s: &Source, node: Node<'_>) -> Ty {
        self.once(About::Value, Place::of(s, node), || self.value_of(s, node))
    }

    /// The type of what is before a dot, and whether code around may have found out more about it.
    pub(super) fn receiver(&self, s: &Source, node: Node<'_>) -> Known {
        match node.kind() {
            "identifier" | "member_expression" => self.known_here(s, node, self.as_declared(s, node)),
            "non_null_expression" | "parenthesized_expression" => {
                if let Some(ty) = self.cast(s, node) {
                    return Known { ty, open: false };
                }
                let is_mark = node.kind() == "non_null_expression";
                let inner = if is_mark { not_null(node) } else { only_child(node) };
                match inner {
                    Some(inner) => self.receiver(s, inner),
                    None => Known { ty: Ty::Unknown, open: false },
                }
            }
            _ => Known { ty: self.value(s, node), open: false },
        }
    }

    /// The type of a name or a member, whatever conditions are around.
    fn as_declared(&self, s: &Source, node: Node<'_>) -> Ty {
        match node.kind() {
            "member_expression" | "nested_identifier" => self.member_value(s, node),
            _ => self.name_value(s, node, s.text_of(node)),
        }
    }

    fn value_of(&self, s: &Source, node: Node<'_>) -> Ty {
        let field = |name: &str| node.child_by_field_name(name);
        let of_field = |name: &str| field(name).map_or(Ty::Unknown, |of| self.value(s, of));
        let inner = || only_child(node).map_or(Ty::Unknown, |inner| self.value(s, inner));
        match node.kind() {
            "identifier" | "shorthand_property_identifier" | "member_expression" | "nested_identifier" => {
                self.known_here(s, node, self.as_declared(s, node)).ty
            }
            "undefined" | "null" => Ty::Nothing,
            "this" => self.this(s, node),
            "super" => self.base_of(s, node),
            "parenthesized_expression" => self.cast(s, node).unwrap_or_else(inner),
            "satisfies_expression" => inner(),
            "non_null_expression" => not_null(node).map_or(Ty::Unknown, |inner| self.value(s, inner)),
            "sequence_expression" => children(node).last().map_or(Ty::Unknown, |last| self.value(s, *last)),
            "as_expression" => match children(node).as_slice() {
                [_, of] => self.written(s, *of),
                // `[cart, line] as const`
                [of] if of.kind() == "array" => {
                    let parts = children(*of);
                    if parts.iter().any(|one| one.kind() == "spread_element") {
                        // Which element is of which of several types isn't known.
                        return match self.value(s, *of) {
                            Ty::Array(one) if matches!(*one, Ty::Union(_)) => Ty::array(Ty::Unknown),
                            list => list,
                        };
                    }
                    Ty::Tuple(parts.into_iter().take(MAX_CONSTANTS).map(|one| self.value(s, one)).collect())
                }
                [of] => self.value(s, *of),
                _ => Ty::Unknown,
            },
            "type_assertion" => match children(node).first() {
                Some(list) => only_child(*list).map_or(Ty::Unknown, |of| self.written(s, of)),
                None => Ty::Unknown,
            },
            "subscript_expression" => self.element_value(s, node),
            "call_expression" => self.call(s, node),
            "new_expression" => self.new_value(s, node),
            "instantiation_expression" => inner(),
            "await_expression" => {
                let of = inner();
                // `class Later extends Promise<Cart>`
                let promise = self.standard_part(&of).filter(|part| matches!(part, Ty::Promise(_)));
                promise.unwrap_or(of).awaited()
            }
            "ternary_expression" => Ty::one_of([of_field("consequence"), of_field("alternative")]),
            "binary_expression" => match field("operator").map(|of| s.text_of(of)) {
                Some("||" | "??") => Ty::one_of([of_field("left"), of_field("right")]),
                Some("&&") => of_field("right"),
                _ => Ty::Foreign,
            },
            "assignment_expression" => of_field("right"),
            "augmented_assignment_expression" => match field("operator").map(|of| s.text_of(of)) {
                Some("??=" | "||=") => Ty::one_of([of_field("left"), of_field("right")]),
                Some("&&=") => of_field("right"),
                _ => Ty::Foreign,
            },
            "object" => Ty::Shape(Place::of(s, node), Bound::default()),
            "array" => {
                let elements = children(node).into_iter().take(MAX_ELEMENTS).map(|one| match one.kind() {
                    "spread_element" => {
                        let of = only_child(one).map_or(Ty::Unknown, |of| self.value(s, of));
                        self.bounded(of).element()
                    }
                    _ => self.value(s, one),
                });
                Ty::array(Ty::one_of(elements))
            }
            "class" => Ty::Class(Place::of(s, node)),
            kind if is_function(kind) => Ty::Function(Place::of(s, node), Bound::default()),
            "string"
            | "template_string"
            | "number"
            | "regex"
            | "true"
            | "false"
            | "unary_expression"
            | "update_expression"
            | "jsx_element"
            | "jsx_self_closing_element" => Ty::Foreign,
            _ => Ty::Unknown,
        }
    }

    /// The type of a value that is only named.
    fn name_value(&self, s: &Source, node: Node<'_>, name: &str) -> Ty {
        match self.meaning(s, node, name, false) {
            Name::Declared(places) => self.declared_values(&places),
            Name::Module(file) => self.module_value(file),
            Name::Outside => Ty::Foreign,
            Name::Parameter(_) | Name::Undeclared => Ty::Unknown,
        }
    }

    /// What a module is as a value: what CommonJS exports instead of names.
    pub(super) fn module_value(&self, file: usize) -> Ty {
        match self.exported(file, crate::imports::WHOLE, false) {
            Name::Declared(places) => self.declared_values(&places),
            _ => Ty::Module(file),
        }
    }

    /// The type of the value that nodes declare: of functions, each head.
    pub(super) fn declared_values(&self, places: &[Place]) -> Ty {
        Ty::one_of(places.iter().map(|place| {
            self.once(About::Value, *place, || {
                self.with_node(*place, Ty::Unknown, |s, node| self.declared_value(s, node))
            })
        }))
    }

    /// The type of the value that a node declares.
    pub(super) fn declared_value(&self, s: &Source, node: Node<'_>) -> Ty {
        let field = |name: &str| node.child_by_field_name(name);
        let typed = || field("type").map(|of| self.written(s, of));
        let set = || field("value").map(|of| self.value(s, of));
        match node.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => self.bound_type(s, node),
            "class_declaration"
            | "abstract_class_declaration"
            | "class"
            | "enum_declaration"
            | "internal_module"
            | "module" => Ty::Class(Place::of(s, node)),
            "property_signature" => typed().unwrap_or(Ty::Unknown),
            "public_field_definition" | "field_definition" => {
                typed().or_else(|| self.documented(s, node)).or_else(set).unwrap_or(Ty::Unknown)
            }
            "required_parameter" | "optional_parameter" => typed().or_else(set).unwrap_or(Ty::Unknown),
            "method_definition" | "method_signature" | "abstract_method_signature"
                if has_word(node, "get") =>
            {
                self.result_of(Place::of(s, node), &Bound::default())
            }
            "method_definition" | "method_signature" | "abstract_method_signature"
                if has_word(node, "set") =>
            {
                Ty::Unknown
            }
            "pair" => {
                let value = set().unwrap_or(Ty::Unknown);
                if value == Ty::Nothing { Ty::Unknown } else { value }
            }
            // What the node declares is asked for, and is what it is as an expression: asked for that, it would be asked for twice.
            "shorthand_property_identifier" => self.value_of(s, node),
            "assignment_expression" => {
                let set = || field("right").map_or(Ty::Unknown, |of| self.value(s, of));
                self.documented(s, node).unwrap_or_else(set)
            }
            "enum_assignment" | "property_identifier" => Ty::Foreign,
            kind if is_function(kind) => Ty::Function(Place::of(s, node), Bound::default()),
            // `export default` of a value
            _ => self.value_of(s, node),
        }
    }

    /// The type of `this`: the class around, unless a function of its own has another.
    fn this(&self, s: &Source, node: Node<'_>) -> Ty {
        let mut around = ancestors(s.tree.root_node(), node).into_iter().rev();
        // An arrow function in a literal has the `this` of what is around it, a method of one has its own.
        let own = around.find(|of| {
            matches!(
                of.kind(),
                "class_body"
                    | "function_expression"
                    | "function_declaration"
                    | "generator_function"
                    | "generator_function_declaration"
            ) || of.kind() == "method_definition" && of.parent().is_some_and(|of| of.kind() == "object")
        });
        let Some(own) = own else { return Ty::Unknown };
        match own.kind() {
            "class_body" => match own.parent() {
                Some(class) if is_static(node, own) => Ty::Class(Place::of(s, class)),
                Some(class) => {
                    let list = class.child_by_field_name("type_parameters").map(children);
                    let own = list.unwrap_or_default().into_iter();
                    let own = own.map(|one| Ty::Parameter(Parameter::Declared(s.file, one.start_byte())));
                    self.instance_of(Place::of(s, class), &own.collect::<Vec<Ty>>())
                }
                None => Ty::Unknown,
            },
            _ => {
                let of = own.child_by_field_name("parameters").and_then(written_this);
                of.map_or(Ty::Unknown, |of| self.written(s, of))
            }
        }
    }

    /// The type of `super` as a value.
    fn base_of(&self, s: &Source, node: Node<'_>) -> Ty {
        let around = ancestors(s.tree.root_node(), node).into_iter().rev();
        let class = around.into_iter().find(|of| of.kind() == "class_body").and_then(|body| body.parent());
        let Some(class) = class else { return Ty::Unknown };
        Ty::one_of(self.bases(s, class))
    }

    fn member_value(&self, s: &Source, node: Node<'_>) -> Ty {
        let (Some(object), Some(property)) =
            (node.child_by_field_name("object"), node.child_by_field_name("property"))
        else {
            return Ty::Unknown;
        };
        let of = self.value(s, object);
        self.member_type(&of, s.text_of(property))
    }

    /// `carts[0]`, `shop['cart']`
    fn element_value(&self, s: &Source, node: Node<'_>) -> Ty {
        let (Some(object), Some(index)) =
            (node.child_by_field_name("object"), node.child_by_field_name("index"))
        else {
            return Ty::Unknown;
        };
        let file = self.facts.reader.files().get(s.file);
        let is_typed = file.is_some_and(|file| file.language != "javascript");
        let whole = self.value(s, object);
        let of = self.bounded(whole.clone());
        match (&of, index.kind()) {
            (_, "string") => {
                let of = if matches!(whole, Ty::Instance(..)) { &whole } else { &of };
                self.member_type(of, s.text_of(index).trim_matches(['"', '\'']))
            }
            (Ty::Tuple(parts), "number") => {
                let place = s.text_of(index).parse::<usize>().ok();
                place.and_then(|place| parts.get(place)).cloned().unwrap_or(Ty::Unknown)
            }
            (Ty::Array(_) | Ty::Tuple(_) | Ty::Record(_), _) => of.element(),
            // `kinds[kind]`, where `kind` is one of its keys.
            (Ty::Shape(..), "identifier" | "member_expression") if is_typed => self.each_of(&of),
            (Ty::Shape(..) | Ty::Instance(..), _) => self.indexed(&of),
            (Ty::Union(parts), _) => Ty::one_of(parts.iter().filter_map(|part| match part {
                Ty::Array(_) | Ty::Tuple(_) | Ty::Record(_) => Some(part.element()),
                Ty::Shape(..) | Ty::Instance(..) => Some(self.indexed(part)),
                _ => None,
            })),
            _ => Ty::Unknown,
        }
    }
}

/// Whether a place is in a static part of the body of a class.
fn is_static(node: Node<'_>, body: Node<'_>) -> bool {
    let mut at = node;
    while let Some(around) = at.parent() {
        if around == body {
            return has_word(at, "static") || at.kind() == "class_static_block";
        }
        at = around;
    }
    false
}

/// The type that a function's parameters write for `this`.
fn written_this<'t>(list: Node<'t>) -> Option<Node<'t>> {
    let first = children(list).into_iter().next()?;
    let is_this = first.child_by_field_name("pattern").is_some_and(|of| of.kind() == "this");
    first.child_by_field_name("type").filter(|_| is_this)
}
