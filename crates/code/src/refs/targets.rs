//! The definitions that a name may mean, as the index has them, with what deciding between them needs. Doesn't know their uses.

use std::collections::{HashMap, HashSet};

use super::Definition;
use super::infer::{Go, ProjectType, Rust};
use super::text_matches::{opening_bracket, whole_words};
use crate::error::Result;
use crate::grammar::Kind;
use crate::search::Reader;
pub(super) use crate::search::similar_names as similar;
use crate::store::Store;
use crate::words;

/// A definition with what is needed to decide.
pub(super) struct Target {
    pub(super) file: usize,
    pub(super) line: u32,
    pub(super) kind: Kind,
    pub(super) folder: String,
    pub(super) stem: String,
    pub(super) container: String,
    pub(super) owner: String,
    /// A variant in C is a name of its file, and what is in a namespace of C++, C# or PHP belongs to no type.
    pub(super) unscoped: bool,
    /// The type that it extends from outside, so that it's called on values of that type; a type parameter has its own name.
    pub(super) extends: Option<String>,
}

impl Target {
    /// It belongs to no type, or is visible without it.
    pub(super) fn is_free(&self) -> bool {
        self.container.is_empty() || self.unscoped
    }

    /// Whether it's named through `of`: as a member of that type or namespace, or as a value of that enumeration.
    pub(super) fn is_named_through(&self, of: &str) -> bool {
        let in_enum = || self.kind == Kind::Variant && self.container.rsplit(['.', ':']).next() == Some(of);
        !of.is_empty() && (self.owner == of || in_enum())
    }
}

/// `Outer.Type.name` as what's around the name, outermost first, and the name.
pub(super) fn split(name: &str) -> (Vec<&str>, &str) {
    let whole = name.trim().trim_end_matches("()");
    let mut parts: Vec<&str> = whole.split(['.', ':', '#', '\\']).filter(|part| !part.is_empty()).collect();
    match parts.pop() {
        Some(last) if whole.ends_with(last) => (parts, last),
        // Nothing but separators, or one at the end: an operator, or no name.
        _ => (Vec::new(), whole),
    }
}

/// Whether what is around a definition ends with these names: its types and modules, and before those its file and folders.
fn is_inside(around: &[&str], container: &str, path: &str) -> bool {
    let own = container.split(['.', ':', '\\']).filter(|part| !part.is_empty()).rev();
    let mut rest = around.iter().rev().copied().peekable();
    for part in own {
        match rest.next() {
            None => return true,
            Some(given) if given == part => {}
            Some(_) => return false,
        }
    }
    if rest.peek().is_none() {
        return true;
    }
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.split('.').next().unwrap_or(file);
    let folders = || folder.rsplit('/').filter(|part| *part != "src");
    let rest: Vec<&str> = rest.filter(|part| !matches!(*part, "crate" | "self" | "super")).collect();
    let begins = |places: &[&str]| places.starts_with(&rest);
    begins(&folders().collect::<Vec<_>>())
        || begins(&std::iter::once(stem).chain(folders()).collect::<Vec<_>>())
}

pub(super) fn definitions(
    store: &Store,
    reader: &Reader,
    around: &[&str],
    name: &str,
) -> Result<Vec<(usize, Definition)>> {
    let mut folded = String::new();
    words::whole(name, &mut folded);
    store.read(|db| {
        let mut statement = db.prepare_cached(
            "SELECT s.file, s.line, s.end_line, s.kind, s.container, s.signature FROM symbols s JOIN files f ON f.id = s.file
             WHERE s.folded = ?1 AND s.name = ?2 ORDER BY f.path, s.line",
        )?;
        let mut rows = statement.query([&folded, name])?;
        let mut out = Vec::new();
        while let Some(row) = rows.next()? {
            let Some(file) = reader.place(row.get(0)?) else { continue };
            let container: String = row.get(4)?;
            if !is_inside(around, &container, &reader.files()[file].path) {
                continue;
            }
            let kind = Kind::from_name(row.get_ref(3)?.as_str().unwrap_or_default()).unwrap_or(Kind::Constant);
            let path = reader.files()[file].path.clone();
            out.push((file, Definition { path, line: row.get(1)?, end_line: row.get(2)?, kind, container, signature: row.get(5)? }));
        }
        Ok(out)
    })
}

fn target(file: usize, d: &Definition, name: &str, language: &str, in_namespace: bool) -> Target {
    let (folder, file_name) = d.path.rsplit_once('/').unwrap_or(("", &d.path));
    let mut stem = file_name.split('.').next().unwrap_or(file_name);
    if matches!(stem, "mod" | "lib" | "index" | "__init__" | "main") {
        stem = folder.rsplit('/').next().unwrap_or(stem);
    }
    Target {
        file,
        line: d.line,
        kind: d.kind,
        folder: folder.to_owned(),
        stem: stem.to_owned(),
        container: d.container.clone(),
        owner: d.container.rsplit(['.', ':']).next().unwrap_or("").to_owned(),
        unscoped: in_namespace || d.kind == Kind::Variant && matches!(language, "c" | "cpp"),
        extends: extended(language, &d.signature, name),
    }
}

/// The type that a function or value extends from outside: `fun <T> List<T>.name()` of Kotlin, `name(this Type it)` of C#.
pub(super) fn extended(language: &str, signature: &str, name: &str) -> Option<String> {
    let at = whole_words(signature, name).next()?;
    let of = match language {
        "kotlin" => {
            let before = signature[..at].trim_end().strip_suffix('.')?.trim_end_matches('?');
            let before = match before.strip_suffix('>') {
                Some(_) => &before[..opening_bracket(before)?],
                None => before,
            };
            before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next()?
        }
        "csharp" => {
            let (_, arguments) = signature[at..].split_once('(')?;
            let first = arguments.trim_start().strip_prefix("this ")?;
            let first = first.split(['<', '[', '?']).next()?.split_whitespace().next()?;
            first.rsplit('.').next()?
        }
        _ => return None,
    };
    (!of.is_empty()).then(|| of.to_owned())
}

