//! Removes targets that a name can't mean because of how it's written, where that depends on the definition's
//! language: Java accessors that Kotlin reads like a value, and record components that are called like a method.

use super::occurrences::{Occurrence, Role};
use super::resolution::FileContext;
use super::written::may_mean;
use crate::grammar::Kind;

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
        self.retain_in_namespace(of, o, spelt);
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

/// Whether a Kotlin name reads a property for which Java has a method: `cart.isOpen` is `isOpen()`. Assigning it is
/// another method.
fn asks_accessor(o: &Occurrence, spelt: &str, text: &str) -> bool {
    let rest = text.get(o.at + spelt.len()..).unwrap_or_default().trim_start();
    let is_set = rest.starts_with('=') && !rest.starts_with("==");
    !is_set && spelt.strip_prefix("is").is_some_and(|rest| rest.starts_with(char::is_uppercase))
}
