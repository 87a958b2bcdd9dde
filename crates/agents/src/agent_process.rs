//! The agent process above this one: its command line, its folder, and whether the words are visible.
//!
//! Rules may be on a command line and in no file. Finds the agent among the ancestor processes and parses its words into
//! options; each agent knows what its options mean. Reads no files.

use std::path::{Path, PathBuf};

use home::Env;

/// How to recognise an agent among processes, and how to parse its options.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProcessPattern {
    /// Its program's names, without the Windows extension.
    pub(crate) programs: &'static [&'static str],
    /// Parts of its script's path, if a JavaScript runtime runs it.
    pub(crate) scripts: &'static [&'static str],
    /// Options whose value is the next word, so that the value isn't taken for an option.
    pub(crate) value_options: &'static [&'static str],
    /// Options that take all following words up to the next option.
    pub(crate) list_options: &'static [&'static str],
}

/// What is visible of an agent's process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct AgentProcess {
    /// Its options in order, with dashes, and their values.
    pub(crate) options: Vec<(String, Vec<String>)>,
    /// The other words.
    pub(crate) words: Vec<String>,
    /// Its working folder.
    pub(crate) cwd: Option<PathBuf>,
    /// Whether its standard input and output are a terminal, if the system tells.
    pub(crate) terminal: Option<bool>,
    /// Whether the agent is among the ancestor processes.
    pub(crate) found: bool,
    /// Whether the system or the agent hides the command line's words.
    pub(crate) hidden: bool,
}

impl AgentProcess {
    /// The values of every option with one of these names, in order.
    pub(crate) fn values<'a>(&'a self, names: &'a [&str]) -> impl Iterator<Item = &'a str> {
        self.options
            .iter()
            .filter(|(name, _)| names.contains(&name.as_str()))
            .flat_map(|(_, values)| values.iter().map(String::as_str))
    }

    /// The value of the last option with one of these names.
    pub(crate) fn last<'a>(&'a self, names: &'a [&str]) -> Option<&'a str> {
        self.values(names).last()
    }

    /// Whether one of these options was given.
    pub(crate) fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|(name, _)| names.contains(&name.as_str()))
    }

    /// A path from the command line, relative to the agent's working folder.
    pub(crate) fn path(&self, value: &str, env: &Env, project: &Path) -> PathBuf {
        match value.strip_prefix("~/") {
            Some(rest) => env.home_dir().join(rest),
            None => self.cwd.as_deref().unwrap_or(project).join(value),
        }
    }
}

/// The nearest ancestor process that is the agent.
pub(crate) fn find(env: &Env, pattern: &ProcessPattern) -> AgentProcess {
    for caller in env.callers() {
        if caller.words.is_empty() {
            return AgentProcess { hidden: true, ..AgentProcess::default() };
        }
        if let Some(rest) = arguments(&caller.words, pattern) {
            let mut process = parse(rest, pattern);
            process.hidden = is_overwritten(&caller.words);
            process.cwd.clone_from(&caller.cwd);
            process.terminal = caller.terminal;
            process.found = true;
            return process;
        }
    }
    AgentProcess::default()
}

/// The words after the agent's program or script; `None` for another process.
fn arguments<'a>(line: &'a [String], pattern: &ProcessPattern) -> Option<&'a [String]> {
    let (first, rest) = line.split_first()?;
    let program = name(first);
    if pattern.programs.contains(&program.as_str()) {
        return Some(rest);
    }
    if !matches!(program.as_str(), "node" | "nodejs" | "bun" | "deno") {
        return None;
    }
    let at = rest.iter().position(|word| !word.starts_with('-') && word != "run")?;
    let script = rest[at].replace('\\', "/");
    let named = pattern.programs.contains(&name(&script).as_str());
    let ours = named || pattern.scripts.iter().any(|piece| script.contains(piece));
    ours.then(|| rest.get(at + 1..).unwrap_or_default())
}

/// A program's file name, without the Windows extension.
fn name(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word).to_ascii_lowercase();
    name.strip_suffix(".exe").map_or(name.clone(), str::to_owned)
}

/// Whether a process overwrote its words with a title: the rest are then empty.
fn is_overwritten(line: &[String]) -> bool {
    line.len() > 2 && line.iter().skip(1).all(String::is_empty)
}

