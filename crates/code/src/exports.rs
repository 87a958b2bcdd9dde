//! Reads what a file of JavaScript or TypeScript exports under another name than its own: `export default Name`,
//! `export { own as given }`, `module.exports = Name`. A definition that is exported under its own name needs none of
//! this.

use tree_sitter::Node;

use crate::imports::{DEFAULT, WHOLE};
use crate::parse::slice;

/// One name that a file exports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// As others import it; `default` for the default, `*` for the module itself.
    pub given: String,
    /// Its name here, or in the file that it comes from.
    pub own: String,
    /// The line, from 1.
    pub line: u32,
    /// It comes from the file that this line imports.
    pub from: bool,
}

/// The maximum number of names read from one file.
const MAX_EXPORTS: usize = 2_000;

/// Reads `node`, an export statement or an assignment.
pub(crate) fn read(node: Node<'_>, text: &str, out: &mut Vec<Export>) {
    if out.len() >= MAX_EXPORTS {
        return;
    }
    let line = u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX);
    let mut add = |given: &str, own: &str, from: bool| {
        out.push(Export { given: given.to_owned(), own: own.to_owned(), line, from });
    };
    match node.kind() {
        "export_statement" => {
            let from = node.child_by_field_name("source").is_some();
            let mut cursor = node.walk();
            for child in node.children(&mut cursor) {
                match child.kind() {
                    "export_clause" => specifiers(child, text, |given, own| add(given, own, from)),
                    // `export = Name`
                    "identifier" if child.prev_sibling().is_some_and(|before| before.kind() == "=") => {
                        add(WHOLE, slice(child, text), false);
                        add(DEFAULT, slice(child, text), false);
                    }
                    "default" => {
                        let value = node.child_by_field_name("value");
                        let named = node.child_by_field_name("declaration");
                        let named = named.or(value).and_then(|of| of.child_by_field_name("name"));
                        if let Some(own) = named.or(value.and_then(|value| wrapped(value, text, 0))) {
                            add(DEFAULT, slice(own, text), false);
                        }
                    }
                    _ => {}
                }
            }
        }
        "assignment_expression" => {
            let (Some(left), Some(right)) =
                (node.child_by_field_name("left"), node.child_by_field_name("right"))
            else {
                return;
            };
            let to = slice(left, text);
            match (to, right.kind()) {
                ("module.exports", "identifier") => {
                    add(WHOLE, slice(right, text), false);
                    add(DEFAULT, slice(right, text), false);
                }
                ("module.exports", "class" | "function_expression" | "generator_function") => {
                    // `module.exports = class Shop {…}`
                    if let Some(own) = right.child_by_field_name("name") {
                        add(WHOLE, slice(own, text), false);
                        add(DEFAULT, slice(own, text), false);
                    }
                }
                ("module.exports", "object") => properties(right, text, |given, own| add(given, own, false)),
                (_, "identifier") => {
                    let given = to.strip_prefix("exports.").or_else(|| to.strip_prefix("module.exports."));
                    if let Some(given) = given.filter(|given| !given.contains('.')) {
                        add(given, slice(right, text), false);
                    }
                }
                _ => {}
            }
        }
        _ => {}
    }
}

/// How many calls a name may be passed through: `withRouter(connect(a)(memo(Name)))`.
const MAX_WRAPPED: u32 = 6;

/// The name in `Name`, in `Name satisfies T`, and in a call that makes a component or class from it: `memo(Name)`,
/// `connect(a)(Name)`.
fn wrapped<'t>(value: Node<'t>, text: &str, depth: u32) -> Option<Node<'t>> {
    match value.kind() {
        "identifier" => Some(value),
        "satisfies_expression" | "as_expression" | "parenthesized_expression" => value
            .named_child(0)
            .filter(|_| depth < MAX_WRAPPED)
            .and_then(|inner| wrapped(inner, text, depth + 1)),
        "call_expression" if depth < MAX_WRAPPED => {
            let first = value.child_by_field_name("arguments")?.named_child(0)?;
            let inner = wrapped(first, text, depth + 1)?;
            slice(inner, text).starts_with(char::is_uppercase).then_some(inner)
        }
        _ => None,
    }
}

/// `{ own, own as given }`
fn specifiers(clause: Node<'_>, text: &str, mut add: impl FnMut(&str, &str)) {
    let mut cursor = clause.walk();
    for one in clause.named_children(&mut cursor).filter(|one| one.kind() == "export_specifier") {
        let Some(own) = one.child_by_field_name("name").map(|own| slice(own, text)) else { continue };
        add(one.child_by_field_name("alias").map_or(own, |given| slice(given, text)), own);
    }
}

/// `{ own, given: own }`
fn properties(object: Node<'_>, text: &str, mut add: impl FnMut(&str, &str)) {
    let mut cursor = object.walk();
    for one in object.named_children(&mut cursor) {
        match one.kind() {
            "shorthand_property_identifier" => add(slice(one, text), slice(one, text)),
            "pair" => {
                let (key, value) = (one.child_by_field_name("key"), one.child_by_field_name("value"));
                if let (Some(key), Some(value)) = (key, value.filter(|value| value.kind() == "identifier")) {
                    add(slice(key, text), slice(value, text));
                }
            }
            _ => {}
        }
    }
}
