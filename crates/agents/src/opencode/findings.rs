//! What keeps OpenCode from starting our server or loading our plugin, and what would make either act twice.
//! It only reads; it does not know how any of it came about.

use std::path::Path;

use home::Env;
use serde_json::{Value, json};

use super::{OBJECT_PLUGIN, candidates, has_plugins, project_file};
use crate::config::{self, Syntax};
use crate::{Finding, Found, Level, rivals, wire};

/// Every finding, files first.
pub(super) fn all(env: &Env, found: &Found, project: Option<&Path>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let dir = &found.config_dir;
    let ours = dir.join("plugins").join("plimsoll.js");
    let mut files = candidates(env, dir);
    files.extend(project.map(project_file));
    let registered = files.iter().filter(|path| path.exists()).cloned().collect::<Vec<_>>();
    for file in registered {
        let value = match config::read(&file, Syntax::Jsonc) {
            Ok(value) => value.unwrap_or_default(),
            Err(reason) => {
                findings.push(config::unreadable(&file, &reason, "OpenCode does not start"));
                continue;
            }
        };
        let place = file.display().to_string();
        findings.extend(rivals::findings([
            (place.clone(), value.get("mcp")),
            (place.clone(), value.get("plugin")),
        ]));
        if let Some(plugin) = listed_as(&value) {
            let (what, remedy) = if ours.exists() {
                (
                    format!("and {} is there too: each event is handled twice", ours.display()),
                    "Remove it from the list; OpenCode finds the file by itself.",
                )
            } else {
                (
                    "so Plimsoll does not write its plugin file".to_owned(),
                    "Remove it from the list and connect again to use the file that Plimsoll keeps up to date.",
                )
            };
            findings.push(Finding {
                level: Level::NeedsYou,
                what: format!("`{plugin}` is in the `plugin` list of {place} {what}"),
                remedy: remedy.to_owned(),
            });
        }
        let entry = config::at(&value, &["mcp", crate::SERVER_KEY]);
        if entry.and_then(|entry| entry.get("enabled")) == Some(&json!(false)) {
            findings.push(Finding {
                level: Level::NeedsYou,
                what: format!("the server plimsoll is disabled in {place}"),
                remedy: "Set `enabled` to true there, or remove the key.".to_owned(),
            });
        }
        if entry.is_some_and(|entry| !wire::is_our_server(entry)) {
            findings.push(Finding {
                level: Level::Broken,
                what: format!("`mcp.plimsoll` in {place} is not Plimsoll's"),
                remedy: "Rename that server; Plimsoll does not replace what it did not write.".to_owned(),
            });
        }
    }
    if std::fs::read_to_string(&ours).is_ok_and(|text| !text.contains(edits::OWNED_MARK)) {
        findings.push(Finding {
            level: Level::Broken,
            what: format!("{} is not Plimsoll's", ours.display()),
            remedy: "Move that file away and connect again.".to_owned(),
        });
    }
    if dir.join("plugin").join("plimsoll.js").exists() && ours.exists() {
        findings.push(Finding {
            level: Level::NeedsYou,
            what: format!(
                "{} holds the plugin a second time: each event is handled twice",
                dir.join("plugin").display()
            ),
            remedy: "Remove that copy.".to_owned(),
        });
    }
    if !has_plugins(found) {
        findings.push(Finding {
            level: Level::NeedsYou,
            what: format!("this OpenCode is older than {OBJECT_PLUGIN} and does not load Plimsoll's plugin"),
            remedy: "Update OpenCode (`opencode upgrade`) and connect again; the tools work without."
                .to_owned(),
        });
    }
    if env.var("OPENCODE_PURE").is_some_and(|value| matches!(value, "1" | "true")) {
        findings.push(Finding {
            level: Level::NeedsYou,
            what: "OPENCODE_PURE is set: OpenCode loads no plugins".to_owned(),
            remedy: "Unset it to let the plugin run.".to_owned(),
        });
    }
    findings
}

/// The entry of a config's `plugin` list that is Plimsoll's.
pub(super) fn listed_as(config: &Value) -> Option<&str> {
    let list = config.get("plugin").and_then(Value::as_array)?;
    // A plugin with options is a pair of its name and them.
    list.iter()
        .filter_map(|entry| entry.as_str().or_else(|| entry.get(0)?.as_str()))
        .find(|name| names_us(name))
}

/// Whether an entry of the `plugin` list is Plimsoll's: a package or file of that name.
fn names_us(plugin: &str) -> bool {
    let last = plugin.rsplit(['/', '\\']).next().unwrap_or(plugin);
    let name = last.split('@').next().unwrap_or(last);
    matches!(name, "plimsoll" | "plimsoll.js" | "opencode-plimsoll")
}
