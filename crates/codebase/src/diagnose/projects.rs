//! Finds the projects within a project: those that a `tsconfig.json` without files of its own refers to, and the folders below
//! one with settings of their own. Reads settings, starts nothing, and knows no checker.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};

use code::resolve::parse_lenient_json;
use serde_json::Value;

/// Larger files of settings are not read.
pub(super) const MAX_FILE: u64 = 1024 * 1024;
/// More settings of one solution aren't looked at.
const MOST_PROJECTS: usize = 24;
/// How deep, and among how many, the folders below are searched.
const LEVELS: usize = 3;
const MOST_FOLDERS: usize = 2_000;
/// The number that is named.
const NAMED: usize = 8;

/// The settings that are checked for a folder with a `tsconfig.json`, relative to it. `None` is the folder's own. A solution, whose
/// `files` or `include` is empty, has no files to check; its references do.
pub(super) fn typescript_configs(folder: &Path) -> Vec<Option<String>> {
    let own = folder.join("tsconfig.json");
    let Some(real) = dunce::canonicalize(folder).ok() else { return vec![None] };
    let (mut seen, mut out) = (HashSet::new(), Vec::new());
    let mut next = VecDeque::from([own]);
    while let Some(config) = next.pop_front() {
        let config = dunce::canonicalize(&config).ok().filter(|config| config.starts_with(&real));
        let Some(config) = config.filter(|config| seen.insert(config.clone()) && seen.len() <= MOST_PROJECTS)
        else {
            continue;
        };
        let json = home::read_regular_text(&config, MAX_FILE).ok().as_deref().and_then(parse_lenient_json);
        match json.filter(is_solution).map(|json| references(&json)).filter(|all| !all.is_empty()) {
            Some(all) => next.extend(all.into_iter().map(|reference| {
                let place = config.parent().unwrap_or(&real).join(reference);
                if place.is_dir() { place.join("tsconfig.json") } else { place }
            })),
            None => out.extend(config.strip_prefix(&real).ok().and_then(Path::to_str).map(str::to_owned)),
        }
    }
    // Its own are found without being named.
    let is_own = |name: &String| name == "tsconfig.json";
    if out.is_empty() || out.iter().all(is_own) { vec![None] } else { out.into_iter().map(Some).collect() }
}

/// Whether the settings of mypy in a folder name what it checks; it's told to check the whole folder otherwise.
pub(super) fn names_files_for_mypy(folder: &Path) -> bool {
    let settings = [
        ("mypy.ini", "[mypy]"),
        (".mypy.ini", "[mypy]"),
        ("pyproject.toml", "[tool.mypy]"),
        ("setup.cfg", "[mypy]"),
    ];
    // It reads the first of them that is its own or has a part for it, and no other.
    let found = settings.iter().find_map(|(name, section)| {
        let text = home::read_regular_text(&folder.join(name), MAX_FILE).ok()?;
        let is_read = name.contains("mypy") || text.contains(section.trim_end_matches(']'));
        is_read.then_some((text, *section))
    });
    found.is_some_and(|(text, section)| {
        let lines = text.lines().map(str::trim).skip_while(|line| *line != section).skip(1);
        let keys = lines.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once('='));
        keys.map(|(key, _)| key.trim()).any(|key| matches!(key, "files" | "packages" | "modules"))
    })
}

/// What the scripts of a package have eslint look at, where old settings leave that to its command: it looks at `.js` alone
/// otherwise, and finds nothing in files that it never read. `.ts,.tsx`, or nothing.
pub(super) fn endings_for_eslint(folder: &Path) -> Option<String> {
    let has_new = |ending: &&str| folder.join(format!("eslint.config.{ending}")).is_file();
    if ["js", "mjs", "cjs", "ts", "mts", "cts"].iter().any(has_new) {
        return None;
    }
    let text = home::read_regular_text(&folder.join("package.json"), MAX_FILE).ok()?;
    let json = parse_lenient_json(&text)?;
    let scripts = json.get("scripts")?.as_object()?.values().filter_map(Value::as_str);
    let is_list = |word: &&str| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | ','))
    };
    scripts.filter(|script| script.contains("eslint")).find_map(|script| {
        let words: Vec<&str> = script.split([' ', '=']).collect();
        let named =
            words.windows(2).filter(|two| two[0] == "--ext").map(|two| two[1].trim_matches(['"', '\'', ',']));
        let named: Vec<&str> = named.filter(is_list).collect();
        (!named.is_empty()).then(|| named.join(","))
    })
}

