//! Infers the types of Go expressions from variable declarations, function results, struct fields and embedding, and which types
//! implement which interfaces.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use tree_sitter::Node;

use super::lookup::{DefinitionLookup, Row, Source};
use super::{Depth, Member, MethodTarget, ProjectType, Ty};
use crate::grammar::Kind;
use crate::imports;

mod locals;
mod types;

/// What a name or an expression denotes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    /// A value of this type.
    Of(Ty),
    /// The type itself.
    Type(Ty),
    /// A package of the project, by its folder.
    Package(String),
    /// A package of elsewhere.
    ForeignPackage(String),
    /// Unknown.
    Unknown,
}

/// Answers about one project's Go.
pub(in crate::refs) struct Go<'a> {
    facts: &'a DefinitionLookup<'a>,
    depth: Depth,
    /// A type's member of a given name.
    members: RefCell<HashMap<(ProjectType, String), Member>>,
    /// The fields of a struct, by its file and where it begins.
    fields: RefCell<HashMap<(usize, usize), Rc<Fields>>>,
}

/// The fields of a struct. Their types are read when they're asked for.
#[derive(Debug, Default)]
struct Fields {
    /// Where the type of each is written.
    named: HashMap<String, Range<usize>>,
    /// Where the types are written that are embedded.
    embedded: Vec<Range<usize>>,
}

