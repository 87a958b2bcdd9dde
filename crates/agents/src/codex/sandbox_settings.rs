//! What Codex's settings and command line keep from being read and written: the sandbox mode, the active permission
//! profile, an administrator's requirements. Owns which layer wins. Read-only.

use std::path::{Path, PathBuf};

use home::{Env, Os};
use rules::{BrokenLayer, Effect, Rule, RuleSet, Syntax as Pattern, Target};
use serde_json::{Map, Value};

use crate::agent_process::{self, AgentProcess, ProcessPattern};
use crate::config::{self, Syntax, at, strings};

/// How to recognise Codex, and its options that take values (`--help` of 0.169.0).
const PATTERN: ProcessPattern = ProcessPattern {
    programs: &["codex"],
    scripts: &["/@openai/codex/"],
    value_options: &[
        "-C",
        "-a",
        "-c",
        "-i",
        "-m",
        "-o",
        "-p",
        "-s",
        "--add-dir",
        "--ask-for-approval",
        "--cd",
        "--color",
        "--config",
        "--cyber-access-program",
        "--disable",
        "--enable",
        "--image",
        "--local-provider",
        "--model",
        "--output-last-message",
        "--output-schema",
        "--profile",
        "--remote",
        "--remote-auth-token-env",
        "--sandbox",
        "--thread-source",
    ],
    list_options: &[],
};

/// Folders that a read-only sandbox protects from writes, besides the project and the home folder.
const READ_ONLY_FOLDERS: [&str; 9] =
    ["/etc", "/usr", "/opt", "/srv", "/mnt", "/media", "/home", "/root", "/Users"];

const COMMAND_LINE: &str = "the command line";
/// The mode in which commands write nothing.
pub(super) const READ_ONLY: &str = "read-only";

/// The command line of the Codex above this process.
pub(super) fn process(env: &Env) -> AgentProcess {
    agent_process::find(env, &PATTERN)
}

/// Whether Codex was told to ignore the user's and the project's command rules; then what they allow doesn't count.
pub(super) fn ignores_rules(process: &AgentProcess) -> bool {
    process.has(&["--ignore-rules"])
}

/// The switch that leaves out hooks or the user's servers, as given.
pub(super) fn switches(process: &AgentProcess) -> Vec<String> {
    let mut given: Vec<String> = process
        .values(&["--disable"])
        .filter(|feature| matches!(*feature, "hooks" | "codex_hooks"))
        .map(|feature| format!("--disable {feature}"))
        .collect();
    if process.has(&["--ignore-user-config"]) {
        given.push("--ignore-user-config".to_owned());
    }
    for text in process.values(&["-c", "--config"]) {
        let off = text.split_once('=').is_some_and(|(key, value)| {
            matches!(key.trim(), "features.hooks" | "features.codex_hooks" | "mcp_servers.plimsoll.enabled")
                && value.trim() == "false"
        });
        if off {
            given.push(format!("-c {text}"));
        }
    }
    given
}

/// Adds what the settings and the command line keep from being read and written.
pub(super) fn add(env: &Env, dir: &Path, root: &Path, project: &Path, set: &mut RuleSet) {
    let process = process(env);
    let mut merged = Value::Object(Map::new());
    let mut source = COMMAND_LINE.to_owned();
    let mut files = Vec::new();
    if !process.has(&["--ignore-user-config"]) {
        files.push(dir.join("config.toml"));
    }
    if let Some(profile) = process.last(&["-p", "--profile"]).filter(|name| !name.contains(['/', '\\'])) {
        files.push(dir.join(format!("{profile}.config.toml")));
    }
    for file in files {
        match config::read(&file, Syntax::Toml) {
            Ok(None) => {}
            Ok(Some(value)) => {
                source = file.display().to_string();
                merge(&mut merged, value);
            }
            Err(reason) => set.broken.push(BrokenLayer { path: file, reason: reason.to_string() }),
        }
    }
    for text in process.values(&["-c", "--config"]) {
        if let Some((key, value)) = text.split_once('=') {
            put(&mut merged, key.trim(), literal(value));
        }
    }
    if let Some(mode) = process.last(&["-s", "--sandbox"]) {
        put(&mut merged, "sandbox_mode", Value::from(mode));
    }
    let whole = process.has(&["--dangerously-bypass-approvals-and-sandbox"]);
    if !whole && merged.get("sandbox_mode").and_then(Value::as_str) == Some(READ_ONLY) {
        set.rules.extend(read_only(&source, env, project));
    }
    if let Some(name) = merged.get("default_permissions").and_then(Value::as_str).filter(|_| !whole) {
        profile(at(&merged, &["permissions", name, "filesystem"]), &source, env, project, set);
    }
    let folder = match env.os() {
        Os::Windows => PathBuf::from(r"C:\ProgramData\OpenAI\Codex"),
        _ => root.join("etc/codex"),
    };
    for file in ["requirements.toml", "managed_config.toml"].map(|name| folder.join(name)) {
        match config::read(&file, Syntax::Toml) {
            Ok(None) => {}
            Ok(Some(value)) => requirements(&value, &file, env, project, set),
            Err(reason) => set.broken.push(BrokenLayer { path: file, reason: reason.to_string() }),
        }
    }
}

