//! Matches the rules against a command: as a whole, and each of its parts.

use std::path::Path;

use super::RuleSet;
use super::verdict::{Verdict, hit};
use crate::paths::PathPattern;
use crate::pattern::CommandPattern;
use crate::rule::{Effect, Hit, Precedence, Rule, Target};
use crate::shell::{Analysis, Part, Snippet};

/// A set's rules, compiled for one command.
pub(super) struct CommandRules<'a> {
    pub(super) set: &'a RuleSet,
    pub(super) cwd: &'a Path,
    pub(super) home: &'a Path,
    shell: Vec<(&'a Rule, CommandPattern)>,
    pub(super) files: Vec<(&'a Rule, PathPattern)>,
}

impl<'a> CommandRules<'a> {
    pub(super) fn new(set: &'a RuleSet, cwd: &'a Path, home: &'a Path) -> CommandRules<'a> {
        let about =
            |targets: &'static [Target]| set.rules.iter().filter(move |r| targets.contains(&r.target));
        let fold = |rule: &Rule| set.case_insensitive || powershell_only(rule);
        let shell = about(&[Target::Shell, Target::Any]);
        let files = about(&[Target::Read, Target::Edit]).filter(|r| r.pattern.is_some());
        CommandRules {
            set,
            cwd,
            home,
            shell: shell.map(|r| (r, CommandPattern::new(r, fold(r)))).collect(),
            files: files.map(|r| (r, set.path_pattern(r, cwd, home))).collect(),
        }
    }

    /// Rules about the whole command: bare `Bash`, patterns with operators, and commands that can't be analysed.
    pub(super) fn judge_text(&self, start: Snippet<'_>, seen: &Analysis, verdict: &mut Verdict) {
        let mut bare = Vec::new();
        for (rule, pattern) in &self.shell {
            match pattern {
                CommandPattern::All if rule.effect != Effect::Allow => {
                    bare.push((rule.effect, hit(rule, "every command")));
                }
                CommandPattern::Unreadable(why) if rule.effect != Effect::Allow => {
                    let what =
                        format!("rule {} can't be understood ({why}), so it counts as a match", rule.text);
                    let hit = Hit { rule: String::new(), source: rule.source.clone(), what };
                    verdict.add(Some((rule.effect, hit)));
                }
                CommandPattern::Exact(_) | CommandPattern::Wild(_) | CommandPattern::Regex(_)
                    if rule.effect != Effect::Allow
                        && rule.pattern.as_deref().is_some_and(|p| p.contains(['|', '&', ';', '\n'])) =>
                {
                    let found =
                        seen.chains.iter().find(|text| pattern.matches(&self.fold_case(rule, text), &[]));
                    if let Some(text) = found {
                        verdict.add(Some((rule.effect, hit(rule, text))));
                    }
                }
                _ => {}
            }
        }
        // Under last-match precedence, commands meet these rules part by part.
        if self.set.precedence == Precedence::Strictest || !matches!(start, Snippet::Shell(_)) {
            bare.into_iter().for_each(|found| verdict.add(Some(found)));
        }
        if let Some(why) = seen
            .undetermined
            .or_else(|| seen.ambiguous.then_some("a shell would read it differently, or not at all"))
            && let Some(rule) = self.shell.iter().map(|(rule, _)| *rule).find(|rule| self.may_apply(rule))
        {
            let what =
                format!("Plimsoll can't tell what it runs ({why}), and rule {} may apply to it", rule.text);
            verdict.unknown = Some(Hit { rule: String::new(), source: rule.source.clone(), what });
        }
        if let Some(why) = seen.unparsed {
            let strictest = self.shell.iter().map(|(rule, _)| *rule).filter(|r| r.effect != Effect::Allow);
            if let Some(rule) = strictest.min_by_key(|r| r.effect) {
                let what = format!(
                    "the command can't be parsed ({why}), and it may break rules such as {}; write it more plainly",
                    rule.text
                );
                let hit = Hit { rule: String::new(), source: rule.source.clone(), what };
                verdict.add(Some((rule.effect, hit)));
            }
        }
    }

    /// Whether the rule could cover a program that isn't visible in the text and that the system can't enforce either.
    fn may_apply(&self, rule: &Rule) -> bool {
        match rule.effect {
            Effect::Allow => false,
            Effect::Ask => true,
            Effect::Deny => {
                !self.set.enforced || first_word(rule).is_some_and(|word| BUILTINS.contains(&word))
            }
        }
    }

    fn fold_case(&self, rule: &Rule, text: &str) -> String {
        if self.set.case_insensitive || powershell_only(rule) { text.to_lowercase() } else { text.to_owned() }
    }

    pub(super) fn judge_parts(&self, start: Snippet<'_>, seen: &Analysis, verdict: &mut Verdict) {
        let powershell = matches!(start, Snippet::PowerShell(_));
        // Whether an exact rule allows each part, and so everything that the part wraps.
        let mut exactly_allowed: Vec<bool> = Vec::with_capacity(seen.parts.len());
        let whole = match start {
            Snippet::Shell(text) => self.shell.iter().find(|(rule, pattern)| {
                rule.effect == Effect::Allow
                    && !powershell_only(rule)
                    && matches!(pattern, CommandPattern::Exact(_))
                    && pattern.matches(&self.fold_case(rule, text.trim()), &[])
            }),
            _ => None,
        };
        if let Some((rule, _)) = whole {
            verdict.allow = Some(hit(rule, rule.pattern.as_deref().unwrap_or_default()));
        }
        for part in &seen.parts {
            let inherited =
                whole.is_some() || part.parent.and_then(|p| exactly_allowed.get(p)).copied().unwrap_or(false);
            let shown = part.words.join(" ");
            let mut exact = inherited;
            let mut best: Option<(Effect, &Rule)> = None;
            for (rule, pattern) in &self.shell {
                if rule.effect == Effect::Allow && powershell_only(rule) != powershell {
                    continue;
                }
                if !self.applies(rule, pattern, part) {
                    continue;
                }
                exact |= rule.effect == Effect::Allow && pattern.is_exact();
                let better = match self.set.precedence {
                    Precedence::LastMatch => true,
                    Precedence::Strictest => best.is_none_or(|(effect, _)| rule.effect < effect),
                };
                if better {
                    best = Some((rule.effect, rule));
                }
            }
            exactly_allowed.push(exact);
            match best {
                Some((effect, rule)) => verdict.add(Some((effect, hit(rule, &shown)))),
                None if inherited || part.transparent => {}
                None => verdict.unmatched = true,
            }
        }
    }

    /// Whether the rule matches the part; an allow must match one of its strict spellings.
    fn applies(&self, rule: &Rule, pattern: &CommandPattern, part: &Part) -> bool {
        let strict = rule.effect == Effect::Allow;
        if strict && part.exact_only && !pattern.is_exact() {
            return false;
        }
        if matches!(pattern, CommandPattern::All) {
            return true;
        }
        let fold = self.set.case_insensitive || powershell_only(rule);
        if let CommandPattern::Words(_) = pattern {
            let mut words = part.words.clone();
            if fold {
                words.iter_mut().for_each(|w| *w = w.to_lowercase());
            }
            if strict {
                return part.plain_env && pattern.matches("", &words);
            }
            let by_name = part.forms.iter().any(|form| {
                let form = if fold { form.to_lowercase() } else { form.clone() };
                let split: Vec<String> = form.split(' ').map(str::to_owned).collect();
                pattern.matches("", &split)
            });
            return by_name || pattern.matches("", &words);
        }
        // `/bin/b*m` runs what it matches; a rule about that program covers it.
        if !strict
            && part.glob
            && let Some(found) = first_word(rule).filter(|word| glob_matches_name(&part.words, word))
        {
            let form = std::iter::once(found).chain(part.words.iter().skip(1).map(String::as_str));
            if pattern.matches(&form.collect::<Vec<_>>().join(" "), &[]) {
                return true;
            }
        }
        let forms = if strict { &part.strict_forms } else { &part.forms };
        forms.iter().any(|form| {
            if fold { pattern.matches(&form.to_lowercase(), &[]) } else { pattern.matches(form, &[]) }
        })
    }
}

/// Commands that the shell runs itself, without a system call that shows them.
const BUILTINS: &[&str] = &[
    "echo", "printf", "cd", "pushd", "popd", "eval", "exec", "source", ".", "kill", "test", "[", "read",
    "export", "set", "unset", "alias", "trap", "ulimit", "umask", "true", "false", "pwd", "wait", "jobs",
    "command", "builtin", "declare",
];

/// The program that a rule names, if it names one.
fn first_word(rule: &Rule) -> Option<&str> {
    let pattern = rule.pattern.as_deref()?.trim();
    let end = pattern.find([' ', ':', '*']).unwrap_or(pattern.len());
    pattern.get(..end).filter(|word| !word.is_empty())
}

/// Whether the program's word is a glob that `name` matches.
fn glob_matches_name(words: &[String], name: &str) -> bool {
    let Some(glob) = words.first().map(|word| word.rsplit('/').next().unwrap_or(word)) else { return false };
    globset::GlobBuilder::new(glob).build().is_ok_and(|glob| glob.compile_matcher().is_match(name))
}

fn powershell_only(rule: &Rule) -> bool {
    rule.text.starts_with("PowerShell")
}
