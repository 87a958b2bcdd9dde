//! Credentials are forwarded to Plimsoll's server only with the user's consent, by name and never by value; the consent outlives a
//! new plan, and withdrawing it leaves the entry as if it had never been given.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use edits::{Change, Store};
use home::Env;
use plimsoll_agents::{CREDENTIALS, EntryContext, Parts, Scope, by_id, withholding_agents};

struct Place {
    agent: &'static str,
    file: &'static str,
    dir: tempfile::TempDir,
}

impl Place {
    fn new(agent: &'static str, file: &'static str, before: &str) -> Self {
        let place = Self { agent, file, dir: tempfile::tempdir().unwrap() };
        std::fs::write(place.dir.path().join(file), before).unwrap();
        place
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.dir.path().join(self.file)).unwrap()
    }

    /// Connects the tools; returns the entry's earlier choice about credentials, and whether anything was written.
    fn connect(&self, credentials: Option<bool>) -> (Option<bool>, bool) {
        let env = Env::for_test("/home/ana");
        let agent = by_id(self.agent).unwrap();
        let mut found = agent.assumed_installation(&env);
        found.config_dir = self.dir.path().to_owned();
        let parts = Parts { hooks: false, credentials, ..Parts::default() };
        let launcher = Path::new("/home/ana/.plimsoll/bin/plimsoll");
        let context = EntryContext { launcher, scope: &Scope::User, installation: &found, parts, env: &env };
        let passes = agent.passes_credentials(&context);
        let store = Store { backups: self.dir.path().join("backups"), locks: self.dir.path().join("locks") };
        let mut written = false;
        for file in agent.files(&context) {
            let plan = edits::plan(&file.path, file.format, &file.edits);
            assert!(plan.refusal.is_none(), "{:?}", plan.refusal);
            written |= plan.change != Change::Unchanged;
            edits::apply(&plan, &store, 1).unwrap();
        }
        (passes, written)
    }
}

const PLACES: [(&str, &str, &str); 3] = [
    ("codex", "config.toml", "model = \"x\" # mine\n"),
    ("gemini-cli", "settings.json", "{\n  // mine\n  \"theme\": \"dark\"\n}\n"),
    ("gemini-cli", "settings.json", "{ \"mcpServers\": { \"other\": { \"command\": \"x\" } } }"),
];

#[test]
fn a_consent_stays_until_it_is_taken_back() {
    for (agent, file, before) in PLACES {
        let place = Place::new(agent, file, before);
        assert_eq!(place.connect(None), (Some(false), true), "{agent}");
        let without = place.text();
        assert!(
            !CREDENTIALS.iter().any(|name| without.contains(name)),
            "{agent} passes on unasked:\n{without}"
        );
        assert_eq!(place.connect(Some(true)), (Some(false), true), "{agent}");
        let with = place.text();
        for name in ["GH_TOKEN", "AWS_SECRET_ACCESS_KEY", "NPM_TOKEN", "GOOGLE_APPLICATION_CREDENTIALS"] {
            assert!(with.contains(name), "{agent} keeps {name}:\n{with}");
        }
        // A new plan without a choice changes nothing.
        assert_eq!(place.connect(None), (Some(true), false), "{agent}");
        assert_eq!(place.connect(Some(false)), (Some(true), true), "{agent}");
        assert_eq!(place.text(), without, "{agent}");
        assert_eq!(place.connect(Some(false)), (Some(false), false), "{agent}");
    }
}

#[test]
fn what_a_user_added_to_the_entry_survives_giving_and_taking() {
    let place = Place::new("gemini-cli", "settings.json", "{}\n");
    place.connect(None);
    let own = place.text().replacen(
        "\"args\"",
        "\"trust\": true, \"env\": {\"GH_TOKEN\": \"mine\", \"X\": \"1\"}, \"args\"",
        1,
    );
    std::fs::write(place.dir.path().join("settings.json"), own).unwrap();
    place.connect(Some(true));
    place.connect(Some(false));
    let left: serde_json::Value = serde_json::from_str(&place.text()).unwrap();
    let entry = &left["mcpServers"]["plimsoll"];
    assert_eq!((&entry["trust"], &entry["env"]["X"]), (&true.into(), &"1".into()), "{left}");
    assert!(
        !CREDENTIALS.iter().any(|name| *name != "GH_TOKEN" && entry["env"].get(name).is_some()),
        "{left}"
    );
}

