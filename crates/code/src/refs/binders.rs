//! Tells in any language whether a name is bound where it is: a variable, a parameter, what a pattern takes apart. Doesn't know where
//! it's seen from there. Pure.

use tree_sitter::Node;

use crate::parse::slice;

/// Nodes that bind a name, with the field or child that it is bound in.
const BINDERS: &[(&str, &str)] = &[
    ("variable_declarator", "name"),
    ("let_declaration", "pattern"),
    ("assignment", "left"),
    ("short_var_declaration", "left"),
    ("for_statement", "left"),
    ("for_in_statement", "left"),
    ("for_expression", "pattern"),
    ("parameter", "pattern"),
    ("parameter", "name"),
    ("required_parameter", "pattern"),
    ("optional_parameter", "pattern"),
    ("default_parameter", "name"),
    ("typed_default_parameter", "name"),
    ("parameter_declaration", "name"),
    ("parameter_declaration", "declarator"),
    ("init_declarator", "declarator"),
    ("formal_parameter", "name"),
    ("var_spec", "name"),
    ("range_clause", "left"),
    ("for_in_clause", "left"),
    ("let_condition", "pattern"),
    ("match_pattern", ""),
    ("catch_clause", "parameter"),
    ("named_expression", "name"),
    ("as_pattern_target", ""),
    ("assignment_pattern", "left"),
    ("pair_pattern", "value"),
    ("field_pattern", "pattern"),
    ("const_spec", "name"),
    ("variadic_parameter_declaration", "name"),
    ("type_parameter_declaration", "name"),
    ("type_switch_statement", "alias"),
    ("receive_statement", "left"),
    ("type_parameter", "name"),
    ("function_declaration", "name"),
    ("generator_function_declaration", "name"),
    ("function_definition", "name"),
    ("function_item", "name"),
    ("class_declaration", "name"),
    ("class_definition", "name"),
    ("type_alias_declaration", "name"),
    ("interface_declaration", "name"),
    ("enum_declaration", "name"),
    ("struct_item", "name"),
    ("enum_item", "name"),
    ("trait_item", "name"),
    ("type_item", "name"),
    ("const_item", "name"),
    ("static_item", "name"),
    ("mod_item", "name"),
    ("type_spec", "name"),
    ("abstract_class_declaration", "name"),
    ("arrow_function", "parameter"),
    ("index_signature", "name"),
    // `[total: number]`
    ("required_parameter", "name"),
    // Swift
    ("pattern", "bound_identifier"),
    ("if_statement", "bound_identifier"),
    ("guard_statement", "bound_identifier"),
    ("while_statement", "bound_identifier"),
    ("lambda_parameter", "name"),
    // Kotlin
    ("variable_declaration", ""),
    ("parameter", ""),
    ("class_parameter", ""),
    ("catch_block", ""),
    ("setter", ""),
    // C#
    ("foreach_statement", "left"),
    ("declaration_pattern", "name"),
    ("declaration_expression", "name"),
    ("catch_declaration", "name"),
    ("lambda_expression", "parameters"),
    ("recursive_pattern", "name"),
    ("tuple_pattern", "name"),
    ("list_pattern", "name"),
    ("var_pattern", "name"),
    ("parenthesized_variable_designation", "name"),
    ("from_clause", "name"),
    ("let_clause", ""),
    ("join_clause", ""),
    ("join_into_clause", ""),
    // Java
    ("enhanced_for_statement", "name"),
    ("resource", "name"),
    ("instanceof_expression", "name"),
    ("catch_formal_parameter", "name"),
    // Ruby
    ("optional_parameter", "name"),
    ("keyword_parameter", "name"),
    ("splat_parameter", "name"),
    ("hash_splat_parameter", "name"),
    ("block_parameter", "name"),
    ("operator_assignment", "left"),
    ("for", "pattern"),
    ("exception_variable", ""),
    ("in_clause", "pattern"),
    ("match_pattern", "pattern"),
    ("test_pattern", "pattern"),
    ("keyword_pattern", "value"),
    ("as_pattern", "name"),
    // C and C++
    ("declaration", "declarator"),
    ("for_range_loop", "declarator"),
    ("lambda_capture_initializer", "left"),
    ("optional_parameter_declaration", "declarator"),
    ("variadic_parameter_declaration", "declarator"),
    // Scala
    ("case_clause", "pattern"),
    ("val_definition", "pattern"),
    ("var_definition", "pattern"),
    ("enumerator", ""),
    ("binding", "name"),
];
/// Lists of plain parameters.
const PARAMETERS: &[&str] = &[
    "parameters",
    "formal_parameters",
    "lambda_parameters",
    "typed_parameter",
    "closure_parameters",
    "method_parameters",
    "block_parameters",
    "inferred_parameters",
    // The names in the head of a function of C from before 1989.
    "parameter_list",
];

