//! A set of rules and the decisions it comes to.
//!
//! Takes what `shell` and `script` have seen, asks every rule about every piece, and weighs the answers. The
//! order is: a layer that cannot be read, deny, ask, and allow only if every piece is allowed.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::paths::{FileRef, PathPattern};
use crate::pattern::CommandPattern;
use crate::rule::{BrokenLayer, Decision, Effect, Hit, Precedence, Rule, Target};
use crate::shell::{Part, Place, Seen, Start, see};
use crate::{domain, tool};

/// The longest piece of a command that a reply repeats, in characters.
const MAX_WHAT: usize = 200;
/// How many file names one unquoted `*` is replaced by at most.
const MAX_GLOB: usize = 2_000;

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
}

/// What one rule says about one thing.
enum Answer {
    No,
    Yes,
    /// It cannot be read, so what it forbids is unknown.
    Unknown,
}

/// The strictest answer so far.
#[derive(Default)]
struct Verdict {
    deny: Option<Hit>,
    ask: Option<Hit>,
    allow: Option<Hit>,
    /// Something was seen that nothing allows.
    unspoken: bool,
}

impl Verdict {
    fn add(&mut self, found: Option<(Effect, Hit)>) {
        match found {
            Some((Effect::Deny, hit)) => self.deny = self.deny.take().or(Some(hit)),
            Some((Effect::Ask, hit)) => self.ask = self.ask.take().or(Some(hit)),
            Some((Effect::Allow, hit)) => self.allow = Some(hit),
            None => self.unspoken = true,
        }
    }

    fn decision(self) -> Decision {
        match (self.deny, self.ask, self.allow) {
            (Some(hit), _, _) => Decision::Deny(hit),
            (None, Some(hit), _) => Decision::Ask(hit),
            (None, None, Some(hit)) if !self.unspoken => Decision::Allow(hit),
            _ => Decision::NoRule,
        }
    }
}

fn short(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(MAX_WHAT) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or("")),
        None => text.to_owned(),
    }
}

fn hit(rule: &Rule, what: &str) -> Hit {
    Hit { rule: rule.text.clone(), source: rule.source.clone(), what: short(what) }
}

fn powershell_only(rule: &Rule) -> bool {
    rule.text.starts_with("PowerShell")
}

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

    /// The decision when a layer cannot be read.
    fn closed(&self) -> Option<Decision> {
        let layer = self.broken.first()?;
        let path = layer.path.display();
        Some(Decision::Deny(Hit {
            rule: String::new(),
            source: layer.path.display().to_string(),
            what: format!(
                "settings file {path} does not parse: {}. What it forbids is unknown, so nothing is run; \
                 repair or remove the file",
                layer.reason.trim_end_matches('.')
            ),
        }))
    }

    /// The rule that wins among those about `targets` for which `answer` is yes.
    fn weigh(
        &self,
        targets: &[Target],
        answer: impl Fn(&Rule) -> Answer,
        what: &str,
    ) -> Option<(Effect, Hit)> {
        let mut best: Option<&Rule> = None;
        for rule in self.rules.iter().filter(|r| r.target == Target::Any || targets.contains(&r.target)) {
            let matched = match answer(rule) {
                Answer::Yes => true,
                Answer::No => false,
                Answer::Unknown if rule.effect == Effect::Allow => false,
                Answer::Unknown => {
                    let what = format!("rule {} cannot be understood, so it is taken to match", rule.text);
                    return Some((
                        rule.effect,
                        Hit { rule: String::new(), source: rule.source.clone(), what },
                    ));
                }
            };
            let better = match self.precedence {
                Precedence::LastMatch => true,
                Precedence::Strictest => best.is_none_or(|b| rule.effect < b.effect),
            };
            if matched && better {
                best = Some(rule);
            }
        }
        best.map(|rule| (rule.effect, hit(rule, what)))
    }

    fn host_answer(rule: &Rule, host: &str) -> Answer {
        if rule.target == Target::Any {
            return Answer::Yes;
        }
        match domain::matches(rule, host) {
            Ok(true) => Answer::Yes,
            Ok(false) => Answer::No,
            Err(_) => Answer::Unknown,
        }
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

    fn file_answer(&self, rule: &Rule, file: &FileRef, cwd: &Path, home: &Path) -> Answer {
        if rule.target == Target::Any {
            return Answer::Yes;
        }
        match PathPattern::new(rule, cwd, home, self.case_insensitive) {
            PathPattern::Unreadable => Answer::Unknown,
            pattern if pattern.matches(file, rule.effect) => Answer::Yes,
            _ => Answer::No,
        }
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
        verdict.unspoken |= seen.odd || seen.closed.is_some() || seen.parts.is_empty();
        verdict.decision()
    }
}

