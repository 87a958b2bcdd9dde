//! Gemini CLI's permission rules: lists in settings, and policy files. The policy rule with the highest tier and priority
//! wins, so the rules are sorted and the last match decides. A condition that can't be translated (a pattern over a tool's
//! arguments) is dropped from a rule that forbids; a rule that allows is dropped with it.

use std::path::{Path, PathBuf};

use home::{Env, Os};
use rules::{BrokenLayer, Effect, Precedence, Rule, RuleSet, Syntax, Target};
use serde_json::Value;

use super::{flags, settings_files, system_dir};
use crate::config::{self, mark_broken, read, rule_list, strings};
use crate::other_hooks::{self, UserHooks};

/// The policy engine's tiers, and the weight of the settings' lists within them.
const WORKSPACE: f64 = 3.0;
const USER: f64 = 4.0;
const ADMIN: f64 = 5.0;
const EXCLUDED: f64 = 0.4;
const ALLOWED: f64 = 0.3;

/// Its hooks before a command. Every hook reads the call's input by the name that its answer has, too.
const COMMAND_HOOKS: UserHooks<'static> = UserHooks {
    event: "BeforeTool",
    tool: "run_shell_command",
    answer: &["hookSpecificOutput", "tool_input"],
    folder_variables: &["GEMINI_PROJECT_DIR", "GEMINI_CWD", "CLAUDE_PROJECT_DIR", "extensionPath"],
};
/// More extensions aren't looked into: an agent waits for that at each call.
const MAX_EXTENSIONS: usize = 64;

/// The rules of settings and policy files, weakest first.
pub(super) fn rules(env: &Env, config_dir: &Path, root: &Path, project: &Path) -> RuleSet {
    let mut set = RuleSet {
        case_insensitive: env.os() != Os::Linux,
        precedence: Precedence::LastMatch,
        ..RuleSet::default()
    };
    let mut weighed: Vec<(f64, Rule)> = Vec::new();
    let process = flags::process(env);
    let mut policies = vec![
        (project.join(".gemini").join("policies"), WORKSPACE),
        (config_dir.join("policies"), USER),
        (system_dir(env, root).join("policies"), ADMIN),
    ];
    let allowed = flags::allowed(&process);
    let mode = if flags::asks_nobody(env) { "yolo" } else { "default" };
    for file in settings_files(env, config_dir, root, Some(project)) {
        match read(&file, config::Syntax::Comments) {
            Ok(None) => {}
            Ok(Some(settings)) => {
                set.commands_replaced |=
                    other_hooks::any_replaces(&COMMAND_HOOKS, &settings, env.home_dir(), project);
                let mut rules = settings_rules(&settings, &file, &mut set);
                // The command line's replace these.
                rules.retain(|(_, rule)| allowed.is_none() || rule.effect != Effect::Allow);
                weighed.extend(rules);
                for (key, tier) in [("policyPaths", USER), ("adminPolicyPaths", ADMIN)] {
                    let paths = strings(&settings, &[key]).into_iter();
                    policies.extend(paths.map(|path| (process.path(path, env, project), tier)));
                }
            }
            Err(reason) => set.broken.push(BrokenLayer { path: file, reason: reason.to_string() }),
        }
    }
    let extensions = [config_dir.join("extensions"), project.join(".gemini").join("extensions")];
    set.commands_replaced |=
        extensions.iter().any(|folder| extensions_replace_commands(folder, env.home_dir()));
    for text in allowed.into_iter().flatten() {
        weighed.push(listed_rule(Effect::Allow, USER + ALLOWED, &text, Path::new("the command line")));
    }
    for (option, tier) in [("--policy", USER), ("--admin-policy", ADMIN)] {
        policies.extend(flags::policies(&process, option, env, project).into_iter().map(|path| (path, tier)));
    }
    for (dir, tier) in policies {
        let files = if dir.is_file() { vec![dir] } else { toml_files(&dir) };
        for file in files {
            match read(&file, config::Syntax::Toml) {
                Ok(None) => {}
                Ok(Some(policy)) => weighed.extend(policy_rules(&policy, tier, mode, &file, &mut set)),
                Err(reason) => set.broken.push(BrokenLayer { path: file, reason: reason.to_string() }),
            }
        }
    }
    weighed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    set.rules = weighed.into_iter().map(|(_, rule)| rule).collect();
    set
}

