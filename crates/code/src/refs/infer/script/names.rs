//! Finds what a name means at a place: what declares it in its file, and through imports in others. Values and types have names of
//! their own, beside each other.

use std::rc::Rc;

use tree_sitter::Node;

use super::super::super::syntax_nodes::ancestors;
use super::super::lookup::Source;
use super::ty::{Parameter, Place};
use super::{Script, children, is_function};
use crate::imports::{DEFAULT, WHOLE};

/// How many files may pass a name on before it arrives.
const MAX_PASSES: u32 = 8;
/// A pattern isn't read that has more parts.
const MAX_PATTERN: usize = 200;

/// The meaning of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Name {
    /// These nodes declare it: a declaration, or the name itself in a pattern.
    Declared(Rc<[Place]>),
    /// A type's parameter.
    Parameter(Parameter),
    /// All that a file exports.
    Module(usize),
    /// It's imported from outside of the project.
    Outside,
    /// Nothing in sight declares it.
    Undeclared,
}

impl Script<'_> {
    /// What `name` means at a node: a type if `types`, else a value.
    pub(super) fn meaning(&self, s: &Source, node: Node<'_>, name: &str, types: bool) -> Name {
        for around in ancestors(s.tree.root_node(), node).into_iter().rev() {
            let field = |field: &str| around.child_by_field_name(field);
            let listed = || field("type_parameters").and_then(|list| parameter(s, list, name));
            let own = |is_own: bool| {
                let called = is_own && field("name").is_some_and(|own| s.text_of(own) == name);
                called.then(|| Name::Declared([Place::of(s, around)].into()))
            };
            let bound = |pattern: Option<Node<'_>>| {
                let bound = pattern.filter(|_| !types).and_then(|pattern| bound_in(s, pattern, name));
                bound.map(|bound| Name::Declared([Place::of(s, bound)].into()))
            };
            let found = match around.kind() {
                "program" | "statement_block" | "switch_case" | "switch_default" | "class_static_block" => {
                    let places = self.declared_in(s, around, name, types);
                    (!places.is_empty()).then_some(Name::Declared(places))
                }
                "class" => listed().filter(|_| types).or_else(|| own(true)),
                "class_declaration"
                | "abstract_class_declaration"
                | "interface_declaration"
                | "type_alias_declaration" => listed().filter(|_| types),
                "for_in_statement" => bound(field("left").filter(|_| field("kind").is_some())),
                "for_statement" => {
                    let declared = field("initializer").filter(|_| !types);
                    declared
                        .and_then(|of| declarator(s, of, name))
                        .map(|bound| Name::Declared([Place::of(s, bound)].into()))
                }
                "catch_clause" => bound(field("parameter")),
                "index_signature" => {
                    let mapped = children(around).into_iter().find(|one| one.kind() == "mapped_type_clause");
                    let own = mapped.and_then(|clause| clause.child_by_field_name("name"));
                    own.filter(|own| types && s.text_of(*own) == name).map(|_| Name::Undeclared)
                }
                "conditional_type" => field("right")
                    .filter(|_| types)
                    .and_then(|right| inferred(s, right, name))
                    .map(|_| Name::Undeclared),
                kind if is_function(kind) => {
                    let list = field("parameters").or_else(|| field("parameter"));
                    listed().filter(|_| types).or_else(|| bound(list)).or_else(|| {
                        own(!types && matches!(kind, "function_expression" | "generator_function"))
                    })
                }
                _ => None,
            };
            if let Some(found) = found {
                return found;
            }
        }
        self.imported(s, name, types)
    }

    /// The nodes that declare `name` in a block, or in the file if the block is that.
    pub(super) fn declared_in(&self, s: &Source, block: Node<'_>, name: &str, types: bool) -> Rc<[Place]> {
        let key = (Place::of(s, block), name.to_owned(), types);
        if let Some(known) = self.declared.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut found: Vec<Place> = Vec::new();
        for statement in children(block) {
            let Some(declaration) = declaration(statement) else { continue };
            let is_called =
                || declaration.child_by_field_name("name").is_some_and(|own| s.text_of(own) == name);
            let node = match declaration.kind() {
                "lexical_declaration" | "variable_declaration" if !types => declarator(s, declaration, name),
                "function_declaration"
                | "generator_function_declaration"
                | "function_signature"
                | "internal_module"
                | "module"
                    if !types =>
                {
                    is_called().then_some(declaration)
                }
                "class_declaration" | "abstract_class_declaration" | "enum_declaration" => {
                    is_called().then_some(declaration)
                }
                "interface_declaration" | "type_alias_declaration" if types => {
                    is_called().then_some(declaration)
                }
                _ => None,
            };
            found.extend(node.map(|node| Place::of(s, node)));
        }
        let found: Rc<[Place]> = found.into();
        self.declared.borrow_mut().insert(key, Rc::clone(&found));
        found
    }

    /// What a file imports under a name.
    fn imported(&self, s: &Source, name: &str, types: bool) -> Name {
        let bound = s.outline.imports.iter().find_map(|import| {
            let bound = import.bound.iter().find(|(here, _)| here == name);
            bound.map(|(_, there)| (import.line, there.as_str()))
        });
        let Some((line, there)) = bound else { return Name::Undeclared };
        let files = self.facts.imported(s, line);
        let Some(file) = files.first() else { return Name::Outside };
        match there {
            WHOLE => Name::Module(*file),
            there => self.exported(*file, there, types, MAX_PASSES),
        }
    }

    /// What a file exports under a name.
    pub(super) fn exported(&self, file: usize, name: &str, types: bool, passes: u32) -> Name {
        let Some(s) = self.facts.source(file).filter(|_| passes > 0) else { return Name::Undeclared };
        let root = s.tree.root_node();
        let own = |own: &str| {
            let places = self.declared_in(&s, root, own, types);
            if places.is_empty() { self.imported(&s, own, types) } else { Name::Declared(places) }
        };
        if let Some(export) = s.outline.exports.iter().find(|export| export.given == name) {
            if !export.from {
                return own(&export.own);
            }
            let files = self.facts.imported(&s, export.line);
            let Some(file) = files.first() else { return Name::Outside };
            return match export.own.as_str() {
                WHOLE => Name::Module(*file),
                there => self.exported(*file, there, types, passes - 1),
            };
        }
        if name == DEFAULT {
            return default_value(root)
                .map_or(Name::Undeclared, |value| Name::Declared([Place::of(&s, value)].into()));
        }
        let places = self.declared_in(&s, root, name, types);
        if !places.is_empty() {
            return Name::Declared(places);
        }
        let passed = s.outline.imports.iter().filter(|import| import.passed_on && import.names.is_empty());
        for import in passed {
            for file in self.facts.imported(&s, import.line) {
                let found = self.exported(file, name, types, passes - 1);
                if !matches!(found, Name::Undeclared | Name::Outside) {
                    return found;
                }
            }
        }
        Name::Undeclared
    }
}

