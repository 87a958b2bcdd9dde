//! Makes the arguments of Rust macros parseable. The grammar sees only tokens there, but most arguments are expressions
//! (`assert_eq!(a.b(), c)`, `vec![a; 2]`), so a second parse drops the macro's name and turns its brackets into those of a tuple
//! or an array. Byte offsets don't change.

use std::ops::Range;

use tree_sitter::{Node, Tree};

/// A file whose macros' arguments are opened.
pub(super) struct UnwrappedMacros {
    pub(super) text: String,
    opened: Vec<OpenedMacro>,
}

struct OpenedMacro {
    /// `name!`, which is blank now.
    name: Range<usize>,
    /// The brackets with what is in them.
    arguments: Range<usize>,
}

impl UnwrappedMacros {
    /// Closes the macros again whose arguments aren't expressions: patterns, a language of their own. One such macro
    /// can keep the whole function around it from being parsed. `original` is the text as it was, `reads` tells whether
    /// a file parses without an error.
    pub(super) fn close_non_expressions(&mut self, original: &str, reads: impl Fn(&str) -> bool) {
        // The inner ones come later and decide first.
        for one in self.opened.iter().rev() {
            let arguments = &self.text[one.arguments.clone()];
            if !reads(&format!("fn f() {{ {arguments}; }}")) {
                self.text.replace_range(one.name.clone(), &original[one.name.clone()]);
            }
        }
    }
}

/// The text with the names of macros blanked in front of round and square brackets inside functions; nothing where
/// there are none.
pub(super) fn unwrap_macros(tree: &Tree, text: &str) -> Option<UnwrappedMacros> {
    if !text.contains("!(") && !text.contains("![") {
        return None;
    }
    let mut out = text.as_bytes().to_vec();
    let mut opened = Vec::new();
    let mut cursor = tree.walk();
    let mut blocks: u32 = 0;
    loop {
        let node = cursor.node();
        let skipped = matches!(node.kind(), "macro_definition" | "attribute_item" | "inner_attribute_item");
        if node.kind() == "!"
            && blocks > 0
            && let Some(range) = name_of(node, text)
        {
            out[range.clone()].fill(b' ');
            let arguments = node.next_sibling().map_or(range.clone(), |list| list.byte_range());
            opened.push(OpenedMacro { name: range, arguments });
        }
        if !skipped && cursor.goto_first_child() {
            blocks += u32::from(node.kind() == "block");
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                let text = String::from_utf8(out).ok().filter(|_| !opened.is_empty())?;
                return Some(UnwrappedMacros { text, opened });
            }
            blocks -= u32::from(cursor.node().kind() == "block");
        }
    }
}

/// The bytes of `path::name!` that end in this mark, if brackets follow that can be opened.
fn name_of(mark: Node<'_>, text: &str) -> Option<Range<usize>> {
    let brackets = mark.next_sibling().filter(|next| next.kind() == "token_tree")?;
    if !text[brackets.start_byte()..].starts_with(['(', '[']) {
        return None;
    }
    let mut first =
        mark.prev_sibling().filter(|name| matches!(name.kind(), "identifier" | "scoped_identifier"))?;
    // Inside of another macro a path is one word after the other.
    while let Some(colons) = first.prev_sibling().filter(|colons| colons.kind() == "::") {
        match colons.prev_sibling().filter(|part| matches!(part.kind(), "identifier" | "crate" | "self")) {
            Some(part) => first = part,
            None => break,
        }
    }
    Some(first.start_byte()..mark.end_byte())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{language, parse};

    #[test]
    fn macro_arguments_are_read_as_expressions() {
        for (text, expected) in [
            (
                "fn f() { assert_eq!(a.b(), std::cmp::max!(1, c.d())); }",
                "fn f() {           (a.b(),               (1, c.d())); }",
            ),
            ("fn f() { let a = vec![b; 2]; }", "fn f() { let a =     [b; 2]; }"),
            ("fn f() { select! { a => b } }", ""),
            ("declare!(a);", ""),
            ("macro_rules! m { ($a:expr) => { f!($a) } }", ""),
            ("fn f() { if !(a) { b() } }", ""),
        ] {
            let grammar = language::by_name("rust").and_then(language::Language::grammar).unwrap();
            let tree = parse::parse(grammar, text, parse::MAX_STEPS).unwrap();
            let unwrapped = unwrap_macros(&tree, text).map(|unwrapped| unwrapped.text);
            assert_eq!(unwrapped.unwrap_or_default(), expected, "{text}");
        }
    }

    #[test]
    fn arguments_that_are_not_expressions_stay_in_their_macro() {
        for (text, expected) in [
            (
                "fn f() { ok!(matches!(a.b(), A(_) | B(_) if c)); vec![d; 2]; }",
                "fn f() {    (matches!(a.b(), A(_) | B(_) if c));     [d; 2]; }",
            ),
            ("fn f() { query!(SELECT a FROM b); }", "fn f() { query!(SELECT a FROM b); }"),
        ] {
            let grammar = language::by_name("rust").and_then(language::Language::grammar).unwrap();
            let tree = parse::parse(grammar, text, parse::MAX_STEPS).unwrap();
            let mut unwrapped = unwrap_macros(&tree, text).unwrap();
            unwrapped.close_non_expressions(text, |text| {
                parse::parse(grammar, text, parse::MAX_STEPS).is_ok_and(|tree| !tree.root_node().has_error())
            });
            assert_eq!(unwrapped.text, expected);
        }
    }
}
