//! The protocol: five revisions, two eras, and the messages on the wire.

use serde_json::{Value, json};

use crate::client::{Client, Place};

/// What the newer era requires in every request.
fn meta(version: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "copilot-cli", "version": "1.0.102"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

#[test]
fn every_handshake_revision_is_answered_in_kind() {
    let place = Place::new();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let answer = place.server().handshake(version);
        let result = &answer["result"];
        assert_eq!(result["protocolVersion"], version);
        assert_eq!(result["serverInfo"]["name"], "plimsoll");
        assert_eq!(result["serverInfo"]["title"], "plimsoll");
        assert!(result["instructions"].as_str().expect("instructions").len() <= 250);
        // The client is Claude Code, which would add three of its own tools for resources.
        for (capability, declared) in [("tools", true), ("prompts", true), ("resources", false)] {
            let there = result["capabilities"].get(capability).is_some();
            assert_eq!(there, declared, "{version}: {capability}");
        }
    }
    // An unknown revision is answered with a supported one.
    let answer = place.server().handshake("2031-01-01");
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
}

#[test]
fn what_is_declared_and_listed_is_the_agents_row_and_the_setting_has_the_last_word() {
    let hello = |client: &str| json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": client, "version": "1"}});
    let place = Place::new();
    for agent in agents::all() {
        for (setting, offer) in [
            ("auto", agent.offer()),
            ("all", agents::Offer::ALL),
            ("core", agent.offer().with_setting("core")),
        ] {
            place.write("home/.plimsoll/settings.toml", &format!("[mcp]\ntools = \"{setting}\"\n"));
            let Some(client) = agent.client_names().first() else { continue };
            let mut server = place.server();
            let answer = server.request("initialize", hello(client));
            let declared = &answer["result"]["capabilities"];
            assert_eq!(
                declared.get("resources").is_some(),
                offer.resources,
                "{client}, {setting}: {declared}"
            );
            assert_eq!(declared.get("prompts").is_some(), offer.prompts, "{client}, {setting}: {declared}");
            server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
            let listed = server.request("tools/list", json!({}));
            let tools = listed["result"]["tools"].as_array().expect("tools").clone();
            let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
            assert_eq!(names, offer.tools, "{client}, {setting}");
            // Whatever is declared, resources can be read and lists are lists.
            assert_eq!(
                server.request("resources/list", json!({}))["result"]["resources"],
                json!([]),
                "{client}"
            );
        }
    }
}

#[test]
fn the_newer_era_needs_no_handshake() {
    let place = Place::new();
    let mut client = place.server();
    let version = "2026-07-28";
    let found = client.request("server/discover", json!({"_meta": meta(version)}));
    let offered = found["result"]["supportedVersions"].as_array().expect("versions").clone();
    assert!(offered.contains(&json!(version)), "{found}");
    let listed = client.request("tools/list", json!({"_meta": meta(version)}));
    assert_eq!(listed["result"]["tools"].as_array().expect("tools").len(), 7);
    assert!(listed.to_string().len() <= 4_600, "{}", listed.to_string().len());
    let called = client.request(
        "tools/call",
        json!({"name": "execute", "arguments": {"language": "shell", "code": "echo hello"}, "_meta": meta(version)}),
    );
    assert_eq!(called["result"]["content"][0]["text"], "hello\nexit code 0");
    // The agent is known from the request, so that its hooks find this server.
    let beats: Vec<String> = std::fs::read_dir(place.data().join("run"))
        .expect("a run folder")
        .filter_map(|entry| std::fs::read_to_string(entry.expect("an entry").path()).ok())
        .collect();
    assert!(beats.iter().any(|beat| beat.contains("\"copilot-cli\"")), "{beats:?}");
}

