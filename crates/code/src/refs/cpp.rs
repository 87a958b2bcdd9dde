//! Resolves what only C and C++ have: the members and bases that a constructor initialises in front of its body, the values of
//! enumerations that are seen without a name before them, and types that a file declares ahead.

use std::collections::HashSet;

use super::Confidence::{Resolved, Textual};
use super::bases::type_around;
use super::occurrences::Occurrence;
use super::resolution::{FileContext, Verdict};
use super::targets::Target;
use crate::grammar::Kind;
use crate::symbols::{Outline, Symbol};

impl FileContext<'_> {
    /// What `Cart() : total(0), Base(1) {}` initialises: a member of the class, else one of its bases.
    pub(super) fn resolve_initializer(
        &self,
        o: &Occurrence,
        outline: &Outline,
        spelt: &str,
        name: &str,
    ) -> Verdict {
        let owner = type_around(o, outline);
        let own = |t: &Target| t.kind == Kind::Field && !owner.is_empty() && t.owner == owner;
        let near = self.targets_where(|t| own(t) && self.is_near(t));
        if !near.is_empty() {
            return (Resolved, near);
        }
        let (confidence, mut of) = self.resolve_bare_name(o, outline, spelt, name);
        of.retain(|i| self.targets[*i].kind.is_type());
        if of.is_empty() { (Textual, of) } else { (confidence, of) }
    }

    /// Whether a target is a constructor of C++ whose class is in another file: its name means the class.
    pub(super) fn is_apart(&self, t: &Target, spelt: &str) -> bool {
        let is_class = |other: &Target| other.file == self.file && other.kind.is_type();
        self.language() == "cpp" && t.owner == spelt && !self.targets.iter().any(is_class)
    }

    /// Whether a bare name may be this target where that's the value of an enumeration in a namespace: the file is in the namespace,
    /// or uses it.
    pub(super) fn may_be_bare(&self, t: &Target) -> bool {
        if self.language() != "cpp" || t.kind != Kind::Variant || t.owner.is_empty() || !t.is_free() {
            return true;
        }
        let last = |path: &str| path.rsplit([':', '.', ' ']).next() == Some(t.owner.as_str());
        let mut own = self.source.outline.symbols.iter().filter(|s| s.kind == Kind::Module).map(Symbol::path);
        own.any(|path| last(&path)) || self.named_by_lines().0.contains(&t.owner)
    }

    /// The type that a file of C or C++ declares without a body, as `class Cart;`, if the project has one of that name alone.
    pub(super) fn declared_ahead(&self, spelt: &str) -> Vec<usize> {
        if !matches!(self.language(), "c" | "cpp") || !self.named_by_lines().1.contains(spelt) {
            return Vec::new();
        }
        let of = self.targets_where(|t| t.kind.is_type());
        let mut containers = of.iter().map(|i| self.targets[*i].container.as_str());
        let first = containers.next();
        if containers.all(|one| Some(one) == first) { of } else { Vec::new() }
    }

    /// Whether `->` reaches something else from a value of the type `of`, because that has an operator of its own for it.
    pub(super) fn points_elsewhere(&self, o: &Occurrence, of: &str, receiver: &str) -> bool {
        let before = self.source.text.get(..o.at).unwrap_or_default().trim_end();
        if self.language() != "cpp" || receiver == "this" || !before.ends_with("->") {
            return false;
        }
        let all = self.types.signatures("operator->");
        all.iter().any(|(container, _)| container.rsplit('.').next() == Some(of))
    }

    fn named_by_lines(&self) -> &(HashSet<String>, HashSet<String>) {
        self.named_by_lines.get_or_init(|| {
            let text = &self.source.text;
            (used_namespaces(text), declared_types(text))
        })
    }
}

/// The types that the lines of a text declare without a body: `class Cart;`.
fn declared_types(text: &str) -> HashSet<String> {
    let declared = text.lines().filter_map(|line| {
        let rest = line.trim().strip_suffix(';')?;
        let name = ["class ", "struct ", "union "].iter().find_map(|word| rest.strip_prefix(word))?.trim();
        name.chars().all(|c| c.is_alphanumeric() || c == '_').then(|| name.to_owned())
    });
    declared.collect()
}

/// The last names of the namespaces that a text uses: `using namespace shop;`.
fn used_namespaces(text: &str) -> HashSet<String> {
    let used = text.lines().filter_map(|line| line.trim_start().strip_prefix("using namespace "));
    let paths = used.filter_map(|rest| rest.split(';').next());
    paths.filter_map(|path| path.trim().rsplit("::").next()).map(str::to_owned).collect()
}
