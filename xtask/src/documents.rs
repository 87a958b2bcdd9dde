//! Checks that what the documents name exists. Owns how a document writes a place in the code: a path from the repository's
//! root in backquotes, and after `::` a function in that file; in a step of a request flow, brackets after it contain functions
//! that the file has or calls. Also checks that ARCHITECTURE.md has a row for every crate, all fields of `System` and no others,
//! and a line for every dependency that says why, that the README has the right number of filters, and that figures
//! which are repeated are those of the tables.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::place::Place;

/// The documents that name places in the code.
const DOCUMENTS: &[&str] =
    &["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs", "installers/README.md"];

/// Dependencies that another one's line explains too: `tauri` covers `tauri-build`.
const FAMILIES: &[&str] = &["tauri-", "tree-sitter-"];

/// The heading of docs/benchmarks.md at which the details begin; what is above sums them up.
const DETAILS: &str = "\n## What is kept out of conversations\n";

/// The first part of a path from the root.
const ROOTS: &[&str] = &[
    "crates/",
    "src-tauri/",
    "ui/",
    "tests/",
    "xtask/",
    "fuzz/",
    "icons/",
    "plugin/",
    "installers/",
    "docs/",
    ".ci/",
];

/// Fails when a document names a file, or a function in a file, that does not exist.
pub(crate) fn check(place: &Place) -> Result<()> {
    let mut missing = Vec::new();
    for document in documents(&place.repo)? {
        let text = std::fs::read_to_string(&document).with_context(|| document.display().to_string())?;
        let name = document.strip_prefix(&place.repo).unwrap_or(&document).display();
        for (line, named) in places(&text) {
            if let Some(why) = absent(&place.repo, &named) {
                missing.push(format!("{name}:{line}: `{named}`: {why}"));
            }
        }
        for (line, file, function) in steps(&text) {
            let source = std::fs::read_to_string(place.repo.join(&file)).unwrap_or_default();
            if !has_call(&source, &function) {
                missing.push(format!("{name}:{line}: {file} neither has nor calls `{function}`"));
            }
        }
    }
    let architecture = read(&place.repo, "ARCHITECTURE.md")?;
    let table = rows(&architecture, "## Crates");
    for name in crates(&place.repo)? {
        let row = table.iter().find(|cells| cells.get(1).is_some_and(|cell| *cell == format!("`{name}`")));
        if row.is_none_or(|cells| cells.len() < 4 || cells[2].is_empty() || cells[3].is_empty()) {
            missing.push(format!("ARCHITECTURE.md: no row says what `{name}` owns and what it doesn't know"));
        }
    }
    let system = read(&place.repo, "crates/system/src/lib.rs")?;
    missing.extend(differing_fields(&architecture, &system));
    let (cargo, npm) = (read(&place.repo, "Cargo.toml")?, read(&place.repo, "ui/package.json")?);
    missing.extend(unexplained(&architecture, &cargo, &npm)?);
    let readme = std::fs::read_to_string(place.repo.join("README.md")).context("README.md")?;
    let filters = toml_files(&place.repo.join("crates/filters/builtin"))?;
    if filter_count(&readme) != Some(filters) {
        missing.push(format!("README.md: {filters} filters are built in; write `{filters} filters`"));
    }
    missing.extend(stale_figures(&readme, &read(&place.repo, "docs/benchmarks.md")?));
    if missing.is_empty() {
        return Ok(());
    }
    bail!("documents name what isn't there; correct the name, or the document:\n{}", missing.join("\n"))
}

