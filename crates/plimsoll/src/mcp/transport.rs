//! Standard input and output as a transport, with five things that real clients need and the library's transport
//! lacks: it answers wrong parameters of a known method as such; it signals when the input has closed; it skips messages that arrive before a session is open instead of
//! ending; it answers a `server/discover` without metadata; and it answers unparsable input with an error that
//! carries the request's ID, so that nobody waits forever.

use std::future::Future;
use std::io;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{
    ClientCapabilities, ClientRequest, DiscoverRequest, GetMeta, JsonRpcMessage, ProtocolVersion,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::{StdioReader, StdioWriter, Transport, stdio_pipes};
use serde_json::{Value, json};
use text::json::Members;
use tokio::io::AsyncWriteExt;
use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;

use super::line_reader::{Line, LineReader};
use super::params::{complaint, mended};

/// Size limit of a line, which is one message. Inline text is the longest thing there is.
const MAX_LINE: usize = 64 * 1024 * 1024;

/// JSON-RPC: the message isn't JSON.
const PARSE_ERROR: i32 = -32700;
/// JSON-RPC: a known method with wrong parameters.
const INVALID_PARAMS: i32 = -32602;
/// JSON-RPC: valid JSON, but not a message of the protocol.
const INVALID_REQUEST: i32 = -32600;

/// Sends the signal when the input has closed.
#[derive(Debug)]
pub(crate) struct CloseSignal(watch::Sender<bool>);

/// Waits for a [`CloseSignal`].
#[derive(Debug, Clone)]
pub(crate) struct CloseWatch(watch::Receiver<bool>);

impl CloseSignal {
    pub(crate) fn pair() -> (Self, CloseWatch) {
        let (sender, receiver) = watch::channel(false);
        (Self(sender), CloseWatch(receiver))
    }
}

impl CloseWatch {
    pub(crate) async fn wait(mut self) {
        if self.0.wait_for(|closed| *closed).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// The output, one message at a time; `None` once it is closed.
type Output = Arc<Mutex<Option<StdioWriter>>>;

/// The transport.
pub(crate) struct Stdio {
    input: LineReader<StdioReader>,
    output: Output,
    /// An error being written. The next message is read when it is out: a client that doesn't read its answers isn't
    /// served further.
    error_write: Option<JoinHandle<io::Result<()>>>,
    closed: CloseSignal,
    /// Whether a request other than `ping` and `server/discover` has arrived.
    open: bool,
}

impl Stdio {
    pub(crate) fn new(closed: CloseSignal) -> Self {
        let (reader, writer) = stdio_pipes();
        let output = Arc::new(Mutex::new(Some(writer)));
        Self { input: LineReader::new(reader, MAX_LINE), output, error_write: None, closed, open: false }
    }

    /// The next line that is a message, or the error to answer it with; `None` at the end.
    async fn read(&mut self) -> Option<Result<RxJsonRpcMessage<RoleServer>, Value>> {
        loop {
            match self.input.next().await {
                Ok(Line::Whole) => {}
                Ok(Line::TooLong(members)) => {
                    let reason =
                        format!("the message is longer than {}", contract::Amount::bytes(MAX_LINE as u64));
                    match json_rpc_error(&members, INVALID_REQUEST, &reason) {
                        Some(answer) => return Some(Err(answer)),
                        None => continue,
                    }
                }
                Ok(Line::End) => return None,
                Err(error) => {
                    log::error!("the input cannot be read: {error}");
                    return None;
                }
            }
            let line = self.input.text();
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            match parse(line) {
                Ok(message) => match mended(message) {
                    Ok(message) => return Some(Ok(message)),
                    Err(reason) => match json_rpc_error(&Members::of(line), INVALID_PARAMS, &reason) {
                        Some(answer) => return Some(Err(answer)),
                        None => continue,
                    },
                },
                Err(error) => match error_response(line, &error) {
                    Some(answer) => return Some(Err(answer)),
                    None => log::debug!("a message was passed over: {error}"),
                },
            }
        }
    }

    /// Whether to pass the message on.
    fn accepts(&mut self, message: &mut RxJsonRpcMessage<RoleServer>) -> bool {
        let JsonRpcMessage::Request(request) = message else {
            // Before a session is open, a notification or a response has nothing to refer to; the library would take
            // it for a broken client and end.
            return self.open;
        };
        // Without parameters the library takes it for a custom request.
        if let ClientRequest::CustomRequest(custom) = &request.request
            && custom.method == "server/discover"
        {
            request.request = ClientRequest::DiscoverRequest(DiscoverRequest::default());
        }
        match &mut request.request {
            ClientRequest::PingRequest(_) => {}
            discover @ ClientRequest::DiscoverRequest(_) => {
                let meta = discover.get_meta_mut();
                if meta.protocol_version().is_none() {
                    meta.set_protocol_version(ProtocolVersion::V_2026_07_28);
                }
                if meta.client_capabilities().is_none() {
                    meta.set_client_capabilities(ClientCapabilities::default());
                }
            }
            _ => self.open = true,
        }
        true
    }
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let (output, line) = (Arc::clone(&self.output), serde_json::to_vec(&item));
        async move { write(&output, line?).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            // Receiving may be interrupted at any moment; the writing of an error may not.
            if let Some(error_write) = &mut self.error_write {
                let _ = error_write.await;
                self.error_write = None;
            }
            match self.read().await {
                Some(Ok(mut message)) => {
                    if self.accepts(&mut message) {
                        return Some(message);
                    }
                    log::debug!("a message before the session was opened was passed over");
                }
                Some(Err(answer)) => {
                    let output = Arc::clone(&self.output);
                    self.error_write =
                        Some(tokio::spawn(
                            async move { write(&output, answer.to_string().into_bytes()).await },
                        ));
                }
                None => {
                    let _ = self.closed.0.send(true);
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        drop(self.output.lock().await.take());
        Ok(())
    }
}

/// Writes one complete line.
async fn write(output: &Output, mut line: Vec<u8>) -> io::Result<()> {
    line.push(b'\n');
    let mut output = output.lock().await;
    let output = output.as_mut().ok_or_else(|| io::Error::from(io::ErrorKind::NotConnected))?;
    output.write_all(&line).await?;
    output.flush().await
}

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
        Value::Array(_) => "batches are not taken; send each message in a line of its own",
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
fn json_rpc_error(members: &Members, code: i32, reason: &str) -> Option<Value> {
    if members.is_answer() {
        log::debug!("an answer of the client's was passed over: {reason}");
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
    fn what_is_no_message_is_answered_with_its_id() {
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