/// Whether a hook of an extension in `folder` may replace a shell command.
fn extensions_replace_commands(folder: &Path, home: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.flatten().take(MAX_EXTENSIONS).map(|entry| entry.path()).any(|extension| {
        let hooks = extension.join("hooks").join("hooks.json");
        let hooks = config::read_or_nothing(&hooks, config::Syntax::Comments);
        other_hooks::any_replaces(&COMMAND_HOOKS, &hooks, home, &extension)
    })
}

fn toml_files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.sort();
    files
}

/// `tools.exclude` and `tools.allowed`, and their names in earlier versions.
fn settings_rules(settings: &Value, file: &Path, set: &mut RuleSet) -> Vec<(f64, Rule)> {
    let lists: [(&[&str], Effect, f64); 4] = [
        (&["tools", "exclude"], Effect::Deny, USER + EXCLUDED),
        (&["excludeTools"], Effect::Deny, USER + EXCLUDED),
        (&["tools", "allowed"], Effect::Allow, USER + ALLOWED),
        (&["allowedTools"], Effect::Allow, USER + ALLOWED),
    ];
    let mut weighed = Vec::new();
    for (keys, effect, weight) in lists {
        let texts = rule_list(set, file, settings, keys, effect);
        weighed.extend(texts.into_iter().map(|text| listed_rule(effect, weight, text, file)));
    }
    for server in rule_list(set, file, settings, &["mcp", "excluded"], Effect::Deny) {
        let pattern = Some(format!("mcp_{server}_*"));
        let text = format!("mcp.excluded: {server}");
        weighed.push((USER + 0.9, rule(Effect::Deny, Target::Mcp, pattern, Syntax::Glob, &text, file)));
    }
    weighed
}

/// `run_shell_command(git status)`, or just a tool's name.
fn listed_rule(effect: Effect, weight: f64, text: &str, file: &Path) -> (f64, Rule) {
    let (name, pattern) = rules::split_call(text);
    let (target, tool) = target(name);
    let (pattern, syntax) = match (target, pattern) {
        (Target::Mcp, _) => (tool, Syntax::Glob),
        (_, pattern) => (pattern, Syntax::Prefix),
    };
    (weight, rule(effect, target, pattern, syntax, text, file))
}

/// The `[[rule]]` tables of a policy file.
fn policy_rules(policy: &Value, tier: f64, mode: &str, file: &Path, set: &mut RuleSet) -> Vec<(f64, Rule)> {
    let tables = match policy.get("rule") {
        None => return Vec::new(),
        Some(Value::Array(tables)) => tables,
        Some(other) => {
            mark_broken(set, file, "rule", "a list of tables", other);
            return Vec::new();
        }
    };
    let mut weighed = Vec::new();
    for (at, table) in tables.iter().enumerate() {
        // A field of the wrong type drops its condition, which makes a rule that forbids apply more widely; but an invalid
        // decision drops the rule itself, and a half-valid list of names still names some tools.
        for (key, expected, usable) in [
            ("decision", "a text", is_text as fn(&Value) -> bool),
            ("toolName", "a text or a list of texts", is_one_or_many),
            ("commandPrefix", "a text or a list of texts", is_one_or_many),
            ("commandRegex", "a text", is_text),
            ("argsPattern", "a text", is_text),
            ("mcpName", "a text", is_text),
        ] {
            if let Some(found) = table.get(key).filter(|found| !usable(found)) {
                mark_broken(set, file, &format!("rule[{at}].{key}"), expected, found);
            }
        }
        weighed.extend(table_rules(table, tier, mode, file));
    }
    weighed
}

fn is_text(value: &Value) -> bool {
    value.is_string()
}