#[test]
fn a_bare_discover_is_answered_at_once_and_a_handshake_may_follow() {
    let place = Place::new();
    let mut client = place.server();
    for params in [Value::Null, json!({})] {
        let found = client.request("server/discover", params);
        assert!(found["result"]["supportedVersions"].is_array(), "{found}");
    }
    // A message that isn't allowed before the handshake must not end the server.
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}));
    client.send(&json!({"jsonrpc": "2.0", "id": 5, "result": {}}));
    assert_eq!(client.handshake("2025-11-25")["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(client.printed(json!({"language": "shell", "code": "echo hello"})), "hello");
}

#[test]
fn the_tool_list_fits_into_its_budget_on_the_wire() {
    let place = Place::new();
    let mut client = place.session();
    let listed = client.request("tools/list", json!({}));
    let bytes = listed.to_string().len();
    assert!(bytes <= 4_600, "tools/list has {bytes} bytes");
    let names: Vec<&str> = listed["result"]["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["execute", "batch", "index", "search", "task", "manage", "memory"]);
    // Ten of them, everything included, and nothing is longer.
    place.write("home/.plimsoll/settings.toml", "[mcp]\ntools = \"all\"\n");
    let all = place.session().request("tools/list", json!({}));
    assert_eq!(all["result"]["tools"].as_array().expect("tools").len(), agents::offer::TOOLS.len());
    assert!(all.to_string().len() <= 8_000, "all tools have {} bytes", all.to_string().len());
}

/// Saved prompts are the agent's own, and a change is notified.
#[test]
fn saved_prompts_are_the_agents_own() {
    let place = Place::new();
    let mut client = place.session();
    assert_eq!(client.request("prompts/list", json!({}))["result"]["prompts"], json!([]));
    client.good(
        "prompt",
        json!({"action": "save", "name": "review", "description": "Look at a file", "content": "Review {{file}} for {{what}}.",
            "variables_def": [{"name": "what", "default": "errors", "description": "what to look for"}]}),
    );
    assert!(client.was_told("notifications/prompts/list_changed"));
    let listed = client.request("prompts/list", json!({}));
    let prompts = listed["result"]["prompts"].as_array().expect("prompts").clone();
    assert_eq!(prompts.len(), 1, "{listed}");
    assert_eq!(
        (&prompts[0]["name"], &prompts[0]["description"]),
        (&json!("review"), &json!("Look at a file"))
    );
    assert_eq!(
        prompts[0]["arguments"],
        json!([{"name": "file", "required": true}, {"name": "what", "description": "what to look for", "required": false}])
    );
    let got = client.request("prompts/get", json!({"name": "review", "arguments": {"file": "a.rs"}}));
    assert_eq!(got["result"]["messages"][0]["content"]["text"], "Review a.rs for errors.");
    assert_eq!(got["result"]["messages"][0]["role"], "user");
    let missing = client.request("prompts/get", json!({"name": "review"}));
    assert!(missing["error"]["message"].as_str().expect("words").contains("file"), "{missing}");
    client.good("prompt", json!({"action": "delete", "name": "review", "domain": "project"}));
    assert_eq!(client.request("prompts/list", json!({}))["result"]["prompts"], json!([]));
}

/// A tool that isn't listed can still be called, and one that is switched off says how to switch it on.
#[test]
fn memory_is_remembered_by_every_name_and_can_be_switched_off() {
    let place = Place::new();
    let mut client = place.session();
    let captured = client.good(
        "subcog_capture",
        json!({"namespace": "decisions", "content": "Invoices are numbered by the billing service", "tags": ["billing"]}),
    );
    let id =
        serde_json::from_str::<Value>(&captured).expect("JSON")["id"].as_str().expect("an id").to_owned();
    assert!(
        client.good("memory", json!({"action": "recall", "query": "who numbers invoices"})).contains(&id)
    );
    assert!(client.good("graph", json!({"action": "stats"})).contains("entity_count"));
    client.good("prompt", json!({"action": "save", "name": "hi", "content": "Hi {{who}}"}));
    drop(client);
    // Another session of the same project has it, and no session where it is off.
    assert!(place.session().good("recall", json!({"query": "invoices"})).contains(&id));
    for (settings, words) in [
        ("[memory]\nenabled = false\n", "enabled = true under [memory]"),
        ("[mcp]\ntoolsets = [\"context\"]\n", "toolsets = [\"memory\"]"),
    ] {
        place.write("home/.plimsoll/settings.toml", settings);
        let mut client = place.session();
        let listed = client.request("tools/list", json!({})).to_string();
        assert!(
            !listed.contains("\"name\":\"memory\"") && listed.contains("\"name\":\"execute\""),
            "{settings}: {listed}"
        );
        for name in ["memory", "graph", "subcog_recall"] {
            let refused = client.bad(name, json!({"action": "recall", "query": "invoices"}));
            assert!(refused.contains(words), "{settings}: {name}: {refused}");
        }
    }
}

#[test]
fn settings_choose_what_is_listed() {
    let place = Place::new();
    place.write("home/.plimsoll/settings.toml", "[mcp]\nsurface = \"full\"\n");
    let listed = place.session().request("tools/list", json!({}));
    let names: Vec<&str> = listed["result"]["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    for name in ["execute", "execute_file", "ctx_execute_file", "ctx_search", "fetch_and_index", "ctx_purge"]
    {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    place.write("home/.plimsoll/settings.toml", "[mcp]\ntoolsets = []\n");
    let mut client = place.session();
    assert_eq!(client.request("tools/list", json!({}))["result"]["tools"], json!([]));
    let refused = client.bad("execute", json!({"language": "shell", "code": "echo hello"}));
    assert!(refused.contains("toolset context is switched off"), "{refused}");
}

#[test]
fn empty_lists_are_lists() {
    let place = Place::new();
    let mut client = place.session();
    assert_eq!(client.request("prompts/list", json!({}))["result"]["prompts"], json!([]));
    assert_eq!(client.request("resources/list", json!({}))["result"]["resources"], json!([]));
    let templates = client.request("resources/templates/list", json!({}));
    assert_eq!(templates["result"]["resourceTemplates"].as_array().expect("templates").len(), 3);
    assert_eq!(client.request("prompts/get", json!({"name": "x"}))["error"]["code"], -32602);
    assert_eq!(
        client.request("resources/read", json!({"uri": "plimsoll://source/77"}))["error"]["code"],
        -32002
    );
    assert_eq!(client.request("no/such/method", json!({}))["error"]["code"], -32601);
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
    // Nothing was stored, so nothing was opened.
    assert!(!place.data().join("plimsoll.db").exists());
}

/// The protocol says that calling an unknown tool is a fault of the request, not a tool's error, whatever the tool's
/// prefix.
#[test]
fn an_unknown_tool_is_a_protocol_error() {
    let place = Place::new();
    let mut client = place.session();
    for name in ["no_such_tool", "subcog_no_such_tool", "ctx_no_such_tool", "subcog_execute", "ctx_memory"] {
        let answer = client.request("tools/call", json!({"name": name, "arguments": {}}));
        assert_eq!(answer["error"]["code"], -32602, "{name}: {answer}");
        assert_eq!(answer["error"]["data"]["code"], "unknown_tool", "{name}: {answer}");
        let message = answer["error"]["message"].as_str().expect("a message");
        let expected =
            format!("error unknown_tool: there is no tool {name:?}; the tools are execute, batch,");
        assert!(message.starts_with(&expected), "{message}");
    }
    // A tool that exists but is switched off says how to switch it on.
    assert!(
        client.bad("search_codebase", json!({"query": "x"})).starts_with("error unknown_tool: codebase is")
    );
    client.good("ctx_stats", json!({}));
}

#[test]
fn addresses_can_be_listed_page_by_page_and_read() {
    let place = Place::new();
    let mut client = place.session();
    for number in 0..60 {
        client.good(
            "index",
            json!({"content": format!("note number {number}"), "source": format!("note {number}")}),
        );
    }
    let mut uris = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let params = if cursor.is_null() { json!({}) } else { json!({ "cursor": cursor }) };
        let page = client.request("resources/list", params);
        let resources = page["result"]["resources"].as_array().expect("resources").clone();
        uris.extend(
            resources.iter().map(|resource| resource["uri"].as_str().expect("an address").to_owned()),
        );
        cursor = page["result"]["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(uris.len(), 60);
    let read = client.request("resources/read", json!({"uri": uris[0]}));
    assert_eq!(read["result"]["contents"][0]["text"], "note number 59");
    assert_eq!(client.request("resources/list", json!({"cursor": "x"}))["error"]["code"], -32602);
}

#[test]
fn the_project_is_the_root_that_the_client_names() {
    let place = Place::new();
    let elsewhere = place.write("work/else/a.txt", "a").parent().expect("a parent").to_owned();
    let mut client = place.server();
    client.request(
        "initialize",
        json!({"protocolVersion": "2025-06-18", "capabilities": {"roots": {}}, "clientInfo": {"name": "opencode", "version": "1"}}),
    );
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let asked = client.receive();
    assert_eq!(asked["method"], "roots/list");
    client.send(&json!({
        "jsonrpc": "2.0", "id": asked["id"],
        "result": {"roots": [{"uri": format!("file://{}", elsewhere.display()), "name": "else"}]},
    }));
    let shown = client.printed(json!({"language": "shell", "code": "pwd"}));
    assert_eq!(std::path::Path::new(&shown), dunce(&elsewhere));
}

#[test]
fn a_client_that_does_not_name_its_roots_is_not_waited_for() {
    let place = Place::new();
    let mut client = place.server();
    client.request(
        "initialize",
        json!({"protocolVersion": "2025-06-18", "capabilities": {"roots": {}}, "clientInfo": {"name": "x", "version": "1"}}),
    );
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let shown = client.printed(json!({"language": "shell", "code": "pwd"}));
    assert_eq!(std::path::Path::new(&shown), dunce(&place.project()));
}

#[test]
fn the_home_folder_is_no_project() {
    let place = Place::new();
    let mut command = place.command(&[]);
    command.current_dir(place.home());
    let mut client = Client::start(command);
    client.handshake("2025-06-18");
    let shown = client.good("execute", json!({"language": "shell", "code": "pwd"}));
    assert!(shown.contains("no project is known"), "{shown}");
    client.good("index", json!({"content": "kept apart", "source": "a"}));
    let stores: Vec<String> = std::fs::read_dir(place.data().join("projects"))
        .expect("stores")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(stores.len(), 1);
    assert!(stores[0].starts_with("no-project-"), "{stores:?}");
}

fn dunce(path: &std::path::Path) -> std::path::PathBuf {
    std::fs::canonicalize(path).expect("a real path")
}
