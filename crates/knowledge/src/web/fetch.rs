//! Fetches one page: resolves, checks, connects to exactly what was checked, follows redirects itself, and enforces time and size
//! limits. Doesn't know what the page is for.

use std::net::{IpAddr, SocketAddr};
use std::sync::Once;
use std::time::Duration;

use reqwest::header::{
    ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED,
    LOCATION,
};
use reqwest::{Client, StatusCode};
use url::Url;

use super::error::{FetchError, hint};
use super::policy::{self, NetPolicy, Proxies, changed_origin, check_address, check_host, names_loopback};

/// The most redirects.
const MAX_REDIRECTS: usize = 5;
/// The size limit of a file with certificates; a system's own has a tenth.
const MAX_CERTIFICATES: u64 = 8 * 1024 * 1024;
/// The time to look up a name that the proxy looks up again anyway.
const LOOK_UP: Duration = Duration::from_secs(3);
/// Markdown first: several documentation servers have it, and it needs no conversion.
const ACCEPTED: &str = "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.5";

/// A request for one page.
#[derive(Debug, Clone)]
pub struct FetchRequest<'a> {
    /// Its address.
    pub url: &'a str,
    /// What may be contacted.
    pub policy: &'a NetPolicy,
    /// The stored copy's `ETag`.
    pub etag: Option<&'a str>,
    /// The stored copy's `Last-Modified`.
    pub last_modified: Option<&'a str>,
    /// The time limit for everything.
    pub timeout: Duration,
    /// The body's size limit, after decompression.
    pub max_bytes: u64,
}

impl<'a> FetchRequest<'a> {
    /// The default limits: 30 s and 50 MB.
    pub fn new(url: &'a str, policy: &'a NetPolicy) -> Self {
        FetchRequest {
            url,
            policy,
            etag: None,
            last_modified: None,
            timeout: Duration::from_secs(30),
            max_bytes: 50 * 1024 * 1024,
        }
    }
}

/// A server's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// The stored copy is still valid.
    NotModified,
    /// The content, decompressed.
    Content(Vec<u8>),
}

/// A fetched page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedPage {
    /// Its final address, after redirects.
    pub url: String,
    /// The answer.
    pub body: Body,
    /// The `Content-Type`.
    pub content_type: Option<String>,
    /// The `ETag`, for the next request.
    pub etag: Option<String>,
    /// The `Last-Modified`, for the next request.
    pub last_modified: Option<String>,
    /// Notes for the reader, such as that the page came without encryption.
    pub notes: Vec<String>,
}

/// Fetches one page.
///
/// # Errors
/// See [`FetchError`].
pub async fn fetch(request: &FetchRequest<'_>) -> Result<FetchedPage, FetchError> {
    match tokio::time::timeout(request.timeout, follow(request)).await {
        Ok(result) => result,
        Err(_) => Err(FetchError::TimedOut {
            url: crate::cut(request.url, 300).to_owned(),
            seconds: request.timeout.as_secs(),
        }),
    }
}

async fn follow(request: &FetchRequest<'_>) -> Result<FetchedPage, FetchError> {
    let first = policy::parse(request.url)?;
    let mut notes = Vec::new();
    let mut url = first.clone();
    for _ in 0..=MAX_REDIRECTS {
        let response = send_preferring_https(&mut url, request, &mut notes).await?;
        let status = response.status();
        if !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
            return receive(response, url, request, notes).await;
        }
        let target = response.headers().get(LOCATION).and_then(|v| v.to_str().ok());
        let Some(target) = target else {
            return Err(FetchError::Status {
                url: url.into(),
                status: status.as_u16(),
                hint: " without saying where to",
            });
        };
        let next = url.join(target).map_err(|error| FetchError::BadUrl {
            url: crate::cut(target, 300).to_owned(),
            reason: error.to_string(),
        })?;
        let mut next = policy::parse(next.as_str())?;
        // An encrypted page must not redirect to an unencrypted one. A server behind a proxy may believe itself unencrypted; then
        // the same page is requested over https.
        if url.scheme() == "https" && next.scheme() == "http" && !names_loopback(&next) {
            upgrade(&mut next);
        }
        if let Some(what) = changed_origin(&url, &next).filter(|_| !request.policy.allow_other_hosts) {
            return Err(FetchError::OtherPlace { what, from: url.into(), to: next.into() });
        }
        if next.fragment().is_none() {
            next.set_fragment(url.fragment());
        }
        url = next;
    }
    Err(FetchError::TooManyRedirects { url: first.into(), limit: MAX_REDIRECTS })
}

