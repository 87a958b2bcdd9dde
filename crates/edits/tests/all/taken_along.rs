//! What the user put into Plimsoll's entry goes with it, and the plan says so.

use crate::common::{Scratch, edits, format};
use plimsoll_edits::{Dialect, plan, plan_removal};

/// The notes of a removal after `from` was replaced by `to` in the connected file.
fn notes(dialect: Dialect, from: &str, to: &str) -> Vec<String> {
    let scratch = Scratch::new();
    let file = scratch.file("settings", b"");
    let receipt = scratch.apply(&plan(&file, format(dialect), &edits(dialect)));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{text}");
    std::fs::write(&file, text.replacen(from, to, 1)).unwrap();
    let removal = plan_removal(&file, format(dialect), &edits(dialect), Some(&receipt));
    assert_eq!(removal.refusal, None);
    removal.notes.iter().map(ToString::to_string).collect()
}

#[test]
fn a_plan_names_the_keys_and_comments_that_go_with_an_entry() {
    let told = |what: &str| {
        vec![format!(
            "what somebody else put into Plimsoll's entry goes with it: {what}; a copy is kept with the backups"
        )]
    };
    let args = "\"args\":";
    for (dialect, from, to, expected) in [
        (
            Dialect::Jsonc,
            args,
            "\"env\": {\"A\": \"1\"}, // why\n \"args\":",
            told("mcpServers.plimsoll.env, 1 comment"),
        ),
        (Dialect::Json, args, "\"disabled\": true, \"args\":", told("mcpServers.plimsoll.disabled")),
        (Dialect::Json, "{", "{\"mine\": true,", Vec::new()),
        (Dialect::Jsonc, "{", "// mine\n{", Vec::new()),
        (
            Dialect::Toml,
            "args = ",
            "enabled = true # why\nargs = ",
            told("mcp_servers.plimsoll.enabled, 1 comment"),
        ),
        (Dialect::Toml, "[mcp_servers.plimsoll]", "# mine\n[mcp_servers.plimsoll]", Vec::new()),
    ] {
        assert_eq!(notes(dialect, from, to), expected, "{to}");
    }
}
