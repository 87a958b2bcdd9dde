//! The programs that run a language, in order of preference, and how to install the first of them.

use super::{Runtime, RuntimeKind, Runtimes};
use crate::Language;
use std::path::{Path, PathBuf};

/// A possible program.
#[derive(Debug)]
pub(super) struct Candidate {
    program: &'static str,
    kind: RuntimeKind,
    needs: Needs,
}

/// A requirement besides the program itself.
#[derive(Debug)]
enum Needs {
    Nothing,
    /// At least this version.
    Version(u32, u32),
    /// Another program.
    Program(&'static str),
    /// Another program, except on Windows.
    ProgramOffWindows(&'static str),
    /// The TypeScript library that belongs to the `tsc` on PATH.
    TypescriptLibrary,
    /// Not the `bash.exe` that opens WSL.
    NotWsl,
}

const fn plain(program: &'static str, kind: RuntimeKind) -> Candidate {
    Candidate { program, kind, needs: Needs::Nothing }
}

const JAVASCRIPT: &[Candidate] = &[
    plain("bun", RuntimeKind::Bun),
    plain("deno", RuntimeKind::Deno),
    plain("node", RuntimeKind::Node),
    plain("nodejs", RuntimeKind::Node),
];
const TYPESCRIPT: &[Candidate] = &[
    plain("bun", RuntimeKind::Bun),
    plain("deno", RuntimeKind::Deno),
    Candidate { program: "node", kind: RuntimeKind::NodeTypes, needs: Needs::Version(23, 6) },
    Candidate { program: "node", kind: RuntimeKind::NodeStripTypes, needs: Needs::Version(22, 6) },
    plain("tsx", RuntimeKind::Tsx),
    Candidate { program: "node", kind: RuntimeKind::NodeWithTypescript, needs: Needs::TypescriptLibrary },
    plain("ts-node", RuntimeKind::TsNode),
];
const PYTHON: &[Candidate] = &[
    plain("python3", RuntimeKind::Python),
    Candidate { program: "python", kind: RuntimeKind::Python, needs: Needs::Version(3, 0) },
    plain("py", RuntimeKind::Python),
];
const SHELL: &[Candidate] = &[
    Candidate { program: "bash", kind: RuntimeKind::Bash, needs: Needs::NotWsl },
    plain("sh", RuntimeKind::Sh),
];
const CSHARP: &[Candidate] = &[
    Candidate { program: "dotnet", kind: RuntimeKind::Dotnet, needs: Needs::Version(10, 0) },
    plain("dotnet-script", RuntimeKind::DotnetScript),
    Candidate { program: "mcs", kind: RuntimeKind::Mcs, needs: Needs::ProgramOffWindows("mono") },
    Candidate { program: "csc", kind: RuntimeKind::Csc, needs: Needs::ProgramOffWindows("mono") },
];
const POWERSHELL: &[Candidate] =
    &[plain("pwsh", RuntimeKind::Pwsh), plain("powershell", RuntimeKind::WindowsPowerShell)];
const RUST: &[Candidate] = &[Candidate { program: "rustc", kind: RuntimeKind::Rustc, needs: Needs::Nothing }];
const ELIXIR: &[Candidate] =
    &[Candidate { program: "elixir", kind: RuntimeKind::Elixir, needs: Needs::Program("erl") }];

pub(super) fn of_language(language: Language) -> &'static [Candidate] {
    match language {
        Language::JavaScript => JAVASCRIPT,
        Language::TypeScript => TYPESCRIPT,
        Language::Python => PYTHON,
        Language::Shell => SHELL,
        Language::Ruby => const { &[plain("ruby", RuntimeKind::Ruby)] },
        Language::Go => const { &[plain("go", RuntimeKind::Go)] },
        Language::Rust => RUST,
        Language::Php => const { &[plain("php", RuntimeKind::Php)] },
        Language::Perl => const { &[plain("perl", RuntimeKind::Perl)] },
        Language::R => const { &[plain("Rscript", RuntimeKind::Rscript)] },
        Language::Elixir => ELIXIR,
        Language::CSharp => CSHARP,
        Language::PowerShell => POWERSHELL,
    }
}

/// The candidates' names, for an error message.
pub(super) fn names(language: Language) -> String {
    let mut names: Vec<String> = Vec::new();
    for candidate in of_language(language) {
        let name = match candidate.needs {
            Needs::Version(major, minor) => format!("{} {major}.{minor}+", candidate.program),
            Needs::Program(other) => format!("{} with {other}", candidate.program),
            Needs::ProgramOffWindows(other) if !cfg!(windows) => {
                format!("{} with {other}", candidate.program)
            }
            Needs::TypescriptLibrary => format!("{} with tsc", candidate.program),
            _ => candidate.program.to_owned(),
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}

/// How to install a runtime on this operating system.
pub(super) fn install(language: Language) -> String {
    // Debian's package, Homebrew's, winget's.
    let (apt, brew, winget) = match language {
        Language::JavaScript => ("nodejs", "node", "OpenJS.NodeJS.LTS"),
        Language::TypeScript => {
            let node = "install bun (https://bun.sh), deno, or Node.js 22.6 or newer";
            return format!("{node}, or run `npm install -g tsx`");
        }
        Language::Python => ("python3", "python", "Python.Python.3.13"),
        Language::Shell => ("bash", "bash", "Git.Git"),
        Language::Ruby => ("ruby", "ruby", "RubyInstallerTeam.Ruby.3.4"),
        Language::Go => ("golang-go", "go", "GoLang.Go"),
        Language::Rust => return "install Rust with rustup (https://rustup.rs)".into(),
        Language::Php => ("php-cli", "php", "PHP.PHP.8.4"),
        Language::Perl => ("perl", "perl", "StrawberryPerl.StrawberryPerl"),
        Language::R => ("r-base-core", "r", "RProject.R"),
        Language::Elixir => ("elixir", "elixir", "ElixirLang.Elixir"),
        Language::CSharp if cfg!(windows) => ("", "", "Microsoft.DotNet.SDK.10"),
        Language::CSharp => ("mono-mcs mono-runtime", "dotnet", ""),
        Language::PowerShell if cfg!(target_os = "linux") => {
            return "install PowerShell as https://aka.ms/powershell says".into();
        }
        Language::PowerShell => ("", "powershell", "Microsoft.PowerShell"),
    };
    if cfg!(windows) {
        format!("install it with `winget install {winget}`")
    } else if cfg!(target_os = "macos") {
        format!("install it with `brew install {brew}`")
    } else {
        format!("install it with `apt install {apt}` or your distribution's equivalent")
    }
}

/// The arguments that make a program print its version.
pub(super) fn version_args(kind: RuntimeKind) -> &'static [&'static str] {
    match kind {
        RuntimeKind::Go => &["version"],
        RuntimeKind::Perl => &["-e", "print $^V"],
        RuntimeKind::Elixir => &["--short-version"],
        RuntimeKind::Sh => &["-c", "echo sh"],
        RuntimeKind::Csc => &["/version"],
        RuntimeKind::WindowsPowerShell => &["-NoProfile", "-Command", "$PSVersionTable.PSVersion.ToString()"],
        _ => &["--version"],
    }
}

impl Candidate {
    /// The runtime, if this candidate exists and meets its requirement.
    pub(super) fn find(&self, language: Language, among: &Runtimes) -> Option<Runtime> {
        let accept = |path: &Path| !matches!(self.needs, Needs::NotWsl) || !is_wsl_bash(path);
        let program = among.program(self.program, accept)?;
        let companion = match self.needs {
            Needs::Nothing | Needs::NotWsl => None,
            Needs::Version(major, minor) => {
                let version = among.version(self.kind, &program)?;
                return (version >= (major, minor)).then_some(Runtime {
                    language,
                    kind: self.kind,
                    program,
                    companion: None,
                });
            }
            Needs::Program(other) => Some(among.program(other, |_| true)?),
            Needs::ProgramOffWindows(_) if cfg!(windows) => None,
            Needs::ProgramOffWindows(other) => Some(among.program(other, |_| true)?),
            Needs::TypescriptLibrary => Some(typescript_library(among)?),
        };
        Some(Runtime { language, kind: self.kind, program, companion })
    }
}

/// Windows' own `bash.exe` runs inside WSL, without the project's paths and tools. Git's is the right one.
fn is_wsl_bash(path: &Path) -> bool {
    let folder = path.parent().map(|dir| dir.to_string_lossy().to_ascii_lowercase());
    cfg!(windows) && folder.is_some_and(|dir| dir.ends_with("system32") || dir.contains("windowsapps"))
}

/// `…/typescript/lib/typescript.js`, relative to `…/typescript/bin/tsc`.
fn typescript_library(among: &Runtimes) -> Option<PathBuf> {
    let tsc = among.program("tsc", |_| true)?;
    let real = dunce::canonicalize(tsc).ok()?;
    let package = real.parent()?.parent()?;
    [package.join("lib/typescript.js"), package.join("node_modules/typescript/lib/typescript.js")]
        .into_iter()
        .find(|library| library.is_file())
}