/// How a rule of the read-only sandbox reads, by which it is known.
pub(super) fn read_only_text() -> String {
    format!("sandbox_mode = \"{READ_ONLY}\"")
}

/// What the read-only sandbox forbids. Not the whole tree: writes to devices and temporary folders change nothing.
pub(super) fn read_only(source: &str, env: &Env, project: &Path) -> Vec<Rule> {
    let folders = [project.to_owned(), env.home_dir().to_owned()];
    let folders = folders.into_iter().chain(READ_ONLY_FOLDERS.map(PathBuf::from));
    folders
        .map(|folder| {
            let pattern = format!("/{}/**", folder.display());
            rule(Target::Edit, pattern, read_only_text(), source, project)
        })
        .collect()
}

/// A permission profile's unreadable paths, below their roots.
fn profile(entries: Option<&Value>, source: &str, env: &Env, project: &Path, set: &mut RuleSet) {
    for (path, access) in entries.and_then(Value::as_object).into_iter().flatten() {
        match access {
            Value::String(word) if matches!(word.as_str(), "deny" | "none") => {
                let text = format!("{path} = \"{word}\"");
                set.rules.push(rule(
                    Target::Read,
                    pattern(path, env, project),
                    text.clone(),
                    source,
                    project,
                ));
                set.rules.push(rule(Target::Edit, pattern(path, env, project), text, source, project));
            }
            Value::Object(inner) => {
                let base = if path.starts_with(':') { project.to_owned() } else { project.join(path) };
                for (below, word) in inner {
                    if matches!(word.as_str(), Some("deny" | "none")) {
                        let text = format!("{path}.{below} = {word}");
                        let below = pattern(below, env, &base);
                        set.rules.push(rule(Target::Read, below.clone(), text.clone(), source, project));
                        set.rules.push(rule(Target::Edit, below, text, source, project));
                    }
                }
            }
            _ => {}
        }
    }
}

/// An administrator's requirements: commands, and unreadable files.
fn requirements(value: &Value, file: &Path, env: &Env, project: &Path, set: &mut RuleSet) {
    let source = file.display().to_string();
    for path in strings(value, &["permissions", "filesystem", "deny_read"]) {
        let text = format!("deny_read: {path}");
        set.rules.push(rule(Target::Read, pattern(path, env, project), text, &source, project));
    }
    let listed = at(value, &["rules", "prefix_rules"]).and_then(Value::as_array);
    for entry in listed.into_iter().flatten() {
        let effect = match entry.get("decision").and_then(Value::as_str) {
            Some("forbidden") => Effect::Deny,
            Some("prompt" | "prompt-user") => Effect::Ask,
            _ => continue,
        };
        let Some(prefixes) = prefixes(entry.get("pattern")) else {
            let reason = "a rule of prefix_rules has no usable pattern".to_owned();
            set.broken.push(BrokenLayer { path: file.to_owned(), reason });
            continue;
        };
        set.rules.extend(prefixes.into_iter().map(|prefix| Rule {
            effect,
            target: Target::Shell,
            text: format!("prefix_rules: {prefix}"),
            pattern: Some(prefix),
            syntax: Pattern::Prefix,
            source: source.clone(),
            base: PathBuf::from("/"),
        }));
    }
}

/// The word sequences that `[{token = "git"}, {any_of = ["push", "fetch"]}]` expands to.
fn prefixes(pattern: Option<&Value>) -> Option<Vec<String>> {
    let tokens = pattern?.as_array().filter(|tokens| !tokens.is_empty())?;
    let mut all = vec![String::new()];
    for token in tokens {
        let words: Vec<&str> = match (token.as_str(), token.get("token").and_then(Value::as_str)) {
            (Some(word), _) | (None, Some(word)) => vec![word],
            (None, None) => strings(token, &["any_of"]),
        };
        if words.is_empty() {
            return None;
        }
        let longer = all.iter().flat_map(|prefix| {
            words.iter().map(
                move |word| if prefix.is_empty() { (*word).to_owned() } else { format!("{prefix} {word}") },
            )
        });
        all = longer.take(512).collect();
    }
    Some(all)
}

