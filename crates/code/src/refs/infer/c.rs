//! Infers which struct of C, or class of C++, an expression is of: from the declarations around it, and from what the index says
//! fields and functions are declared as. Pointers and arrays are what they point to.

use tree_sitter::Node;

use super::MAX_DEPTH;
use super::c_types::{TO_ELEMENT, TO_HELD, aliased_type, head_type, reached, type_in};
use crate::parse::slice;
use crate::refs::syntax_nodes::ancestors;
use crate::refs::types::Types;

/// A file of C or C++ with what tells the types in it.
pub(in crate::refs) struct CSource<'p> {
    pub(in crate::refs) types: &'p Types<'p>,
    pub(in crate::refs) text: &'p str,
    pub(in crate::refs) root: Node<'p>,
    /// The class whose method the place is in, if it's in one.
    pub(in crate::refs) owner: &'p str,
}

impl CSource<'_> {
    /// The names of the type before the `.` or `->` of the field at `node`, the typedef's first; none where the type isn't
    /// known.
    pub(in crate::refs) fn receiver_types(&self, node: Node<'_>) -> Vec<String> {
        // `cart.as<Line>()`
        let named = node.parent().filter(|of| of.kind() == "template_method").unwrap_or(node);
        let access = named.parent().filter(|parent| parent.kind() == "field_expression");
        access.map(|access| self.asked_types(access, 0)).unwrap_or_default()
    }

    /// The names of the type whose member is accessed: of a pointer to it, or of a value that contains one, behind `->`.
    fn asked_types(&self, access: Node<'_>, depth: u32) -> Vec<String> {
        let argument = access.child_by_field_name("argument");
        let Some(name) = argument.and_then(|of| self.type_of(of, depth + 1)) else { return Vec::new() };
        let is_arrow = access.child_by_field_name("operator").is_some_and(|sign| sign.kind() == "->");
        let by = if is_arrow { TO_HELD } else { "." };
        let of = names_of(self.types, name);
        let is_this = argument.is_some_and(|of| of.kind() == "this");
        if is_arrow && !is_this && self.overloads(&of, "operator->") {
            return Vec::new();
        }
        of.into_iter().filter_map(|name| reached(name, by)).collect()
    }

    /// What `*` or `[]` gets from the value that a node takes; `None` where its class says itself what that is.
    fn element(&self, node: Node<'_>, by: &str, operator: &str, depth: u32) -> Option<String> {
        let of = self.type_of(node.child_by_field_name("argument")?, depth + 1)?;
        if self.overloads(&names_of(self.types, of.clone()), operator) {
            return None;
        }
        reached(of, by)
    }

    /// Whether one of these types has such an operator of its own: then a pointer to it can't be told from a value.
    fn overloads(&self, of: &[String], operator: &str) -> bool {
        let all = self.types.signatures(operator);
        all.iter().any(|(container, signature)| {
            let own = container.rsplit('.').next().unwrap_or_default();
            // With a parameter, `*` multiplies.
            let is_meant = operator != "operator*" || signature.replace(' ', "").contains("operator*()");
            is_meant && of.iter().any(|of| of == own)
        })
    }

    fn type_of(&self, node: Node<'_>, depth: u32) -> Option<String> {
        if depth >= MAX_DEPTH {
            return None;
        }
        let inner = |field: &str| self.type_of(node.child_by_field_name(field)?, depth + 1);
        match node.kind() {
            "this" => (!self.owner.is_empty()).then(|| self.owner.to_owned()),
            "identifier" => {
                let name = slice(node, self.text);
                self.declared_around(node).unwrap_or_else(|| declared_elsewhere(self.types, name))
            }
            "parenthesized_expression" => self.type_of(node.named_child(0)?, depth + 1),
            "pointer_expression" if slice(node, self.text).starts_with('*') => {
                self.element(node, TO_HELD, "operator*", depth)
            }
            "pointer_expression" => inner("argument"),
            "subscript_expression" => self.element(node, TO_ELEMENT, "operator[]", depth),
            "cast_expression" | "compound_literal_expression" => {
                type_in(slice(node.child_by_field_name("type")?, self.text))
            }
            "field_expression" => {
                let of = self.asked_types(node, depth);
                self.field_type(&of, slice(node.child_by_field_name("field")?, self.text))
            }
            "call_expression" => {
                let function = node.child_by_field_name("function")?;
                let plain = |of: Node<'_>| slice(of, self.text).split('<').next();
                match function.kind() {
                    "identifier" => declared_elsewhere(self.types, slice(function, self.text)),
                    // `shop::open()`, `Cart::open()`
                    "qualified_identifier" => {
                        let (scope, name) = plain(function)?.rsplit_once("::")?;
                        let scope = scope.rsplit("::").next()?;
                        self.returned(name, &|own| own == scope)
                    }
                    "field_expression" => {
                        let of = self.asked_types(function, depth);
                        let name = plain(function.child_by_field_name("field")?)?;
                        let own = self.returned(name, &|own| of.iter().any(|of| of == own));
                        let inherits = |own: &str| of.iter().any(|of| self.types.is_a(of, own, MAX_DEPTH));
                        own.or_else(|| self.returned(name, &|own| !own.is_empty() && inherits(own)))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The type that all functions called `name` give in what fits.
    fn returned(&self, name: &str, fits: &dyn Fn(&str) -> bool) -> Option<String> {
        let all = self.types.signatures(name);
        let own = all.iter().filter(|(container, _)| fits(container.rsplit('.').next().unwrap_or_default()));
        let mut given: Vec<Option<String>> = own.map(|(_, signature)| head_type(signature, name)).collect();
        given.dedup();
        if given.len() == 1 { given.pop().flatten() } else { None }
    }

    /// The type of a field of a type with any of these names: its own before inherited ones.
    fn field_type(&self, of: &[String], field: &str) -> Option<String> {
        let all = self.types.field_signatures(field);
        let told = |is_of: &dyn Fn(&str) -> bool| {
            all.iter().find_map(|(container, signature)| {
                let own = container.rsplit('.').next().unwrap_or_default();
                is_of(own).then(|| head_type(signature, field)).flatten()
            })
        };
        let inherits = |own: &str| of.iter().any(|of| self.types.is_a(of, own, MAX_DEPTH));
        told(&|own| of.iter().any(|of| of == own)).or_else(|| told(&|own| !own.is_empty() && inherits(own)))
    }

    /// The type from the nearest declaration before a name, in its function or its file: `None` if nothing declares
    /// the name, and no type if the declaration doesn't state one, as with `auto`.
    fn declared_around(&self, node: Node<'_>) -> Option<Option<String>> {
        let name = slice(node, self.text);
        let mut at = node;
        for around in ancestors(self.root, node).into_iter().rev() {
            // A member comes before names outside the type.
            if matches!(around.kind(), "declaration_list" | "translation_unit")
                && !self.owner.is_empty()
                && let Some(own) = self.field_type(&[self.owner.to_owned()], name)
            {
                return Some(Some(own));
            }
            if let Some(words) = declared_in(around, at, name, self.text) {
                return Some(type_in(words));
            }
            at = around;
        }
        None
    }
}

/// A type's name and the names it's an alias of.
fn names_of(types: &Types<'_>, name: String) -> Vec<String> {
    let mut out = vec![name];
    while out.len() < 4 {
        let last = out.last().map(String::as_str).unwrap_or_default();
        let of = types.signatures(last).into_iter().find_map(|(_, signature)| aliased_type(&signature, last));
        match of {
            Some(of) if !out.contains(&of) => out.push(of),
            _ => break,
        }
    }
    out
}

/// The words of the type that one of the nodes around a name gives it, to what is in `at`.
fn declared_in<'t>(around: Node<'_>, at: Node<'_>, name: &str, text: &'t str) -> Option<&'t str> {
    let is_at = |field: &str| around.child_by_field_name(field).is_some_and(|n| n.id() == at.id());
    let type_words = |node: Node<'_>| node.child_by_field_name("type").map_or("", |of| slice(of, text));
    let parameters = |of: Node<'_>| parameter(of, name, text).map(type_words);
    match around.kind() {
        // `for (T x : all)`
        "for_range_loop" if !is_at("right") && declares(around, name, text) => {
            return Some(type_words(around));
        }
        // `if (T *x = make())`
        "if_statement" | "while_statement" | "switch_statement" if !is_at("condition") => {
            return around
                .child_by_field_name("condition")
                .and_then(|of| declaration_in(of, None, name, text));
        }
        "catch_clause" => return around.child_by_field_name("parameters").and_then(parameters),
        "lambda_expression" => return around.child_by_field_name("declarator").and_then(parameters),
        "function_definition" => {
            if let Some(found) = around.child_by_field_name("declarator").and_then(parameters) {
                return Some(found);
            }
            // Declarations between the head and the body, in C from before 1989.
            return declaration_in(around, None, name, text);
        }
        _ => {}
    }
    declaration_in(around, Some(at), name, text)
}

/// The words of the type that the last declaration in `block` before `at` gives a name.
fn declaration_in<'t>(block: Node<'_>, at: Option<Node<'_>>, name: &str, text: &'t str) -> Option<&'t str> {
    let mut cursor = block.walk();
    let before = |child: &Node<'_>| at.is_none_or(|at| child.start_byte() < at.start_byte());
    let mut found = None;
    for child in block.named_children(&mut cursor).take_while(before) {
        let child = match child.kind() {
            // `if (T x = make(); x.fits())`
            "init_statement" => child.named_child(0).unwrap_or(child),
            _ => child,
        };
        // `T x(y);` in a function is a variable.
        let is_local = block.kind() == "compound_statement";
        if child.kind() == "declaration"
            && (declares(child, name, text) || is_local && constructs(child, name, text))
        {
            found = Some(child.child_by_field_name("type").map_or("", |of| slice(of, text)));
        }
    }
    found
}

