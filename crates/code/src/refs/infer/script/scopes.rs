//! What a block of statements declares. It's read once, since thousands of names may be asked for in one block.

use std::collections::HashMap;
use std::rc::Rc;

use tree_sitter::Node;

use super::super::lookup::Source;
use super::ty::Place;
use super::{Script, children, is_function};
use crate::define_names::bound_names;

/// What declares each name of a block.
#[derive(Debug, Default)]
pub(super) struct Scope {
    values: HashMap<String, Rc<[Place]>>,
    types: HashMap<String, Rc<[Place]>>,
}

type Found = HashMap<String, Vec<Place>>;

impl Scope {
    fn read(s: &Source, block: Node<'_>) -> Scope {
        let (mut values, mut types) = (Found::new(), Found::new());
        let add = |to: &mut Found, name: Node<'_>, node: Node<'_>| {
            to.entry(s.text_of(name).to_owned()).or_default().push(Place::of(s, node));
        };
        let statements: Vec<Node<'_>> = match block.kind() {
            // What one case declares is seen in the others.
            "switch_body" => children(block).into_iter().flat_map(children).collect(),
            _ => children(block),
        };
        for declared in statements.into_iter().filter_map(declaration) {
            let name = declared.child_by_field_name("name");
            match (declared.kind(), name) {
                ("lexical_declaration" | "variable_declaration", _) => {
                    variables(declared).into_iter().for_each(|own| add(&mut values, own, own));
                }
                (
                    "function_declaration"
                    | "generator_function_declaration"
                    | "function_signature"
                    | "internal_module"
                    | "module",
                    Some(name),
                ) => add(&mut values, name, declared),
                ("class_declaration" | "abstract_class_declaration" | "enum_declaration", Some(name)) => {
                    add(&mut values, name, declared);
                    add(&mut types, name, declared);
                }
                ("interface_declaration" | "type_alias_declaration", Some(name)) => {
                    add(&mut types, name, declared);
                }
                _ => {}
            }
        }
        let is_body = block.parent().is_none_or(|around| is_function(around.kind()));
        if is_body {
            hoisted(block).into_iter().for_each(|own| add(&mut values, own, own));
        }
        Scope { values: shared(values), types: shared(types) }
    }
}

fn shared(found: Found) -> HashMap<String, Rc<[Place]>> {
    found.into_iter().map(|(name, all)| (name, all.into())).collect()
}

impl Script<'_> {
    /// The nodes that declare `name` in a block, or in the file if the block is that: as a type if `types`, else as a value.
    pub(super) fn declared_in(&self, s: &Source, block: Node<'_>, name: &str, types: bool) -> Rc<[Place]> {
        let place = Place::of(s, block);
        let known = self.scopes.borrow().get(&place).cloned();
        let scope = known.unwrap_or_else(|| {
            let scope = Rc::new(Scope::read(s, block));
            self.scopes.borrow_mut().insert(place, Rc::clone(&scope));
            scope
        });
        let of = if types { &scope.types } else { &scope.values };
        of.get(name).cloned().unwrap_or_default()
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

/// The names that a declaration of variables binds.
pub(super) fn variables(declaration: Node<'_>) -> Vec<Node<'_>> {
    let all = children(declaration).into_iter().filter(|one| one.kind() == "variable_declarator");
    all.filter_map(|one| one.child_by_field_name("name")).flat_map(bound_names).collect()
}

/// The names that `var` declares in the blocks inside of a function's: it's seen in all of the function.
fn hoisted(body: Node<'_>) -> Vec<Node<'_>> {
    let inner = |node: Node<'_>| {
        matches!(
            node.kind(),
            "else_clause"
                | "switch_body"
                | "switch_case"
                | "switch_default"
                | "catch_clause"
                | "finally_clause"
                | "statement_block"
        ) || node.kind().ends_with("_statement")
            && !matches!(node.kind(), "expression_statement" | "return_statement" | "export_statement")
    };
    let mut open: Vec<Node<'_>> = children(body).into_iter().filter(|one| inner(*one)).collect();
    let mut out = Vec::new();
    while let Some(node) = open.pop() {
        if node.child_by_field_name("kind").is_some_and(|kind| kind.kind() == "var")
            && let Some(left) = node.child_by_field_name("left")
        {
            out.extend(bound_names(left));
        }
        for one in children(node) {
            if one.kind() == "variable_declaration" {
                out.extend(variables(one));
            } else if inner(one) {
                open.push(one);
            }
        }
    }
    out
}
