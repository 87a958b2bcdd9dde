//! Standard input and output as a transport, with seven things that real clients need and the library's transport
//! lacks: it answers wrong parameters of a known method as such; it signals when the input has closed; it skips messages that arrive before a session is open instead of
//! ending; it answers a `server/discover` without metadata; it answers unparsable input with an error that
//! carries the request's ID; it takes arrays of messages in the one revision that has them; and it refuses a second
//! request with the ID of one in flight, of which the library would answer one only. So nobody waits forever. Nor does
//! anybody get another request's answer: each is passed on under an ID of its own ([`in_flight`](super::in_flight)).

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{
    ClientCapabilities, ClientNotification, ClientRequest, DiscoverRequest, ErrorCode, ErrorData, GetMeta,
    JsonRpcMessage, ProtocolVersion, ServerResult,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::{StdioReader, StdioWriter, Transport, stdio_pipes};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;

use super::in_flight::InFlight;
use super::line_reader::{Line, LineReader};
use super::message::{INVALID_REQUEST, json_rpc_error, message_in};

/// Size limit of a line, which is one message. Inline text is the longest thing there is.
const MAX_LINE: usize = 64 * 1024 * 1024;

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
    /// Whether the session's revision of the protocol has arrays of messages.
    has_batches: bool,
    /// The members of an array that are still to be passed on.
    queue: VecDeque<RxJsonRpcMessage<RoleServer>>,
    in_flight: InFlight,
}

/// What a line is.
enum Incoming {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// The members of an array.
    Batch(Vec<Value>),
    /// No message: the error to answer it with.
    Refused(Value),
}

/// What becomes of a message.
enum Admission {
    Pass,
    Skip,
    Refuse(Value),
}

impl Stdio {
    pub(crate) fn new(closed: CloseSignal) -> Self {
        let (reader, writer) = stdio_pipes();
        let output = Arc::new(Mutex::new(Some(writer)));
        Self {
            input: LineReader::new(reader, MAX_LINE),
            output,
            error_write: None,
            closed,
            open: false,
            has_batches: false,
            queue: VecDeque::new(),
            in_flight: InFlight::default(),
        }
    }

