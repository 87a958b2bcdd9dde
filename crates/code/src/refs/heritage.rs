//! Tells from a syntax tree whether a name is a type's base (`class A extends B`, `impl B for A`, `include B`), and
//! which modules and traits a type mixes in. Pure.

use tree_sitter::Node;

use crate::define::plain;
use crate::parse::slice;

/// The part of a type's head that names its bases.
const HEADS: &[&str] = &[
    "extends_clause",
    "implements_clause",
    "class_heritage",
    "extends_type_clause",
    "superclass",
    "super_interfaces",
    "extends_interfaces",
    "delegation_specifiers",
    "base_class_clause",
    "base_list",
    "base_clause",
    "class_interface_clause",
    "inheritance_specifier",
];
/// Inside these are arguments, or the type's body.
const OTHERS: &[&str] = &[
    "type_arguments",
    "type_argument_list",
    "template_argument_list",
    "arguments",
    "value_arguments",
    "argument_list",
    "block",
    "statement_block",
    "class_body",
    "declaration_list",
    "field_declaration_list",
    "function_body",
];
/// What takes a module of Ruby in.
const MIXES: &[&str] = &["include", "extend", "prepend"];
/// How far up the definition is looked for.
const MAX_UP: u32 = 12;

/// The name of the type whose base `node` names.
pub(super) fn made_from(node: Node<'_>, language: &str, text: &str) -> Option<String> {
    // In `extends outer.Base`, `outer` isn't the base.
    if text.get(node.end_byte()..)?.trim_start().starts_with(['.', '\\']) {
        return None;
    }
    let mut in_head = false;
    let mut at = node;
    for _ in 0..MAX_UP {
        let parent = at.parent()?;
        let in_field = |field: &str| parent.child_by_field_name(field).is_some_and(|n| n.id() == at.id());
        match (language, parent.kind()) {
            ("rust", "impl_item") => {
                let of = parent.child_by_field_name("type").filter(|_| in_field("trait"))?;
                return last_part(slice(of, text));
            }
            ("rust", "trait_item") if in_field("bounds") => in_head = true,
            ("python", "class_definition") if in_field("superclasses") => in_head = true,
            ("python", "argument_list")
                if parent.parent().is_some_and(|around| around.kind() == "class_definition") => {}
            // A trait of PHP, a module of Ruby.
            ("php", "use_declaration") => in_head = true,
            ("ruby", "argument_list") => {}
            ("ruby", "call") => {
                let method = parent.child_by_field_name("method").map_or("", |method| slice(method, text));
                if !in_field("arguments") || !MIXES.contains(&method) {
                    return None;
                }
                in_head = true;
            }
            (_, kind) if HEADS.contains(&kind) => in_head = true,
            // The subtype there has no name.
            (_, "object_literal" | "anonymous_class") => return None,
            (_, kind) if !in_head && OTHERS.contains(&kind) => return None,
            _ => {}
        }
        if in_head && let Some(name) = parent.child_by_field_name("name").filter(|n| n.id() != at.id()) {
            return last_part(slice(name, text));
        }
        at = parent;
    }
    None
}

/// The modules of Ruby and traits of PHP that the type named at `name` mixes in: `include B`, `use B;`.
pub(super) fn mixed_in(name: Node<'_>, text: &str) -> Vec<String> {
    // `class A::B` has its name a step further down.
    let holds = |node: &Node<'_>| node.child_by_field_name("body").is_some();
    let around = std::iter::successors(name.parent(), Node::parent).take(3).find(holds);
    let Some(body) = around.and_then(|around| around.child_by_field_name("body")) else { return Vec::new() };
    let mut out = Vec::new();
    let mut cursor = body.walk();
    for part in body.named_children(&mut cursor) {
        let taken = match part.kind() {
            "use_declaration" => Some(part),
            "call" => {
                let method = part.child_by_field_name("method").map_or("", |method| slice(method, text));
                let own = part.child_by_field_name("receiver").is_none();
                (own && MIXES.contains(&method)).then(|| part.child_by_field_name("arguments")).flatten()
            }
            _ => None,
        };
        let Some(taken) = taken else { continue };
        let mut cursor = taken.walk();
        let names = taken.named_children(&mut cursor);
        let names = names
            .filter(|one| matches!(one.kind(), "constant" | "scope_resolution" | "name" | "qualified_name"));
        out.extend(names.filter_map(|one| last_part(slice(one, text))));
    }
    out
}

/// The last name of `a::b::C<T>`.
fn last_part(path: &str) -> Option<String> {
    let name = plain(path);
    name.rsplit([':', '.', '\\']).next().filter(|name| !name.is_empty()).map(str::to_owned)
}
