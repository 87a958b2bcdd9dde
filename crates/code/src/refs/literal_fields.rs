//! Resolves a key of a literal or a pattern to the field of the type that it names: `Cart { total: 1 }`, `Cart(total=1)`. Doesn't
//! know variables.

use super::keys::literal_type;
use super::occurrences::Occurrence;
use super::resolution::{FileContext, MAX_BASES, Verdict};
use super::{Confidence, Target};
use crate::grammar::Kind;

impl FileContext<'_> {
    /// A key of a literal: the field of the type that the literal names.
    pub(super) fn resolve_key(&self, o: &Occurrence, spelt: &str) -> Verdict {
        let found = self.fields_of_literal(o, spelt);
        if found.is_empty() { (Confidence::Textual, found) } else { (Confidence::Resolved, found) }
    }

    /// The fields of that name that the type has which the literal or pattern around a place names.
    pub(super) fn fields_of_literal(&self, o: &Occurrence, spelt: &str) -> Vec<usize> {
        let root = self.source.tree.root_node();
        let node = root.descendant_for_byte_range(o.at, o.at + spelt.len());
        let named = node.and_then(|node| Some((node, literal_type(node, &self.source.text)?)));
        let Some((node, of)) = named else { return Vec::new() };
        if self.language() == "rust" && of == "Self" {
            let Some(own) = self.rust.type_around(self.source, node) else { return Vec::new() };
            let mut fields = self.owned_by(|owner| *owner == own);
            fields.retain(|i| self.targets[*i].kind == Kind::Field);
            return fields;
        }
        // In C#, base types have members that are set, too.
        let inherits = |t: &Target| {
            self.language() == "csharp" && !t.owner.is_empty() && self.types.is_a(of, &t.owner, MAX_BASES)
        };
        // What an annotation of Java sets is one of its methods.
        let is_part =
            |t: &Target| t.kind == Kind::Field || self.language() == "java" && t.kind == Kind::Method;
        let fits = |t: &Target| is_part(t) && (t.owner == of || inherits(t)) && !self.has_own_constructor(t);
        let near = self.targets_where(|t| fits(t) && self.is_near(t));
        if near.is_empty() { self.targets_where(fits) } else { near }
    }

    /// Whether the class of a field of Python says itself what it's made from, so that arguments aren't named after its fields.
    fn has_own_constructor(&self, t: &Target) -> bool {
        let writes_one = || {
            let source = self.facts.source(t.file)?;
            let mut all = source.outline.symbols.iter();
            Some(all.any(|symbol| symbol.name == "__init__" && symbol.container == t.container))
        };
        self.language() == "python" && writes_one().unwrap_or(false)
    }
}
