//! Finds a name's occurrences in one text and describes each from that text alone: code, call, definition or import, the receiver
//! before its dot, the receiver's evident type, and whether a local variable shadows the name. Pure.

use tree_sitter::{Node, Tree};

use super::keys::is_key;
use super::scopes::Bindings;
use super::syntactic_types;
use super::text_matches::whole_words;
use crate::grammar::{Grammar, Kind};
use crate::symbols::Symbol;

/// What a name does at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It is defined there.
    Definition,
    /// It is called or made there.
    Call,
    /// It is named otherwise.
    Reference,
    /// It is imported there.
    Import,
    /// In a comment or a string.
    Text,
}

/// One place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
    /// Where it begins in the text.
    pub at: usize,
    /// What it does.
    pub role: Role,
    /// The receiver before its dot, without the dot.
    pub receiver: Option<String>,
    /// The type that the receiver evidently has.
    pub receiver_type: Option<String>,
    /// A parameter or variable of the function around it has this name.
    pub local: bool,
    /// It names a field or an argument and has nothing before it: a key of an object, `f(name=…)`.
    pub key: bool,
    /// Where only a type is possible, so that it can't mean anything else of the same name.
    pub type_place: bool,
    /// Where only a value is possible.
    pub value_place: bool,
    /// What follows is in it: `name::…`, so it is a module or a type.
    pub prefix: bool,
    /// The lines of the definitions in the same file that it is bound to.
    pub bound: Vec<u32>,
    /// The definition around it, by place among the symbols.
    pub inside: Option<usize>,
}

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
];

/// All places of `name` in `text`.
pub fn occurrences(
    grammar: &'static Grammar,
    language: &str,
    tree: &Tree,
    text: &str,
    symbols: &[Symbol],
    name: &str,
    returned: syntactic_types::Returned<'_>,
) -> Vec<Occurrence> {
    let mut out = Vec::new();
    if name.is_empty() {
        return out;
    }
    let root = tree.root_node();
    let script = matches!(language, "typescript" | "tsx" | "svelte" | "vue");
    let mut places: Vec<(usize, Option<Node<'_>>)> = Vec::new();
    for at in whole_words(text, name) {
        let node = root.descendant_for_byte_range(at, at + name.len());
        let leaf =
            node.filter(|n| n.byte_range() == (at..at + name.len()) && n.child_count() == 0 && is_name(*n));
        let leaf = leaf.or_else(|| node.filter(|n| language == "python" && names_in_string(*n, text)));
        places.push((at, leaf));
    }
    let line_of = |at: usize| symbols_line(text, at);
    // The name of a method of Go may be that of the type beside it.
    let fits = |node: Node<'_>, s: &Symbol| {
        language != "go" || (node.kind() == "field_identifier") == (s.kind == Kind::Method)
    };
    let is_definition = |node: Node<'_>, line: u32, receiver: Option<&str>| {
        symbols.iter().any(|s| {
            s.name == name
                && fits(node, s)
                && s.line == line
                && (s.start..=s.end).contains(&node.start_byte())
                && receiver_is_own(receiver, s)
        })
    };
    let mut bindings = Bindings::default();
    for node in places.iter().filter_map(|(_, leaf)| *leaf) {
        let line = line_of(node.start_byte());
        let receiver = receiver(node, text);
        let member = matches!(node.kind(), "property_identifier" | "field_identifier");
        if receiver.is_none() && is_definition(node, line, None) && !(member && language != "java") {
            bindings.add(node, Some(line), language);
        } else if binds(node) && !(language == "rust" && is_constant(name)) {
            bindings.add(node, None, language);
        }
    }
    for (at, leaf) in places {
        let before = &text[..at];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let line = line_of(at);
        let inside = innermost(symbols, at, name, line);
        let mut found = Occurrence {
            line,
            column: u32::try_from(at - line_start + 1).unwrap_or(u32::MAX),
            at,
            role: Role::Text,
            receiver: None,
            receiver_type: None,
            local: false,
            key: false,
            type_place: false,
            value_place: false,
            prefix: false,
            bound: Vec::new(),
            inside,
        };
        if let Some(node) = leaf {
            let receiver = receiver(node, text);
            found.role = if is_definition(node, line, receiver.as_deref()) {
                Role::Definition
            } else if in_import(node, grammar) {
                Role::Import
            } else if is_call(text, at, at + name.len()) {
                Role::Call
            } else {
                Role::Reference
            };
            found.key = receiver.is_none() && is_key(node);
            if found.role != Role::Import && script {
                found.type_place = node.kind() == "type_identifier";
                found.value_place = !found.type_place && !in_type_or_export(node);
            }
            let after = &text[at + name.len()..];
            found.prefix = after.starts_with("::") && !after.starts_with("::<");
            if receiver.is_none()
                && !found.key
                && found.role != Role::Definition
                && found.role != Role::Import
            {
                match bindings.of(node, language) {
                    Some(lines) if lines.is_empty() => found.local = true,
                    Some(lines) => found.bound = lines,
                    None => {}
                }
            }
            found.receiver_type = receiver
                .as_deref()
                .and_then(|r| syntactic_types::type_of(r, at, text, symbols, inside, returned));
            found.receiver = receiver;
        }
        out.push(found);
    }
    out
}

