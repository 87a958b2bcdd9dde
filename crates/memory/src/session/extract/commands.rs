//! Facts from shell commands and their results: failures and their resolutions, commits and branches, reverts,
//! installations. `rules` splits the command lines.

use agents::{Output, ToolCall};
use serde_json::Value;

use super::outcome::{Outcome, first_failure, outcome};
use crate::session::fact::{Category, Fact, State};

/// Maximum length of a command line, in bytes: a longer one contains a file.
const MAX_COMMAND: usize = 16 * 1024;
/// Maximum length of a recorded command, in characters.
const MAX_RECORDED: usize = 240;

/// Programs that only inspect, prepare or wrap: their failure is an answer, and they don't name a command.
const INSPECTING: [&str; 50] = [
    "cd", "pushd", "popd", "export", "set", "unset", "source", ".", "echo", "printf", "true", "false", ":",
    "tail", "head", "grep", "rg", "egrep", "fgrep", "ag", "cat", "bat", "tee", "sort", "uniq", "wc", "mkdir",
    "sleep", "clear", "pwd", "less", "more", "ls", "tree", "find", "fd", "which", "command", "type", "test",
    "[", "[[", "diff", "cmp", "pgrep", "pkill", "kill", "sed", "awk", "read",
];

/// Flags that change the output and not the effect.
const NOISE: [&str; 11] = [
    "-q",
    "--quiet",
    "-v",
    "-vv",
    "--verbose",
    "--nocapture",
    "--no-color",
    "--color=always",
    "--color=never",
    "-s",
    "--silent",
];

/// A command line in the form that is compared and recorded.
struct Line {
    /// The effective commands without quotes, wrappers and noise.
    parts: Vec<String>,
    /// The parts joined.
    text: String,
    /// The program and its subcommand: `cargo test`.
    kind: String,
    /// Whether the exit code belongs to a later command in a pipe.
    hidden: bool,
}

/// The facts from a command and its result. `failed` is the host's verdict.
pub(super) fn facts(command: &str, output: Option<&Output>, failed: bool) -> Vec<Fact> {
    let Some(line) = line(command) else { return Vec::new() };
    let text = output.map_or("", |output| output.text.as_str());
    result_facts(command, &line, outcome(output, failed, line.hidden), text)
}

/// Beginnings of the replies about code that never ran. That a rule denies it is the user's choice, and nothing to resolve.
const NEVER_RAN: [&str; 3] = ["error denied: ", "error invalid_argument: ", "error runtime_missing: "];

/// The same for one of Plimsoll's tools that runs commands.
pub(super) fn own_tool_facts(tool: &str, call: &ToolCall, failed: bool) -> Vec<Fact> {
    let text = |key: &str| call.input.get(key).and_then(Value::as_str).unwrap_or_default();
    match tool {
        "execute" if ["shell", "sh", "bash", "zsh"].contains(&text("language")) => {
            let background = call.input.get("background").and_then(Value::as_bool) == Some(true);
            let code = if text("code").is_empty() { text("command") } else { text("code") };
            let reply = call.output.as_ref().map_or("", |output| output.text.as_str());
            let never_ran = NEVER_RAN.iter().any(|begin| reply.starts_with(begin));
            if background || never_ran { Vec::new() } else { facts(code, call.output.as_ref(), failed) }
        }
        "batch" => batch(call),
        _ => Vec::new(),
    }
}

/// The commands of a batch with their results, from the reply's headings.
fn batch(call: &ToolCall) -> Vec<Fact> {
    let output = call.output.as_ref().map_or("", |output| output.text.as_str());
    let commands = call.input.get("commands").and_then(Value::as_array).into_iter().flatten();
    commands
        .filter_map(|one| {
            let command = one.get("command")?.as_str()?;
            let label = one.get("label").and_then(Value::as_str).unwrap_or(command);
            let (_, after) = output.split_once(&format!("## {label} (exit code "))?;
            let body = after.split("\n## ").next().unwrap_or(after);
            let code: i64 = body.split(',').next()?.trim().parse().ok()?;
            let line = line(command)?;
            let end = if code == 0 { Outcome::Passed } else { Outcome::Failed };
            let printed = body.split_once('\n').map_or("", |(_, printed)| printed);
            Some(result_facts(command, &line, end, printed))
        })
        .flatten()
        .collect()
}

