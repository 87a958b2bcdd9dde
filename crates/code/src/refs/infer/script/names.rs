//! Finds what a name means at a place: what declares it in its file, and through imports in others. Values and types have names of
//! their own, beside each other.

use std::collections::HashSet;
use std::rc::Rc;

use tree_sitter::Node;

use super::super::super::syntax_nodes::ancestors;
use super::super::lookup::Source;
use super::scopes::variables;
use super::ty::{Parameter, Place};
use super::{Script, children, is_function, only_child};
use crate::define_names::bound_names;
use crate::imports::{DEFAULT, Import, WHOLE};

/// How many files may pass a name on before it arrives.
const MAX_PASSES: u32 = 8;
/// A condition isn't read for `infer` that has more parts.
const MAX_PARTS: usize = 200;

/// The files that were asked for what they export, each with the name.
type Asked = HashSet<(usize, String)>;

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
                let bound = pattern.filter(|_| !types).map(bound_names).unwrap_or_default();
                called_in(s, &bound, name)
            };
            let found = match around.kind() {
                "program" | "statement_block" | "switch_body" => {
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
                    called_in(s, &declared.map(variables).unwrap_or_default(), name)
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
                    .map(|node| Name::Parameter(Parameter::Declared(s.file, node.start_byte()))),
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

    /// What a file imports under a name.
    fn imported(&self, s: &Source, name: &str, types: bool) -> Name {
        let key = (s.file, name.to_owned(), types);
        if let Some(known) = self.imports.borrow().get(&key) {
            return known.clone();
        }
        let found = self.imported_past(s, name, types, MAX_PASSES, &mut Asked::new());
        self.imports.borrow_mut().insert(key, found.clone());
        found
    }

    /// The same, past the files that were asked already.
    fn imported_past(&self, s: &Source, name: &str, types: bool, passes: u32, asked: &mut Asked) -> Name {
        let bound = |import: &Import| {
            let there = import.bound.iter().find(|(here, _)| here == name);
            there.map(|(_, there)| (import.line, there.clone()))
        };
        let Some((line, there)) = s.outline.imports.iter().find_map(bound) else { return Name::Undeclared };
        // In a text without line breaks, one line imports several files.
        let files = self.facts.imported(s, line);
        let Some(first) = files.first() else { return Name::Outside };
        if there == WHOLE {
            return Name::Module(*first);
        }
        let mut found = files.iter().map(|file| self.exported_past(*file, &there, types, passes, asked));
        found.find(|found| *found != Name::Undeclared).unwrap_or(Name::Undeclared)
    }

    /// What a file exports under a name.
    pub(super) fn exported(&self, file: usize, name: &str, types: bool) -> Name {
        let key = (file, name.to_owned(), types);
        if let Some(known) = self.exports.borrow().get(&key) {
            return known.clone();
        }
        let found = self.exported_past(file, name, types, MAX_PASSES, &mut Asked::new());
        self.exports.borrow_mut().insert(key, found.clone());
        found
    }

    /// The same, past the files that were asked already: those that pass names on to each other are asked once.
    fn exported_past(&self, file: usize, name: &str, types: bool, passes: u32, asked: &mut Asked) -> Name {
        if passes == 0 || !asked.insert((file, name.to_owned())) {
            return Name::Undeclared;
        }
        let Some(s) = self.source(file) else { return Name::Undeclared };
        let root = s.tree.root_node();
        if let Some(export) = s.outline.exports.iter().find(|export| export.given == name) {
            if export.from {
                let files = self.facts.imported(&s, export.line);
                let Some(file) = files.first() else { return Name::Outside };
                return match export.own.as_str() {
                    WHOLE => Name::Module(*file),
                    there => self.exported_past(*file, there, types, passes - 1, asked),
                };
            }
            let places = self.declared_in(&s, root, &export.own, types);
            if !places.is_empty() {
                return Name::Declared(places);
            }
            let found = self.imported_past(&s, &export.own, types, passes - 1, asked);
            // A default without a name is called like its file, where nothing is declared that is called so.
            if name != DEFAULT || found != Name::Undeclared {
                return found;
            }
        }
        if name == WHOLE {
            return Name::Undeclared;
        }
        if name == DEFAULT {
            return default_value(root)
                .map_or(Name::Undeclared, |value| Name::Declared([Place::of(&s, value)].into()));
        }
        let places = self.declared_in(&s, root, name, types);
        if !places.is_empty() {
            return Name::Declared(places);
        }
        if let Some(line) = passed_as(&s, root, name) {
            return self.facts.imported(&s, line).first().map_or(Name::Outside, |file| Name::Module(*file));
        }
        let passed = s.outline.imports.iter().filter(|import| import.passed_on && import.names.is_empty());
        let mut files: Vec<usize> = passed.flat_map(|import| self.facts.imported(&s, import.line)).collect();
        // Of hundreds of files only the one is read that has the name, if there's such a one.
        let rows = self.facts.rows(name);
        files.sort_by_key(|file| !rows.iter().any(|row| row.file == *file));
        let mut found =
            files.into_iter().map(|file| self.exported_past(file, name, types, passes - 1, asked));
        found.find(|found| !matches!(found, Name::Undeclared | Name::Outside)).unwrap_or(Name::Undeclared)
    }
}

/// The line that passes all of another file on by this name: `export * as name from './cart'`.
fn passed_as(s: &Source, root: Node<'_>, name: &str) -> Option<u32> {
    let mut exports = children(root).into_iter().filter(|one| one.kind() == "export_statement");
    let is_called = |one: &Node<'_>| {
        let passed = children(*one).into_iter().find(|part| part.kind() == "namespace_export");
        passed.and_then(only_child).is_some_and(|own| s.text_of(own) == name)
    };
    let one = exports.find(is_called)?;
    u32::try_from(one.start_position().row + 1).ok()
}

/// The value, class or function that a file exports without a name.
fn default_value(root: Node<'_>) -> Option<Node<'_>> {
    let exports = children(root).into_iter().filter(|one| one.kind() == "export_statement");
    let mut defaults = exports.filter(|one| super::has_word(*one, "default"));
    let one = defaults.next()?;
    one.child_by_field_name("value").or_else(|| one.child_by_field_name("declaration"))
}

/// The one of these names that is `name`.
fn called_in(s: &Source, names: &[Node<'_>], name: &str) -> Option<Name> {
    let found = names.iter().find(|one| s.text_of(**one) == name)?;
    Some(Name::Declared([Place::of(s, *found)].into()))
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
    for _ in 0..MAX_PARTS {
        let node = open.pop()?;
        if node.kind() == "infer_type" && children(node).first().is_some_and(|own| s.text_of(*own) == name) {
            return Some(node);
        }
        open.extend(children(node));
    }
    None
}