/// Whether one of a declaration's declarators has this name.
fn declares(declaration: Node<'_>, name: &str, text: &str) -> bool {
    let mut cursor = declaration.walk();
    declaration.children_by_field_name("declarator", &mut cursor).any(|declarator| {
        // `auto [a, b] = make()`
        let inner = declarator.child_by_field_name("declarator").unwrap_or(declarator);
        if inner.kind() == "structured_binding_declarator" {
            let mut cursor = inner.walk();
            return inner.named_children(&mut cursor).any(|one| slice(one, text) == name);
        }
        declared_name(declarator, text) == Some(name)
    })
}

/// Whether a declaration is `T name(…)`, which a grammar can't tell from that of a function.
fn constructs(declaration: Node<'_>, name: &str, text: &str) -> bool {
    let declarator = declaration.child_by_field_name("declarator");
    let inner = declarator
        .filter(|declarator| declarator.kind() == "function_declarator")
        .and_then(|declarator| declarator.child_by_field_name("declarator"));
    inner.is_some_and(|inner| inner.kind() == "identifier" && slice(inner, text) == name)
}

fn declared_name<'t>(declarator: Node<'_>, text: &'t str) -> Option<&'t str> {
    let mut at = declarator;
    for _ in 0..8 {
        match at.kind() {
            "identifier" | "field_identifier" => return Some(slice(at, text)),
            "function_declarator" => return None,
            _ => at = at.child_by_field_name("declarator").or_else(|| at.named_child(0))?,
        }
    }
    None
}

/// The parameter of this name, of a function, a lambda or a `catch`.
fn parameter<'t>(declarator: Node<'t>, name: &str, text: &str) -> Option<Node<'t>> {
    let mut at = declarator;
    while !matches!(at.kind(), "function_declarator" | "abstract_function_declarator" | "parameter_list") {
        at = at.child_by_field_name("declarator")?;
    }
    let parameters = if at.kind() == "parameter_list" { at } else { at.child_by_field_name("parameters")? };
    let mut cursor = parameters.walk();
    parameters
        .named_children(&mut cursor)
        .find(|one| one.child_by_field_name("declarator").and_then(|d| declared_name(d, text)) == Some(name))
}

/// The type that all definitions of a function or variable agree on.
fn declared_elsewhere(types: &Types<'_>, name: &str) -> Option<String> {
    let all = types.signatures(name);
    let mut found: Vec<String> = all.iter().filter_map(|(_, signature)| head_type(signature, name)).collect();
    found.dedup();
    if found.len() == 1 { found.pop() } else { None }
}
