//! Tells whether a text that no grammar divides names something: types and exports in strings of Python, members in brackets of
//! TypeScript, methods in symbols of Ruby, what the body of a macro of C names, and macros in the heads of C++'s types and
//! in front of declarations. Pure.

use tree_sitter::Node;

use crate::declaration_macros;

/// Types of Python that are written with others in brackets, where an alias of a type is made.
const GENERIC: &[&str] = &[
    "Union",
    "Optional",
    "List",
    "Dict",
    "Set",
    "FrozenSet",
    "Tuple",
    "Type",
    "Callable",
    "Sequence",
    "Mapping",
    "MutableMapping",
    "Iterable",
    "Iterator",
    "AsyncIterable",
    "AsyncIterator",
    "Awaitable",
    "Generator",
];

/// Whether a string of Python names what it contains: an annotation, a part of a type, or what a module exports.
pub(super) fn names_in_string(node: Node<'_>, text: &str) -> bool {
    if !matches!(node.kind(), "string_content" | "string") {
        return false;
    }
    let last = |of: Node<'_>| text[of.byte_range()].rsplit('.').next().unwrap_or_default();
    let mut at = node;
    for _ in 0..8 {
        let Some(parent) = at.parent() else { return false };
        match parent.kind() {
            "type" => {
                // `Literal["a"]`
                let list = parent.parent().filter(|list| list.kind() == "type_parameter");
                let of = list.and_then(|list| list.parent()).and_then(|of| of.named_child(0)).map(last);
                let is_first = list.and_then(|list| list.named_child(0)) == Some(parent);
                return of.is_none_or(|of| names_in_brackets(of, is_first).unwrap_or(true));
            }
            // `Union["Cart", str]`, `t.Literal["a"]`
            "subscript" if parent.child_by_field_name("value") != Some(at) => {
                let of = parent.child_by_field_name("value").map_or("", last);
                let is_first = parent.child_by_field_name("subscript") == Some(at);
                if let Some(names) = names_in_brackets(of, is_first) {
                    return names;
                }
                at = parent;
            }
            "argument_list" => {
                let function = parent.parent().and_then(|call| call.child_by_field_name("function"));
                let key = at.child_by_field_name("name").map(last);
                match function.map(last) {
                    Some("cast") if parent.named_child(0) == Some(at) => return true,
                    Some("TypeVar") if key == Some("bound") => return true,
                    _ => at = parent,
                }
            }
            "assignment" | "augmented_assignment" => {
                let left = parent.child_by_field_name("left");
                return left.is_some_and(|left| &text[left.byte_range()] == "__all__");
            }
            _ => at = parent,
        }
    }
    false
}

/// Whether a text of TypeScript or JavaScript in brackets names a member: `Shop['cart']`, `shop['cart']`.
pub(super) fn names_member(node: Node<'_>) -> bool {
    let text = node.parent().filter(|text| node.kind() == "string_fragment" && text.kind() == "string");
    let Some((text, around)) = text.and_then(|text| Some((text, text.parent()?))) else { return false };
    match around.kind() {
        "subscript_expression" => around.child_by_field_name("index") == Some(text),
        "literal_type" => {
            around.parent().is_some_and(|of| of.kind() == "lookup_type" && of.named_child(0) != Some(around))
        }
        _ => false,
    }
}

/// Whether a string in the brackets of a type of Python names a type; nothing where the brackets don't say so.
fn names_in_brackets(of: &str, is_first: bool) -> Option<bool> {
    match of {
        "Literal" => Some(false),
        "Annotated" => Some(is_first),
        of => GENERIC.contains(&of).then_some(true),
    }
}

/// Names further behind in the body of a macro aren't looked at.
const MAX_BODY: usize = 2_000;

