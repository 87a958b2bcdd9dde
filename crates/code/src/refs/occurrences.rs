//! Finds a name's occurrences in one text and describes each from that text alone: code, call, definition or import, the receiver
//! before its dot, the receiver's evident type, and whether a local variable shadows the name. Pure.

use std::collections::{HashMap, HashSet};

use tree_sitter::{Node, Tree};

use super::binders::{binds, is_bound_key, is_taken_from_module};
use super::definition_around::DefinitionsAround;
use super::evident_in_class::{bounded, class_around, instance_variable};
use super::given_types::Returned;
use super::keys::{is_key, is_shorthand};
use super::named_in_literals::{names_callback, names_in_macro, names_in_string, names_member};
use super::scopes::Bindings;
use super::syntactic_types;
use super::syntax_nodes::{
    ancestors, in_import, in_type_or_export, is_called, is_constant, is_declared, is_name, receiver,
};
use super::text_matches::{Lines, whole_words};
use crate::grammar::{Grammar, Kind};
use crate::symbols::Symbol;

/// How often a name may be in one text without a question of how deep its tree is.
const FEW: usize = 50;
/// The steps that are taken from the root of a tree to the places of one name, each of them as often as the place is deep. What is
/// behind these counts as text: sums of ten thousands of names are written by programs, and ten thousands of heads without a body by
/// nobody.
const MAX_STEPS: usize = 4_000_000;
/// A deeper tree has parts that a program wrote.
const DEEP: usize = 1_000;
/// The steps to the places in such a tree, which count by how deep each place is: most aren't in those parts.
const MAX_DEEP_STEPS: usize = 400_000;

/// The role of a name at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It is defined there.
    Definition,
    /// It is called or constructed there.
    Call,
    /// It is named otherwise.
    Reference,
    /// It is imported there.
    Import,
    /// In a comment or a string, or in a tree that is too deep or too broken to be followed.
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
    /// It names a field of Rust and the variable that gives or gets its value: `Cart { total }`.
    pub shorthand: bool,
    /// Where only a type is possible, so that it can't mean anything else of the same name.
    pub type_place: bool,
    /// Where only a value is possible.
    pub value_place: bool,
    /// The following name is inside it: `name::…`, so it's a module or a type.
    pub prefix: bool,
    /// The lines of the definitions in the same file that it is bound to.
    pub bound: Vec<u32>,
    /// The definition around it, by place among the symbols.
    pub inside: Option<usize>,
}

