//! Copilot CLI's permission rules: addresses in its settings, and the rules on its command line
//! (`copilot help permissions`). Owns how its patterns translate into rules. Read-only.

use std::path::{Path, PathBuf};

use home::{Env, Os};
use rules::{BrokenLayer, Effect, Rule, RuleSet, Syntax as Pattern, Target, split_call};

use crate::agent_process::{self, AgentProcess, ProcessPattern, split_list};
use crate::config::{self, Syntax};

/// How to recognise Copilot CLI, and its options that take values (`--help` of 1.0.102).
const PATTERN: ProcessPattern = ProcessPattern {
    programs: &[
        "copilot",
        "copilot-linux-x64",
        "copilot-linux-arm64",
        "copilot-darwin-x64",
        "copilot-darwin-arm64",
    ],
    scripts: &["/@github/copilot/", "/@github/copilot-"],
    value_options: &[
        "-C",
        "-i",
        "-n",
        "-p",
        "--add-github-mcp-tool",
        "--add-github-mcp-toolset",
        "--additional-mcp-config",
        "--agent",
        "--attachment",
        "--auto-tier",
        "--context",
        "--disable-mcp-server",
        "--dynamic-retrieval",
        "--enable-mcp-server",
        "--environment-compute-id",
        "--environment-host",
        "--extension-sdk-path",
        "--interactive",
        "--log-dir",
        "--log-level",
        "--max-ai-credits",
        "--max-autopilot-continues",
        "--mcp-github-auth",
        "--mode",
        "--model",
        "--name",
        "--output-format",
        "--plugin-dir",
        "--prompt",
        "--reasoning-effort",
        "--session-id",
        "--stream",
        "--usage-output-file",
        "--add-dir",
    ],
    list_options: &[
        "--allow-tool",
        "--allow-url",
        "--available-tools",
        "--bash-env",
        "--connect",
        "--deny-tool",
        "--deny-url",
        "--excluded-tools",
        "--mouse",
        "--resume",
        "--secret-env-vars",
        "--share",
    ],
};

const COMMAND_LINE: &str = "the command line";

/// The command line of the Copilot CLI above this process.
pub(super) fn process(env: &Env) -> AgentProcess {
    agent_process::find(env, &PATTERN)
}

/// Rules from the settings, which have addresses only, and from the command line.
pub(super) fn rules(env: &Env, dir: &Path, project: &Path) -> RuleSet {
    let mut set = RuleSet { case_insensitive: env.os() != Os::Linux, ..RuleSet::default() };
    let github = project.join(".github").join("copilot");
    let mut files = ["config.json", "settings.json"].map(|name| (dir.join(name), true)).to_vec();
    // A repository may forbid, but not grant itself anything.
    files.extend(["settings.json", "settings.local.json"].map(|name| (github.join(name), false)));
    for (file, allows) in files {
        let source = file.display().to_string();
        match config::read(&file, Syntax::Jsonc) {
            Ok(None) => {}
            Err(reason) => set.broken.push(BrokenLayer { path: file, reason: reason.to_string() }),
            Ok(Some(value)) => {
                let keys = [
                    ("denied_urls", Effect::Deny),
                    ("deniedUrls", Effect::Deny),
                    ("allowed_urls", Effect::Allow),
                    ("allowedUrls", Effect::Allow),
                ];
                for (key, effect) in keys.into_iter().filter(|(_, effect)| allows || *effect == Effect::Deny)
                {
                    let urls = config::rule_list(&mut set, &file, &value, &[key], effect);
                    set.rules.extend(urls.into_iter().map(|url| url_rule(effect, url, &source, dir)));
                }
            }
        }
    }
    let process = process(env);
    let base = process.cwd.clone().unwrap_or_else(|| project.to_owned());
    set.rules.extend(command_line_rules(&process, &base));
    set
}

/// The command line's rules.
fn command_line_rules(process: &AgentProcess, base: &Path) -> Vec<Rule> {
    let mut rules = Vec::new();
    for (option, effect) in [("--deny-tool", Effect::Deny), ("--allow-tool", Effect::Allow)] {
        for value in process.values(&[option]) {
            rules.extend(split_list(value, false).iter().filter_map(|text| tool_rule(effect, text, base)));
        }
    }
    for (option, effect) in [("--deny-url", Effect::Deny), ("--allow-url", Effect::Allow)] {
        for value in process.values(&[option]) {
            let urls = split_list(value, false);
            rules.extend(urls.iter().map(|url| url_rule(effect, url, COMMAND_LINE, base)));
        }
    }
    // A removed built-in tool must not come back as one of Plimsoll's.
    for value in process.values(&["--excluded-tools"]) {
        for text in split_list(value, false) {
            let target = match text.as_str() {
                "bash" | "shell" | "powershell" => Target::Shell,
                "view" => Target::Read,
                "web_fetch" => Target::Fetch,
                _ => continue,
            };
            rules.push(rule(
                Effect::Deny,
                target,
                None,
                Pattern::Prefix,
                format!("--excluded-tools {text}"),
                base,
            ));
        }
    }
    rules
}