/// Whether the word at a place of C or C++ is a name in the body of a macro, or a macro in the head of a type, in front of a
/// declaration or inside one. Members aren't: their types aren't known there.
pub(super) fn names_in_macro(node: Node<'_>, text: &str, at: usize, name: &str) -> bool {
    // What is left out before the grammar reads a text is in none of its leaves.
    if node.child_count() > 0 {
        if let Some(open) = declaration_macros::arguments_around(text, at) {
            return is_in_no_scope(node) && !in_quotes(&text[open..at]);
        }
        if declaration_macros::is_name(name) {
            let behind = text.get(at + name.len()..).unwrap_or_default().trim_start();
            return behind.starts_with(|c: char| {
                matches!(c, '(' | '_' | ';' | '{' | '=' | '*') || c.is_alphanumeric()
            });
        }
    }
    if matches!(node.kind(), "class_specifier" | "struct_specifier" | "union_specifier") {
        return node.child_by_field_name("name").is_some_and(|own| at < own.start_byte());
    }
    let Some(before) = text.get(node.start_byte()..at) else { return false };
    if node.kind() != "preproc_arg" || before.len() > MAX_BODY {
        return false;
    }
    let parameters = node.parent().and_then(|of| of.child_by_field_name("parameters"));
    let mut cursor = node.walk();
    let is_parameter = parameters
        .is_some_and(|list| list.named_children(&mut cursor).any(|one| &text[one.byte_range()] == name));
    let trimmed = before.trim_end();
    !is_parameter && !trimmed.ends_with(['.', '#']) && !trimmed.ends_with("->") && !in_quotes(before)
}

/// Whether what is directly in a node can't mean a local or a member: it's in no function's body and in no type.
fn is_in_no_scope(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "translation_unit"
            | "declaration_list"
            | "declaration"
            | "function_definition"
            | "template_declaration"
    )
}

/// Whether a text of C ends inside of quotation marks or a comment.
fn in_quotes(text: &str) -> bool {
    let (mut quote, mut chars) = (None, text.chars().peekable());
    while let Some(c) = chars.next() {
        match quote {
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if c == '/' && matches!(chars.peek(), Some('*' | '/')) => quote = chars.next(),
            Some('"' | '\'') if c == '\\' => {
                chars.next();
            }
            Some('*') if c == '*' && chars.peek() == Some(&'/') => {
                chars.next();
                quote = None;
            }
            Some('"' | '\'') if quote == Some(c) => quote = None,
            _ => {}
        }
    }
    quote.is_some()
}

/// Whether a symbol of Ruby names a method that its class registers to be called, or asks as a condition:
/// `before_action :load_cart`, `validates :total, if: :open`.
pub(super) fn names_callback(node: Node<'_>, text: &str) -> bool {
    let in_text =
        |of: Node<'_>, field: &str| of.child_by_field_name(field).map(|part| &text[part.byte_range()]);
    let mut around = node.parent().filter(|_| node.kind() == "simple_symbol");
    let mut is_condition = false;
    if let Some(pair) = around.filter(|of| of.kind() == "pair") {
        let is_value = pair.child_by_field_name("value") == Some(node);
        let key = in_text(pair, "key");
        is_condition = matches!(key, Some("if" | "unless"));
        around = pair.parent().filter(|_| is_value && (is_condition || key == Some("with")));
    }
    let call = around.filter(|of| of.kind() == "argument_list").and_then(|of| of.parent());
    let call = call.filter(|of| of.child_by_field_name("receiver").is_none());
    let registers = |method: &str| {
        let method =
            method.trim_start_matches("skip_").trim_start_matches("prepend_").trim_start_matches("append_");
        matches!(method, "validate" | "helper_method" | "rescue_from")
            || ["before_", "after_", "around_"].iter().any(|time| method.starts_with(time))
    };
    call.and_then(|call| in_text(call, "method")).is_some_and(|method| is_condition || registers(method))
}

#[cfg(test)]
mod tests {
    use super::in_quotes;

    #[test]
    fn what_is_in_quotes_or_a_comment_isnt_code() {
        for (text, expected) in [
            ("f(a) + ", false),
            ("f(\"a\") + ", false),
            ("f(\"a\\\" ", true),
            ("'\"' + ", false),
            ("a /* b ", true),
            ("a /* b */ + ", false),
            ("a / b ", false),
            ("a // b ", true),
            ("ä \"ß", true),
        ] {
            assert_eq!(in_quotes(text), expected, "{text}");
        }
    }
}
