//! Detects a project's checkers from its own files, if the program is installed. Starts nothing.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use home::Os;

use super::kinds::{KINDS, Kind, Language};
use super::projects::{MAX_FILE, below, endings_for_eslint, names_files_for_mypy, typescript_configs};
use crate::index::IndexLocation;

/// A checker of a project, as it would be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Checker {
    pub(crate) kind: Kind,
    /// The program's whole path.
    pub(crate) program: PathBuf,
    /// Where it's started.
    pub(crate) folder: PathBuf,
    /// The settings it's given, relative to the folder; `None` is the folder's own.
    pub(crate) config: Option<String>,
}

impl Checker {
    /// What its results are stored under: its name, the folder within the project, the settings it was given.
    pub(crate) fn key(&self, root: &Path) -> String {
        let inside = self.folder.strip_prefix(root).unwrap_or(Path::new("")).to_string_lossy();
        match &self.config {
            Some(config) => format!("{} {inside} {config}", self.kind.name()),
            None => format!("{} {inside}", self.kind.name()),
        }
    }

    /// Its fixed words. They change no file of the project, ask no network and ask for lines that can be read.
    pub(crate) fn words(&self, place: &IndexLocation) -> Vec<OsString> {
        let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let beside = place.db.with_file_name("check");
        match self.kind {
            // A separate build folder: the project's is locked while an agent builds, and the agent would wait for the checker.
            Kind::Cargo => {
                // If the root is a package itself, only that one would be checked otherwise.
                let mut out = words(&[
                    "check",
                    "--frozen",
                    "--workspace",
                    "--all-targets",
                    "--message-format=json",
                    "--target-dir",
                ]);
                out.push(beside.join("target").into());
                out
            }
            // What it keeps to be quick next time would be written into the project otherwise.
            Kind::Tsc => {
                let mut out = words(&["--noEmit", "--pretty", "false", "--incremental", "--tsBuildInfoFile"]);
                out.push(self.kept_in(&beside, "tsbuildinfo").into());
                if let Some(config) = &self.config {
                    out.extend(["-p".into(), config.into()]);
                }
                out
            }
            Kind::Eslint => {
                let mut out = words(&["--format", "json", "--no-error-on-unmatched-pattern"]);
                let endings = endings_for_eslint(&self.folder);
                out.extend(endings.map(|endings| OsString::from(format!("--ext={endings}"))));
                out.push(".".into());
                out
            }
            Kind::Pyright => words(&["--outputjson"]),
            Kind::Mypy => {
                // Settings can say that it fetches types, that its lines are broken and that it keeps what it knows in the project.
                let mut out = words(&[
                    "--no-install-types",
                    "--interactive",
                    "--no-pretty",
                    "--no-color-output",
                    "--no-error-summary",
                    "--show-error-codes",
                    "--show-column-numbers",
                    "--cache-dir",
                ]);
                out.push(self.kept_in(&beside, "mypy").into());
                if !names_files_for_mypy(&self.folder) {
                    out.push(".".into());
                }
                out
            }
            // Settings can say that it mends what it finds.
            Kind::Ruff => words(&["check", "--no-fix", "--no-cache", "--output-format=json", "."]),
            // The user's flags may let it write into `go.mod`. It uses a folder `vendor` where there is one.
            Kind::Go => {
                let mut up = self.folder.ancestors().take_while(|up| up.starts_with(&place.root));
                let is_vendored = up.any(|up| up.join("vendor/modules.txt").is_file());
                words(if is_vendored { &["vet", "./..."][..] } else { &["vet", "-mod=readonly", "./..."] })
            }
        }
    }

    /// Where it keeps what makes it quick next time: another place for each folder and each settings.
    fn kept_in(&self, beside: &Path, ending: &str) -> PathBuf {
        let mut name = blake3::Hasher::new();
        name.update(self.folder.as_os_str().as_encoded_bytes());
        if let Some(config) = &self.config {
            name.update(b"\0").update(config.as_bytes());
        }
        let name = name.finalize().to_hex();
        beside.join(format!("{}.{ending}", &name[..16]))
    }

    /// The equivalent command line, for permission rules and for typing.
    pub(crate) fn line(&self, place: &IndexLocation) -> String {
        let first = match self.program.strip_prefix(&self.folder) {
            Ok(own) => own.to_string_lossy().into_owned(),
            Err(_) if self.program.starts_with(&place.root) => self.program.to_string_lossy().into_owned(),
            Err(_) => self.kind.name().to_owned(),
        };
        let rest = self.words(place);
        let rest = rest.iter().map(|word| word.to_string_lossy().into_owned());
        shell::join_quoted(&std::iter::once(first).chain(rest).collect::<Vec<_>>())
    }

