//! Resolves names of PHP by their namespaces: paths from the root on (`\Shop\Cart`), from the namespace around them
//! (`namespace\open()`, `Cart\Line`) and from an import's name, and names alone where a file has several namespaces.

use std::borrow::Cow;

use super::Confidence::{Resolved, Textual};
use super::occurrences::Occurrence;
use super::resolution::{FileContext, Verdict};
use super::targets::Target;
use crate::grammar::Kind;
use crate::symbols::Symbol;

impl FileContext<'_> {
    /// What a class or function of PHP means that is named by a path, or a member of a class that is named from the root on:
    /// `\Shop\Cart::open()`.
    pub(super) fn on_full_name(&self, o: &Occurrence, spelt: &str) -> Option<Verdict> {
        if self.language() != "php" {
            return None;
        }
        let Some(receiver) = o.receiver.as_deref() else {
            let namespace = self.namespace_meant(o.at).filter(|namespace| !namespace.is_empty())?;
            let is_whole = !self.source.text.get(o.at + spelt.len()..)?.starts_with('\\');
            let of = self.targets_where(|t| is_whole && t.is_free() && self.is_in_namespace(t, &namespace));
            return Some(if of.is_empty() { (Textual, of) } else { (Resolved, of) });
        };
        let path = receiver.strip_prefix('\\')?;
        if !path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '\\')) {
            return None;
        }
        let (namespace, class) = path.rsplit_once('\\').unwrap_or(("", path));
        let mut of = self.targets_where(|t| t.owner == class);
        let has_namesakes = !of.is_empty();
        of.retain(|i| self.is_in_namespace(&self.targets[*i], namespace));
        if !of.is_empty() {
            return Some((Resolved, of));
        }
        // A class that nothing here defines has nothing of its namesakes; one that is defined here may inherit it.
        let types = self.facts.types_called(class);
        let is_foreign = !types.iter().any(|(file, _)| self.has_namespace(*file, namespace));
        (has_namesakes && is_foreign).then(|| (Textual, Vec::new()))
    }

    /// Keeps the targets that are in the namespace of PHP that a name means by its path, or by where it is.
    pub(super) fn retain_in_namespace(&self, of: &mut Vec<usize>, o: &Occurrence, spelt: &str) {
        if self.language() != "php" || o.receiver.is_some() {
            return;
        }
        let rest = self.source.text.get(o.at + spelt.len()..).unwrap_or_default();
        if let Some(namespace) = self.namespace_meant(o.at).filter(|_| !rest.starts_with('\\')) {
            of.retain(|i| self.is_in_namespace(&self.targets[*i], &namespace));
            return;
        }
        let mut bound = self.source.outline.imports.iter().flat_map(|import| &import.bound);
        if self.facts.namespaces(self.file).len() < 2 || bound.any(|(here, _)| here == spelt) {
            return;
        }
        let own = self.namespace_at(o.at);
        let is_own = |t: &Target| !t.is_free() || self.is_in_namespace(t, own);
        let has_own = of.iter().any(|i| is_own(&self.targets[*i]));
        // A function that the namespace doesn't have is that of none; a class isn't.
        let falls = |t: &Target| !has_own && matches!(t.kind, Kind::Function | Kind::Constant);
        of.retain(|i| {
            let t = &self.targets[*i];
            is_own(t) || falls(t) && self.is_in_namespace(t, "")
        });
    }

    /// The namespace that the path in front of a name means; `None` without a path.
    fn namespace_meant(&self, at: usize) -> Option<Cow<'_, str>> {
        let path = path_before(&self.source.text, at);
        if let Some(rooted) = path.strip_prefix('\\') {
            return Some(Cow::Borrowed(rooted.strip_suffix('\\').unwrap_or(rooted)));
        }
        let path = path.strip_suffix('\\')?;
        let (first, rest) = path.split_once('\\').unwrap_or((path, ""));
        let own = self.namespace_at(at);
        if first.eq_ignore_ascii_case("namespace") {
            return Some(joined(own, rest));
        }
        let imports = &self.source.outline.imports;
        let alias = imports.iter().find(|import| import.bound.iter().any(|(here, _)| here == first));
        Some(match alias {
            Some(import) => joined(import.target.trim_start_matches('\\'), rest),
            None => joined(own, path),
        })
    }

    /// The namespace of this file around a place; empty without one.
    fn namespace_at(&self, at: usize) -> &str {
        namespace_around(&self.source.outline.symbols, |s| s.start <= at, |s| at < s.end)
    }

    /// Whether a target is in a namespace; with an empty one, whether it's in none.
    fn is_in_namespace(&self, t: &Target, namespace: &str) -> bool {
        if self.facts.namespaces(t.file).len() < 2 {
            return self.has_namespace(t.file, namespace);
        }
        let of = |symbols: &[Symbol]| {
            namespace_around(symbols, |s| s.line <= t.line, |s| t.line <= s.end_line)
                .eq_ignore_ascii_case(namespace)
        };
        if t.file == self.file {
            return of(&self.source.outline.symbols);
        }
        let source = self.facts.source(t.file);
        source.map_or_else(|| self.has_namespace(t.file, namespace), |source| of(&source.outline.symbols))
    }

    /// Whether a file declares a namespace; with an empty one, whether it declares none.
    fn has_namespace(&self, file: usize, namespace: &str) -> bool {
        let declared = self.facts.namespaces(file);
        if namespace.is_empty() {
            return declared.is_empty();
        }
        declared.iter().any(|one| one.eq_ignore_ascii_case(namespace))
    }
}

/// The last namespace that begins in front of a place. One with braces is only around what is in them, and where one has them, all have.
fn namespace_around(
    symbols: &[Symbol],
    begins: impl Fn(&Symbol) -> bool,
    ends_behind: impl Fn(&Symbol) -> bool,
) -> &str {
    let all = || symbols.iter().filter(|s| s.kind == Kind::Module);
    let has_braces = all().any(|s| s.end_line > s.line);
    let last = all().rfind(|s| begins(s));
    last.filter(|s| !has_braces || ends_behind(s)).map_or("", |s| s.name.as_str())
}

/// The path in front of a name, with the backslash that ends it: `\Shop\` of `\Shop\Cart`, nothing of `count($all)`.
fn path_before(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let start = before.trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '\\')).len();
    &before[start..]
}

/// A namespace and what is in it.
fn joined<'t>(namespace: &'t str, rest: &'t str) -> Cow<'t, str> {
    match (namespace, rest) {
        ("", one) | (one, "") => Cow::Borrowed(one),
        (namespace, rest) => Cow::Owned(format!("{namespace}\\{rest}")),
    }
}
