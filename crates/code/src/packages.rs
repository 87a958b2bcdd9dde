//! Finds the package or module of a file, from its declarations or as far as its path shows. Pure.

use std::collections::HashSet;

/// Where packages begin: below a folder for one language.
const SOURCE_ROOTS: &[&str] = &["java", "kotlin", "scala"];

/// Whether a path of a package and a name is only that of a file at the beginning of the sources: `kotlin.jvm` isn't `kotlin/jvm.kt`.
pub(crate) fn is_at_source_root(path: &str) -> bool {
    path.split_once('/').is_some_and(|(first, rest)| SOURCE_ROOTS.contains(&first) && !rest.contains('/'))
}

/// Whether a file is of the source set that all platforms of a Gradle project share, which declares what each defines.
pub(crate) fn is_of_all_platforms(path: &str) -> bool {
    path.split('/').any(|folder| folder == "commonMain")
}

/// The folders below where packages begin; tests and sources of one package have the same.
pub(crate) fn package_of(folder: &str) -> &str {
    let mut at = 0;
    for (start, part) in parts(folder) {
        if SOURCE_ROOTS.contains(&part) {
            at = (start + part.len() + 1).min(folder.len());
            break;
        }
    }
    &folder[at..]
}

/// The packages that a file of Java, Kotlin or Scala declares at its beginning, outermost first: in Scala `package a`
/// and then `package b` make `a` and `a.b`, and it sees both. Empty if it declares none.
pub(crate) fn declared_packages(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut in_comment = false;
    for line in text.trim_start_matches('\u{feff}').lines().map(str::trim) {
        if in_comment || line.starts_with("/*") {
            in_comment = !line.ends_with("*/");
            continue;
        }
        if line.is_empty() || ["//", "@", "#!"].iter().any(|mark| line.starts_with(mark)) {
            continue;
        }
        let Some(rest) = line.strip_prefix("package ") else { break };
        let name = rest.split([';', '{', '/']).next().unwrap_or_default();
        let name = name.trim().replace('`', "");
        if name.is_empty() || name.contains(char::is_whitespace) {
            break;
        }
        out.push(match out.last() {
            Some(around) => format!("{around}.{name}"),
            None => name,
        });
    }
    out
}

fn parts(folder: &str) -> impl Iterator<Item = (usize, &str)> {
    folder.split('/').map(move |part| (part.as_ptr() as usize - folder.as_ptr() as usize, part))
}

/// Whether a folder is that of a package: it ends with the package, of which a project may leave out the beginning.
pub(crate) fn ends_in_package(folder: &str, package: &[&str]) -> bool {
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

/// The module that a file of Swift belongs to: the folder in `Sources` or `Tests`, else the first folder of all.
pub(crate) fn swift_module(path: &str) -> &str {
    let (folder, _) = path.rsplit_once('/').unwrap_or_default();
    let mut parts = folder.split('/');
    let first = parts.clone().next().unwrap_or_default();
    let around = parts.find(|part| matches!(*part, "Sources" | "Source" | "Tests"));
    parts.next().or(around).unwrap_or(first)
}

/// The modules of Swift that a file may be in: `Source` is mostly one module, whatever its folders are called.
pub(crate) fn swift_modules(path: &str) -> impl Iterator<Item = &str> {
    std::iter::once(swift_module(path)).chain(path.starts_with("Source/").then_some("Source"))
}

/// The modules of Swift that a file sees without an import that is known by its folder's name: its own, and in tests
/// beside `Source` the tested one.
pub(crate) fn swift_modules_seen(path: &str) -> impl Iterator<Item = &str> {
    swift_modules(path).chain(path.starts_with("Tests/").then_some("Source"))
}

/// The C# namespaces visible to a file that declares `own` and uses `used`: its own, those around them, and those that
/// it uses, which may be written relative to its own.
pub(crate) fn seen_namespaces<'n>(
    own: impl Iterator<Item = &'n str>,
    used: impl Iterator<Item = &'n str>,
) -> HashSet<String> {
    let mut out = HashSet::from([String::new()]);
    for namespace in own {
        out.extend(namespace.match_indices('.').map(|(at, _)| namespace[..at].to_owned()));
        out.insert(namespace.to_owned());
    }
    let around: Vec<String> = out.iter().filter(|namespace| !namespace.is_empty()).cloned().collect();
    for used in used {
        out.extend(around.iter().map(|namespace| format!("{namespace}.{used}")));
        out.insert(used.to_owned());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_files_path_gives_its_package() {
        assert_eq!(package_of("app/src/test/java/a/b"), package_of("app/src/main/java/a/b"));
        let seen = seen_namespaces(["A.B"].into_iter(), ["Inner", "C"].into_iter());
        for (namespace, expected) in [
            ("", true),
            ("A", true),
            ("A.B", true),
            ("A.Inner", true),
            ("A.B.Inner", true),
            ("C", true),
            ("B", false),
        ] {
            assert_eq!(seen.contains(namespace), expected, "{namespace}");
        }
        for (text, expected) in [
            ("package a.b;\nclass C {}", "a.b"),
            ("// of A\n/* of\n * B */\n@file:JvmName(\"C\")\n\npackage a.`in`\nimport a", "a.in"),
            ("package a\npackage b // both\n\nclass C\npackage c", "a a.b"),
            ("package a {\n", "a"),
            ("package object a\n", ""),
            ("class C\n", ""),
        ] {
            assert_eq!(declared_packages(text).join(" "), expected, "{text}");
        }
        assert_eq!(package_of("lib"), "lib");
        assert_eq!(package_of("src/main/java"), "");
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
        for (path, expected) in [
            ("Sources/Net/Parsable Types/A.swift", "Net"),
            ("Tests/NetTests/A.swift", "NetTests"),
            ("Source/A.swift", "Source"),
            ("App/Views/A.swift", "App"),
            ("Package.swift", ""),
        ] {
            assert_eq!(swift_module(path), expected, "{path}");
        }
    }
}
