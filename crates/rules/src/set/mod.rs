//! A set of rules and its decisions.
//!
//! Checks every rule against everything that `shell` and `script` find, and combines the answers in this order: an
//! unreadable layer, deny, ask, and allow only if every piece is allowed.
//!
//! This file owns the questions that callers ask; `verdict` collects the answers, `precedence` finds the winning rule,
//! `command_rules` and `command_files` judge a command, `allow` decides where "allow" may be answered.

mod allow;
mod command_files;
mod command_rules;
mod precedence;
mod verdict;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::paths::{FileRef, PathPattern};
use crate::rule::{BrokenLayer, Decision, Effect, Hit, Precedence, Rule, Target};
use crate::shell::{Analysis, Snippet, analyze};
use crate::{domain, tool};
use command_rules::CommandRules;
use verdict::{Answer, Verdict};

/// The rules of all of an agent's settings layers, in the agent's order; only [`Precedence::LastMatch`] depends on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleSet {
    /// The rules.
    pub rules: Vec<Rule>,
    /// Layers that exist but can't be read.
    pub broken: Vec<BrokenLayer>,
    /// Whether case is ignored (as the file systems of macOS and Windows do).
    pub case_insensitive: bool,
    /// Which of several matching rules wins.
    #[serde(default)]
    pub precedence: Precedence,
    /// The folders that patterns without a leading slash are relative to: the agent's start folder and its project. A deny
    /// or ask rule also counts from the command's folder; a `cd` or `cwd` removes no rule.
    #[serde(default)]
    pub anchors: Vec<PathBuf>,
    /// The system enforces deny rules about programs and files for what is about to be started. A text that can't be
    /// analysed is then [`Decision::Unknown`] only beside rules that the system can't enforce: those that ask, and those about
    /// shell builtins.
    #[serde(skip)]
    pub enforced: bool,
    /// The agent never asks about a `cd` into a subfolder of its working folder, whatever its rules say.
    #[serde(skip)]
    pub allows_cd_inside: bool,
    /// Another hook of the user's may replace a command before it runs, and the agent takes only one replacement.
    #[serde(skip)]
    pub commands_replaced: bool,
}

/// The folders that patterns without a leading slash are relative to, for an agent that works in `project` and was started
/// in `start`. A start folder above the project, the home folder and the root don't count: no one who works in a
/// project means every file on the computer by `Read(.env)`.
pub fn anchors(project: &Path, start: &Path, home: &Path) -> Vec<PathBuf> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let wide = |start: &Path, project: &Path, home: &Path| {
        start.parent().is_none() || start == home || project.starts_with(start)
    };
    let mut anchors = vec![project.to_path_buf()];
    if !wide(start, project, home) && !wide(&real(start), &real(project), &real(home)) {
        anchors.push(start.to_path_buf());
    }
    anchors
}

/// How many texts that may be run or read are checked.
const MAX_MAYBE: usize = 64;

impl RuleSet {
    /// See [`Rule::parse_claude`].
    pub fn parse_claude(effect: Effect, text: &str, source: &str, base: &Path) -> Rule {
        Rule::parse_claude(effect, text, source, base)
    }