/// Requests http addresses over https; plain http only if nothing answers there and the policy allows it.
async fn send_preferring_https(
    url: &mut Url,
    request: &FetchRequest<'_>,
    notes: &mut Vec<String>,
) -> Result<reqwest::Response, FetchError> {
    if url.scheme() != "http" || names_loopback(url) {
        return send(url, request, notes).await;
    }
    let mut safe = url.clone();
    upgrade(&mut safe);
    match send(&safe, request, notes).await {
        Ok(response) => {
            *url = safe;
            Ok(response)
        }
        Err(FetchError::Connection { .. }) if request.policy.allow_plain_http => {
            let response = send(url, request, notes).await?;
            notes.push(format!(
                "{} doesn't answer over https; this came without encryption",
                url.host_str().unwrap_or_default()
            ));
            Ok(response)
        }
        Err(error) => Err(error),
    }
}

fn upgrade(url: &mut Url) {
    // The url crate always allows swapping the two web schemes.
    let _ = url.set_scheme("https");
}

async fn send(
    url: &Url,
    request: &FetchRequest<'_>,
    notes: &mut Vec<String>,
) -> Result<reqwest::Response, FetchError> {
    check_host(url, request.policy)?;
    let client = client_for(url, request, notes).await?;
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, reqwest::header::HeaderValue::from_static(ACCEPTED));
    for (name, value) in [(IF_NONE_MATCH, request.etag), (IF_MODIFIED_SINCE, request.last_modified)] {
        if let Some(value) = value.and_then(|v| v.parse().ok()) {
            headers.insert(name, value);
        }
    }
    client
        .get(url.clone())
        .headers(headers)
        .send()
        .await
        .map_err(|error| FetchError::connection(url.as_str(), &error))
}

/// A client for one request: through the applicable proxy, or directly to the checked addresses.
async fn client_for(
    url: &Url,
    request: &FetchRequest<'_>,
    notes: &mut Vec<String>,
) -> Result<Client, FetchError> {
    install_crypto();
    let policy = request.policy;
    let failed = |error: &dyn std::error::Error| FetchError::connection(url.as_str(), error);
    let mut builder = Client::builder()
        .user_agent(concat!("plimsoll/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(request.timeout)
        .referer(false);
    builder = match proxy_for(url, policy) {
        Route::Direct => {
            let addresses = resolve(url, policy).await?;
            let host = url.host_str().unwrap_or_default();
            builder.no_proxy().resolve_to_addrs(host, &addresses)
        }
        Route::System => {
            check_behind_proxy(url, policy, notes).await?;
            builder
        }
        Route::Proxy(proxy) => {
            check_behind_proxy(url, policy, notes).await?;
            builder.no_proxy().proxy(reqwest::Proxy::all(proxy).map_err(|error| failed(&error))?)
        }
    };
    builder = if url.scheme() == "http" {
        // No certificate will be checked, so the system's aren't loaded, which takes longer than the rest.
        builder.tls_certs_only(std::iter::empty())
    } else if let Some(file) = &policy.extra_certificates {
        let pem = home::read_regular(file, MAX_CERTIFICATES).map_err(|error| failed(&error))?;
        let certificates = reqwest::Certificate::from_pem_bundle(&pem).map_err(|error| failed(&error))?;
        builder.tls_certs_merge(certificates)
    } else {
        builder
    };
    builder.build().map_err(|error| failed(&error))
}

enum Route<'a> {
    Direct,
    System,
    Proxy(&'a str),
}

/// Loopback never goes through a proxy, even if the variables don't say so.
fn proxy_for<'a>(url: &Url, policy: &'a NetPolicy) -> Route<'a> {
    if names_loopback(url) {
        return Route::Direct;
    }
    match &policy.proxies {
        Proxies::None => Route::Direct,
        Proxies::One(proxy) => Route::Proxy(proxy),
        Proxies::System => {
            // The client decides by the same rules; here it only matters whether this process connects itself.
            let matcher = hyper_util::client::proxy::matcher::Matcher::from_system();
            match url.as_str().parse() {
                Ok(target) if matcher.intercept(&target).is_some() => Route::System,
                _ => Route::Direct,
            }
        }
    }
}

