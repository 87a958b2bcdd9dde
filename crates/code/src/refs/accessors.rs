//! Removes targets that a name can't mean because of how it's written, where that depends on the definition's
//! language: Java accessors that Kotlin reads like a value, record components that are called like a method, and what is
//! in a namespace of PHP where a name begins at the root.

use super::occurrences::{Occurrence, Role};
use super::resolution::FileContext;
use super::written::may_mean;
use crate::grammar::Kind;

/// A namespace of PHP is declared in the first bytes of a file.
const MAX_HEAD: usize = 16_000;

impl FileContext<'_> {
    /// Keeps the targets that a name may mean as it's written.
    pub(super) fn retain_meant(&self, of: &mut Vec<usize>, o: &Occurrence, spelt: &str) {
        let text = &self.source.text;
        let asks = self.language() == "kotlin" && asks_accessor(o, spelt, text);
        of.retain(|i| {
            let kind = self.targets[*i].kind;
            let is_accessor = asks && kind == Kind::Method && self.is_of_java(*i);
            is_accessor || may_mean(kind, o, spelt, self.language(), text)
        });
        let is_whole = || !text.get(o.at + spelt.len()..).is_some_and(|rest| rest.starts_with('\\'));
        if self.language() == "php" && is_global(text, o.at) && is_whole() {
            of.retain(|i| !self.is_in_namespace(*i));
        }
        let names_method = || text.get(..o.at).is_some_and(|before| before.trim_end().ends_with("::"));
        if self.language() == "java" && (o.role == Role::Call || names_method()) {
            // A call, or a name after `::`, is the method, unless there's only the record component that its accessor
            // is named after.
            let has_method = of.iter().any(|i| self.targets[*i].kind == Kind::Method);
            of.retain(|i| {
                let is_field = self.targets[*i].kind == Kind::Field;
                !is_field || !has_method && self.is_callable(*i)
            });
        }
    }

    /// Whether a target of PHP is in a file with a namespace.
    fn is_in_namespace(&self, target: usize) -> bool {
        let file = self.targets[target].file;
        if file == self.file {
            return declares_namespace(&self.source.text);
        }
        self.facts.source(file).is_some_and(|source| declares_namespace(&source.text))
    }

    fn is_of_java(&self, target: usize) -> bool {
        self.reader.files()[self.targets[target].file].language == "java"
    }

    /// Whether a Java call may mean a target: a field that isn't a record component is never called.
    pub(super) fn is_callable(&self, target: usize) -> bool {
        let is_field = self.targets[target].kind == Kind::Field;
        !is_field || !self.is_of_java(target) || self.is_part_of_record(target)
    }

    fn is_part_of_record(&self, target: usize) -> bool {
        let all = self.types.signatures(&self.targets[target].owner);
        all.iter().any(|(_, signature)| signature.split_whitespace().any(|word| word == "record"))
    }
}

/// Whether a text of PHP declares a namespace, which may be on the line of another statement.
fn declares_namespace(text: &str) -> bool {
    let head = &text[..text.floor_char_boundary(MAX_HEAD)];
    let mut statements = head.lines().flat_map(|line| line.split(';'));
    statements.any(|one| {
        let one = one.trim_start();
        one.strip_prefix("<?php").unwrap_or(one).trim_start().starts_with("namespace ")
    })
}

/// Whether a name of PHP begins at the root of all namespaces: `\count($all)`, and not `Shop\count($all)`.
fn is_global(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|before| before.strip_suffix('\\'));
    before.is_some_and(|before| !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '\\')))
}

/// Whether a Kotlin name reads a property for which Java has a method: `cart.isOpen` is `isOpen()`. Assigning it is
/// another method.
fn asks_accessor(o: &Occurrence, spelt: &str, text: &str) -> bool {
    let rest = text.get(o.at + spelt.len()..).unwrap_or_default().trim_start();
    let is_set = rest.starts_with('=') && !rest.starts_with("==");
    !is_set && spelt.strip_prefix("is").is_some_and(|rest| rest.starts_with(char::is_uppercase))
}
