//! A set of rules and the decisions it comes to.
//!
//! Takes what `shell` and `script` have seen, asks every rule about every piece, and weighs the answers. The
//! order is: a layer that cannot be read, deny, ask, and allow only if every piece is allowed.
//!
//! This file owns the questions that can be asked; `verdict` adds up answers, `weigh` finds the rule that
//! wins, `asked` and `places` judge what was seen in a command, `plainly` says where "allow" may be said.

mod asked;
mod places;
mod plainly;
mod verdict;
mod weigh;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::paths::{FileRef, PathPattern};
use crate::rule::{BrokenLayer, Decision, Effect, Hit, Precedence, Rule, Target};
use crate::shell::{Seen, Start, see};
use crate::{domain, tool};
use asked::Asked;
use verdict::{Answer, Verdict};

/// The rules of every settings layer of one agent, strongest layer last or first as the agent has it: only
/// [`Precedence::LastMatch`] looks at the order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleSet {
    /// The rules.
    pub rules: Vec<Rule>,
    /// Layers that exist but could not be read.
    pub broken: Vec<BrokenLayer>,
    /// Letters match whatever their case (file systems of macOS and Windows).
    pub case_insensitive: bool,
    /// Which of several matching rules wins.
    #[serde(default)]
    pub precedence: Precedence,
    /// The folders that patterns without a slash at their start are relative to: the one that the agent was started in,
    /// and its project. A deny or ask rule counts from the folder of the command as well; a `cd` or a `cwd` takes no
    /// rule away.
    #[serde(default)]
    pub anchors: Vec<PathBuf>,
    /// The system itself keeps deny rules about programs and files for what is about to be started. A text that
    /// cannot be understood is then only [`Decision::Unknown`] beside rules that it cannot keep: those that ask, and
    /// those about words of the shell itself.
    #[serde(skip)]
    pub enforced: bool,
    /// The host asks about no `cd` into a folder of the one that it works in, whatever the rules say of it.
    #[serde(skip)]
    pub moves_freely: bool,
}

/// The folders that patterns without a slash at their start are relative to, of an agent that works in `project` and was
/// started in `start`. A start folder above the project, the home folder and the root of the file system do not count:
/// nobody who works in a project means every file of a computer by `Read(.env)`.
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

/// How many texts that may be run or read are asked about.
const MAX_MAYBE: usize = 64;

impl RuleSet {
    /// See [`Rule::parse_claude`].
    pub fn parse_claude(effect: Effect, text: &str, source: &str, base: &Path) -> Rule {
        Rule::parse_claude(effect, text, source, base)
    }

