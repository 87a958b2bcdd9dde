//! Extracts one file's definitions in a single walk of its tree, by its grammar's table: names, kinds, containers, spans,
//! signatures and imports. Doesn't know other files.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use tree_sitter::{Language, Node, Tree};

use crate::constants::Constants;
use crate::default_names;
pub use crate::define::Symbol;
use crate::define::{Open, defined, plain};
use crate::exports::{self, Export};
use crate::grammar::{Definition, Grammar, Kind};
use crate::imports::{self, DEFAULT, Import};
use crate::language::is_script;
use crate::mentions::{self, Mentions};
use crate::parse::{self, slice};

/// The most definitions that are kept of one file.
const MAX_SYMBOLS: usize = 20_000;
/// No definition is kept that is in more others: each names all that it's in.
const MAX_AROUND: usize = 100;
/// Macros in what macros are given are read no deeper.
const MAX_NESTED: u32 = 3;

/// The definitions and imports of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// The definitions, in order of their place.
    pub symbols: Vec<Symbol>,
    /// The imports, in order of their places.
    pub imports: Vec<Import>,
    /// What is given out under another name, in JavaScript and TypeScript.
    pub exports: Vec<Export>,
    /// The types that are named without an import, each with its first line, in languages that see their packages as a whole.
    pub mentions: Vec<(String, u32)>,
    /// What is exported as the default without a name.
    unnamed: Option<Symbol>,
}

/// What is around a node without being a definition, by how deep it is. A tree looks for each parent from its root on, so that each
/// node isn't asked for its own.
#[derive(Default)]
struct Unnamed {
    /// Functions without a name: what is inside is their local, too.
    functions: Vec<u32>,
    /// Modules of Rust in the file's own text.
    modules: Vec<u32>,
}

impl Unnamed {
    /// Goes to a node that is this deep.
    fn leave(&mut self, depth: u32) {
        for around in [&mut self.functions, &mut self.modules] {
            while around.last().is_some_and(|one| *one >= depth) {
                around.pop();
            }
        }
    }

    /// Goes into a node.
    fn enter(&mut self, node: Node<'_>, depth: u32, language: &str, text: &str) {
        match node.kind() {
            "compound_statement"
                if matches!(language, "c" | "cpp") && is_body_of_macro(node, depth, text) =>
            {
                self.functions.push(depth);
            }
            "arrow_function"
            | "function_expression"
            | "func_literal"
            | "lambda"
            | "closure_expression"
            | "lambda_literal" => self.functions.push(depth),
            // A property's accessors and observers, and what runs when an object begins or ends.
            "computed_property" | "willset_didset_block" | "deinit_declaration" if language == "swift" => {
                self.functions.push(depth);
            }
            "getter" | "setter" | "anonymous_initializer" if language == "kotlin" => {
                self.functions.push(depth);
            }
            "mod_item" => self.modules.push(depth),
            _ => {}
        }
    }
}

