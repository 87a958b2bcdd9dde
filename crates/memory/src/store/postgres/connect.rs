//! Connects to the server: its address, TLS, and the meaning of its errors.

use std::future::Future;
use std::pin::Pin;
use std::str::FromStr;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use rustls::ClientConfig;
use rustls::crypto::ring;
use rustls::pki_types::ServerName;
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_postgres::{Client, Config};

use crate::store::messages;
use crate::store::org_error::OrgError;

/// The oldest supported version of PostgreSQL.
const OLDEST: u32 = 14;

/// The server's address and the user. It contains the password and never reveals it.
#[derive(Clone)]
pub struct Server {
    config: Config,
    host: String,
    user: String,
    database: String,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Server({})", self.name())
    }
}

impl Server {
    /// Parses `postgres://name:password@host:port/database`.
    ///
    /// A connection to another computer is encrypted unless the address has `sslmode=disable`.
    ///
    /// # Errors
    /// [`OrgError::Url`].
    pub fn parse(url: &str) -> Result<Self, OrgError> {
        let wrong = |reason| OrgError::Url { reason };
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err(wrong(messages::org_url_scheme()));
        }
        // To the parser, the login ends at the first @, and what is behind it is the host, which is shown.
        let (login, rest) = url.split_once('@').unwrap_or_default();
        let is_in_options = login.split_once('?').is_some_and(|(_, options)| options.contains("password="));
        if is_in_options || rest.split('?').next().is_some_and(|place| place.contains('@')) {
            return Err(wrong(messages::org_url_at()));
        }
        // The parser's message could quote a part of the address, and with it a password.
        let mut config = Config::from_str(url).map_err(|_| wrong(messages::org_url_form()))?;
        let first = config.get_hosts().first().ok_or_else(|| wrong(messages::org_url_host()))?.clone();
        let port = config.get_ports().first().copied().unwrap_or(5432);
        let (host, near) = match &first {
            Host::Tcp(name) => (format!("{name}:{port}"), is_here(name)),
            #[cfg(unix)]
            Host::Unix(path) => (format!("{}:{port}", path.display()), true),
        };
        // `prefer` would continue unencrypted if the server, or somebody in between, refuses TLS.
        if !near && config.get_ssl_mode() != SslMode::Disable {
            config.ssl_mode(SslMode::Require);
        }
        #[cfg(unix)]
        if matches!(first, Host::Unix(_)) {
            // Nobody can listen on a local socket, and it has no name for a certificate.
            config.ssl_mode(SslMode::Disable);
        }
        let user = config
            .get_user()
            .filter(|user| !user.is_empty())
            .ok_or_else(|| wrong(messages::org_url_user()))?
            .to_owned();
        let database = config.get_dbname().unwrap_or(&user).to_owned();
        config.application_name("plimsoll");
        Ok(Self { config, host, user, database })
    }

    /// The host with its port.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The user name.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// The database.
    pub fn database(&self) -> &str {
        &self.database
    }

    /// The display name, without the password; unique per server.
    pub fn name(&self) -> String {
        format!("{}@{}/{}", self.user, self.host, self.database)
    }

    /// Connects and checks that the server is supported.
    pub(super) async fn connect(&self, within: Duration) -> Result<Client, OrgError> {
        let tls = Tls::new().map_err(|reason| self.unreachable(&reason))?;
        let mut config = self.config.clone();
        config.connect_timeout(within);
        let (client, connection) = config.connect(tls).await.map_err(|error| self.refused(&error))?;
        if let Some(found) = connection.parameter("server_version") {
            let major = found.split(['.', ' ', 'b', 'r', 'd']).next().and_then(|n| n.parse::<u32>().ok());
            if major.is_some_and(|major| major < OLDEST) {
                return Err(OrgError::OldServer { host: self.host.clone(), found: found.to_owned() });
            }
        }
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                log::info!("the connection to the organisation's server ended: {error}");
            }
        });
        Ok(client)
    }

    fn unreachable(&self, reason: &str) -> OrgError {
        OrgError::Unreachable { host: self.host.clone(), reason: reason.to_owned() }
    }

    /// The error for a missing answer.
    pub(super) fn slow(&self, within: Duration) -> OrgError {
        let ms = u64::try_from(within.as_millis()).unwrap_or(u64::MAX);
        OrgError::Slow { host: self.host.clone(), ms }
    }

    /// The meaning of a client error.
    pub(super) fn refused(&self, error: &tokio_postgres::Error) -> OrgError {
        let (host, user) = (self.host.clone(), self.user.clone());
        let Some(printed) = error.as_db_error() else {
            if error.is_closed() {
                return self.unreachable("the connection was closed");
            }
            let mut reason = error.to_string();
            let mut source = std::error::Error::source(error);
            while let Some(inner) = source {
                let inner_text = inner.to_string();
                if !reason.contains(&inner_text) {
                    reason = format!("{reason}: {inner_text}");
                }
                source = inner.source();
            }
            return self.unreachable(&reason);
        };
        let reason = printed.message().to_owned();
        match printed.code().code() {
            "42501" => OrgError::Denied { host, user, reason: Box::new(reason.into()) },
            "3F000" | "42P01" | "42883" => OrgError::NotSetUp { host, database: self.database.clone(), user },
            "57P01" | "57P02" | "57P03" => self.unreachable(&reason),
            // Too many connections, a full disk, no memory: it passes, and no memory is the cause.
            code if code.starts_with("53") => self.unreachable(&reason),
            code if code.starts_with("28") || code == "3D000" => OrgError::Login { host, user, reason },
            _ => OrgError::Failed { host, reason },
        }
    }
}

