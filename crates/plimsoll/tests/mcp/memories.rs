//! Memories at their addresses, as hooks and recalls name them.

use serde_json::{Value, json};

use crate::client::Place;

#[test]
fn a_memory_is_read_and_searched_at_its_address() {
    let place = Place::new();
    let mut client = place.session();
    let text = format!("Use NATS for the queue.\n\n{}\n\nThe walrus decides.", "filler line\n".repeat(2_000));
    let captured = client.good(
        "memory",
        json!({"action": "capture", "content": text, "namespace": "decisions", "tags": ["queue"]}),
    );
    let captured: Value = serde_json::from_str(&captured).expect("JSON");
    let address = captured["urn"].as_str().expect("an address").to_owned();
    let read =
        |client: &mut crate::client::Client, uri: &str| client.request("resources/read", json!({"uri": uri}));
    let answer = read(&mut client, &address);
    let shown = answer["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
    assert!(shown.starts_with("---\nid: ") && shown.contains("The walrus decides."), "{shown}");
    // As subcog names it, in its lists and elsewhere.
    let id = captured["id"].as_str().expect("an id");
    for older in [format!("subcog://project/decisions/{id}"), format!("subcog://memory/{id}")] {
        let answer = read(&mut client, &older);
        assert_eq!(answer["result"]["contents"][0]["text"], shown, "{older}: {answer}");
        let found = client.good("search", json!({"queries": ["walrus"], "source": older}));
        assert!(found.contains("The walrus decides."), "{older}: {found}");
    }
    let found = client.good("search", json!({"queries": ["walrus"], "source": address}));
    assert!(found.contains("The walrus decides.") && found.len() < 8_000, "{found}");
    let templates = client.request("resources/templates/list", json!({})).to_string();
    assert!(templates.contains("plimsoll://memory/{domain}/{namespace}/{id}"), "{templates}");
    // An agent can read neither what waits for a review nor another project's memory.
    place.write("work/ship/CLAUDE.md", "- Always run the linter before a commit\n");
    let rules = place.project().join("CLAUDE.md");
    client.good("memory", json!({"action": "import", "path": rules}));
    let server = place.command(&[]);
    let printed = std::process::Command::new(server.get_program())
        .args(["memory", "list", "--filter", "status:pending", "--json"])
        .env_clear()
        .envs(server.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .current_dir(place.project())
        .output()
        .expect("it runs");
    let listed: Value = serde_json::from_slice(&printed.stdout).expect("JSON");
    let waiting = listed["results"][0]["uri"].as_str().unwrap_or_else(|| panic!("{listed}"));
    for uri in [waiting, "plimsoll://memory/project/decisions/0123456789abcdef", "plimsoll://nowhere/1"] {
        let refused = read(&mut client, uri);
        assert!(refused["error"]["message"].is_string(), "{uri}: {refused}");
        assert!(!refused.to_string().contains("linter"), "{refused}");
    }
}

/// What the user's own rules keep from an agent's tools isn't taken in either.
#[test]
fn what_an_agent_may_not_read_it_may_not_import() {
    let place = Place::new();
    place.write(
        "work/ship/.claude/settings.json",
        r#"{"permissions": {"deny": ["Read(./secret/**)"], "ask": ["Read(./asked/**)"]}}"#,
    );
    place.write("work/ship/secret/key.md", "The key is under the walrus\n");
    place.write(
        "work/ship/secret/key.json",
        r#"[{"content": "The walrus guards the key", "namespace": "config"}]"#,
    );
    place.write("work/ship/asked/key.md", "Ask the walrus for the key\n");
    place.write("work/ship/notes/open.md", "The gate opens at nine\n");
    let mut client = place.session();
    let whole = place.project().join("secret/key.json");
    for path in ["secret/key.md", "notes/../secret/key.md", "asked/key.md", whole.to_str().expect("UTF-8")] {
        let refused = client.bad("memory", json!({"action": "import", "path": path}));
        assert!(refused.starts_with("error denied") && refused.contains("rules"), "{path}: {refused}");
        assert!(!refused.contains("walrus"), "{refused}");
    }
    #[cfg(unix)]
    {
        let link = place.project().join("notes/link.md");
        std::os::unix::fs::symlink(place.project().join("secret/key.md"), &link).expect("a link");
        client.bad("memory", json!({"action": "import", "path": "notes/link.md"}));
    }
    let taken = client.good("memory", json!({"action": "import", "path": "."}));
    assert!(taken.contains("\"imported\":1") && !taken.contains("walrus"), "{taken}");
    let all = client.good("memory", json!({"action": "recall", "detail": "everything"}));
    assert!(all.contains("The gate opens") && !all.contains("walrus"), "{all}");
    // The user's own command needs no permission.
    let server = place.command(&[]);
    let printed = std::process::Command::new(server.get_program())
        .args(["memory", "import", "secret/key.md", "--json"])
        .env_clear()
        .envs(server.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .current_dir(place.project())
        .output()
        .expect("it runs");
    let taken: Value = serde_json::from_slice(&printed.stdout).expect("JSON");
    assert_eq!(taken["imported"], 1, "{taken}");
}

/// An agent gets a repository's shared memories only from files that the user's rules let it read, whoever has loaded
/// them.
#[test]
fn shared_files_that_an_agent_may_not_read_are_withheld() {
    let place = Place::new();
    place.write(
        "work/ship/.claude/settings.json",
        r#"{"permissions": {"deny": ["Read(./.plimsoll/memories/decisions-secret.md)"]}}"#,
    );
    for (name, text) in [("secret", "The walrus guards the key"), ("open", "The gate opens at nine")] {
        let file = format!("work/ship/.plimsoll/memories/decisions-{name}.md");
        place.write(&file, &format!("---\nid: {name}0000\nnamespace: decisions\n---\n\n{text}\n"));
    }
    // The user's own command reads all.
    let server = place.command(&[]);
    let printed = std::process::Command::new(server.get_program())
        .args(["memory", "recall", "walrus", "--detail", "everything", "--json"])
        .env_clear()
        .envs(server.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .current_dir(place.project())
        .output()
        .expect("it runs");
    let found: Value = serde_json::from_slice(&printed.stdout).expect("JSON");
    assert_eq!(found["total"], 1, "{found}");
    let id = found["results"][0]["id"].as_str().expect("an id");
    let mut client = place.session();
    for given in [
        json!({"action": "recall", "detail": "everything"}),
        json!({"action": "recall", "query": "walrus guards the key"}),
        json!({"action": "export", "format": "json"}),
    ] {
        let all = client.good("memory", given);
        assert!(!all.contains("walrus"), "{all}");
    }
    let refused = client.bad("memory", json!({"action": "get", "id": id}));
    assert!(!refused.contains("walrus"), "{refused}");
    let all = client.good("memory", json!({"action": "recall", "detail": "everything"}));
    assert!(all.contains("The gate opens") && all.contains("\"total\":1"), "{all}");
    assert!(all.contains("memories of the repository are left out"), "{all}");
    // Nothing is gone because one agent may not see it.
    let status = client.good("memory", json!({"action": "status"}));
    assert!(status.contains("decisions-secret.md") && status.contains("rules"), "{status}");
}