/// The rules made ready for one command.
struct Asked<'a> {
    set: &'a RuleSet,
    cwd: &'a Path,
    home: &'a Path,
    shell: Vec<(&'a Rule, CommandPattern)>,
    files: Vec<(&'a Rule, PathPattern)>,
}

impl<'a> Asked<'a> {
    fn new(set: &'a RuleSet, cwd: &'a Path, home: &'a Path) -> Asked<'a> {
        let about =
            |targets: &'static [Target]| set.rules.iter().filter(move |r| targets.contains(&r.target));
        let fold = |rule: &Rule| set.case_insensitive || powershell_only(rule);
        let shell = about(&[Target::Shell, Target::Any]);
        let files = about(&[Target::Read, Target::Edit]).filter(|r| r.pattern.is_some());
        Asked {
            set,
            cwd,
            home,
            shell: shell.map(|r| (r, CommandPattern::new(r, fold(r)))).collect(),
            files: files.map(|r| (r, PathPattern::new(r, cwd, home, set.case_insensitive))).collect(),
        }
    }

    /// Rules about the whole: bare `Bash`, patterns with operators in them, and what cannot be taken apart.
    fn whole(&self, start: Start<'_>, seen: &Seen, verdict: &mut Verdict) {
        let mut bare = Vec::new();
        for (rule, pattern) in &self.shell {
            match pattern {
                CommandPattern::All if rule.effect != Effect::Allow => {
                    bare.push((rule.effect, hit(rule, "every command")));
                }
                CommandPattern::Unreadable(why) if rule.effect != Effect::Allow => {
                    let what =
                        format!("rule {} cannot be understood ({why}), so it is taken to match", rule.text);
                    let hit = Hit { rule: String::new(), source: rule.source.clone(), what };
                    verdict.add(Some((rule.effect, hit)));
                }
                CommandPattern::Exact(_) | CommandPattern::Wild(_) | CommandPattern::Regex(_)
                    if rule.effect != Effect::Allow
                        && rule.pattern.as_deref().is_some_and(|p| p.contains(['|', '&', ';', '\n'])) =>
                {
                    let found = seen.chains.iter().find(|text| pattern.matches(&self.cased(rule, text), &[]));
                    if let Some(text) = found {
                        verdict.add(Some((rule.effect, hit(rule, text))));
                    }
                }
                _ => {}
            }
        }
        // Commands under last-match precedence meet these rules part by part.
        if self.set.precedence == Precedence::Strictest || !matches!(start, Start::Shell(_)) {
            bare.into_iter().for_each(|found| verdict.add(Some(found)));
        }
        if let Some(why) = seen.closed {
            let strictest = self.shell.iter().map(|(rule, _)| *rule).filter(|r| r.effect != Effect::Allow);
            if let Some(rule) = strictest.min_by_key(|r| r.effect) {
                let what = format!(
                    "the command could not be taken apart ({why}), and there are rules it may break, such as {}; \
                     write it plainer",
                    rule.text
                );
                let hit = Hit { rule: String::new(), source: rule.source.clone(), what };
                verdict.add(Some((rule.effect, hit)));
            }
        }
    }

    fn cased(&self, rule: &Rule, text: &str) -> String {
        if self.set.case_insensitive || powershell_only(rule) { text.to_lowercase() } else { text.to_owned() }
    }

    fn parts(&self, start: Start<'_>, seen: &Seen, verdict: &mut Verdict) {
        let powershell = matches!(start, Start::PowerShell(_));
        // Which parts an exact rule allows, and with them all that they wrap.
        let mut settled: Vec<bool> = Vec::with_capacity(seen.parts.len());
        let whole = match start {
            Start::Shell(text) => self.shell.iter().find(|(rule, pattern)| {
                rule.effect == Effect::Allow
                    && !powershell_only(rule)
                    && matches!(pattern, CommandPattern::Exact(_))
                    && pattern.matches(&self.cased(rule, text.trim()), &[])
            }),
            _ => None,
        };
        if let Some((rule, _)) = whole {
            verdict.allow = Some(hit(rule, rule.pattern.as_deref().unwrap_or_default()));
        }
        for part in &seen.parts {
            let inherited =
                whole.is_some() || part.parent.and_then(|p| settled.get(p)).copied().unwrap_or(false);
            let shown = part.words.join(" ");
            let mut exact = inherited;
            let mut best: Option<(Effect, &Rule)> = None;
            for (rule, pattern) in &self.shell {
                if rule.effect == Effect::Allow && powershell_only(rule) != powershell {
                    continue;
                }
                if !self.speaks(rule, pattern, part) {
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
            settled.push(exact);
            match best {
                Some((effect, rule)) => verdict.add(Some((effect, hit(rule, &shown)))),
                None if inherited || part.transparent => {}
                None => verdict.unspoken = true,
            }
        }
    }

    /// Whether the rule speaks about the part: an allow only in its strict spellings.
    fn speaks(&self, rule: &Rule, pattern: &CommandPattern, part: &Part) -> bool {
        let strict = rule.effect == Effect::Allow;
        if strict && part.sealed && !pattern.is_exact() {
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
        let forms = if strict { &part.strict_forms } else { &part.forms };
        forms.iter().any(|form| {
            if fold { pattern.matches(&form.to_lowercase(), &[]) } else { pattern.matches(form, &[]) }
        })
    }

    fn places(&self, places: &[Place], target: Target, verdict: &mut Verdict) {
        let rules: Vec<&(&Rule, PathPattern)> =
            self.files.iter().filter(|(r, _)| r.target == target).collect();
        for place in places {
            if place.redirected && target == Target::Edit && !self.is_tame(place) {
                verdict.unspoken = true;
            }
            if rules.is_empty() {
                continue;
            }
            for text in spread(place, self.home) {
                let file = FileRef::new(&text, &place.dir, self.home);
                let mut best: Option<&Rule> = None;
                for (rule, pattern) in &rules {
                    let matched = match pattern {
                        PathPattern::Unreadable => rule.effect != Effect::Allow,
                        _ => pattern.matches(&file, rule.effect),
                    };
                    let better = match self.set.precedence {
                        Precedence::LastMatch => true,
                        Precedence::Strictest => best.is_none_or(|b| rule.effect < b.effect),
                    };
                    if matched && better {
                        best = Some(*rule);
                    }
                }
                if let Some(rule) = best.filter(|r| r.effect != Effect::Allow) {
                    verdict.add(Some((rule.effect, hit(rule, &text))));
                }
            }
        }
    }

    /// Output that may go where it goes without a rule: into the folder of the session, or nowhere.
    fn is_tame(&self, place: &Place) -> bool {
        let text = place.text.as_str();
        if matches!(text, "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty" | "NUL") {
            return true;
        }
        let path = crate::paths::absolute(text, &place.dir, self.home);
        !text.contains(['$', '`']) && path.starts_with(self.cwd)
    }
}

/// The files that a place names; for one with `*` in it, those that are there.
fn spread(place: &Place, home: &Path) -> Vec<String> {
    if !place.glob {
        return vec![place.text.clone()];
    }
    let path = crate::paths::absolute(&place.text, &place.dir, home);
    let mut found = vec![std::path::PathBuf::new()];
    for part in path.components() {
        let name = part.as_os_str().to_string_lossy();
        if !name.contains(['*', '?', '[']) {
            found.iter_mut().for_each(|p| p.push(part));
            continue;
        }
        let Ok(glob) = globset::GlobBuilder::new(&name).build().map(|g| g.compile_matcher()) else {
            return vec![place.text.clone()];
        };
        let hidden = name.starts_with('.');
        let mut next = Vec::new();
        for folder in &found {
            let Ok(entries) = std::fs::read_dir(folder) else { continue };
            for entry in entries.flatten() {
                let name = entry.file_name();
                let shown = name.to_string_lossy();
                if shown.starts_with('.') == hidden && glob.is_match(shown.as_ref()) {
                    next.push(folder.join(&name));
                }
                if next.len() >= MAX_GLOB {
                    break;
                }
            }
        }
        found = next;
    }
    let mut all: Vec<String> = found.iter().map(|p| p.to_string_lossy().into_owned()).collect();
    // The pattern itself stays: where nothing matches, the shell hands it over as it is.
    all.push(place.text.clone());
    all
}