fn parse(words: &[String], pattern: &ProcessPattern) -> AgentProcess {
    let mut process = AgentProcess::default();
    let mut words = words.iter().map(String::as_str).peekable();
    while let Some(word) = words.next() {
        if word == "--" {
            process.words.extend(words.by_ref().map(str::to_owned));
            break;
        }
        if !is_option(word) {
            process.words.push(word.to_owned());
            continue;
        }
        let (name, glued) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => joined_short_option(word, pattern).unwrap_or((word, None)),
        };
        let name = kebab_case(name);
        let mut values: Vec<String> = glued.map(str::to_owned).into_iter().collect();
        if pattern.list_options.contains(&name.as_str()) {
            while let Some(value) = words.next_if(|word| glued.is_none() && !is_option(word) && *word != "--")
            {
                values.push(value.to_owned());
            }
        } else if pattern.value_options.contains(&name.as_str()) && glued.is_none() {
            values.extend(words.next().map(str::to_owned));
        }
        process.options.push((name, values));
    }
    process
}

fn is_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-') && !word[1..].starts_with(|c: char| c.is_ascii_digit())
}

/// `-sread-only`: a short option joined with its value.
fn joined_short_option<'a>(word: &'a str, pattern: &ProcessPattern) -> Option<(&'a str, Option<&'a str>)> {
    let short = word.get(..2).filter(|short| word.len() > 2 && !short.ends_with('-'))?;
    pattern.value_options.contains(&short).then(|| (short, word.get(2..)))
}

/// `--approvalMode` as `--approval-mode`, for parsers that take both.
fn kebab_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 2);
    for c in name.chars() {
        if c.is_ascii_uppercase() && name.starts_with("--") {
            out.push('-');
        }
        out.push(if name.starts_with("--") { c.to_ascii_lowercase() } else { c });
    }
    out
}

/// A word split at commas outside brackets; with `blanks`, at blanks too.
pub(crate) fn split_list(value: &str, blanks: bool) -> Vec<String> {
    let mut depth = 0_usize;
    let parted = value.split(|c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c == ',' || blanks && c.is_whitespace())
    });
    parted.map(str::trim).filter(|entry| !entry.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use home::Caller;

    const PATTERN: ProcessPattern = ProcessPattern {
        programs: &["heron"],
        scripts: &["/@birds/heron/"],
        value_options: &["-p", "--mode", "-s"],
        list_options: &["--deny-tool"],
    };

    fn process(lines: &[&[&str]]) -> AgentProcess {
        let lines = lines.iter().map(|line| line.iter().map(ToString::to_string).collect::<Vec<String>>());
        find(&Env::for_test("/home/ana").with_callers(lines.collect()), &PATTERN)
    }

    fn option_lines(process: &AgentProcess) -> Vec<String> {
        process.options.iter().map(|(name, values)| format!("{name} {}", values.join("|"))).collect()
    }

    #[test]
    fn options_and_their_values_are_distinguished_from_other_words() {
        for (line, options) in [
            (vec!["heron"], vec![]),
            (
                vec!["/opt/heron", "--deny-tool", "shell(rm)", "b", "--all"],
                vec!["--deny-tool shell(rm)|b", "--all "],
            ),
            (vec!["C:\\bin\\Heron.EXE", "--deny-tool=a b"], vec!["--deny-tool a b"]),
            // A value in an option's shape isn't an option, nor is anything after two dashes.
            (vec!["heron", "-p", "--deny-tool", "x", "--", "--deny-tool", "y"], vec!["-p --deny-tool"]),
            (vec!["heron", "-sread", "--denyTool", "x"], vec!["-s read", "--deny-tool x"]),
            (
                vec!["node", "--max-old-space-size=1", "/lib/@birds/heron/cli.js", "--mode", "plan"],
                vec!["--mode plan"],
            ),
            (vec!["bun", "/usr/bin/heron", "--all"], vec!["--all "]),
        ] {
            let found = process(&[&["sh", "-c", "heron --deny-tool no"], &line]);
            assert_eq!(
                (option_lines(&found), found.hidden, found.found),
                (options.iter().map(ToString::to_string).collect(), false, true),
                "{line:?}"
            );
        }
        assert!(!process(&[&["bash", "heron", "--all"]]).found);
    }

    #[test]
    fn a_command_line_that_cannot_be_seen_is_marked_hidden() {
        assert!(process(&[&["heron", "", "", ""]]).hidden);
        assert!(!process(&[&["heron", ""]]).hidden);
        // Another user's process, or one outside this namespace, has no visible words.
        assert!(process(&[&["sh"], &[]]).hidden);
        assert!(!process(&[&["heron", "-p", "x"], &[]]).hidden);
        assert!(!process(&[]).hidden);
        assert_eq!(Caller::default().words, Vec::<String>::new());
    }

    #[test]
    fn entries_are_split_only_outside_brackets() {
        assert_eq!(split_list("Bash(rm:*),Write Edit", true), ["Bash(rm:*)", "Write", "Edit"]);
        assert_eq!(split_list("shell(git push),write", false), ["shell(git push)", "write"]);
        assert_eq!(split_list("Bash(a, b)", true), ["Bash(a, b)"]);
    }
}
