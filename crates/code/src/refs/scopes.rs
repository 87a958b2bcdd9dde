//! Resolves a bare name within its own file: the blocks, functions and types around a place and the bindings of each, from
//! the syntax tree. Pure.

use std::collections::HashMap;
use std::ops::Range;

use tree_sitter::Node;

use super::seen_from::{is_swift_or_kotlin, seen_from};
use super::syntax_nodes::ancestors;

/// More definitions of one name in one scope aren't told apart.
const MAX_LINES: usize = 400;

/// Whether what is defined in a type is visible to a bare name inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Members {
    /// Only by a receiver.
    Never,
    /// In the type's own lines, but not in its functions.
    Direct,
    /// Everywhere inside.
    Always,
}

fn members(language: &str) -> Members {
    match language {
        "typescript" | "tsx" | "javascript" | "svelte" | "vue" | "rust" | "go" | "php" => Members::Never,
        "python" => Members::Direct,
        _ => Members::Always,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    Block,
    Function,
    Type,
}

/// Which scope a node opens; `outer` is the node around it, which the root of a tree doesn't have.
fn scope_of(node: Node<'_>, outer: Option<Node<'_>>, language: &str) -> Option<Scope> {
    Some(match node.kind() {
        "function_declaration"
        | "generator_function_declaration"
        | "function_expression"
        | "generator_function"
        | "arrow_function"
        | "method_definition"
        | "method_declaration"
        | "method_signature"
        | "function_signature"
        | "function_type"
        | "constructor_declaration"
        | "function_definition"
        | "function_item"
        | "function_signature_item"
        | "closure_expression"
        | "func_literal"
        | "lambda"
        | "lambda_expression"
        | "lambda_literal"
        | "local_function_statement"
        | "method"
        | "singleton_method"
        | "do_block"
        | "list_comprehension"
        | "dictionary_comprehension"
        | "set_comprehension"
        | "generator_expression" => Scope::Function,
        "anonymous_function" | "secondary_constructor" | "init_declaration" | "computed_property"
            if is_swift_or_kotlin(language) =>
        {
            Scope::Function
        }
        // A Python block isn't a scope, nor is the counterpart of `{}` in its other statements.
        _ if language == "python" && node.kind() != "class_definition" => return None,
        "block"
        | "statement_block"
        | "compound_statement"
        | "for_statement"
        | "for_in_statement"
        | "for_expression"
        | "for_range_loop"
        | "enhanced_for_statement"
        | "if_statement"
        | "if_expression"
        | "if_let_expression"
        | "while_expression"
        | "match_arm"
        | "catch_clause"
        | "expression_switch_statement"
        | "type_switch_statement"
        | "switch_body"
        | "communication_case"
        | "expression_case"
        | "default_case"
        | "type_case"
        | "internal_module" => Scope::Block,
        "catch_block" | "do_statement" | "switch_entry" | "when_expression" | "while_statement"
            if is_swift_or_kotlin(language) =>
        {
            Scope::Block
        }
        "operator_declaration"
        | "conversion_operator_declaration"
        | "indexer_declaration"
        | "destructor_declaration"
        | "anonymous_method_expression"
            if language == "csharp" =>
        {
            Scope::Function
        }
        "subscript_declaration"
        | "deinit_declaration"
        | "protocol_function_declaration"
        | "willset_clause"
        | "didset_clause"
        | "computed_getter"
        | "computed_setter"
            if language == "swift" =>
        {
            Scope::Function
        }
        "getter" | "setter" if language == "kotlin" => Scope::Function,
        "extension_definition" | "given_definition" if language == "scala" => Scope::Function,
        "template_declaration" if language == "cpp" => Scope::Block,
        "repeat_while_statement" if language == "swift" => Scope::Block,
        "using_statement" | "fixed_statement" if language == "csharp" => Scope::Block,
        "while_statement" if language == "cpp" => Scope::Block,
        "case_clause" if language == "scala" => Scope::Block,
        "query_expression" | "switch_section" | "switch_expression_arm" if language == "csharp" => {
            Scope::Block
        }
        "switch_rule" | "switch_block" | "switch_block_statement_group" if language == "java" => Scope::Block,
        "foreach_statement" | "try_with_resources_statement" if matches!(language, "csharp" | "java") => {
            Scope::Block
        }
        "declaration_list" if outer.is_some_and(|outer| outer.kind() == "mod_item") => Scope::Block,
        // The head of a type binds what is seen in that type alone: `class Cart(val total: Int)`, `record Row(int total)`.
        "class_declaration" | "struct_declaration" | "record_declaration"
            if matches!(language, "csharp" | "java" | "kotlin") =>
        {
            Scope::Type
        }
        // What a head without a body names is seen in it alone: `int open(int size);`
        "parameter_list" if matches!(language, "c" | "cpp") => Scope::Function,
        "abstract_method_signature"
        | "call_signature"
        | "construct_signature"
        | "constructor_type"
        | "method_elem"
        | "delegate_declaration" => Scope::Function,
        // What a type calls its parts or its keys means nothing outside: `[size: number]`, `{ [size: string]: number }`.
        "tuple_type" | "index_signature" if matches!(language, "typescript" | "tsx" | "svelte" | "vue") => {
            Scope::Function
        }
        // Scala
        "trait_definition" | "enum_definition" => Scope::Type,
        "class_body"
        | "class_definition"
        | "template_body"
        | "protocol_body"
        | "enum_class_body"
        | "enum_declaration_list"
        | "declaration_list"
        | "interface_body"
        | "object_type"
        | "enum_body"
        | "enum_variant_list"
        | "field_declaration_list"
        | "class"
        | "module"
            if outer.is_some() =>
        {
            Scope::Type
        }
        _ => return None,
    })
}

/// One name that is bound.
#[derive(Debug)]
struct Binding {
    /// The line of the definition that the index knows.
    line: Option<u32>,
    /// From where on it is seen: a variable of Go, Rust, Swift or Kotlin isn't in its own value, and
    /// one of a condition isn't before it.
    from: usize,
    /// Where its name is, which is itself whatever comes later.
    at: usize,
}

/// The bindings of each scope, by its range; the whole file is a scope too.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    by_scope: HashMap<Range<usize>, Vec<Binding>>,
}