fn documents(root: &Path) -> Result<Vec<std::path::PathBuf>> {
    let mut found = Vec::new();
    for name in DOCUMENTS {
        let path = root.join(name);
        if path.is_dir() {
            for entry in std::fs::read_dir(&path)? {
                let path = entry?.path();
                if path.extension().is_some_and(|extension| extension == "md") {
                    found.push(path);
                }
            }
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn read(root: &Path, name: &str) -> Result<String> {
    std::fs::read_to_string(root.join(name)).with_context(|| name.to_owned())
}

/// The fields of `System` that its table in ARCHITECTURE.md doesn't name, and names in it that aren't fields. The ID is what
/// the others are found by, and has no row.
fn differing_fields(architecture: &str, system: &str) -> Vec<String> {
    let table = rows(architecture, "## Systems");
    let named: BTreeSet<&str> =
        table.iter().skip(1).flat_map(|cells| cells[0].split('`').skip(1).step_by(2)).collect();
    let fields: BTreeSet<&str> = system
        .lines()
        .skip_while(|line| !line.starts_with("pub struct System {"))
        .take_while(|line| *line != "}")
        .filter_map(|line| line.strip_prefix("    pub ")?.split_once(": "))
        .map(|(field, _)| field)
        .filter(|field| *field != "id")
        .collect();
    let unknown =
        named.difference(&fields).map(|field| format!("ARCHITECTURE.md: `System` has no field `{field}`"));
    let unnamed = fields
        .difference(&named)
        .map(|field| format!("ARCHITECTURE.md: no row of the table of systems names the field `{field}`"));
    unknown.chain(unnamed).collect()
}

/// The dependencies, in the workspace's `Cargo.toml` and in the window's `package.json`, of which ARCHITECTURE.md doesn't say why.
fn unexplained(architecture: &str, cargo: &str, npm: &str) -> Result<Vec<String>> {
    let table = rows(architecture, "## Dependencies, and why each");
    let named: BTreeSet<&str> =
        table.iter().flat_map(|cells| cells[0].split('`').skip(1).step_by(2)).collect();
    let mut wanted: Vec<String> = cargo
        .lines()
        .skip_while(|line| *line != "[workspace.dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.starts_with('#') && !line.contains("path = "))
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name.to_owned())
        .collect();
    let package: serde_json::Value = serde_json::from_str(npm).context("ui/package.json")?;
    for kind in ["dependencies", "devDependencies"] {
        wanted.extend(package[kind].as_object().into_iter().flatten().map(|(name, _)| name.clone()));
    }
    let is_of_family = |name: &str| {
        FAMILIES.iter().any(|start| name.starts_with(start) && named.contains(start.trim_end_matches('-')))
    };
    wanted.retain(|name| !named.contains(name.as_str()) && !is_of_family(name));
    let told = |name: String| format!("ARCHITECTURE.md: no line says why `{name}` is a dependency");
    Ok(wanted.into_iter().map(told).collect())
}

/// The crates of the product.
fn crates(root: &Path) -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::from(["src-tauri".to_owned()]);
    for entry in std::fs::read_dir(root.join("crates")).context("crates")? {
        let path = entry?.path();
        if path.join("Cargo.toml").exists() {
            names.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    Ok(names)
}

/// The cells of each row of the first table below a heading, its head included.
fn rows<'t>(text: &'t str, heading: &str) -> Vec<Vec<&'t str>> {
    let below = text.lines().skip_while(|line| *line != heading).skip_while(|line| !line.starts_with('|'));
    let table = below.take_while(|line| line.starts_with('|')).filter(|line| !line.starts_with("|---"));
    table.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// The functions in brackets of each step of a flow, with its line and its file: (`watch`), or (`gather` in `…/facts.rs`).
fn steps(text: &str) -> Vec<(usize, String, String)> {
    let mut found = Vec::new();
    let rows =
        text.lines().enumerate().filter(|(_, line)| line.starts_with("| ↓ ") || line.starts_with("| ↑ "));
    for (index, line) in rows {
        let quoted: Vec<&str> = line.split('`').collect();
        let Some(file) = quoted.get(1).map(|place| place.split("::").next().unwrap_or_default()) else {
            continue;
        };
        for at in (3..quoted.len()).step_by(2) {
            let after = quoted.get(at + 1).copied().unwrap_or_default();
            if !quoted[at - 1].ends_with('(') {
                continue;
            }
            let file = match after {
                " in " => quoted.get(at + 2).copied().unwrap_or(file),
                _ if after.starts_with(')') => file,
                _ => continue,
            };
            found.push((index + 1, file.to_owned(), quoted[at].to_owned()));
        }
    }
    found
}

/// Whether a source has a function of this name, or calls one.
fn has_call(source: &str, name: &str) -> bool {
    source.match_indices(name).any(|(at, _)| {
        let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
        !source[..at].ends_with(is_part) && source[at + name.len()..].starts_with(['(', '<'])
    })
}

/// Figures that README.md and the head of docs/benchmarks.md repeat, and that the details below it no longer have. In a row about
/// an agent they must be in the detailed rows of the same agent.
fn stale_figures(readme: &str, benchmarks: &str) -> Vec<String> {
    let (short, details) = benchmarks.split_once(DETAILS).unwrap_or((benchmarks, ""));
    let list = readme.lines().skip_while(|line| *line != "## Figures").skip(1);
    let list = list.take_while(|line| line.is_empty() || line.starts_with(['-', ' ', '|']));
    let everywhere = figures(details);
    let mut stale = Vec::new();
    for (name, line) in
        list.map(|line| ("README.md", line)).chain(short.lines().map(|line| ("docs/benchmarks.md", line)))
    {
        let subject = line.split_inclusive(" |").next().filter(|cell| cell.starts_with("| "));
        let rows = details.lines().filter(|row| subject.is_some_and(|subject| row.starts_with(subject)));
        let rows: BTreeSet<&str> = rows.flat_map(figures).collect();
        let measured = if rows.is_empty() { &everywhere } else { &rows };
        let differing = figures(line).into_iter().filter(|figure| !measured.contains(figure));
        stale.extend(differing.map(|figure| {
            format!("{name}: the details of docs/benchmarks.md don't have the figure {figure}: {line}")
        }));
    }
    stale
}

/// The numbers of a text, as they are written.
fn figures(text: &str) -> BTreeSet<&str> {
    let parts = text.split(|sign: char| !sign.is_ascii_digit() && sign != '.' && sign != ',');
    parts.map(|part| part.trim_matches(['.', ','])).filter(|part| !part.is_empty()).collect()
}

/// How many filters a text says there are: the number before the first `filters`.
fn filter_count(text: &str) -> Option<usize> {
    let before = text.split_once(" filters")?.0;
    before.rsplit(|sign: char| !sign.is_ascii_digit()).next()?.parse().ok()
}

/// How many TOML files are in a folder and below it.
fn toml_files(folder: &Path) -> Result<usize> {
    let mut files = 0;
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        files += match path.is_dir() {
            true => toml_files(&path)?,
            false => usize::from(path.extension().is_some_and(|extension| extension == "toml")),
        };
    }
    Ok(files)
}

/// Every path that a text names, with its line number. Text with a placeholder or a pattern isn't a path.
fn places(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        for quoted in line.split('`').skip(1).step_by(2) {
            let rooted = ROOTS.iter().any(|root| quoted.starts_with(root));
            if rooted && !quoted.contains(['<', '*', '{', ' ', '…', '$']) {
                found.push((index + 1, quoted.to_owned()));
            }
        }
    }
    found
}

/// Why a place does not exist; `None` when it does.
fn absent(root: &Path, named: &str) -> Option<&'static str> {
    let (path, function) = named.split_once("::").map_or((named, None), |(path, rest)| (path, Some(rest)));
    let path = root.join(path);
    if !path.exists() {
        return Some("no such file");
    }
    let function = function?;
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let declared = [format!("fn {function}("), format!("fn {function}<"), format!("function {function}(")];
    let declared = declared.iter().any(|form| text.contains(form.as_str()))
        || text.contains(&format!("function {function}<"))
        || text.contains(&format!("struct {function}"))
        || text.contains(&format!("mod {function}"));
    (!declared).then_some("no such function in that file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_names_in_backquotes_are_places() {
        let text =
            "see `crates/a/src/b.rs::run` and `crates/<room>`\n```\n`crates/no`\n```\n`ui/x.ts` `word`\n";
        let found: Vec<String> =
            places(text).into_iter().map(|(line, named)| format!("{line} {named}")).collect();
        assert_eq!(found, ["1 crates/a/src/b.rs::run", "5 ui/x.ts"]);
    }

    #[test]
    fn a_step_names_functions_that_its_file_has_or_calls() {
        let text = "| ↓ | `a/b.rs::run` | waits (`watch`), asks (`gather` in `a/c.rs`), `other` (see `d`, or not) |\n\
            | ↑ | `a/d.rs` | prints (`print`) |\n| x | `a/e.rs` | (`no`) |\n";
        let found: Vec<String> =
            steps(text).into_iter().map(|(line, file, name)| format!("{line} {file} {name}")).collect();
        assert_eq!(found, ["1 a/b.rs watch", "1 a/c.rs gather", "2 a/d.rs print"]);
        assert!(has_call("fn watch<R>() {}", "watch") && has_call("self.watch(1)", "watch"));
        assert!(!has_call("fn rewatch() {} // watch", "watch"));
    }

    #[test]
    fn the_table_of_systems_names_each_field_and_no_other() {
        let table = "## Systems\n\n| field | who |\n|---|---|\n| `tools`, `verbs` | x |\n| `gone` | y |\n";
        let system = "pub struct Other {\n    pub other: u8,\n}\n\npub struct System {\n    pub id: u8,\n    \
            pub tools: u8,\n    pub verbs: u8,\n    pub files: u8,\n}\n\npub struct Last {\n    pub last: u8,\n}\n";
        assert_eq!(
            differing_fields(table, system),
            [
                "ARCHITECTURE.md: `System` has no field `gone`",
                "ARCHITECTURE.md: no row of the table of systems names the field `files`",
            ]
        );
        // A table that isn't found names none.
        assert_eq!(differing_fields("", system).len(), 3);
    }

    #[test]
    fn each_dependency_has_a_line_that_says_why() {
        let table = "## Dependencies, and why each\n\n| crate | why |\n|---|---|\n| `serde`, `tauri` 2 | data |\n\
            | `vite` (npm) | instead of `url` |\n";
        let cargo = "[workspace.package]\nversion = \"1\"\n\n[workspace.dependencies]\n# None = of these.\n\
            home = { path = \"crates/home\" }\nserde = \"1\"\ntauri-build = \"2\"\nurl = \"2\"\n\n[profile.dev]\ndebug = 1\n";
        let npm = r#"{"name": "x", "dependencies": {"vite": "8"}, "devDependencies": {"vitest": "4"}}"#;
        assert_eq!(
            unexplained(table, cargo, npm).expect("JSON"),
            [
                "ARCHITECTURE.md: no line says why `url` is a dependency",
                "ARCHITECTURE.md: no line says why `vitest` is a dependency",
            ]
        );
        assert_eq!(unexplained("", cargo, "{}").expect("JSON").len(), 3);
    }

    #[test]
    fn a_table_is_read_below_its_heading() {
        let text = "# A\n| no |\n## B\nwords\n\n| a | b |\n|---|---|\n| `x` | y |\n\n| z |\n";
        assert_eq!(rows(text, "## B"), [vec!["a", "b"], vec!["`x`", "y"]]);
        assert!(rows(text, "## C").is_empty());
    }

    #[test]
    fn the_number_of_filters_is_the_one_before_the_word() {
        assert_eq!(
            filter_count("In 13 languages.\n\n142 filters know 7 tools, and 9 filters more"),
            Some(142)
        );
        assert_eq!(filter_count("filters"), None);
    }

    #[test]
    fn repeated_figures_are_those_of_the_details() {
        let readme =
            "In 7 steps.\n\n## Figures\n\n| a day | 0.87 |\n\n- in\n  3,952 bytes, 9.9 ms.\n\n[cli](x) 2.0\n";
        let benchmarks = "| agent | a day |\n|---|---|\n| Heron 1.2 | **0.87** |\n| Swan 1.0 | 0.87 |\n| all? | 0.5 |\n\n\
            ## What is kept out of conversations\n\n3,952 bytes\n\n| Heron 1.2 | 4 → 3 MB, **0.87** |\n| Swan 1.0 | 0.5 |\n";
        let stale: Vec<String> = stale_figures(readme, benchmarks)
            .into_iter()
            .map(|line| line.replace(": the details of docs/benchmarks.md don't have the figure", ""))
            .collect();
        assert_eq!(
            stale,
            ["README.md 9.9:   3,952 bytes, 9.9 ms.", "docs/benchmarks.md 0.87: | Swan 1.0 | 0.87 |"]
        );
        // Without the heading nothing is below it, so each figure is stale.
        assert_eq!(stale_figures("", "| Heron 1.2 | 0.87 |").len(), 2);
    }

    #[test]
    fn a_missing_file_or_function_is_found() {
        let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("..");
        assert_eq!(absent(&root, "xtask/src/documents.rs::places"), None);
        assert_eq!(absent(&root, "xtask/src/documents.rs::nowhere"), Some("no such function in that file"));
        assert_eq!(absent(&root, "xtask/src/nowhere.rs"), Some("no such file"));
    }

    #[test]
    fn the_documents_name_what_is_there() {
        let repo = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("..");
        check(&Place { repo, cache: std::env::temp_dir() }).expect("documents that name what is there");
    }
}
