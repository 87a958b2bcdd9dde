//! The agent's own model, asked by the server if the client allows it.

use serde_json::json;

use crate::client::{Place, outcome};

const SETTINGS: &str = "[memory.model]\nprovider = \"agent\"\n[mcp]\ntools = \"all\"\n";

#[test]
fn a_client_that_lends_its_model_is_asked_and_its_answer_is_checked() {
    let place = Place::new();
    place.write("home/.plimsoll/settings.toml", SETTINGS);
    let mut client = place.server();
    client.request(
        "initialize",
        json!({"protocolVersion": "2025-06-18", "capabilities": {"sampling": {}}, "clientInfo": {"name": "opencode", "version": "1"}}),
    );
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let extract =
        json!({"name": "graph", "arguments": {"action": "extract", "content": "Marlin reads Zephyrbase"}});
    let id = client.ask("tools/call", extract);
    let asked = client.receive();
    assert_eq!(asked["method"], "sampling/createMessage", "{asked}");
    let text = asked["params"]["messages"][0]["content"]["text"].as_str().expect("a text");
    assert!(text.contains("Zephyrbase"), "{text}");
    assert!(asked["params"]["maxTokens"].as_u64().expect("a limit") <= 1_500);
    let answer = json!({"entities": [
        {"name": "Zephyrbase", "type": "Technology"}, {"name": "Elsewhere", "type": "Technology"},
    ]});
    client.send(&json!({
        "jsonrpc": "2.0", "id": asked["id"],
        "result": {"role": "assistant", "model": "m", "content": {"type": "text", "text": answer.to_string()}},
    }));
    let (found, failed) = outcome(&client.answer(id));
    assert!(!failed && found.contains("Zephyrbase") && found.contains("rules and model"), "{found}");
    assert!(!found.contains("Elsewhere"), "{found}");
    // A user who refuses isn't a reason to fail.
    let capture = json!({"action": "capture", "content": "We use PostgreSQL", "namespace": "decisions"});
    let captured = client.good("memory", capture);
    let captured: serde_json::Value = serde_json::from_str(&captured).expect("a reply");
    let enrich = json!({"name": "memory", "arguments": {"action": "enrich", "id": captured["id"]}});
    let id = client.ask("tools/call", enrich);
    let asked = client.receive();
    client.send(
        &json!({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -1, "message": "the user said no"}}),
    );
    let (done, failed) = outcome(&client.answer(id));
    assert!(!failed && done.contains("the user said no") && done.contains("postgresql"), "{done}");
}

#[test]
fn a_client_that_lends_none_is_not_asked() {
    let place = Place::new();
    place.write("home/.plimsoll/settings.toml", SETTINGS);
    let mut client = place.session();
    let found = client.good("graph", json!({"action": "extract", "content": "Marlin reads Zephyrbase"}));
    assert!(found.contains("offers no model (MCP sampling)"), "{found}");
}