fn is_one_or_many(value: &Value) -> bool {
    value.is_string() || value.as_array().is_some_and(|many| many.iter().all(Value::is_string))
}

fn table_rules(table: &Value, tier: f64, mode: &str, file: &Path) -> Vec<(f64, Rule)> {
    let effect = match table.get("decision").and_then(Value::as_str) {
        Some("deny") => Effect::Deny,
        Some("ask_user") => Effect::Ask,
        Some("allow") => Effect::Allow,
        _ => return Vec::new(),
    };
    // The active approval mode is seldom visible from here. A rule that depends on it counts only if it
    // restricts.
    let modes = strings(table, &["modes"]);
    let conditional =
        ["subagent", "interactive", "toolAnnotations"].iter().any(|key| table.get(key).is_some());
    if effect == Effect::Allow && (conditional || !modes.is_empty() && !modes.contains(&mode)) {
        return Vec::new();
    }
    let priority = table.get("priority").and_then(Value::as_f64).unwrap_or(0.0).clamp(0.0, 999.0);
    let weight = tier + priority / 1000.0;
    let regex = table.get("commandRegex").and_then(Value::as_str).map(|regex| format!("^(?:{regex})"));
    let over_command =
        table.get("argsPattern").and_then(Value::as_str).map(|args| args.strip_prefix("\"command\":\""));
    let regex = match (regex, over_command) {
        (Some(regex), _) => Some(regex),
        (None, Some(Some(rest))) => Some(format!("^(?:{rest})")),
        (None, Some(None)) if effect == Effect::Allow => return Vec::new(),
        _ => None,
    };
    let prefixes = one_or_many(table.get("commandPrefix"));
    let mut names = one_or_many(table.get("toolName"));
    let server = table.get("mcpName").and_then(Value::as_str);
    if names.is_empty() {
        names.push(if !prefixes.is_empty() || regex.is_some() { "run_shell_command" } else { "*" });
    }
    let text = summary(table);
    let mut weighed = Vec::new();
    for name in names {
        let (target, tool) = match server {
            Some(server) => (Target::Mcp, Some(format!("mcp_{server}_{name}"))),
            None => target(name),
        };
        match target {
            Target::Shell if regex.is_some() => {
                weighed.push((weight, rule(effect, target, regex.clone(), Syntax::Regex, &text, file)));
            }
            Target::Shell if !prefixes.is_empty() => weighed.extend(prefixes.iter().map(|prefix| {
                let pattern = Some(prefix.trim().to_owned());
                (weight, rule(effect, target, pattern, Syntax::Prefix, &text, file))
            })),
            _ => weighed.push((weight, rule(effect, target, tool, Syntax::Glob, &text, file))),
        }
    }
    weighed
}

fn rule(
    effect: Effect,
    target: Target,
    pattern: Option<String>,
    syntax: Syntax,
    text: &str,
    file: &Path,
) -> Rule {
    let source = file.display().to_string();
    Rule { effect, target, pattern, syntax, text: text.to_owned(), source, base: PathBuf::from("/") }
}

/// A tool name's target, and its name pattern if the tool is an MCP server's.
fn target(name: &str) -> (Target, Option<String>) {
    match name {
        "run_shell_command" | "ShellTool" => (Target::Shell, None),
        "read_file" | "read_many_files" | "ReadFileTool" | "ReadManyFilesTool" => (Target::Read, None),
        "write_file" | "replace" | "WriteFileTool" | "EditTool" => (Target::Edit, None),
        "web_fetch" | "WebFetchTool" => (Target::Fetch, None),
        "*" => (Target::Any, None),
        // Settings used two underscores before names were unified.
        other => (Target::Mcp, Some(other.replace("__", "_"))),
    }
}

