//! Extracts one file's definitions in a single walk of its tree, by its grammar's table: names, kinds, containers, spans,
//! signatures and imports. Doesn't know other files.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use tree_sitter::{Language, Node, Tree};

use crate::grammar::{Definition, Grammar, Kind, Name};
use crate::imports::{self, Import};
use crate::parse::slice;
use crate::signature::{exported, signature};

/// Names longer than this are data.
const MAX_NAME_BYTES: usize = 160;
/// No more definitions of one file are kept.
const MAX_SYMBOLS: usize = 20_000;

/// One definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Its own name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// The names around it, outermost first, joined by `.`; empty at the top of a file.
    pub container: String,
    /// First line, from 1, with what belongs to it in front (`export`, `pub`).
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// The line of its name.
    pub line: u32,
    /// Its start in the text.
    pub start: usize,
    /// Its end in the text.
    pub end: usize,
    /// Its signature, on one line.
    pub signature: String,
    /// Whether other files can see it, as far as its own words say.
    pub exported: bool,
}

impl Symbol {
    /// The container and the name.
    pub fn path(&self) -> String {
        if self.container.is_empty() {
            self.name.clone()
        } else {
            format!("{}.{}", self.container, self.name)
        }
    }
}

/// The definitions and imports of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// The definitions, in order of their place.
    pub symbols: Vec<Symbol>,
    /// The imports, in order of their places.
    pub imports: Vec<Import>,
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

struct Open {
    depth: u32,
    name: String,
    function: bool,
    type_like: bool,
}

/// The definitions and imports in `tree`, which was made from `text`.
pub(crate) fn outline(grammar: &'static Grammar, language: &str, tree: &Tree, text: &str) -> Outline {
    let table = table(grammar);
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
            if let Some(definition) = table.definitions.get(id).copied().flatten()
                && out.symbols.len() < MAX_SYMBOLS
                && !(definition.outer_only && (open.iter().any(|o| o.function) || in_nameless(node)))
                && let Some(found) = define(definition, language, node, text, &open)
            {
                open.push(Open {
                    depth,
                    name: found.name.clone(),
                    function: matches!(found.kind, Kind::Function | Kind::Method),
                    type_like: found.kind.is_type() || (language == "ruby" && found.kind == Kind::Module),
                });
                out.symbols.push(found);
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

fn define(d: &Definition, language: &str, node: Node<'_>, text: &str, open: &[Open]) -> Option<Symbol> {
    let mut kind = d.kind;
    let mut container: Vec<&str> = open.iter().map(|o| o.name.as_str()).filter(|n| !n.is_empty()).collect();
    let name_node = match d.name {
        Name::Field(field) => node.child_by_field_name(field)?,
        Name::Child(of) => {
            let mut cursor = node.walk();
            node.named_children(&mut cursor).find(|child| child.kind() == of)?
        }
        Name::Declarator => declaring_node(node, d, language)?,
    };
    let mut name = slice(name_node, text);
    let holder;
    match (language, d.node) {
        ("javascript" | "typescript" | "tsx" | "svelte" | "vue", "variable_declarator") => {
            if name_node.kind() != "identifier" {
                return None;
            }
            kind = value_kind(node.child_by_field_name("value")).unwrap_or(Kind::Constant);
        }
        (_, "assignment_expression") => {
            let value = value_kind(node.child_by_field_name("right"))?;
            kind = value;
            if name_node.kind() != "member_expression" {
                return None;
            }
            name = slice(name_node.child_by_field_name("property")?, text);
            holder = plain(slice(name_node.child_by_field_name("object")?, text));
            if !matches!(holder.as_str(), "exports" | "module.exports" | "this" | "module")
                && holder.len() < 40
            {
                container.push(&holder);
            }
            return Some(finish(node, name, name_node, kind, &container, language, text));
        }
        ("python", "assignment") if name_node.kind() != "identifier" => return None,
        ("ruby", "assignment") if name_node.kind() != "constant" => return None,
        ("rust", "mod_item") if node.child_by_field_name("body").is_none() => return None,
        ("go", "type_spec") => {
            kind = match node.child_by_field_name("type").map(|t| t.kind()) {
                Some("struct_type") => Kind::Struct,
                Some("interface_type") => Kind::Interface,
                _ => Kind::Type,
            };
        }
        ("go", "method_declaration") => {
            let receiver = node.child_by_field_name("receiver")?;
            holder = plain(slice(receiver, text).trim_matches(['(', ')']).rsplit(' ').next().unwrap_or(""));
            container.push(&holder);
            return Some(finish(node, name, name_node, kind, &container, language, text));
        }
        ("c" | "cpp", "struct_specifier" | "union_specifier" | "enum_specifier" | "class_specifier") => {
            node.child_by_field_name("body")?;
        }
        ("kotlin", "class_declaration") | ("swift", "class_declaration") => {
            let head: String = slice(node, text).chars().take(200).collect();
            let before = head.split(name).next().unwrap_or("");
            kind = match before.split_whitespace().next_back() {
                Some("interface") => Kind::Interface,
                Some("struct") => Kind::Struct,
                Some("enum") => Kind::Enum,
                _ if before.contains("enum") => Kind::Enum,
                _ => Kind::Class,
            };
        }
        _ => {}
    }
    if language == "cpp"
        && let Some((scope, last)) = name.rsplit_once("::")
    {
        container.push(scope);
        name = last;
        kind = if kind == Kind::Function { Kind::Method } else { kind };
    }
    if kind == Kind::Function && open.last().is_some_and(|o| o.type_like) {
        kind = Kind::Method;
    }
    Some(finish(node, name, name_node, kind, &container, language, text)).filter(|s| is_name(&s.name))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= MAX_NAME_BYTES && !name.contains(char::is_whitespace)
}

/// The kind of a variable with this value.
fn value_kind(value: Option<Node<'_>>) -> Option<Kind> {
    match value?.kind() {
        "arrow_function" | "function_expression" | "generator_function" | "function" => Some(Kind::Function),
        "class" => Some(Kind::Class),
        _ => None,
    }
}

/// The name inside the declarators of C, C++ and Java.
fn declaring_node<'t>(node: Node<'t>, d: &Definition, language: &str) -> Option<Node<'t>> {
    let mut at = node.child_by_field_name("declarator")?;
    let mut function = false;
    for _ in 0..12 {
        function |= at.kind() == "function_declarator";
        at = match at.kind() {
            "identifier"
            | "field_identifier"
            | "type_identifier"
            | "qualified_identifier"
            | "operator_name"
            | "destructor_name"
            | "template_function" => {
                // A declaration counts when it declares a function: variables of C are found as text.
                let prototype = matches!(d.node, "declaration" | "field_declaration") && language != "java";
                return (!prototype || function).then_some(at);
            }
            "variable_declarator" => at.child_by_field_name("name")?,
            _ => match at.child_by_field_name("declarator") {
                Some(inner) => inner,
                None => at.named_child(0)?,
            },
        };
    }
    None
}

