//! Leaves out what a name can't mean by how it's written, where that depends on the language of the definition: accessors of Java
//! that Kotlin asks like a value, and parts of records that are called like a method.

use super::occurrences::{Occurrence, Role};
use super::resolution::FileContext;
use super::written::may_mean;
use crate::grammar::Kind;

impl FileContext<'_> {
    /// Keeps those of the targets that a name may mean as it's written.
    pub(super) fn retain_meant(&self, of: &mut Vec<usize>, o: &Occurrence, spelt: &str) {
        let text = &self.source.text;
        let asks = self.language() == "kotlin" && asks_accessor(o, spelt, text);
        of.retain(|i| {
            let kind = self.targets[*i].kind;
            let is_accessor = asks && kind == Kind::Method && self.is_of_java(*i);
            is_accessor || may_mean(kind, o, spelt, self.language(), text)
        });
        let names_method = || text.get(..o.at).is_some_and(|before| before.trim_end().ends_with("::"));
        if self.language() == "java" && (o.role == Role::Call || names_method()) {
            // What is called, or named behind `::`, is the method, unless there's only the part of a record that its accessor is
            // called by.
            let has_method = of.iter().any(|i| self.targets[*i].kind == Kind::Method);
            of.retain(|i| {
                let is_field = self.targets[*i].kind == Kind::Field;
                !is_field || !has_method && self.is_callable(*i)
            });
        }
    }

    fn is_of_java(&self, target: usize) -> bool {
        self.reader.files()[self.targets[target].file].language == "java"
    }

    /// Whether a call of Java may be of a target: a field that isn't a part of a record is never called.
    pub(super) fn is_callable(&self, target: usize) -> bool {
        let is_field = self.targets[target].kind == Kind::Field;
        !is_field || !self.is_of_java(target) || self.is_part_of_record(target)
    }

    fn is_part_of_record(&self, target: usize) -> bool {
        let all = self.types.signatures(&self.targets[target].owner);
        all.iter().any(|(_, signature)| signature.split_whitespace().any(|word| word == "record"))
    }
}

/// Whether a name of Kotlin asks what Java has a method for: `cart.isOpen` is `isOpen()`. What sets it is another method.
fn asks_accessor(o: &Occurrence, spelt: &str, text: &str) -> bool {
    let rest = text.get(o.at + spelt.len()..).unwrap_or_default().trim_start();
    let is_set = rest.starts_with('=') && !rest.starts_with("==");
    !is_set && spelt.strip_prefix("is").is_some_and(|rest| rest.starts_with(char::is_uppercase))
}
