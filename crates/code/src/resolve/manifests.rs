//! Reads the names that a project's manifests define: `tsconfig` paths, workspace packages and what they export,
//! crates, Go modules. Parses leniently, because only names are needed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::{Read, folder, join};
use crate::role::{self, Role};

/// The names of manifests.
const NAMES: &[&str] =
    &["tsconfig.json", "tsconfig.base.json", "jsconfig.json", "package.json", "Cargo.toml", "go.mod"];
/// Whether a file's name is that of a part of a project's settings for TypeScript, which `tsconfig.json` only refers to:
/// `tsconfig.app.json`. What is only for tests says nothing about the others.
fn is_part_of_tsconfig(name: &str) -> bool {
    let part = name.strip_prefix("tsconfig.").and_then(|rest| rest.strip_suffix(".json"));
    part.is_some_and(|part| !part.is_empty()) && !NAMES.contains(&name) && !is_aside(name)
}

/// Whether this is a manifest's name.
pub(super) fn is_name(name: &str) -> bool {
    NAMES.contains(&name) || is_part_of_tsconfig(name)
}

/// The most manifests of one kind that are read.
pub(super) const MAX_MANIFESTS: usize = 400;

/// The names that manifests define.
#[derive(Debug, Default)]
pub(super) struct Manifests {
    /// The folder in which it applies, the pattern, and its replacement; the deepest folder first, in it the longest pattern.
    pub(super) aliases: Vec<(String, String, String)>,
    /// npm packages by name.
    pub(super) packages: BTreeMap<String, Package>,
    /// What packages call their own files, as `#cart`: the package's folder, the pattern, the file, which may be a built one; the
    /// deepest folder first, in it the longest pattern.
    pub(super) inner_names: Vec<(String, String, String)>,
    /// Crates, as code calls them, and their folders.
    pub(super) crates: BTreeMap<String, String>,
    /// Other names of crates: the folder in which one applies, the name, the crate; the deepest folder first.
    pub(super) renamed: Vec<(String, String, String)>,
    /// Modules of Go and their folders, the longest name first.
    pub(super) go_modules: Vec<(String, String)>,
}

/// An npm package of the project.
#[derive(Debug, Default)]
pub(super) struct Package {
    pub(super) home: String,
    /// What can be imported from it, empty for the package itself, and the files that its manifest names for that, which may be
    /// built ones; both may have a `*`.
    files: Vec<(String, String)>,
}

impl Package {
    fn of(home: &str, json: &Value) -> Package {
        let mut files = Vec::new();
        match json.get("exports") {
            Some(Value::Object(all)) if all.keys().any(|key| key.starts_with('.')) => {
                for (key, value) in all {
                    let key = key.trim_start_matches('.').trim_start_matches('/');
                    named_files(value, &mut |file| files.push((key.to_owned(), file.to_owned())));
                }
            }
            Some(value) => named_files(value, &mut |file| files.push((String::new(), file.to_owned()))),
            None => {}
        }
        let entries = ["source", "module", "main", "types", "typings"].iter();
        let entries = entries.filter_map(|field| json.get(field).and_then(Value::as_str));
        files.extend(entries.map(|file| (String::new(), file.to_owned())));
        // The code comes before its types.
        files
            .sort_by_key(|(_, file)| [".d.ts", ".d.mts", ".d.cts"].iter().any(|types| file.ends_with(types)));
        Package { home: home.to_owned(), files }
    }

    /// The files that the manifest names for what is imported as `package/inner`; `inner` is empty for the package itself.
    pub(super) fn files_for(&self, inner: &str) -> Vec<String> {
        let file = |(key, file): &(String, String)| match key.split_once('*') {
            Some((front, back)) => {
                let part = inner.strip_prefix(front)?.strip_suffix(back).filter(|part| !part.is_empty())?;
                Some(file.replace('*', part))
            }
            None => (key == inner).then(|| file.clone()),
        };
        self.files.iter().filter_map(file).collect()
    }
}

/// The files in an entry of `exports`: one, or one for each condition.
fn named_files(value: &Value, add: &mut impl FnMut(&str)) {
    match value {
        Value::String(file) => add(file),
        Value::Array(all) => all.iter().for_each(|one| named_files(one, add)),
        Value::Object(all) => all.values().for_each(|one| named_files(one, add)),
        _ => {}
    }
}

