//! Lines as a client may send them: arrays of messages, duplicate or invalid ids, unknown methods, requests before a session.
//! Each gets the answer of the protocol's revision, and nobody waits forever.

use serde_json::{Value, json};

use crate::client::{Client, Place};

/// The answers by id, from lines that are a message or an array of messages.
fn answers(client: &mut Client, number: usize) -> Vec<(Value, Value)> {
    let mut all = Vec::new();
    while all.len() < number {
        let line = client.receive_any();
        let messages = line.as_array().cloned().unwrap_or_else(|| vec![line.clone()]);
        all.extend(messages.into_iter().map(|message| {
            let told = message.get("result").or_else(|| message["error"].get("code"));
            (message["id"].clone(), told.cloned().unwrap_or_default())
        }));
    }
    all
}

#[test]
fn arrays_of_messages_are_taken_in_the_revision_that_has_them() {
    let ping = |id: i64| json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    let place = Place::new();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut client = place.server();
        client.handshake(version);
        client.send_bytes(json!([ping(71), ping(72)]).to_string().as_bytes());
        let answer = client.receive_any();
        if version != "2025-03-26" {
            assert_eq!(
                (&answer["id"], &answer["error"]["code"]),
                (&json!(null), &json!(-32600)),
                "{version}"
            );
            continue;
        }
        let mut ids: Vec<i64> =
            answer.as_array().expect("an array").iter().map(|one| one["id"].as_i64().unwrap_or(0)).collect();
        ids.sort_unstable();
        assert_eq!(ids, [71, 72], "{answer}");
        // An invalid message gets its error in the array, initialize isn't allowed in it, and each id is one request.
        let initialize = json!({"jsonrpc": "2.0", "id": 73, "method": "initialize", "params": {
            "protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}});
        let told = json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"});
        client.send_bytes(json!([1, initialize, told, ping(74), ping(74)]).to_string().as_bytes());
        let line = client.receive_any();
        let mut told: Vec<(i64, i64)> = line
            .as_array()
            .expect("an array")
            .iter()
            .map(|one| (one["id"].as_i64().unwrap_or(0), one["error"]["code"].as_i64().unwrap_or(0)))
            .collect();
        told.sort_unstable();
        assert_eq!(told, [(0, -32600), (73, -32600), (74, -32600), (74, 0)], "{line}");
        // Notifications alone are answered by nothing, an empty array by one error.
        client.send_bytes(br#"[{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}]"#);
        client.send_bytes(b"[]");
        assert_eq!(answers(&mut client, 1), [(json!(null), json!(-32600))]);
        client.send(&ping(75));
        assert_eq!(answers(&mut client, 1), [(json!(75), json!({}))]);
    }
}

#[test]
fn each_request_has_its_answer_whatever_its_id_and_its_method() {
    let place = Place::new();
    let mut client = place.session();
    // The second is refused, and the first still has its own answer.
    let run = json!({"name": "execute", "arguments": {"language": "shell", "code": "sleep 0.5; echo one"}});
    client.send(&json!({"jsonrpc": "2.0", "id": 80, "method": "tools/call", "params": run}));
    client.send(&json!({"jsonrpc": "2.0", "id": 80, "method": "ping"}));
    let both = answers(&mut client, 2);
    assert_eq!(both[0], (json!(80), json!(-32600)));
    assert!(both[1].0 == 80 && both[1].1["content"][0]["text"].as_str().is_some_and(|t| t.contains("one")));
    // Once it's answered, the id is free.
    client.send(&json!({"jsonrpc": "2.0", "id": 80, "method": "ping"}));
    assert_eq!(answers(&mut client, 1), [(json!(80), json!({}))]);
    for (line, id, told) in [
        (r#"{"jsonrpc":"2.0","id":82,"method":"no/such"}"#, json!(82), json!(-32601)),
        (r#"{"jsonrpc":"2.0","id":83,"method":"notifications/initialized"}"#, json!(83), json!(-32601)),
        (r#"{"jsonrpc":"2.0","id":9223372036854775807,"method":"ping"}"#, json!(i64::MAX), json!({})),
        (r#"{"jsonrpc":"2.0","id":-1,"method":"ping"}"#, json!(-1), json!({})),
        (r#"{"jsonrpc":"2.0","id":"","method":"ping"}"#, json!(""), json!({})),
        (r#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"}"#, json!(u64::MAX), json!(-32600)),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, json!(1.5), json!(-32600)),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, json!(null), json!(-32600)),
        (r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, json!(null), json!(-32600)),
    ] {
        client.send_bytes(line.as_bytes());
        assert_eq!(answers(&mut client, 1), [(id, told)], "{line}");
    }
    // A notification is never answered, even of a method that wants an answer.
    client.send(&json!({"jsonrpc": "2.0", "method": "tools/list"}));
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/no-such"}));
    client.send(&json!({"jsonrpc": "2.0", "id": 84, "method": "ping"}));
    assert_eq!(answers(&mut client, 1), [(json!(84), json!({}))]);
}

/// The work for a cancelled request ends after the next request with its id has arrived.
#[test]
fn an_id_that_is_used_again_after_a_cancellation_has_its_own_answer() {
    let cancel =
        |id: i64| json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
    let run = |id: i64, code: &str| {
        let run = json!({"name": "execute", "arguments": {"language": "shell", "code": code}});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": run})
    };
    let text = |answer: &Value| answer["content"][0]["text"].as_str().unwrap_or_default().to_owned();
    let place = Place::new();
    let mut client = place.server();
    client.handshake("2025-03-26");
    for round in 0..3 {
        client.send(&run(90, "echo first; sleep 30"));
        client.send(&cancel(90));
        client.send(&run(90, "sleep 1; echo second"));
        let (id, answer) = answers(&mut client, 1).remove(0);
        assert!(id == 90 && text(&answer).contains("second"), "{round}: {answer}");
    }
    // Also within one array: an id that it cancels is free for later requests, inside the array and after it.
    client.send(&run(91, "echo first; sleep 30"));
    client.send_bytes(json!([cancel(91), run(91, "sleep 1; echo second")]).to_string().as_bytes());
    let line = client.receive_any();
    assert_eq!(line.as_array().map(Vec::len), Some(1), "{line}");
    assert!(line[0]["id"] == 91 && text(&line[0]["result"]).contains("second"), "{line}");
    client.send_bytes(json!([run(92, "sleep 30"), cancel(92), run(92, "echo third")]).to_string().as_bytes());
    let line = client.receive_any();
    assert_eq!(line.as_array().map(Vec::len), Some(1), "{line}");
    assert!(line[0]["id"] == 92 && text(&line[0]["result"]).contains("third"), "{line}");
    // An id that nobody waits for cancels no other request.
    client.send(&run(1_000, "sleep 0.5; echo fourth"));
    for id in 1..100 {
        client.send(&cancel(id));
    }
    let (id, answer) = answers(&mut client, 1).remove(0);
    assert!(id == 1_000 && text(&answer).contains("fourth"), "{answer}");
}

#[test]
fn before_a_session_is_open_everything_but_a_ping_is_refused() {
    let place = Place::new();
    let mut client = place.server();
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
    assert_eq!(answers(&mut client, 1), [(json!(1), json!({}))]);
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    client.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}));
    let (id, code) = answers(&mut client, 1).remove(0);
    assert!(id == 2 && code.is_i64(), "{code}");
    assert_eq!(client.handshake("2025-06-18")["result"]["protocolVersion"], "2025-06-18");
}
