//! Which package or module a file belongs to, as far as its path says. Pure.

/// Where packages begin: below a folder for one language.
const SOURCE_ROOTS: &[&str] = &["java", "kotlin", "scala"];

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

fn parts(folder: &str) -> impl Iterator<Item = (usize, &str)> {
    folder.split('/').map(move |part| (part.as_ptr() as usize - folder.as_ptr() as usize, part))
}

/// The module that a file of Swift belongs to: the folder in `Sources` or `Tests`, else the first folder of all.
pub(crate) fn swift_module(path: &str) -> &str {
    let (folder, _) = path.rsplit_once('/').unwrap_or_default();
    let mut parts = folder.split('/');
    let first = parts.clone().next().unwrap_or_default();
    let around = parts.find(|part| matches!(*part, "Sources" | "Source" | "Tests"));
    parts.next().or(around).unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_say_to_what_a_file_belongs() {
        assert_eq!(package_of("app/src/test/java/a/b"), package_of("app/src/main/java/a/b"));
        assert_eq!(package_of("lib"), "lib");
        assert_eq!(package_of("src/main/java"), "");
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
