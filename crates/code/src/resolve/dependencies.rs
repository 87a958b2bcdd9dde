//! Reads which packages a manifest names as what its project needs directly. Parses leniently, because only names are needed. Pure.

use std::collections::BTreeSet;

use serde_json::Value;

use super::manifests::{MAX_MANIFESTS, parse_lenient_json, renamed_dependencies, value_in};
use super::needs::{Needs, add, add_quoted, required};
use super::{Read, build_files};
use crate::role::{self, Role};

/// The lists of packages in `package.json` and `composer.json`.
const LISTS: &[&str] = &[
    "dependencies",
    "devDependencies",
    "peerDependencies",
    "optionalDependencies",
    "require",
    "require-dev",
];

/// Reads the manifest at `path`; `None` if it isn't one.
pub fn needs_of(path: &str, text: &str) -> Option<Needs> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (own, packages) = match name {
        "Cargo.toml" => (value_in(text, "[package]", "name"), of_cargo(text)),
        "package.json" | "composer.json" => {
            let json = parse_lenient_json(text)?;
            (json.get("name").and_then(Value::as_str).map(str::to_owned), of_json(&json))
        }
        "go.mod" => (None, of_go(text)),
        "pyproject.toml" => (value_in(text, "[project]", "name"), of_python(text)),
        "Gemfile" | "gems.rb" => (None, of_ruby(text)),
        "Pipfile" => (None, of_pipfile(text)),
        _ if is_requirements(path, name) => (None, of_requirements(text)),
        _ => return build_files::needs_of(name, text),
    };
    Some(Needs { own, packages })
}

fn of_json(json: &Value) -> Vec<String> {
    let mut out = Vec::new();
    for list in LISTS.iter().filter_map(|list| json.get(*list)?.as_object()) {
        // PHP itself and what is built into it are named among its packages.
        let names = list.keys().filter(|name| *name != "php" && !name.starts_with("ext-"));
        names.for_each(|name| add(name, &mut out));
    }
    out
}

/// What is needed only by what is needed is marked.
fn of_go(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut listed = false;
    for line in text.lines().map(str::trim) {
        let required = line.strip_prefix("require ").map(str::trim);
        match required.or(listed.then_some(line)) {
            Some("(") => listed = true,
            Some(")") => listed = false,
            Some(one) if !one.starts_with("//") && !one.contains("// indirect") => {
                add(one.split_whitespace().next().unwrap_or_default(), &mut out);
            }
            _ => {}
        }
    }
    out
}

/// The lists of `[project]`, uv and PDM, and the tables of Poetry.
fn of_python(toml: &str) -> Vec<String> {
    let mut out = Vec::new();
    let (mut header, mut listed) = ("", false);
    for line in toml.lines().map(str::trim) {
        if listed {
            listed = !add_quoted(line, &mut out);
        } else if let Some(rest) = line.strip_prefix('[') {
            header = rest.split(']').next().unwrap_or(rest);
        } else if let Some((key, value)) = line.split_once('=').map(|(key, value)| (key.trim(), value.trim()))
        {
            let is_list = (header, key) == ("project", "dependencies")
                || (header, key) == ("tool.uv", "dev-dependencies")
                || matches!(
                    header,
                    "project.optional-dependencies" | "dependency-groups" | "tool.pdm.dev-dependencies"
                );
            if is_list && let Some(list) = value.strip_prefix('[') {
                listed = !add_quoted(list, &mut out);
            } else if header.starts_with("tool.poetry") && header.ends_with("dependencies") && key != "python"
            {
                add(key, &mut out);
            }
        }
    }
    out
}

/// `requirements-dev.txt`, `requirements/dev.txt`
fn is_requirements(path: &str, name: &str) -> bool {
    let folder = path.strip_suffix(name).and_then(|folder| folder.strip_suffix('/')).unwrap_or_default();
    let listed = name.starts_with("requirements") || folder.rsplit('/').next() == Some("requirements");
    listed && name.ends_with(".txt")
}

/// The keys of the two tables of Pipenv.
fn of_pipfile(toml: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut listed = false;
    for line in toml.lines().map(str::trim) {
        if line.starts_with('[') {
            listed = matches!(line, "[packages]" | "[dev-packages]");
        } else if listed && let Some((name, _)) = line.split_once('=') {
            add(name, &mut out);
        }
    }
    out
}

fn of_requirements(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    text.lines().for_each(|line| add(required(line.trim()), &mut out));
    out
}

fn of_ruby(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let gems = text.lines().filter_map(|line| {
        line.trim().strip_prefix("gem")?.strip_prefix([' ', '('])?.split(['"', '\'']).nth(1)
    });
    gems.for_each(|name| add(name, &mut out));
    out
}

