//! Chunks source code by blocks between blank lines. Knows no language's grammar: only blank lines, indentation and the look of a
//! declaration.

use super::pack::{BLOCK, ITEM, LINE};
use super::plain::titled;
use super::{Chunk, ChunkKind, Unit, chunk_of, headline, pack, units};

/// Blocks are combined up to this many bytes.
const TARGET: usize = 1500;

/// Words that begin a declaration in the common languages.
const DECLARATIONS: &[&str] = &[
    "pub",
    "fn",
    "async",
    "struct",
    "enum",
    "trait",
    "impl",
    "mod",
    "macro_rules!",
    "type",
    "const",
    "static",
    "def",
    "class",
    "function",
    "export",
    "interface",
    "namespace",
    "public",
    "private",
    "protected",
    "internal",
    "abstract",
    "final",
    "func",
    "package",
    "module",
    "object",
    "sealed",
    "data",
    "void",
    "template",
    "typedef",
    "union",
    "extern",
    "sub",
    "defmodule",
    "defp",
    "CREATE",
    "create",
    "@interface",
    "fun",
    "open",
    "override",
    "var",
    "let",
];

pub(super) fn chunk(content: &str, base_title: &str, cap: usize) -> Vec<Chunk> {
    let mut units = units(content, cap);
    let mut after_blank = false;
    for unit in &mut units {
        if !unit.blank {
            let indented = content[unit.start..].starts_with([' ', '\t', '}', ')', ']']);
            unit.score = match (after_blank, indented) {
                (true, false) => BLOCK,
                (true, true) => ITEM,
                _ => LINE,
            };
        }
        after_blank = unit.blank;
    }
    let ranges = pack(&units, TARGET.min(cap), cap, BLOCK);
    ranges
        .into_iter()
        .filter_map(|range| {
            let part = &units[range];
            let title = titled(base_title, &declaration(content, part));
            chunk_of(content, part, ChunkKind::Code, title)
        })
        .collect()
}

/// The first line that looks like a declaration, or an empty text.
fn declaration(content: &str, units: &[Unit]) -> String {
    units
        .iter()
        .filter(|u| !u.blank)
        .map(|u| &content[u.start..u.text_end])
        .find(|line| {
            let first = line.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or("");
            DECLARATIONS.contains(&first)
        })
        .map(|line| headline(line.trim_end_matches(['{', ':', ' ', '=']), 80))
        .unwrap_or_default()
}