/// The files that have the words of `name`.
pub(super) fn files_with(store: &Store, reader: &Reader, name: &str) -> Result<Vec<usize>> {
    let mut wanted: Vec<String> = Vec::new();
    let mut scratch = String::new();
    words::words(name, &mut scratch, |word| wanted.push(word.to_owned()));
    // The whole identifier, if it has parts, is the rarest word.
    let Some(word) = wanted.pop() else { return Ok((0..reader.files().len()).collect()) };
    let files: HashSet<usize> = reader.files_with(store, &word)?;
    let mut out: Vec<usize> = files.into_iter().collect();
    out.sort_unstable();
    Ok(out)
}

/// The type that a definition belongs to, in languages whose types are followed.
pub(super) fn owner_of(
    go: &Go<'_>,
    rust: &Rust<'_>,
    reader: &Reader,
    target: &Target,
) -> Option<ProjectType> {
    if target.is_free() {
        return None;
    }
    match reader.files()[target.file].language.as_str() {
        "go" => go.owner(target.file, &target.owner),
        "rust" => rust.owner(target.file, &target.owner),
        _ => None,
    }
}

/// The targets of these definitions of `name`.
pub(super) fn targets(
    store: &Store,
    reader: &Reader,
    definitions: &[(usize, Definition)],
    name: &str,
) -> Vec<Target> {
    let mut known: HashMap<usize, Scopes> = HashMap::new();
    definitions
        .iter()
        .map(|(file, d)| {
            let language = reader.files()[*file].language.as_str();
            if !matches!(language, "cpp" | "csharp" | "php") || d.container.is_empty() {
                return target(*file, d, name, language, false);
            }
            let scopes = known.entry(*file).or_insert_with(|| Scopes::of(store, reader.files()[*file].id));
            let mut one = target(*file, d, name, language, scopes.namespaces.contains(&d.container));
            if language == "cpp" && d.kind == Kind::Variant {
                // A value of an enumeration belongs to what that is in: `Cart::OPEN` with `struct Cart { enum Mode { OPEN }; }`.
                let around = if scopes.enums.contains(&d.container) {
                    d.container.rsplit_once('.').map_or("", |(around, _)| around)
                } else {
                    d.container.as_str()
                };
                one.unscoped = around.is_empty() || scopes.namespaces.contains(around);
                one.owner = around.rsplit(['.', ':']).next().unwrap_or("").to_owned();
            }
            one
        })
        .collect()
}

/// The namespaces and enumerations that a file has, each with what is around it.
#[derive(Default)]
struct Scopes {
    namespaces: HashSet<String>,
    enums: HashSet<String>,
}

impl Scopes {
    /// What can't be read has none.
    fn of(store: &Store, file: i64) -> Scopes {
        let read = store.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT name, container, kind FROM symbols WHERE file = ?1 AND kind IN ('module', 'enum')",
            )?;
            let mut rows = statement.query([file])?;
            let mut out = Scopes::default();
            while let Some(row) = rows.next()? {
                let (name, container, kind): (String, String, String) =
                    (row.get(0)?, row.get(1)?, row.get(2)?);
                let name = name.replace("::", ".");
                let path = if container.is_empty() { name } else { format!("{container}.{name}") };
                if kind == "enum" {
                    out.enums.insert(path)
                } else {
                    out.namespaces.insert(path)
                };
            }
            Ok(out)
        });
        read.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_given_qualifier_must_enclose_the_definition() {
        for (name, container, path, expected) in [
            ("build", "TypeSpec.Builder", "a/TypeSpec.java", true),
            ("Builder.build", "TypeSpec.Builder", "a/TypeSpec.java", true),
            ("TypeSpec.Builder.build", "TypeSpec.Builder", "a/TypeSpec.java", true),
            ("MethodSpec.Builder.build", "TypeSpec.Builder", "a/TypeSpec.java", false),
            ("a.TypeSpec.Builder.build()", "TypeSpec.Builder", "a/TypeSpec.java", true),
            ("Rack::Utils.parse", "Rack.Utils", "lib/rack/utils.rb", true),
            ("Sock::parse", "net.Sock", "net.cpp", true),
            ("crate::net::open", "", "src/net.rs", true),
            ("net::open", "", "src/net.rs", true),
            ("disk::open", "", "src/net.rs", false),
            ("crate::net::open", "Conn", "src/net.rs", false),
            ("App\\Cache.put", "Cache", "src/App/Cache.php", true),
        ] {
            let (around, _) = split(name);
            assert_eq!(is_inside(&around, container, path), expected, "{name} in {container}");
        }
        for (language, signature, expected) in [
            ("kotlin", "internal fun String.name(deep: Boolean = true): String", "String"),
            ("kotlin", "fun <T> Map<String, List<T>>.name(): T", "Map"),
            ("kotlin", "val kotlin.String?.name: Int", "String"),
            ("kotlin", "fun name(of: String)", ""),
            ("csharp", "public static Rule<T> name<T>(this Builder<T, string> it, int n)", "Builder"),
            ("csharp", "public static int name(string of)", ""),
            ("java", "int name(this A a)", ""),
        ] {
            let found = extended(language, signature, "name");
            assert_eq!(found.unwrap_or_default(), expected, "{signature}");
        }
        assert_eq!(split("operator=="), (Vec::new(), "operator=="));
        assert_eq!(split("Type.name()"), (vec!["Type"], "name"));
        assert_eq!(split("::"), (Vec::new(), "::"));
    }
}
