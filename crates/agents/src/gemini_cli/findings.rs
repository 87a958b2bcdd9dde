//! What keeps Gemini CLI from using Plimsoll's entries. Read-only.

use std::path::Path;

use serde_json::Value;

use super::{HOOKS_SINCE, ID, flags, settings_files};
use crate::command_line::{is_launcher, launcher_words};
use crate::config::{Syntax, at, read, read_or_nothing, strings, unreadable_finding};
use crate::finding::hooks_not_alone;
use crate::{Finding, Installation, Level, Machine, SERVER_KEY, messages, rivals};

pub(super) fn findings(
    machine: &Machine<'_>,
    installation: &Installation,
    project: Option<&Path>,
) -> Vec<Finding> {
    let mut findings = vec![Finding {
        level: Level::Note,
        what: messages::gemini_accounts(),
        remedy: messages::gemini_elsewhere(),
    }];
    if installation.at_least(HOOKS_SINCE) == Some(false) {
        let version = installation.version.as_deref().unwrap_or_default();
        findings.push(Finding {
            level: Level::NeedsYou,
            what: messages::tools_only("Gemini CLI", version, HOOKS_SINCE),
            remedy: messages::update_for_hooks("Gemini CLI"),
        });
    }
    for switch in flags::switches(machine.env) {
        findings.push(Finding {
            level: Level::Broken,
            what: messages::switched_off_by("Gemini CLI", &switch),
            remedy: messages::start_without(&switch),
        });
    }
    for file in settings_files(machine.env, &installation.config_dir, &machine.root, project) {
        if crate::config::starts_with_bom(&file) {
            findings.push(unreadable_finding(
                &file,
                messages::byte_order_mark(),
                messages::does_not_start("Gemini CLI"),
            ));
            continue;
        }
        match read(&file, Syntax::Comments) {
            Ok(settings) => settings_findings(&file, &settings.unwrap_or_default(), &mut findings),
            Err(reason) => {
                findings.push(unreadable_finding(&file, reason, messages::does_not_start("Gemini CLI")));
            }
        }
    }
    let switches = installation.config_dir.join("mcp-server-enablement.json");
    let switched = read_or_nothing(&switches, Syntax::Strict);
    if at(&switched, &[SERVER_KEY, "enabled"]) == Some(&Value::Bool(false)) {
        findings.push(Finding {
            level: Level::NeedsYou,
            what: messages::server_off(SERVER_KEY, &switches),
            remedy: messages::switch_on_with(format!("gemini mcp enable {SERVER_KEY}")),
        });
    }
    findings
}

fn settings_findings(file: &Path, settings: &Value, findings: &mut Vec<Finding>) {
    for keys in [&["hooksConfig", "enabled"], &["hooks", "enabled"], &["tools", "enableHooks"]] {
        if at(settings, keys) == Some(&Value::Bool(false)) {
            let key = keys.join(".");
            findings.push(Finding {
                level: Level::Broken,
                what: messages::key_is_false(&key, file),
                remedy: messages::remove_key(&key, file),
            });
        }
    }
    for keys in [&["hooksConfig", "disabled"], &["hooks", "disabled"]] {
        for text in strings(settings, keys) {
            if text.starts_with("plimsoll-")
                || launcher_words(text).first().is_some_and(|word| is_launcher(word))
            {
                findings.push(Finding {
                    level: Level::NeedsYou,
                    what: messages::hook_listed_off(keys.join("."), file, text),
                    remedy: messages::switch_on_hooks("Gemini CLI"),
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
            what: messages::kept_out(file, SERVER_KEY),
            remedy: messages::admit_there(SERVER_KEY),
        });
    }
    findings.extend(hooks_not_alone(file, settings.get("hooks"), ID));
    findings.extend(rivals::findings([
        (file.display().to_string(), settings.get("mcpServers")),
        (file.display().to_string(), settings.get("hooks")),
    ]));
}
