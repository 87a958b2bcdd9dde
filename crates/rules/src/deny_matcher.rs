//! The deny rules compiled for the system's questions: a program about to start, with its real words, and a file about to
//! be opened, by its real path.
//!
//! Analysing a command sees its text; this is checked when the thing happens, so only what a shell does inside itself
//! needs analysis. Only denials count: it is too late to ask the user. A rule that denies everything (every command, every
//! file) is left to the analysis: under it, the runtime itself wouldn't start.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::paths::{FileRef, PathPattern};
use crate::pattern::CommandPattern;
use crate::rule::{Effect, Hit, Precedence, Rule, Target};
use crate::set::RuleSet;

/// Files that every program needs. A pattern that matches one is too wide to enforce.
const ESSENTIAL_FILES: &[&str] = &[
    "/dev/null",
    "/etc/ld.so.cache",
    "/lib/x86_64-linux-gnu/libc.so.6",
    "/usr/lib/x86_64-linux-gnu/libc.so.6",
    "/usr/lib/libc.so.6",
    "/usr/lib/libSystem.B.dylib",
    "/proc/self/maps",
];

/// Shells: the script after `-c` may act inside the shell, without another program.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh", "ash", "mksh", "fish"];

/// Multi-call programs, which act by the name they are started under.
const MULTI_CALL_PROGRAMS: &[&str] = &["busybox", "toybox", "coreutils"];

/// A set's deny rules, compiled once for many questions.
#[derive(Debug)]
pub struct DenyMatcher {
    commands: RuleSet,
    cwd: PathBuf,
    home: PathBuf,
    shell: Vec<(Rule, CommandPattern)>,
    /// The patterns' first words: a program with one of these names needs a closer look.
    heads: BTreeSet<String>,
    read: Vec<(Rule, PathPattern)>,
    edit: Vec<(Rule, PathPattern)>,
}

impl DenyMatcher {
    /// Compiles the enforceable part of `set`. Patterns may be relative to `cwd` and `home`.
    pub fn new(set: &RuleSet, cwd: &Path, home: &Path) -> DenyMatcher {
        let last = set.precedence == Precedence::LastMatch;
        let wanted = |rule: &&Rule| rule.effect == Effect::Deny || last;
        let mut shell = Vec::new();
        for rule in set.rules.iter().filter(wanted).filter(|r| r.target == Target::Shell) {
            let fold = set.case_insensitive || rule.text.starts_with("PowerShell");
            let pattern = CommandPattern::new(rule, fold);
            let everything = match &pattern {
                CommandPattern::All | CommandPattern::Unreadable(_) => true,
                other => other.matches("\u{1}", &["\u{1}".to_owned()]),
            };
            // One that denies everything isn't enforced: only the analysis of commands applies it.
            if !everything {
                shell.push((rule.clone(), pattern));
            }
        }
        if shell.iter().all(|(rule, _)| rule.effect != Effect::Deny) {
            shell.clear();
        }
        let files = |target: Target| {
            let mut found = Vec::new();
            for rule in set.rules.iter().filter(wanted).filter(|r| r.target == target) {
                let pattern = set.path_pattern(rule, cwd, home);
                let wide = match &pattern {
                    PathPattern::All | PathPattern::Unreadable => true,
                    other => ESSENTIAL_FILES
                        .iter()
                        .any(|path| other.matches(&FileRef::from_real_path(Path::new(path)), Effect::Deny)),
                };
                // Under last-match precedence, a wide "allow" in front only states the default. A wide denial isn't enforced:
                // only the analysis of commands applies it.
                if !(wide && rule.effect == Effect::Deny) {
                    found.push((rule.clone(), pattern));
                }
            }
            if found.iter().all(|(rule, _)| rule.effect != Effect::Deny) {
                found.clear();
            }
            found
        };
        let (read, edit) = (files(Target::Read), files(Target::Edit));
        let commands = RuleSet {
            rules: shell.iter().map(|(rule, _)| rule.clone()).collect(),
            broken: Vec::new(),
            case_insensitive: set.case_insensitive,
            precedence: set.precedence,
            ..RuleSet::default()
        };
        let heads = shell.iter().filter_map(|(rule, _)| head(rule)).collect();
        DenyMatcher { commands, cwd: cwd.to_path_buf(), home: home.to_path_buf(), shell, heads, read, edit }
    }

    /// Whether there are no rules to enforce.
    pub fn is_empty(&self) -> bool {
        !(self.has_program_rules() || self.has_file_rules())
    }

    /// Whether any rule denies programs.
    pub(crate) fn has_program_rules(&self) -> bool {
        !self.shell.is_empty()
    }

    /// Whether any rule denies files.
    pub fn has_file_rules(&self) -> bool {
        !(self.read.is_empty() && self.edit.is_empty())
    }