fn finish(
    node: Node<'_>,
    name: &str,
    name_node: Node<'_>,
    kind: Kind,
    container: &[&str],
    language: &str,
    text: &str,
) -> Symbol {
    let mut whole = node;
    // The words before it belong to it: `export`, `const`, decorators.
    for _ in 0..3 {
        match whole.parent() {
            Some(parent)
                if matches!(
                    parent.kind(),
                    "export_statement"
                        | "lexical_declaration"
                        | "variable_declaration"
                        | "decorated_definition"
                        | "ambient_declaration"
                        | "expression_statement"
                        | "template_declaration"
                        | "type_declaration"
                ) =>
            {
                whole = parent;
            }
            _ => break,
        }
    }
    let signature = signature(whole, node, text);
    Symbol {
        exported: exported(&signature, name, whole, language, text),
        name: name.trim_matches(['"', '\'', '`']).to_owned(),
        kind,
        container: container.join("."),
        start_line: row(whole.start_position().row),
        end_line: row(whole.end_position().row),
        line: row(name_node.start_position().row),
        start: whole.start_byte(),
        end: whole.end_byte(),
        signature,
    }
}

fn row(row: usize) -> u32 {
    u32::try_from(row + 1).unwrap_or(u32::MAX)
}

/// A type's or receiver's name without what decorates it: `&mut Vec<T>` → `Vec`.
fn plain(text: &str) -> String {
    let text =
        text.trim().trim_start_matches(['*', '&']).trim_start_matches("mut ").trim_start_matches("dyn ");
    let end = text.find(['<', '[', '(', ' ', '\n']).unwrap_or(text.len());
    let mut out = text[..end].to_owned();
    if out.len() > MAX_NAME_BYTES {
        out.clear();
    }
    out
}
