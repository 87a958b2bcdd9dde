//! Claude Code's permission rules from all layers: which count, and where their patterns start. Read-only.

use std::path::{Path, PathBuf};

use home::{Env, Os};
use rules::{BrokenLayer, Effect, Rule, RuleSet, Syntax as Pattern, Target};
use serde_json::Value;

use super::flags;
use super::layers::{self, Layer, Tier, is_true};
use crate::config::{Syntax, at, read, rule_list, strings};
use crate::other_hooks::{self, UserHooks};

/// The source of rules from the command line.
const COMMAND_LINE: &str = "the command line";
/// Its hooks before a command.
const COMMAND_HOOKS: UserHooks<'static> = UserHooks {
    event: "PreToolUse",
    tool: "Bash",
    answer: &["updatedInput"],
    folder_variables: &["CLAUDE_PROJECT_DIR"],
};
/// The keys of an answer that replaces an output, the second for tools over MCP in earlier versions.
const OUTPUT_ANSWERS: [&str; 2] = ["updatedToolOutput", "updatedMCPToolOutput"];
/// A folder with more entries is forbidden as a whole, even if it contains an exception.
const MAX_ENTRIES: usize = 4_000;

/// The permission rules of every layer. An unreadable layer is reported as broken, so that nothing it may forbid
/// is run.
pub(super) fn rules(env: &Env, config_dir: &Path, servers: &Path, root: &Path, project: &Path) -> RuleSet {
    let flags = flags::of_process(env, project);
    let start = layers::start(env, &flags, project);
    // Measured on 2.1.197: `cd api && cargo test` runs unasked where a rule allows `cargo test`.
    let mut set =
        RuleSet { case_insensitive: env.os() != Os::Linux, allows_cd_inside: true, ..RuleSet::default() };
    let layers = layers::all(env, config_dir, root, Some(project), &flags);
    let printed =
        |layer: &Layer, key: &str| layer.settings.as_ref().is_ok_and(|settings| is_true(settings, key));
    let only_managed = layers
        .iter()
        .any(|layer| layer.tier == Tier::Managed && printed(layer, "allowManagedPermissionRulesOnly"));
    for (effect, rule) in &flags.rules {
        if !only_managed || *effect != Effect::Allow {
            push(&mut set, *effect, rule, COMMAND_LINE, std::slice::from_ref(&start), &start);
        }
    }
    let mut trusted = None;
    for layer in &layers {
        let settings = match &layer.settings {
            Ok(settings) => settings,
            Err(reason) => {
                set.broken.push(BrokenLayer { path: layer.source.clone(), reason: reason.to_string() });
                continue;
            }
        };
        set.commands_replaced |= other_hooks::any_replaces(&COMMAND_HOOKS, settings, env.home_dir(), &start);
        let source = layer.source.display().to_string();
        for (key, effect) in [("deny", Effect::Deny), ("ask", Effect::Ask), ("allow", Effect::Allow)] {
            let listed = rule_list(&mut set, &layer.source, settings, &["permissions", key], effect);
            if effect == Effect::Allow && !listed.is_empty() {
                let counts = match layer.tier {
                    Tier::Around => false,
                    Tier::Project => *trusted.get_or_insert_with(|| is_trusted(servers, &start)),
                    Tier::User | Tier::Flag => true,
                    Tier::Managed => !layer.overridden,
                };
                if !counts || only_managed && layer.tier != Tier::Managed {
                    continue;
                }
            }
            for text in listed {
                push(&mut set, effect, text, &source, &layer.bases, &start);
            }
        }
        sandbox(settings, &source, layer, env.home_dir(), &mut set);
    }
    if let Some(added) = &flags.confined_to {
        confine(&mut set, &start, added);
    }
    set
}

/// Whether one of the user's hooks may replace the output of the tool `tool`.
pub(super) fn replaces_output(env: &Env, config_dir: &Path, root: &Path, project: &Path, tool: &str) -> bool {
    let flags = flags::of_process(env, project);
    let start = layers::start(env, &flags, project);
    let layers = layers::all(env, config_dir, root, Some(project), &flags);
    layers.iter().filter_map(|layer| layer.settings.as_ref().ok()).any(|settings| {
        OUTPUT_ANSWERS.iter().any(|answer| {
            let hooks = UserHooks {
                event: "PostToolUse",
                tool,
                answer: std::slice::from_ref(answer),
                ..COMMAND_HOOKS
            };
            other_hooks::any_replaces(&hooks, settings, env.home_dir(), &start)
        })
    })
}