    /// The names of programs that are denied with any arguments. Their files don't have to be readable either.
    pub fn programs(&self) -> Vec<String> {
        let names: BTreeSet<String> = self.heads.iter().map(|head| base(head).to_owned()).collect();
        names
            .into_iter()
            .filter(|name| {
                // Denied without arguments, and with one that no pattern can be about.
                let words = |more: &[&str]| -> Vec<String> {
                    std::iter::once(name.as_str()).chain(more.iter().copied()).map(str::to_owned).collect()
                };
                self.match_command(&words(&[])).is_some() && self.match_command(&words(&["\u{1}"])).is_some()
            })
            .collect()
    }

    /// The rule that denies starting a program. `words` are its real words, beginning with the path or name that starts it;
    /// `real` is the file that this resolves to.
    pub fn match_program(&self, real: &Path, words: &[String]) -> Option<Hit> {
        if self.shell.is_empty() {
            return None;
        }
        let (first, rest) = words.split_first()?;
        let real_name = real.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut names = vec![first.clone(), base(first).to_owned()];
        if MULTI_CALL_PROGRAMS.contains(&real_name.as_str()) {
            if let Some(inner) = rest.first().filter(|_| base(first) == real_name) {
                let words: Vec<String> =
                    std::iter::once(base(inner).to_owned()).chain(rest.iter().skip(1).cloned()).collect();
                if let Some(hit) = self.match_command(&words) {
                    return Some(hit);
                }
            }
        } else {
            names.push(real_name);
            names.push(real.to_string_lossy().into_owned());
        }
        names.dedup();
        for name in &names {
            let words: Vec<String> = std::iter::once(name.clone()).chain(rest.iter().cloned()).collect();
            if let Some(hit) = self.match_command(&words) {
                return Some(hit);
            }
        }
        let name = base(first);
        let shell =
            SHELLS.contains(&name) && rest.iter().any(|word| word.starts_with('-') && word.contains('c'));
        if shell || self.heads.contains(name) {
            let text = words.iter().map(|word| ::shell::quote(word)).collect::<Vec<_>>().join(" ");
            if let crate::Decision::Deny(hit) = self.commands.command(&text, &self.cwd, &self.home) {
                return Some(hit);
            }
        }
        None
    }

    /// The rule that denies reading the file with this real path.
    pub fn match_read(&self, real: &Path) -> Option<Hit> {
        self.file(&self.read, real)
    }

    /// The rule that denies changing, creating or removing the file with this real path.
    pub fn match_write(&self, real: &Path) -> Option<Hit> {
        self.file(&self.edit, real)
    }

    /// The deny patterns for files as extended regular expressions over real paths, for systems that take nothing else: reads
    /// and edits. Without those that a later rule makes an exception to.
    pub fn path_expressions(&self) -> (Vec<String>, Vec<String>) {
        let of = |rules: &[(Rule, PathPattern)]| {
            let denied = rules.iter().filter(|(rule, _)| rule.effect == Effect::Deny);
            denied.flat_map(|(_, pattern)| pattern.expressions()).collect()
        };
        (of(&self.read), of(&self.edit))
    }

    fn match_command(&self, words: &[String]) -> Option<Hit> {
        let text = words.join(" ");
        let folded = text.to_lowercase();
        let folded_words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let speaks = |rule: &Rule, pattern: &CommandPattern| {
            if self.commands.case_insensitive || rule.text.starts_with("PowerShell") {
                pattern.matches(&folded, &folded_words)
            } else {
                pattern.matches(&text, words)
            }
        };
        self.winner(self.shell.iter().filter(|(rule, pattern)| speaks(rule, pattern)).map(|(rule, _)| rule))
            .map(|rule| hit(rule, &text))
    }

    fn file(&self, rules: &[(Rule, PathPattern)], real: &Path) -> Option<Hit> {
        if rules.is_empty() {
            return None;
        }
        let file = FileRef::from_real_path(real);
        let speaking = rules.iter().filter(|(rule, pattern)| pattern.matches(&file, rule.effect));
        self.winner(speaking.map(|(rule, _)| rule)).map(|rule| hit(rule, &file.shown))
    }

    /// The winning deny rule among those that match.
    fn winner<'r>(&self, mut rules: impl Iterator<Item = &'r Rule>) -> Option<&'r Rule> {
        let rule = match self.commands.precedence {
            Precedence::Strictest => rules.find(|rule| rule.effect == Effect::Deny),
            Precedence::LastMatch => rules.last(),
        };
        rule.filter(|rule| rule.effect == Effect::Deny)
    }
}

fn hit(rule: &Rule, what: &str) -> Hit {
    let what = what.chars().take(200).collect();
    Hit { rule: rule.text.clone(), source: rule.source.clone(), what }
}

