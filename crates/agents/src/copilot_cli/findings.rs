//! What keeps Copilot CLI's server, or the hooks that it shares with VS Code, from running.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::config::{self, Syntax};
use crate::{Agent as _, Finding, Installation, Level, Machine, entries, messages, rivals};

use super::{CopilotCli, ID, permissions};

pub(super) fn findings(machine: &Machine<'_>, installation: &Installation) -> Vec<Finding> {
    let dir = &installation.config_dir;
    let mut findings = hooks_findings(dir);
    let process = permissions::process(machine.env);
    if process.values(&["--disable-mcp-server"]).any(|server| server == crate::SERVER_KEY) {
        let switch = format!("--disable-mcp-server {}", crate::SERVER_KEY);
        findings.push(Finding {
            level: Level::Broken,
            what: messages::switched_off_by(CopilotCli.name(), &switch),
            remedy: messages::start_without(&switch),
        });
    }
    for file in ["config.json", "settings.json"].map(|name| dir.join(name)) {
        let value = config::read_or_nothing(&file, Syntax::Jsonc);
        let off = ["disabled_mcp_servers", "disabledMcpServers"]
            .iter()
            .any(|key| config::strings(&value, &[key]).contains(&crate::SERVER_KEY));
        if off {
            findings.push(Finding {
                level: Level::NeedsYou,
                what: messages::server_listed_off(&file, crate::SERVER_KEY),
                remedy: messages::switch_on_copilot(),
            });
        }
    }
    let mcp = dir.join("mcp-config.json");
    match config::read(&mcp, Syntax::Jsonc) {
        Err(reason) => {
            findings.push(config::unreadable_finding(
                &mcp,
                reason,
                messages::starts_no_server(CopilotCli.name()),
            ));
        }
        Ok(value) => findings.extend(rivals::findings([(mcp.display().to_string(), value.as_ref())])),
    }
    findings
}

/// What keeps the shared hooks from running.
pub(crate) fn hooks_findings(dir: &Path) -> Vec<Finding> {
    let mut findings = Vec::new();
    let file = dir.join("hooks").join("plimsoll.json");
    if let Err(reason) = config::read(&file, Syntax::Strict) {
        findings.push(config::unreadable_finding(&file, reason, messages::hooks_ignored("Copilot")));
    }
    for file in ["config.json", "settings.json"].map(|name| dir.join(name)) {
        let value = config::read_or_nothing(&file, Syntax::Jsonc);
        if ["disableAllHooks", "disable_all_hooks"].iter().any(|key| value.get(key) == Some(&json!(true))) {
            findings.push(Finding {
                level: Level::Broken,
                what: messages::setting_stops_hooks("disableAllHooks", &file),
                remedy: messages::remove_setting(),
            });
        }
    }
    let others = std::fs::read_dir(dir.join("hooks")).into_iter().flatten().flatten();
    let mut others: Vec<PathBuf> = others.map(|entry| entry.path()).filter(|path| *path != file).collect();
    others.sort();
    for other in others.iter().filter(|path| path.extension().is_some_and(|ending| ending == "json")) {
        let value = config::read_or_nothing(other, Syntax::Strict);
        findings.extend(rivals::findings([(other.display().to_string(), Some(&value))]));
        let twice =
            value.get("hooks").and_then(Value::as_object).into_iter().flatten().any(|(_, handlers)| {
                handlers.as_array().into_iter().flatten().any(|handler| entries::is_our_hook(handler, ID))
            });
        if twice {
            findings.push(Finding {
                level: Level::NeedsYou,
                what: messages::file_runs_too(other),
                remedy: messages::remove_our_entries(),
            });
        }
    }
    findings
}
