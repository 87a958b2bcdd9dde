//! Resolves names by packages and namespaces, in languages whose imports name those and not files: Java, Kotlin, Scala, PHP, C#.

use std::collections::HashSet;

use super::occurrences::Occurrence;
use super::resolution::FileContext;
use super::targets::Target;
use crate::grammar::Kind;
use crate::imports::Import;
use crate::language::family as family_of;
use crate::packages::{ends_in_package, package_of, seen_namespaces, swift_module};
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
                let own: Vec<String> =
                    outline.symbols.iter().filter(|s| s.kind == Kind::Module).map(Symbol::path).collect();
                let used = imports.iter().map(|import| import.target.as_str());
                let known = seen_namespaces(own.iter().map(String::as_str), used);
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
