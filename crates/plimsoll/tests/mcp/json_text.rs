//! Values arrive: a program's output is never taken for structured content and rejected. Gemini CLI does that with
//! every text that is JSON but not an object.

use serde_json::{Value, json};

use crate::client::{Client, Place, outcome};

fn session(place: &Place, client: &str) -> Client {
    let mut session = Client::start(place.command(&["--agent", client]));
    session.request(
        "initialize",
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": client, "version": "1"}}),
    );
    session.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    session
}

/// Gemini CLI's handling of a text: it is rejected, or the model is shown it.
fn arrives(text: &str) -> bool {
    serde_json::from_str::<Value>(text).map_or(true, |value| value.is_object())
}

#[test]
fn every_value_arrives_whole_on_gemini() {
    let place = Place::new();
    let mut client = session(&place, "gemini-cli-mcp-client");
    for value in [
        "45",
        "-0.5e3",
        "true",
        "null",
        "[1,2]",
        "[ ]",
        "\"a b\"",
        "{\"a\":1}",
        "[{\"a\": \"]\"}]",
        "two words",
        "1.2.3",
    ] {
        let code = format!("printf '%s' '{value}'");
        for (tool, arguments) in [
            ("execute", json!({"language": "shell", "code": code})),
            ("execute", json!({"language": "shell", "code": code, "intent": "the value"})),
            ("batch", json!({"commands": [{"label": "one", "command": code}]})),
        ] {
            let text = client.good(tool, arguments);
            assert!(arrives(&text), "{tool}: {text}");
            assert!(text.contains(value), "{tool}: {text}");
        }
    }
    // Failed, stored and background output.
    let failed = outcome(&client.request(
        "tools/call",
        json!({"name": "execute", "arguments": {"language": "shell", "code": "printf 7; exit 3"}}),
    ));
    assert!(arrives(&failed.0) && failed.0.contains('7') && failed.1, "{failed:?}");
    client.good("index", json!({"content": "[1, 2, 3]", "source": "numbers"}));
    for (tool, arguments) in [
        ("search", json!({"queries": ["1"], "source": "numbers"})),
        ("task", json!({"action": "list"})),
        ("manage", json!({"action": "stats"})),
    ] {
        let text = client.good(tool, arguments);
        assert!(arrives(&text), "{tool}: {text}");
    }
}

#[test]
fn elsewhere_a_value_is_just_the_value() {
    let place = Place::new();
    for agent in ["claude-code", "codex-mcp-client", "opencode", "copilot-cli", "somebody-else"] {
        let mut client = session(&place, agent);
        for value in ["45", "[1,2]", "null"] {
            let code = format!("printf '%s' '{value}'");
            assert_eq!(client.printed(json!({"language": "shell", "code": code})), value, "{agent}");
        }
    }
}
