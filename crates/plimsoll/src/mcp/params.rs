//! The parameters of requests that the server knows. Corrects them where the intention is clear. Otherwise it says
//! which input is wrong and what is expected, because the library would report an unknown method.

use rmcp::RoleServer;
use rmcp::model::{ClientRequest, JsonRpcMessage};
use rmcp::service::RxJsonRpcMessage;
use serde_json::{Map, Value};

/// A request's required and optional inputs.
struct Known {
    method: &'static str,
    inputs: &'static [Input],
}

struct Input {
    name: &'static str,
    required: bool,
    shape: Shape,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// What the text represents, for the message.
    Text(&'static str),
    Object(&'static str),
}

const fn text(name: &'static str, what: &'static str) -> Input {
    Input { name, required: true, shape: Shape::Text(what) }
}

const ARGUMENTS: Input =
    Input { name: "arguments", required: false, shape: Shape::Object("an object of the inputs by name") };
const PAGE: &[Input] =
    &[Input { name: "cursor", required: false, shape: Shape::Text("a text from an earlier page") }];

/// What the server serves.
const KNOWN: [Known; 8] = [
    Known {
        method: "initialize",
        inputs: &[
            text("protocolVersion", "the revision of the protocol, a text"),
            Input {
                name: "capabilities",
                required: true,
                shape: Shape::Object("an object, which may be empty"),
            },
            Input {
                name: "clientInfo",
                required: true,
                shape: Shape::Object("an object with name and version, two texts"),
            },
        ],
    },
    Known { method: "tools/call", inputs: &[text("name", "the tool's name, a text"), ARGUMENTS] },
    Known { method: "prompts/get", inputs: &[text("name", "the prompt's name, a text"), ARGUMENTS] },
    Known { method: "resources/read", inputs: &[text("uri", "the resource's address, a text")] },
    Known { method: "tools/list", inputs: PAGE },
    Known { method: "prompts/list", inputs: PAGE },
    Known { method: "resources/list", inputs: PAGE },
    Known { method: "resources/templates/list", inputs: PAGE },
];

/// The message with corrected parameters, or why they are wrong.
pub(super) fn repaired(
    message: RxJsonRpcMessage<RoleServer>,
) -> Result<RxJsonRpcMessage<RoleServer>, String> {
    let JsonRpcMessage::Request(request) = &message else { return Ok(message) };
    let ClientRequest::CustomRequest(custom) = &request.request else { return Ok(message) };
    let Some(known) = KNOWN.iter().find(|known| known.method == custom.method) else { return Ok(message) };
    let params = repaired_params(known, custom.params.clone())?;
    let whole = serde_json::to_value(&message).map_err(|error| error.to_string())?;
    let mut whole = match whole {
        Value::Object(whole) => whole,
        _ => Map::new(),
    };
    whole.insert("params".to_owned(), Value::Object(params));
    let told = |error: serde_json::Error| format!("{}: params: {error}", known.method);
    let repaired: RxJsonRpcMessage<RoleServer> =
        serde_json::from_value(Value::Object(whole)).map_err(told)?;
    match &repaired {
        JsonRpcMessage::Request(request) if matches!(request.request, ClientRequest::CustomRequest(_)) => {
            Err(format!("{}: params must be an object with {}", known.method, expected(known)))
        }
        _ => Ok(repaired),
    }
}

/// Why a message that the library can't read has wrong parameters; `None` if something else is wrong with it.
pub(super) fn complaint(message: &Map<String, Value>) -> Option<String> {
    let method = message.get("method")?.as_str()?;
    let known = KNOWN.iter().find(|known| known.method == method)?;
    message.get("id").filter(|id| id.is_string() || id.is_i64())?;
    repaired_params(known, message.get("params").cloned()).err()
}

fn repaired_params(known: &Known, params: Option<Value>) -> Result<Map<String, Value>, String> {
    let method = known.method;
    let mut params = match params {
        Some(Value::Object(params)) => params,
        None | Some(Value::Null) if known.inputs.iter().all(|input| !input.required) => Map::new(),
        None | Some(Value::Null) => {
            return Err(format!(
                "{method}: params is missing; it must be an object with {}",
                expected(known)
            ));
        }
        Some(other) => {
            let found = kind(&other);
            return Err(format!(
                "{method}: params is {found}; it must be an object with {}",
                expected(known)
            ));
        }
    };
    for input in known.inputs {
        let (name, what) = match input.shape {
            Shape::Text(what) | Shape::Object(what) => (input.name, what),
        };
        let Some(value) = params.get_mut(name).filter(|value| !value.is_null() || input.required) else {
            if input.required {
                return Err(format!("{method}: {name} is missing; it must be {what}"));
            }
            params.remove(name);
            continue;
        };
        if input.shape != Shape::Text(what)
            && let Value::String(text) = &*value
            && let Ok(inside @ Value::Object(_)) = serde_json::from_str(text)
        {
            *value = inside;
        }
        let fits = match input.shape {
            Shape::Text(_) => value.is_string(),
            Shape::Object(_) => value.is_object(),
        };
        if !fits {
            return Err(format!("{method}: {name} is {}; it must be {what}", kind(value)));
        }
    }
    Ok(params)
}

/// The inputs in words.
fn expected(known: &Known) -> String {
    let named = |input: &Input| match input.shape {
        Shape::Text(what) | Shape::Object(what) => format!("{} ({what})", input.name),
    };
    known.inputs.iter().map(named).collect::<Vec<_>>().join(", ")
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