fn result_facts(command: &str, line: &Line, end: Outcome, output: &str) -> Vec<Fact> {
    match end {
        Outcome::Failed => vec![
            Fact::new(Category::Error, 2, line.text.clone())
                .detail(first_failure(output))
                .subject(line.kind.clone())
                .key(format!("run {}", line.text))
                .state(State::Open),
        ],
        Outcome::Unknown => Vec::new(),
        Outcome::Passed => {
            let mut facts =
                vec![Fact::new(Category::Resolution, 3, line.text.clone()).subject(line.kind.clone())];
            for part in &line.parts {
                facts.extend(git(command, part, output));
                facts.extend(environment(part));
            }
            facts
        }
    }
}

/// A command line; `None` if it only inspects.
fn line(command: &str) -> Option<Line> {
    let command = &command[..command.floor_char_boundary(MAX_COMMAND)];
    let all: Vec<String> = rules::written_parts(command);
    let mut parts: Vec<String> = Vec::new();
    for (at, part) in all.iter().enumerate() {
        // A wrapper (`sudo`, `timeout`) is followed by the command that it wraps.
        let wraps = all.get(at + 1).is_some_and(|next| part.ends_with(&format!(" {next}")));
        let part = words(without_runner(part)).join(" ");
        let program = program(&part);
        if !wraps && !program.is_empty() && !INSPECTING.contains(&program.as_str()) && !parts.contains(&part)
        {
            parts.push(part);
        }
    }
    let first = parts.first()?;
    let text: String = parts.join(" && ").chars().take(MAX_RECORDED).collect();
    Some(Line { kind: kind(first), hidden: is_hidden(command), text, parts })
}

/// The command without Plimsoll's runner before it.
fn without_runner(part: &str) -> &str {
    let after = ["plimsoll run ", "plimsoll.exe run "].iter().find_map(|ours| {
        let (before, after) = part.split_once(ours)?;
        // The launcher is at the beginning, whatever its folder's name.
        (before.is_empty() || before.ends_with(['/', '\\'])).then_some(after)
    });
    after
        .and_then(|after| after.strip_prefix("-- ").or_else(|| Some(after.split_once(" -- ")?.1)))
        .unwrap_or(part)
}

fn words(part: &str) -> Vec<&str> {
    part.split_whitespace().filter(|word| !NOISE.contains(word)).collect()
}

fn program(part: &str) -> String {
    let first = part.split(' ').next().unwrap_or_default();
    let name = first.rsplit(['/', '\\']).next().unwrap_or(first);
    name.strip_suffix(".exe").unwrap_or(name).to_owned()
}

/// The program with its subcommand: `cargo test`, `npm run build`, `pytest`.
fn kind(part: &str) -> String {
    let mut rest = part.split(' ').skip(1).filter(|word| !word.starts_with('-') && !word.starts_with('+'));
    let mut kind = program(part);
    let Some(first) = rest.next() else { return kind };
    // A file name isn't a subcommand.
    if first.contains(['/', '.', '=']) {
        return kind;
    }
    kind = format!("{kind} {first}");
    if ["run", "exec", "x", "compose", "pip"].contains(&first)
        && let Some(second) = rest.next()
    {
        kind = format!("{kind} {second}");
    }
    kind
}

/// Whether the line ends in a pipe, whose exit code is the last program's.
fn is_hidden(command: &str) -> bool {
    if command.contains("pipefail") {
        return false;
    }
    let mut quote = None;
    let mut before = ' ';
    let mut characters = command.chars().peekable();
    while let Some(c) = characters.next() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == '|' && before != '|' && characters.peek() != Some(&'|') => return true,
            // `|| true` and `; echo` hide it as well.
            None if c == '|' || c == ';' => {
                let rest: String =
                    characters.clone().skip_while(|c| *c == '|' || c.is_whitespace()).take(5).collect();
                if rest.starts_with("true") || rest.starts_with("echo") || rest.starts_with(':') {
                    return true;
                }
            }
            None => {}
        }
        before = c;
    }
    false
}

/// Commits, branches and reverts.
fn git(command: &str, part: &str, output: &str) -> Option<Fact> {
    let words: Vec<&str> = part.split(' ').collect();
    if program(part) != "git" {
        return None;
    }
    let mut rest = words.get(1..)?;
    while let [flag, _, ..] = rest
        && (*flag == "-C" || *flag == "-c")
    {
        rest = rest.get(2..)?;
    }
    let has = |flags: &[&str]| rest.iter().any(|word| flags.contains(word));
    let as_is = |category: Category, priority: u8| {
        let text: String = part.chars().take(MAX_RECORDED).collect();
        Some(Fact::new(category, priority, text).subject(*rest.first().unwrap_or(&"")))
    };
    match *rest.first()? {
        "commit" => {
            let message = commit_summary(output).or_else(|| message(command))?;
            Some(Fact::new(Category::Git, 2, format!("commit: {message}")).subject("commit"))
        }
        "checkout" if has(&["-b", "-B"]) => as_is(Category::Git, 3),
        "switch" if has(&["-c", "-C", "--create"]) => as_is(Category::Git, 3),
        "merge" | "rebase" | "cherry-pick" | "push" | "tag" if !has(&["--abort", "-l", "--list", "-n"]) => {
            as_is(Category::Git, 3)
        }
        "revert" | "restore" if !has(&["--staged"]) => as_is(Category::Rejected, 2),
        "checkout" if has(&["--"]) || rest.get(1).is_some_and(|word| *word == ".") => {
            as_is(Category::Rejected, 2)
        }
        "reset" if has(&["--hard"]) => as_is(Category::Rejected, 2),
        _ => None,
    }
}

