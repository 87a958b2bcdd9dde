//! Resolves extensions of a type, where a name comes after a receiver: `fun List<T>.second()` of Kotlin,
//! `Card(this Rule it)` of C#. Doesn't know how the receiver's type is found.

use super::Confidence::{InScope, Resolved};
use super::Target;
use super::occurrences::Occurrence;
use super::resolution::{FileContext, MAX_BASES, Verdict};
use super::targets::extended;
use crate::symbols::Outline;

impl FileContext<'_> {
    /// Visible extensions of a type, where a name comes after a receiver of this type, or of an unknown one: a member
    /// of the same name would come first.
    pub(super) fn extension(&self, o: &Occurrence, outline: &Outline, of: Option<&str>) -> Option<Verdict> {
        if self.targets.iter().all(|t| t.extends.is_none()) {
            return None;
        }
        let seen: Vec<usize> = if self.language() == "csharp" {
            let known = self.namespaces_seen(&outline.imports);
            let around =
                |t: &Target| t.container.rsplit_once('.').map_or("", |(around, _)| around).to_owned();
            self.targets_where(|t| {
                self.is_of_family(t) && (t.file == self.file || known.contains(&around(t)))
            })
        } else {
            let name = self.source.text.get(o.at..).unwrap_or_default();
            let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
            self.resolve_bare_name(o, outline, &name[..end], &name[..end]).1
        };
        let (mut certain, mut possible) = (Vec::new(), Vec::new());
        for i in seen {
            match (&self.targets[i].extends, of) {
                (Some(extended), Some(of)) if self.types.is_a(of, extended, MAX_BASES) => certain.push(i),
                // Two unrelated types of the project.
                (Some(extended), Some(of)) if self.facts.is_type(of) && self.facts.is_type(extended) => {}
                (Some(_), _) => possible.push(i),
                (None, _) => {}
            }
        }
        let verdict = if certain.is_empty() { (InScope, possible) } else { (Resolved, certain) };
        (!verdict.1.is_empty()).then_some(verdict)
    }

    /// What a bare name means in a function of Kotlin that extends a type: a member of that.
    pub(super) fn in_extended(&self, o: &Occurrence, outline: &Outline) -> Vec<usize> {
        let is_bare = self.language() == "kotlin" && o.receiver.is_none();
        let around = o.inside.and_then(|i| outline.symbols.get(i)).filter(|_| is_bare);
        let Some(of) = around.and_then(|around| extended("kotlin", &around.signature, &around.name)) else {
            return Vec::new();
        };
        self.targets_where(|t| {
            !t.is_free() && t.extends.is_none() && self.types.is_a(&of, &t.owner, MAX_BASES)
        })
    }

    /// The candidates where extensions `of` an unknown type may be meant: a member of the type that the receiver
    /// names comes first, and in Kotlin a member of a visible type may also be meant.
    pub(super) fn beside_members(&self, mut of: Vec<usize>, named: &str) -> Verdict {
        let own = |t: &Target| !t.owner.is_empty() && t.owner == named && t.extends.is_none();
        let own = self.targets_where(|t| own(t) && self.is_near(t));
        if !own.is_empty() {
            return (Resolved, own);
        }
        if self.language() == "kotlin" {
            of.extend(self.targets_where(|t| !t.is_free() && t.extends.is_none() && self.is_near(t)));
            of.sort_unstable();
            of.dedup();
        }
        (InScope, of)
    }
}