/// `Foo.bar = function` defines `bar` although there is a receiver; `x.bar()` on the line of a definition does not.
fn receiver_is_own(receiver: Option<&str>, symbol: &Symbol) -> bool {
    match receiver {
        None => true,
        Some(receiver) => {
            let last = receiver.rsplit(['.', ':', '>']).next().unwrap_or(receiver);
            symbol.container.rsplit('.').next() == Some(last)
                || matches!(receiver, "exports" | "module.exports" | "this" | "self")
        }
    }
}

fn is_name(node: Node<'_>) -> bool {
    let kind = node.kind();
    node.is_named()
        && (kind.contains("identifier")
            || matches!(kind, "constant" | "name" | "word" | "variable_name" | "command_name"))
}

fn binds(node: Node<'_>) -> bool {
    let mut at = node;
    for _ in 0..6 {
        let Some(parent) = at.parent() else { return false };
        // What a pattern is of is named, not bound.
        if parent.child_by_field_name("type").is_some_and(|t| t.id() == at.id()) {
            return false;
        }
        if PARAMETERS.contains(&parent.kind()) {
            // A type or a default is no parameter's name.
            return parent.kind() != "typed_parameter" || parent.named_child(0) == Some(at);
        }
        if BINDERS.iter().any(|(kind, field)| {
            *kind == parent.kind()
                && if field.is_empty() {
                    parent.named_child(0) == Some(at)
                } else {
                    let mut cursor = parent.walk();
                    parent.children_by_field_name(field, &mut cursor).any(|child| child == at)
                }
        }) {
            return true;
        }
        if !matches!(
            parent.kind(),
            "expression_list"
                | "pattern_list"
                | "object_pattern"
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
        ) {
            return false;
        }
        at = parent;
    }
    false
}

/// `typeof x`, `export { x }`, `extends X`: written as a value is, and meant of either.
fn in_type_or_export(node: Node<'_>) -> bool {
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
fn is_constant(name: &str) -> bool {
    name.len() > 1 && name.chars().next().is_some_and(char::is_uppercase)
}

/// Whether a string of Python names what it says: an annotation, or what a module gives out.
fn names_in_string(node: Node<'_>, text: &str) -> bool {
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

/// The line of a place, from 1.
fn symbols_line(text: &str, at: usize) -> u32 {
    u32::try_from(text[..at].bytes().filter(|b| *b == b'\n').count() + 1).unwrap_or(u32::MAX)
}

/// The innermost definition around a place, other than the one whose name it is.
fn innermost(symbols: &[Symbol], at: usize, name: &str, line: u32) -> Option<usize> {
    symbols
        .iter()
        .enumerate()
        .filter(|(_, s)| s.start <= at && at < s.end && !(s.name == name && s.line == line))
        .max_by_key(|(_, s)| (s.start, std::cmp::Reverse(s.end)))
        .map(|(i, _)| i)
}

/// The receiver before the dot in front of `node`.
fn receiver(node: Node<'_>, text: &str) -> Option<String> {
    let before = text[..node.start_byte()].trim_end();
    // An arrow before a type says what is returned.
    let arrow = node.parent().is_some_and(|p| {
        matches!(p.kind(), "field_expression" | "member_access_expression" | "member_call_expression")
    });
    let separators: &[&str] = if arrow { &["?->", "->", "."] } else { &["?.", "::", "!!.", "."] };
    let cut = separators.iter().find_map(|sep| before.strip_suffix(sep))?;
    // `..name` is a range or a spread, and the dot at the end of a comment is none.
    if cut.ends_with('.') || node.parent().is_none_or(|parent| parent.start_byte() > cut.len()) {
        return None;
    }
    let mut at = node;
    let mut start = node.start_byte();
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
    let short: String = receiver.chars().take(160).collect();
    Some(short)
}

fn in_import(node: Node<'_>, grammar: &Grammar) -> bool {
    let mut at = node;
    for _ in 0..8 {
        let Some(parent) = at.parent() else { return false };
        let kind = parent.kind();
        let imports =
            grammar.imports.contains(&kind) || matches!(kind, "import_list" | "use_list" | "import_clause");
        if imports && !matches!(kind, "call_expression" | "call" | "command" | "mod_item") {
            // `export function f` is no import of `f`.
            return kind != "export_statement" || parent.child_by_field_name("source").is_some();
        }
        at = parent;
    }
    false
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
    after.starts_with('(')
        || before.ends_with("new")
        || before.ends_with('<') && text[..start].ends_with('<') && after.starts_with([' ', '/', '>'])
}