/// The host's addresses, each checked. Nothing is looked up after this.
async fn resolve(url: &Url, policy: &NetPolicy) -> Result<Vec<SocketAddr>, FetchError> {
    let host = url.host_str().unwrap_or_default();
    let port = url.port_or_known_default().unwrap_or(443);
    let named = names_loopback(url);
    let addresses: Vec<SocketAddr> = match url.host() {
        Some(url::Host::Ipv4(ip)) => return Ok(vec![SocketAddr::new(IpAddr::V4(ip), port)]),
        Some(url::Host::Ipv6(ip)) => return Ok(vec![SocketAddr::new(IpAddr::V6(ip), port)]),
        _ => tokio::net::lookup_host((host, port))
            .await
            .map_err(|error| FetchError::NotFound { host: host.to_owned(), reason: error.to_string() })?
            .collect(),
    };
    if addresses.is_empty() {
        return Err(FetchError::NotFound { host: host.to_owned(), reason: "it has no address".into() });
    }
    // One forbidden address among good ones is a trap, not an accident.
    for address in &addresses {
        check_address(host, address.ip(), named, policy)?;
    }
    Ok(addresses)
}

/// Checks where the proxy would connect to, as far as can be determined here: a resolved name as without a proxy; a name that
/// only the proxy can resolve is reported.
async fn check_behind_proxy(
    url: &Url,
    policy: &NetPolicy,
    notes: &mut Vec<String>,
) -> Result<(), FetchError> {
    match tokio::time::timeout(LOOK_UP, resolve(url, policy)).await {
        Ok(Err(FetchError::NotFound { .. })) | Err(_) => {
            let host = url.host_str().unwrap_or_default();
            let note =
                format!("only the proxy looks {host} up, so Plimsoll couldn't check which address it has");
            if !notes.contains(&note) {
                notes.push(note);
            }
            Ok(())
        }
        Ok(judged) => judged.map(|_| ()),
    }
}

/// The process's crypto provider, set at the first request.
fn install_crypto() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Other code may have set one already, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

/// What a body may be packed in.
const PACKED: &[&str] = &[
    "gzip",
    "x-gzip",
    "deflate",
    "br",
    "zstd",
    "compress",
    "x-compress",
    "xz",
    "lzma",
    "bzip2",
    "dcb",
    "dcz",
];

/// Whether a body that arrives under this encoding is packed. The client removes the header of what it unpacks, which is one
/// that names a single format in small letters. Servers write other words here, too, which change nothing: `aws-chunked`, `utf-8`.
fn is_packed(encoding: &str) -> bool {
    encoding.split(',').any(|one| PACKED.contains(&one.trim().to_ascii_lowercase().as_str()))
}

async fn receive(
    mut response: reqwest::Response,
    url: Url,
    request: &FetchRequest<'_>,
    notes: Vec<String>,
) -> Result<FetchedPage, FetchError> {
    let status = response.status();
    let header = |name| response.headers().get(name).and_then(|v| v.to_str().ok()).map(str::to_owned);
    let (content_type, etag, last_modified) = (header(CONTENT_TYPE), header(ETAG), header(LAST_MODIFIED));
    let conditional = request.etag.is_some() || request.last_modified.is_some();
    if status == StatusCode::NOT_MODIFIED && conditional {
        return Ok(FetchedPage {
            url: url.into(),
            body: Body::NotModified,
            content_type,
            etag,
            last_modified,
            notes,
        });
    }
    if !status.is_success() {
        return Err(FetchError::Status {
            url: url.into(),
            status: status.as_u16(),
            hint: hint(status.as_u16()),
        });
    }
    // A server that compresses in a format nobody asked for: the body is neither the page nor a file.
    if let Some(encoding) = header(CONTENT_ENCODING).filter(|encoding| is_packed(encoding)) {
        return Err(FetchError::Unreadable {
            url: url.into(),
            reason: format!(
                "the server packed it as {:?}, which wasn't asked for",
                crate::cut(&encoding, 40)
            ),
        });
    }
    let too_large = || FetchError::TooLarge { url: url.to_string(), limit: request.max_bytes };
    if response.content_length().is_some_and(|n| n > request.max_bytes) {
        return Err(too_large());
    }
    let mut content = Vec::new();
    while let Some(piece) =
        response.chunk().await.map_err(|error| FetchError::connection(url.as_str(), &error))?
    {
        if (content.len() + piece.len()) as u64 > request.max_bytes {
            return Err(too_large());
        }
        content.extend_from_slice(&piece);
    }
    Ok(FetchedPage {
        url: url.into(),
        body: Body::Content(content),
        content_type,
        etag,
        last_modified,
        notes,
    })
}