/// What a manifest comes after if another has the same name: those of tests and examples, then deeper ones.
fn rank(path: &str) -> (bool, usize) {
    (is_aside(path), path.matches('/').count())
}

/// Whether a file belongs to tests, to examples or to somebody else.
fn is_aside(path: &str) -> bool {
    let role = role::of(path, None, "");
    [Role::TEST, Role::EXAMPLE, Role::VENDORED].iter().any(|one| role.is(*one))
}

impl Manifests {
    /// The names of the crates that are the project's product.
    pub(super) fn own_crates(&self) -> impl Iterator<Item = &str> {
        let own = self.crates.iter().filter(|(_, home)| !is_aside(&join(home, "Cargo.toml")));
        own.map(|(name, _)| name.as_str())
    }

    pub(super) fn read(paths: &[String], by_name: &HashMap<String, Vec<usize>>, read: Read<'_>) -> Manifests {
        let mut out = Manifests::default();
        let each = |name: &str| {
            let mut all: Vec<&str> =
                by_name.get(name).into_iter().flatten().map(|i| paths[*i].as_str()).collect();
            all.sort_by_key(|path| (rank(path), *path));
            all.truncate(MAX_MANIFESTS);
            all
        };
        let parts = by_name.iter().filter(|(name, _)| is_part_of_tsconfig(name)).flat_map(|(_, files)| files);
        let mut parts: Vec<&str> = parts.map(|i| paths[*i].as_str()).collect();
        parts.sort_by_key(|path| (rank(path), *path));
        parts.truncate(MAX_MANIFESTS);
        let whole = ["tsconfig.json", "tsconfig.base.json", "jsconfig.json"];
        for path in whole.into_iter().flat_map(each).chain(parts) {
            if let Some(json) = read(path).as_deref().and_then(parse_lenient_json) {
                out.tsconfig(folder(path), &json);
            }
        }
        let nearest = |(home, pattern, _): &(String, String, String)| {
            (Reverse(home.len()), pattern.contains('*'), Reverse(pattern.len()))
        };
        out.aliases.sort_by_key(nearest);
        for path in each("package.json") {
            let json = read(path).as_deref().and_then(parse_lenient_json);
            let Some(json) = json else { continue };
            out.read_inner_names(folder(path), &json);
            if let Some(name) = json.get("name").and_then(Value::as_str) {
                let package = || Package::of(folder(path), &json);
                out.packages.entry(name.to_owned()).or_insert_with(package);
            }
        }
        out.inner_names.sort_by_key(nearest);
        for path in each("Cargo.toml") {
            let text = read(path).unwrap_or_default();
            if let Some(name) = value_in(&text, "[package]", "name") {
                let called = value_in(&text, "[lib]", "name").unwrap_or_else(|| name.clone());
                for name in [name, called] {
                    out.crates.entry(name.replace('-', "_")).or_insert_with(|| folder(path).to_owned());
                }
            }
            for (alias, package) in renamed_dependencies(&text) {
                out.renamed.push((
                    folder(path).to_owned(),
                    alias.replace('-', "_"),
                    package.replace('-', "_"),
                ));
            }
        }
        out.renamed.sort_by_key(|(home, ..)| Reverse(home.len()));
        for path in each("go.mod") {
            let text = read(path).unwrap_or_default();
            if let Some(name) = text.lines().find_map(|line| line.trim().strip_prefix("module ")) {
                out.go_modules.push((name.trim().trim_matches('"').to_owned(), folder(path).to_owned()));
            }
        }
        out.go_modules.sort_by_key(|(name, _)| Reverse(name.len()));
        out
    }

    /// `"imports": {"#cart/*": {"default": "./dist/cart/*.js"}}`
    fn read_inner_names(&mut self, home: &str, json: &Value) {
        let all = json.get("imports").and_then(Value::as_object).into_iter().flatten();
        for (pattern, value) in all.filter(|(pattern, _)| pattern.starts_with('#')) {
            named_files(value, &mut |file| {
                // Else it's a package of elsewhere.
                if file.starts_with("./") {
                    self.inner_names.push((home.to_owned(), pattern.clone(), file.to_owned()));
                }
            });
        }
    }

