//! The rules of the other languages for resolving an import.

use std::cmp::Reverse;

use super::standard::is_header;
use super::{Resolver, folder, join, shared};
use crate::packages::{is_at_source_root, is_of_all_platforms};

/// The folders from which Ruby looks for what is required by its name.
const LOAD_PATHS: &[&str] = &["lib", "spec", "test", "tests"];

impl Resolver {
    pub(super) fn rust(&self, from: &str, target: &str) -> Option<usize> {
        let home = folder(from);
        let name = from.rsplit('/').next().unwrap_or(from);
        let stem = name.strip_suffix(".rs").unwrap_or(name);
        // Where this file's own children are.
        let own = if matches!(stem, "mod" | "lib" | "main") { home.to_owned() } else { join(home, stem) };
        if let Some(child) = target.strip_prefix("mod ") {
            return self.rust_module(&own, &[child]);
        }
        let mut parts: Vec<&str> =
            target.trim_start_matches("::").split("::").filter(|p| !p.is_empty()).collect();
        let first = *parts.first()?;
        match first {
            "crate" => {
                let root = self.crate_root(from)?;
                self.rust_module(&root, &parts[1..]).or_else(|| self.rust_own(&root))
            }
            "self" => self.rust_module(&own, &parts[1..]),
            "super" => {
                let mut at = own;
                while parts.first() == Some(&"super") {
                    parts.remove(0);
                    at = folder(&at).to_owned();
                }
                self.rust_module(&at, &parts).or_else(|| self.rust_own(&at))
            }
            _ => {
                // A module of this file comes before a crate of the same name.
                if let Some(child) = self.rust_module(&own, &[first]) {
                    return self.rust_module(&own, &parts).or(Some(child));
                }
                let renamed = self.manifests.renamed.iter();
                let real = renamed
                    .filter(|(home, ..)| home.is_empty() || from.starts_with(&format!("{home}/")))
                    .find(|(_, alias, _)| alias == first)
                    .map_or(first, |(.., package)| package.as_str());
                if let Some(home) = self.manifests.crates.get(real) {
                    let root = join(home, "src");
                    return self
                        .rust_module(&root, &parts[1..])
                        .or_else(|| self.by_path.get(&join(&root, "lib.rs")).copied());
                }
                None
            }
        }
    }

    /// The file of the module whose children are in `home`.
    fn rust_own(&self, home: &str) -> Option<usize> {
        let inside = ["lib.rs", "mod.rs", "main.rs"].into_iter().map(|name| join(home, name));
        inside.chain([format!("{home}.rs")]).find_map(|path| self.by_path.get(&path).copied())
    }

    /// The deepest module that a path names, below `home`.
    fn rust_module(&self, home: &str, parts: &[&str]) -> Option<usize> {
        (1..=parts.len()).rev().find_map(|n| {
            let path = join(home, &parts[..n].join("/"));
            let get = |path: String| self.by_path.get(&path).copied();
            get(format!("{path}.rs")).or_else(|| get(format!("{path}/mod.rs")))
        })
    }

    fn crate_root(&self, from: &str) -> Option<String> {
        let mut home = folder(from);
        loop {
            if ["lib.rs", "main.rs"].iter().any(|name| self.by_path.contains_key(&join(home, name))) {
                return Some(home.to_owned());
            }
            if home.is_empty() {
                return None;
            }
            home = folder(home);
        }
    }

    pub(super) fn go(&self, target: &str, out: &mut Vec<usize>) {
        for (module, home) in &self.manifests.go_modules {
            let Some(rest) = target.strip_prefix(module.as_str()) else { continue };
            if !rest.is_empty() && !rest.starts_with('/') {
                continue;
            }
            let folder = join(home, rest);
            let files = self.by_folder.get(&folder).into_iter().flatten().copied();
            let code = |i: &usize| self.paths[*i].ends_with(".go") && !self.paths[*i].ends_with("_test.go");
            out.extend(files.filter(code));
            return;
        }
    }

    pub(super) fn java(&self, from: &str, target: &str, out: &mut Vec<usize>) {
        let path = target.replace('.', "/");
        if let Some(package) = path.strip_suffix("/*").or_else(|| path.strip_suffix("/_")) {
            let home =
                self.by_folder.keys().filter(|f| *f == package || f.ends_with(&format!("/{package}"))).min();
            out.extend(home.and_then(|f| self.by_folder.get(f)).into_iter().flatten());
            if home.is_none() {
                // All members of a class.
                let endings = ["java", "kt", "scala"].into_iter();
                out.extend(
                    endings
                        .filter_map(|ending| self.source_with_ending(&format!("{package}.{ending}"), from))
                        .take(1),
                );
            }
            return;
        }
        // A class, or a member of one.
        let outer = folder(&path);
        let within = |path: &&str| path.contains('/') && !is_at_source_root(path);
        for path in [path.as_str(), outer].into_iter().filter(within) {
            for ending in ["java", "kt", "scala"] {
                if let Some(found) = self.source_with_ending(&format!("{path}.{ending}"), from) {
                    out.push(found);
                    return;
                }
            }
        }
    }

