//! Extracts a file's imports as written, from the nodes that import. `resolve` finds the files they mean.

use std::borrow::Cow;

use tree_sitter::Node;

use crate::import_names::{
    expand_use_tree, names_in_braces, scala_names, split_names, takes_types, without_comments,
};
use crate::parse::slice;

/// One import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The module, file or path as written, without quotes: `./a`, `crate::b::C`, `java.util.List`, `x.h`,
    /// `<time.h>`. Paths in an inline module are relative to the file: `self::C` for its `super::C`.
    pub target: String,
    /// The names that are imported from it, if they are listed; empty means the whole module.
    pub names: Vec<String>,
    /// The line, from 1.
    pub line: u32,
    /// It re-exports what it imports: `export … from`, `pub use`; in C# it's for all files of the project: `global using`.
    pub passed_on: bool,
    /// It imports only types, which don't exist when the program runs: `import type`, `if TYPE_CHECKING:`.
    pub types_only: bool,
    /// Its name here, and its name there: [`WHOLE`] for the module itself or everything in it.
    pub bound: Vec<(String, String)>,
}

/// The module itself as what is imported; as what it is called here: all its names.
pub(crate) const WHOLE: &str = "*";
/// A JavaScript module's default export.
pub(crate) const DEFAULT: &str = "default";

/// Takes an import: its target, the names, whether it passes them on, and what they are called here and there.
type Add<'a> = dyn FnMut(&str, Vec<String>, bool, Vec<(String, String)>) + 'a;

/// Longer ones are not names.
const MAX_TARGET_BYTES: usize = 400;

/// Reads `node`, one of those that the grammar says import something; so many `modules` of Rust in the file's own text are around it.
pub(crate) fn read(language: &str, node: Node<'_>, text: &str, modules: usize, out: &mut Vec<Import>) {
    let line = u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX);
    let whole = slice(node, text);
    let types_only = match language {
        "typescript" | "tsx" | "svelte" | "vue" => takes_types(whole),
        "python" => for_types_alone(node, text),
        _ => false,
    };
    let mut add = |target: &str, names: Vec<String>, passed_on: bool, bound: Vec<(String, String)>| {
        let target = target.trim().trim_matches(['"', '\'', '`', ';']).trim();
        if !target.is_empty() && target.len() <= MAX_TARGET_BYTES && !target.contains('\n') {
            out.push(Import { target: target.to_owned(), names, line, passed_on, types_only, bound });
        }
    };
    match language {
        "typescript" | "tsx" | "javascript" | "svelte" | "vue" => read_script(node, text, &mut add),
        "python" => read_python(node, text, &mut add),
        "rust" => read_rust(node, text, modules, &mut add),
        "ruby" => read_ruby(node, text, &mut add),
        "shell" => {
            let mut words = whole.split_whitespace();
            if matches!(words.next(), Some("source" | "."))
                && let Some(path) = words.next()
            {
                add(path, Vec::new(), false, Vec::new());
            }
        }
        "go" => {
            let path = node.child_by_field_name("path").map_or(whole, |p| slice(p, text));
            let last = go_package(path.trim_matches(['"', '`']));
            let called = node.child_by_field_name("name").map_or(last, |name| slice(name, text));
            let called = if called == "." { WHOLE } else { called };
            add(path, Vec::new(), false, vec![(called.to_owned(), WHOLE.to_owned())]);
        }
        "c" | "cpp" => {
            let path = node.child_by_field_name("path").map_or("", |p| slice(p, text));
            add(path, Vec::new(), false, Vec::new());
        }
        "scala" => {
            for (path, called) in scala_names(whole.trim_start_matches("import").trim()) {
                let last = path.rsplit('.').next().unwrap_or(&path).to_owned();
                let all = matches!(last.as_str(), "*" | "_");
                let bound = if all { (WHOLE, WHOLE) } else { (called.as_str(), last.as_str()) };
                let bound = vec![(bound.0.to_owned(), bound.1.to_owned())];
                add(&path, if all { Vec::new() } else { vec![last] }, false, bound);
            }
        }
        _ => read_dotted(language, node, text, &mut add),
    }
}