/// Forbids files outside of these folders, as `--restricted` does. Both spellings of a folder count as inside.
fn confine(set: &mut RuleSet, start: &Path, added: &[PathBuf]) {
    let inside: Vec<PathBuf> = std::iter::once(start)
        .chain(added.iter().map(PathBuf::as_path))
        .flat_map(|folder| [folder.to_owned(), real_path(folder)])
        .collect();
    let Some(root) = start.ancestors().last() else { return };
    let outside = entries_except(root, &inside);
    for target in [Target::Read, Target::Edit] {
        set.rules.extend(outside.iter().map(|place| deny_path(target, place, "--restricted", COMMAND_LINE)));
    }
}

/// A rule that forbids a file, or a folder with all in it.
fn deny_path(target: Target, place: &Path, text: &str, source: &str) -> Rule {
    Rule {
        effect: Effect::Deny,
        target,
        // These are paths, where a star may still be a wildcard.
        pattern: Some(format!("/{}", place.to_string_lossy().replace('\\', "/"))),
        syntax: Pattern::ClaudeCode,
        text: text.to_owned(),
        source: source.to_owned(),
        base: PathBuf::from("/"),
    }
}

/// Whether rules apply that can't be read: on a hidden command line, or set by a program.
pub(super) fn has_hidden_rules(env: &Env, config_dir: &Path, root: &Path, project: &Path) -> bool {
    let flags = flags::of_process(env, project);
    flags.hidden
        || layers::all(env, config_dir, root, None, &flags).iter().any(|layer| {
            layer.tier == Tier::Managed
                && layer.settings.as_ref().is_ok_and(|settings| settings.get("policyHelper").is_some())
        })
}

/// Adds a rule. A pattern without an anchor starts in Claude Code's working folder, wherever a command runs.
fn push(set: &mut RuleSet, effect: Effect, text: &str, source: &str, bases: &[PathBuf], start: &Path) {
    let bases = if effect == Effect::Allow { bases.get(..1).unwrap_or(bases) } else { bases };
    let mut known: Vec<Rule> = Vec::new();
    for base in bases {
        let rule = RuleSet::parse_claude(effect, text, source, base);
        let anchored = anchored(&rule, start);
        // An allow applies there only.
        let rules = match (effect, anchored) {
            (Effect::Allow, Some(anchored)) => vec![anchored],
            (_, anchored) => std::iter::once(rule).chain(anchored).collect(),
        };
        for rule in rules {
            // The layer's folder matters only after a single slash.
            let based = rule.pattern.as_deref().is_some_and(|p| p.starts_with('/') && !p.starts_with("//"));
            let same = |other: &Rule| other.pattern == rule.pattern && (!based || other.base == rule.base);
            if !known.iter().any(same) {
                known.push(rule);
            }
        }
    }
    set.rules.append(&mut known);
}

/// A file rule without an anchor, its pattern made absolute.
fn anchored(rule: &Rule, start: &Path) -> Option<Rule> {
    let pattern = rule.pattern.as_deref()?;
    if !matches!(rule.target, Target::Read | Target::Edit)
        || pattern.starts_with(['/', '~', '!'])
        || cfg!(windows) && pattern.get(1..2) == Some(":")
    {
        return None;
    }
    let plain = pattern.strip_prefix("./").unwrap_or(pattern);
    // Measured on 2.1.197 and 2.1.330: a pattern without an anchor matches at any depth. An allow is taken literally.
    let exact = rule.effect == Effect::Allow
        && (plain.len() < pattern.len() || plain.trim_end_matches('/').contains('/'));
    let below = if exact { plain.to_owned() } else { format!("**/{plain}") };
    let pattern = format!("{}/{below}", literal_pattern(start));
    Some(Rule { pattern: Some(pattern), ..rule.clone() })
}