/// Whether a name is bound where it is.
pub(super) fn binds(node: Node<'_>) -> bool {
    if node.kind() == "shorthand_field_identifier" {
        return true;
    }
    let mut at = node;
    let mut is_pointer = false;
    for _ in 0..8 {
        let Some(parent) = at.parent() else { return false };
        // A pattern's type is named, not bound.
        if parent.child_by_field_name("type").is_some_and(|t| t.id() == at.id()) {
            return false;
        }
        if PARAMETERS.contains(&parent.kind()) {
            // A type or a default isn't a parameter's name.
            return parent.kind() != "typed_parameter" || parent.named_child(0) == Some(at);
        }
        if parent.kind() == "declaration" && is_of_elsewhere(parent) {
            return false;
        }
        if let Some(bound) = bound_by_place(parent, at) {
            return bound;
        }
        if BINDERS.iter().any(|(kind, field)| {
            *kind == parent.kind()
                && if field.is_empty() {
                    // With a field for it, the first child is something else: a label of Swift, a constant of C.
                    let of_field =
                        |field: &str| parent.child_by_field_name(field).is_some_and(|one| one == at);
                    let is_named = parent.child_by_field_name("name").is_some();
                    parent.named_child(0) == Some(at) && !is_named && !of_field("value")
                } else {
                    let mut cursor = parent.walk();
                    parent.children_by_field_name(field, &mut cursor).any(|child| child == at)
                }
        }) {
            return true;
        }
        // `{ total = rest }`
        if parent.kind() == "object_assignment_pattern" && parent.child_by_field_name("left") != Some(at) {
            return false;
        }
        let is_inner = parent.child_by_field_name("declarator").is_some_and(|inner| inner.id() == at.id());
        let passes = match parent.kind() {
            // `int total[2]` of C; `int a[total]` binds none.
            "array_declarator" => is_inner,
            // `int (*total)(void)`; `int total(void)` only declares a function.
            "function_declarator" => is_inner && (is_pointer || is_constructed(parent)),
            "parenthesized_declarator" => {
                is_pointer = at.kind() == "pointer_declarator";
                is_pointer
            }
            "structured_binding_declarator" | "variadic_declarator" => true,
            // `first :: rest` of Scala
            "infix_pattern" => parent.child_by_field_name("operator") != Some(at),
            kind => is_pattern(kind),
        };
        if !passes {
            return false;
        }
        at = parent;
    }
    false
}

/// Whether a node binds what is in it, where that depends on more than its field: in Java the last part of a pattern, in C# what a
/// query goes on with, in Swift the parts of a pattern that `let` or a loop binds, in Python a name without a path. `None` where the
/// fields tell.
fn bound_by_place(parent: Node<'_>, at: Node<'_>) -> Option<bool> {
    match parent.kind() {
        "type_pattern" | "record_pattern_component" => {
            let count = u32::try_from(parent.named_child_count()).unwrap_or(0);
            Some(count > 1 && parent.named_child(count - 1) == Some(at))
        }
        "query_expression" => Some(at.kind() == "identifier"),
        // `set(total) { … }` and `willSet(total) { … }` of Swift
        "computed_setter" | "willset_clause" | "didset_clause" => Some(at.kind() == "simple_identifier"),
        // `[weak cart = made()]`; without a value it's the one around.
        "capture_list_item" => Some(
            parent.child_by_field_name("name") == Some(at) && parent.child_by_field_name("value").is_some(),
        ),
        // What a class of Ruby is called in a pattern isn't bound: `in Cart | Line`.
        "alternative_pattern"
        | "array_pattern"
        | "find_pattern"
        | "in_clause"
        | "keyword_pattern"
        | "match_pattern"
        | "parenthesized_pattern"
        | "test_pattern"
            if at.kind() == "constant" =>
        {
            Some(false)
        }
        // `in { total: }` binds what its key is called.
        "keyword_pattern" if at.kind() == "hash_key_symbol" => {
            Some(parent.child_by_field_name("value").is_none())
        }
        // `case [total, *rest]` of Python; `case shop.total` names a value.
        "dotted_name" => {
            let is_part =
                parent.parent().is_some_and(|of| matches!(of.kind(), "case_pattern" | "keyword_pattern"));
            Some(is_part && parent.named_child_count() == 1)
        }
        "splat_pattern" => Some(at.kind() == "identifier"),
        "as_pattern" if parent.parent().is_some_and(|of| of.kind() == "case_pattern") => {
            Some(at.kind() == "identifier")
        }
        "pattern" if at.kind() == "simple_identifier" && !is_field(parent, "bound_identifier", at) => {
            Some(is_bound_part(parent))
        }
        _ => None,
    }
}

