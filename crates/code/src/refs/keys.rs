//! Tells whether a name is a key, as in a literal's field or a named argument, and so not a use of a definition. Pure.

use tree_sitter::Node;

use crate::parse::slice;

/// Whether a name without receiver is a field's: a key, an attribute, the name of an argument.
pub(super) fn is_key(node: Node<'_>) -> bool {
    let field = |kind: &str, field: &str| {
        node.parent().is_some_and(|p| {
            p.kind() == kind && p.child_by_field_name(field).is_some_and(|n| n.id() == node.id())
        })
    };
    matches!(node.kind(), "property_identifier" | "field_identifier")
        || field("keyword_argument", "name")
        || field("field_initializer", "field")
        || field("pair", "key") && node.kind() != "identifier"
        || matches!(node.kind(), "label_name" | "package_identifier")
        || node.parent().is_some_and(|element| names_field(element))
}

/// The name of the type whose fields a literal's keys are: `T { key: … }`, `T{key: …}`, `T(key=…)`.
pub(super) fn literal_type<'t>(key: Node<'_>, text: &'t str) -> Option<&'t str> {
    let mut around = key.parent();
    for _ in 0..4 {
        let node = around?;
        let of = match node.kind() {
            "struct_expression" => node.child_by_field_name("name"),
            "struct_pattern" | "composite_literal" => node.child_by_field_name("type"),
            "call" => node.child_by_field_name("function"),
            _ => {
                around = node.parent();
                continue;
            }
        };
        let name = slice(of?, text);
        let name = name.split(['<', '[', '{']).next().unwrap_or(name);
        return name.rsplit([':', '.']).next();
    }
    None
}

/// Whether `element` is the key of a field in a literal of Go: `T{Name: …}`, and not of a map or a list.
fn names_field(element: Node<'_>) -> bool {
    let pair =
        element.parent().filter(|pair| element.kind() == "literal_element" && pair.kind() == "keyed_element");
    if pair.and_then(|pair| pair.child_by_field_name("key")).is_none_or(|key| key.id() != element.id()) {
        return false;
    }
    // Inner literals may leave out their type, which is then that of the elements.
    let mut inner = 0;
    let mut at = element;
    while let Some(parent) = at.parent() {
        if parent.kind() == "composite_literal" {
            let mut of = parent.child_by_field_name("type");
            for _ in 1..inner {
                of = of.and_then(|of| {
                    ["value", "element"].iter().find_map(|field| of.child_by_field_name(field))
                });
            }
            return of.is_none_or(|of| {
                !matches!(of.kind(), "map_type" | "slice_type" | "array_type" | "implicit_length_array_type")
            });
        }
        inner += u32::from(parent.kind() == "literal_value");
        at = parent;
    }
    false
}
