//! Infers the types of Rust expressions from functions, fields, variables and patterns, and from common methods of the standard
//! library.

use std::cell::RefCell;
use std::collections::HashMap;

use tree_sitter::Node;

use super::lookup::{DefinitionLookup, Row, Source};
use super::{Depth, Member, ProjectType, Ty};
use crate::grammar::Kind;

mod locals;
mod members;
mod method_target;
mod standard;
mod traits;
mod types;

/// How many files may pass a name on before it arrives.
const MAX_PASSES: u32 = 6;

/// What an expression or a path denotes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    /// A value of this type.
    Of(Ty),
    /// The type itself.
    Type(Ty),
    /// Nothing is known.
    Unknown,
}

/// Answers about one project's Rust.
pub(in crate::refs) struct Rust<'a> {
    facts: &'a DefinitionLookup<'a>,
    depth: Depth,
    /// Which type a file means by a name.
    named: RefCell<HashMap<(usize, String), Option<ProjectType>>>,
}

impl<'a> Rust<'a> {
    pub(in crate::refs) fn new(facts: &'a DefinitionLookup<'a>) -> Rust<'a> {
        Rust { facts, depth: Depth::default(), named: RefCell::default() }
    }

    /// The file and the line of what a file means by a name alone.
    pub(in crate::refs) fn visible(&self, file: usize, name: &str) -> Option<(usize, u32)> {
        self.visible_definition(file, name, &|_| true).map(|row| (row.file, row.line))
    }

    /// The type that a definition's container names in its file.
    pub(in crate::refs) fn owner(&self, file: usize, name: &str) -> Option<ProjectType> {
        self.own(file, name.rsplit(':').next().unwrap_or(name))
    }

    /// The type or trait whose `impl` or body a place is in, which it calls `Self`.
    pub(in crate::refs) fn type_around(&self, s: &Source, node: Node<'_>) -> Option<ProjectType> {
        self.enclosing_type(s, node)
    }

    /// The type of an expression.
    fn of(&self, s: &Source, node: Node<'_>) -> Ty {
        match self.value(s, node) {
            Value::Of(ty) | Value::Type(ty) => ty,
            Value::Unknown => Ty::Unknown,
        }
    }

    fn value(&self, s: &Source, node: Node<'_>) -> Value {
        self.depth.limited(Value::Unknown, || self.value_of(s, node))
    }

    fn value_of(&self, s: &Source, node: Node<'_>) -> Value {
        let field = |name: &str| node.child_by_field_name(name);
        let typed = |name: &str| field(name).map_or(Ty::Unknown, |node| self.of(s, node));
        let first = || node.named_child(0).map_or(Ty::Unknown, |node| self.of(s, node));
        Value::Of(match node.kind() {
            "identifier" => return self.identifier_value(s, node),
            "scoped_identifier" => return self.path(s, node),
            "self" => self.enclosing_type(s, node).map_or(Ty::Unknown, Ty::ProjectType),
            "parenthesized_expression" if node.named_child_count() == 1 => first(),
            "unary_expression" => match s.text_of(node).as_bytes().first() {
                Some(b'*') => standard::deref(&first()),
                _ => first(),
            },
            "reference_expression" => typed("value"),
            "try_expression" => standard::question_mark_type(&first()),
            "await_expression" => match first() {
                Ty::Holder(name, of) if name == "Future" => of.into_iter().next().unwrap_or(Ty::Unknown),
                Ty::ProjectType(own) if self.is_made_future(&own) => Ty::Unknown,
                other => other,
            },
            "field_expression" => self.field(s, node),
            "call_expression" => self.call_type(s, node),
            "generic_function" => return field("function").map_or(Value::Unknown, |f| self.value(s, f)),
            "struct_expression" => match field("name") {
                Some(name) => self.constructed_type(s, name),
                None => Ty::Unknown,
            },
            "index_expression" => match (standard::deref_all(&first()), node.named_child(1)) {
                (list @ Ty::List(_), Some(index)) if index.kind() == "range_expression" => list,
                (Ty::List(of) | Ty::Map(_, of), _) => *of,
                _ => Ty::Unknown,
            },
            "type_cast_expression" => field("type").map_or(Ty::Unknown, |of| self.ty(s, of)),
            "closure_expression" => Ty::Function(Box::new(typed("body"))),
            "if_expression" => match typed("consequence") {
                Ty::Unknown => typed("alternative"),
                known => known,
            },
            "else_clause" | "unsafe_block" | "async_block" | "expression_statement" | "let_condition" => {
                first()
            }
            "block" => self.last(s, node),
            "match_expression" => {
                let Some(arms) = field("body") else { return Value::Unknown };
                let mut cursor = arms.walk();
                let values: Vec<Node<'_>> = arms
                    .named_children(&mut cursor)
                    .filter_map(|arm| arm.child_by_field_name("value"))
                    .collect();
                let known = values.into_iter().map(|value| self.of(s, value));
                known.into_iter().find(|ty| *ty != Ty::Unknown).unwrap_or(Ty::Unknown)
            }
            "tuple_expression" => {
                let mut cursor = node.walk();
                let inner: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
                Ty::Tuple(inner.into_iter().map(|value| self.of(s, value)).collect())
            }
            "array_expression" => Ty::List(Box::new(first())),
            "range_expression" => Ty::List(Box::new(standard::basic())),
            "binary_expression" => match typed("left") {
                // An operator's result on one of the project's types is up to that type.
                Ty::ProjectType(_) | Ty::Unknown => Ty::Unknown,
                _ => standard::basic(),
            },
            kind if kind.ends_with("_literal") => standard::basic(),
            _ => Ty::Unknown,
        })
    }

    /// The value of a block's last expression.
    fn last(&self, s: &Source, block: Node<'_>) -> Ty {
        let count = u32::try_from(block.named_child_count()).unwrap_or(0);
        match count.checked_sub(1).and_then(|last| block.named_child(last)) {
            Some(last) if !s.text_of(last).ends_with(';') => self.of(s, last),
            _ => Ty::Unknown,
        }
    }

    /// A name alone: a variable, a function, a constant, a struct without fields.
    fn identifier_value(&self, s: &Source, node: Node<'_>) -> Value {
        let name = s.text_of(node);
        if let Some(ty) = self.local(s, node, name) {
            return Value::Of(ty);
        }
        if let Some(row) =
            self.visible_definition(s.file, name, &|row| !row.kind.is_type() && row.kind != Kind::Method)
        {
            return Value::Of(self.declared_type(&row, name));
        }
        match self.named_type(s, node, name) {
            Ty::Foreign(_) | Ty::Unknown => Value::Unknown,
            ty => Value::Type(ty),
        }
    }

    /// What a path names: `Type`, `Type::new`, `module::function`.
    fn path(&self, s: &Source, node: Node<'_>) -> Value {
        self.depth.limited(Value::Unknown, || self.path_of(s, node))
    }

    fn path_of(&self, s: &Source, node: Node<'_>) -> Value {
        match node.kind() {
            "identifier" | "type_identifier" => {
                let name = s.text_of(node);
                // Types and variants are in capitals, modules and crates in small letters.
                if !name.starts_with(char::is_uppercase) {
                    return Value::Unknown;
                }
                return Value::Type(self.named_type(s, node, name));
            }
            "generic_type" | "generic_type_with_turbofish" | "bracketed_type" => {
                return Value::Type(self.ty(s, node));
            }
            "scoped_identifier" | "scoped_type_identifier" => {}
            _ => return Value::Unknown,
        }
        let (Some(path), Some(last)) = (node.child_by_field_name("path"), node.child_by_field_name("name"))
        else {
            return Value::Unknown;
        };
        let name = s.text_of(last);
        if let Value::Type(of) = self.path(s, path) {
            return match self.member(&of, name) {
                Member::Method(_, result) => Value::Of(Ty::Function(Box::new(result))),
                Member::Field(_, ty) => Value::Of(ty),
                // A variant: a value of the type, or what makes one.
                _ if name.starts_with(char::is_uppercase) && of != Ty::Unknown => {
                    let associated = self.associated(&of, name);
                    associated.map_or(Value::Of(Ty::Function(Box::new(of))), Value::Type)
                }
                _ => Value::Of(Ty::Function(Box::new(standard::constructed_type(&of, name)))),
            };
        }
        match self.in_module(s, path, name) {
            Some(row) if row.kind.is_type() => Value::Type(self.alias(&row, name)),
            Some(row) => Value::Of(self.declared_type(&row, name)),
            None if name.starts_with(char::is_uppercase) => Value::Type(Ty::Foreign(name.to_owned())),
            None => Value::Of(Ty::Function(Box::new(Ty::Unknown))),
        }
    }

    /// The type of what is made with fields: of a variant that is its enumeration.
    fn constructed_type(&self, s: &Source, name: Node<'_>) -> Ty {
        match self.path(s, name) {
            Value::Type(ty) => ty,
            Value::Of(Ty::Function(of)) => *of,
            _ => Ty::Unknown,
        }
    }

    fn field(&self, s: &Source, node: Node<'_>) -> Ty {
        let (Some(value), Some(field)) =
            (node.child_by_field_name("value"), node.child_by_field_name("field"))
        else {
            return Ty::Unknown;
        };
        // A method may have the name of a field.
        let of = standard::deref_all(&self.of(s, value));
        let name = s.text_of(field);
        if let Ty::ProjectType(own) = &of
            && let Some(ty) = self.part(own, "", name)
        {
            return ty;
        }
        match self.member(&of, name) {
            Member::Field(_, ty) => ty,
            _ => Ty::Unknown,
        }
    }

    fn call_type(&self, s: &Source, node: Node<'_>) -> Ty {
        let Some(mut function) = node.child_by_field_name("function") else { return Ty::Unknown };
        let arguments = node.child_by_field_name("arguments");
        let argument = || arguments.and_then(|arguments| arguments.named_child(0));
        let mut given = None;
        if function.kind() == "generic_function" {
            given = function.child_by_field_name("type_arguments").and_then(|list| list.named_child(0));
            function = function.child_by_field_name("function").unwrap_or(function);
        }
        if function.kind() == "field_expression" {
            let (Some(value), Some(name)) =
                (function.child_by_field_name("value"), function.child_by_field_name("field"))
            else {
                return Ty::Unknown;
            };
            let name = s.text_of(name);
            if let Some(given) =
                given.filter(|_| matches!(name, "collect" | "parse" | "into" | "downcast_ref" | "sum"))
            {
                let of = self.ty(s, given);
                return match name {
                    "parse" => Ty::Holder("Result".to_owned(), vec![of]),
                    "downcast_ref" => Ty::Holder("Option".to_owned(), vec![of]),
                    _ => of,
                };
            }
            let of = self.of(s, value);
            return match self.member(&of, name) {
                Member::Method(_, result) => result,
                Member::Unknown => Ty::Unknown,
                _ => {
                    let gives = |node: Option<Node<'_>>| node.map_or(Ty::Unknown, |node| self.of(s, node));
                    standard::method(&of, name, || gives(argument()))
                }
            };
        }
        let name = s.text_of(function).rsplit("::").next().unwrap_or_default();
        if matches!(name, "Some" | "Ok" | "Err") {
            let of = argument().map_or(Ty::Unknown, |value| self.of(s, value));
            return match name {
                "Some" => Ty::Holder("Option".to_owned(), vec![of]),
                "Ok" => Ty::Holder("Result".to_owned(), vec![of]),
                _ => Ty::Holder("Result".to_owned(), vec![Ty::Unknown, of]),
            };
        }
        match self.value(s, function) {
            Value::Of(Ty::Function(result)) => match *result {
                // `Arc::new(x)` wraps an `x`.
                Ty::Holder(name, of) if of.is_empty() => {
                    let of = argument().map_or(Ty::Unknown, |value| self.of(s, value));
                    Ty::Holder(name, vec![of])
                }
                result => result,
            },
            Value::Type(ty) => ty,
            _ => Ty::Unknown,
        }
    }

    /// The type of what a definition declares.
    fn declared_type(&self, row: &Row, name: &str) -> Ty {
        self.depth.limited(Ty::Unknown, || {
            let Some(s) = self.facts.source(row.file) else { return Ty::Unknown };
            let Some(node) = s.named_on(row.line, name).and_then(|node| node.parent()) else {
                return Ty::Unknown;
            };
            match node.kind() {
                "function_item" | "function_signature_item" => {
                    let result = node.child_by_field_name("return_type");
                    let result = result.map_or(Ty::Tuple(Vec::new()), |of| self.ty(&s, of));
                    Ty::Function(Box::new(result))
                }
                "const_item" | "static_item" => {
                    node.child_by_field_name("type").map_or(Ty::Unknown, |of| self.ty(&s, of))
                }
                _ => Ty::Unknown,
            }
        })
    }
}

/// A trait method that returns `Self` returns the receiver's type.
fn own_result(result: Ty, trait_: &ProjectType, of: &Ty) -> Ty {
    match result {
        Ty::ProjectType(own) if own == *trait_ => of.clone(),
        Ty::Holder(name, inner) => {
            Ty::Holder(name, inner.into_iter().map(|ty| own_result(ty, trait_, of)).collect())
        }
        other => other,
    }
}
