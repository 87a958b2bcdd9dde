//! Which pages `index` may fetch, and which hosts are local: on this computer or its network. A page that `index`
//! refuses is left to the agent's own tools, and so are local hosts.

use std::net::IpAddr;

use home::Network;

/// Domain suffixes that are used on local networks only.
const LOCAL_SUFFIXES: &[&str] = &[
    ".local",
    ".lan",
    ".internal",
    ".intranet",
    ".corp",
    ".home",
    ".home.arpa",
    ".localdomain",
    ".private",
    ".test",
];

/// The host in a URL, without user, port and path; empty if there is none.
pub fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or(rest);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if let Some(bracketed) = host.strip_prefix('[') {
        return bracketed.split(']').next().unwrap_or(bracketed);
    }
    host.split(':').next().unwrap_or(host)
}

/// Whether a host is this computer or one on its local network, such as a development server.
pub fn is_local(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    match host.parse::<IpAddr>() {
        Ok(ip) => is_local_address(ip),
        // Without a dot, or a number in one of its odd forms (`127.1`, `0x7f.1`, `2130706433`).
        Err(_) => {
            let last = host.rsplit('.').next().unwrap_or_default();
            !host.contains('.')
                || last.starts_with(|c: char| c.is_ascii_digit())
                || host.ends_with(".localhost")
                || LOCAL_SUFFIXES.iter().any(|end| host.ends_with(end))
        }
    }
}

fn is_local_address(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => {
            // 100.64.0.0/10: carrier-grade NAT, and tunnels between one's own computers.
            let shared = ip.octets()[0] == 100 && ip.octets()[1] & 0xc0 == 0x40;
            ip.is_loopback() || ip.is_private() || ip.is_link_local() || ip.is_unspecified() || shared
        }
        IpAddr::V6(ip) => match ip.to_ipv4_mapped() {
            Some(mapped) => is_local_address(IpAddr::V4(mapped)),
            None => {
                ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local() || ip.is_unspecified()
            }
        },
    }
}

/// Whether these settings let `index` connect to `host`, as far as its name or address tells.
pub fn may_fetch(host: &str, network: &Network) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let allowed = match host.parse::<IpAddr>() {
        Ok(ip) if ip.is_loopback() => network.loopback,
        Ok(IpAddr::V4(ip)) if ip.is_private() => network.private_addresses,
        Ok(IpAddr::V6(ip)) if ip.is_unique_local() => network.private_addresses,
        Ok(IpAddr::V4(ip)) => !ip.is_link_local() && !ip.is_unspecified() && !ip.is_broadcast(),
        Ok(IpAddr::V6(ip)) => !ip.is_unicast_link_local() && !ip.is_unspecified(),
        Err(_) if host == "localhost" || host.ends_with(".localhost") => network.loopback,
        Err(_) if !host.contains('.') || LOCAL_SUFFIXES.iter().any(|end| host.ends_with(end)) => {
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
    fn a_host_that_index_refuses_is_not_redirected_to_it() {
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
            assert_eq!(may_fetch(host, &usual), fetched, "{host}");
            assert!(!may_fetch(host, &Network { enabled: false, ..Network::default() }), "{host}");
        }
        for host in [
            "localhost",
            "LOCALHOST.",
            "app.localhost",
            "127.0.0.1",
            "127.8.9.1",
            "127.1",
            "2130706433",
            "0x7f000001",
            "::1",
            "0.0.0.0",
            "::",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "10.0.0.7",
            "172.16.3.4",
            "192.168.0.9",
            "169.254.1.1",
            "100.64.0.3",
            "fd00::1",
            "fe80::1",
            "printer.local",
            "nas.lan",
            "host.docker.internal",
            "shop.test",
            "api",
            "",
        ] {
            assert!(is_local(host), "{host}");
        }
        for host in [
            "example.org",
            "1.1.1.1",
            "2606:4700::1111",
            "localhost.example.org",
            "100.128.0.1",
            "10.example.org",
        ] {
            assert!(!is_local(host), "{host}");
        }
        for (url, host) in [
            ("http://localhost:3000/a", "localhost"),
            ("https://u:p@[::1]:8080/", "::1"),
            ("example.org:80", "example.org"),
            ("http://evil@10.0.0.1?x", "10.0.0.1"),
        ] {
            assert_eq!(host_of(url), host);
        }
        let inside = Network { private_addresses: true, loopback: false, ..Network::default() };
        assert!(
            may_fetch("10.1.2.3", &inside) && may_fetch("wiki", &inside) && !may_fetch("localhost", &inside)
        );
    }
}
