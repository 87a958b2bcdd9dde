//! What keeps Gemini CLI from using our entries. It changes nothing.

use std::path::Path;

use serde_json::Value;

use super::{HOOKS_SINCE, ID, settings_files};
use crate::config::{Syntax, at, read, read_or_nothing, strings, unreadable};
use crate::{Finding, Found, Level, Machine, SERVER_KEY, rivals, wire};

pub(super) fn findings(machine: &Machine<'_>, found: &Found, project: Option<&Path>) -> Vec<Finding> {
    let mut findings = vec![Finding {
        level: Level::Note,
        what: "Gemini CLI serves API keys and Code Assist Standard and Enterprise; other accounts moved to \
               Antigravity in June 2026"
            .to_owned(),
        remedy: "With such an account, connect Antigravity.".to_owned(),
    }];
    if found.at_least(HOOKS_SINCE) == Some(false) {
        let version = found.version.as_deref().unwrap_or_default();
        findings.push(Finding {
            level: Level::NeedsYou,
            what: format!("Gemini CLI {version} is older than {HOOKS_SINCE}: only the tools work"),
            remedy: "Update Gemini CLI and connect again to have hooks.".to_owned(),
        });
    }
    for file in settings_files(machine.env, &found.config_dir, &machine.root, project) {
        if std::fs::read(&file).is_ok_and(|bytes| bytes.starts_with(b"\xef\xbb\xbf")) {
            findings.push(unreadable(&file, "it starts with a byte order mark", "Gemini CLI does not start"));
            continue;
        }
        match read(&file, Syntax::Comments) {
            Ok(settings) => settings_findings(&file, &settings.unwrap_or_default(), &mut findings),
            Err(reason) => findings.push(unreadable(&file, &reason, "Gemini CLI does not start")),
        }
    }
    let switches = found.config_dir.join("mcp-server-enablement.json");
    let switched = read_or_nothing(&switches, Syntax::Strict);
    if at(&switched, &[SERVER_KEY, "enabled"]) == Some(&Value::Bool(false)) {
        findings.push(Finding {
            level: Level::NeedsYou,
            what: format!("the server {SERVER_KEY} is switched off in {}", switches.display()),
            remedy: format!("Switch it on: gemini mcp enable {SERVER_KEY}"),
        });
    }
    findings
}

fn settings_findings(file: &Path, settings: &Value, findings: &mut Vec<Finding>) {
    let path = file.display();
    for keys in [&["hooksConfig", "enabled"], &["hooks", "enabled"], &["tools", "enableHooks"]] {
        if at(settings, keys) == Some(&Value::Bool(false)) {
            let key = keys.join(".");
            findings.push(Finding {
                level: Level::Broken,
                what: format!("{key} is false in {path}: no hook runs"),
                remedy: format!("Remove {key} from {path}; the tools work without hooks."),
            });
        }
    }
    for keys in [&["hooksConfig", "disabled"], &["hooks", "disabled"]] {
        for text in strings(settings, keys) {
            if text.starts_with("plimsoll-")
                || wire::words(text).first().is_some_and(|word| wire::is_launcher(word))
            {
                findings.push(Finding {
                    level: Level::NeedsYou,
                    what: format!("{} of {path} has {text}: that hook does not run", keys.join(".")),
                    remedy: "Switch it on with /hooks inside Gemini CLI.".to_owned(),
                });
            }
        }
    }
    let allowed = strings(settings, &["mcp", "allowed"]);
    if strings(settings, &["mcp", "excluded"]).contains(&SERVER_KEY)
        || (!allowed.is_empty() && !allowed.contains(&SERVER_KEY))
    {
        findings.push(Finding {
            level: Level::Broken,
            what: format!("mcp.allowed or mcp.excluded of {path} keeps the server {SERVER_KEY} out"),
            remedy: format!("Admit {SERVER_KEY} there to have the tools."),
        });
    }
    for (event, groups) in settings.get("hooks").and_then(Value::as_object).into_iter().flatten() {
        let groups = groups.as_array().map(Vec::as_slice).unwrap_or_default();
        let ours: Vec<&Value> = groups.iter().filter(|group| wire::mentions_our_hook(group, ID)).collect();
        if ours.len() > 1 || ours.iter().any(|group| !wire::is_our_hook(group, ID)) {
            findings.push(Finding {
                level: Level::NeedsYou,
                what: format!(
                    "hooks.{event} of {path} holds Plimsoll's hook in a group with others, or twice"
                ),
                remedy: "Move the other hook into a group of its own and connect again.".to_owned(),
            });
        }
    }
    findings.extend(rivals::findings([
        (path.to_string(), settings.get("mcpServers")),
        (path.to_string(), settings.get("hooks")),
    ]));
}
