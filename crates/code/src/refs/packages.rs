//! Resolves names by packages and namespaces, in languages whose imports name those and not files: Java, Kotlin, Scala, PHP, C#.

use std::collections::HashSet;

use super::occurrences::Occurrence;
use super::resolution::FileContext;
use super::targets::Target;
use crate::grammar::Kind;
use crate::imports::Import;
use crate::language::family as family_of;
use crate::packages::{package_of, swift_module};
use crate::symbols::{Outline, Symbol};

impl FileContext<'_> {
    /// What an import names that isn't the whole of a file it's known to mean: a function or class in a file of another name,
    /// a static member.
    pub(super) fn imported_from_package(&self, import: &Import) -> Vec<usize> {
        if !matches!(self.language(), "java" | "kotlin" | "scala" | "php") {
            return Vec::new();
        }
        let mut parts: Vec<&str> = import.target.split(['.', '\\']).filter(|part| !part.is_empty()).collect();
        parts.pop();
        let direct = self.imported_on(import.line);
        let owner = parts.last().copied().unwrap_or_default();
        // `import static a.B.member`, `import a.B.member`
        let members =
            self.targets_where(|t| direct.contains(&t.file) && !owner.is_empty() && t.owner == owner);
        if !members.is_empty() {
            return members;
        }
        self.targets_where(|t| t.is_free() && self.is_of_family(t) && ends_in_package(&t.folder, &parts))
    }

    /// What a bare name means by the file's own package or namespace, and in C# by those that it uses.
    pub(super) fn in_packages(&self, imports: &[Import]) -> Vec<usize> {
        match self.language() {
            "java" | "kotlin" | "scala" => {
                let own = package_of(self.folder());
                self.targets_where(|t| t.is_free() && self.is_of_family(t) && package_of(&t.folder) == own)
            }
            "csharp" => {
                let outline = &self.source.outline;
                let mut known: HashSet<String> = imports.iter().map(|import| import.target.clone()).collect();
                known.insert(String::new());
                for namespace in outline.symbols.iter().filter(|s| s.kind == Kind::Module) {
                    let path = namespace.path();
                    // What is around a namespace is seen in it.
                    known.extend(path.match_indices('.').map(|(at, _)| path[..at].to_owned()));
                    known.insert(path);
                }
                self.targets_where(|t| t.is_free() && self.is_of_family(t) && known.contains(&t.container))
            }
            // A module is what a folder of `Sources` holds; who imports one sees all of it.
            "swift" => {
                let mut seen: HashSet<&str> = imports.iter().map(|import| import.target.as_str()).collect();
                let own = swift_module(&self.reader.files()[self.file].path);
                seen.insert(own);
                self.targets_where(|t| {
                    let path = self.reader.files()[t.file].path.as_str();
                    t.is_free() && self.is_of_family(t) && seen.contains(swift_module(path))
                })
            }
            _ => Vec::new(),
        }
    }

    /// What a constant of Ruby means by the modules and classes around it, the innermost first.
    pub(super) fn in_nesting(&self, o: &Occurrence, outline: &Outline, spelt: &str) -> Vec<usize> {
        if !spelt.starts_with(char::is_uppercase) {
            return Vec::new();
        }
        let around = o.inside.and_then(|i| outline.symbols.get(i)).map(Symbol::path).unwrap_or_default();
        let mut around = around.as_str();
        while !around.is_empty() {
            let of = self.targets_where(|t| t.container == around && self.is_of_family(t));
            if !of.is_empty() {
                return of;
            }
            around = around.rsplit_once('.').map_or("", |(outer, _)| outer);
        }
        Vec::new()
    }

    pub(super) fn is_of_family(&self, t: &Target) -> bool {
        family_of(&self.reader.files()[t.file].language) == family_of(self.language())
    }
}

/// Whether a folder is that of a package: it ends with the package, of which a project may leave out the beginning.
fn ends_in_package(folder: &str, package: &[&str]) -> bool {
    let Some(last) = package.last() else { return false };
    let own = package_of(folder);
    let mut folders = own.rsplit('/').peekable();
    if folders.peek() != Some(last) {
        return false;
    }
    // The whole package, or below a source root the whole rest of the path.
    let matching = own.rsplit('/').zip(package.iter().rev()).take_while(|(a, b)| a == *b).count();
    matching == package.len() || matching == own.split('/').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_the_ends_of_folders() {
        for (folder, package, expected) in [
            ("src/main/kotlin/a/b", &["a", "b"][..], true),
            ("src/main/kotlin/b", &["a", "b"], true),
            ("core/a/b", &["a", "b"], true),
            ("src/main/kotlin/c/b", &["a", "b"], false),
            ("src/main/kotlin/a", &["a", "b"], false),
            ("", &[], false),
        ] {
            assert_eq!(ends_in_package(folder, package), expected, "{folder} {package:?}");
        }
    }
}