fn is_solution(json: &Value) -> bool {
    let empty = |key: &str| json.get(key).and_then(Value::as_array).map(Vec::is_empty);
    matches!((empty("files"), empty("include")), (Some(true), None | Some(true)) | (None, Some(true)))
}

fn references(json: &Value) -> Vec<String> {
    let all = json.get("references").and_then(Value::as_array).into_iter().flatten();
    all.filter_map(|one| one.get("path")?.as_str().map(str::to_owned)).collect()
}

/// The folders below `start` that `kind_of` recognises, each with its kind; nearest first. Folders inside one of them
/// aren't searched.
pub(super) fn below<K>(start: &Path, kind_of: impl Fn(&Path) -> Option<K>) -> Vec<(K, PathBuf)> {
    let (mut out, mut level, mut seen) = (Vec::new(), vec![start.to_owned()], 0);
    for _ in 0..LEVELS {
        let mut next = Vec::new();
        for folder in &level {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let mut inside: Vec<PathBuf> = entries
                .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
                .filter(|entry| !is_foreign(&entry.file_name().to_string_lossy()))
                .map(|entry| entry.path())
                .collect();
            inside.sort();
            for folder in inside {
                seen += 1;
                if seen > MOST_FOLDERS || out.len() == NAMED {
                    return out;
                }
                match kind_of(&folder) {
                    Some(kind) => out.push((kind, folder)),
                    None => next.push(folder),
                }
            }
        }
        level = next;
    }
    out
}