    /// The command's short form, for display.
    pub(crate) fn short(&self) -> String {
        let short = self.kind.short();
        self.config.as_ref().map_or_else(|| short.to_owned(), |config| format!("{short} -p {config}"))
    }
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) checkers: Vec<Checker>,
    /// What the project is checked with, but isn't on this computer.
    pub(crate) missing: Vec<Kind>,
    /// Folders below one that was asked for, with a checker that only knows them.
    pub(crate) below: Vec<(Kind, PathBuf)>,
}

/// The checkers for a file or a folder of the project: each where the nearest folder above is marked.
pub(crate) fn find(root: &Path, at: &Path, search: Option<&OsString>, os: Os) -> Found {
    let language = if at.is_dir() { None } else { Language::of(at) };
    let start = if at.is_dir() { at } else { at.parent().unwrap_or(root) };
    let mut out = Found::default();
    for kind in KINDS.iter().copied() {
        if !at.is_dir() && !language.is_some_and(|language| kind.checks(language)) {
            continue;
        }
        let Some(folder) = marked(root, start, kind) else { continue };
        match program(root, &folder, kind, search, os) {
            Some(program) => {
                let configs = if kind == Kind::Tsc { typescript_configs(&folder) } else { vec![None] };
                out.checkers.extend(configs.into_iter().map(|config| Checker {
                    kind,
                    program: program.clone(),
                    folder: folder.clone(),
                    config,
                }));
            }
            None => out.missing.push(kind),
        }
    }
    if at.is_dir() {
        let known: Vec<Kind> =
            out.checkers.iter().map(|one| one.kind).chain(out.missing.iter().copied()).collect();
        let unknown = || KINDS.iter().copied().filter(|kind| !known.contains(kind));
        out.below = below(at, |folder| unknown().find(|kind| is_marked(folder, *kind)));
    }
    out
}

/// The nearest marked folder, from `start` up to the project's.
fn marked(root: &Path, start: &Path, kind: Kind) -> Option<PathBuf> {
    let up: Vec<&Path> = start.ancestors().take_while(|folder| folder.starts_with(root)).collect();
    let mut marked = up.iter().copied().filter(|folder| is_marked(folder, kind));
    let nearest = marked.next()?;
    if kind == Kind::Eslint {
        // Old settings in a folder of a package add to the package's own.
        let package = std::iter::once(nearest).chain(marked).find(|up| up.join("package.json").is_file());
        return Some(package.unwrap_or(nearest).to_owned());
    }
    if kind != Kind::Cargo {
        return Some(nearest.to_owned());
    }
    // A package is checked with those that use it.
    let workspace = |folder: &&Path| {
        home::read_regular_text(&folder.join("Cargo.toml"), MAX_FILE)
            .is_ok_and(|text| text.lines().any(|line| line.trim_start().starts_with("[workspace")))
    };
    Some(
        up.iter()
            .copied()
            .filter(|folder| nearest.starts_with(folder))
            .find(workspace)
            .unwrap_or(nearest)
            .into(),
    )
}

/// Whether a folder has settings for it.
fn is_marked(folder: &Path, kind: Kind) -> bool {
    kind.marks().iter().any(|(name, part)| {
        let path = folder.join(name);
        if part.is_empty() {
            return path.is_file();
        }
        home::read_regular_text(&path, MAX_FILE).is_ok_and(|text| text.contains(*part))
    })
}

/// The program: the project's own, nearest first, else the one that is installed. What the project has on the search path
/// counts as the project's own and not as installed.
fn program(root: &Path, folder: &Path, kind: Kind, search: Option<&OsString>, os: Os) -> Option<PathBuf> {
    let endings: &[&str] = if os == Os::Windows { &[".exe", ".cmd"] } else { &[""] };
    let in_folder = |folder: PathBuf| {
        endings
            .iter()
            .map(|ending| folder.join(format!("{}{ending}", kind.name())))
            .find(|path| is_program(path))
    };
    let own = folder
        .ancestors()
        .take_while(|up| up.starts_with(root))
        .flat_map(|up| kind.own().iter().map(move |own| up.join(own)))
        .find_map(&in_folder);
    let search = search.filter(|_| kind.is_installed());
    own.or_else(|| installed_folders(root, search?).find_map(in_folder))
}