/// All places of `name` in `text`.
pub fn occurrences(
    grammar: &'static Grammar,
    language: &str,
    tree: &Tree,
    text: &str,
    symbols: &[Symbol],
    name: &str,
    returned: Returned<'_>,
) -> Vec<Occurrence> {
    let mut out = Vec::new();
    if name.is_empty() {
        return out;
    }
    let root = tree.root_node();
    let script = matches!(language, "typescript" | "tsx" | "svelte" | "vue");
    let fields = matches!(language, "csharp" | "java" | "kotlin" | "scala" | "swift");
    let found: Vec<usize> = whole_words(text, name).collect();
    let (deep, wide) = if found.len() > FEW { extent(tree) } else { (0, 0) };
    let mut steps = 0;
    let mut places: Vec<(usize, Option<Node<'_>>)> = Vec::new();
    let is_deep = deep > DEEP;
    let most = if is_deep { MAX_DEEP_STEPS } else { MAX_STEPS };
    for at in found {
        steps += wide * at / text.len() + if is_deep { 0 } else { deep };
        let is_near = steps <= most;
        let node = is_near.then(|| root.descendant_for_byte_range(at, at + name.len())).flatten();
        if is_deep {
            steps += node.map_or(0, |node| ancestors(root, node).len());
        }
        let leaf =
            node.filter(|n| n.byte_range() == (at..at + name.len()) && n.child_count() == 0 && is_name(*n));
        // A macro's parameter is nobody's name.
        let leaf = leaf.filter(|n| n.parent().is_none_or(|of| of.kind() != "preproc_params"));
        let is_named = |n: &Node<'_>| match language {
            "python" => names_in_string(*n, text),
            "ruby" => names_callback(*n, text) || is_bound_key(*n),
            "typescript" | "tsx" | "javascript" | "svelte" | "vue" => names_member(*n),
            "c" | "cpp" => names_in_macro(*n, text, at, name),
            _ => false,
        };
        let leaf = leaf.or_else(|| node.filter(is_named));
        places.push((at, leaf));
    }
    let lines = Lines::of(text);
    let mut own: HashMap<u32, Vec<&Symbol>> = HashMap::new();
    for symbol in symbols.iter().filter(|s| s.name == name) {
        own.entry(symbol.line).or_default().push(symbol);
    }
    // What a definition names may be used on the same line: `int total() { return total; }`.
    let declared = places.iter().filter_map(|(at, leaf)| leaf.map(|leaf| (lines.place(*at).0, leaf)));
    let declared: HashSet<u32> = declared
        .filter(|(line, leaf)| own.contains_key(line) && is_declared(*leaf))
        .map(|(line, _)| line)
        .collect();
    // The name of a method of Go may be that of the type beside it.
    let fits = |node: Node<'_>, s: &Symbol| {
        language != "go"
            || (node.kind() == "field_identifier") == matches!(s.kind, Kind::Method | Kind::Field)
    };
    let is_definition = |node: Node<'_>, line: u32, receiver: Option<&str>| {
        own.get(&line).into_iter().flatten().copied().any(|s| {
            fits(node, s)
                && (s.start..=s.end).contains(&node.start_byte())
                && receiver_is_own(receiver, s)
                && (is_declared(node) || !declared.contains(&line))
        })
    };
    // After `global total`, a function of Python that sets a total sets that of its module.
    let function_of = |node: Node<'_>| {
        let mut inner = ancestors(root, node).into_iter().rev();
        inner.find(|one| one.kind() == "function_definition").map(|one| one.id())
    };
    let is_told = |leaf: &Node<'_>| {
        language == "python" && leaf.parent().is_some_and(|of| of.kind() == "global_statement")
    };
    let globals: HashSet<usize> =
        places.iter().filter_map(|(_, leaf)| leaf.filter(is_told)).filter_map(function_of).collect();
    let is_global = |node: Node<'_>| {
        !globals.is_empty() && function_of(node).is_some_and(|function| globals.contains(&function))
    };
    let mut bindings = Bindings::default();
    for node in places.iter().filter_map(|(_, leaf)| *leaf) {
        let (line, _) = lines.place(node.start_byte());
        let receiver = receiver(node, text);
        let member = matches!(node.kind(), "property_identifier" | "field_identifier");
        if receiver.is_none() && is_definition(node, line, None) && !(member && language != "java") {
            bindings.add(root, node, Some(line), language);
        } else if binds(node)
            && !only_names(node, name, language)
            && !is_global(node)
            && !is_taken_from_module(node, text)
        {
            bindings.add(root, node, None, language);
        }
    }
    let mut variables: HashMap<(usize, String), Option<String>> = HashMap::new();
    let mut around = DefinitionsAround::of(symbols);
    for (at, leaf) in places {
        let (line, column) = lines.place(at);
        let inside = around.innermost(at, name, line);
        let mut found = Occurrence {
            line,
            column,
            at,
            role: Role::Text,
            receiver: None,
            receiver_type: None,
            local: false,
            key: false,
            shorthand: false,
            type_place: false,
            value_place: false,
            prefix: false,
            bound: Vec::new(),
            inside,
        };
        if let Some(node) = leaf {
            let receiver = receiver(node, text);
            let after = &text[at + name.len()..];
            let taken = is_taken_from_module(node, text);
            // `def total=(x)` of Ruby
            let of_setter =
                language == "ruby" && node.parent().is_some_and(|parent| parent.kind() == "setter");
            found.role = if of_setter || is_definition(node, line, receiver.as_deref()) {
                Role::Definition
            } else if taken || in_import(node, grammar) {
                Role::Import
            } else if is_called(node, text)
                || node.kind() == "preproc_arg" && after.trim_start().starts_with('(')
            {
                Role::Call
            } else {
                Role::Reference
            };
            found.key = receiver.is_none() && !taken && (is_key(node, language) || names_member(node));
            found.shorthand = is_shorthand(node);
            if found.role != Role::Import && script {
                found.type_place = node.kind() == "type_identifier";
                found.value_place = !found.type_place && !in_type_or_export(node);
            }
            found.prefix = after.starts_with("::") && !after.starts_with("::<");
            if receiver.is_none()
                && !found.key
                && found.role != Role::Definition
                && found.role != Role::Import
            {
                match bindings.of(root, node, language) {
                    // In Java a method and a variable may have one name: a call is the method.
                    Some(lines) if lines.is_empty() => {
                        found.local = language != "java" || found.role != Role::Call;
                    }
                    Some(lines) => found.bound = lines,
                    None => {}
                }
            }
            found.receiver_type = receiver.as_deref().and_then(|asked| {
                // `self.cart!` of Swift
                let asked = if fields { asked.trim_end_matches(['!', '?']) } else { asked };
                if language == "ruby" && asked.len() > 1 && asked.starts_with('@') {
                    let class = class_around(at, symbols)?;
                    let known = variables.entry((class.start, asked.to_owned()));
                    let of = || instance_variable(asked, class, text, symbols, returned);
                    return known.or_insert_with(of).clone();
                }
                let of = syntactic_types::type_of(asked, at, text, symbols, inside, returned, fields)?;
                if fields { bounded(of, at, symbols) } else { Some(of) }
            });
            found.receiver = receiver;
        }
        out.push(found);
    }
    out
}

/// Whether a name where a binding may be only names something: a constant in a pattern of Rust or Scala, what Kotlin assigns to.
fn only_names(node: Node<'_>, name: &str, language: &str) -> bool {
    match language {
        "rust" => is_constant(name),
        "kotlin" => node.parent().is_some_and(|parent| parent.kind() == "assignment"),
        // In a pattern, only a name in small letters binds.
        "scala" => {
            let declares =
                |of: &str| matches!(of, "val_definition" | "var_definition" | "parameter" | "binding");
            name.starts_with(char::is_uppercase) && !node.parent().is_some_and(|of| declares(of.kind()))
        }
        _ => false,
    }
}

/// `Foo.bar = function` defines `bar` although there is a receiver; `x.bar()` on the line of a definition does not.
fn receiver_is_own(receiver: Option<&str>, symbol: &Symbol) -> bool {
    match receiver {
        None => true,
        Some(receiver) => {
            let last = receiver.rsplit(['.', ':', '>']).next().unwrap_or(receiver);
            symbol.container.rsplit(['.', ':']).next() == Some(last)
                || matches!(receiver, "exports" | "module.exports" | "this" | "self")
        }
    }
}

/// How deep a tree is, and how many nodes are beside each other in the widest part that the grammar doesn't understand: the way to
/// one of those passes all before it, where one of many statements is found by halves.
fn extent(tree: &Tree) -> (usize, usize) {
    let mut cursor = tree.walk();
    let (mut depth, mut deepest, mut widest) = (0, 0, 0);
    loop {
        let node = cursor.node();
        if node.is_error() {
            widest = widest.max(node.child_count() as usize);
        }
        if cursor.goto_first_child() {
            depth += 1;
            deepest = deepest.max(depth);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return (deepest, widest);
            }
            depth -= 1;
        }
    }
}