/// `import … from`, `export … from` and `require(…)`.
fn read_script(node: Node<'_>, text: &str, add: &mut Add<'_>) {
    let whole = slice(node, text);
    match node.kind() {
        "call_expression" => {
            let called = node.child_by_field_name("function").map(|f| slice(f, text));
            if matches!(called, Some("require" | "import"))
                && let Some(first) = node.child_by_field_name("arguments").and_then(|a| a.named_child(0))
                && first.kind() == "string"
            {
                add(slice(first, text), Vec::new(), false, require_bindings(node, text));
            }
        }
        kind => {
            if let Some(source) = node.child_by_field_name("source") {
                let bound = if kind == "export_statement" { Vec::new() } else { clause(node, text) };
                let mut names = names_in_braces(whole);
                // What comes beside the braces is imported, too.
                let beside = bound.iter().find(|(_, there)| there == DEFAULT || there == WHOLE);
                names.extend(beside.filter(|_| !names.is_empty()).map(|(_, there)| there.clone()));
                add(slice(source, text), names, kind == "export_statement", bound);
            }
        }
    }
}

/// `from a import b` and `import a as b`.
fn read_python(node: Node<'_>, text: &str, add: &mut Add<'_>) {
    let whole = slice(node, text);
    if let Some(module) = node.child_by_field_name("module_name") {
        let names = whole.split_once("import").map_or("", |(_, names)| names);
        let bound = python_names(node, text);
        add(slice(module, text), split_names(names.trim().trim_matches(['(', ')'])), false, bound);
    } else {
        for module in whole.trim_start_matches("import").split(',') {
            let (name, called) = module.split_once(" as ").unwrap_or((module, module));
            add(name, Vec::new(), false, vec![(called.trim().to_owned(), WHOLE.to_owned())]);
        }
    }
}

/// `use a::b` and `mod a;`; so many `modules` of the file's own text are around it.
fn read_rust(node: Node<'_>, text: &str, modules: usize, add: &mut Add<'_>) {
    let whole = slice(node, text);
    match node.kind() {
        "mod_item" => {
            if node.child_by_field_name("body").is_none()
                && let Some(name) = node.child_by_field_name("name")
            {
                let name = slice(name, text);
                add(&format!("mod {name}"), Vec::new(), false, vec![(name.to_owned(), WHOLE.to_owned())]);
            }
        }
        "use_declaration" => {
            let passed_on = whole.starts_with("pub");
            let argument = node.child_by_field_name("argument").map_or("", |a| slice(a, text));
            let around = if argument.contains("super") { modules } else { 0 };
            let mut paths = Vec::new();
            expand_use_tree(&without_comments(argument), "", 0, &mut paths);
            for path in paths {
                let (path, called) = path.split_once(" as ").unwrap_or((&path, ""));
                let last = path.rsplit("::").next().unwrap_or(path).to_owned();
                let called = if called.is_empty() { last.clone() } else { called.trim().to_owned() };
                let bound = vec![(called, last.clone())];
                let target = from_file(path, around);
                add(&target, if last == "*" { Vec::new() } else { vec![last] }, passed_on, bound);
            }
        }
        _ => {}
    }
}

/// `require "a"` and its like.
fn read_ruby(node: Node<'_>, text: &str, add: &mut Add<'_>) {
    let called = node.child_by_field_name("method").map(|m| slice(m, text));
    if matches!(called, Some("require" | "require_relative" | "load" | "autoload"))
        && let Some(arguments) = node.child_by_field_name("arguments")
        && let Some(last) = u32::try_from(arguments.named_child_count())
            .ok()
            .and_then(|n| arguments.named_child(n.saturating_sub(1)))
        && last.kind() == "string"
    {
        let path = slice(last, text);
        let relative = called == Some("require_relative");
        let path = path.trim_matches(['"', '\'']);
        let path = if relative { format!("./{path}") } else { path.to_owned() };
        add(&path, Vec::new(), false, Vec::new());
    }
}

