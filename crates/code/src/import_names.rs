//! Takes the lists of names in imports apart: braces of JavaScript and Scala, trees of Rust, lists of Python. Pure text.

use std::borrow::Cow;

/// The names between the braces of a JavaScript import, by their names in the module they come from.
pub(crate) fn names_in_braces(whole: &str) -> Vec<String> {
    let Some((_, rest)) = whole.split_once('{') else { return Vec::new() };
    split_names(rest.split('}').next().unwrap_or(""))
}

/// `import type …`, `export type { … } from`, `import { type A, type B } from`.
pub(crate) fn takes_types(whole: &str) -> bool {
    let rest =
        whole.strip_prefix("import").or_else(|| whole.strip_prefix("export")).unwrap_or("").trim_start();
    if let Some(rest) = rest.strip_prefix("type").map(str::trim_start) {
        return rest.starts_with(['{', '*']) || !rest.starts_with("from") && !rest.starts_with([',', '=']);
    }
    let Some(names) = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')).map(|(names, _)| names)
    else {
        return false;
    };
    let mut names = names.split(',').map(str::trim).filter(|name| !name.is_empty()).peekable();
    names.peek().is_some() && names.all(|name| name.starts_with("type "))
}

pub(crate) fn split_names(names: &str) -> Vec<String> {
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

/// The text without its comments, which may be anywhere between the names of a tree in Rust.
pub(crate) fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("//") && !text.contains("/*") {
        return Cow::Borrowed(text);
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('/') {
        let end = match rest.as_bytes().get(at + 1) {
            Some(b'/') => rest[at..].find('\n').map_or(rest.len(), |end| at + end),
            Some(b'*') => rest[at..].find("*/").map_or(rest.len(), |end| at + end + 2),
            _ => {
                out.push_str(&rest[..=at]);
                rest = &rest[at + 1..];
                continue;
            }
        };
        out.push_str(&rest[..at]);
        out.push(' ');
        rest = &rest[end..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// `a::{b, c::{d, e}}` → `a::b`, `a::c::d`, `a::c::e`.
pub(crate) fn expand_use_tree(text: &str, prefix: &str, depth: usize, out: &mut Vec<String>) {
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
                    expand_use_tree(&inner[start..i], &prefix, depth + 1, out);
                    start = i + 1;
                }
                _ => {}
            }
        }
        expand_use_tree(&inner[start..], &prefix, depth + 1, out);
    } else if !text.is_empty() {
        let (path, called) =
            text.split_once(" as ").map_or((text, ""), |(path, called)| (path.trim(), called.trim()));
        let path =
            if path == "self" { prefix.trim_end_matches("::").to_owned() } else { format!("{prefix}{path}") };
        out.push(if called.is_empty() { path } else { format!("{path} as {called}") });
    }
}

/// `a.b.{C, D => E}, f.G` → `a.b.C`, `a.b.D` called `E`, `f.G`.
pub(crate) fn scala_names(text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut depth = 0i32;
    let clauses = text.split(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    for clause in clauses {
        let (prefix, names) = match clause.split_once('{') {
            Some((prefix, rest)) => (prefix.trim(), rest.split('}').next().unwrap_or("")),
            None => {
                let clause = clause.trim();
                clause.rfind('.').map_or(("", clause), |dot| clause.split_at(dot + 1))
            }
        };
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let renamed = name.split_once("=>").or_else(|| name.split_once(" as "));
            let (name, called) = renamed.map_or((name, name), |(name, called)| (name.trim(), called.trim()));
            // `X => _` excludes X from the wildcard.
            if called != "_" || name == "_" {
                out.push((format!("{prefix}{name}"), called.to_owned()));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_only_imports_are_marked() {
        for (whole, expected) in [
            ("import type { A } from './a'", true),
            ("import type A from './a'", true),
            ("import { type A, type B } from './a'", true),
            ("export type { A } from './a'", true),
            ("import { type A, b } from './a'", false),
            ("import type from './a'", false),
            ("import type, { b } from './a'", false),
            ("import C, { type A } from './a'", false),
            ("import {} from './a'", false),
            ("require('./a')", false),
        ] {
            assert_eq!(takes_types(whole), expected, "{whole}");
        }
    }

    #[test]
    fn scala_selectors_are_names() {
        for (text, expected) in [
            ("a.{X, Y => Z, W => _}", "a.X:X a.Y:Z"),
            ("a.b.C, d.E", "a.b.C:C d.E:E"),
            ("a.b._", "a.b._:_"),
            ("X", "X:X"),
        ] {
            let told: Vec<String> =
                scala_names(text).iter().map(|(path, called)| format!("{path}:{called}")).collect();
            assert_eq!(told.join(" "), expected, "{text}");
        }
    }

    #[test]
    fn a_nested_use_is_flattened() {
        let mut out = Vec::new();
        expand_use_tree("a::{b, c::{self, d as e}, f::*}", "", 0, &mut out);
        assert_eq!(out, ["a::b", "a::c", "a::c::d as e", "a::f::*"]);
        out.clear();
        let text = "crate::{ // the { net\n    net::open, /* { */ io::{self}, // last\n}";
        expand_use_tree(&without_comments(text), "", 0, &mut out);
        assert_eq!(out, ["crate::net::open", "crate::io"]);
        assert_eq!(names_in_braces("import x, { a, type B, c as d } from 'y'"), ["a", "B", "c"]);
    }
}