    /// Whether there is nothing to ask.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.broken.is_empty()
    }

    /// What the rules say about running `command` in `cwd`: each of its parts, the files it plainly reads
    /// and writes, the hosts it fetches from. `home` is what `~` stands for.
    pub fn command(&self, command: &str, cwd: &Path, home: &Path) -> Decision {
        self.seen(Start::Shell(command), cwd, home)
    }

    /// What the rules say about running `code`, a program in `language`: the commands it starts and the
    /// files and hosts it names, as far as they stand in it as text. Never allows: what is not seen is not
    /// known. Shell and PowerShell are judged as commands.
    pub fn code(&self, language: &str, code: &str, cwd: &Path, home: &Path) -> Decision {
        let language = language.trim().to_lowercase();
        match language.as_str() {
            "shell" | "sh" | "bash" | "zsh" | "dash" | "ksh" | "fish" => self.command(code, cwd, home),
            "powershell" | "pwsh" | "ps1" => self.seen(Start::PowerShell(code), cwd, home),
            other => match self.seen(Start::Code(other, code), cwd, home) {
                Decision::Allow(_) => Decision::NoRule,
                decision => decision,
            },
        }
    }

    /// What the rules say about reading `path` (relative to `cwd`), as it is written and where it leads.
    pub fn read(&self, path: &Path, cwd: &Path, home: &Path) -> Decision {
        self.file(Target::Read, path, cwd, home)
    }

    /// Whether the rules keep `path` from being read without the person: such files are left out of folders.
    pub fn hides(&self, path: &Path, cwd: &Path, home: &Path) -> bool {
        matches!(self.read(path, cwd, home), Decision::Deny(_) | Decision::Ask(_))
    }

    /// What the rules say about changing `path` (relative to `cwd`).
    pub fn edit(&self, path: &Path, cwd: &Path, home: &Path) -> Decision {
        self.file(Target::Edit, path, cwd, home)
    }

    /// What the rules say about fetching from `host`; a whole URL will do.
    pub fn fetch(&self, host: &str) -> Decision {
        if let Some(broken) = self.closed() {
            return broken;
        }
        let host = domain::host_of(host).unwrap_or_else(|| host.to_owned());
        let mut verdict = Verdict::default();
        verdict.add(self.weigh(&[Target::Fetch], |rule| Self::host_answer(rule, &host), &host));
        verdict.decision()
    }

    /// What the rules say about calling the tool `name`, for tools of MCP servers `mcp__<server>__<tool>`.
    /// A broken layer does not close these: the host itself guards its tools.
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
        verdict.add(self.weigh(&all, answer, name));
        verdict.decision()
    }

    /// The pattern of a rule about files, from the folders that it is relative to.
    pub(crate) fn path_pattern(&self, rule: &Rule, cwd: &Path, home: &Path) -> PathPattern {
        let mut from: Vec<&Path> = self.anchors.iter().map(PathBuf::as_path).collect();
        if rule.effect != Effect::Allow || from.is_empty() {
            from.insert(0, cwd);
        }
        PathPattern::anchored(rule, &from, home, self.case_insensitive)
    }

    fn file(&self, target: Target, path: &Path, cwd: &Path, home: &Path) -> Decision {
        if let Some(broken) = self.closed() {
            return broken;
        }
        let file = FileRef::new(&path.to_string_lossy(), cwd, home);
        let mut verdict = Verdict::default();
        verdict.add(self.weigh(&[target], |rule| self.file_answer(rule, &file, cwd, home), &file.shown));
        verdict.decision()
    }

    /// What may be run or read, where nobody can tell: not denied, but not known to be harmless either.
    fn maybe(&self, seen: &Seen, cwd: &Path, home: &Path, verdict: &mut Verdict) {
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
                format!("it cannot be told what happens with `{text}`, about which rule {} speaks", hit.rule);
            verdict.unknown = Some(Hit { rule: String::new(), source: hit.source, what });
        }
    }

    /// What the rules say about a command, without what may be hidden in it.
    fn plain_command(&self, text: &str, cwd: &Path, home: &Path) -> Decision {
        let seen = see(Start::Shell(text), Some(cwd), Some(home));
        let mut verdict = Verdict::default();
        Asked::new(self, cwd, home).parts(Start::Shell(text), &seen, &mut verdict);
        verdict.decision()
    }

    fn seen(&self, start: Start<'_>, cwd: &Path, home: &Path) -> Decision {
        if let Some(broken) = self.closed() {
            return broken;
        }
        if self.rules.is_empty() {
            return Decision::NoRule;
        }
        let seen = see(start, Some(cwd), Some(home));
        let asked = Asked::new(self, cwd, home);
        let mut verdict = Verdict::default();
        asked.whole(start, &seen, &mut verdict);
        asked.parts(start, &seen, &mut verdict);
        asked.places(&seen.reads, Target::Read, &mut verdict);
        asked.places(&seen.writes, Target::Edit, &mut verdict);
        for host in &seen.hosts {
            // A bare `WebFetch` is about that tool, not about every program that has a network.
            let answer = |rule: &Rule| match rule.pattern {
                Some(_) => Self::host_answer(rule, host),
                None => Answer::No,
            };
            if let Some(found) =
                self.weigh(&[Target::Fetch], answer, host).filter(|(e, _)| *e != Effect::Allow)
            {
                verdict.add(Some(found));
            }
        }
        self.maybe(&seen, cwd, home, &mut verdict);
        verdict.unspoken |= seen.odd || seen.closed.is_some() || seen.parts.is_empty();
        verdict.decision()
    }
}
