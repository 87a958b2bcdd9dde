//! Which pages `index` would fetch: a page that it refuses as well is left to the agent's own tools.

use std::net::IpAddr;

use home::Network;

/// Endings of names that are given out inside a house only.
const INSIDE: &[&str] =
    &[".local", ".lan", ".internal", ".intranet", ".corp", ".home", ".home.arpa", ".localdomain", ".private"];

/// Whether `index` may connect to `host` by these settings, as far as its name or number tells.
pub fn fetches(host: &str, network: &Network) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let allowed = match host.parse::<IpAddr>() {
        Ok(ip) if ip.is_loopback() => network.loopback,
        Ok(IpAddr::V4(ip)) if ip.is_private() => network.private_addresses,
        Ok(IpAddr::V6(ip)) if ip.is_unique_local() => network.private_addresses,
        Ok(IpAddr::V4(ip)) => !ip.is_link_local() && !ip.is_unspecified() && !ip.is_broadcast(),
        Ok(IpAddr::V6(ip)) => !ip.is_unicast_link_local() && !ip.is_unspecified(),
        Err(_) if host == "localhost" || host.ends_with(".localhost") => network.loopback,
        Err(_) if !host.contains('.') || INSIDE.iter().any(|end| host.ends_with(end)) => {
            network.private_addresses
        }
        Err(_) => true,
    };
    network.enabled && allowed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_index_refuses_is_not_its_to_fetch() {
        let usual = Network::default();
        for (host, fetched) in [
            ("example.org", true),
            ("1.1.1.1", true),
            ("localhost", true),
            ("127.0.0.1", true),
            ("::1", true),
            ("10.1.2.3", false),
            ("192.168.1.1", false),
            ("169.254.169.254", false),
            ("fd00::1", false),
            ("wiki", false),
            ("wiki.corp", false),
            ("printer.local.", false),
            ("", false),
        ] {
            assert_eq!(fetches(host, &usual), fetched, "{host}");
            assert!(!fetches(host, &Network { enabled: false, ..Network::default() }), "{host}");
        }
        let inside = Network { private_addresses: true, loopback: false, ..Network::default() };
        assert!(fetches("10.1.2.3", &inside) && fetches("wiki", &inside) && !fetches("localhost", &inside));
    }
}