/// A path with dots or backslashes after a keyword: `import a.b`, `using C = a.b`, `use a\b as C`.
fn read_dotted(language: &str, node: Node<'_>, text: &str, add: &mut Add<'_>) {
    let whole = slice(node, text);
    let cut = whole.trim_end_matches(';');
    // `@testable import A`, `import struct A.B`
    let is_swift_mark = |word: &str| {
        let kinds = ["class", "enum", "func", "let", "protocol", "struct", "typealias", "var"];
        word.starts_with('@') || kinds.contains(&word)
    };
    let mut words = cut.split_whitespace().filter(|word| {
        !(language == "swift" && is_swift_mark(word)
            || matches!(
                *word,
                "import"
                    | "using"
                    | "static"
                    | "use"
                    | "global"
                    | "require"
                    | "require_once"
                    | "include"
                    | "include_once"
            ))
    });
    let (first, second, third) = (words.next(), words.next(), words.next());
    // `a.B as C`; `C = a.B`
    let (path, called) = match (first, second, third) {
        (Some(called), Some("="), Some(path)) => (path, Some(called)),
        (Some(path), Some("as"), called) => (path, called),
        (Some(path), ..) => (path, None),
        (None, ..) => return,
    };
    let path = format!("{}{path}", group_of(node, text));
    let last = path.rsplit(['.', '\\']).next().unwrap_or(&path).to_owned();
    let all = last == "*" || last == "_";
    let here = if all { WHOLE } else { called.unwrap_or(&last) }.to_owned();
    let there = if all { WHOLE.to_owned() } else { last.clone() };
    let for_all = language == "csharp" && whole.starts_with("global ");
    add(&path, if all { Vec::new() } else { vec![last] }, for_all, vec![(here, there)]);
}

/// A path of Rust as the file itself would write it: each module `around` it takes one `super`.
fn from_file(path: &str, around: usize) -> Cow<'_, str> {
    let (mut rest, mut left) = (path, around);
    while left > 0
        && let Some(outer) = rest.strip_prefix("super::")
    {
        rest = outer;
        left -= 1;
    }
    if left > 0 && rest == "super" {
        Cow::Borrowed("self")
    } else if rest.len() == path.len() || rest == "super" || rest.starts_with("super::") {
        Cow::Borrowed(rest)
    } else {
        Cow::Owned(format!("self::{rest}"))
    }
}

/// Whether a Python import is only for type checkers and never runs: `if TYPE_CHECKING:`.
fn for_types_alone(node: Node<'_>, text: &str) -> bool {
    let mut inside = node;
    for _ in 0..4 {
        let Some(around) = inside.parent() else { return false };
        let is = |field: &str| around.child_by_field_name(field).is_some_and(|part| part.id() == inside.id());
        let condition = around.child_by_field_name("condition").map_or("", |one| slice(one, text));
        // The module may have another name here: `import typing as t`.
        let is_checking = condition == "TYPE_CHECKING" || condition.ends_with(".TYPE_CHECKING");
        if is("consequence") && is_checking {
            return true;
        }
        inside = around;
    }
    false
}

/// What is before the braces of PHP's `use A\B\{C, D}`, of which `node` is one.
fn group_of(node: Node<'_>, text: &str) -> String {
    let group = node.parent().filter(|parent| parent.kind() == "namespace_use_group");
    let before = group.and_then(|group| group.prev_named_sibling());
    before.map(|before| format!("{}\\", slice(before, text).trim_end_matches('\\'))).unwrap_or_default()
}