    /// Whether there are no rules to check.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.broken.is_empty()
    }

    /// The decision about running `command` in `cwd`: each of its parts, the files that it visibly reads and writes, the hosts
    /// that it fetches from. `~` is `home`.
    pub fn command(&self, command: &str, cwd: &Path, home: &Path) -> Decision {
        self.decide(Snippet::Shell(command), cwd, home)
    }

    /// The decision about running `code`, a program in `language`: the commands, files and hosts that appear in it as text.
    /// Never allows, because the rest is unknown. Shell and PowerShell are judged as commands.
    pub fn code(&self, language: &str, code: &str, cwd: &Path, home: &Path) -> Decision {
        let language = language.trim().to_lowercase();
        match language.as_str() {
            "shell" | "sh" | "bash" | "zsh" | "dash" | "ksh" | "fish" => self.command(code, cwd, home),
            "powershell" | "pwsh" | "ps1" => self.decide(Snippet::PowerShell(code), cwd, home),
            other => match self.decide(Snippet::Code(other, code), cwd, home) {
                Decision::Allow(_) => Decision::NoRule,
                decision => decision,
            },
        }
    }

    /// The decision about reading `path` (relative to `cwd`), as written and as its real path.
    pub fn read(&self, path: &Path, cwd: &Path, home: &Path) -> Decision {
        self.file(Target::Read, path, cwd, home)
    }

    /// Whether the rules keep `path` from being read without asking the user: folders omit such files.
    pub fn hides(&self, path: &Path, cwd: &Path, home: &Path) -> bool {
        matches!(self.read(path, cwd, home), Decision::Deny(_) | Decision::Ask(_))
    }

    /// The decision about changing `path` (relative to `cwd`).
    pub fn edit(&self, path: &Path, cwd: &Path, home: &Path) -> Decision {
        self.file(Target::Edit, path, cwd, home)
    }

    /// The decision about fetching from `host`, or from a URL.
    pub fn fetch(&self, host: &str) -> Decision {
        if let Some(broken) = self.broken_layer_decision() {
            return broken;
        }
        let host = domain::host_of(host).unwrap_or_else(|| host.to_owned());
        let mut verdict = Verdict::default();
        verdict.add(self.winning_rule(&[Target::Fetch], |rule| Self::host_answer(rule, &host), &host));
        verdict.decision()
    }

    /// The decision about calling the tool `name`; MCP tools are called `mcp__<server>__<tool>`. A broken layer doesn't deny
    /// these: the agent guards its tools itself.
    pub fn tool(&self, name: &str) -> Decision {
        let answer = |rule: &Rule| match rule.target {
            Target::Any => Answer::Yes,
            Target::Mcp if tool::matches(rule, name) => Answer::Yes,
            // A bare `Bash` or `Read` is about the tool of that name.
            _ if rule.target != Target::Mcp && rule.pattern.is_none() && rule.text == name => Answer::Yes,
            _ => Answer::No,
        };
        let all = [Target::Shell, Target::Read, Target::Edit, Target::Fetch, Target::Mcp];
        let mut verdict = Verdict::default();
        verdict.add(self.winning_rule(&all, answer, name));
        verdict.decision()
    }

    /// A file rule's pattern, relative to its folders.
    pub(crate) fn path_pattern(&self, rule: &Rule, cwd: &Path, home: &Path) -> PathPattern {
        let mut from: Vec<&Path> = self.anchors.iter().map(PathBuf::as_path).collect();
        if rule.effect != Effect::Allow || from.is_empty() {
            from.insert(0, cwd);
        }
        PathPattern::anchored(rule, &from, home, self.case_insensitive)
    }

    fn file(&self, target: Target, path: &Path, cwd: &Path, home: &Path) -> Decision {
        if let Some(broken) = self.broken_layer_decision() {
            return broken;
        }
        let file = FileRef::new(&path.to_string_lossy(), cwd, home);
        let mut verdict = Verdict::default();
        verdict.add(self.winning_rule(
            &[target],
            |rule| self.file_answer(rule, &file, cwd, home),
            &file.shown,
        ));
        verdict.decision()
    }

    /// What may be run or read, if that can't be determined: not denied, but not harmless either.
    fn maybe(&self, seen: &Analysis, cwd: &Path, home: &Path, verdict: &mut Verdict) {
        if self.enforced || verdict.deny.is_some() || verdict.unknown.is_some() {
            return;
        }
        let runs =
            seen.maybe_runs.iter().take(MAX_MAYBE).map(|text| (text, self.plain_command(text, cwd, home)));
        let reads =
            seen.maybe_reads.iter().take(MAX_MAYBE).map(|text| (text, self.read(Path::new(text), cwd, home)));
        let found = runs.chain(reads).find_map(|(text, decision)| match decision {
            Decision::Deny(hit) | Decision::Ask(hit) => Some((text, hit)),
            _ => None,
        });
        if let Some((text, hit)) = found {
            let what =
                format!("Plimsoll can't tell what happens with `{text}`, which rule {} covers", hit.rule);
            verdict.unknown = Some(Hit { rule: String::new(), source: hit.source, what });
        }
    }

    /// The decision about a command, without what may be hidden in it.
    fn plain_command(&self, text: &str, cwd: &Path, home: &Path) -> Decision {
        let seen = analyze(Snippet::Shell(text), Some(cwd), Some(home));
        let mut verdict = Verdict::default();
        CommandRules::new(self, cwd, home).judge_parts(Snippet::Shell(text), &seen, &mut verdict);
        verdict.decision()
    }

    fn decide(&self, start: Snippet<'_>, cwd: &Path, home: &Path) -> Decision {
        if let Some(broken) = self.broken_layer_decision() {
            return broken;
        }
        if self.rules.is_empty() {
            return Decision::NoRule;
        }
        let seen = analyze(start, Some(cwd), Some(home));
        let asked = CommandRules::new(self, cwd, home);
        let mut verdict = Verdict::default();
        asked.judge_text(start, &seen, &mut verdict);
        asked.judge_parts(start, &seen, &mut verdict);
        asked.judge_files(&seen.reads, Target::Read, &mut verdict);
        asked.judge_files(&seen.writes, Target::Edit, &mut verdict);
        for host in &seen.hosts {
            // A bare `WebFetch` is about that tool, not about every program that uses the network.
            let answer = |rule: &Rule| match rule.pattern {
                Some(_) => Self::host_answer(rule, host),
                None => Answer::No,
            };
            if let Some(found) =
                self.winning_rule(&[Target::Fetch], answer, host).filter(|(e, _)| *e != Effect::Allow)
            {
                verdict.add(Some(found));
            }
        }
        self.maybe(&seen, cwd, home, &mut verdict);
        verdict.unmatched |= seen.ambiguous || seen.unparsed.is_some() || seen.parts.is_empty();
        verdict.decision()
    }
}
