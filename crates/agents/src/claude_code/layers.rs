//! Claude Code's settings layers: user, project, local, command line, managed. Read for permission rules and for what
//! would keep our entries from working. Policies in the registry or in macOS preferences are not visible from here. It
//! writes nothing.

use std::path::{Path, PathBuf};

use home::{Env, Os};
use rules::{BrokenLayer, Effect, RuleSet};
use serde_json::Value;

use super::{ID, flags, managed_dirs};
use crate::command_line::is_launcher;
use crate::config::{Syntax, at, read, read_or_nothing, strings, unreadable};
use crate::{Finding, Level, Machine, SERVER_KEY, rivals, said, wire};

/// Where settings come from that were given with the command.
const FLAG: &str = "--settings";
/// Where rules come from that were given with the command.
const COMMAND_LINE: &str = "the command line";

/// One settings file.
struct Layer {
    path: PathBuf,
    /// Where patterns with a leading slash start.
    base: PathBuf,
    managed: bool,
}

/// Every file that can hold settings, weakest first. Most do not exist.
fn layers(os: Os, config_dir: &Path, root: &Path, project: Option<&Path>) -> Vec<Layer> {
    let mut layers =
        vec![Layer { path: config_dir.join("settings.json"), base: config_dir.into(), managed: false }];
    if let Some(project) = project {
        for name in ["settings.json", "settings.local.json"] {
            let path = project.join(".claude").join(name);
            // With the home folder as project, its settings are the user's own.
            if layers.iter().all(|layer| layer.path != path) {
                layers.push(Layer { path, base: project.into(), managed: false });
            }
        }
    }
    // What an organisation's console handed out last.
    for name in ["remote-settings.json", "remote-managed-settings.json"] {
        layers.push(Layer { path: config_dir.join(name), base: root.into(), managed: true });
    }
    for dir in managed_dirs(os, root) {
        let mut files = vec![dir.join("managed-settings.json")];
        let mut parts: Vec<_> = std::fs::read_dir(dir.join("managed-settings.d"))
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
            .filter(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')))
            .collect();
        parts.sort();
        files.append(&mut parts);
        layers.extend(files.into_iter().map(|path| Layer { path, base: root.into(), managed: true }));
    }
    layers
}

/// The permission rules of every layer. One that is there but cannot be read is reported as broken, so
/// that nothing it may forbid is done.
pub(super) fn rules(env: &Env, config_dir: &Path, root: &Path, project: &Path) -> RuleSet {
    let mut set = RuleSet { case_insensitive: env.os() != Os::Linux, ..RuleSet::default() };
    let mut only_managed = false;
    let mut parsed = Vec::new();
    for layer in layers(env.os(), config_dir, root, Some(project)) {
        match read(&layer.path, Syntax::Strict) {
            Ok(None) => {}
            Ok(Some(settings)) if settings.is_object() => {
                only_managed |= layer.managed && is_true(&settings, "allowManagedPermissionRulesOnly");
                parsed.push((layer, settings));
            }
            Ok(Some(_)) => {
                set.broken.push(BrokenLayer { path: layer.path, reason: "it holds no object".to_owned() });
            }
            Err(reason) => set.broken.push(BrokenLayer { path: layer.path, reason: reason.to_string() }),
        }
    }
    let flags = flags::of(env, project);
    match flags.settings {
        Some(Ok(settings)) => {
            let layer = Layer { path: FLAG.into(), base: project.into(), managed: false };
            parsed.push((layer, settings));
        }
        Some(Err((path, reason))) => set.broken.push(BrokenLayer { path, reason }),
        None => {}
    }
    for (effect, rule) in flags.rules {
        if !only_managed || effect != Effect::Allow {
            set.rules.push(RuleSet::parse_claude(effect, &rule, COMMAND_LINE, project));
        }
    }
    for (layer, settings) in &parsed {
        let source = layer.path.display().to_string();
        for (key, effect) in [("deny", Effect::Deny), ("ask", Effect::Ask), ("allow", Effect::Allow)] {
            if only_managed && !layer.managed && effect == Effect::Allow {
                continue;
            }
            for text in strings(settings, &["permissions", key]) {
                set.rules.push(RuleSet::parse_claude(effect, text, &source, &layer.base));
            }
        }
    }
    set
}

/// What keeps our entries from working, or makes them work twice.
pub(super) fn findings(
    machine: &Machine<'_>,
    config_dir: &Path,
    mcp_file: &Path,
    project: Option<&Path>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for layer in layers(machine.env.os(), config_dir, &machine.root, project) {
        let settings = match read(&layer.path, Syntax::Strict) {
            Ok(settings) => settings.unwrap_or_default(),
            Err(reason) => {
                findings.push(unreadable(&layer.path, reason, said::silently_no_hook("Claude Code")));
                continue;
            }
        };
        settings_findings(&layer, &settings, &mut findings);
    }
    match read(mcp_file, Syntax::Strict) {
        Err(reason) => {
            findings.push(unreadable(mcp_file, reason, said::replaced_by_defaults("Claude Code")));
        }
        Ok(config) => server_findings(mcp_file, &config.unwrap_or_default(), project, &mut findings),
    }
    if let Some(project) = project {
        let file = project.join(".mcp.json");
        let config = read_or_nothing(&file, Syntax::Strict);
        findings.extend(rivals::findings([(file.display().to_string(), config.get("mcpServers"))]));
    }
    findings
}

fn settings_findings(layer: &Layer, settings: &Value, findings: &mut Vec<Finding>) {
    let file = layer.path.as_path();
    if is_true(settings, "disableAllHooks") {
        findings.push(Finding {
            level: Level::Broken,
            what: said::hooks_are_off("disableAllHooks", file),
            remedy: said::remove_key("disableAllHooks", file),
        });
    }
    if layer.managed && is_true(settings, "allowManagedHooksOnly") {
        findings.push(Finding {
            level: Level::Broken,
            what: said::managed_hooks_only("allowManagedHooksOnly", file),
            remedy: said::ask_for_hooks(),
        });
    }
    let hit = |key: &str| settings.get(key).and_then(Value::as_array).is_some_and(|list| names_us(list));
    if hit("deniedMcpServers")
        || (layer.managed && settings.get("allowedMcpServers").is_some() && !hit("allowedMcpServers"))
    {
        findings.push(Finding {
            level: Level::Broken,
            what: said::not_admitted(file, SERVER_KEY),
            remedy: said::admit_in_lists(SERVER_KEY, file),
        });
    }
    for text in strings(settings, &["permissions", "deny"]) {
        if text == "mcp__*"
            || wire::mcp_double(text).is_some_and(|(server, _)| server == SERVER_KEY)
            || text == "mcp__plimsoll"
        {
            findings.push(Finding {
                level: Level::NeedsYou,
                what: said::denied_by_rule(file, text),
                remedy: said::remove_rule(text),
            });
        }
    }
    if let Some(hooks) = settings.get("hooks").and_then(Value::as_object) {
        for (event, groups) in hooks {
            let groups = groups.as_array().map(Vec::as_slice).unwrap_or_default();
            let ours = groups.iter().filter(|group| wire::mentions_our_hook(group, ID)).count();
            let mixed = groups
                .iter()
                .any(|group| wire::mentions_our_hook(group, ID) && !wire::is_our_hook(group, ID));
            if ours > 1 || mixed {
                findings.push(Finding {
                    level: Level::NeedsYou,
                    what: said::hook_not_alone(event, file),
                    remedy: said::own_group(),
                });
            }
        }
    }
    findings.extend(rivals::findings([
        (file.display().to_string(), settings.get("hooks")),
        (file.display().to_string(), Some(&enabled_plugins(settings))),
    ]));
}

fn server_findings(file: &Path, config: &Value, project: Option<&Path>, findings: &mut Vec<Finding>) {
    findings.extend(rivals::findings([(file.display().to_string(), config.get("mcpServers"))]));
    let Some(project) = project.map(|project| project.to_string_lossy().replace('\\', "/")) else {
        return;
    };
    let Some(local) = at(config, &["projects", &project]) else {
        return;
    };
    if strings(local, &["disabledMcpServers"]).contains(&SERVER_KEY) {
        findings.push(Finding {
            level: Level::NeedsYou,
            what: said::server_off_for(SERVER_KEY, &project),
            remedy: said::switch_on_there(file),
        });
    }
    if at(local, &["mcpServers", SERVER_KEY]).is_some() {
        findings.push(Finding {
            level: Level::NeedsYou,
            what: said::second_entry(file, SERVER_KEY, &project),
            remedy: said::remove_with(format!("claude mcp remove {SERVER_KEY} --scope local")),
        });
    }
}

/// Lists of managed servers are objects with a name, a command or a URL.
fn names_us(list: &[Value]) -> bool {
    list.iter().any(|entry| {
        entry.get("serverName").and_then(Value::as_str) == Some(SERVER_KEY)
            || strings(entry, &["serverCommand"]).first().is_some_and(|command| is_launcher(command))
    })
}

/// The names of the plugins that are switched on.
fn enabled_plugins(settings: &Value) -> Value {
    let plugins = settings.get("enabledPlugins").and_then(Value::as_object);
    plugins
        .into_iter()
        .flatten()
        .filter(|(_, on)| *on != &Value::Bool(false))
        .map(|(name, _)| name.as_str())
        .collect()
}

fn is_true(settings: &Value, key: &str) -> bool {
    settings.get(key) == Some(&Value::Bool(true))
}
