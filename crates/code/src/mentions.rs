//! Lists the types that a file names without importing them: in languages where files see their whole package,
//! namespace or module, such a name alone shows that one file needs another. Pure. Those of Ruby are read by
//! `constants`.

use std::collections::HashMap;

use tree_sitter::Node;

use crate::define::Symbol;
use crate::parse::slice;

/// The most names that are kept of one file.
const MAX_NAMES: usize = 2_000;

/// Whether a file of this language sees types that it doesn't import.
pub(crate) fn has_them(language: &str) -> bool {
    matches!(language, "csharp" | "java" | "kotlin" | "scala" | "php" | "swift" | "ruby")
}

/// The names that one file mentions, each with its first line.
#[derive(Debug, Default)]
pub(crate) struct Mentions {
    lines: HashMap<String, u32>,
    /// The end of the last import: names in it are followed as imports.
    after: usize,
}

impl Mentions {
    /// Leaves out what `import` names.
    pub(crate) fn skip(&mut self, import: Node<'_>) {
        self.after = self.after.max(import.end_byte());
    }

    /// Takes the name that a leaf of the tree is, if it may be that of a type.
    pub(crate) fn read(&mut self, leaf: Node<'_>, text: &str) {
        let is_name = leaf.kind().ends_with("identifier") || leaf.kind() == "name";
        if !is_name || leaf.start_byte() < self.after || self.lines.len() >= MAX_NAMES {
            return;
        }
        let name = slice(leaf, text);
        if !name.starts_with(char::is_uppercase) || is_qualified(text, leaf.start_byte()) || is_own_name(leaf)
        {
            return;
        }
        if !self.lines.contains_key(name) {
            let line = u32::try_from(leaf.start_position().row + 1).unwrap_or(u32::MAX);
            self.lines.insert(name.to_owned(), line);
        }
    }

    /// The names in order, without those that the file itself defines; what it extends is defined elsewhere.
    pub(crate) fn finish(mut self, own: &[Symbol]) -> Vec<(String, u32)> {
        own.iter().filter(|s| s.kind.is_type() && !is_extension(&s.signature)).for_each(|s| {
            self.lines.remove(&s.name);
        });
        let mut out: Vec<(String, u32)> = self.lines.into_iter().collect();
        out.sort();
        out
    }
}

/// Whether the signature of a type says that it extends one: `public extension Cart: Codable` of Swift. What is in brackets or
/// quotes is what an attribute says: `@available(*, deprecated, message: "use the extension of Cart")`.
pub(crate) fn is_extension(signature: &str) -> bool {
    let (mut depth, mut quoted) = (0_i32, false);
    let head: String = signature
        .chars()
        .map(|c| {
            quoted ^= c == '"';
            depth += if quoted { 0 } else { i32::from(c == '(') - i32::from(c == ')') };
            if quoted || depth > 0 { ' ' } else { c }
        })
        .collect();
    head.split_whitespace().any(|word| word == "extension")
}

/// Whether a name belongs to the expression before it: `a.Name`, `a->Name`, `A::Name`, `$Name`, `\A\Name`.
fn is_qualified(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end();
    ["->", "::", ".", "$", "\\"].iter().any(|mark| before.ends_with(mark))
}

/// Whether a leaf is the name of what its parent declares.
fn is_own_name(leaf: Node<'_>) -> bool {
    let Some(parent) = leaf.parent() else { return false };
    let declares = ["declaration", "definition", "declarator", "parameter"].iter();
    let named = parent.child_by_field_name("name").is_some_and(|name| name.id() == leaf.id());
    named && declares.clone().any(|kind| parent.kind().ends_with(kind))
}

#[cfg(test)]
mod tests {
    use super::is_extension;
    use crate::analyse::analyse;

    #[test]
    fn an_extension_is_told_from_what_an_attribute_says() {
        for (signature, expected) in [
            ("public extension Cart: Codable", true),
            ("extension Cart", true),
            ("@available(iOS 13, *) extension Cart", true),
            ("@available(*, deprecated, message: \"use (the extension\") extension Cart", true),
            ("@available(*, deprecated, message: \"use the extension of Shop\") public class Cart", false),
            ("class File(val extension : String)", false),
            ("class Cart: Base", false),
        ] {
            assert_eq!(is_extension(signature), expected, "{signature}");
        }
    }

    #[test]
    fn types_are_named_without_an_import() {
        for (path, text, expected) in [
            (
                "a.cs",
                "using System.Text;\nnamespace A.B;\nclass Foo : Bar<Qux> {\n  Order Item { get; set; }\n  void M(Thing t) { Helper.Run(t.Other, new Zed()); }\n}\n",
                "Bar:3 Helper:5 Order:4 Qux:3 Thing:5 Zed:5",
            ),
            (
                "A.java",
                "package a;\nimport b.Left;\nclass A extends Base {\n  Part p = Maker.make();\n}\n",
                "Base:3 Maker:4 Part:4",
            ),
            (
                "a.kt",
                "package a\nimport b.Left\nclass A(val p: Part) : Base() {\n  val made = Maker.make(p.Inner)\n}\n",
                "Base:3 Maker:4 Part:3",
            ),
            (
                "a.scala",
                "package a\nimport b.Left\nclass A(p: Part) extends Base {\n  val made = Maker(p)\n}\n",
                "Base:3 Maker:4 Part:3",
            ),
            (
                "a.php",
                "<?php\nnamespace A;\nuse B\\Left;\nclass A extends Base {\n  function m(Part $Given) { return Maker::make(new \\Far()); }\n}\n",
                "Base:4 Maker:5 Part:5",
            ),
            (
                "a.swift",
                "import Foundation\nstruct A: Base {\n  let part: Part = .First\n  func m() { Maker(part) }\n}\n",
                "Base:2 Maker:4 Part:3",
            ),
            ("a.py", "class A(Base): pass\n", ""),
        ] {
            let found = analyse(path, text.as_bytes()).outline.mentions;
            let told: Vec<String> = found.iter().map(|(name, line)| format!("{name}:{line}")).collect();
            assert_eq!(told.join(" "), expected, "{path}");
        }
    }
}