/// A path from Codex's settings as an absolute gitignore pattern.
pub(super) fn pattern(path: &str, env: &Env, base: &Path) -> String {
    if let Some(rest) = path.strip_prefix("~/") {
        return format!("/{}/{rest}", env.home_dir().display());
    }
    match path {
        ":root" => "//**".to_owned(),
        _ if path.starts_with('/') => format!("/{path}"),
        _ => format!("/{}/{}", base.display(), path.trim_start_matches("./")),
    }
}

/// A rule that forbids files.
pub(super) fn rule(target: Target, pattern: String, text: String, source: &str, base: &Path) -> Rule {
    Rule {
        effect: Effect::Deny,
        target,
        pattern: Some(pattern),
        syntax: Pattern::ClaudeCode,
        text,
        source: source.to_owned(),
        base: base.to_owned(),
    }
}

/// Merges a later layer into an earlier one, table by table.
fn merge(under: &mut Value, over: Value) {
    match (under, over) {
        (Value::Object(under), Value::Object(over)) => {
            for (key, value) in over {
                merge(under.entry(key).or_insert(Value::Null), value);
            }
        }
        (under, over) => *under = over,
    }
}

/// Sets the value at a dotted path, as `-c a.b=1` does.
fn put(value: &mut Value, path: &str, new: Value) {
    let nested = path
        .rsplit('.')
        .fold(new, |inner, key| Value::Object(Map::from_iter([(key.trim_matches('"').to_owned(), inner)])));
    merge(value, nested);
}

/// A value parsed as TOML, or the text itself.
fn literal(text: &str) -> Value {
    let parsed = config::parse(format!("v = {text}").as_bytes(), Syntax::Toml).ok().flatten();
    parsed
        .and_then(|mut table| table.get_mut("v").map(Value::take))
        .unwrap_or_else(|| Value::from(text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(dir: &Path, line: &[&str]) -> RuleSet {
        let line: Vec<String> = line.iter().map(ToString::to_string).collect();
        let env = Env::for_test("/h").with_os(Os::Linux).with_callers(vec![line]);
        let mut set = RuleSet::default();
        add(&env, &dir.join(".codex"), dir, Path::new("/w"), &mut set);
        set
    }

    #[test]
    fn a_sandbox_that_only_reads_lets_nothing_be_written() {
        let dir = tempfile::tempdir().unwrap();
        for (line, denied) in [
            (vec!["codex", "exec", "-s", "read-only", "hi"], true),
            (vec!["codex", "exec", "-sread-only", "hi"], true),
            (vec!["codex", "-c", "sandbox_mode=\"read-only\""], true),
            (vec!["codex", "-c", "sandbox_mode=read-only", "--sandbox=workspace-write"], false),
            (vec!["codex", "-s", "read-only", "--dangerously-bypass-approvals-and-sandbox"], false),
            (vec!["codex", "exec", "hi"], false),
        ] {
            let set = set(dir.path(), &line);
            assert_eq!(
                set.command("echo a > b", Path::new("/w"), Path::new("/h")).is_deny(),
                denied,
                "{line:?}"
            );
            assert!(!set.command("cat b", Path::new("/w"), Path::new("/h")).is_deny(), "{line:?}");
        }
    }

    #[test]
    fn profiles_and_requirements_keep_files_from_being_read() {
        let dir = tempfile::tempdir().unwrap();
        let codex = dir.path().join(".codex");
        std::fs::create_dir_all(&codex).unwrap();
        std::fs::create_dir_all(dir.path().join("etc/codex")).unwrap();
        std::fs::write(
            codex.join("config.toml"),
            "[permissions.careful.filesystem]\n\"~/.ssh\" = \"deny\"\n\":project_roots\" = { \".\" = \"write\", \"**/*.env\" = \"deny\" }\n",
        )
        .unwrap();
        std::fs::write(codex.join("work.config.toml"), "default_permissions = \"careful\"\n").unwrap();
        std::fs::write(
            dir.path().join("etc/codex/requirements.toml"),
            "[permissions.filesystem]\ndeny_read = [\"/srv/keys\"]\n[rules]\nprefix_rules = [{ pattern = [{ token = \"git\" }, { any_of = [\"push\", \"fetch\"] }], decision = \"forbidden\" }]\n",
        )
        .unwrap();
        let read =
            |set: &RuleSet, path: &str| set.read(Path::new(path), Path::new("/w"), Path::new("/h")).is_deny();
        let plain = set(dir.path(), &["codex"]);
        assert!(!read(&plain, "/h/.ssh/id") && read(&plain, "/srv/keys/a"));
        assert!(plain.command("git push -f", Path::new("/w"), Path::new("/h")).is_deny());
        let careful = set(dir.path(), &["codex", "--profile", "work"]);
        assert!(read(&careful, "/h/.ssh/id") && read(&careful, "a/b.env") && !read(&careful, "a/b.txt"));
        assert!(read(&set(dir.path(), &["codex", "-c", "default_permissions=careful"]), "/h/.ssh/id"));
    }
}
