//! Standard input and output as a transport, with the three things that real clients need and the library's
//! own does not do: saying when the input has closed, passing over what arrives before a session is open
//! instead of ending, and answering a `server/discover` that came without its metadata.

use std::future::Future;
use std::io;

use rmcp::RoleServer;
use rmcp::model::{
    ClientCapabilities, ClientRequest, DiscoverRequest, GetMeta, JsonRpcMessage, ProtocolVersion,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::{StdioReader, StdioWriter, Transport, stdio_pipes};
use tokio::sync::watch;

/// One line, that is one message, may be this long. Text passed inline is the longest thing there is.
const MAX_LINE: usize = 64 * 1024 * 1024;

/// Set when the input has closed.
#[derive(Debug)]
pub(crate) struct Closed(watch::Sender<bool>);

/// Waits for [`Closed`].
#[derive(Debug, Clone)]
pub(crate) struct WhenClosed(watch::Receiver<bool>);

impl Closed {
    pub(crate) fn pair() -> (Self, WhenClosed) {
        let (sender, receiver) = watch::channel(false);
        (Self(sender), WhenClosed(receiver))
    }
}

impl WhenClosed {
    pub(crate) async fn wait(mut self) {
        if self.0.wait_for(|closed| *closed).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// The transport.
pub(crate) struct Stdio {
    inner: AsyncRwTransport<RoleServer, StdioReader, StdioWriter>,
    closed: Closed,
    /// Whether a request other than `ping` and `server/discover` has arrived.
    open: bool,
}

impl Stdio {
    pub(crate) fn new(closed: Closed) -> Self {
        let (reader, writer) = stdio_pipes();
        let inner = AsyncRwTransport::new_server(reader, writer).with_max_line_length(MAX_LINE);
        Self { inner, closed, open: false }
    }

    /// Whether the message is to be passed on.
    fn admit(&mut self, message: &mut RxJsonRpcMessage<RoleServer>) -> bool {
        let JsonRpcMessage::Request(request) = message else {
            // Before a session is open, a notification or an answer has nothing to refer to; the library
            // would take it for a broken client and end.
            return self.open;
        };
        // Without parameters the library takes it for a request of its own kind.
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
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let Some(mut message) = self.inner.receive().await else {
                let _ = self.closed.0.send(true);
                return None;
            };
            if self.admit(&mut message) {
                return Some(message);
            }
            log::debug!("a message before the session was opened was passed over");
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}