/// Branch and subject from git's output for a commit: `[main 1a2b3c4] Totals are rounded once`.
fn commit_summary(output: &str) -> Option<String> {
    output.lines().find_map(|line| {
        let (place, subject) = line.trim().strip_prefix('[')?.split_once("] ")?;
        let hash = place.rsplit(' ').next()?;
        let known = hash.len() >= 7 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        let branch = place.split(' ').next()?;
        (known && !subject.trim().is_empty()).then(|| format!("{} (on {branch})", subject.trim()))
    })
}

/// The message after `-m`: the quoted text, or the first line of a heredoc in its place.
fn message(command: &str) -> Option<String> {
    let (_, rest) = command.split_once(" -m ").or_else(|| command.split_once(" --message="))?;
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|c| *c == '"' || *c == '\'')?;
    let inner = rest.get(1..)?;
    let text = match inner.strip_prefix("$(cat <<") {
        Some(document) => document.split_once('\n')?.1,
        None => inner.split(quote).next()?,
    };
    let subject = text.lines().find(|line| !line.trim().is_empty())?.trim();
    Some(subject.to_owned())
}

/// An installation or activation.
fn environment(part: &str) -> Option<Fact> {
    const SETTING: [(&str, &[&str]); 22] = [
        ("npm", &["install", "i", "add", "uninstall", "remove"]),
        ("pnpm", &["add", "install", "remove"]),
        ("yarn", &["add", "remove"]),
        ("bun", &["add", "install", "remove"]),
        ("cargo", &["add", "remove", "install"]),
        ("rustup", &["default", "override", "component", "target", "toolchain"]),
        ("pip", &["install", "uninstall"]),
        ("pip3", &["install", "uninstall"]),
        ("uv", &["add", "remove", "pip"]),
        ("poetry", &["add", "remove"]),
        ("go", &["get", "install"]),
        ("gem", &["install"]),
        ("bundle", &["add"]),
        ("composer", &["require", "remove"]),
        ("apt", &["install"]),
        ("apt-get", &["install"]),
        ("brew", &["install"]),
        ("dnf", &["install"]),
        ("nvm", &["use", "install"]),
        ("pyenv", &["local", "global", "install"]),
        ("docker", &["compose"]),
        ("asdf", &["install", "local", "global"]),
    ];
    let words: Vec<&str> = part.split(' ').collect();
    let name = program(part);
    let (_, verbs) = SETTING.iter().find(|(tool, _)| *tool == name)?;
    let mut plain = words.iter().skip(1).filter(|word| !word.starts_with('-'));
    let verb = plain.next()?;
    // Installing the declared dependencies changes nothing worth recording.
    let what = plain.next()?;
    let starts = name != "docker" || *what == "up";
    let text: String = part.chars().take(MAX_RECORDED).collect();
    (verbs.contains(verb) && starts).then(|| Fact::new(Category::Environment, 3, text))
}

#[cfg(test)]
mod tests {
    use agents::ToolKind;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_never_ran_leaves_nothing_to_resolve() {
        for (reply, failures) in [
            ("error denied: this command is denied: rule Bash(git push:*) matches 'git push'", 0),
            ("error invalid_argument: execute: unknown argument command; allowed: language", 0),
            ("error failed: exit code 1\nfatal: No configured push destination.", 1),
        ] {
            let output =
                Output { text: reply.into(), raw: json!(reply), failed: true, exit: None, full_in: None };
            let call = ToolCall {
                name: "mcp__plimsoll__execute".into(),
                kind: ToolKind::Ours("execute".into()),
                input: json!({"language": "shell", "code": "git push"}),
                output: Some(output),
                id: None,
            };
            let facts = own_tool_facts("execute", &call, true);
            let open = facts.iter().filter(|fact| fact.category == Category::Error).count();
            assert_eq!(open, failures, "{reply}");
        }
    }
}
