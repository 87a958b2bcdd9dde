//! What keeps Plimsoll's entries from working in Claude Code or doubles them: switches, policies, duplicates. Read-only.

use std::path::Path;

use serde_json::Value;

use super::ID;
use super::flags::{self, Flags};
use super::layers::{self, Layer, Tier, is_true};
use crate::command_line::is_launcher;
use crate::config::{Syntax, at, read, read_or_nothing, strings, unreadable_finding};
use crate::finding::hooks_not_alone;
use crate::{Finding, Level, Machine, SERVER_KEY, entries, messages, rivals};

/// The administrator's setting that keeps customizations to plugins.
const PLUGIN_ONLY: &str = "strictPluginOnlyCustomization";

/// Every finding, in the order in which `doctor` shows them.
pub(super) fn findings(
    machine: &Machine<'_>,
    config_dir: &Path,
    mcp_file: &Path,
    project: Option<&Path>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for switch in flags::switches(machine.env) {
        findings.push(Finding {
            level: Level::Broken,
            what: messages::switched_off_by("Claude Code", &switch),
            remedy: messages::start_without(&switch),
        });
    }
    let by_plugin =
        crate::plugin::is_enabled_in(&read_or_nothing(&config_dir.join("settings.json"), Syntax::Strict));
    // The question is about this computer, not about the session whose terminal this may be.
    for layer in layers::all(machine.env, config_dir, &machine.root, project, &Flags::default()) {
        match &layer.settings {
            Ok(settings) => {
                settings_findings(&layer, settings, &mut findings);
                let stopped = layer.tier == Tier::Managed && locks_hooks(settings);
                if stopped && by_plugin != Some(true) {
                    findings.push(Finding {
                        level: Level::Broken,
                        what: messages::plugin_hooks_only(PLUGIN_ONLY, layer.source.as_path()),
                        remedy: messages::use_the_plugin(),
                    });
                }
            }
            Err(reason) => findings.push(unreadable_finding(
                &layer.source,
                reason.clone(),
                messages::silently_no_hook("Claude Code"),
            )),
        }
    }
    match read(mcp_file, Syntax::Strict) {
        Err(reason) => {
            findings.push(unreadable_finding(
                mcp_file,
                reason,
                messages::replaced_by_defaults("Claude Code"),
            ));
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

/// Whether an administrator keeps hooks to plugins: `true` locks every kind of customization, a list the kinds in it.
fn locks_hooks(settings: &Value) -> bool {
    is_true(settings, PLUGIN_ONLY) || strings(settings, &[PLUGIN_ONLY]).contains(&"hooks")
}

fn settings_findings(layer: &Layer, settings: &Value, findings: &mut Vec<Finding>) {
    let file = layer.source.as_path();
    let managed = layer.tier == Tier::Managed;
    if is_true(settings, "disableAllHooks") {
        findings.push(Finding {
            level: Level::Broken,
            what: messages::hooks_are_off("disableAllHooks", file),
            remedy: messages::remove_key("disableAllHooks", file),
        });
    }
    if managed && is_true(settings, "allowManagedHooksOnly") {
        findings.push(Finding {
            level: Level::Broken,
            what: messages::managed_hooks_only("allowManagedHooksOnly", file),
            remedy: messages::ask_for_hooks(),
        });
    }
    let hit =
        |key: &str| settings.get(key).and_then(Value::as_array).is_some_and(|list| names_plimsoll(list));
    if hit("deniedMcpServers")
        || (managed && settings.get("allowedMcpServers").is_some() && !hit("allowedMcpServers"))
    {
        findings.push(Finding {
            level: Level::Broken,
            what: messages::not_admitted(file, SERVER_KEY),
            remedy: messages::admit_in_lists(SERVER_KEY, file),
        });
    }
    for text in strings(settings, &["permissions", "deny"]) {
        if text == "mcp__*"
            || entries::mcp_double(text).is_some_and(|(server, _)| server == SERVER_KEY)
            || text == "mcp__plimsoll"
        {
            findings.push(Finding {
                level: Level::NeedsYou,
                what: messages::denied_by_rule(file, text),
                remedy: messages::remove_rule(text),
            });
        }
    }
    findings.extend(hooks_not_alone(file, settings.get("hooks"), ID));
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
            what: messages::server_off_for(SERVER_KEY, &project),
            remedy: messages::switch_on_there(file),
        });
    }
    if at(local, &["mcpServers", SERVER_KEY]).is_some() {
        findings.push(Finding {
            level: Level::NeedsYou,
            what: messages::second_entry(file, SERVER_KEY, &project),
            remedy: messages::remove_with(format!("claude mcp remove {SERVER_KEY} --scope local")),
        });
    }
}

/// Whether a list of managed servers names Plimsoll: its items have a name, a command or a URL.
fn names_plimsoll(list: &[Value]) -> bool {
    list.iter().any(|entry| {
        entry.get("serverName").and_then(Value::as_str) == Some(SERVER_KEY)
            || strings(entry, &["serverCommand"]).first().is_some_and(|command| is_launcher(command))
    })
}

/// The names of the enabled plugins.
fn enabled_plugins(settings: &Value) -> Value {
    let plugins = settings.get("enabledPlugins").and_then(Value::as_object);
    plugins
        .into_iter()
        .flatten()
        .filter(|(_, on)| *on != &Value::Bool(false))
        .map(|(name, _)| name.as_str())
        .collect()
}
