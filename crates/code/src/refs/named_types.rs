//! Resolves members that are named through a type, also where that inherits them: `Cart.open()`. Doesn't know values.

use super::Confidence::Resolved;
use super::resolution::{FileContext, Verdict};
use crate::language::family as family_of;
use crate::packages::package_of;
use crate::symbols::Outline;

impl FileContext<'_> {
    /// What a member means behind a receiver that is the name of a type: one that the file defines, or the only one of the project
    /// that is called so, if the file sees that. Elsewhere the type may be somebody else's.
    pub(super) fn on_named_type(&self, outline: &Outline, receiver: &str) -> Option<Verdict> {
        if !matches!(self.language(), "csharp" | "java" | "kotlin" | "scala" | "swift") {
            return None;
        }
        // A property of C# may be called like its type.
        let is_value = self.language() == "csharp"
            && !receiver.split('.').all(|part| part.starts_with(char::is_uppercase));
        let is_path = !is_value && receiver.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
        let of = receiver.rsplit('.').next().filter(|of| is_path && of.starts_with(char::is_uppercase))?;
        let files = self.reader.files();
        let family = family_of(self.language());
        let mut types = self.facts.types_called(of);
        types.retain(|(file, _)| family_of(&files[*file].language) == family);
        let (_, around) = types.first()?;
        let is_alone = types.iter().all(|(_, other)| other == around);
        let is_seen = || match self.language() {
            "csharp" => self.namespaces_seen(&outline.imports).contains(around),
            // A file of Swift names no others.
            "swift" => true,
            _ => types.iter().any(|(file, _)| {
                let folder = files[*file].path.rsplit_once('/').map_or("", |(folder, _)| folder);
                self.reaches(*file) || package_of(folder) == package_of(self.folder())
            }),
        };
        let is_own = types.iter().any(|(file, _)| *file == self.file);
        let is_meant = is_own || is_alone && is_seen();
        if !is_meant {
            return None;
        }
        let verdict = self.resolve_on_type(of);
        (verdict.0 == Resolved && !verdict.1.is_empty()).then_some(verdict)
    }
}
