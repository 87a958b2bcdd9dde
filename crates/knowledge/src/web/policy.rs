//! Which hosts may be contacted. The check is on the numeric address of the connection, not on the name, so a name that
//! resolves differently the second time gains nothing. Pure.
//!
//! Defaults: loopback is allowed, because a developer's own documentation server is a normal thing to index; private networks
//! aren't; link-local, metadata services, multicast and reserved ranges never are.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

use url::{Host, Url};

use super::addresses::{AddressKind, address_in_name, address_kind};
use super::error::FetchError;

/// How connections are made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Proxies {
    /// By the system's settings and the usual variables (`HTTPS_PROXY`, `NO_PROXY` …).
    #[default]
    System,
    /// Always directly.
    None,
    /// Always through this proxy, except to loopback.
    One(String),
}

/// Returns the rule that refuses a host.
type HostRule = dyn Fn(&str) -> Option<String> + Send + Sync;

/// The user's rules about hosts.
#[derive(Clone)]
pub struct HostRules(pub Arc<HostRule>);

impl std::fmt::Debug for HostRules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HostRules")
    }
}

/// What may be fetched and how.
#[derive(Debug, Clone)]
pub struct NetPolicy {
    /// Addresses of this computer, by a loopback name or number.
    pub allow_loopback: bool,
    /// Private networks (10/8, 172.16/12, 192.168/16, 100.64/10, fc00::/7).
    pub allow_private: bool,
    /// Redirects to another host. `www.` before a host doesn't make another host.
    pub allow_other_hosts: bool,
    /// `http://` addresses are requested over https first. Whether to use plain http if nothing answers there; the reply then
    /// says so.
    pub allow_plain_http: bool,
    /// Proxies.
    pub proxies: Proxies,
    /// A PEM file of certificates to trust besides the system's (`SSL_CERT_FILE`).
    pub extra_certificates: Option<PathBuf>,
    /// Checked for every host before connecting, also after a redirect.
    pub host_rules: Option<HostRules>,
}

impl Default for NetPolicy {
    fn default() -> Self {
        NetPolicy {
            allow_loopback: true,
            allow_private: false,
            allow_other_hosts: false,
            allow_plain_http: true,
            proxies: Proxies::System,
            extra_certificates: None,
            host_rules: None,
        }
    }
}

impl NetPolicy {
    /// The policy from the user's settings, with defaults for the rest.
    pub fn of(settings: &home::Network) -> NetPolicy {
        NetPolicy {
            allow_loopback: settings.loopback,
            allow_private: settings.private_addresses,
            allow_other_hosts: settings.cross_host_redirects,
            ..NetPolicy::default()
        }
    }
}

/// Names of clouds' metadata services; behind a proxy, the name is all there is.
const METADATA_NAMES: &[&str] =
    &["metadata", "metadata.goog", "metadata.google.internal", "instance-data", "instance-data.ec2.internal"];

/// Parses a URL and checks everything that needs no network.
pub(crate) fn parse(text: &str) -> Result<Url, FetchError> {
    let shown = crate::cut(text.trim(), 300);
    let bad = |reason: String| FetchError::BadUrl { url: shown.to_owned(), reason };
    let url = Url::parse(text.trim()).map_err(|error| bad(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(bad(format!("{}: is not http", url.scheme())));
    }
    let host = url.host_str().filter(|h| !h.is_empty()).ok_or_else(|| bad("it names no host".into()))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(FetchError::Credentials { host: host.to_owned() });
    }
    Ok(url)
}

/// Whether the URL is this computer by a loopback name or number.
pub(crate) fn names_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            name == "localhost" || name.ends_with(".localhost")
        }
        None => false,
    }
}

/// Checks the host as written: numbers by their range, names against the known metadata names.
pub(crate) fn check_host(url: &Url, policy: &NetPolicy) -> Result<(), FetchError> {
    let host = url.host_str().unwrap_or_default();
    if let Some(rule) = policy.host_rules.as_ref().and_then(|rules| (rules.0)(host)) {
        return Err(FetchError::Denied { host: host.to_owned(), rule });
    }
    match url.host() {
        Some(Host::Ipv4(ip)) => check_address(host, IpAddr::V4(ip), true, policy),
        Some(Host::Ipv6(ip)) => check_address(host, IpAddr::V6(ip), true, policy),
        Some(Host::Domain(name)) => {
            let plain = name.trim_end_matches('.').to_ascii_lowercase();
            if METADATA_NAMES.contains(&plain.as_str()) {
                return Err(FetchError::forbidden(host, None, "a metadata service", ""));
            }
            if names_loopback(url) && !policy.allow_loopback {
                return Err(loopback(host, None));
            }
            address_in_name(&plain).map_or(Ok(()), |ip| check_address(host, ip, false, policy))
        }
        None => Ok(()),
    }
}

/// Checks an address before connecting to it. `named`: the URL is loopback by name or number; a public name that points to
/// this computer is a trick, not a local server.
pub(crate) fn check_address(
    host: &str,
    ip: IpAddr,
    named: bool,
    policy: &NetPolicy,
) -> Result<(), FetchError> {
    match address_kind(ip) {
        AddressKind::Public => Ok(()),
        AddressKind::Loopback if policy.allow_loopback && named => Ok(()),
        AddressKind::Loopback if policy.allow_loopback => Err(FetchError::forbidden(
            host,
            Some(ip),
            "this computer under a foreign name",
            "; use localhost",
        )),
        AddressKind::Loopback => Err(loopback(host, Some(ip))),
        AddressKind::Private if policy.allow_private => Ok(()),
        AddressKind::Private => {
            let way_out = "; [network] private_addresses = true in settings.toml allows it";
            Err(FetchError::forbidden(host, Some(ip), "in a private network", way_out))
        }
        AddressKind::Never(what) => Err(FetchError::forbidden(host, Some(ip), what, "")),
    }
}