/// Whether a host is this computer.
fn is_here(name: &str) -> bool {
    name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// TLS with the system's root certificates.
#[derive(Clone)]
struct Tls(Arc<ClientConfig>);

impl Tls {
    fn new() -> Result<Self, String> {
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(BuilderVerifierExt::with_platform_verifier)
            .map_err(|error| error.to_string())?
            .with_no_client_auth();
        Ok(Self(Arc::new(config)))
    }
}

struct ToHost(Arc<ClientConfig>, ServerName<'static>);

/// An encrypted connection.
struct Encrypted<S>(tokio_rustls::client::TlsStream<S>);

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for Tls {
    type Stream = Encrypted<S>;
    type TlsConnect = ToHost;
    type Error = rustls::pki_types::InvalidDnsNameError;

    fn make_tls_connect(&mut self, host: &str) -> Result<ToHost, Self::Error> {
        // A connector is also requested for sockets, where nothing is encrypted.
        let host = if host.is_empty() || host.starts_with('/') { "localhost" } else { host };
        Ok(ToHost(Arc::clone(&self.0), ServerName::try_from(host)?.to_owned()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for ToHost {
    type Stream = Encrypted<S>;
    type Error = std::io::Error;
    type Future = Pin<Box<dyn Future<Output = std::io::Result<Encrypted<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            tokio_rustls::TlsConnector::from(self.0).connect(self.1, stream).await.map(Encrypted)
        })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Encrypted<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Encrypted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, into)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Encrypted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_parsed_and_its_password_is_never_shown() {
        let server = Server::parse("postgres://ana:geheim@db.example.org/team").unwrap();
        assert_eq!(server.name(), "ana@db.example.org:5432/team");
        assert_eq!(server.config.get_ssl_mode(), SslMode::Require);
        let escaped = Server::parse("postgres://ana:p%40ss@db.example.org/team").unwrap();
        assert_eq!(escaped.config.get_password(), Some(b"p@ss".as_slice()));
        assert!(!format!("{server:?}").contains("geheim"));
        for (url, mode) in [
            ("postgres://ana@localhost/team", SslMode::Prefer),
            ("postgres://ana@127.0.0.1:5433/team", SslMode::Prefer),
            ("postgresql://ana@db.example.org/team?sslmode=disable", SslMode::Disable),
            ("postgresql://ana@db.example.org/team?sslmode=prefer", SslMode::Require),
            ("postgresql://ana:sslmode=disable@db.example.org/team", SslMode::Require),
        ] {
            assert_eq!(Server::parse(url).unwrap().config.get_ssl_mode(), mode, "{url}");
        }
        for url in [
            "",
            "http://x:geheim@y",
            "postgres://ana:geheim@",
            "postgres://ana:geheim@h:port/x",
            "postgres://:geheim@h/x",
            "postgres://ana:p@geheim@h/x",
            "postgres://ana:p@s/geheim@h/x",
            "postgres://ana:p@geheim?@h/x",
            "postgres://h/x?user=ana&password=p@geheim",
        ] {
            let error = Server::parse(url).unwrap_err().to_string();
            assert!(error.contains("postgres://") && !error.contains("geheim"), "{url}: {error}");
        }
    }
}
