//! Tells from where in its scope a variable is seen, in languages that don't see it in front of its declaration. Pure.

use tree_sitter::Node;

/// Where a declaration ends that binds a name, in languages whose variables are visible only after it.
pub(super) fn seen_from(name_node: Node<'_>, language: &str) -> usize {
    if is_swift_or_kotlin(language) {
        return seen_after(name_node);
    }
    if matches!(language, "c" | "cpp") {
        return seen_from_declarator(name_node);
    }
    if !matches!(language, "go" | "rust") {
        return 0;
    }
    let mut at = name_node;
    for _ in 0..6 {
        let Some(parent) = at.parent() else { return 0 };
        match parent.kind() {
            "let_declaration"
            | "let_condition"
            | "short_var_declaration"
            | "var_spec"
            | "const_spec"
            | "range_clause" => return parent.end_byte(),
            "for_expression" => {
                return parent.child_by_field_name("value").map_or(0, |value| value.end_byte());
            }
            // Its type is looked up outside of the function, even one of the same name.
            "parameter_list" if language == "go" => return parent.end_byte(),
            "parameters" | "parameter_list" | "closure_parameters" | "match_arm" => return 0,
            _ => at = parent,
        }
    }
    0
}

/// Where a variable of C is seen: in its own value, too, but not in what its loop goes through.
fn seen_from_declarator(name_node: Node<'_>) -> usize {
    let mut at = name_node;
    for _ in 0..8 {
        let Some(parent) = at.parent() else { return 0 };
        match parent.kind() {
            "declaration" => {
                // In front of a function's body, it's a parameter.
                let is_head = parent.parent().is_some_and(|of| of.kind() == "function_definition");
                return if is_head { 0 } else { name_node.end_byte() };
            }
            "for_range_loop" => {
                return parent.child_by_field_name("right").map_or(0, |right| right.end_byte());
            }
            kind if kind.ends_with("_declarator") => at = parent,
            _ => return 0,
        }
    }
    0
}

/// Where a variable of Swift or Kotlin is seen: behind its declaration, behind the condition that binds it, or behind what its loop goes
/// through.
fn seen_after(name_node: Node<'_>) -> usize {
    let mut at = name_node;
    for _ in 0..6 {
        let Some(parent) = at.parent() else { return 0 };
        match parent.kind() {
            "property_declaration" => return parent.end_byte(),
            // `if let cart = cart, …`
            "if_statement" | "guard_statement" | "while_statement" if at.id() == name_node.id() => {
                let equals = at.next_sibling().filter(|next| next.kind() == "=");
                let value = equals.and_then(|equals| equals.next_sibling());
                return value.map_or(at.end_byte(), |value| value.end_byte());
            }
            // `if case .paid(let cart) = cart`
            "if_statement" | "guard_statement" | "while_statement" => return end_of_value(at, "="),
            "for_statement" => return end_of_value(at, "in"),
            "pattern" | "variable_declaration" | "multi_variable_declaration" => at = parent,
            _ => return 0,
        }
    }
    0
}

pub(super) fn is_swift_or_kotlin(language: &str) -> bool {
    matches!(language, "swift" | "kotlin")
}

/// Where the value ends that is behind the next of these signs beside a node; the start of the file without one.
fn end_of_value(node: Node<'_>, sign: &str) -> usize {
    let mut next = node.next_sibling();
    while let Some(one) = next {
        next = one.next_sibling();
        if one.kind() == sign {
            break;
        }
    }
    next.map_or(0, |value| value.end_byte())
}
