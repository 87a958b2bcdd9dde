//! Resolves names by packages and namespaces, in languages whose imports name those and not files: Java, Kotlin, Scala, PHP, C#.

use std::collections::HashSet;

use super::occurrences::Occurrence;
use super::resolution::FileContext;
use super::targets::Target;
use crate::grammar::Kind;
use crate::imports::Import;
use crate::language::{family as family_of, is_jvm};
use crate::packages::{
    declared_packages, ends_in_package, package_of, seen_namespaces, swift_modules, swift_modules_seen,
};
use crate::symbols::{Outline, Symbol};

/// The files of no more definitions of one name are read for their packages.
const MAX_READ: usize = 40;

impl FileContext<'_> {
    /// The target of an import that isn't a whole file: a function or class in a file of another name, a static
    /// member.
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
        let package = parts.join(".");
        let members = self.in_type_named(&package);
        if !members.is_empty() {
            return members;
        }
        let declares = self.language() != "php";
        let fits = |t: &Target| match self.package_declared(t).flatten().filter(|_| declares) {
            // Scala may leave out the beginning that is around it.
            Some(own) => {
                own == package || self.language() == "scala" && own.ends_with(&format!(".{package}"))
            }
            None => ends_in_package(&t.folder, &parts),
        };
        self.targets_where(|t| t.is_free() && self.is_of_family(t) && fits(t))
    }

    /// The members of the type or object that a path names, wherever its file is.
    fn in_type_named(&self, path: &str) -> Vec<usize> {
        if !is_jvm(self.language()) {
            return Vec::new();
        }
        let fits = |t: &Target| {
            if t.container.is_empty() || !path.ends_with(t.container.as_str()) || !self.is_of_family(t) {
                return false;
            }
            let package = self.package_declared(t).flatten();
            let whole =
                package.map_or_else(|| t.container.clone(), |package| format!("{package}.{}", t.container));
            // Scala may leave out the beginning that is around it.
            whole == path || self.language() == "scala" && whole.ends_with(&format!(".{path}"))
        };
        self.targets_where(fits)
    }

    /// The package that a definition's file declares, if it declares one; `None` where that isn't read.
    fn package_declared(&self, t: &Target) -> Option<Option<String>> {
        let declared = |text: &str| declared_packages(text).pop();
        if t.file == self.file {
            return Some(declared(&self.source.text));
        }
        // With many definitions of one name, the folders must do.
        let source = (self.targets.len() <= MAX_READ).then(|| self.facts.source(t.file)).flatten()?;
        Some(declared(&source.text))
    }

    /// What a bare name means by the file's own package or namespace, and in C# by those that it uses.
    pub(super) fn in_packages(&self, imports: &[Import]) -> Vec<usize> {
        match self.language() {
            "java" | "kotlin" | "scala" => {
                let folder = package_of(self.folder());
                let mut seen = declared_packages(&self.source.text);
                let declares = !seen.is_empty();
                // `import a.b.*`, `import a.b._`
                let whole = imports.iter().filter_map(|import| {
                    import.target.strip_suffix(".*").or_else(|| import.target.strip_suffix("._"))
                });
                let whole: Vec<&str> = whole.collect();
                seen.extend(whole.iter().copied().map(str::to_owned));
                let fits = |t: &Target| match self.package_declared(t) {
                    Some(Some(own)) => seen.contains(&own),
                    Some(None) => !declares && package_of(&t.folder) == folder,
                    None => package_of(&t.folder) == folder,
                };
                let of = self.targets_where(|t| t.is_free() && self.is_of_family(t) && fits(t));
                if of.is_empty() {
                    whole.iter().flat_map(|path| self.in_type_named(path)).collect()
                } else {
                    of
                }
            }
            "csharp" => {
                let known = self.namespaces_seen(imports);
                self.targets_where(|t| t.is_free() && known.contains(&t.container))
            }
            // A module is a folder in `Sources`; whoever imports it sees the whole folder.
            "swift" => {
                let mut seen: HashSet<&str> = imports.iter().map(|import| import.target.as_str()).collect();
                seen.extend(swift_modules_seen(&self.reader.files()[self.file].path));
                self.targets_where(|t| {
                    let path = self.reader.files()[t.file].path.as_str();
                    t.is_free() && swift_modules(path).any(|module| seen.contains(module))
                })
            }
            _ => Vec::new(),
        }
    }

    /// The definitions of the package that is written out before a name: `a.b.Name`.
    pub(super) fn in_package_named(&self, receiver: &str) -> Vec<usize> {
        let package = receiver.strip_prefix("_root_.").unwrap_or(receiver);
        let is_path = package.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'));
        if !is_path || !is_jvm(self.language()) {
            return Vec::new();
        }
        let declares = |t: &Target| self.package_declared(t).flatten().as_deref() == Some(package);
        self.targets_where(|t| t.is_free() && self.is_of_family(t) && declares(t))
    }

    /// The namespaces of C# that this file sees.
    pub(super) fn namespaces_seen(&self, imports: &[Import]) -> HashSet<String> {
        let modules = self.source.outline.symbols.iter().filter(|s| s.kind == Kind::Module);
        let own: Vec<String> = modules.map(Symbol::path).collect();
        let for_all = self.facts.global_usings().seen_by(&self.reader.files()[self.file].path);
        let used = imports.iter().map(|import| import.target.as_str()).chain(for_all);
        seen_namespaces(own.iter().map(String::as_str), used)
    }

    /// What a constant of Ruby means by the modules and classes around it, the innermost first.
    pub(super) fn in_nesting(&self, o: &Occurrence, outline: &Outline, spelt: &str) -> Vec<usize> {
        if !spelt.starts_with(char::is_uppercase) {
            return Vec::new();
        }
        let around = o.inside.and_then(|i| outline.symbols.get(i)).map(Symbol::path).unwrap_or_default();
        let mut around = around.as_str();
        while !around.is_empty() {
            let of = self.targets_where(|t| t.container == around);
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
