//! Decides which methods can't override one another, by the rules of their languages: private methods, methods that
//! Kotlin would have marked, and C++ methods that are neither visible to derived types nor virtual. Doesn't find
//! subtypes.

use std::collections::HashSet;

use tree_sitter::Node;

use super::Definition;
use super::infer::DefinitionLookup;
use super::resolution::MAX_BASES;
use super::syntax_nodes::ancestors;
use super::types::Types;
use crate::language::family;
use crate::parse::slice;
use crate::search::Reader;

/// What a declaration of C++ says when derived types can override it.
const VIRTUAL: &[&str] = &["virtual", "override", "final"];
/// What it says when it overrides one itself.
const OVERRIDE: &[&str] = &["override", "final"];

/// The definitions of one name.
pub(super) struct Overriding<'a> {
    pub(super) name: &'a str,
    pub(super) all: &'a [(usize, Definition)],
    pub(super) reader: &'a Reader,
    pub(super) facts: &'a DefinitionLookup<'a>,
    pub(super) types: &'a Types<'a>,
}

impl Overriding<'_> {
    /// Whether the method `own` of the type `own_type` can override the one of that name in the type `base`.
    pub(super) fn can_override(&self, base: &str, own_type: &str, file: usize, own: &Definition) -> bool {
        let language = language(self.reader, file);
        if is_private(language, own, self.name) || language == "kotlin" && !is_marked(own, self.name) {
            return false;
        }
        family(language) != "c" || !self.is_hidden(base, own_type)
    }

    /// Whether neither of two types of C++ declares the method as virtual, and one of them keeps it private. A definition outside
    /// its type has the words of its declaration.
    fn is_hidden(&self, base: &str, own_type: &str) -> bool {
        let overrides = self.in_type(own_type).any(|(_, d)| has_word_ending(&d.signature, OVERRIDE));
        if overrides || self.is_virtual(base) {
            return false;
        }
        self.in_type(base).chain(self.in_type(own_type)).any(|(file, d)| self.is_in_private_section(*file, d))
    }

    /// Whether the method is declared as virtual in a C++ type or in one of its bases: it stays virtual in subtypes.
    fn is_virtual(&self, of: &str) -> bool {
        let mut declared = self.all.iter().filter(|(_, d)| has_word_ending(&d.signature, VIRTUAL));
        declared.any(|(_, d)| {
            let above = d.container.rsplit('.').next().unwrap_or_default();
            !above.is_empty() && self.types.is_a(of, above, MAX_BASES)
        })
    }

    /// The definitions in a type with this name, whatever is around that.
    fn in_type<'s>(&'s self, last: &'s str) -> impl Iterator<Item = &'s (usize, Definition)> {
        self.all.iter().filter(move |(_, d)| d.container.rsplit('.').next() == Some(last))
    }

    fn is_in_private_section(&self, file: usize, d: &Definition) -> bool {
        let Some(source) = self.facts.source(file) else { return false };
        let root = source.tree.root_node();
        source.named_on(d.line, self.name).is_some_and(|node| is_below_private(root, node, &source.text))
    }
}

/// Whether only its own type sees a method, so that it overrides nothing and nothing overrides it. C# also has methods that are
/// `private protected`, Scala some that are private to a package. Those of Ruby are inherited and overridden like any other.
pub(super) fn is_private(language: &str, d: &Definition, name: &str) -> bool {
    // Python calls `__name` by its type's name as well.
    if language == "python" && name.starts_with("__") && !name.ends_with("__") {
        return true;
    }
    let words: HashSet<&str> =
        d.signature.split_whitespace().take_while(|word| !is_name(word, name)).collect();
    words.contains("private[this]") || words.contains("private") && !words.contains("protected")
}

/// Whether a method of Kotlin has the word without which it overrides nothing, as far as its signature shows the name.
fn is_marked(d: &Definition, name: &str) -> bool {
    let mut words = d.signature.split_whitespace();
    words.find(|word| *word == "override" || is_name(word, name)).is_none_or(|word| word == "override")
}

/// Whether a word of a signature is the name that is defined, with what comes right after it.
fn is_name(word: &str, name: &str) -> bool {
    let rest = word.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['(', '<', '[', ':']))
}

/// Macros may be in place of such words: `Q_DECL_OVERRIDE`.
fn has_word_ending(signature: &str, marks: &[&str]) -> bool {
    signature
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| marks.iter().any(|mark| word.to_ascii_lowercase().ends_with(mark)))
}

/// Whether a member of a type of C++ is where only that type sees it: below `private:`, or in a class before any such word.
fn is_below_private(root: Node<'_>, member: Node<'_>, text: &str) -> bool {
    let path = ancestors(root, member);
    let mut at = member;
    for (place, parent) in path.iter().enumerate().rev() {
        let mut cursor = parent.walk();
        let access = parent
            .named_children(&mut cursor)
            .take_while(|before| before.start_byte() < at.start_byte())
            .filter(|before| before.kind() == "access_specifier")
            .last();
        if let Some(access) = access {
            return slice(access, text).starts_with("private");
        }
        if parent.kind() == "field_declaration_list" {
            let of = place.checked_sub(1).and_then(|outer| path.get(outer));
            return of.is_some_and(|of| of.kind() == "class_specifier");
        }
        at = *parent;
    }
    false
}

/// The language of a file.
pub(super) fn language(reader: &Reader, file: usize) -> &str {
    reader.files().get(file).map_or("", |file| file.language.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Language, by_name};
    use crate::parse;

    #[test]
    fn the_section_decides_what_is_private_in_cpp() {
        let grammar = by_name("cpp").and_then(Language::grammar).unwrap();
        for (text, expected) in [
            ("class A { void f(); };", true),
            ("struct A { void f(); };", false),
            ("class A {\n public:\n  void f();\n private:\n  int x;\n};", false),
            ("class A {\n public:\n  int x;\n private:\n  int y;\n  void f() {}\n};", true),
            ("class A {\n private:\n  int x;\n protected:\n  void f();\n};", false),
            ("struct A {\n private:\n  template <class T> void f(T);\n};", true),
            ("class A {\n public:\n#if X\n  void f();\n#endif\n};", false),
            ("void A::f() {}", false),
        ] {
            let tree = parse::parse(grammar, text, parse::MAX_STEPS).unwrap();
            let at = text.find("f(").unwrap();
            let name = tree.root_node().descendant_for_byte_range(at, at + 1).unwrap();
            assert_eq!(is_below_private(tree.root_node(), name, text), expected, "{text}");
        }
    }
}