impl<'a> Go<'a> {
    pub(in crate::refs) fn new(facts: &'a DefinitionLookup<'a>) -> Go<'a> {
        Go { facts, depth: Depth::default(), members: RefCell::default(), fields: RefCell::default() }
    }

    /// What the name at `node`, after a dot, refers to; `owners` are the types with a method of that name.
    pub(in crate::refs) fn method_target(
        &self,
        s: &Source,
        node: Node<'_>,
        owners: &[ProjectType],
    ) -> MethodTarget {
        let name = s.text_of(node);
        let Some(parent) = node.parent() else { return MethodTarget::Unknown };
        let before = match parent.kind() {
            "selector_expression" => parent.child_by_field_name("operand"),
            "qualified_type" => parent.child_by_field_name("package"),
            _ => None,
        };
        let Some(before) = before else { return MethodTarget::Unknown };
        let of = match self.value(s, before) {
            Value::Package(folder) => return MethodTarget::InPackage(folder),
            Value::ForeignPackage(_) => return MethodTarget::Nothing,
            Value::Unknown => return MethodTarget::Unknown,
            Value::Of(of) | Value::Type(of) => of,
        };
        let receiver = of.clone();
        match self.member(&of, name) {
            Member::Method(of, _) => {
                let related = self.related(&receiver, &of, owners);
                MethodTarget::Method { of, related }
            }
            Member::Unknown => MethodTarget::Unknown,
            Member::Foreign => {
                let Ty::Foreign(foreign) = &of else { return MethodTarget::Nothing };
                // An `error` may be any of them, and a thousand others.
                let asked = foreign != "error" && types::is_method_of(foreign, name);
                if asked && !owners.is_empty() {
                    MethodTarget::Possible(owners.to_vec())
                } else if foreign == "error" && name == "Error" {
                    MethodTarget::Unknown
                } else {
                    MethodTarget::Nothing
                }
            }
            Member::Part((file, line), _) => MethodTarget::Definition(file, line),
            Member::Field(Some(of), _) => MethodTarget::Method { of, related: Vec::new() },
            Member::Field(None, _) | Member::None => MethodTarget::Nothing,
        }
    }

    /// The type that a definition's container names in its file.
    pub(in crate::refs) fn owner(&self, file: usize, name: &str) -> Option<ProjectType> {
        match self.in_package(self.facts.folder(file), name) {
            Value::Type(Ty::ProjectType(own)) => Some(own),
            _ => None,
        }
    }

    /// The other types whose method may be meant: through an interface, those of the types that implement it, and on
    /// such a type, those of the interfaces.
    fn related(&self, receiver: &Ty, of: &ProjectType, owners: &[ProjectType]) -> Vec<ProjectType> {
        let is_interface = |own: &ProjectType| self.interface(own).is_some();
        let through = is_interface(of);
        let mut out = Vec::new();
        for own in owners.iter().filter(|own| *own != of && is_interface(own) != through) {
            let serves = if through {
                self.implements(&Ty::ProjectType(own.clone()), of)
            } else {
                self.implements(receiver, own)
            };
            if serves {
                out.push(own.clone());
            }
        }
        out
    }

    /// Whether a type has all that an interface asks for; a foreign embedded type may bring a method.
    fn implements(&self, ty: &Ty, interface: &ProjectType) -> bool {
        let methods = self.interface(interface).unwrap_or_default();
        methods.iter().all(|name| match self.member(ty, name) {
            Member::Method(of, _) => self.fits(&of, interface, name),
            Member::Foreign => true,
            _ => false,
        })
    }

    /// Whether a type's method may be the one of that name that an interface asks for: it takes and gives as many values, as far as
    /// both can be read.
    fn fits(&self, of: &ProjectType, interface: &ProjectType, name: &str) -> bool {
        let Member::Method(asking, _) = self.member(&Ty::ProjectType(interface.clone()), name) else {
            return true;
        };
        match (self.value_counts(of, name), self.value_counts(&asking, name)) {
            (Some(own), Some(asked)) => own == asked,
            _ => true,
        }
    }

    /// The types of the project that have all methods of an interface; none for one without methods, which every type has.
    pub(in crate::refs) fn implementers(&self, interface: &ProjectType) -> Vec<ProjectType> {
        let methods = self.interface(interface).unwrap_or_default();
        let mut out: Vec<ProjectType> = Vec::new();
        // Embedded types may bring any of the methods, but not all: it has at least one itself.
        let rows: Vec<_> = methods.iter().map(|name| self.facts.rows(name)).collect();
        for row in rows.iter().flat_map(|rows| rows.iter()).filter(|row| row.kind == Kind::Method) {
            let Some(own) = self.owner(row.file, &row.container) else { continue };
            if own != *interface
                && !out.contains(&own)
                && self.interface(&own).is_none()
                && self.implements(&Ty::ProjectType(own.clone()), interface)
            {
                out.push(own);
            }
        }
        out
    }

    /// The type of an expression.
    fn of(&self, s: &Source, node: Node<'_>) -> Ty {
        match self.value(s, node) {
            Value::Of(ty) | Value::Type(ty) => ty,
            _ => Ty::Unknown,
        }
    }

    fn value(&self, s: &Source, node: Node<'_>) -> Value {
        self.depth.limited(Value::Unknown, || self.value_of(s, node))
    }

    fn value_of(&self, s: &Source, node: Node<'_>) -> Value {
        let field = |name: &str| node.child_by_field_name(name);
        let typed = |name: &str| field(name).map_or(Ty::Unknown, |node| self.of(s, node));
        Value::Of(match node.kind() {
            "identifier" | "package_identifier" | "type_identifier" => return self.identifier_value(s, node),
            "parenthesized_expression" | "literal_element" => match node.named_child(0) {
                Some(inner) => return self.value(s, inner),
                None => Ty::Unknown,
            },
            "unary_expression" => match (s.text_of(node).as_bytes().first(), typed("operand")) {
                (Some(b'<'), Ty::Channel(of)) => *of,
                (Some(b'<'), other) => match self.underlying(&other) {
                    Ty::Channel(of) => *of,
                    _ => Ty::Unknown,
                },
                (Some(b'!'), _) => basic(),
                // `*T` may be a type in brackets.
                _ => return field("operand").map_or(Value::Unknown, |inner| self.value(s, inner)),
            },
            "selector_expression" => return self.selector_value(s, node),
            "call_expression" => self.call_type(s, node),
            "composite_literal" => field("type").map_or(Ty::Unknown, |of| self.ty(s, of)),
            "index_expression" => match self.underlying(&typed("operand")) {
                Ty::List(of) | Ty::Map(_, of) => *of,
                // A generic function's type arguments don't change what is known about it.
                function @ Ty::Function(_) => function,
                Ty::Foreign(_) => Ty::Foreign("?".to_owned()),
                _ => Ty::Unknown,
            },
            "slice_expression" => typed("operand"),
            "type_assertion_expression" | "type_conversion_expression" | "type_instantiation_expression" => {
                field("type").map_or(Ty::Unknown, |of| self.ty(s, of))
            }
            "func_literal" => Ty::Function(Box::new(self.result(s, node))),
            "binary_expression" => match typed("left") {
                Ty::Unknown => typed("right"),
                left => left,
            },
            kind if kind.ends_with("_literal") || matches!(kind, "true" | "false" | "nil" | "iota") => {
                if kind == "nil" { Ty::Unknown } else { basic() }
            }
            kind if kind.ends_with("_type") => return Value::Type(self.ty(s, node)),
            _ => Ty::Unknown,
        })
    }

    fn call_type(&self, s: &Source, node: Node<'_>) -> Ty {
        let Some(function) = node.child_by_field_name("function") else { return Ty::Unknown };
        let first = node.child_by_field_name("arguments").and_then(|arguments| arguments.named_child(0));
        match self.value(s, function) {
            Value::Type(ty) => return ty,
            Value::Of(Ty::Unknown) | Value::Unknown => {}
            Value::Of(ty) => {
                return match self.underlying(&ty) {
                    Ty::Function(result) => *result,
                    Ty::Foreign(_) => Ty::Foreign("?".to_owned()),
                    _ => Ty::Unknown,
                };
            }
            Value::Package(_) | Value::ForeignPackage(_) => return Ty::Unknown,
        }
        match (s.text_of(function), first) {
            ("new" | "make", Some(of)) => match self.value(s, of) {
                Value::Type(ty) => ty,
                _ => Ty::Unknown,
            },
            ("append", Some(list)) => self.of(s, list),
            ("len" | "cap" | "copy" | "string" | "int" | "byte" | "rune" | "float64", _) => basic(),
            _ => Ty::Unknown,
        }
    }

    fn selector_value(&self, s: &Source, node: Node<'_>) -> Value {
        let (Some(operand), Some(field)) =
            (node.child_by_field_name("operand"), node.child_by_field_name("field"))
        else {
            return Value::Unknown;
        };
        let name = s.text_of(field);
        match self.value(s, operand) {
            Value::Package(folder) => self.in_package(&folder, name),
            Value::ForeignPackage(package) => Value::Of(Ty::Foreign(format!("{package}.{name}"))),
            Value::Of(of) | Value::Type(of) => Value::Of(match self.member(&of, name) {
                Member::Field(_, ty) | Member::Part(_, ty) => ty,
                Member::Method(_, result) => Ty::Function(Box::new(result)),
                Member::Foreign => Ty::Foreign("?".to_owned()),
                Member::None | Member::Unknown => Ty::Unknown,
            }),
            Value::Unknown => Value::Unknown,
        }
    }

    /// A bare name: a local, something of the package, a package.
    fn identifier_value(&self, s: &Source, node: Node<'_>) -> Value {
        let name = s.text_of(node);
        if node.kind() == "identifier"
            && let Some(ty) = self.local(s, node, name)
        {
            return Value::Of(ty);
        }
        let type_parameter = self.type_parameter(s, node, name);
        if type_parameter {
            return Value::Type(Ty::Unknown);
        }
        match self.in_package(self.facts.folder(s.file), name) {
            Value::Unknown => {}
            found => return found,
        }
        if let Some(package) = self.package(s, name) {
            return package;
        }
        // `import . "path"`
        for import in s.outline.imports.iter().filter(|i| i.bound.iter().any(|(here, _)| here == "*")) {
            if let Some(file) = self.facts.imported(s, import.line).first() {
                match self.in_package(self.facts.folder(*file), name) {
                    Value::Unknown => {}
                    found => return found,
                }
            }
        }
        if types::is_basic(name) { Value::Type(Ty::Foreign(name.to_owned())) } else { Value::Unknown }
    }

    /// The package that a file calls `name`.
    fn package(&self, s: &Source, name: &str) -> Option<Value> {
        for import in &s.outline.imports {
            let called = import.bound.first().map_or("", |(here, _)| here.as_str());
            let files = self.facts.imported(s, import.line);
            // A package's name comes from its files, unless the import gives another.
            let own_name = || files.first().and_then(|file| self.package_name(*file));
            let unnamed = called == imports::go_package(&import.target);
            if called == name || (unnamed && own_name().as_deref() == Some(name)) {
                let home = files.first().map(|file| self.facts.folder(*file).to_owned());
                return Some(home.map_or(Value::ForeignPackage(import.target.clone()), Value::Package));
            }
        }
        None
    }

    fn package_name(&self, file: usize) -> Option<String> {
        let s = self.facts.source(file)?;
        let root = s.tree.root_node();
        let mut cursor = root.walk();
        let clause = root.named_children(&mut cursor).find(|node| node.kind() == "package_clause")?;
        clause.named_child(0).map(|name| s.text_of(name).to_owned())
    }

    /// The package-level definition of `name` in `folder`.
    fn in_package(&self, folder: &str, name: &str) -> Value {
        let rows = self.facts.rows(name);
        let here = |row: &&Row| {
            row.container.is_empty()
                && self.facts.folder(row.file) == folder
                && self.facts.reader.files()[row.file].language == "go"
        };
        let Some(row) = rows.iter().find(here) else { return Value::Unknown };
        self.depth.limited(Value::Unknown, || self.definition_value(row, name))
    }

    fn definition_value(&self, row: &Row, name: &str) -> Value {
        if row.kind.is_type() {
            let own = ProjectType { name: name.to_owned(), file: row.file, line: row.line };
            // An alias denotes its target.
            let alias = self.with_definition(&own, |s, node| {
                let to = node.child_by_field_name("type").filter(|_| node.kind() == "type_alias")?;
                Some(self.ty(s, to))
            });
            return Value::Type(alias.unwrap_or(Ty::ProjectType(own)));
        }
        let Some(s) = self.facts.source(row.file) else { return Value::Unknown };
        let Some(node) = s.named_on(row.line, name) else { return Value::Unknown };
        let Some(parent) = node.parent() else { return Value::Unknown };
        Value::Of(match (row.kind, parent.kind()) {
            (Kind::Function, _) => Ty::Function(Box::new(self.result(&s, parent))),
            (_, "var_spec" | "const_spec") => self.declared_type(&s, parent, node).unwrap_or(Ty::Unknown),
            _ => Ty::Unknown,
        })
    }

    /// Calls a function with the node that defines a type.
    fn with_definition<T>(
        &self,
        own: &ProjectType,
        work: impl FnOnce(&Rc<Source>, Node<'_>) -> Option<T>,
    ) -> Option<T> {
        let s = self.facts.source(own.file)?;
        let node = s.named_on(own.line, &own.name)?.parent()?;
        matches!(node.kind(), "type_spec" | "type_alias").then(|| work(&s, node)).flatten()
    }
}

/// A type of the language itself, without methods.
fn basic() -> Ty {
    Ty::Foreign("int".to_owned())
}
