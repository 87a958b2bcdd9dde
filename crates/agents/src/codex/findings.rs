//! What keeps Codex from using our entries: switches, files that it cannot read, an override of the
//! instruction file. It changes nothing.

use std::path::Path;

use home::Os;
use serde_json::Value;

use super::{HOOKS_SINCE, ID};
use crate::config::{Syntax, at, read, unreadable};
use crate::{Finding, Found, Level, Machine, SERVER_KEY, rivals, wire};

pub(super) fn findings(machine: &Machine<'_>, found: &Found, project: Option<&Path>) -> Vec<Finding> {
    let mut findings = Vec::new();
    if found.at_least(HOOKS_SINCE) == Some(false) {
        findings.push(Finding {
            level: Level::NeedsYou,
            what: format!("Codex {} is older than {HOOKS_SINCE}: only the tools work", version(found)),
            remedy: "Update Codex and connect again to have hooks.".to_owned(),
        });
    }
    let mut dirs = vec![found.config_dir.clone()];
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
    let shadow = found.config_dir.join("AGENTS.override.md");
    if shadow.metadata().is_ok_and(|meta| meta.len() > 0) {
        findings.push(Finding {
            level: Level::Note,
            what: format!("{} replaces AGENTS.md: instructions there are not read", shadow.display()),
            remedy: "Nothing, unless you asked Plimsoll to write instructions.".to_owned(),
        });
    }
    findings
}

fn version(found: &Found) -> &str {
    found.version.as_deref().unwrap_or_default()
}

fn config_findings(file: &Path, hooks: &Path, findings: &mut Vec<Finding>) {
    let config = match read(file, Syntax::Toml) {
        Ok(config) => config.unwrap_or_default(),
        Err(reason) => {
            findings.push(unreadable(file, &reason, "Codex does not start"));
            return;
        }
    };
    let path = file.display();
    hooks_switch(&config, &path.to_string(), findings);
    if at(&config, &["mcp_servers", SERVER_KEY, "enabled"]) == Some(&Value::Bool(false)) {
        findings.push(Finding {
            level: Level::NeedsYou,
            what: format!("mcp_servers.{SERVER_KEY}.enabled is false in {path}"),
            remedy: "Remove that line to have the tools again.".to_owned(),
        });
    }
    for useless in [&["mcpServers", SERVER_KEY], &["mcp", "servers"]] {
        if at(&config, useless).is_some() {
            findings.push(Finding {
                level: Level::Note,
                what: format!("{path} has [{}], which Codex does not read", useless.join(".")),
                remedy: "Servers belong under [mcp_servers].".to_owned(),
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
            what: format!("hooks stand both in {path} and in {}: Codex warns at each start", hooks.display()),
            remedy: "Move the hooks of config.toml into hooks.json.".to_owned(),
        });
    }
    findings.extend(rivals::findings([
        (path.to_string(), config.get("mcp_servers")),
        (path.to_string(), config.get("hooks").filter(|hooks| hooks.get("state").is_none())),
    ]));
}

fn hooks_switch(config: &Value, file: &str, findings: &mut Vec<Finding>) {
    for name in ["hooks", "codex_hooks"] {
        if at(config, &["features", name]) == Some(&Value::Bool(false)) {
            findings.push(Finding {
                level: Level::Broken,
                what: format!("features.{name} is false in {file}: no hook runs"),
                remedy: format!("Remove features.{name} from {file}; the tools work without hooks."),
            });
        }
    }
}

fn hooks_findings(file: &Path, findings: &mut Vec<Finding>) {
    let consequence = "Codex runs no hook of this file";
    if std::fs::read(file).is_ok_and(|bytes| bytes.starts_with(b"\xef\xbb\xbf")) {
        findings.push(unreadable(file, "it starts with a byte order mark", consequence));
        return;
    }
    let hooks = match read(file, Syntax::Strict) {
        Ok(hooks) => hooks.unwrap_or_default(),
        Err(reason) => {
            findings.push(unreadable(file, &reason, consequence));
            return;
        }
    };
    let foreign = hooks
        .as_object()
        .and_then(|root| root.keys().find(|key| !matches!(key.as_str(), "hooks" | "description")));
    if let Some(key) = foreign {
        findings.push(unreadable(file, &format!("the key {key:?} is not known to Codex"), consequence));
    }
    for (event, groups) in hooks.get("hooks").and_then(Value::as_object).into_iter().flatten() {
        let groups = groups.as_array().map(Vec::as_slice).unwrap_or_default();
        let ours: Vec<usize> =
            (0..groups.len()).filter(|&index| wire::mentions_our_hook(&groups[index], ID)).collect();
        if ours.len() > 1 || ours.iter().any(|&index| !wire::is_our_hook(&groups[index], ID)) {
            findings.push(Finding {
                level: Level::NeedsYou,
                what: format!(
                    "hooks.{event} of {} holds Plimsoll's hook in a group with others, or twice",
                    file.display()
                ),
                remedy: "Move the other hook into a group of its own and connect again.".to_owned(),
            });
        }
    }
    findings.extend(rivals::findings([(file.display().to_string(), hooks.get("hooks"))]));
}

fn managed_findings(file: &Path, findings: &mut Vec<Finding>) {
    let managed = match read(file, Syntax::Toml) {
        Ok(Some(managed)) => managed,
        Ok(None) => return,
        Err(reason) => {
            findings.push(unreadable(file, &reason, "what your administrator requires is not known"));
            return;
        }
    };
    let path = file.display();
    hooks_switch(&managed, &path.to_string(), findings);
    if managed.get("allow_managed_hooks_only") == Some(&Value::Bool(true)) {
        findings.push(Finding {
            level: Level::Broken,
            what: format!("allow_managed_hooks_only is on in {path}: only the administrator's hooks run"),
            remedy: "Ask the administrator to add Plimsoll's hooks; the tools work without them.".to_owned(),
        });
    }
    if managed
        .get("mcp_servers")
        .and_then(Value::as_object)
        .is_some_and(|servers| !servers.contains_key(SERVER_KEY))
    {
        findings.push(Finding {
            level: Level::Broken,
            what: format!("{path} lists the servers that may run, and {SERVER_KEY} is not among them"),
            remedy: "Ask the administrator to admit it.".to_owned(),
        });
    }
}