/// The crates that these manifests of Cargo name, as code calls them; `None` if none was read. Those of others don't count.
pub(super) fn needed_crates<'p>(
    paths: impl Iterator<Item = &'p str>,
    read: Read<'_>,
) -> Option<BTreeSet<String>> {
    let mut out = None::<BTreeSet<String>>;
    let ours = paths.filter(|path| !role::of(path, None, "").is(Role::VENDORED));
    for text in ours.take(MAX_MANIFESTS).filter_map(read) {
        let names = of_cargo(&text).into_iter().map(|name| name.replace('-', "_"));
        out.get_or_insert_default().extend(names);
    }
    out
}

/// The crates in a `Cargo.toml`, by the names that they have themselves, of all kinds of dependency sections.
fn of_cargo(toml: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut listed = false;
    for line in toml.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            listed = header.ends_with("dependencies");
            let (table, name) = header.rsplit_once('.').unwrap_or(("", header));
            if table.ends_with("dependencies") {
                add(name, &mut out);
            }
        } else if listed && let Some((name, _)) = line.split_once('=') {
            // `serde.workspace = true`
            add(name.split('.').next().unwrap_or(name), &mut out);
        }
    }
    for (alias, package) in renamed_dependencies(toml) {
        out.retain(|name| *name != alias);
        add(&package, &mut out);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_names_the_dependencies() {
        let toml = "[package]\nname = \"shop\"\n\n[dependencies]\n# old = \"1\"\nserde.workspace = true\n\
                    tokio = { version = \"1\", features = [\n    \"full\",\n] }\nnet = { package = \"my-net\" }\n\
                    [target.'cfg(unix)'.dependencies.rustix]\nversion = \"1\"\n[dev-dependencies]\nserde = \"1\"\n\
                    [features]\nfast = []\n";
        assert_eq!(of_cargo(toml), ["serde", "tokio", "rustix", "my-net"]);
    }

    #[test]
    fn each_kind_of_manifest_is_read() {
        for (path, text, expected) in [
            ("a/Cargo.toml", "[package]\nname = \"a\"\n[dependencies]\nlog = \"1\"\n", "log"),
            (
                "package.json",
                r#"{"name": "a", "dependencies": {"@x/core": "1"}, "devDependencies": {"vitest": "2"}}"#,
                "@x/core vitest",
            ),
            ("composer.json", r#"{"require": {"php": "8", "ext-json": "*", "a/b": "1"}}"#, "a/b"),
            (
                "go.mod",
                "module a\n\nrequire x.org/one v1.0.0\nrequire (\n\t// two\n\tx.org/two/v2 v2.0.0\n\tx.org/three v1.0.0 // indirect\n)\nreplace x.org/one => ../one\n",
                "x.org/one x.org/two/v2",
            ),
            (
                "pyproject.toml",
                "[project]\nname = \"a\"\ndependencies = [\n  \"Flask[async]>=2\",\n  'rich',\n]\n\
                 [project.optional-dependencies]\ntest = [\"pytest\"]\n[tool.poetry.dependencies]\npython = \"^3\"\nhttpx = \"1\"\n",
                "Flask rich pytest httpx",
            ),
            (
                "pyproject.toml",
                "[project]\nname = \"a\"\ndependencies = [\"rich\"] # no more\n[dependency-groups] # for work\ndev = [\n  \
                 \"black==1\",  # Used by Django's own tools\n  \"mypy[reports]\", # it's ours\n  \
                 { include-group = \"tests\" },\n] # all\ntests = ['pytest']\n[tool.x]\nfind = [\"y\"]\n",
                "rich black mypy pytest",
            ),
            (
                "Pipfile",
                "[[source]]\nname = \"no\"\n[packages]\nflask = \"*\"\n[dev-packages]\n# old = 1\npytest = \"*\"\n",
                "flask pytest",
            ),
            (
                "pyproject.toml",
                "[tool.uv]\ndev-dependencies = [\"ruff>=0.5\"]\n[tool.pdm.dev-dependencies]\ntest = [\"pytest\"]\n",
                "ruff pytest",
            ),
            ("requirements/base.txt", "one==1\n", "one"),
            ("gems.rb", "gem(\"rails\")\ngemspec\n", "rails"),
            ("requirements-dev.txt", "# tools\n-r requirements.txt\nmypy==1.0\n\n", "mypy"),
            (
                "Gemfile",
                "source \"https://example.org\"\ngem \"rails\", \"~> 7\"\n  gem 'puma'\n",
                "rails puma",
            ),
        ] {
            let needs = needs_of(path, text).map(|needs| needs.packages.join(" "));
            assert_eq!(needs.as_deref(), Some(expected), "{path}");
        }
        assert_eq!(needs_of("notes.txt", "mypy"), None);
        assert_eq!(needs_of("docs/requirements/base.md", "mypy"), None);
    }
}