/// Codex itself writes approvals of tools into the entry.
#[test]
fn what_was_set_in_codexs_entry_survives_giving_taking_and_connecting_again() {
    const ADDED: &str =
        "enabled_tools = [\"search\"]\n\n[mcp_servers.plimsoll.tools.search]\napproval_mode = \"approve\"\n";
    let place = Place::new("codex", "config.toml", "");
    place.connect(None);
    let path = place.dir.path().join("config.toml");
    let kept = place.text().replace("\"AWS_PROFILE\"]", "\"AWS_PROFILE\", \"SHOP_REGION\"]") + ADDED;
    std::fs::write(&path, &kept).unwrap();
    assert_eq!(place.connect(None), (Some(false), false));
    place.connect(Some(true));
    assert!(place.text().contains("GH_TOKEN") && place.text().ends_with(ADDED), "{}", place.text());
    assert!(place.text().contains("SHOP_REGION"), "a variable that the user lets through: {}", place.text());
    place.connect(Some(false));
    assert_eq!(place.text(), kept);
    // A table for one of Plimsoll's own variables is in its place.
    let table = "{ name = \"AWS_PROFILE\", source = \"local\" }";
    std::fs::write(&path, kept.replace("\"AWS_PROFILE\"", table)).unwrap();
    place.connect(Some(true));
    place.connect(Some(false));
    assert_eq!(place.text().matches("AWS_PROFILE").count(), 1, "{}", place.text());
    assert!(place.text().contains(table) && place.text().contains("SHOP_REGION"), "{}", place.text());
    // With dotted keys, the one that is missing can't be added beside them.
    let entry =
        "mcp_servers.plimsoll = { command = \"/home/ana/.plimsoll/bin/plimsoll\", args = [\"mcp\"] }\n";
    let dotted = "mcp_servers.plimsoll.command = \"/home/ana/.plimsoll/bin/plimsoll\"\n\
                  mcp_servers.plimsoll.args = [\"mcp\"]\nmcp_servers.plimsoll.required = true\n";
    for (before, has_more) in [(entry, false), (dotted, true)] {
        std::fs::write(&path, before).unwrap();
        place.connect(None);
        let text = place.text();
        assert!(text.contains("tool_timeout_sec") && text.contains("required") == has_more, "{text}");
    }
    // Beside a command Codex takes an address and what belongs to it for a mistake, and doesn't start.
    for key in ["url", "bearer_token", "oauth_resource"] {
        let mixed = kept.replace("enabled_tools", &format!("{key} = \"http://127.0.0.1\"\nenabled_tools"));
        std::fs::write(&path, mixed).unwrap();
        place.connect(None);
        let text = place.text();
        assert!(text.contains("command") && !text.contains(key) && !text.contains("approval_mode"), "{text}");
    }
}

#[test]
fn the_agents_that_withhold_credentials_say_so_themselves() {
    assert_eq!(withholding_agents(), ["Codex", "Gemini CLI"]);
    let dir = tempfile::tempdir().unwrap();
    let env = Env::for_test(dir.path());
    for agent in plimsoll_agents::AGENTS {
        let installation = agent.assumed_installation(&env);
        let (launcher, parts) = (Path::new(""), Parts::default());
        let context =
            EntryContext { launcher, scope: &Scope::User, installation: &installation, parts, env: &env };
        let passes = agent.passes_credentials(&context);
        assert_eq!(passes.is_some(), agent.withholds_credentials(), "{}", agent.id());
    }
}