/// Whether a key in a pattern of Ruby binds its own name: `in { total: }`.
pub(super) fn is_bound_key(node: Node<'_>) -> bool {
    node.kind() == "hash_key_symbol" && binds(node)
}

fn is_field(parent: Node<'_>, field: &str, child: Node<'_>) -> bool {
    parent.child_by_field_name(field) == Some(child)
}

/// Whether a pattern of Swift that is a name alone is part of one that binds: `let (cart, line)`, `case let .paid(cart)`,
/// `for (cart, line) in all`.
fn is_bound_part(part: Node<'_>) -> bool {
    // `.paid` names a case.
    if part.child_count() != 1 {
        return false;
    }
    let binds = |of: Node<'_>| {
        let mut cursor = of.walk();
        of.named_children(&mut cursor).any(|child| child.kind() == "value_binding_pattern")
    };
    let mut at = part;
    for _ in 0..6 {
        let Some(parent) = at.parent() else { return false };
        match parent.kind() {
            "pattern" | "switch_pattern" if binds(parent) => return true,
            "pattern" | "switch_pattern" => at = parent,
            "for_statement" => return is_field(parent, "item", at),
            _ => return binds(parent),
        }
    }
    false
}

/// Whether a declaration of C says that what it declares is somewhere else: `extern int total;`.
fn is_of_elsewhere(declaration: Node<'_>) -> bool {
    let mut cursor = declaration.walk();
    declaration.named_children(&mut cursor).any(|part| {
        part.kind() == "storage_class_specifier" && part.child(0).is_some_and(|word| word.kind() == "extern")
    })
}

/// Whether what reads like the head of a function, in a function of C++, is a variable with the arguments of its constructor:
/// `Cart total(line);`.
fn is_constructed(declarator: Node<'_>) -> bool {
    let declaration = declarator.parent().filter(|of| of.kind() == "declaration");
    let block = declaration.and_then(|of| of.parent()).filter(|of| of.kind() == "compound_statement");
    let Some(list) = declarator.child_by_field_name("parameters").filter(|_| block.is_some()) else {
        return false;
    };
    let mut cursor = list.walk();
    let mut arguments = list.named_children(&mut cursor).filter(|one| !one.is_extra()).peekable();
    arguments.peek().is_some()
        && arguments.all(|one| {
            let of = one.child_by_field_name("type");
            of.is_some_and(|of| of.kind() == "type_identifier") && one.named_child_count() == 1
        })
}

/// Whether a node is a pattern, or a list of them, which binds what it's given to.
fn is_pattern(kind: &str) -> bool {
    matches!(
        kind,
        "expression_list"
            | "pattern_list"
            | "object_pattern"
            | "object_assignment_pattern"
            | "array_pattern"
            | "mut_pattern"
            | "tuple_pattern"
            | "tuple_struct_pattern"
            | "struct_pattern"
            | "rest_pattern"
            | "list_splat_pattern"
            | "dictionary_splat_pattern"
            | "list_pattern"
            | "ref_pattern"
            | "reference_pattern"
            | "captured_pattern"
            | "or_pattern"
            | "slice_pattern"
            | "shorthand_property_identifier_pattern"
            | "pointer_declarator"
            | "reference_declarator"
            // Ruby
            | "left_assignment_list"
            | "rest_assignment"
            | "destructured_left_assignment"
            | "destructured_parameter"
            | "find_pattern"
            | "parenthesized_pattern"
            // Scala
            | "typed_pattern"
            | "case_class_pattern"
            | "capture_pattern"
            | "alternative_pattern"
    )
}

/// Whether a name is taken from a module where it's bound, and so imported: `const { run, go: start } = require('./app')`.
pub(super) fn is_taken_from_module(node: Node<'_>, text: &str) -> bool {
    // `run = 1`, `go: start = 1`
    let defaulted =
        |part: Node<'_>| matches!(part.kind(), "object_assignment_pattern" | "assignment_pattern");
    let own = node.parent().filter(|parent| defaulted(*parent)).unwrap_or(node);
    // `go: start`
    let part = own.parent().filter(|parent| parent.kind() == "pair_pattern").unwrap_or(own);
    let pattern = part.parent().filter(|parent| parent.kind() == "object_pattern");
    let declarator = pattern.and_then(|pattern| pattern.parent());
    let declarator = declarator.filter(|of| of.kind() == "variable_declarator");
    let value = declarator.and_then(|of| of.child_by_field_name("value"));
    let loaded =
        value.and_then(|of| if of.kind() == "await_expression" { of.named_child(0) } else { Some(of) });
    let function = loaded.and_then(|of| of.child_by_field_name("function"));
    function.is_some_and(|of| matches!(slice(of, text), "require" | "import"))
}
