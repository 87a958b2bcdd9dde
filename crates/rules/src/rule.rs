//! The vocabulary: a rule, its effect and target, and a set's decision. Parses the one text form that several agents share
//! (`Tool(pattern)`); each agent translates its other forms into a [`Rule`].

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A rule's effect on an action that it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// The action must not happen.
    Deny,
    /// The user must be asked first.
    Ask,
    /// The action may happen without asking.
    Allow,
}

/// What kind of action a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// Running a command.
    Shell,
    /// Reading a file.
    Read,
    /// Writing, changing or deleting a file.
    Edit,
    /// Fetching from a host.
    Fetch,
    /// Calling a tool, by its whole name.
    Mcp,
    /// Everything above.
    Any,
}

/// A pattern's syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Syntax {
    /// Claude Code's: `npm run:*` and `git * main` for commands, gitignore patterns with the anchors `//`,
    /// `~/`, `/` for files, `domain:` for hosts.
    ClaudeCode,
    /// `*` is any text (slashes too) and `?` one character; it must match the whole command or path.
    Glob,
    /// Whole words at the start of a command; a folder for files; a domain and its subdomains for hosts.
    Prefix,
    /// A regular expression, bare or as `/…/flags`, found anywhere in the text.
    Regex,
}

/// Which rule wins when several match the same action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Precedence {
    /// Deny before ask before allow, whatever the order (Claude Code, Codex, Gemini CLI, Cursor, Copilot).
    #[default]
    Strictest,
    /// The last matching rule of the list (OpenCode).
    LastMatch,
}

/// One permission rule, as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// Its effect.
    pub effect: Effect,
    /// The kind of action it covers.
    pub target: Target,
    /// Which of these actions; `None` for all.
    pub pattern: Option<String>,
    /// The syntax of `pattern`.
    pub syntax: Syntax,
    /// The rule as the user wrote it, for replies.
    pub text: String,
    /// Its settings file, for replies.
    pub source: String,
    /// The folder that a pattern like `/src/**` is relative to (for Claude Code's project settings the
    /// project folder, for user settings `~/.claude`).
    pub base: PathBuf,
}

/// A settings layer that exists but cannot be read: what it denies is unknown, so everything is denied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokenLayer {
    /// The file.
    pub path: PathBuf,
    /// Why it can't be read, in the parser's words.
    pub reason: String,
}

/// The rule that decided, and what it decided about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hit {
    /// The rule as the user wrote it; empty if the decision comes from no single rule.
    pub rule: String,
    /// The settings file of the rule.
    pub source: String,
    /// The matching part of the action, or why no rule could be checked.
    pub what: String,
}

/// A rule set's decision about one action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "decision", content = "hit", rename_all = "snake_case")]
pub enum Decision {
    /// No rule applies.
    NoRule,
    /// Every part is allowed; the hit names the last rule needed.
    Allow(Hit),
    /// What it runs can't be determined from its text, and some rule may apply. An agent judges its own commands; Plimsoll
    /// refuses to start it, unless the system enforces the rule (see [`crate::RuleSet::enforced`]).
    Unknown(Hit),
    /// The user wants to be asked.
    Ask(Hit),
    /// The user forbids it.
    Deny(Hit),
}

impl Decision {
    /// The deciding rule, if any.
    pub fn hit(&self) -> Option<&Hit> {
        match self {
            Decision::NoRule => None,
            Decision::Allow(hit) | Decision::Unknown(hit) | Decision::Ask(hit) | Decision::Deny(hit) => {
                Some(hit)
            }
        }
    }

    /// Whether the action must not happen.
    pub fn is_deny(&self) -> bool {
        matches!(self, Decision::Deny(_))
    }
}

impl fmt::Display for Hit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.rule.is_empty(), self.source.is_empty()) {
            (true, _) => f.write_str(&self.what),
            (false, true) => write!(f, "rule {} matches `{}`", self.rule, self.what),
            (false, false) => write!(f, "rule {} in {} matches `{}`", self.rule, self.source, self.what),
        }
    }
}

/// Splits `Tool(pattern)` into the tool and the pattern; a bare `Tool` has none. The pattern ends at the
/// last parenthesis, so patterns may contain parentheses; `\(` and `\)` are literal.
pub fn split_call(text: &str) -> (&str, Option<String>) {
    let text = text.trim();
    match text.split_once('(') {
        Some((name, rest)) if rest.ends_with(')') => {
            let pattern = rest.strip_suffix(')').unwrap_or(rest).trim();
            let pattern = pattern.replace("\\(", "(").replace("\\)", ")");
            (name.trim(), Some(pattern).filter(|p| !p.is_empty()))
        }
        _ => (text, None),
    }
}

impl Rule {
    /// Parses one entry of Claude Code's `permissions.deny/ask/allow` (<https://code.claude.com/docs/en/permissions>). Never
    /// fails: an unknown tool becomes a rule about that tool's name, which affects nothing else.
    ///
    /// `base` is the folder of a pattern that starts with one slash.
    pub fn parse_claude(effect: Effect, text: &str, source: &str, base: &Path) -> Rule {
        let (name, mut pattern) = split_call(text);
        let target = match name {
            "Bash" | "PowerShell" | "Shell" | "Monitor" => Target::Shell,
            "Read" | "NotebookRead" => Target::Read,
            "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => Target::Edit,
            "WebFetch" => Target::Fetch,
            "*" => Target::Any,
            _ => Target::Mcp,
        };
        match target {
            // The name is the pattern. With a parameter (`Agent(model:opus)`), the parameter stays in the text and
            // matches no plain name.
            Target::Mcp => pattern = Some(text.trim().to_owned()),
            Target::Shell if effect != Effect::Allow => {
                // Claude Code ignores `Bash(command:rm *)`, but the intent is clear.
                if let Some(rest) = pattern.as_deref().and_then(|p| p.strip_prefix("command:")) {
                    pattern = Some(rest.trim().to_owned());
                }
            }
            _ => {}
        }
        if matches!(pattern.as_deref(), Some("*" | ":*")) && matches!(target, Target::Shell) {
            pattern = None;
        }
        if target == Target::Fetch && pattern.as_deref().is_some_and(|p| p.replace(' ', "") == "domain:*") {
            pattern = None;
        }
        Rule {
            effect,
            target,
            pattern,
            syntax: Syntax::ClaudeCode,
            text: text.trim().to_owned(),
            source: source.to_owned(),
            base: base.to_path_buf(),
        }
    }
}
