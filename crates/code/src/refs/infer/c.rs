//! Infers which struct of C, or class of C++, an expression is of: from the declarations around it, and from what the index says
//! fields and functions are declared as. Pointers and arrays are what they point to.

use tree_sitter::Node;

use super::MAX_DEPTH;
use crate::parse::slice;
use crate::refs::types::Types;

/// Words of a declaration that name no type of the project.
const OTHER_WORDS: &[&str] = &[
    "const",
    "volatile",
    "static",
    "extern",
    "inline",
    "register",
    "restrict",
    "typedef",
    "struct",
    "union",
    "enum",
    "class",
    "typename",
    "mutable",
    "constexpr",
    "unsigned",
    "signed",
    "int",
    "char",
    "short",
    "long",
    "float",
    "double",
    "void",
    "bool",
    "auto",
    "virtual",
    "explicit",
    "friend",
    "thread_local",
];

/// The names of the type before the `.` or `->` of the field at `node`, the typedef's first; none where the type isn't
/// known.
pub(in crate::refs) fn receiver_types(types: &Types<'_>, text: &str, node: Node<'_>) -> Vec<String> {
    let receiver = node
        .parent()
        .filter(|parent| parent.kind() == "field_expression")
        .and_then(|parent| parent.child_by_field_name("argument"));
    let Some(name) = receiver.and_then(|receiver| type_of(types, text, receiver, 0)) else {
        return Vec::new();
    };
    names_of(types, name)
}

/// A type's name and those that it's another name of.
fn names_of(types: &Types<'_>, name: String) -> Vec<String> {
    let mut out = vec![name];
    while out.len() < 4 {
        let last = out.last().map(String::as_str).unwrap_or_default();
        let of = types.signatures(last).into_iter().find_map(|(_, signature)| {
            let of = signature.strip_prefix("typedef ")?;
            type_in(of.split(['{', '*', '(']).next().unwrap_or(of))
        });
        match of {
            Some(of) if !out.contains(&of) => out.push(of),
            _ => break,
        }
    }
    out
}

fn type_of(types: &Types<'_>, text: &str, node: Node<'_>, depth: u32) -> Option<String> {
    if depth >= MAX_DEPTH {
        return None;
    }
    let inner = |field: &str| type_of(types, text, node.child_by_field_name(field)?, depth + 1);
    match node.kind() {
        "identifier" => declared_around(text, node).or_else(|| declared_elsewhere(types, slice(node, text))),
        "parenthesized_expression" => type_of(types, text, node.named_child(0)?, depth + 1),
        "pointer_expression" | "subscript_expression" => inner("argument"),
        "cast_expression" | "compound_literal_expression" => {
            type_in(slice(node.child_by_field_name("type")?, text))
        }
        "field_expression" => {
            let of = names_of(types, inner("argument")?);
            let field = slice(node.child_by_field_name("field")?, text);
            types.field_signatures(field).into_iter().find_map(|(container, signature)| {
                let own = container.rsplit('.').next().unwrap_or_default();
                of.iter().any(|of| of == own).then(|| head_type(&signature, field)).flatten()
            })
        }
        "call_expression" => {
            let function = node.child_by_field_name("function").filter(|f| f.kind() == "identifier")?;
            declared_elsewhere(types, slice(function, text))
        }
        _ => None,
    }
}

/// The type that the nearest declaration before a name gives it, in its function or its file.
fn declared_around(text: &str, node: Node<'_>) -> Option<String> {
    let name = slice(node, text);
    let mut at = node;
    while let Some(around) = at.parent() {
        let mut cursor = around.walk();
        let mut found = None;
        for child in around.named_children(&mut cursor) {
            if child.start_byte() >= at.start_byte() && around.kind() != "function_definition" {
                break;
            }
            if child.kind() == "declaration" && declares(child, name, text) {
                found = child.child_by_field_name("type");
            }
        }
        if around.kind() == "function_definition" {
            let declarator = around.child_by_field_name("declarator");
            found = declarator.and_then(|declarator| parameter(declarator, name, text)).or(found);
        }
        if let Some(found) = found {
            return type_in(slice(found, text));
        }
        at = around;
    }
    None
}

/// Whether one of a declaration's declarators has this name.
fn declares(declaration: Node<'_>, name: &str, text: &str) -> bool {
    let mut cursor = declaration.walk();
    declaration
        .children_by_field_name("declarator", &mut cursor)
        .any(|declarator| declared_name(declarator, text) == Some(name))
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

/// The type of the parameter of this name.
fn parameter<'t>(declarator: Node<'t>, name: &str, text: &str) -> Option<Node<'t>> {
    let mut at = declarator;
    while at.kind() != "function_declarator" {
        at = at.child_by_field_name("declarator")?;
    }
    let parameters = at.child_by_field_name("parameters")?;
    let mut cursor = parameters.walk();
    parameters
        .named_children(&mut cursor)
        .find(|one| one.child_by_field_name("declarator").and_then(|d| declared_name(d, text)) == Some(name))
        .and_then(|one| one.child_by_field_name("type"))
}

/// The type that all definitions of a function or variable agree on.
fn declared_elsewhere(types: &Types<'_>, name: &str) -> Option<String> {
    let all = types.signatures(name);
    let mut found: Vec<String> = all.iter().filter_map(|(_, signature)| head_type(signature, name)).collect();
    found.dedup();
    if found.len() == 1 { found.pop() } else { None }
}

/// The type before a name in its declaration.
fn head_type(signature: &str, name: &str) -> Option<String> {
    let at = crate::refs::text_matches::whole_words(signature, name).next()?;
    type_in(&signature[..at])
}

/// The name of the project's type in the words of a declaration.
fn type_in(words: &str) -> Option<String> {
    let words = words.split(['{', '<', ',']).next().unwrap_or(words);
    words
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .rfind(|word| !word.is_empty() && !OTHER_WORDS.contains(word))
        .map(str::to_owned)
}