/// `shell(git push)`, `shell(git:*)`, `write(.env)`, `url(github.com)`, `server(tool)`.
fn tool_rule(effect: Effect, text: &str, base: &Path) -> Option<Rule> {
    let (kind, argument) = split_call(text);
    let argument = argument.filter(|argument| !matches!(argument.as_str(), "*" | ":*"));
    let make = |target, pattern, syntax| rule(effect, target, pattern, syntax, text.to_owned(), base);
    Some(match kind {
        "shell" | "bash" | "powershell" => {
            // The rule gives a command's first words, in full; with `:*`, further words may follow.
            let words = argument.map(|argument| argument.trim_end_matches(":*").trim().to_owned());
            make(Target::Shell, words.filter(|words| !words.is_empty()), Pattern::Prefix)
        }
        "write" => make(Target::Edit, Some(file_pattern(argument.as_deref())), Pattern::ClaudeCode),
        "read" => match argument {
            None => make(Target::Read, None, Pattern::ClaudeCode),
            Some(path) => make(Target::Read, Some(file_pattern(Some(&path))), Pattern::ClaudeCode),
        },
        "url" => match argument {
            Some(url) => Rule { text: text.to_owned(), ..url_rule(effect, &url, COMMAND_LINE, base) },
            None => make(Target::Fetch, None, Pattern::Prefix),
        },
        "*" => make(Target::Any, None, Pattern::Glob),
        // Copilot guards MCP tools itself, Plimsoll's included.
        server => {
            let tool = argument.unwrap_or_else(|| "*".to_owned());
            make(Target::Mcp, Some(format!("{server}-{tool}")), Pattern::Glob)
        }
    })
}

/// A path as a gitignore pattern: a relative one matches its last parts at any depth.
fn file_pattern(path: Option<&str>) -> String {
    match path {
        None => "//**".to_owned(),
        Some(path) if path.starts_with("~/") => path.to_owned(),
        Some(path) if path.starts_with('/') => format!("/{path}"),
        Some(path) => format!("//**/{}", path.trim_start_matches("./")),
    }
}

fn rule(
    effect: Effect,
    target: Target,
    pattern: Option<String>,
    syntax: Pattern,
    text: String,
    base: &Path,
) -> Rule {
    Rule { effect, target, pattern, syntax, text, source: COMMAND_LINE.to_owned(), base: PathBuf::from(base) }
}

/// `github.com`, `https://github.com/x` or `*.github.com`: the host decides.
fn url_rule(effect: Effect, url: &str, source: &str, base: &Path) -> Rule {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let pattern = (!matches!(host, "" | "*")).then(|| host.trim_start_matches("*.").to_owned());
    Rule {
        effect,
        target: Target::Fetch,
        pattern,
        syntax: Pattern::Prefix,
        text: url.to_owned(),
        source: source.to_owned(),
        base: base.to_path_buf(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Decision;

    fn set(line: &[&str]) -> RuleSet {
        let line: Vec<String> = line.iter().map(ToString::to_string).collect();
        let env = Env::for_test("/h").with_callers(vec![line]);
        rules(&env, Path::new("/h/.copilot"), Path::new("/w"))
    }

    fn denied(set: &RuleSet, command: &str) -> bool {
        matches!(set.command(command, Path::new("/w"), Path::new("/h")), Decision::Deny(_))
    }

    #[test]
    fn what_the_command_line_denies_is_denied() {
        let one = set(&["copilot", "-p", "hi", "--allow-all", "--deny-tool", "shell(rm)", "--model", "m"]);
        for command in ["rm x", "rm -rf x", "sudo rm x", "true && rm x", "sh -c 'rm x'", "/bin/rm x"] {
            assert!(denied(&one, command), "{command}");
        }
        for command in ["rmdir x", "echo rm", "ls"] {
            assert!(!denied(&one, command), "{command}");
        }
        let many = set(&[
            "copilot",
            "--deny-tool=shell(git push),shell(npm:*)",
            "--deny-tool",
            "write(.env)",
            "url(evil.example)",
        ]);
        for command in ["git push -f", "npm i x", "echo a > sub/.env", "curl https://evil.example/x"] {
            assert!(denied(&many, command), "{command}");
        }
        assert!(!denied(&many, "git status") && !denied(&many, "echo a > b.env"));
        assert!(denied(&set(&["copilot", "--deny-tool", "shell"]), "ls"));
        assert!(denied(&set(&["copilot", "--excluded-tools", "bash"]), "ls"));
        assert!(set(&["copilot", "--deny-url", "https://*.evil.example"]).fetch("a.evil.example").is_deny());
        assert!(
            set(&["copilot", "-p", "--deny-tool shell(ls)"]).rules.is_empty(),
            "a prompt forbids nothing"
        );
    }

    #[test]
    fn a_repository_forbids_and_does_not_allow() {
        let dir = tempfile::tempdir().unwrap();
        let github = dir.path().join(".github/copilot");
        std::fs::create_dir_all(&github).unwrap();
        std::fs::write(
            github.join("settings.json"),
            r#"{"allowedUrls":["a.example"],"deniedUrls":["b.example"]}"#,
        )
        .unwrap();
        let set = rules(&Env::for_test("/h"), Path::new("/h/.copilot"), dir.path());
        assert!(set.fetch("b.example").is_deny());
        assert_eq!(set.fetch("a.example"), Decision::NoRule);
    }
}
