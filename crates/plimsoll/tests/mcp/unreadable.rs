//! Messages that aren't part of the protocol get an error with their ID if it can be read, and the next message is
//! answered normally.

use serde_json::{Value, json};

use crate::client::{Client, Place};

/// Sends bytes and returns the error in the answer.
fn refused(client: &mut Client, bytes: &[u8]) -> (Value, i64) {
    client.send_bytes(bytes);
    let answer = client.receive();
    // `null` is written out: omitting the member is a different protocol.
    assert!(answer.get("id").is_some(), "{answer}");
    let message = answer["error"]["message"].as_str().expect("a message");
    assert!(!message.is_empty() && message.len() < 300, "{message}");
    (answer["id"].clone(), answer["error"]["code"].as_i64().expect("a code"))
}

/// A call of `execute` with this ID, its code and something in between.
fn call(id: &str, before: &str, code: &[u8]) -> Vec<u8> {
    let head = format!(
        "{{\"jsonrpc\":\"2.0\",{before}\"method\":\"tools/call\",\"params\":{{\"name\":\"execute\",\"arguments\":{{\"language\":\"shell\",\"code\":\""
    );
    [head.as_bytes(), code, format!("\"}}}},\"id\":{id}}}").as_bytes()].concat()
}

#[test]
fn it_is_answered_with_its_id_and_the_server_goes_on() {
    let place = Place::new();
    let mut client = place.session();
    let deep = format!("\"extra\":{}1{},", "[".repeat(100_000), "]".repeat(100_000));
    let cases: Vec<(&str, Vec<u8>, Value)> = vec![
        ("half a surrogate in the id", call("\"\\ud800\"", "", b"echo"), Value::Null),
        ("no UTF-8", call("43", "", b"echo \xff\xfe"), json!(43)),
        ("too deep", call("44", &deep, b"echo"), json!(44)),
        ("a number beyond all measure", call("45", "\"extra\":1e999,", b"echo"), json!(45)),
        ("a control character", call("46", "", b"echo \x01"), json!(46)),
        ("cut off", br#"{"jsonrpc":"2.0","id":47,"method":"tools/call","params":{"na"#.to_vec(), json!(47)),
        (
            "an id that is no id",
            br#"{"jsonrpc":"2.0","id":{"a":1},"method":"tools/call","params":{"a":"\ud800"}}"#.to_vec(),
            Value::Null,
        ),
        ("words", b"hello there".to_vec(), Value::Null),
        ("bytes", vec![0, 159, 146, 150], Value::Null),
        ("a batch", br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#.to_vec(), Value::Null),
        ("another version", br#"{"jsonrpc":"1.0","id":48,"method":"ping"}"#.to_vec(), json!(48)),
    ];
    for (what, bytes, id) in cases {
        let (answered, code) = refused(&mut client, &bytes);
        assert_eq!(answered, id, "{what}");
        assert!([-32700, -32600].contains(&code), "{what}: {code}");
        assert_eq!(client.printed(json!({"language": "shell", "code": "echo on"})), "on", "{what}");
    }
}

#[test]
fn a_text_cut_inside_an_emoji_is_accepted() {
    let place = Place::new();
    let mut client = place.session();
    for (id, shown) in [("41", json!(41)), ("\"forty-two\"", json!("forty-two"))] {
        client.send_bytes(&call(id, "", b"echo cut \\ud83d"));
        let answer = client.receive();
        assert_eq!(answer["id"], shown);
        assert_eq!(answer["result"]["content"][0]["text"], "cut \u{fffd}\nexit code 0", "{answer}");
    }
}

#[test]
fn wrong_parameters_are_named_with_what_is_expected() {
    let place = Place::new();
    let mut client = place.session();
    for (method, params, told) in [
        ("tools/call", json!(null), "tools/call: params is missing; it must be an object with name"),
        ("tools/call", json!([]), "tools/call: params is a list; it must be an object with name"),
        ("tools/call", json!({}), "tools/call: name is missing; it must be the tool's name, a text"),
        (
            "tools/call",
            json!({"name": 7}),
            "tools/call: name is a number; it must be the tool's name, a text",
        ),
        (
            "tools/call",
            json!({"name": "stats", "arguments": "now"}),
            "tools/call: arguments is a text; it must be an object",
        ),
        (
            "tools/call",
            json!({"name": "stats", "arguments": "[1]"}),
            "tools/call: arguments is a text; it must be an object",
        ),
        (
            "tools/call",
            json!({"name": "stats", "arguments": []}),
            "tools/call: arguments is a list; it must be an object",
        ),
        ("resources/read", json!({}), "resources/read: uri is missing; it must be the resource's address"),
        (
            "resources/read",
            json!({"uri": {}}),
            "resources/read: uri is an object; it must be the resource's address",
        ),
        (
            "prompts/get",
            json!({"arguments": {}}),
            "prompts/get: name is missing; it must be the prompt's name",
        ),
        (
            "prompts/get",
            json!({"name": "x", "arguments": 1}),
            "prompts/get: arguments is a number; it must be an object",
        ),
        ("tools/list", json!("all"), "tools/list: params is a text; it must be an object with cursor"),
        ("initialize", json!({}), "initialize: protocolVersion is missing; it must be the revision"),
        (
            "initialize",
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {}}),
            "initialize: params must be an object with protocolVersion",
        ),
    ] {
        let answer = client.request(method, params.clone());
        let error = &answer["error"];
        assert_eq!(error["code"], -32602, "{method} {params}: {answer}");
        let message = error["message"].as_str().expect("a message");
        assert!(message.starts_with(told), "{method} {params}: {message}");
    }
    // An object in a text is an object, and nothing means no arguments.
    for arguments in [json!({"language": "shell", "code": "echo on"}).to_string().into(), Value::Null] {
        let answer = client.request("tools/call", json!({"name": "execute", "arguments": arguments}));
        assert!(answer["result"]["content"][0]["text"].is_string(), "{answer}");
        assert_eq!(answer["result"]["isError"] == true, arguments.is_null(), "{answer}");
    }
    for method in ["no/such", "logging/setLevel"] {
        let answer = client.request(method, json!({"level": "debug"}));
        let message = format!("there is no method {method:?} here");
        assert_eq!(answer["error"], json!({"code": -32601, "message": message}));
    }
}

#[test]
fn an_overlong_line_is_dropped_and_answered() {
    let place = Place::new();
    let mut client = place.session();
    let code = vec![b'x'; 66 * 1024 * 1024];
    let (id, code) = refused(&mut client, &call("51", "", &code));
    assert_eq!((id, code), (json!(51), -32600));
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
}

#[test]
fn answers_and_notifications_are_never_answered() {
    let place = Place::new();
    let mut client = place.session();
    for bytes in [
        &br#"{"jsonrpc":"2.0","id":0,"result":{"roots":[{"uri":"file:///\ud800"}]}}"#[..],
        br#"{"jsonrpc":"2.0","id":0,"error":{"code":1,"message":"\ud800"}}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":"much"}}"#,
        br#"{"jsonrpc":"2.0","method":"notifications/no/such","params":{}}"#,
        b"",
        b"  \r",
    ] {
        client.send_bytes(bytes);
    }
    // The next answer is that of the next request.
    let id = client.ask("ping", json!({}));
    assert_eq!(client.receive()["id"], id);
}

#[test]
fn before_a_session_is_open_it_is_the_same() {
    let place = Place::new();
    let mut client = place.server();
    assert_eq!(
        refused(
            &mut client,
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"x\":\"\\ud800\"}}"
        )
        .0,
        json!(1)
    );
    assert_eq!(client.handshake("2025-11-25")["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(client.printed(json!({"language": "shell", "code": "echo on"})), "on");
}