/// A folder as an absolute pattern that matches exactly it.
fn literal_pattern(folder: &Path) -> String {
    let text = folder.to_string_lossy();
    if cfg!(windows) {
        let text = text.strip_prefix(r"\\?\").unwrap_or(&text).replace('\\', "/");
        let text = match text.split_once(':') {
            Some((drive, rest)) if drive.len() == 1 => format!("/{}{rest}", drive.to_lowercase()),
            _ => text,
        };
        return format!("/{}", text.trim_end_matches('/'));
    }
    let mut out = String::from("/");
    for c in text.trim_end_matches('/').chars() {
        if "*?[]{}\\!".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Whether the user trusts the project. Claude Code keeps that by the repository's root or by the folder.
fn is_trusted(servers: &Path, start: &Path) -> bool {
    let config = match read(servers, Syntax::Strict) {
        Ok(Some(config)) => config,
        // Claude Code creates the file at its start; where there is none, it keeps its trust elsewhere.
        Ok(None) => return true,
        Err(_) => return false,
    };
    let folder = home::git_root(start).unwrap_or_else(|| start.to_owned());
    let keys = [folder.clone(), real_path(&folder)];
    keys.iter().any(|key| {
        let key = key.to_string_lossy().replace('\\', "/");
        at(&config, &["projects", &key, "hasTrustDialogAccepted"]) == Some(&Value::Bool(true))
    })
}

fn real_path(folder: &Path) -> PathBuf {
    std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned())
}

/// What Claude Code's sandbox settings keep from being read, written and reached.
fn sandbox(settings: &Value, source: &str, layer: &Layer, home: &Path, set: &mut RuleSet) {
    let base = layer.bases.first().map_or(Path::new("/"), PathBuf::as_path);
    let resolve = |text: &str| resolve_path(text, base, home);
    let files = |key: &str| strings(settings, &["sandbox", "filesystem", key]);
    let again: Vec<PathBuf> = files("allowRead").into_iter().map(resolve).collect();
    let mut denied: Vec<(Target, String, &str)> = Vec::new();
    denied.extend(
        files("denyRead").into_iter().map(|text| (Target::Read, text.to_owned(), "filesystem.denyRead")),
    );
    denied.extend(
        files("denyWrite").into_iter().map(|text| (Target::Edit, text.to_owned(), "filesystem.denyWrite")),
    );
    let secrets = at(settings, &["sandbox", "credentials", "files"]).and_then(Value::as_array);
    for entry in secrets.into_iter().flatten() {
        if entry.get("mode").and_then(Value::as_str) == Some("deny")
            && let Some(path) = entry.get("path").and_then(Value::as_str)
        {
            denied.push((Target::Read, path.to_owned(), "credentials.files"));
        }
    }
    for (target, text, key) in denied {
        let whole = resolve(&text);
        let places = if target == Target::Read { entries_except(&whole, &again) } else { vec![whole] };
        let text = format!("sandbox.{key}: {text}");
        set.rules.extend(
            places
                .iter()
                .map(|place| Rule { base: base.to_owned(), ..deny_path(target, place, &text, source) }),
        );
    }
    for domain in strings(settings, &["sandbox", "network", "deniedDomains"]) {
        let rule = format!("WebFetch(domain:{domain})");
        let mut rule = RuleSet::parse_claude(Effect::Deny, &rule, source, base);
        rule.text = format!("sandbox.network.deniedDomains: {domain}");
        set.rules.push(rule);
    }
}

/// A path in the sandbox's settings: `//` is the root, `~` the home folder, anything else starts at the layer's folder.
fn resolve_path(text: &str, base: &Path, home: &Path) -> PathBuf {
    let text = text.trim_end_matches("/**").trim_end_matches('/');
    let joined = match (text.strip_prefix("//"), text.strip_prefix('~')) {
        (Some(rest), _) => PathBuf::from(format!("/{rest}")),
        (None, Some(rest)) => home.join(rest.trim_start_matches('/')),
        _ if text.is_empty() => PathBuf::from("/"),
        _ => base.join(text.trim_start_matches("./")),
    };
    joined.components().filter(|part| !matches!(part, std::path::Component::CurDir)).collect()
}

/// A folder's entries except those on the path to a readable exception.
fn entries_except(folder: &Path, again: &[PathBuf]) -> Vec<PathBuf> {
    if again.iter().any(|path| folder.starts_with(path)) {
        return Vec::new();
    }
    if !again.iter().any(|path| path.starts_with(folder)) {
        return vec![folder.to_owned()];
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return vec![folder.to_owned()] };
    let entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).take(MAX_ENTRIES).collect();
    if entries.len() == MAX_ENTRIES {
        return vec![folder.to_owned()];
    }
    entries.iter().flat_map(|entry| entries_except(entry, again)).collect()
}
