//! What a file says it needs: read from the nodes that import, as written. What file that means is `resolve`'s matter.

use tree_sitter::Node;

use crate::parse::slice;

/// One import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The module, file or path as written: `./a`, `crate::b::C`, `java.util.List`, `"x.h"`.
    pub target: String,
    /// The names that are taken from it, where they are written; empty means the whole.
    pub names: Vec<String>,
    /// The line, from 1.
    pub line: u32,
    /// It passes on what it takes: `export … from`, `pub use`.
    pub passed_on: bool,
}

/// Longer ones are not names.
const MAX_TARGET_BYTES: usize = 400;

/// Reads `node`, one of those that the grammar says import something.
pub(crate) fn read(language: &str, node: Node<'_>, text: &str, out: &mut Vec<Import>) {
    let line = u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX);
    let mut add = |target: &str, names: Vec<String>, passed_on: bool| {
        let target = target.trim().trim_matches(['"', '\'', '`', '<', '>', ';']).trim();
        if !target.is_empty() && target.len() <= MAX_TARGET_BYTES && !target.contains('\n') {
            out.push(Import { target: target.to_owned(), names, line, passed_on });
        }
    };
    let whole = slice(node, text);
    match language {
        "typescript" | "tsx" | "javascript" | "svelte" | "vue" => match node.kind() {
            "call_expression" => {
                let called = node.child_by_field_name("function").map(|f| slice(f, text));
                if matches!(called, Some("require" | "import"))
                    && let Some(first) = node.child_by_field_name("arguments").and_then(|a| a.named_child(0))
                    && first.kind() == "string"
                {
                    add(slice(first, text), Vec::new(), false);
                }
            }
            kind => {
                if let Some(source) = node.child_by_field_name("source") {
                    add(slice(source, text), braced(whole), kind == "export_statement");
                }
            }
        },
        "python" => {
            if let Some(module) = node.child_by_field_name("module_name") {
                let names = whole.split_once("import").map_or("", |(_, names)| names);
                add(slice(module, text), listed(names.trim().trim_matches(['(', ')'])), false);
            } else {
                for module in whole.trim_start_matches("import").split(',') {
                    add(module.split(" as ").next().unwrap_or(module), Vec::new(), false);
                }
            }
        }
        "rust" => match node.kind() {
            "mod_item" => {
                if node.child_by_field_name("body").is_none()
                    && let Some(name) = node.child_by_field_name("name")
                {
                    add(&format!("mod {}", slice(name, text)), Vec::new(), false);
                }
            }
            "use_declaration" => {
                let passed_on = whole.starts_with("pub");
                let argument = node.child_by_field_name("argument").map_or("", |a| slice(a, text));
                let mut paths = Vec::new();
                spread(argument, "", 0, &mut paths);
                for path in paths {
                    let last = path.rsplit("::").next().unwrap_or(&path).to_owned();
                    add(&path, if last == "*" { Vec::new() } else { vec![last] }, passed_on);
                }
            }
            _ => {}
        },
        "ruby" => {
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
                add(&if relative { format!("./{path}") } else { path.to_owned() }, Vec::new(), false);
            }
        }
        "shell" => {
            let mut words = whole.split_whitespace();
            if matches!(words.next(), Some("source" | "."))
                && let Some(path) = words.next()
            {
                add(path, Vec::new(), false);
            }
        }
        "go" => add(node.child_by_field_name("path").map_or(whole, |p| slice(p, text)), Vec::new(), false),
        "c" | "cpp" => {
            add(node.child_by_field_name("path").map_or("", |p| slice(p, text)), Vec::new(), false);
        }
        _ => {
            let cut = whole.trim_end_matches(';');
            let mut words = cut.split_whitespace().filter(|word| {
                !matches!(
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
                )
            });
            if let Some(first) = words.next() {
                let last = first.rsplit(['.', '\\']).next().unwrap_or(first).to_owned();
                add(first, if last == "*" || last == "_" { Vec::new() } else { vec![last] }, false);
            }
        }
    }
}

/// The names between the braces of a JavaScript import, as they are called where they come from.
fn braced(whole: &str) -> Vec<String> {
    let Some((_, rest)) = whole.split_once('{') else { return Vec::new() };
    listed(rest.split('}').next().unwrap_or(""))
}

fn listed(names: &str) -> Vec<String> {
    let word =
        |name: &str| name.trim().trim_start_matches("type ").split_whitespace().next().map(str::to_owned);
    names
        .split([',', '\n'])
        .filter_map(word)
        .filter(|name| name != "*" && !name.starts_with('#') && name.len() < 120)
        .map(|name| name.trim_matches(['(', ')', '\\']).to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

/// `a::{b, c::{d, e}}` → `a::b`, `a::c::d`, `a::c::e`.
fn spread(text: &str, prefix: &str, depth: usize, out: &mut Vec<String>) {
    let text = text.trim();
    if depth > 8 || out.len() > 400 {
        return;
    }
    if let Some((head, rest)) = text.split_once('{') {
        let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
        let prefix = format!("{prefix}{}", head.trim());
        let mut level = 0i32;
        let mut start = 0;
        for (i, c) in inner.char_indices() {
            match c {
                '{' => level += 1,
                '}' => level -= 1,
                ',' if level == 0 => {
                    spread(&inner[start..i], &prefix, depth + 1, out);
                    start = i + 1;
                }
                _ => {}
            }
        }
        spread(&inner[start..], &prefix, depth + 1, out);
    } else if !text.is_empty() {
        let path = text.split(" as ").next().unwrap_or(text).trim();
        if path == "self" {
            out.push(prefix.trim_end_matches("::").to_owned());
        } else {
            out.push(format!("{prefix}{path}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_of_uses_is_spread() {
        let mut out = Vec::new();
        spread("a::{b, c::{self, d as e}, f::*}", "", 0, &mut out);
        assert_eq!(out, ["a::b", "a::c", "a::c::d", "a::f::*"]);
        assert_eq!(braced("import x, { a, type B, c as d } from 'y'"), ["a", "B", "c"]);
    }
}
