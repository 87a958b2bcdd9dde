//! Outputs that are long, are bytes or are nothing: what an agent is told of them, and what it reads at their addresses.

use serde_json::json;

use crate::client::{Place, until};

/// Reading an address gives text, and never presents a part as the whole.
#[test]
fn a_long_output_read_at_its_address_says_that_it_is_the_tail() {
    let place = Place::new();
    let mut client = place.session();
    for (code, cut) in [
        ("printf '\\033[31mred\\033[0m\\n'; echo last", false),
        ("printf '\\033[31mred\\033[0m\\n'; seq 1 60000; printf '\\033[32mlast\\033[0m\\n'", true),
    ] {
        let started = client.good("execute", json!({"language": "shell", "code": code, "background": true}));
        let id = started.split_whitespace().nth(2).expect("an id").trim_end_matches('.').to_owned();
        until("it has ended", || {
            let output = client.good("task", json!({"action": "output", "id": id}));
            output.contains("ended with").then_some(())
        });
        let address = format!("plimsoll://task/{id}");
        let read = client.request("resources/read", json!({"uri": address}));
        let text = read["result"]["contents"][0]["text"].as_str().expect("text").to_owned();
        assert!(text.ends_with("last\n") && !text.contains('\u{1b}'), "{text:?}");
        assert_eq!(text.starts_with("(the last "), cut, "{}", &text[..40.min(text.len())]);
        if cut {
            assert!(text.contains(&format!("search with source {address}")), "{}", &text[..300]);
            let found = client.good("search", json!({"queries": ["red"], "source": address}));
            assert!(found.contains("red"), "{found}");
        }
    }
}

#[test]
fn a_batch_answers_every_question_and_stores_no_binary() {
    let place = Place::new();
    let mut client = place.session();
    client.good("index", json!({"content": "needle in another source", "source": "other"}));
    // Bytes are described and not stored: they would be found by every search that has no other answer.
    let bytes = json!({"commands": ["seq 1 9000 | gzip"], "queries": ["zebra"]});
    let bytes = client.good("batch", bytes);
    assert!(bytes.contains("gzip data") && bytes.contains("not stored"), "{bytes}");
    assert!(bytes.ends_with("no query is answered.") && !bytes.contains('\u{fffd}'), "{bytes}");
    // A question is never passed over in silence.
    let silent = client.good("batch", json!({"commands": ["true"], "queries": ["needle"]}));
    assert!(silent.ends_with("Nothing was stored, so no query is answered."), "{silent}");
    let wide = json!({"commands": ["true"], "queries": ["needle"], "query_scope": "global"});
    let wide = client.good("batch", wide);
    assert!(wide.contains("needle in another source"), "{wide}");
}

/// What was asked can be a document where a path belongs.
#[test]
fn an_answer_repeats_little_of_what_was_asked() {
    let place = Place::new();
    let mut client = place.session();
    let long = "word é ".repeat(20_000);
    for (tool, arguments) in [
        ("index", json!({"path": long})),
        ("memory", json!({"action": "get", "id": long})),
        ("manage", json!({"action": "purge", "scope": long, "confirm": true})),
        ("search", json!({"queries": [long]})),
        ("search", json!({"queries": [long, long], "in": ["all"]})),
    ] {
        let answer = client.request("tools/call", json!({"name": tool, "arguments": arguments}));
        let text = answer["result"]["content"][0]["text"].as_str().expect("a text");
        assert!(text.len() < 6_000, "{tool}: {} bytes", text.len());
    }
    for (method, params) in [
        ("tools/call", json!({"name": long, "arguments": {}})),
        ("resources/read", json!({"uri": long})),
        ("prompts/get", json!({"name": long})),
    ] {
        let answer = client.request(method, params);
        let message = answer["error"]["message"].as_str().expect("a message");
        assert!(message.len() < 6_000, "{method}: {} bytes", message.len());
        let whole = answer.to_string().len();
        assert!(whole < 9_000, "{method}: {whole} bytes with what's beside the message");
    }
}