/// Folders with code of others, with what was built, or with samples for tests.
fn is_foreign(name: &str) -> bool {
    let built = ["node_modules", "target", "dist", "build", "vendor", "venv"];
    let samples = ["fixtures", "__fixtures__", "testdata", "snapshots"];
    name.starts_with('.') || built.contains(&name) || samples.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    }

    #[test]
    fn a_solution_is_checked_through_its_references() {
        let dir = tempfile::tempdir().unwrap();
        let root = dunce::canonicalize(dir.path()).unwrap();
        let own = |text: &str| {
            write(&root, &[("tsconfig.json", text)]);
            typescript_configs(&root)
        };
        write(
            &root,
            &[
                ("tsconfig.app.json", "{\"include\": [\"src\"]}"),
                ("tsconfig.node.json", "{}"),
                (
                    "packages/a/tsconfig.json",
                    "{\"files\": [], \"references\": [{\"path\": \"./lib.json\"}, {\"path\": \"../..\"}]}",
                ),
                ("packages/a/lib.json", "{}"),
            ],
        );
        let solution = "{ // the tool's template\n \"files\": [], \"references\": [{\"path\": \"./tsconfig.app.json\"}, {\"path\": \"packages/a\"}, \
                        {\"path\": \"../elsewhere\"}, {\"path\": \"gone.json\"}, 3,]}";
        assert_eq!(
            own(solution),
            [Some("tsconfig.app.json".to_owned()), Some("packages/a/lib.json".to_owned())]
        );
        for text in [
            "{}",
            "{\"references\": [{\"path\": \"./tsconfig.app.json\"}]}",
            "{\"files\": [], \"include\": [\"src\"], \"references\": [{\"path\": \"./tsconfig.app.json\"}]}",
            "{\"files\": []}",
            "not JSON",
        ] {
            assert_eq!(own(text), [None], "{text}");
        }
    }

    #[test]
    fn settings_of_mypy_may_name_its_files() {
        for (name, text, expected) in [
            ("mypy.ini", "[mypy]\nstrict = True\nfiles = src, tests\n", true),
            (".mypy.ini", "[mypy-foo.*]\nfiles = x\n\n[mypy]\nstrict = True\n", false),
            ("pyproject.toml", "[tool.ruff]\n\n[tool.mypy]\npackages=[\"shop\"]\n", true),
            ("pyproject.toml", "[tool.mypy]\nstrict = true\n\n[tool.other]\nfiles = []\n", false),
            ("setup.cfg", "[mypy]\nmodules = shop\n", true),
            ("tox.ini", "[mypy]\nfiles = src\n", false),
        ] {
            let dir = tempfile::tempdir().unwrap();
            write(dir.path(), &[(name, text)]);
            assert_eq!(names_files_for_mypy(dir.path()), expected, "{name} {text}");
        }
        // One is read and the others aren't.
        for (first, expected) in [("[tool.mypy]\nstrict = true\n", false), ("[tool.other]\n", true)] {
            let dir = tempfile::tempdir().unwrap();
            write(dir.path(), &[("pyproject.toml", first), ("setup.cfg", "[mypy]\nfiles = src\n")]);
            assert_eq!(names_files_for_mypy(dir.path()), expected, "{first}");
        }
    }

    #[test]
    fn scripts_name_eslints_files_if_settings_do_not() {
        let scripts =
            |lint: &str| format!("{{\"scripts\": {{\"build\": \"tsc --ext .x\", \"lint\": \"{lint}\"}}}}");
        for (name, lint, expected) in [
            ("a", "eslint --ext .ts,.tsx src", Some(".ts,.tsx")),
            ("b", "eslint . --ext=.js --ext '.ts' && tsc", Some(".js,.ts")),
            ("c", "eslint src", None),
            // An ending without letters would be refused.
            ("f", "eslint --ext '.js, .jsx' src", Some(".js")),
            ("d", "eslint --ext $ENDINGS .", None),
            ("e", "eslint --ext", None),
            // New settings say it themselves.
            ("new", "eslint --ext .ts .", None),
        ] {
            let dir = tempfile::tempdir().unwrap();
            write(dir.path(), &[("package.json", &scripts(lint))]);
            if name == "new" {
                write(dir.path(), &[("eslint.config.mjs", "")]);
            }
            assert_eq!(endings_for_eslint(dir.path()).as_deref(), expected, "{lint}");
        }
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(endings_for_eslint(dir.path()), None);
    }

    #[test]
    fn folders_below_are_named_nearest_first_and_not_those_of_others() {
        let dir = tempfile::tempdir().unwrap();
        write(
            dir.path(),
            &[
                ("packages/b/tsconfig.json", "{}"),
                ("packages/a/tsconfig.json", "{}"),
                ("packages/a/inner/tsconfig.json", "{}"),
                ("web/node_modules/x/tsconfig.json", "{}"),
                ("tool/ruff.toml", ""),
                ("a/b/c/d/tsconfig.json", "{}"),
            ],
        );
        let named = |marks: &[&str]| {
            let kind_of = |folder: &Path| {
                marks.iter().find(|mark| folder.join(mark).is_file()).map(|mark| (*mark).to_owned())
            };
            let all = below(dir.path(), kind_of);
            let inside = |path: &Path| path.strip_prefix(dir.path()).unwrap().to_string_lossy().into_owned();
            all.iter().map(|(kind, path)| (kind.clone(), inside(path))).collect::<Vec<_>>()
        };
        let [a, b] = ["packages/a", "packages/b"].map(|path| ("tsconfig.json".to_owned(), path.to_owned()));
        let tool = ("ruff.toml".to_owned(), "tool".to_owned());
        assert_eq!(named(&["tsconfig.json", "ruff.toml"]), [tool, a.clone(), b.clone()]);
        assert_eq!(named(&["tsconfig.json"]), [a, b]);
        assert_eq!(named(&[]), []);
    }
}