fn loopback(host: &str, ip: Option<IpAddr>) -> FetchError {
    let way_out = "; [network] loopback = true in settings.toml allows it";
    FetchError::forbidden(host, ip, "this computer", way_out)
}

/// The difference after a redirect (scheme, host or port); `None` if there is none. `www.` before a host doesn't make
/// another host.
pub(crate) fn changed_origin(from: &Url, to: &Url) -> Option<&'static str> {
    let plain = |u: &Url| {
        let host = u.host_str().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase();
        host.strip_prefix("www.").map_or(host.clone(), str::to_owned)
    };
    if plain(from) != plain(to) {
        return Some("host");
    }
    if from.scheme() != to.scheme() {
        return Some("scheme");
    }
    (from.port_or_known_default() != to.port_or_known_default()).then_some("port")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(ip: &str, policy: &NetPolicy) -> Result<(), String> {
        check_address("host", ip.parse().expect("ip"), true, policy).map_err(|e| e.to_string())
    }

    #[test]
    fn addresses_are_judged_by_their_range() {
        let strict = NetPolicy { allow_loopback: false, ..NetPolicy::default() };
        let open = NetPolicy { allow_private: true, ..NetPolicy::default() };
        for never in [
            "169.254.169.254",
            "0.0.0.0",
            "0.1.2.3",
            "224.0.0.1",
            "255.255.255.255",
            "240.0.0.1",
            "168.63.129.16",
            "100.100.100.200",
            "::",
            "fe80::1",
            "ff02::1",
            "::ffff:8.8.8.8",
            "::ffff:127.0.0.1",
            "::10.0.0.1",
            "fd00:ec2::254",
            "2002:7f00:1::",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::1",
            "2001:0:1::1",
        ] {
            assert!(verdict(never, &open).is_err(), "{never}");
        }
        for private in ["10.0.0.1", "172.31.0.1", "192.168.1.1", "100.64.0.1", "fd12::1", "fc00::1"] {
            assert!(verdict(private, &open).is_ok(), "{private}");
            assert!(verdict(private, &strict).is_err_and(|e| e.contains("private_addresses")), "{private}");
        }
        for loopback in ["127.0.0.1", "127.8.8.8", "::1"] {
            assert!(verdict(loopback, &open).is_ok(), "{loopback}");
            assert!(verdict(loopback, &strict).is_err(), "{loopback}");
        }
        for public in ["8.8.8.8", "1.1.1.1", "172.32.0.1", "2606:4700::1111", "64:ff9b::808:808"] {
            assert!(verdict(public, &strict).is_ok(), "{public}");
        }
        let foreign = check_address("evil.example", "127.0.0.1".parse().expect("ip"), false, &open);
        assert!(foreign.is_err());
    }

    #[test]
    fn urls_are_checked_before_anybody_is_asked() {
        for bad in [
            "ftp://x.org/a",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "not a url",
            "",
            "http://",
            "https://u:p@x.org",
            "https://u@x.org",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        // Numbers in odd spellings are still numbers.
        for odd in ["http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/"] {
            assert!(names_loopback(&parse(odd).expect(odd)), "{odd}");
        }
        let metadata = parse("http://metadata.google.internal/x").expect("url");
        assert!(check_host(&metadata, &NetPolicy::default()).is_err());
    }

    #[test]
    fn a_redirect_stays_with_scheme_host_and_port() {
        let other = |a: &str, b: &str| changed_origin(&Url::parse(a).expect(a), &Url::parse(b).expect(b));
        for (from, to) in [
            ("https://x.org/a", "https://WWW.x.org/b"),
            ("https://x.org", "https://x.org:443/b"),
            ("https://x.org", "https://x.org./b"),
            ("http://127.0.0.1:8000/a", "http://127.0.0.1:8000/b?c"),
        ] {
            assert_eq!(other(from, to), None, "{from} {to}");
        }
        for (from, to, what) in [
            ("https://x.org", "https://y.x.org", "host"),
            ("https://x.org", "https://x.org.evil.example", "host"),
            ("https://x.org", "http://x.org", "scheme"),
            ("http://127.0.0.1:8000", "http://127.0.0.1:9200", "port"),
            ("https://x.org", "https://x.org:8443", "port"),
            ("http://localhost", "http://127.0.0.1", "host"),
        ] {
            assert_eq!(other(from, to), Some(what), "{from} {to}");
        }
    }

    #[test]
    fn names_that_hold_an_address_are_judged_by_it() {
        let open = NetPolicy { allow_private: false, ..NetPolicy::default() };
        for refused in [
            "http://10.0.0.1.nip.io/",
            "http://app.10-0-0-1.sslip.io/",
            "http://169.254.169.254.nip.io/latest",
            "http://a9fea9fe.nip.io/",
            "http://magic-127-0-0-1.nip.io/",
            "http://localtest.me/",
            "http://a.b.lvh.me/",
            "http://--1.sslip.io/",
            "http://metadata.google.internal./",
            "http://METADATA/",
        ] {
            assert!(check_host(&parse(refused).expect(refused), &open).is_err(), "{refused}");
        }
        for fine in
            ["http://8.8.8.8.nip.io/", "http://nip.io/", "http://10.0.0.1.example.com/", "https://x.org/"]
        {
            assert!(check_host(&parse(fine).expect(fine), &open).is_ok(), "{fine}");
        }
    }
}
