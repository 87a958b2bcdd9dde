//! An endpoint: its address, and how its provider takes the key.

use home::Home;
use serde_json::{Value, json};
use url::Url;

use super::breaker::Breaker;
use super::error::WireError;
use super::keys::{KeyError, KeyLocation, Keys};
use super::provider::Provider;

/// An endpoint with access to its key.
#[derive(Debug, Clone)]
pub struct Endpoint {
    pub(super) provider: Provider,
    pub(super) url: Url,
    pub(super) keys: Keys,
    pub(super) breaker: Breaker,
    shown: String,
}

impl Endpoint {
    /// Parses the address of an endpoint; its key and its failures are those of this home.
    ///
    /// # Errors
    /// [`WireError::Address`].
    pub fn new(provider: Provider, url: &str, home: &Home) -> Result<Self, WireError> {
        // The address could contain a password; an unreadable one isn't repeated.
        let wrong = |shown: &str, reason| WireError::Address { url: shown.to_owned(), reason };
        let mut url = Url::parse(url).map_err(|_| wrong("in the settings", "it isn't a web address"))?;
        let host = url.host_str().unwrap_or_default().to_owned();
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        let shown = format!("{}://{host}{port}", url.scheme());
        if !matches!(url.scheme(), "http" | "https") || host.is_empty() {
            return Err(wrong(&shown, "it begins with neither https:// nor http://"));
        }
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
            return Err(wrong(
                &shown,
                "it has a name, a password or a question in it; a key goes to `plimsoll memory key set`",
            ));
        }
        if !url.path().ends_with('/') {
            let path = format!("{}/", url.path());
            url.set_path(&path);
        }
        Ok(Self { provider, url, keys: Keys::of(home), breaker: Breaker::of(home), shown })
    }

    /// Its display name: scheme, host and port.
    pub(crate) fn display_name(&self) -> &str {
        &self.shown
    }

    /// Its state for a status: address, whether there is a key, whether the breaker is open. Doesn't call it.
    pub(crate) fn state(&self) -> Value {
        let key = match self.key_location() {
            Ok(Some(_)) => "set",
            Ok(None) if self.needs_key() => "missing",
            Ok(None) => "none needed",
            Err(_) => "can't be read",
        };
        let mut out = json!({"endpoint": self.shown, "key": key});
        if let Some(left) = self.breaker.remaining(&self.shown) {
            out["left_alone_s"] = left.as_secs().max(1).into();
        }
        out
    }

    /// Where its key is stored; `None` without one. Doesn't ask the keyring.
    pub(crate) fn key_location(&self) -> Result<Option<KeyLocation>, KeyError> {
        Ok(self.keys.key_locations()?.remove(self.provider.as_str()))
    }

    /// Whether it is on this computer.
    pub(super) fn is_here(&self) -> bool {
        match self.url.host() {
            Some(url::Host::Domain(name)) => name == "localhost",
            Some(url::Host::Ipv4(address)) => address.is_loopback(),
            Some(url::Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        }
    }

    /// Whether its provider requires a key.
    pub(super) fn needs_key(&self) -> bool {
        self.is_providers_own() && !self.is_here()
    }

    /// Whether it is the provider's own endpoint rather than a compatible one.
    pub(crate) fn is_providers_own(&self) -> bool {
        self.url.host_str() == Url::parse(self.provider.url()).ok().as_ref().and_then(Url::host_str)
    }

    /// Whether a required key is missing or unreadable.
    pub(crate) fn lacks_key(&self) -> bool {
        match self.key_location() {
            Ok(key) => key.is_none() && self.needs_key(),
            Err(_) => true,
        }
    }
}
