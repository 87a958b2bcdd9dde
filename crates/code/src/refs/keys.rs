//! Tells whether a name is a key, as in a literal's field or a named argument, and therefore not a use of a
//! definition. Pure.

use tree_sitter::Node;

use crate::parse::slice;

/// A literal further outside doesn't determine a key's type.
const MAX_AROUND: u32 = 8;
/// Nor are Go literals followed that are nested deeper.
const MAX_NESTED: u32 = 60;

/// Whether a name without receiver is a field's: a key, an attribute, the name of an argument.
pub(super) fn is_key(node: Node<'_>, language: &str) -> bool {
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
        || field("argument", "name")
        || field("element_value_pair", "key")
        || field("parameter", "external_name")
        || node.parent().is_some_and(|parent| is_label(node, parent, language) || names_field(parent))
}

/// Whether a name is a field and the variable of that name in one, in a literal or a pattern: `Cart { total }` of Rust, `{ total }` of
/// TypeScript.
pub(super) fn is_shorthand(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "shorthand_field_identifier"
            | "shorthand_property_identifier"
            | "shorthand_property_identifier_pattern"
    ) || node.parent().is_some_and(|parent| parent.kind() == "shorthand_field_initializer")
}

/// Whether a name is what a constructor of C++ initialises in front of its body.
pub(super) fn is_initialized(node: Node<'_>) -> bool {
    node.parent()
        .is_some_and(|parent| parent.kind() == "field_initializer" && parent.named_child(0) == Some(node))
}

/// Whether a name says which argument or member a value is for: `f(name = …)`, `f(name: …)`, `new T { Name = … }`.
fn is_label(node: Node<'_>, parent: Node<'_>, language: &str) -> bool {
    let before = |sign: &str| node.next_sibling().is_some_and(|next| next.kind() == sign);
    let is_inside = |kind: &str| parent.parent().is_some_and(|around| around.kind() == kind);
    match parent.kind() {
        // Swift
        "value_argument_label" => true,
        // Kotlin
        "value_argument" => before("="),
        // A pattern of C#
        "subpattern" => before(":"),
        // An argument of Scala, a member of C#
        "assignment_expression" => {
            let is_left = parent.child_by_field_name("left").is_some_and(|left| left.id() == node.id());
            is_left && (language == "scala" && is_inside("arguments") || is_inside("initializer_expression"))
        }
        _ => false,
    }
}

/// The name of the type whose fields a literal's keys are: `T { key: … }`, `T{key: …}`, `T(key=…)`, `T one = { .key = … }`.
pub(super) fn literal_type<'t>(key: Node<'_>, text: &'t str) -> Option<&'t str> {
    let (mut around, mut inner) = (key.parent(), 0);
    let is_argument = around.is_some_and(|around| around.kind() == "value_argument");
    for _ in 0..MAX_AROUND {
        let node = around?;
        let of = match node.kind() {
            "struct_expression" => node.child_by_field_name("name"),
            "struct_pattern" | "object_creation_expression" | "recursive_pattern" => {
                node.child_by_field_name("type")
            }
            "composite_literal" => elements(node, inner),
            "call" => node.child_by_field_name("function"),
            "annotation" => node.child_by_field_name("name"),
            // Of C. A literal in another one is a field's, or one of an array's.
            "compound_literal_expression" => node.child_by_field_name("type").filter(|_| inner == 1),
            "init_declarator" => {
                let declaration = node.parent().filter(|_| inner == 1 + dimensions(node));
                declaration.and_then(|of| of.child_by_field_name("type"))
            }
            // A Kotlin property is named where an object is constructed: `Cart(total = 3)`.
            "call_expression" | "constructor_invocation" if is_argument => node.named_child(0),
            // Keys in another member's value belong to that member's type.
            "assignment_expression" if inner > 0 => return None,
            "argument" | "implicit_object_creation_expression" => return None,
            kind => {
                let is_list = matches!(kind, "literal_value" | "initializer_expression" | "initializer_list");
                inner += u32::from(is_list);
                around = node.parent();
                continue;
            }
        };
        let name = slice(of?, text).trim_start_matches('*');
        let name = name.split(['<', '[', '{']).next().unwrap_or(name).trim_end();
        // `struct cart`
        return name.rsplit([':', '.', ' ']).next();
    }
    None
}

/// How many dimensions the array has that a declarator of C declares.
fn dimensions(declarator: Node<'_>) -> u32 {
    let mut at = declarator.child_by_field_name("declarator");
    let mut count = 0;
    while let Some(array) = at.filter(|of| of.kind() == "array_declarator" && count < MAX_AROUND) {
        count += 1;
        at = array.child_by_field_name("declarator");
    }
    count
}

/// The type of what is in the literal `of` of Go, as many literals deep: inner ones may leave out their type, which is then that
/// of the elements.
fn elements(of: Node<'_>, deep: u32) -> Option<Node<'_>> {
    let mut kind = of.child_by_field_name("type");
    for _ in 1..deep {
        kind = kind
            .and_then(|kind| ["value", "element"].iter().find_map(|field| kind.child_by_field_name(field)));
    }
    kind
}

/// Whether `element` is the key of a field in a literal of Go: `T{Name: …}`, and not of a map or a list.
fn names_field(element: Node<'_>) -> bool {
    let pair =
        element.parent().filter(|pair| element.kind() == "literal_element" && pair.kind() == "keyed_element");
    if pair.and_then(|pair| pair.child_by_field_name("key")).is_none_or(|key| key.id() != element.id()) {
        return false;
    }
    let mut inner = 0;
    let mut at = element;
    for _ in 0..MAX_NESTED {
        let Some(parent) = at.parent() else { return false };
        if parent.kind() == "composite_literal" {
            return elements(parent, inner).is_none_or(|of| {
                !matches!(of.kind(), "map_type" | "slice_type" | "array_type" | "implicit_length_array_type")
            });
        }
        inner += u32::from(parent.kind() == "literal_value");
        at = parent;
    }
    false
}
