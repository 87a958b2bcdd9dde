//! What keeps Codex from using Plimsoll's entries: switches, unreadable files, an override of the instruction file.
//! Read-only.

use std::path::Path;

use home::Os;
use serde_json::Value;

use super::{HOOKS_SINCE, ID, sandbox_settings};
use crate::config::{Syntax, at, read, unreadable_finding};
use crate::finding::hooks_not_alone;
use crate::{Finding, Installation, Level, Machine, SERVER_KEY, messages, rivals};

pub(super) fn findings(
    machine: &Machine<'_>,
    installation: &Installation,
    project: Option<&Path>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    if installation.at_least(HOOKS_SINCE) == Some(false) {
        findings.push(Finding {
            level: Level::NeedsYou,
            what: messages::tools_only("Codex", version(installation), HOOKS_SINCE),
            remedy: messages::update_for_hooks("Codex"),
        });
    }
    for switch in sandbox_settings::switches(&sandbox_settings::process(machine.env)) {
        findings.push(Finding {
            level: Level::Broken,
            what: messages::switched_off_by("Codex", &switch),
            remedy: messages::start_without(&switch),
        });
    }
    let mut dirs = vec![installation.config_dir.clone()];
    dirs.extend(project.map(|project| project.join(".codex")));
    for dir in &dirs {
        config_findings(&dir.join("config.toml"), &dir.join("hooks.json"), &mut findings);
        hooks_findings(&dir.join("hooks.json"), &mut findings);
    }
    for name in ["requirements.toml", "managed_config.toml"] {
        let file = match machine.env.os() {
            Os::Windows => Path::new(r"C:\ProgramData\OpenAI\Codex").join(name),
            _ => machine.at_root("/etc/codex").join(name),
        };
        managed_findings(&file, &mut findings);
    }
    let shadow = installation.config_dir.join("AGENTS.override.md");
    if shadow.metadata().is_ok_and(|meta| meta.len() > 0) {
        findings.push(Finding {
            level: Level::Note,
            what: messages::instructions_shadowed(&shadow),
            remedy: messages::only_for_instructions(),
        });
    }
    findings
}

fn version(installation: &Installation) -> &str {
    installation.version.as_deref().unwrap_or_default()
}

/// That the server is switched off in `file`, which connecting leaves as it is.
pub(super) fn switched_off_server(config: &Value, file: &Path) -> Option<Finding> {
    let is_off = at(config, &["mcp_servers", SERVER_KEY, "enabled"]) == Some(&Value::Bool(false));
    is_off.then(|| Finding {
        level: Level::NeedsYou,
        what: messages::server_entry_off(format!("mcp_servers.{SERVER_KEY}.enabled"), file),
        remedy: messages::remove_line(),
    })
}

fn config_findings(file: &Path, hooks: &Path, findings: &mut Vec<Finding>) {
    let config = match read(file, Syntax::Toml) {
        Ok(config) => config.unwrap_or_default(),
        Err(reason) => {
            findings.push(unreadable_finding(file, reason, messages::does_not_start("Codex")));
            return;
        }
    };
    hooks_switch(&config, file, findings);
    findings.extend(switched_off_server(&config, file));
    for useless in [&["mcpServers", SERVER_KEY], &["mcp", "servers"]] {
        if at(&config, useless).is_some() {
            findings.push(Finding {
                level: Level::Note,
                what: messages::useless_table(file, useless.join(".")),
                remedy: messages::right_table(),
            });
        }
    }
    if hooks.exists()
        && config
            .get("hooks")
            .and_then(Value::as_object)
            .is_some_and(|hooks| hooks.keys().any(|key| key != "state"))
    {
        findings.push(Finding {
            level: Level::Note,
            what: messages::hooks_in_two_files(file, hooks),
            remedy: messages::move_hooks(),
        });
    }
    findings.extend(rivals::findings([
        (file.display().to_string(), config.get("mcp_servers")),
        (file.display().to_string(), config.get("hooks").filter(|hooks| hooks.get("state").is_none())),
    ]));
}

fn hooks_switch(config: &Value, file: &Path, findings: &mut Vec<Finding>) {
    for name in ["hooks", "codex_hooks"] {
        if at(config, &["features", name]) == Some(&Value::Bool(false)) {
            let key = format!("features.{name}");
            findings.push(Finding {
                level: Level::Broken,
                what: messages::key_is_false(&key, file),
                remedy: messages::remove_key(&key, file),
            });
        }
    }
}

fn hooks_findings(file: &Path, findings: &mut Vec<Finding>) {
    let consequence = messages::runs_no_hook("Codex");
    if crate::config::starts_with_bom(file) {
        findings.push(unreadable_finding(file, messages::byte_order_mark(), consequence));
        return;
    }
    let hooks = match read(file, Syntax::Strict) {
        Ok(hooks) => hooks.unwrap_or_default(),
        Err(reason) => {
            findings.push(unreadable_finding(file, reason, consequence));
            return;
        }
    };
    let foreign = hooks
        .as_object()
        .and_then(|root| root.keys().find(|key| !matches!(key.as_str(), "hooks" | "description")));
    if let Some(key) = foreign {
        findings.push(unreadable_finding(
            file,
            messages::unknown_key(format!("{key:?}"), "Codex"),
            consequence,
        ));
    }
    findings.extend(hooks_not_alone(file, hooks.get("hooks"), ID));
    findings.extend(rivals::findings([(file.display().to_string(), hooks.get("hooks"))]));
}

fn managed_findings(file: &Path, findings: &mut Vec<Finding>) {
    let managed = match read(file, Syntax::Toml) {
        Ok(Some(managed)) => managed,
        Ok(None) => return,
        Err(reason) => {
            findings.push(unreadable_finding(file, reason, messages::unknown_policy()));
            return;
        }
    };
    hooks_switch(&managed, file, findings);
    if managed.get("allow_managed_hooks_only") == Some(&Value::Bool(true)) {
        findings.push(Finding {
            level: Level::Broken,
            what: messages::managed_hooks_only("allow_managed_hooks_only", file),
            remedy: messages::ask_for_hooks(),
        });
    }
    if managed
        .get("mcp_servers")
        .and_then(Value::as_object)
        .is_some_and(|servers| !servers.contains_key(SERVER_KEY))
    {
        findings.push(Finding {
            level: Level::Broken,
            what: messages::servers_listed(file, SERVER_KEY),
            remedy: messages::ask_to_admit(),
        });
    }
}