fn one_or_many(value: Option<&Value>) -> Vec<&str> {
    match value {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// A rule on one line, for replies.
fn summary(table: &Value) -> String {
    let parts: Vec<String> =
        ["toolName", "mcpName", "commandPrefix", "commandRegex", "argsPattern", "decision"]
            .iter()
            .filter_map(|key| Some(format!("{key} = {}", table.get(key)?)))
            .collect();
    format!("[[rule]] {}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(settings: &str, policy: &str) -> RuleSet {
        let dir = tempfile::tempdir().unwrap();
        let gemini = dir.path().join(".gemini");
        std::fs::create_dir_all(gemini.join("policies")).unwrap();
        std::fs::write(gemini.join("settings.json"), settings).unwrap();
        std::fs::write(gemini.join("policies/a.toml"), policy).unwrap();
        rules(&Env::for_test(dir.path()), &gemini, dir.path(), &dir.path().join("project"))
    }

    fn short(set: &RuleSet) -> Vec<(Effect, Target, Option<&str>)> {
        set.rules.iter().map(|rule| (rule.effect, rule.target, rule.pattern.as_deref())).collect()
    }

    #[test]
    fn lists_and_policies_come_in_the_order_of_their_weight() {
        let set = set(
            r#"{ // comment
              "tools": { "exclude": ["run_shell_command(rm -rf)", "web_fetch"], "allowed": ["run_shell_command(git)"] },
              "mcp": { "excluded": ["noisy"] } }"#,
            r#"
            [[rule]]
            toolName = "run_shell_command"
            commandPrefix = ["git push", "npm publish"]
            decision = "ask_user"
            priority = 850
            [[rule]]
            commandRegex = "curl .*"
            decision = "deny"
            priority = 10
            [[rule]]
            toolName = "*"
            mcpName = "db"
            decision = "deny"
            priority = 20
            [[rule]]
            toolName = "run_shell_command"
            argsPattern = "--force"
            decision = "allow"
            "#,
        );
        assert!(set.broken.is_empty());
        assert_eq!(
            short(&set),
            [
                (Effect::Deny, Target::Shell, Some("^(?:curl .*)")),
                (Effect::Deny, Target::Mcp, Some("mcp_db_*")),
                (Effect::Allow, Target::Shell, Some("git")),
                (Effect::Deny, Target::Shell, Some("rm -rf")),
                (Effect::Deny, Target::Fetch, None),
                (Effect::Ask, Target::Shell, Some("git push")),
                (Effect::Ask, Target::Shell, Some("npm publish")),
                (Effect::Deny, Target::Mcp, Some("mcp_noisy_*")),
            ]
        );
    }

    #[test]
    fn a_rule_that_allows_counts_in_its_mode_only() {
        let dir = tempfile::tempdir().unwrap();
        let gemini = dir.path().join(".gemini");
        std::fs::create_dir_all(gemini.join("policies")).unwrap();
        let rule = |prefix: &str, more: &str| {
            format!("[[rule]]\ncommandPrefix = \"{prefix}\"\ndecision = \"allow\"\n{more}\n")
        };
        let policy = [
            rule("a", "modes = [\"default\"]"),
            rule("b", "modes = [\"yolo\"]"),
            rule("c", "modes = [\"default\", \"yolo\"]"),
            rule("d", "subagent = \"reviewer\""),
            rule("e", "interactive = true"),
        ];
        std::fs::write(gemini.join("policies/a.toml"), policy.concat()).unwrap();
        let allowed = |words: &[&str]| -> Vec<String> {
            let words = words.iter().map(ToString::to_string).collect();
            let caller = home::Caller { pid: 1, words, terminal: Some(false), cwd: None };
            let env = Env::for_test(dir.path()).with_callers(vec![caller]);
            let set = rules(&env, &gemini, dir.path(), &dir.path().join("project"));
            set.rules.into_iter().filter_map(|rule| rule.pattern).collect()
        };
        assert_eq!(allowed(&["gemini", "-p", "hi"]), ["a", "c"]);
        assert_eq!(allowed(&["gemini", "--yolo", "-p", "hi"]), ["b", "c"]);
    }

    #[test]
    fn a_file_that_does_not_parse_is_reported() {
        let set = set("{\"tools\":{},}", "[[rule]\n");
        assert_eq!(set.broken.len(), 2);
    }
}