impl Bindings {
    /// Notes that `name_node` binds its name; `line` is that of the definition which the index knows, if it does.
    pub(super) fn add(&mut self, root: Node<'_>, name_node: Node<'_>, line: Option<u32>, language: &str) {
        let path = ancestors(root, name_node);
        let behind = seen_behind(&path, name_node, language);
        let range = home(&path, name_node, behind, language);
        // What a broken part of C seems to declare for the whole file hides nothing in it.
        if line.is_none() && matches!(language, "c" | "cpp") && range == root.byte_range() {
            return;
        }
        let from = match (line, behind) {
            (Some(_), _) => 0,
            (None, Some(_)) => name_node.end_byte(),
            (None, None) => seen_from(name_node, language),
        };
        self.by_scope.entry(range).or_default().push(Binding { line, from, at: name_node.start_byte() });
    }

    /// What the bare name at `node` is bound to: nothing, locals only (empty), or the lines of definitions.
    pub(super) fn of(&self, root: Node<'_>, node: Node<'_>, language: &str) -> Option<Vec<u32>> {
        self.nearest(root, node, language).map(|(_, lines)| lines)
    }

    /// Whether the bare name at `node` is bound in a scope within the file, and not by the file itself.
    pub(super) fn is_inner(&self, root: Node<'_>, node: Node<'_>, language: &str) -> bool {
        self.nearest(root, node, language).is_some_and(|(depth, _)| depth > 0)
    }

    /// Whether what binds the bare name at `node` is in a function, and no member of a type.
    pub(super) fn is_local(&self, root: Node<'_>, node: Node<'_>, language: &str) -> bool {
        let Some((depth, _)) = self.nearest(root, node, language) else { return false };
        let path = ancestors(root, node);
        let scope = |place: usize| scope_of(path[place], outer(&path, place), language);
        scope(depth) != Some(Scope::Type) && (0..=depth).any(|place| scope(place) == Some(Scope::Function))
    }

    /// How deep the innermost scope is that binds the bare name at `node`, and the lines of definitions among what binds it there.
    fn nearest(&self, root: Node<'_>, node: Node<'_>, language: &str) -> Option<(usize, Vec<u32>)> {
        let visible = members(language);
        let mut crossed = false;
        let path = ancestors(root, node);
        for (depth, parent) in path.iter().enumerate().rev() {
            let scope = scope_of(*parent, outer(&path, depth), language);
            if scope == Some(Scope::Function) && language == "python" && is_in_head(&path, depth, node) {
                continue;
            }
            let seen = match scope {
                Some(Scope::Type) => match visible {
                    Members::Never => false,
                    Members::Direct => !crossed,
                    Members::Always => true,
                },
                Some(_) => true,
                None => depth == 0,
            };
            if seen && let Some(found) = self.by_scope.get(&parent.byte_range()) {
                let start = node.start_byte();
                let mut here = found.iter().filter(|b| b.from <= start || b.at == start).peekable();
                if here.peek().is_some() {
                    let lines = here.filter_map(|binding| binding.line).take(MAX_LINES);
                    return Some((depth, lines.collect()));
                }
            }
            crossed |= scope == Some(Scope::Function);
        }
        None
    }
}