/// Whether a block is the body of what a macro makes outside of functions: `TEST_CASE("adds up") { … }`. The deepest are in two
/// namespaces.
fn is_body_of_macro(block: Node<'_>, depth: u32, text: &str) -> bool {
    let before = if depth > 5 { None } else { block.prev_named_sibling() };
    before.is_some_and(|one| one.kind() == "expression_statement" && slice(one, text).ends_with(')'))
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

/// The definitions and imports in `tree`, which was made from `text`, the file at `path`.
pub(crate) fn outline(
    grammar: &'static Grammar,
    language: &str,
    tree: &Tree,
    text: &str,
    path: &str,
) -> Outline {
    let mut out = outline_within(grammar, language, tree, text, 0);
    let unnamed = out.unnamed.take();
    let component = || default_names::is_component(language).then(|| default_names::component(""));
    let Some(mut symbol) = component().or(unnamed) else { return out };
    let free = |name: &&str| !out.symbols.iter().any(|s| s.container.is_empty() && s.name == *name);
    if let Some(name) = default_names::of_file(path).filter(free) {
        if default_names::is_component(language) {
            symbol = default_names::component(name);
        }
        symbol.name = name.to_owned();
        out.exports.push(Export {
            given: DEFAULT.to_owned(),
            own: name.to_owned(),
            line: symbol.line,
            from: false,
        });
        let at = out.symbols.partition_point(|s| (s.start, s.end) < (symbol.start, symbol.end));
        out.symbols.insert(at, symbol);
    }
    out
}

/// The same without names for what has none, `nested` macros deep.
fn outline_within(
    grammar: &'static Grammar,
    language: &str,
    tree: &Tree,
    text: &str,
    nested: u32,
) -> Outline {
    let table = table(grammar);
    let script = is_script(language);
    let mentioning = mentions::has_them(language);
    let mut mentioned = Mentions::default();
    let mut constants = (language == "ruby").then(Constants::default);
    let mut out = Outline::default();
    let mut open: Vec<Open> = Vec::new();
    let mut unnamed = Unnamed::default();
    let mut cursor = tree.walk();
    let mut depth = 0u32;
    loop {
        let node = cursor.node();
        let id = usize::from(node.kind_id());
        if node.is_named() {
            while open.last().is_some_and(|o| o.depth >= depth) {
                open.pop();
            }
            unnamed.leave(depth);
            if table.imports.get(id).copied().unwrap_or(false) {
                imports::read(language, node, text, unnamed.modules.len(), &mut out.imports);
                mentioned.skip(node);
            }
            match &mut constants {
                Some(constants) => constants.read(node, text),
                None if mentioning && node.child_count() == 0 => mentioned.read(node, text),
                None => {}
            }
            if script && matches!(node.kind(), "export_statement" | "assignment_expression") {
                exports::read(node, text, &mut out.exports);
                if node.kind() == "export_statement" && !out.exports.iter().any(|one| one.given == DEFAULT) {
                    out.unnamed = out.unnamed.or_else(|| default_names::of_export(node, text));
                }
            }
            if node.kind() == "macro_invocation"
                && language == "rust"
                && nested < MAX_NESTED
                && !open.iter().any(|o| o.function)
            {
                let inner = macro_items(grammar, node, text, nested);
                out.imports.extend(inner.imports);
                let names: Vec<&str> =
                    open.iter().map(|o| o.name.as_str()).filter(|n| !n.is_empty()).collect();
                let room = MAX_SYMBOLS.saturating_sub(out.symbols.len());
                out.symbols.extend(inner.symbols.into_iter().take(room).map(|mut symbol| {
                    let own = (!symbol.container.is_empty()).then_some(symbol.container.as_str());
                    symbol.container = names.iter().copied().chain(own).collect::<Vec<_>>().join(".");
                    symbol
                }));
            }
            let found = match table.definitions.get(id).copied().flatten() {
                Some(definition)
                    if out.symbols.len() < MAX_SYMBOLS
                        && open.len() < MAX_AROUND
                        && !(definition.outer_only
                            && (open.iter().any(|o| o.function) || !unnamed.functions.is_empty())) =>
                {
                    defined(definition, language, node, text, &open)
                }
                _ => Vec::new(),
            };
            if let Some(first) = found.first() {
                // `namespace A;` contains what comes after it, to the end of the file.
                let after = node.kind() == "file_scoped_namespace_declaration";
                open.extend(Open::of(first, node, text, language, depth.saturating_sub(u32::from(after))));
                if first.kind == Kind::Module {
                    mentioned.skip(node.child_by_field_name("name").unwrap_or(node));
                }
                out.symbols.extend(found);
            } else if let Some(field) = table.containers.get(id).copied().flatten()
                && open.len() < MAX_AROUND
                && let Some(named) = node.child_by_field_name(field)
            {
                open.push(Open { depth, name: plain(slice(named, text)), function: false, type_like: true });
            }
            unnamed.enter(node, depth, language, text);
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
                out.mentions = match constants {
                    Some(constants) => constants.finish(&out.symbols),
                    None => mentioned.finish(&out.symbols),
                };
                return out;
            }
            depth -= 1;
        }
    }
}

/// The items that a macro of Rust is given, as in `pin_project! { struct … }`: what it makes of them mostly has their names.
fn macro_items(grammar: &'static Grammar, call: Node<'_>, text: &str, nested: u32) -> Outline {
    let mut cursor = call.walk();
    let given = call.named_children(&mut cursor).find(|child| child.kind() == "token_tree");
    let Some(given) = given.filter(|given| given.byte_range().len() > 2) else { return Outline::default() };
    let start = given.start_byte() + 1;
    let inner = text.get(start..given.end_byte() - 1).unwrap_or_default();
    let has_item = inner.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| {
        matches!(
            word,
            "struct" | "enum" | "fn" | "trait" | "impl" | "mod" | "const" | "static" | "type" | "union"
        )
    });
    if !has_item {
        return Outline::default();
    }
    let inner = as_items(inner);
    let Ok(tree) = parse::parse(grammar, &inner, parse::MAX_STEPS) else { return Outline::default() };
    let mut out = outline_within(grammar, "rust", &tree, &inner, nested + 1);
    let row = u32::try_from(given.start_position().row).unwrap_or(0);
    for symbol in &mut out.symbols {
        symbol.start += start;
        symbol.end += start;
        symbol.start_line += row;
        symbol.end_line += row;
        symbol.line += row;
    }
    out.imports.iter_mut().for_each(|import| import.line += row);
    out
}

/// Anything but items in a macro's arguments becomes spaces: `static ref`, `if #[cfg(…)] { … } else { … }`, `@section`.
fn as_items(given: &str) -> String {
    let mut out = given.replace("static ref ", "static     ");
    let mut at = 0;
    while let Some(found) = out[at..].find("if #[").map(|found| at + found) {
        let end = out[found..].find('{').map_or(out.len(), |end| found + end);
        let blank = " ".repeat(end - found);
        if out.is_char_boundary(end) && !out[found..end].contains('\n') {
            out.replace_range(found..end, &blank);
        }
        at = end;
    }
    let alternative = given.contains("if #[");
    let lines = out.split_inclusive('\n').map(|line| {
        let trimmed = line.trim();
        if trimmed.starts_with('@') {
            return " ".repeat(line.trim_end().len()) + &line[line.trim_end().len()..];
        }
        if alternative { line.replace("else", "    ") } else { line.to_owned() }
    });
    lines.collect()
}
