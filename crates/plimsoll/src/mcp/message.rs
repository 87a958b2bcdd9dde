//! What a line of the input is: a message of the protocol, or the error to answer it with. Doesn't know what a message asks
//! for, nor what came before it.

use rmcp::RoleServer;
use rmcp::service::RxJsonRpcMessage;
use serde_json::{Value, json};
use text::json::Members;

use super::params::{complaint, repaired};

/// JSON-RPC: the message isn't JSON.
const PARSE_ERROR: i32 = -32700;
/// JSON-RPC: a known method with wrong parameters.
const INVALID_PARAMS: i32 = -32602;
/// JSON-RPC: valid JSON, but not a message of the protocol.
pub(super) const INVALID_REQUEST: i32 = -32600;

/// The message in a line. A text that was cut inside an emoji is taken with a replacement character, but an ID is returned
/// as it came or not at all.
fn parse(line: &[u8]) -> Result<RxJsonRpcMessage<RoleServer>, serde_json::Error> {
    serde_json::from_slice(line).or_else(|error| {
        let id_is_sound = Members::of(line).id().is_none_or(|id| serde_json::from_str::<Value>(id).is_ok());
        match text::json::repair_surrogates(line).filter(|_| id_is_sound) {
            Some(repaired) => serde_json::from_str(&repaired).map_err(|_| error),
            None => Err(error),
        }
    })
}

/// The message in a line, or the error to answer it with; `None` if the protocol wants no answer.
pub(super) fn message_in(line: &[u8]) -> Option<Result<RxJsonRpcMessage<RoleServer>, Value>> {
    match parse(line) {
        Ok(message) => match repaired(message) {
            Ok(message) => Some(Ok(message)),
            Err(reason) => json_rpc_error(&Members::of(line), INVALID_PARAMS, &reason).map(Err),
        },
        Err(error) => {
            let answer = error_response(line, &error);
            if answer.is_none() {
                log::debug!("a message was ignored: {error}");
            }
            answer.map(Err)
        }
    }
}

/// The error to answer an invalid line with; `None` if the protocol wants no answer.
fn error_response(line: &[u8], error: &serde_json::Error) -> Option<Value> {
    let members = Members::of(line);
    if !error.is_data() {
        return json_rpc_error(&members, PARSE_ERROR, &format!("the message isn't JSON: {error}"));
    }
    let Ok(value) = serde_json::from_slice::<Value>(line) else {
        return json_rpc_error(&members, PARSE_ERROR, &format!("the message isn't JSON: {error}"));
    };
    if let Some(reason) = value.as_object().and_then(complaint) {
        return json_rpc_error(&members, INVALID_PARAMS, &reason);
    }
    let reason = match &value {
        Value::Array(members) if members.is_empty() => "an array of messages can't be empty",
        Value::Array(_) => {
            "only protocol version 2025-03-26 has arrays of messages; send each message on a line of its own"
        }
        // A notification is never answered.
        Value::Object(object) if members.has_method() && !object.contains_key("id") => return None,
        Value::Object(object) if object.get("jsonrpc") != Some(&json!("2.0")) => "jsonrpc must be \"2.0\"",
        Value::Object(_) => {
            "this isn't a request of the protocol: id must be a text or a whole number, method a text, params an object"
        }
        _ => "a message is an object",
    };
    json_rpc_error(&members, INVALID_REQUEST, reason)
}

/// The error with the request's ID, as far as it can be read. A response of the client's is never answered: its ID is
/// one of Plimsoll's, and the client would take the error for the response to its own request with the same ID.
pub(super) fn json_rpc_error(members: &Members, code: i32, reason: &str) -> Option<Value> {
    if members.is_answer() {
        log::debug!("an answer from the client was ignored: {reason}");
        return None;
    }
    let id = members.id().and_then(|id| serde_json::from_str::<Value>(id).ok());
    let id = id.filter(|id| id.is_string() || id.is_number()).unwrap_or(Value::Null);
    Some(json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": reason}}))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(line: &str) -> Option<(Value, i64)> {
        let error = serde_json::from_slice::<RxJsonRpcMessage<RoleServer>>(line.as_bytes()).err()?;
        let answer = error_response(line.as_bytes(), &error)?;
        Some((answer["id"].clone(), answer["error"]["code"].as_i64().unwrap_or_default()))
    }

    #[test]
    fn an_invalid_message_is_answered_with_its_id() {
        for (line, id, code) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"x":"\ud800"}}"#, json!(1), -32700),
            (
                r#"{"jsonrpc":"2.0","method":"ping","params":{"x":"\ud800"},"id":"seven"}"#,
                json!("seven"),
                -32700,
            ),
            (r#"{"jsonrpc":"2.0","id":"\ud800","method":"ping"}"#, Value::Null, -32700),
            (r#"{"jsonrpc":"2.0","id":4,"method":"tools/ca"#, json!(4), -32700),
            ("hello", Value::Null, -32700),
            ("[]", Value::Null, -32600),
            ("7", Value::Null, -32600),
            ("{}", Value::Null, -32600),
            (r#"{"jsonrpc":"1.0","id":9,"method":"ping"}"#, json!(9), -32600),
        ] {
            assert_eq!(answer(line), Some((id, code)), "{line}");
        }
        // Responses and notifications aren't answered.
        for line in [
            r#"{"jsonrpc":"2.0","id":0,"result":{"roots":[{"uri":"\ud800"}]}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":"x"}}"#,
        ] {
            assert_eq!(answer(line), None, "{line}");
        }
    }
}
