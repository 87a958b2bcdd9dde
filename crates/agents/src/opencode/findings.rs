//! What keeps OpenCode from starting Plimsoll's server or loading its plugin, and what would make either act twice.
//! Read-only.

use std::path::Path;

use home::Env;
use serde_json::{Value, json};

use super::{OBJECT_PLUGIN, candidates, has_plugins, project_file};
use crate::config::{self, Syntax};
use crate::{Finding, Installation, Level, entries, messages, rivals};

/// Every finding, files first.
pub(super) fn findings(env: &Env, installation: &Installation, project: Option<&Path>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let dir = &installation.config_dir;
    let ours = dir.join("plugins").join("plimsoll.js");
    let mut files = candidates(env, dir);
    files.extend(project.map(project_file));
    let registered = files.iter().filter(|path| path.exists()).cloned().collect::<Vec<_>>();
    for file in registered {
        let value = match config::read(&file, Syntax::Jsonc) {
            Ok(value) => value.unwrap_or_default(),
            Err(reason) => {
                findings.push(config::unreadable_finding(
                    &file,
                    reason,
                    messages::does_not_start("OpenCode"),
                ));
                continue;
            }
        };
        let place = file.display().to_string();
        findings.extend(rivals::findings([
            (place.clone(), value.get("mcp")),
            (place.clone(), value.get("plugin")),
        ]));
        if let Some(plugin) = plugin_entry(&value) {
            let (what, remedy) = if ours.exists() {
                (messages::plugin_listed_twice(plugin, &file, &ours), messages::remove_from_list())
            } else {
                (messages::plugin_listed(plugin, &file), messages::remove_and_connect())
            };
            findings.push(Finding { level: Level::NeedsYou, what, remedy });
        }
        let entry = config::at(&value, &["mcp", crate::SERVER_KEY]);
        if entry.and_then(|entry| entry.get("enabled")) == Some(&json!(false)) {
            findings.push(Finding {
                level: Level::NeedsYou,
                what: messages::server_disabled(crate::SERVER_KEY, &file),
                remedy: messages::set_enabled(),
            });
        }
        if entry.is_some_and(|entry| !entries::is_our_server(entry)) {
            findings.push(Finding {
                level: Level::Broken,
                what: messages::foreign_server("mcp.plimsoll", &file),
                remedy: messages::rename_server(),
            });
        }
    }
    if config::bytes(&ours).is_ok_and(|bytes| {
        bytes.is_some_and(|bytes| !String::from_utf8_lossy(&bytes).contains(edits::OWNED_MARK))
    }) {
        findings.push(Finding {
            level: Level::Broken,
            what: messages::foreign_file(&ours),
            remedy: messages::move_away(),
        });
    }
    if dir.join("plugin").join("plimsoll.js").exists() && ours.exists() {
        findings.push(Finding {
            level: Level::NeedsYou,
            what: messages::second_plugin(&dir.join("plugin")),
            remedy: messages::remove_copy(),
        });
    }
    if !has_plugins(installation) {
        findings.push(Finding {
            level: Level::NeedsYou,
            what: messages::no_plugins_yet(OBJECT_PLUGIN),
            remedy: messages::update_opencode(),
        });
    }
    if env.var("OPENCODE_PURE").is_some_and(|value| matches!(value, "1" | "true")) {
        findings.push(Finding {
            level: Level::NeedsYou,
            what: messages::pure_mode(),
            remedy: messages::unset_pure_mode(),
        });
    }
    findings
}

/// Plimsoll's entry in a config's `plugin` list.
pub(super) fn plugin_entry(config: &Value) -> Option<&str> {
    let list = config.get("plugin").and_then(Value::as_array)?;
    // A plugin with options is a pair of name and options.
    list.iter()
        .filter_map(|entry| entry.as_str().or_else(|| entry.get(0)?.as_str()))
        .find(|name| names_plimsoll(name))
}

/// Whether an entry in the `plugin` list is Plimsoll's: a package or file with that name.
fn names_plimsoll(plugin: &str) -> bool {
    let last = plugin.rsplit(['/', '\\']).next().unwrap_or(plugin);
    let name = last.split('@').next().unwrap_or(last);
    matches!(name, "plimsoll" | "plimsoll.js" | "opencode-plimsoll")
}