/// A pattern's first word, if it is literal.
fn head(rule: &Rule) -> Option<String> {
    let pattern = rule.pattern.as_deref()?.trim();
    let word = pattern.split_whitespace().next()?;
    let word = word.strip_suffix(":*").unwrap_or(word);
    (!word.is_empty() && !word.contains(['*', '?', '^', '$', '(', '[', '\\'])).then(|| word.to_owned())
}

fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(rules: &[&str]) -> RuleSet {
        let parse = |text: &&str| Rule::parse_claude(Effect::Deny, text, "settings.json", Path::new("/p"));
        RuleSet { rules: rules.iter().map(parse).collect(), ..RuleSet::default() }
    }

    fn matcher(rules: &[&str]) -> DenyMatcher {
        DenyMatcher::new(&set(rules), Path::new("/p"), Path::new("/home/dana"))
    }

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_program_is_matched_by_each_of_its_names() {
        let enforced = matcher(&["Bash(boom:*)", "Bash(git push:*)", "Bash(echo:*)"]);
        for (real, text) in [
            ("/bin/boom", "boom"),
            ("/bin/boom", "/bin/boom --now"),
            ("/bin/boom", "./other"),
            ("/usr/bin/git", "git push origin"),
            ("/usr/bin/git", "git -C x push"),
            ("/bin/busybox", "busybox boom"),
            ("/bin/busybox", "/x/boom a"),
            ("/bin/dash", "sh -c boom"),
            ("/bin/dash", "sh -c echo"),
        ] {
            assert!(enforced.match_program(Path::new(real), &words(text)).is_some(), "{text}");
        }
        for (real, text) in [
            ("/usr/bin/git", "git status"),
            ("/bin/busybox", "busybox ls"),
            ("/bin/ls", "ls boom"),
            ("/bin/dash", "sh x"),
        ] {
            assert_eq!(enforced.match_program(Path::new(real), &words(text)), None, "{text}");
        }
        assert_eq!(enforced.programs(), ["boom", "echo"]);
    }

    #[test]
    fn files_are_matched_by_their_path() {
        let enforced = matcher(&["Read(./.env)", "Read(**/*.pem)", "Read(~/.ssh/**)", "Edit(/src/**)"]);
        for path in ["/p/.env", "/p/a/.env", "/p/a/k.pem", "/home/dana/.ssh/id"] {
            assert!(enforced.match_read(Path::new(path)).is_some(), "{path}");
            assert_eq!(enforced.match_write(Path::new(path)), None, "{path}");
        }
        for path in ["/p/.env.example", "/q/.env", "/home/dana/.sshrc"] {
            assert_eq!(enforced.match_read(Path::new(path)), None, "{path}");
        }
        assert!(enforced.match_write(Path::new("/p/src/a.rs")).is_some());
    }

    #[test]
    fn patterns_have_expressions_for_systems_that_want_them() {
        let (reads, edits) =
            matcher(&["Read(**/*.pem)", "Read(./.env)", "Read(~/.ssh/**)", "Edit(//etc/a?.d)"])
                .path_expressions();
        let wanted =
            [r"^/p/(.*/)?[^/]*\.pem(/.*)?$", r"^/p/(.*/)?\.env(/.*)?$", r"^/home/dana/\.ssh/.*(/.*)?$"];
        assert_eq!(reads, wanted);
        assert_eq!(edits, [r"^/etc/a[^/]\.d(/.*)?$"]);
    }

    #[test]
    fn rules_that_deny_everything_are_not_enforced_by_the_system() {
        let enforced = matcher(&["Bash", "Bash(*)", "Read", "Read(//**)", "Edit(//dev/**)"]);
        assert!(enforced.is_empty());
    }

    #[test]
    fn where_the_last_match_wins_an_exception_behind_the_rule_applies() {
        let rule = |effect, pattern: &str| Rule {
            effect,
            target: Target::Read,
            pattern: Some(pattern.to_owned()),
            syntax: crate::Syntax::Glob,
            text: pattern.to_owned(),
            source: String::new(),
            base: PathBuf::from("/p"),
        };
        let rules =
            vec![rule(Effect::Allow, "*"), rule(Effect::Deny, "*.env"), rule(Effect::Allow, "*example.env")];
        let set = RuleSet { rules, precedence: Precedence::LastMatch, ..RuleSet::default() };
        let enforced = DenyMatcher::new(&set, Path::new("/p"), Path::new("/h"));
        assert!(enforced.match_read(Path::new("/p/a.env")).is_some());
        assert_eq!(enforced.match_read(Path::new("/p/example.env")), None);
        assert_eq!(enforced.match_read(Path::new("/usr/lib/libc.so.6")), None);
    }
}
