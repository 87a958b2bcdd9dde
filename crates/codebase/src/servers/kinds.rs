//! The table of language servers: how each is started, and when it has read the project. Starts nothing.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use home::Os;
use serde_json::{Value, json};

/// When a server's answers are complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ready {
    /// Its answers are complete from the start.
    AtOnce,
    /// It reports a quiescent status.
    Status,
    /// It logs how many files it found.
    Found,
}

/// A kind of language server.
#[derive(Debug)]
pub(super) struct Kind {
    /// Its program, without an extension.
    pub(super) name: &'static str,
    /// The program's arguments.
    pub(super) words: &'static [&'static str],
    /// The index's languages with their identifiers in the protocol.
    pub(super) languages: &'static [(&'static str, &'static str)],
    /// When its answers are complete.
    pub(super) ready: Ready,
    /// Files of which the project must have one; empty if none is needed.
    pub(super) marks: &'static [&'static str],
    /// Files with which a project decides what the server runs, whatever it is told: there it isn't started.
    pub(super) own_settings: &'static [&'static str],
}

/// All of them.
pub(super) const KINDS: &[Kind] = &[
    Kind {
        name: "rust-analyzer",
        words: &[],
        languages: &[("rust", "rust")],
        ready: Ready::Status,
        marks: &["Cargo.toml"],
        own_settings: &["rust-analyzer.toml", ".rust-analyzer.toml"],
    },
    Kind {
        name: "gopls",
        words: &[],
        languages: &[("go", "go")],
        ready: Ready::AtOnce,
        marks: &["go.mod", "go.work"],
        own_settings: &[],
    },
    Kind {
        name: "pyright-langserver",
        words: &["--stdio"],
        languages: &[("python", "python")],
        ready: Ready::Found,
        marks: &[],
        own_settings: &[],
    },
    Kind {
        name: "typescript-language-server",
        words: &["--stdio"],
        languages: &[("typescript", "typescript"), ("tsx", "typescriptreact"), ("javascript", "javascript")],
        ready: Ready::AtOnce,
        marks: &["tsconfig.json", "jsconfig.json", "package.json"],
        own_settings: &[],
    },
    // A background index would be written into the project.
    Kind {
        name: "clangd",
        words: &["--background-index=false"],
        languages: &[("c", "c"), ("cpp", "cpp")],
        ready: Ready::AtOnce,
        marks: &["compile_commands.json", "compile_flags.txt", ".clangd"],
        own_settings: &[],
    },
];

/// The kind of this name.
pub(super) fn by_name(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}

impl Kind {
    /// A language's identifier in the protocol, if this server knows the language.
    pub(super) fn speaks(&self, language: &str) -> Option<&'static str> {
        self.languages.iter().find(|(own, _)| *own == language).map(|(_, called)| *called)
    }

    /// Its initial options: run nothing from the project, check nothing unasked.
    pub(super) fn options(&self) -> Value {
        match self.name {
            "rust-analyzer" => json!({
                "checkOnSave": false,
                "cachePriming": {"enable": false},
                "procMacro": {"enable": false},
                "cargo": {"buildScripts": {"enable": false}, "extraEnv": {"CARGO_NET_OFFLINE": "true"}},
                "files": {"watcher": "client"},
            }),
            "typescript-language-server" => {
                json!({"disableAutomaticTypingAcquisition": true, "tsserver": {"useSyntaxServer": "never"}})
            }
            _ => Value::Null,
        }
    }
}

/// A language server as it would be started for a project.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    pub(super) kind: &'static Kind,
    /// The program's full path.
    pub(super) program: PathBuf,
}

impl Server {
    /// The equivalent command line, to be checked against rules.
    pub(super) fn line(&self) -> String {
        let words = std::iter::once(self.kind.name).chain(self.kind.words.iter().copied());
        shell::join_quoted(&words.map(str::to_owned).collect::<Vec<_>>())
    }
}

/// The installed servers that fit a project. What the project itself puts on the search path isn't installed.
pub(super) fn find(root: &Path, search: Option<&OsString>, os: Os) -> Vec<Server> {
    let Some(search) = search else { return Vec::new() };
    let endings: &[&str] = if os == Os::Windows { &[".exe", ".cmd"] } else { &[""] };
    let folders: Vec<PathBuf> = crate::diagnose::installed_folders(root, search).collect();
    KINDS
        .iter()
        .filter(|kind| kind.marks.is_empty() || kind.marks.iter().any(|mark| root.join(mark).is_file()))
        .filter(|kind| !kind.own_settings.iter().any(|file| root.join(file).symlink_metadata().is_ok()))
        .filter_map(|kind| {
            let all = folders.iter().flat_map(|folder| {
                endings.iter().map(move |ending| folder.join(format!("{}{ending}", kind.name)))
            });
            let mut programs = all.filter(|path| crate::diagnose::is_program(path)).peekable();
            let first = programs.peek().cloned()?;
            let program = programs.find(|path| !is_rustups(path)).unwrap_or(first);
            Some(Server { kind, program })
        })
        .collect()
}

/// Whether a program is rustup under another name. It is there for every tool, installed or not.
fn is_rustups(program: &Path) -> bool {
    let rustup = program.with_file_name(format!("rustup{}", std::env::consts::EXE_SUFFIX));
    let size = |path: &Path| std::fs::metadata(path).map(|data| data.len()).ok();
    size(&rustup).is_some_and(|len| size(program) == Some(len))
}