    fn tsconfig(&mut self, home: &str, json: &Value) {
        let Some(options) = json.get("compilerOptions") else { return };
        let base = options.get("baseUrl").and_then(Value::as_str);
        let root = join(home, base.unwrap_or("."));
        for (pattern, targets) in options.get("paths").and_then(Value::as_object).into_iter().flatten() {
            for target in targets.as_array().into_iter().flatten().filter_map(Value::as_str) {
                self.aliases.push((home.to_owned(), pattern.clone(), join(&root, target)));
            }
        }
        if base.is_some() {
            self.aliases.push((home.to_owned(), "*".to_owned(), join(&root, "*")));
        }
    }
}

/// The text that `key` has in the table with this `header`.
pub(super) fn value_in(toml: &str, header: &str, key: &str) -> Option<String> {
    let inside = toml.lines().skip_while(|line| line.trim() != header).skip(1);
    let mut lines = inside.take_while(|line| !line.trim_start().starts_with('['));
    lines.find_map(|line| value(line, key))
}

/// The text of `key = "text"`.
fn value(line: &str, key: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix(key)?.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    rest[1..].split(quote).next().map(str::to_owned)
}

/// Dependencies that code calls by another name than their own: `net = { package = "my-net" }`, on one line or as a
/// table, in any kind of dependency section.
pub(super) fn renamed_dependencies(toml: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    // In a list of dependencies; in the table of this one.
    let (mut listed, mut own) = (false, None::<String>);
    for line in toml.lines() {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            listed = header.ends_with("dependencies");
            let (table, name) = header.rsplit_once('.').unwrap_or(("", header));
            own = table.ends_with("dependencies").then(|| name.trim_matches(['"', '\'']).to_owned());
        } else if let Some(name) = &own {
            out.extend(value(line, "package").map(|package| (name.clone(), package)));
        } else if listed
            && let Some((name, table)) = line.split_once('=')
            && let Some(table) = table.trim_start().strip_prefix('{')
        {
            let package = table.split([',', '}']).find_map(|part| value(part, "package"));
            out.extend(package.map(|package| (name.trim().trim_matches(['"', '\'']).to_owned(), package)));
        }
    }
    out
}

/// JSON with comments and trailing commas, as these files may have.
pub fn parse_lenient_json(text: &str) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(text) {
        return Some(value);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        if quoted {
            out.push(c);
            if c == '\\' {
                out.extend(chars.next());
            } else if c == '"' {
                quoted = false;
            }
        } else if c == '"' {
            quoted = true;
            out.push(c);
        } else if c == '/' && chars.peek() == Some(&'/') {
            chars.by_ref().find(|c| *c == '\n');
        } else if c == '/' && chars.peek() == Some(&'*') {
            chars.next();
            let mut before = ' ';
            for c in chars.by_ref() {
                if before == '*' && c == '/' {
                    break;
                }
                before = c;
            }
        } else if matches!(c, '}' | ']') {
            let kept = out.trim_end().trim_end_matches(',').len();
            out.truncate(kept);
            out.push(c);
        } else {
            out.push(c);
        }
    }
    serde_json::from_str(&out).ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn crates_may_be_renamed() {
        let toml = "[package]\nname = 'shop'\n[lib]\nname = \"stall\"\n\n[dependencies]\nserde = { version = \"1\" }\n\
                    net = { path = \"../net\", package = \"my-net\" }\nnot = 'x'\n[target.'cfg(unix)'.dependencies.io]\n\
                    package = \"my-io\"\n[features]\nx = { package = \"no\" }\n";
        let pairs = [("net", "my-net"), ("io", "my-io")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(super::renamed_dependencies(toml), pairs);
        assert_eq!(super::value_in(toml, "[package]", "name").as_deref(), Some("shop"));
        assert_eq!(super::value_in(toml, "[lib]", "name").as_deref(), Some("stall"));
    }

    #[test]
    fn comments_and_commas_do_not_matter() {
        let value =
            super::parse_lenient_json("{ // a\n \"x\": [1, 2,], /* b */ \"u\": \"http://x\", }").unwrap();
        assert_eq!(value, serde_json::json!({"x": [1, 2], "u": "http://x"}));
    }
}
