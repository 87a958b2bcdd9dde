//! The supported languages, and the names that users and models have for them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::SandboxError;

/// A language that [`crate::run`] accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Bun, Deno or Node.
    JavaScript,
    /// Bun, Deno, Node 22.6+, tsx, ts-node, or Node with the TypeScript package.
    TypeScript,
    /// Python 3.
    Python,
    /// bash, or sh without bash.
    Shell,
    /// Ruby.
    Ruby,
    /// Go, built before it runs.
    Go,
    /// Rust, compiled before it runs.
    Rust,
    /// PHP's command line.
    Php,
    /// Perl 5.
    Perl,
    /// Rscript.
    R,
    /// Elixir.
    Elixir,
    /// .NET 10+, dotnet-script, or a compiler with Mono.
    CSharp,
    /// pwsh, or Windows PowerShell.
    PowerShell,
}

impl Language {
    /// Every language, in display order.
    pub const ALL: [Language; 13] = [
        Language::JavaScript,
        Language::TypeScript,
        Language::Python,
        Language::Shell,
        Language::Ruby,
        Language::Go,
        Language::Rust,
        Language::Php,
        Language::Perl,
        Language::R,
        Language::Elixir,
        Language::CSharp,
        Language::PowerShell,
    ];

    /// The name in tool arguments and replies.
    pub fn name(self) -> &'static str {
        match self {
            Language::JavaScript => "javascript",
            Language::TypeScript => "typescript",
            Language::Python => "python",
            Language::Shell => "shell",
            Language::Ruby => "ruby",
            Language::Go => "go",
            Language::Rust => "rust",
            Language::Php => "php",
            Language::Perl => "perl",
            Language::R => "r",
            Language::Elixir => "elixir",
            Language::CSharp => "csharp",
            Language::PowerShell => "powershell",
        }
    }

    /// Other names that models use, lower case.
    fn aliases(self) -> &'static [&'static str] {
        match self {
            Language::JavaScript => &["js", "node", "nodejs", "mjs", "cjs", "jsx"],
            Language::TypeScript => &["ts", "mts", "cts", "tsx", "deno", "bun"],
            Language::Python => &["py", "python3", "py3"],
            Language::Shell => &["sh", "bash", "zsh", "shellscript", "console", "terminal"],
            Language::Ruby => &["rb"],
            Language::Go => &["golang"],
            Language::Rust => &["rs"],
            Language::Php => &[],
            Language::Perl => &["pl"],
            Language::R => &["rscript", "rlang"],
            Language::Elixir => &["ex", "exs"],
            Language::CSharp => &["cs", "c#", "dotnet"],
            Language::PowerShell => &["pwsh", "ps1", "ps"],
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Language {
    type Err = SandboxError;

    fn from_str(given: &str) -> Result<Self, Self::Err> {
        let wanted = given.trim().to_ascii_lowercase();
        Language::ALL
            .into_iter()
            .find(|l| l.name() == wanted || l.aliases().contains(&wanted.as_str()))
            .ok_or_else(|| SandboxError::UnknownLanguage {
                given: given.chars().take(60).collect(),
                known: Language::ALL.map(Language::name).join(", "),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_alias_belongs_to_one_language() {
        for language in Language::ALL {
            assert_eq!(language.name().parse::<Language>().unwrap(), language);
            for alias in language.aliases() {
                assert_eq!(alias.to_uppercase().parse::<Language>().unwrap(), language, "{alias}");
            }
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        let message = "cobol".parse::<Language>().unwrap_err().to_string();
        assert!(message.contains("\"cobol\"") && message.contains("python"), "{message}");
    }
}
