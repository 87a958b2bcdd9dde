//! One request and its answer. Redirects aren't followed: a key goes only where the settings say.

use std::sync::Once;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, Response};
use serde_json::Value;

use super::endpoint::Endpoint;
use super::error::WireError;
use super::provider::Provider;

/// Maximum length of an endpoint's quoted reason.
const MAX_QUOTED: usize = 200;

/// The limits of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) connect: Duration,
    pub(crate) total: Duration,
    /// Maximum size of the request.
    pub(crate) sent: usize,
    /// Maximum size of the answer.
    pub(crate) answer: usize,
}

/// Posts `body` to the endpoint's `path` and returns the answer. Blocks; don't call it on a thread with other work.
///
/// # Errors
/// [`WireError`].
pub(crate) fn post(place: &Endpoint, path: &str, body: &Value, limits: &Limits) -> Result<Value, WireError> {
    let body = body.to_string();
    if body.len() > limits.sent {
        let (bytes, limit) = (body.len(), limits.sent);
        return Err(WireError::TooMuch { place: place.display_name().to_owned(), bytes, limit });
    }
    if let Some(left) = place.breaker.pause(place.display_name()) {
        return Err(WireError::LeftAlone {
            place: place.display_name().to_owned(),
            seconds: left.as_secs().max(1),
        });
    }
    let key = place.keys.get(place.provider).map_err(|error| WireError::Key(error.to_string()))?;
    let headers = headers(place, key.as_deref())?;
    let unreachable =
        |reason: String| WireError::Unreachable { place: place.display_name().to_owned(), reason };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| unreachable(error.to_string()))?;
    let done = runtime.block_on(async {
        tokio::time::timeout(limits.total, ask(place, path, body, (headers, key.as_deref()), limits))
            .await
            .unwrap_or_else(|_| {
                Err(WireError::Slow {
                    place: place.display_name().to_owned(),
                    seconds: limits.total.as_secs(),
                })
            })
    });
    place.breaker.record(place.display_name(), done.as_ref().is_err_and(WireError::is_failure));
    done
}

fn headers(place: &Endpoint, key: Option<&str>) -> Result<HeaderMap, WireError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if place.provider == Provider::Anthropic {
        headers.insert("anthropic-version", HeaderValue::from_static("2023-06-01"));
    }
    let Some(key) = key else {
        if place.needs_key() {
            return Err(WireError::NoKey { provider: place.provider.as_str() });
        }
        return Ok(headers);
    };
    if place.url.scheme() == "http" && !place.is_here() {
        let reason = "a key would be sent over it without encryption; use https://, or forget the key";
        return Err(WireError::Address { url: place.display_name().to_owned(), reason });
    }
    let (name, value) = match place.provider {
        Provider::Anthropic => (reqwest::header::HeaderName::from_static("x-api-key"), key.to_owned()),
        _ => (AUTHORIZATION, format!("Bearer {key}")),
    };
    let mut value = HeaderValue::try_from(value)
        .map_err(|_| WireError::Key("the key has signs that no key has".into()))?;
    value.set_sensitive(true);
    headers.insert(name, value);
    Ok(headers)
}

async fn ask(
    place: &Endpoint,
    path: &str,
    body: String,
    (headers, key): (HeaderMap, Option<&str>),
    limits: &Limits,
) -> Result<Value, WireError> {
    install_crypto();
    let name = || place.display_name().to_owned();
    let failed = |error: reqwest::Error| {
        if error.is_timeout() {
            return WireError::Slow { place: name(), seconds: limits.connect.as_secs() };
        }
        let mut reason: &dyn std::error::Error = &error;
        while let Some(inner) = reason.source() {
            reason = inner;
        }
        WireError::Unreachable { place: name(), reason: reason.to_string() }
    };
    let mut client = Client::builder()
        .user_agent(concat!("plimsoll/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(limits.connect)
        .referer(false);
    if place.is_here() {
        client = client.no_proxy();
    }
    if place.url.scheme() == "http" {
        // No certificate is checked, so the system's aren't loaded, which would take longer than the rest.
        client = client.tls_certs_only(std::iter::empty());
    }
    let client = client.build().map_err(failed)?;
    let url = place
        .url
        .join(path)
        .map_err(|_| WireError::Unreachable { place: name(), reason: "no address".into() })?;
    let response = client.post(url).headers(headers).body(body).send().await.map_err(failed)?;
    let status = response.status();
    let most = if status.is_success() { limits.answer } else { 8 << 10 };
    let (bytes, whole) = read(response, most).await.map_err(failed)?;
    if !status.is_success() {
        return Err(WireError::Status {
            place: name(),
            status: status.as_u16(),
            hint: hint(place, status.as_u16(), &bytes, key),
        });
    }
    if !whole {
        return Err(WireError::TooLong { place: name(), limit: limits.answer });
    }
    serde_json::from_slice(&bytes).map_err(|_| WireError::NotJson { place: name() })
}

/// The first bytes of an answer, and whether they are all.
async fn read(mut response: Response, most: usize) -> reqwest::Result<(Vec<u8>, bool)> {
    let mut out = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if out.len() + chunk.len() > most {
            return Ok((out, false));
        }
        out.extend_from_slice(&chunk);
    }
    Ok((out, true))
}

/// The remedy for a refusal, and the endpoint's quoted reason.
fn hint(place: &Endpoint, status: u16, body: &[u8], key: Option<&str>) -> String {
    let provider = place.provider.as_str();
    let what = match status {
        401 | 403 => format!(": the key was refused; `plimsoll memory key set {provider}` takes another one"),
        404 => ": the address or the model's name isn't known there".into(),
        429 => ": too many requests, or nothing left to spend; try again later".into(),
        300..=399 => {
            ": it sends elsewhere, and Plimsoll doesn't follow; write the right address into the settings"
                .into()
        }
        _ => String::new(),
    };
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let body = body["error"]["message"].as_str().or_else(|| body["error"].as_str()).unwrap_or_default();
    // Before cutting, so that no half of a key remains.
    let body = key.map_or_else(|| body.to_owned(), |key| body.replace(key, "[key]"));
    let body: String = body.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_QUOTED).collect();
    if body.trim().is_empty() { what } else { format!("{what} (\"{}\")", text::redact(body.trim())) }
}

/// Installs the process's crypto provider unless one is set.
fn install_crypto() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn slow_work_is_ended() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        // The system accepts connections, but nobody answers.
        let dir = tempfile::tempdir().unwrap();
        let place = Endpoint::new(Provider::Ollama, &url, &home::Home::at(dir.path())).unwrap();
        let limits = Limits {
            connect: Duration::from_secs(5),
            total: Duration::from_millis(300),
            sent: 1_000,
            answer: 1_000,
        };
        let began = Instant::now();
        let error = post(&place, "api/chat", &serde_json::json!({}), &limits).unwrap_err();
        assert!(matches!(error, WireError::Slow { .. }), "{error}");
        assert!(began.elapsed() < Duration::from_secs(5));
        let long = serde_json::json!({"text": "x".repeat(2_000)});
        let error = post(&place, "api/chat", &long, &limits).unwrap_err();
        assert!(matches!(error, WireError::TooMuch { .. }), "{error}");
    }
}
