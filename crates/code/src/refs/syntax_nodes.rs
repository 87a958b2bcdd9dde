//! Classifies syntax nodes of a name in any language: whether a node is a name, is declared, is part of an import, a type or a call,
//! and what receiver precedes it. Pure.

use tree_sitter::Node;

use crate::grammar::Grammar;

pub(super) fn is_name(node: Node<'_>) -> bool {
    let kind = node.kind();
    node.is_named()
        && (kind.contains("identifier")
            || matches!(
                kind,
                "constant" | "name" | "word" | "variable_name" | "command_name" | "implicit_parameter"
            ))
}

/// Whether a name is what its parent declares: in `int total() { return total; }` the first is.
pub(super) fn is_declared(node: Node<'_>) -> bool {
    let mut at = node;
    for _ in 0..4 {
        let Some(parent) = at.parent() else { return false };
        match parent.kind() {
            // `void Cart::close()` declares no `Cart`.
            "qualified_identifier" | "scope_resolution"
                if parent.child_by_field_name("scope") == Some(at) =>
            {
                return false;
            }
            "qualified_identifier" | "reference_declarator" | "scope_resolution" => at = parent,
            "variable_name" | "template_type" => at = parent,
            // Kotlin
            "variable_declaration" | "class_parameter" | "enum_entry" => {
                let mut cursor = parent.walk();
                return parent.named_children(&mut cursor).find(|child| is_name(*child)) == Some(at);
            }
            kind if kind.ends_with("expression")
                || kind.ends_with("invocation")
                || kind.ends_with("call")
                || kind.contains("argument")
                || kind.contains("scoped") =>
            {
                return false;
            }
            kind => {
                let fields = ["name", "declarator", "left", "pattern", "bound_identifier"];
                let of_field = |field: &&str| {
                    let mut cursor = parent.walk();
                    parent.children_by_field_name(field, &mut cursor).any(|child| child == at)
                };
                return fields.iter().any(of_field) || kind == "field_definition" && of_field(&"property");
            }
        }
    }
    false
}

/// `typeof x`, `export { x }`, `extends X`: written as a value is, and meant of either.
pub(super) fn in_type_or_export(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| {
        matches!(
            parent.kind(),
            "export_specifier"
                | "export_statement"
                | "extends_clause"
                | "extends_type_clause"
                | "nested_type_identifier"
        )
    })
}

/// Patterns of Rust name constants and variants in capitals; they bind in small letters.
pub(super) fn is_constant(name: &str) -> bool {
    name.len() > 1 && name.chars().next().is_some_and(char::is_uppercase)
}

/// The receiver before the dot in front of `node`.
pub(super) fn receiver(node: Node<'_>, text: &str) -> Option<String> {
    // `def self.name`
    if let Some(of) = node.parent().filter(|parent| parent.kind() == "singleton_method") {
        let object = of.child_by_field_name("object").filter(|object| object.id() != node.id());
        return object.map(|object| text[object.byte_range()].to_owned());
    }
    // `{ .name = 1 }` of C: what is before the dot is the literal.
    if node.parent().is_some_and(|parent| parent.kind() == "field_designator") {
        return None;
    }
    // `cart add line` of Scala; what ends with a colon is asked of what is behind it.
    if let Some(of) = node.parent().filter(|of| of.kind() == "infix_expression")
        && of.child_by_field_name("operator") == Some(node)
    {
        let side = if text[node.byte_range()].ends_with(':') { "right" } else { "left" };
        let asked = of.child_by_field_name(side);
        return asked.map(|asked| text[asked.byte_range()].chars().take(160).collect());
    }
    // `fun Type.name()` of Kotlin: the type that it extends is part of its head.
    let names =
        |of: &Node<'_>| of.child_by_field_name("name") == Some(node) || of.kind() == "variable_declaration";
    let head =
        node.parent().filter(|of| matches!(of.kind(), "function_declaration" | "variable_declaration"));
    if head.is_some_and(|of| names(&of)) {
        return None;
    }
    let before = text[..node.start_byte()].trim_end();
    // `cart.<Line>add()` of Java
    if let Some(call) = node.parent().filter(|of| of.kind() == "method_invocation" && before.ends_with('>')) {
        let object =
            call.child_by_field_name("object").filter(|_| call.child_by_field_name("name") == Some(node));
        return object.map(|object| text[object.byte_range()].chars().take(160).collect());
    }
    // `a?.b` of C# and Swift has a part `.b`.
    let is_part = |of: &Node<'_>| {
        matches!(of.kind(), "member_binding_expression" | "navigation_suffix") || has_arguments(*of)
    };
    let mut at = node;
    for _ in 0..3 {
        let Some(part) = at.parent().filter(is_part) else { break };
        at = part;
    }
    // An arrow before a type says what is returned.
    let arrow = at.parent().is_some_and(|p| {
        matches!(
            p.kind(),
            "field_expression"
                | "member_access_expression"
                | "member_call_expression"
                | "nullsafe_member_access_expression"
                | "nullsafe_member_call_expression"
        )
    });
    let separators: &[&str] = if arrow { &["?->", "->", "."] } else { &["?.", "&.", "::", "!!.", "."] };
    let cut = separators.iter().find_map(|sep| before.strip_suffix(sep))?;
    // `..name` is a range or a spread, and the dot at the end of a comment is none.
    if cut.ends_with('.') || at.parent().is_none_or(|parent| parent.start_byte() > cut.len()) {
        return None;
    }
    let mut start = at.start_byte();
    for _ in 0..3 {
        let Some(parent) = at.parent() else { break };
        start = start.min(parent.start_byte());
        if start < cut.len() {
            break;
        }
        at = parent;
    }
    let receiver = text.get(start..cut.len()).unwrap_or("").trim();
    let receiver = if receiver.is_empty() { "?" } else { receiver };
    Some(receiver.chars().take(160).collect())
}

