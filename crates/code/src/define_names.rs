//! Finds the nodes that name what a node defines, where that isn't a single field: JavaScript patterns, C declarators,
//! Ruby accessors, C++ macros in place of functions. Pure.

use tree_sitter::Node;

use crate::parse::slice;

/// The maximum number of names read from one statement: `int a, b, c;`.
pub(crate) const MAX_NAMES: usize = 200;

/// What a macro of C++ makes where a function would be, `TEST(Suite, name) { … }`: its container, and its own name.
pub(crate) fn made_by_macro<'t>(node: Node<'t>, text: &str) -> Option<(Option<Node<'t>>, Node<'t>)> {
    let head = node.child_by_field_name("declarator").filter(|head| head.kind() == "function_declarator")?;
    let called = head.child_by_field_name("declarator").filter(|name| name.kind() == "identifier")?;
    if node.child_by_field_name("type").is_some() || !is_upper_case(slice(called, text)) {
        return None;
    }
    let list = head.child_by_field_name("parameters")?;
    let mut cursor = list.walk();
    let words: Vec<Node<'t>> = list
        .named_children(&mut cursor)
        .map(|one| {
            let alone = one.named_child_count() == 1;
            one.child_by_field_name("type").filter(|of| alone && of.kind() == "type_identifier")
        })
        .collect::<Option<_>>()?;
    let (made, before) = words.split_last()?;
    Some((before.first().copied(), *made))
}

/// The names that `const { a, b: c, ...d } = value` makes; names that are taken from a module this way are imported,
/// not defined.
pub(crate) fn destructured<'t>(declarator: Node<'t>, pattern: Node<'t>, text: &str) -> Vec<Node<'t>> {
    let value = declarator.child_by_field_name("value").map_or("", |value| slice(value, text));
    let value = value.trim_start_matches("await ");
    if value.starts_with("require(") || value.starts_with("import(") {
        return Vec::new();
    }
    let mut names = bound_names(pattern);
    names.truncate(MAX_NAMES);
    names
}

/// The names that a pattern or a list of parameters of JavaScript binds.
pub(crate) fn bound_names(pattern: Node<'_>) -> Vec<Node<'_>> {
    let (mut open, mut out) = (vec![pattern], Vec::new());
    while let Some(node) = open.pop() {
        match node.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => out.push(node),
            "pair_pattern" => open.extend(node.child_by_field_name("value")),
            "assignment_pattern" | "object_assignment_pattern" => {
                open.extend(node.child_by_field_name("left"));
            }
            "required_parameter" | "optional_parameter" => open.extend(node.child_by_field_name("pattern")),
            "formal_parameters" | "object_pattern" | "array_pattern" | "rest_pattern" => {
                let mut cursor = node.walk();
                open.extend(node.named_children(&mut cursor));
            }
            _ => {}
        }
    }
    out
}

/// The name inside a declarator of C, C++ or Java, and whether a function is declared.
pub(crate) fn declared_name(declarator: Node<'_>) -> Option<(Node<'_>, bool)> {
    let mut at = declarator;
    let mut function = false;
    for _ in 0..12 {
        match at.kind() {
            "function_declarator" => function = true,
            // `int (*read)(void)` is a pointer.
            "pointer_declarator" if function => function = false,
            _ => {}
        }
        at = match at.kind() {
            "identifier"
            | "field_identifier"
            | "type_identifier"
            | "qualified_identifier"
            | "operator_name"
            | "destructor_name"
            | "template_function" => return Some((at, function)),
            "variable_declarator" => at.child_by_field_name("name")?,
            _ => match at.child_by_field_name("declarator") {
                Some(inner) => inner,
                None => at.named_child(0)?,
            },
        };
    }
    None
}

/// The names for which Ruby's `attr_reader` and its like make methods.
pub(crate) fn accessors<'t>(call: Node<'t>, text: &str) -> Vec<Node<'t>> {
    let method = call.child_by_field_name("method").map_or("", |method| slice(method, text));
    if call.child_by_field_name("receiver").is_some()
        || !matches!(method, "attr_reader" | "attr_writer" | "attr_accessor")
    {
        return Vec::new();
    }
    let Some(arguments) = call.child_by_field_name("arguments") else { return Vec::new() };
    let mut cursor = arguments.walk();
    let names = arguments.named_children(&mut cursor).filter(|name| name.kind() == "simple_symbol");
    names.take(MAX_NAMES).collect()
}

/// `MAX_SIZE`, the spelling of a constant where the language has no keyword for it.
pub(crate) fn is_upper_case(name: &str) -> bool {
    name.len() > 1 && name.contains(char::is_uppercase) && !name.contains(char::is_lowercase)
}