/// The folders of a search path outside the project, wherever links lead.
pub(crate) fn installed_folders(root: &Path, search: &OsString) -> impl Iterator<Item = PathBuf> {
    std::env::split_paths(search)
        .filter(|folder| {
            folder.is_absolute() && dunce::canonicalize(folder).is_ok_and(|real| !real.starts_with(root))
        })
        .collect::<Vec<_>>()
        .into_iter()
}

/// Whether a path is a program that can be started.
pub(crate) fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    return path.metadata().is_ok_and(|meta| {
        meta.is_file() && std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o111 != 0
    });
    #[cfg(not(unix))]
    path.is_file()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn write(path: &Path, text: &str, mode: u32) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_checker_needs_its_project_files_and_its_program() {
        let dir = tempfile::tempdir().unwrap();
        let (root, bin) = (dir.path().join("p"), dir.path().join("bin"));
        for name in ["cargo", "tsc", "ruff"] {
            write(&bin.join(name), "", 0o755);
        }
        write(&root.join("Cargo.toml"), "[workspace]\n", 0o644);
        write(&root.join("a/Cargo.toml"), "[package]\n", 0o644);
        write(&root.join("a/src/lib.rs"), "", 0o644);
        write(&root.join("web/tsconfig.json"), "{}", 0o644);
        write(&root.join("web/x.ts"), "", 0o644);
        write(&root.join("pyproject.toml"), "[tool.ruff]\n[tool.pyright]\n", 0o644);
        write(&root.join("tool.py"), "", 0o644);
        write(&root.join("notes.md"), "", 0o644);
        // A program of the project, and one that only pretends to be installed.
        write(&root.join("web/node_modules/.bin/tsc"), "", 0o755);
        write(&root.join("tools/pyright"), "", 0o755);
        let linked = dir.path().join("linked");
        std::os::unix::fs::symlink(root.join("tools"), &linked).unwrap();
        let search =
            std::env::join_paths([root.join("tools"), "relative".into(), linked, bin.clone()]).unwrap();
        let of = |path: &str| find(&root, &root.join(path), Some(&search), Os::Linux);
        let names = |found: &Found| -> Vec<(Kind, PathBuf, PathBuf)> {
            found.checkers.iter().map(|one| (one.kind, one.program.clone(), one.folder.clone())).collect()
        };
        assert_eq!(names(&of("a/src/lib.rs")), [(Kind::Cargo, bin.join("cargo"), root.clone())]);
        assert_eq!(
            names(&of("web/x.ts")),
            [(Kind::Tsc, root.join("web/node_modules/.bin/tsc"), root.join("web"))]
        );
        let python = of("tool.py");
        assert_eq!(names(&python), [(Kind::Ruff, bin.join("ruff"), root.clone())]);
        assert_eq!(python.missing, [Kind::Pyright]);
        assert_eq!(names(&of("notes.md")), []);
        let kinds = |found: Found| found.checkers.iter().map(|one| one.kind).collect::<Vec<_>>();
        assert_eq!(kinds(of("")), [Kind::Cargo, Kind::Ruff]);
        // Without a search path only the project's own are there.
        assert_eq!(kinds(find(&root, &root.join("web"), None, Os::Linux)), [Kind::Tsc]);
    }

    #[test]
    fn linters_and_type_checkers_are_recognised_by_old_and_new_settings() {
        for (mark, text, file, program, expected) in [
            ("eslint.config.mjs", "", "src/a.ts", "node_modules/.bin/eslint", Some((Kind::Eslint, ""))),
            (".eslintrc.json", "{}", "src/a.js", "node_modules/.bin/eslint", Some((Kind::Eslint, ""))),
            ("web/.eslintrc", "", "web/a.jsx", "node_modules/.bin/eslint", Some((Kind::Eslint, "web"))),
            (
                "package.json",
                "{\"eslintConfig\": {}}",
                "a.cjs",
                "node_modules/.bin/eslint",
                Some((Kind::Eslint, "")),
            ),
            ("package.json", "{}", "a.cjs", "node_modules/.bin/eslint", None),
            ("eslint.config.js", "", "a.py", "node_modules/.bin/eslint", None),
            // Its rules are packages of the project, and so is the linter; nothing is fetched.
            ("eslint.config.js", "", "a.ts", "../bin/eslint", None),
            ("mypy.ini", "", "a/b.py", ".venv/bin/mypy", Some((Kind::Mypy, ""))),
            ("setup.cfg", "[metadata]\n[mypy-foo.*]\n", "b.pyi", "../bin/mypy", Some((Kind::Mypy, ""))),
            ("pyproject.toml", "[[tool.mypy.overrides]]\n", "b.py", "../bin/mypy", Some((Kind::Mypy, ""))),
            ("setup.cfg", "[metadata]\n", "b.py", "../bin/mypy", None),
            ("go.mod", "module m\n", "cmd/a.go", "../bin/go", Some((Kind::Go, ""))),
            ("tool/go.mod", "module m\n", "tool/cmd/a.go", "../bin/go", Some((Kind::Go, "tool"))),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let root = dir.path().join("p");
            write(&root.join(mark), text, 0o644);
            write(&root.join(file), "", 0o644);
            write(&root.join("../bin/none"), "", 0o644);
            write(&home::without_dots(&root.join(program)), "", 0o755);
            let search = dir.path().join("bin").into_os_string();
            let found = find(&root, &root.join(file), Some(&search), Os::Linux);
            let seen = found.checkers.first().map(|one| (one.kind, one.folder.clone()));
            let expected = expected.map(|(kind, folder)| (kind, home::without_dots(&root.join(folder))));
            assert_eq!(
                (seen, found.checkers.len()),
                (expected.clone(), expected.iter().count()),
                "{mark} {file}"
            );
        }
        // Old settings in a folder add to those of its package, which is checked as a whole.
        let dir = tempfile::tempdir().unwrap();
        for (path, mode) in [
            ("package.json", 0o644),
            (".eslintrc.json", 0o644),
            ("test/.eslintrc.json", 0o644),
            ("test/a.js", 0o644),
            ("node_modules/.bin/eslint", 0o755),
        ] {
            write(&dir.path().join(path), "{}", mode);
        }
        let found = find(dir.path(), &dir.path().join("test/a.js"), None, Os::Linux);
        assert_eq!(found.checkers[0].folder, dir.path());
    }

    #[test]
    fn checker_arguments_are_fixed_and_change_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let project = home::Project::at(dir.path()).unwrap();
        let place = IndexLocation::new(&home::Home::at(dir.path().join("data")), &project);
        let line = |kind: Kind, program: PathBuf| {
            Checker { kind, program, folder: place.root.clone(), config: None }.line(&place)
        };
        let cargo = line(Kind::Cargo, "/usr/bin/cargo".into());
        assert!(
            cargo.starts_with(
                "cargo check --frozen --workspace --all-targets --message-format=json --target-dir "
            ),
            "{cargo}"
        );
        let tsc = line(Kind::Tsc, place.root.join("node_modules/.bin/tsc"));
        assert!(
            tsc.starts_with("node_modules/.bin/tsc --noEmit --pretty false --incremental --tsBuildInfoFile "),
            "{tsc}"
        );
        assert!(tsc.contains("data/projects/"), "{tsc}");
        let ruff = line(Kind::Ruff, "/usr/bin/ruff".into());
        assert_eq!(ruff, "ruff check --no-fix --no-cache --output-format=json .");
        assert_eq!(line(Kind::Pyright, "/usr/bin/pyright".into()), "pyright --outputjson");
        let eslint = || line(Kind::Eslint, place.root.join("node_modules/.bin/eslint"));
        assert_eq!(eslint(), "node_modules/.bin/eslint --format json --no-error-on-unmatched-pattern .");
        write(&place.root.join("package.json"), "{\"scripts\": {\"lint\": \"eslint --ext ts .\"}}", 0o644);
        assert!(eslint().ends_with("-pattern --ext=ts ."), "{}", eslint());
        let mypy = || line(Kind::Mypy, "/usr/bin/mypy".into());
        assert!(mypy().starts_with("mypy --no-install-types --interactive --no-pretty "), "{}", mypy());
        assert!(mypy().contains("data/projects/") && mypy().ends_with(".mypy ."), "{}", mypy());
        // Whose settings name the files is asked for those.
        write(&place.root.join("mypy.ini"), "[mypy]\nfiles = src\n", 0o644);
        assert!(mypy().ends_with(".mypy"), "{}", mypy());
        let go = || line(Kind::Go, "/usr/bin/go".into());
        assert_eq!(go(), "go vet -mod=readonly ./...");
        write(&place.root.join("vendor/modules.txt"), "", 0o644);
        assert_eq!(go(), "go vet ./...");
    }
}
