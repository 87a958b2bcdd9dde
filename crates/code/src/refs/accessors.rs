//! Removes targets that a name can't mean because of how it's written, where that depends on the definition's
//! language: Java accessors that Kotlin reads like a value, record components that are called like a method, and what is
//! in another namespace of PHP than a name that begins at the root.

use super::Confidence::{Resolved, Textual};
use super::occurrences::{Occurrence, Role};
use super::resolution::{FileContext, Verdict};
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
        let is_whole = || !text.get(o.at + spelt.len()..).is_some_and(|rest| rest.starts_with('\\'));
        if self.language() == "php"
            && is_whole()
            && let Some(namespace) = namespace_before(text, o.at)
        {
            of.retain(|i| self.is_in_namespace(self.targets[*i].file, namespace));
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

    /// What a class or function of PHP means that is named from the root on, or a member of such a class: `\Shop\Cart::open()`.
    pub(super) fn on_full_name(&self, o: &Occurrence, spelt: &str) -> Option<Verdict> {
        if self.language() != "php" {
            return None;
        }
        let Some(receiver) = o.receiver.as_deref() else {
            let text = &self.source.text;
            let namespace = namespace_before(text, o.at).filter(|namespace| !namespace.is_empty())?;
            let is_whole = !text.get(o.at + spelt.len()..)?.starts_with('\\');
            let of =
                self.targets_where(|t| is_whole && t.is_free() && self.is_in_namespace(t.file, namespace));
            return Some(if of.is_empty() { (Textual, of) } else { (Resolved, of) });
        };
        let path = receiver.strip_prefix('\\')?;
        if !path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '\\')) {
            return None;
        }
        let (namespace, class) = path.rsplit_once('\\').unwrap_or(("", path));
        let mut of = self.targets_where(|t| t.owner == class);
        let has_namesakes = !of.is_empty();
        of.retain(|i| self.is_in_namespace(self.targets[*i].file, namespace));
        if !of.is_empty() {
            return Some((Resolved, of));
        }
        // A class that nothing here defines has nothing of its namesakes; one that is defined here may inherit it.
        let types = self.facts.types_called(class);
        let is_foreign = !types.iter().any(|(file, _)| self.is_in_namespace(*file, namespace));
        (has_namesakes && is_foreign).then(|| (Textual, Vec::new()))
    }

    /// Whether a file of PHP declares a namespace; with an empty one, whether it declares none.
    fn is_in_namespace(&self, file: usize, namespace: &str) -> bool {
        let declared = self.facts.namespaces(file);
        if namespace.is_empty() {
            return declared.is_empty();
        }
        declared.iter().any(|one| one.eq_ignore_ascii_case(namespace))
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

/// The namespace in front of a name of PHP that begins at the root of all: `Shop` of `\Shop\Cart`, nothing of `\count($all)`.
fn namespace_before(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at)?;
    let start = before.trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '\\')).len();
    before[start..].strip_prefix('\\').and_then(|path| match path {
        "" => Some(""),
        path => path.strip_suffix('\\'),
    })
}

/// Whether a Kotlin name reads a property for which Java has a method: `cart.isOpen` is `isOpen()`. Assigning it is
/// another method.
fn asks_accessor(o: &Occurrence, spelt: &str, text: &str) -> bool {
    let rest = text.get(o.at + spelt.len()..).unwrap_or_default().trim_start();
    let is_set = rest.starts_with('=') && !rest.starts_with("==");
    !is_set && spelt.strip_prefix("is").is_some_and(|rest| rest.starts_with(char::is_uppercase))
}
