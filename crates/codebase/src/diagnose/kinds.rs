//! The checkers that are known: one table of what each is called, which files it checks, where a project says that it's checked with
//! it, and where its program is. How each is started is in `checkers`, how its output is read in `parse`.

use std::path::Path;

/// A checker that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Cargo,
    Tsc,
    Eslint,
    Pyright,
    Mypy,
    Ruff,
    Go,
}

/// One of them.
struct Row {
    kind: Kind,
    /// Its name, which is also the program's.
    name: &'static str,
    /// What is run, for display.
    short: &'static str,
    /// The endings of the files that it checks.
    endings: &'static [&'static str],
    /// Files of a folder that it checks, each with what it must contain where it has settings of several programs.
    marks: &'static [(&'static str, &'static str)],
    /// Where a project has its own program.
    own: &'static [&'static str],
    /// Whether an installed one is as good: a linter whose rules are packages of the project needs the project's own.
    is_installed: bool,
}

const NODE: &str = "node_modules/.bin";
const TYPESCRIPT: &[&str] = &["ts", "tsx", "mts", "cts"];
const PYTHON: &[&str] = &["py", "pyi"];
const ENVIRONMENTS: &[&str] = &[".venv/bin", "venv/bin", ".venv/Scripts", "venv/Scripts"];

const TABLE: &[Row] = &[
    Row {
        kind: Kind::Cargo,
        name: "cargo",
        short: "cargo check",
        endings: &["rs"],
        marks: &[("Cargo.toml", "")],
        own: &[],
        is_installed: true,
    },
    Row {
        kind: Kind::Tsc,
        name: "tsc",
        short: "tsc --noEmit",
        endings: TYPESCRIPT,
        marks: &[("tsconfig.json", "")],
        own: &[NODE],
        is_installed: true,
    },
    Row {
        kind: Kind::Eslint,
        name: "eslint",
        short: "eslint",
        endings: &["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"],
        marks: &[
            ("eslint.config.js", ""),
            ("eslint.config.mjs", ""),
            ("eslint.config.cjs", ""),
            ("eslint.config.ts", ""),
            ("eslint.config.mts", ""),
            ("eslint.config.cts", ""),
            (".eslintrc", ""),
            (".eslintrc.js", ""),
            (".eslintrc.cjs", ""),
            (".eslintrc.json", ""),
            (".eslintrc.yaml", ""),
            (".eslintrc.yml", ""),
            ("package.json", "\"eslintConfig\""),
        ],
        own: &[NODE],
        is_installed: false,
    },
    Row {
        kind: Kind::Pyright,
        name: "pyright",
        short: "pyright",
        endings: PYTHON,
        marks: &[("pyrightconfig.json", ""), ("pyproject.toml", "[tool.pyright")],
        own: &[NODE, ".venv/bin", "venv/bin", ".venv/Scripts", "venv/Scripts"],
        is_installed: true,
    },
    Row {
        kind: Kind::Mypy,
        name: "mypy",
        short: "mypy",
        endings: PYTHON,
        marks: &[
            ("mypy.ini", ""),
            (".mypy.ini", ""),
            ("pyproject.toml", "[tool.mypy"),
            ("setup.cfg", "[mypy"),
        ],
        own: ENVIRONMENTS,
        is_installed: true,
    },
    Row {
        kind: Kind::Ruff,
        name: "ruff",
        short: "ruff check",
        endings: PYTHON,
        marks: &[("ruff.toml", ""), (".ruff.toml", ""), ("pyproject.toml", "[tool.ruff")],
        own: ENVIRONMENTS,
        is_installed: true,
    },
    Row {
        kind: Kind::Go,
        name: "go",
        short: "go vet",
        endings: &["go"],
        marks: &[("go.mod", "")],
        own: &[],
        is_installed: true,
    },
];

/// All of them.
pub(crate) const KINDS: &[Kind] =
    &[Kind::Cargo, Kind::Tsc, Kind::Eslint, Kind::Pyright, Kind::Mypy, Kind::Ruff, Kind::Go];

impl Kind {
    /// Its row, which has the place in the table that it has among the kinds.
    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// Its name, which is also the program's.
    pub(crate) fn name(self) -> &'static str {
        self.row().name
    }

    /// What is run, for display.
    pub(super) fn short(self) -> &'static str {
        self.row().short
    }

    /// By its name.
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.name == name).map(|row| row.kind)
    }

    /// Whether it checks files of this language.
    pub(crate) fn checks(self, language: Language) -> bool {
        self.row().endings.iter().any(|ending| language.endings().contains(ending))
    }

    /// What a folder has that it checks, each with what that must contain where it has settings of several programs.
    pub(crate) fn marks(self) -> &'static [(&'static str, &'static str)] {
        self.row().marks
    }

    /// Where a project has its own programs for it.
    pub(super) fn own(self) -> &'static [&'static str] {
        self.row().own
    }

    /// Whether an installed one is as good as the project's own.
    pub(super) fn is_installed(self) -> bool {
        self.row().is_installed
    }
}

/// A language with checkers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Language {
    Rust,
    TypeScript,
    JavaScript,
    Python,
    Go,
}

/// All of them.
pub(crate) const LANGUAGES: &[Language] =
    &[Language::Rust, Language::TypeScript, Language::JavaScript, Language::Python, Language::Go];

impl Language {
    /// Its name in the names of files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::TypeScript => "typescript",
            Self::JavaScript => "javascript",
            Self::Python => "python",
            Self::Go => "go",
        }
    }

    fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Rust => &["rs"],
            Self::TypeScript => TYPESCRIPT,
            Self::JavaScript => &["js", "jsx", "mjs", "cjs"],
            Self::Python => PYTHON,
            Self::Go => &["go"],
        }
    }

    /// The one of a file.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        LANGUAGES.iter().copied().find(|language| language.endings().contains(&ending))
    }

    /// The names of files by which a folder may be checked in it.
    pub(crate) fn marks(self) -> impl Iterator<Item = &'static str> {
        let kinds = KINDS.iter().filter(move |kind| kind.checks(self));
        kinds.flat_map(|kind| kind.marks().iter().map(|(name, _)| *name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_row_and_each_language_its_checkers() {
        assert_eq!(KINDS.len(), TABLE.len());
        for kind in KINDS {
            assert_eq!(kind.row().kind, *kind);
            assert_eq!(Kind::by_name(kind.name()), Some(*kind));
            assert!(kind.short().starts_with(kind.name()));
        }
        assert_eq!(Kind::by_name("dotnet"), None);
        for (path, language, kinds) in [
            ("a/b.rs", Some(Language::Rust), &[Kind::Cargo][..]),
            ("b.mts", Some(Language::TypeScript), &[Kind::Tsc, Kind::Eslint]),
            ("b.jsx", Some(Language::JavaScript), &[Kind::Eslint]),
            ("b.pyi", Some(Language::Python), &[Kind::Pyright, Kind::Mypy, Kind::Ruff]),
            ("b_test.go", Some(Language::Go), &[Kind::Go]),
            ("b.cs", None, &[]),
            ("Makefile", None, &[]),
        ] {
            assert_eq!(Language::of(Path::new(path)), language, "{path}");
            let checks = |kind: &&Kind| language.is_some_and(|language| kind.checks(language));
            let found: Vec<Kind> = KINDS.iter().filter(checks).copied().collect();
            assert_eq!(found, kinds, "{path}");
        }
        assert!(Language::JavaScript.marks().any(|name| name == ".eslintrc.json"));
        assert!(Language::Python.marks().all(|name| name != "tsconfig.json"));
    }
}