    /// The next line that is a message, or the error to answer it with; `None` at the end.
    async fn read(&mut self) -> Option<Incoming> {
        loop {
            match self.input.next().await {
                Ok(Line::Whole) => {}
                Ok(Line::TooLong(members)) => {
                    let reason =
                        format!("the message is longer than {}", contract::Amount::bytes(MAX_LINE as u64));
                    match json_rpc_error(&members, INVALID_REQUEST, &reason) {
                        Some(answer) => return Some(Incoming::Refused(answer)),
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
            if self.has_batches
                && line.trim_ascii_start().first() == Some(&b'[')
                && let Ok(members) = serde_json::from_slice::<Vec<Value>>(line)
                && !members.is_empty()
            {
                return Some(Incoming::Batch(members));
            }
            match message_in(line) {
                Some(Ok(message)) => return Some(Incoming::Message(Box::new(message))),
                Some(Err(answer)) => return Some(Incoming::Refused(answer)),
                None => {}
            }
        }
    }

    /// Whether the message is passed on. A request is in flight from here until it is answered or cancelled, under an ID of
    /// its own.
    fn admit(&mut self, message: &mut RxJsonRpcMessage<RoleServer>, in_batch: bool) -> Admission {
        if !self.accepts(message) {
            return Admission::Skip;
        }
        let JsonRpcMessage::Request(request) = message else { return Admission::Pass };
        let reason = if in_batch && matches!(request.request, ClientRequest::InitializeRequest(_)) {
            "initialize can't be in an array of messages"
        } else if let Some(own) = self.in_flight.begin(&request.id) {
            request.id = own;
            return Admission::Pass;
        } else {
            "a request with this id isn't answered yet; give each request an id of its own"
        };
        let id = request.id.clone().into_json_value();
        let error = json!({"code": INVALID_REQUEST, "message": reason});
        Admission::Refuse(json!({"jsonrpc": "2.0", "id": id, "error": error}))
    }

    /// Takes the members of an array in. Returns what must be sent now: arrays that are complete because this one cancels
    /// what they waited for, and its own answer if nothing in it is waited for.
    fn take_batch(&mut self, members: &[Value]) -> Vec<Vec<u8>> {
        let (mut waiting, mut answers, mut complete) = (Vec::new(), Vec::new(), Vec::new());
        for member in members {
            let refused = match message_in(member.to_string().as_bytes()) {
                Some(Ok(mut message)) => match self.admit(&mut message, true) {
                    Admission::Pass => {
                        if let JsonRpcMessage::Request(request) = &message {
                            waiting.push(request.id.clone());
                        }
                        complete.extend(self.note_cancellation(&mut message));
                        self.queue.push_back(message);
                        None
                    }
                    Admission::Skip => None,
                    Admission::Refuse(answer) => Some(answer),
                },
                Some(Err(answer)) => Some(answer),
                None => None,
            };
            answers.extend(refused.map(|answer| answer.to_string().into_bytes()));
        }
        complete.extend(self.in_flight.open_batch(waiting, answers));
        complete
    }

    /// A request that the client cancels isn't answered, and its ID is free for another. The notification is passed on with
    /// the request's own ID, or with none if nobody waits for it. Returns the array that is complete without it.
    fn note_cancellation(&mut self, message: &mut RxJsonRpcMessage<RoleServer>) -> Option<Vec<u8>> {
        let JsonRpcMessage::Notification(notification) = message else { return None };
        let ClientNotification::CancelledNotification(cancelled) = &mut notification.notification else {
            return None;
        };
        let id = cancelled.params.request_id.take()?;
        let (own, complete) = self.in_flight.cancel(&id);
        cancelled.params.request_id = own;
        complete
    }

    /// Writes answers of the transport's own before the next message is read.
    fn write_now(&mut self, answers: Vec<Vec<u8>>) {
        let output = Arc::clone(&self.output);
        self.error_write = Some(tokio::spawn(async move {
            for answer in answers {
                write(&output, answer).await?;
            }
            Ok::<(), io::Error>(())
        }));
    }

    /// The line to write for a message; `None` if there is none yet, or nobody waits for it.
    fn outgoing(
        &mut self,
        mut item: TxJsonRpcMessage<RoleServer>,
    ) -> Result<Option<Vec<u8>>, serde_json::Error> {
        let id = match &mut item {
            JsonRpcMessage::Response(response) => Some(&mut response.id),
            JsonRpcMessage::Error(error) => {
                explain(&mut error.error);
                error.id.as_mut()
            }
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
        };
        let Some(id) = id else { return serde_json::to_vec(&item).map(Some) };
        let Some(of_client) = self.in_flight.end(id) else { return Ok(None) };
        let own = std::mem::replace(id, of_client);
        Ok(self.in_flight.deliver(&own, serde_json::to_vec(&item)?))
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

/// Says what is wrong with a method that isn't there: the library's message is its name alone.
fn explain(error: &mut ErrorData) {
    if error.code == ErrorCode::METHOD_NOT_FOUND && !error.message.contains(char::is_whitespace) {
        let method: String = error.message.chars().take(80).collect();
        error.message = format!("there is no method {method:?} here").into();
    }
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        if let JsonRpcMessage::Response(response) = &item
            && let ServerResult::InitializeResult(opened) = &response.result
        {
            self.has_batches = opened.protocol_version == ProtocolVersion::V_2025_03_26;
        }
        let line = self.outgoing(item);
        let output = Arc::clone(&self.output);
        async move {
            match line? {
                Some(line) => write(&output, line).await,
                None => Ok(()),
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            // Receiving may be interrupted at any moment; the writing of an error may not.
            if let Some(error_write) = &mut self.error_write {
                let _ = error_write.await;
                self.error_write = None;
            }
            if let Some(message) = self.queue.pop_front() {
                return Some(message);
            }
            match self.read().await {
                Some(Incoming::Message(mut message)) => match self.admit(&mut message, false) {
                    Admission::Pass => {
                        if let Some(complete) = self.note_cancellation(&mut message) {
                            self.write_now(vec![complete]);
                        }
                        return Some(*message);
                    }
                    Admission::Skip => {
                        log::debug!("a message before the session was opened was ignored");
                    }
                    Admission::Refuse(answer) => self.write_now(vec![answer.to_string().into_bytes()]),
                },
                Some(Incoming::Batch(members)) => {
                    let complete = self.take_batch(&members);
                    if !complete.is_empty() {
                        self.write_now(complete);
                    }
                }
                Some(Incoming::Refused(answer)) => self.write_now(vec![answer.to_string().into_bytes()]),
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
