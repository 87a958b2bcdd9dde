//! Extracts one file's definitions in a single walk of its tree, by its grammar's table: names, kinds, containers, spans,
//! signatures and imports. Doesn't know other files.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use tree_sitter::{Language, Node, Tree};

pub use crate::define::Symbol;
use crate::define::{Open, defined, plain};
use crate::exports::{self, Export};
use crate::grammar::{Definition, Grammar};
use crate::imports::{self, Import};
use crate::parse::slice;

/// No more definitions of one file are kept.
const MAX_SYMBOLS: usize = 20_000;

/// The definitions and imports of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// The definitions, in order of their place.
    pub symbols: Vec<Symbol>,
    /// The imports, in order of their places.
    pub imports: Vec<Import>,
    /// What is given out under another name, in JavaScript and TypeScript.
    pub exports: Vec<Export>,
}

/// The meaning of each node kind, by its number in the grammar.
struct Table {
    definitions: Vec<Option<&'static Definition>>,
    containers: Vec<Option<&'static str>>,
    imports: Vec<bool>,
}

/// The table of `grammar`, made once.
fn table(grammar: &'static Grammar) -> &'static Table {
    static TABLES: OnceLock<Mutex<HashMap<usize, &'static Table>>> = OnceLock::new();
    let tables = TABLES.get_or_init(Mutex::default);
    let mut tables = tables.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    // One for each grammar, for the life of the process.
    tables.entry(std::ptr::from_ref(grammar) as usize).or_insert_with(|| Box::leak(Box::new(build(grammar))))
}

fn build(grammar: &'static Grammar) -> Table {
    let language = Language::from(grammar.parser);
    let count = language.node_kind_count();
    let name = |id: usize| {
        let id = u16::try_from(id).unwrap_or(0);
        language.node_kind_for_id(id).filter(|_| language.node_kind_is_named(id)).unwrap_or("")
    };
    let has = |list: &[&str]| (0..count).map(|id| list.contains(&name(id))).collect();
    Table {
        definitions: (0..count).map(|id| grammar.definitions.iter().find(|d| d.node == name(id))).collect(),
        containers: (0..count)
            .map(|id| grammar.containers.iter().find(|(node, _)| *node == name(id)).map(|(_, field)| *field))
            .collect(),
        imports: has(grammar.imports),
    }
}

/// The definitions and imports in `tree`, which was made from `text`.
pub(crate) fn outline(grammar: &'static Grammar, language: &str, tree: &Tree, text: &str) -> Outline {
    let table = table(grammar);
    let script = matches!(language, "typescript" | "tsx" | "javascript" | "svelte" | "vue");
    let mut out = Outline::default();
    let mut open: Vec<Open> = Vec::new();
    let mut cursor = tree.walk();
    let mut depth = 0u32;
    loop {
        let node = cursor.node();
        let id = usize::from(node.kind_id());
        if node.is_named() {
            while open.last().is_some_and(|o| o.depth >= depth) {
                open.pop();
            }
            if table.imports.get(id).copied().unwrap_or(false) {
                imports::read(language, node, text, &mut out.imports);
            }
            if script && matches!(node.kind(), "export_statement" | "assignment_expression") {
                exports::read(node, text, &mut out.exports);
            }
            let found = match table.definitions.get(id).copied().flatten() {
                Some(definition)
                    if out.symbols.len() < MAX_SYMBOLS
                        && !(definition.outer_only
                            && (open.iter().any(|o| o.function) || in_nameless(node))) =>
                {
                    defined(definition, language, node, text, &open)
                }
                _ => Vec::new(),
            };
            if let Some(first) = found.first() {
                open.extend(Open::of(first, node, language, depth));
                out.symbols.extend(found);
            } else if let Some(field) = table.containers.get(id).copied().flatten()
                && let Some(named) = node.child_by_field_name(field)
            {
                open.push(Open { depth, name: plain(slice(named, text)), function: false, type_like: true });
            }
        }
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        loop {
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                out.symbols.sort_by(|a, b| (a.start, a.end, &a.name).cmp(&(b.start, b.end, &b.name)));
                out.symbols.dedup_by(|b, a| a.start == b.start && a.name == b.name && a.end == b.end);
                return out;
            }
            depth -= 1;
        }
    }
}

/// Whether a function without a name is around a node: what is inside is its local, too.
fn in_nameless(node: Node<'_>) -> bool {
    let mut at = node;
    while let Some(parent) = at.parent() {
        if matches!(
            parent.kind(),
            "arrow_function"
                | "function_expression"
                | "func_literal"
                | "lambda"
                | "closure_expression"
                | "lambda_literal"
        ) {
            return true;
        }
        at = parent;
    }
    false
}