/// Whether `node` is in what the head of the function at this depth of its path has from around it: in Python a default and a type
/// mean what they'd mean in front of the function.
fn is_in_head(path: &[Node<'_>], depth: usize, node: Node<'_>) -> bool {
    let inner = |at: usize| path.get(at).copied().unwrap_or(node);
    let Some(function) = path.get(depth) else { return false };
    let part = inner(depth + 1);
    if function.child_by_field_name("return_type") == Some(part) {
        return true;
    }
    let (parameter, of) = (inner(depth + 2), inner(depth + 3));
    function.child_by_field_name("parameters") == Some(part)
        && ["value", "type"].iter().any(|field| parameter.child_by_field_name(field) == Some(of))
}

/// The node around the one in this place of a path from the root.
fn outer<'t>(path: &[Node<'t>], place: usize) -> Option<Node<'t>> {
    place.checked_sub(1).and_then(|before| path.get(before)).copied()
}

/// The place on the path to a name of the `if` whose condition binds it so that it's seen behind that: of C# any, of Java one that is
/// negated and leaves what is around it, as in `if (!(x instanceof Cart cart)) return;`.
fn seen_behind(path: &[Node<'_>], name_node: Node<'_>, language: &str) -> Option<usize> {
    if !matches!(language, "csharp" | "java") {
        return None;
    }
    let (mut at, mut is_negated) = (name_node, false);
    for (place, parent) in path.iter().enumerate().rev() {
        if parent.kind() == "if_statement" {
            let is_condition = parent.child_by_field_name("condition").is_some_and(|n| n.id() == at.id());
            let is_seen = is_condition && (language == "csharp" || is_negated && leaves(*parent));
            return is_seen.then_some(place);
        }
        if scope_of(*parent, outer(path, place), language).is_some() {
            return None;
        }
        let has_sign = |sign: &str| parent.child(0).is_some_and(|first| first.kind() == sign);
        is_negated |= parent.kind() == "unary_expression" && has_sign("!");
        at = *parent;
    }
    None
}

/// Whether the first branch of an `if` ends by going elsewhere.
fn leaves(branch: Node<'_>) -> bool {
    let Some(body) = branch.child_by_field_name("consequence") else { return false };
    let mut cursor = body.walk();
    let last = if body.kind() == "block" {
        body.named_children(&mut cursor).filter(|node| !node.is_extra()).last()
    } else {
        Some(body)
    };
    let ends = ["return_statement", "throw_statement", "continue_statement", "break_statement"];
    last.is_some_and(|last| ends.contains(&last.kind()))
}

/// The scope in which a name is bound, or in which it's seen behind what is in this place: its function's own name belongs to what is
/// around the function.
fn home(path: &[Node<'_>], name_node: Node<'_>, behind: Option<usize>, language: &str) -> Range<usize> {
    let inner = behind.unwrap_or(path.len());
    let mut at = path.get(inner).copied().unwrap_or(name_node);
    for (place, parent) in path[..inner].iter().enumerate().rev() {
        let Some(outer) = outer(path, place) else { return parent.byte_range() };
        let named = ["name", "declarator", "left"]
            .iter()
            .any(|field| parent.child_by_field_name(field).is_some_and(|n| n.id() == at.id()));
        let own_name = named
            && at.id() == name_node.id()
            && !matches!(
                parent.kind(),
                "for_statement"
                    | "for_in_statement"
                    | "enhanced_for_statement"
                    | "for_range_loop"
                    | "foreach_statement"
                    | "index_signature"
            );
        // The parameters of a function are seen in its body, too.
        let is_head = parent.kind() == "parameter_list" && !is_of_declaration(path, place);
        // A template's parameters are seen in what it's of, whose name is seen around it.
        let has_head = matches!(parent.kind(), "template_declaration" | "extension_definition");
        let is_of_template = has_head && !matches!(at.kind(), "template_parameter_list" | "parameters");
        let is_passed = is_of_template || is_seen_in_next_cases(*parent, at);
        if !own_name && !is_head && !is_passed && scope_of(*parent, Some(outer), language).is_some() {
            return parent.byte_range();
        }
        at = *parent;
    }
    name_node.byte_range()
}

/// Whether what a statement in one case of a `switch` declares is seen in those behind it, too; what its pattern binds isn't.
fn is_seen_in_next_cases(case: Node<'_>, statement: Node<'_>) -> bool {
    match case.kind() {
        "switch_block_statement_group" => statement.kind() == "local_variable_declaration",
        "switch_section" => matches!(
            statement.kind(),
            "local_declaration_statement" | "expression_statement" | "if_statement"
        ),
        _ => false,
    }
}

/// Whether the parameters in this place of a path are those of a function of C that is only declared, of a pointer to one, or of its
/// type. What a grammar loses the body of has no end.
fn is_of_declaration(path: &[Node<'_>], place: usize) -> bool {
    let around = path[..place].iter().rev().find(|one| !one.kind().ends_with("_declarator"));
    around.is_some_and(|one| match one.kind() {
        "declaration" | "field_declaration" | "type_definition" => {
            let mut cursor = one.walk();
            let last = one.children(&mut cursor).last();
            last.is_some_and(|last| last.kind() == ";" && !last.is_missing())
        }
        kind => matches!(
            kind,
            "parameter_declaration"
                | "optional_parameter_declaration"
                | "alias_declaration"
                | "type_descriptor"
        ),
    })
}