/// The likely name of a Go package: the last part of its path that isn't a version.
pub(crate) fn go_package(path: &str) -> &str {
    let version = |part: &str| {
        part.strip_prefix('v').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    let name = path.rsplit('/').find(|part| !version(part)).unwrap_or(path);
    name.rsplit_once('.').filter(|(_, end)| version(end)).map_or(name, |(name, _)| name)
}

/// The local names that a JavaScript import statement binds.
fn clause(node: Node<'_>, text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind() {
                "import_clause" | "named_imports" => open.push(child),
                "identifier" => out.push((slice(child, text).to_owned(), DEFAULT.to_owned())),
                "namespace_import" => {
                    if let Some(name) = child.named_child(0) {
                        out.push((slice(name, text).to_owned(), WHOLE.to_owned()));
                    }
                }
                "import_specifier" => {
                    let name = child.child_by_field_name("name").map_or("", |n| slice(n, text));
                    let called = child.child_by_field_name("alias").map_or(name, |n| slice(n, text));
                    out.push((called.to_owned(), name.to_owned()));
                }
                _ => {}
            }
        }
    }
    out
}

/// `const x = require(…)`, `const { a, b: c } = require(…)`, `const { a } = await import(…)`.
fn require_bindings(call: Node<'_>, text: &str) -> Vec<(String, String)> {
    let waits = call.parent().filter(|parent| parent.kind() == "await_expression");
    let around = waits.unwrap_or(call).parent();
    let declarator = around.filter(|parent| parent.kind() == "variable_declarator");
    let Some(name) = declarator.and_then(|d| d.child_by_field_name("name")) else { return Vec::new() };
    if name.kind() == "identifier" {
        return vec![(slice(name, text).to_owned(), WHOLE.to_owned())];
    }
    let mut cursor = name.walk();
    name.named_children(&mut cursor)
        .filter_map(without_default)
        .filter_map(|child| match child.kind() {
            "shorthand_property_identifier_pattern" => {
                Some((slice(child, text).to_owned(), slice(child, text).to_owned()))
            }
            "pair_pattern" => {
                let key = child.child_by_field_name("key")?;
                let value = child.child_by_field_name("value").and_then(without_default)?;
                Some((slice(value, text).to_owned(), slice(key, text).to_owned()))
            }
            _ => None,
        })
        .collect()
}

/// A part of a pattern without its default: `a` of `{ a = 1 }`, `c` of `{ b: c = 1 }`.
fn without_default(part: Node<'_>) -> Option<Node<'_>> {
    match part.kind() {
        "object_assignment_pattern" | "assignment_pattern" => part.child_by_field_name("left"),
        _ => Some(part),
    }
}

/// The local names that `from … import …` binds.
fn python_names(node: Node<'_>, text: &str) -> Vec<(String, String)> {
    let mut cursor = node.walk();
    let mut out: Vec<(String, String)> = node
        .children_by_field_name("name", &mut cursor)
        .map(|child| {
            let name = child.child_by_field_name("name").unwrap_or(child);
            let called = child.child_by_field_name("alias").unwrap_or(name);
            (slice(called, text).to_owned(), slice(name, text).to_owned())
        })
        .collect();
    let mut cursor = node.walk();
    if node.named_children(&mut cursor).any(|child| child.kind() == "wildcard_import") {
        out.push((WHOLE.to_owned(), WHOLE.to_owned()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inline_module_consumes_one_super() {
        for (path, around, expected) in [
            ("super::*", 0, "super::*"),
            ("super::*", 1, "self::*"),
            ("super", 1, "self"),
            ("super::super::io::Read", 1, "super::io::Read"),
            ("super::super", 1, "super"),
            ("super::Part", 2, "self::Part"),
            ("crate::super_part::Part", 1, "crate::super_part::Part"),
        ] {
            assert_eq!(from_file(path, around), expected, "{path} {around}");
        }
    }

    #[test]
    fn go_packages_are_named_by_their_last_part_before_a_version() {
        for (path, expected) in
            [("net/http", "http"), ("x.org/chi/v5", "chi"), ("gopkg.in/yaml.v2", "yaml"), ("v2", "v2")]
        {
            assert_eq!(go_package(path), expected, "{path}");
        }
    }
}