    /// The file whose path ends in `/suffix` that is meant in `from`: of several the one nearest to it, as in its own source set, and
    /// of equally near ones what all platforms share.
    fn source_with_ending(&self, suffix: &str, from: &str) -> Option<usize> {
        let fits =
            |path: &str| path.strip_suffix(suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
        let candidates = self.by_name.get(suffix.rsplit('/').next()?)?.iter().copied();
        candidates.filter(|i| fits(&self.paths[*i])).max_by_key(|i| {
            let path = &self.paths[*i];
            (shared(path, from), is_of_all_platforms(path), Reverse(path.len()), Reverse(*i))
        })
    }

    pub(super) fn php(&self, from: &str, target: &str) -> Option<usize> {
        if target.ends_with(".php") {
            return self.by_path.get(&join(folder(from), target)).copied();
        }
        // Folders may be called as they like, and libraries have classes of the same names: the namespace decides.
        let target = target.trim_start_matches('\\');
        let (namespace, name) = target.rsplit_once('\\').unwrap_or(("", target));
        let candidates = self.by_name.get(&format!("{name}.php"))?.iter().copied();
        self.nearest(candidates.filter(|file| self.declares(*file, namespace)), from)
    }

    /// Whether a file declares this namespace, or none where it is empty.
    fn declares(&self, file: usize, namespace: &str) -> bool {
        match self.namespaces.get(&file) {
            Some(own) => own.iter().any(|one| one.eq_ignore_ascii_case(namespace)),
            None => namespace.is_empty(),
        }
    }

    pub(super) fn ruby(&self, from: &str, target: &str) -> Option<usize> {
        let name = if target.ends_with(".rb") { target.to_owned() } else { format!("{target}.rb") };
        if target.starts_with('.') {
            return self.by_path.get(&join(folder(from), &name)).copied();
        }
        let mut home = folder(from);
        loop {
            let inside = Some(join(home, &format!("lib/{name}")));
            // What is beside a file is found only where Ruby looks: `require 'logger'` isn't `lib/app/logger.rb`.
            let looked_in =
                home.rsplit('/').next().is_some_and(|last| last.is_empty() || LOAD_PATHS.contains(&last));
            let beside = looked_in.then(|| join(home, &name));
            if let Some(found) = inside.into_iter().chain(beside).find_map(|path| self.by_path.get(&path)) {
                return Some(*found);
            }
            if home.is_empty() {
                return None;
            }
            home = folder(home);
        }
    }

    pub(super) fn include(&self, from: &str, target: &str) -> Option<usize> {
        let get = |path: &str| self.by_path.get(path).copied();
        let name = target.trim_matches(['<', '>']);
        let beside = get(&join(folder(from), name));
        if name.len() < target.len() && is_header(name) {
            // A C library has it where its users look; elsewhere one of this name replaces the system's where it has none.
            return beside.or_else(|| get(&join("include", name)));
        }
        beside.or_else(|| self.file_with_ending(name.trim_start_matches("./"), from))
    }
}

#[cfg(test)]
mod tests {
    use super::Resolver;

    #[test]
    fn the_standard_library_is_not_in_the_first_folder_of_the_sources() {
        let files = [
            ("build/src/main/kotlin/jvm.kt", "kotlin"),
            ("src/main/java/util.java", "java"),
            ("src/main/kotlin/shop/Cart.kt", "kotlin"),
        ];
        let resolver = Resolver::new(files.into_iter(), &|_| None);
        for (target, expected) in [
            ("kotlin.jvm.JvmName", &[][..]),
            ("java.util.List", &[]),
            ("shop.Cart", &[2_usize]),
            ("shop.Cart.Line", &[2]),
        ] {
            let mut found = Vec::new();
            resolver.resolve(2, target, &[], &mut found);
            assert_eq!(found, expected, "{target}");
        }
    }

    #[test]
    fn a_source_set_sees_its_own_files_and_else_those_of_all_platforms() {
        let files = [
            ("io/src/commonMain/kotlin/io/Path.kt", "kotlin"),
            ("io/src/commonMain/kotlin/io/internal/Path.kt", "kotlin"),
            ("io/src/jsMain/kotlin/io/Path.kt", "kotlin"),
            ("io/src/jvmMain/kotlin/io/Path.kt", "kotlin"),
            ("io/src/jvmMain/kotlin/io/internal/Disk.kt", "kotlin"),
            ("io/src/zlibMain/kotlin/io/internal/Zip.kt", "kotlin"),
            ("fake/src/commonMain/kotlin/fake/Fake.kt", "kotlin"),
        ];
        let resolver = Resolver::new(files.into_iter(), &|_| None);
        for (from, expected) in [(1_usize, 0_usize), (4, 3), (5, 0), (6, 0)] {
            let mut found = Vec::new();
            resolver.resolve(from, "io.Path", &[], &mut found);
            assert_eq!(found, [expected], "{}", files[from].0);
        }
    }
}