/// The declaration that a statement makes, exports or says is elsewhere.
fn declaration(statement: Node<'_>) -> Option<Node<'_>> {
    match statement.kind() {
        "export_statement" => {
            let declared = statement.child_by_field_name("declaration")?;
            if declared.kind() == "ambient_declaration" { declaration(declared) } else { Some(declared) }
        }
        "ambient_declaration" => children(statement).into_iter().next(),
        "expression_statement" => {
            children(statement).into_iter().next().filter(|inner| inner.kind() == "internal_module")
        }
        _ => Some(statement),
    }
}

/// The value, class or function that a file exports without a name.
fn default_value(root: Node<'_>) -> Option<Node<'_>> {
    let exports = children(root).into_iter().filter(|one| one.kind() == "export_statement");
    let mut defaults = exports.filter(|one| super::has_word(*one, "default"));
    let one = defaults.next()?;
    one.child_by_field_name("value").or_else(|| one.child_by_field_name("declaration"))
}

/// The name in a declaration of variables.
fn declarator<'t>(s: &Source, declaration: Node<'t>, name: &str) -> Option<Node<'t>> {
    let all = children(declaration).into_iter().filter(|one| one.kind() == "variable_declarator");
    all.filter_map(|one| one.child_by_field_name("name")).find_map(|pattern| bound_in(s, pattern, name))
}

/// The place where a pattern or a list of parameters binds a name.
fn bound_in<'t>(s: &Source, pattern: Node<'t>, name: &str) -> Option<Node<'t>> {
    let mut open = vec![pattern];
    for _ in 0..MAX_PATTERN {
        let node = open.pop()?;
        match node.kind() {
            "identifier" | "shorthand_property_identifier_pattern" if s.text_of(node) == name => {
                return Some(node);
            }
            "pair_pattern" => open.extend(node.child_by_field_name("value")),
            "assignment_pattern" | "object_assignment_pattern" => {
                open.extend(node.child_by_field_name("left"));
            }
            "required_parameter" | "optional_parameter" => open.extend(node.child_by_field_name("pattern")),
            "formal_parameters" | "object_pattern" | "array_pattern" | "rest_pattern" => {
                open.extend(children(node));
            }
            _ => {}
        }
    }
    None
}

/// The parameter of a type in a list.
fn parameter(s: &Source, list: Node<'_>, name: &str) -> Option<Name> {
    let is_called =
        |one: &Node<'_>| one.child_by_field_name("name").is_some_and(|own| s.text_of(own) == name);
    let one = children(list).into_iter().find(is_called)?;
    Some(Name::Parameter(Parameter::Declared(s.file, one.start_byte())))
}

/// `infer Name` in a condition.
fn inferred<'t>(s: &Source, condition: Node<'t>, name: &str) -> Option<Node<'t>> {
    let mut open = vec![condition];
    for _ in 0..MAX_PATTERN {
        let node = open.pop()?;
        if node.kind() == "infer_type" && children(node).first().is_some_and(|own| s.text_of(*own) == name) {
            return Some(node);
        }
        open.extend(children(node));
    }
    None
}
