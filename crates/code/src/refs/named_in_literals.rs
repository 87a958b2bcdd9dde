//! Tells whether a literal names something: types and exports in strings of Python, methods in symbols of Ruby. Pure.

use tree_sitter::Node;

/// Whether a string of Python names what it contains: an annotation, or what a module exports.
pub(super) fn names_in_string(node: Node<'_>, text: &str) -> bool {
    if !matches!(node.kind(), "string_content" | "string") {
        return false;
    }
    let mut at = node;
    for _ in 0..8 {
        let Some(parent) = at.parent() else { return false };
        match parent.kind() {
            "type" => return true,
            "assignment" | "augmented_assignment" => {
                let left = parent.child_by_field_name("left");
                return left.is_some_and(|left| &text[left.byte_range()] == "__all__");
            }
            _ => at = parent,
        }
    }
    false
}

/// Whether a symbol of Ruby names a method that its class registers to be called: `before_action :load_cart, if: :open`.
pub(super) fn names_callback(node: Node<'_>, text: &str) -> bool {
    let in_text =
        |of: Node<'_>, field: &str| of.child_by_field_name(field).map(|part| &text[part.byte_range()]);
    let mut around = node.parent().filter(|_| node.kind() == "simple_symbol");
    if let Some(pair) = around.filter(|of| of.kind() == "pair") {
        let is_value = pair.child_by_field_name("value") == Some(node);
        let names_method = matches!(in_text(pair, "key"), Some("if" | "unless" | "with"));
        around = pair.parent().filter(|_| is_value && names_method);
    }
    let call = around.filter(|of| of.kind() == "argument_list").and_then(|of| of.parent());
    let call = call.filter(|of| of.child_by_field_name("receiver").is_none());
    let registers = |method: &str| {
        let method =
            method.trim_start_matches("skip_").trim_start_matches("prepend_").trim_start_matches("append_");
        matches!(method, "validate" | "helper_method" | "rescue_from")
            || ["before_", "after_", "around_"].iter().any(|time| method.starts_with(time))
    };
    call.and_then(|call| in_text(call, "method")).is_some_and(registers)
}