/// Whether a node is a name of C# or C++ with the types in brackets behind it: `add<Line>`.
fn has_arguments(node: Node<'_>) -> bool {
    matches!(node.kind(), "generic_name" | "template_method" | "template_function" | "template_type")
}

pub(super) fn in_import(node: Node<'_>, grammar: &Grammar) -> bool {
    let mut at = node;
    for _ in 0..8 {
        let Some(parent) = at.parent() else { return false };
        let kind = parent.kind();
        let imports =
            grammar.imports.contains(&kind) || matches!(kind, "import_list" | "use_list" | "import_clause");
        if imports && !matches!(kind, "call_expression" | "call" | "command" | "mod_item") {
            // `export function f` isn't an import of `f`.
            return kind != "export_statement" || parent.child_by_field_name("source").is_some();
        }
        at = parent;
    }
    false
}

/// Whether a name is part of the package or namespace that a file says it's in: it names nothing else.
pub(super) fn in_package_name(node: Node<'_>) -> bool {
    let mut at = node;
    for _ in 0..8 {
        let Some(parent) = at.parent() else { return false };
        match parent.kind() {
            "package_declaration" | "package_header" => return true,
            "package_clause"
            | "namespace_declaration"
            | "file_scoped_namespace_declaration"
            | "namespace_definition" => {
                return parent.child_by_field_name("name").is_some_and(|name| name.id() == at.id());
            }
            "scoped_identifier"
            | "qualified_identifier"
            | "qualified_name"
            | "nested_namespace_specifier"
            | "package_identifier"
            | "namespace_name" => at = parent,
            _ => return false,
        }
    }
    false
}

/// The nodes around one, from the root on. A tree looks for a parent from its root, so that asking each for its own takes the square
/// of how deep they are.
pub(super) fn ancestors<'t>(root: Node<'t>, node: Node<'t>) -> Vec<Node<'t>> {
    let mut out = Vec::new();
    let mut at = root;
    while at != node {
        out.push(at);
        let Some(next) = at.child_with_descendant(node) else { break };
        at = next;
    }
    out
}

fn is_call(text: &str, start: usize, end: usize) -> bool {
    let mut after = text[end..].trim_start_matches([' ', '!', '?']);
    // `name::<T>(`, `name<T>(`
    let generic = after.strip_prefix("::").unwrap_or(after);
    if generic.starts_with('<')
        && let Some(close) = generic.char_indices().take(120).find(|(_, c)| *c == '>').map(|(i, _)| i)
    {
        after = &generic[close + 1..];
    }
    let before = text[..start].trim_end();
    after.starts_with('(') || before.ends_with("new")
}

/// Whether the name at `node` is called: a bracket follows, or it's what a call calls.
pub(super) fn is_called(node: Node<'_>, text: &str) -> bool {
    // A command of the shell.
    if node.parent().is_some_and(|parent| parent.kind() == "command_name") {
        return true;
    }
    // `<Component/>` makes one; `List<Component>` is a type.
    let element = node.parent().is_some_and(|parent| parent.kind().starts_with("jsx_"));
    if element || is_call(text, node.start_byte(), node.end_byte()) {
        return true;
    }
    // `object.method` as what is called; the last of its names is the method.
    let mut at = node.parent().filter(|of| has_arguments(*of)).unwrap_or(node);
    let end = at.end_byte();
    for _ in 0..3 {
        let Some(parent) = at.parent() else { return false };
        let is = |field: &str| parent.child_by_field_name(field).is_some_and(|n| n.id() == at.id());
        // Java begins with what is asked: in `cart.total()` that isn't called.
        if parent.kind() == "method_invocation" {
            return is("name");
        }
        // `a to b` of Kotlin and Scala calls what is between them.
        if parent.kind() == "infix_expression" && parent.named_child(1) == Some(node) {
            return true;
        }
        if matches!(parent.kind(), "call_expression" | "call" | "invocation_expression") {
            return is("function") || is("method") || is("name") || parent.named_child(0) == Some(at);
        }
        if parent.end_byte() != end {
            return false;
        }
        at = parent;
    }
    false
}
