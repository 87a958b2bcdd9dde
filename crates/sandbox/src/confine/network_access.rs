//! Decides about connections: private networks may be out of reach.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::NetworkAccess;
use super::answer::{Answer, refused, uninspectable};
use super::notify::read_memory;
use super::rules::Rules;

/// Connects to a peer.
pub(super) fn connect(rules: &Rules, pid: u32, address: u64, length: u64) -> Answer {
    if rules.reach == NetworkAccess::All {
        return Ok(());
    }
    let mut bytes = [0u8; 28];
    let length = usize::try_from(length).unwrap_or(0).min(bytes.len());
    let Some(got) = bytes
        .get_mut(..length)
        .filter(|room| !room.is_empty())
        .and_then(|room| read_memory(pid, address, room))
    else {
        return uninspectable(rules, pid);
    };
    let Some((ip, port)) = bytes.get(..got).and_then(peer) else { return Ok(()) };
    // The name server is often in the private network.
    if port == 53 || !is_private(ip) {
        return Ok(());
    }
    refused(format!("{ip} is an address of a private network, which `sandbox.network` keeps out of reach"))
}

fn peer(bytes: &[u8]) -> Option<(IpAddr, u16)> {
    let family = i32::from(u16::from_ne_bytes([*bytes.first()?, *bytes.get(1)?]));
    let port = u16::from_be_bytes([*bytes.get(2)?, *bytes.get(3)?]);
    match family {
        libc::AF_INET => {
            let ip: [u8; 4] = bytes.get(4..8)?.try_into().ok()?;
            Some((IpAddr::V4(Ipv4Addr::from(ip)), port))
        }
        libc::AF_INET6 => {
            let ip: [u8; 16] = bytes.get(8..24)?.try_into().ok()?;
            let ip = Ipv6Addr::from(ip);
            Some((ip.to_ipv4_mapped().map_or(IpAddr::V6(ip), IpAddr::V4), port))
        }
        _ => None,
    }
}

/// Home and work networks, and the addresses of cloud metadata services.
fn is_private(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => {
            let [a, b, ..] = ip.octets();
            ip.is_private() || ip.is_link_local() || (a == 100 && (64..128).contains(&b))
        }
        IpAddr::V6(ip) => ip.is_unique_local() || ip.is_unicast_link_local(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_networks_are_known_in_both_families() {
        for ip in
            ["10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "fd00::1", "fe80::1"]
        {
            assert!(is_private(ip.parse().unwrap()), "{ip}");
        }
        for ip in ["127.0.0.1", "::1", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1"] {
            assert!(!is_private(ip.parse().unwrap()), "{ip}");
        }
        let mut mapped = [0u8; 28];
        mapped[..2].copy_from_slice(&(libc::AF_INET6 as u16).to_ne_bytes());
        mapped[8..24].copy_from_slice(&"::ffff:10.0.0.1".parse::<Ipv6Addr>().unwrap().octets());
        assert!(is_private(peer(&mapped).unwrap().0));
    }
}
