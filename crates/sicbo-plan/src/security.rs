//! Reads who guards the house: its own networks, and where its security log is
//! fed to.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use sicbo_rules::document::{Node, short};

/// What a plan says of security.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SecurityPlan {
    /// The house's own networks; whoever logs in from elsewhere has remote
    /// access. Nothing is remote where none is named.
    pub networks: Vec<Network>,
    /// Where lines of JSON go.
    pub log: Option<LogTo>,
    /// Where syslog messages go.
    pub syslog: Option<Syslog>,
}

/// Where lines of JSON go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LogTo {
    /// To standard output: `stdout`.
    Stdout,
    /// At the end of a file.
    File(PathBuf),
}

/// A receiver of RFC 5424.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Syslog {
    /// How it is reached.
    pub by: Carrier,
    /// Host and port, as written.
    pub address: String,
}

/// How syslog messages travel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Carrier {
    /// One message a datagram: `udp://`.
    Udp,
    /// Counted octets: `tcp://`.
    Tcp,
    /// The same, encrypted, to a receiver whose certificate this PEM file
    /// vouches for: `tls://`.
    Tls(PathBuf),
}

/// Bits in front of an IPv4 address that is written as one of IPv6: `::ffff:10.1.0.0/112`.
const MAPPED_BITS: u8 = 96;

/// A network: `10.1.0.0/16`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Network {
    base: IpAddr,
    bits: u8,
}

impl Network {
    /// Of its text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Network> {
        let (base, bits) = match text.split_once('/') {
            Some((base, bits)) => (base, Some(bits)),
            None => (text, None),
        };
        let base: IpAddr = base.parse().ok()?;
        let all = if base.is_ipv4() { 32 } else { 128 };
        let bits: u8 = match bits {
            Some(bits) => bits.parse().ok()?,
            None => all,
        };
        if bits > all {
            return None;
        }
        // Addresses are compared in their canonical form, and so is the network; one that
        // reaches beyond the mapped addresses is none of IPv4.
        match base.to_canonical() {
            IpAddr::V4(mapped) if base.is_ipv6() => Some(Network {
                base: mapped.into(),
                bits: bits.checked_sub(MAPPED_BITS)?,
            }),
            base => Some(Network { base, bits }),
        }
    }

    /// Whether an address is in it.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let same = |base: u128, other: u128, of: u32| {
            let beyond = of - u32::from(self.bits);
            beyond >= 128 || base >> beyond == other >> beyond
        };
        match (self.base, address.to_canonical()) {
            (IpAddr::V4(base), IpAddr::V4(other)) => {
                same(u32::from(base).into(), u32::from(other).into(), 32)
            }
            (IpAddr::V6(base), IpAddr::V6(other)) => same(base.into(), other.into(), 128),
            _ => false,
        }
    }
}

impl SecurityPlan {
    /// Whether an address is outside the house's networks.
    #[must_use]
    pub fn is_remote(&self, address: IpAddr) -> bool {
        let mut own = self.networks.iter();
        !self.networks.is_empty() && !own.any(|network| network.contains(address))
    }
}

impl SecurityPlan {
    /// With its files beside the plan's own.
    pub(super) fn beside(&mut self, folder: &Path) {
        if let Some(LogTo::File(path)) = &mut self.log {
            *path = folder.join(&path);
        }
        if let Some(Syslog {
            by: Carrier::Tls(path),
            ..
        }) = &mut self.syslog
        {
            *path = folder.join(&path);
        }
    }
}

/// What the plan says; every fault of it.
pub(super) fn read(node: &Node<'_, '_>) -> SecurityPlan {
    let Some(security) = node.optional_table("security") else {
        return SecurityPlan::default();
    };
    let mut networks = Vec::new();
    for text in security.optional_texts("networks") {
        match Network::parse(&text) {
            Some(network) => networks.push(network),
            None => security.fault(
                "networks",
                &format!("{:?} is no network", short(&text)),
                "give networks such as 10.1.0.0/16",
            ),
        }
    }
    let log = security.optional_text("log").map(|to| match to.as_str() {
        "stdout" => LogTo::Stdout,
        path => LogTo::File(PathBuf::from(path)),
    });
    SecurityPlan {
        networks,
        log,
        syslog: syslog(&security),
    }
}

fn syslog(security: &Node<'_, '_>) -> Option<Syslog> {
    let authority = security.optional_text("syslog_authority");
    let url = security.optional_text("syslog")?;
    let wrong = |problem: &str| {
        let expected = "give udp://, tcp:// or tls:// with an address and a port";
        security.fault("syslog", problem, expected);
    };
    let Some((scheme, address)) = url.split_once("://") else {
        wrong(&format!("{:?} is no address", short(&url)));
        return None;
    };
    let port = address.rsplit_once(':').map(|(_, port)| port);
    if address.parse::<SocketAddr>().is_err() && port.is_none_or(|p| p.parse::<u16>().is_err()) {
        wrong(&format!("{:?} has no port", short(&url)));
        return None;
    }
    let by = match (scheme, authority) {
        ("udp", None) => Carrier::Udp,
        ("tcp", None) => Carrier::Tcp,
        ("tls", Some(authority)) => Carrier::Tls(PathBuf::from(authority)),
        ("tls", None) => {
            security.fault(
                "syslog_authority",
                "missing",
                "give the PEM file of the authority that vouches for the receiver",
            );
            return None;
        }
        ("udp" | "tcp", Some(_)) => {
            security.fault(
                "syslog_authority",
                "given for a line without encryption",
                "leave it out, or use tls://",
            );
            return None;
        }
        _ => {
            wrong(&format!("{:?} is none of them", short(scheme)));
            return None;
        }
    };
    Some(Syslog {
        by,
        address: address.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_holds_its_own_and_no_other() {
        for (network, inside, outside) in [
            ("10.1.0.0/16", "10.1.255.7", "10.2.0.1"),
            ("10.1.0.0/16", "::ffff:10.1.0.9", "2001:db8::1"),
            ("192.0.2.7", "192.0.2.7", "192.0.2.8"),
            ("::ffff:10.0.0.0/104", "10.200.0.1", "11.0.0.1"),
            ("::ffff:10.0.0.0/104", "::ffff:10.0.0.1", "2001:db8::1"),
            ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.8"),
            ("2001:db8::/32", "2001:db8:1::5", "2001:db9::1"),
        ] {
            let network = Network::parse(network).unwrap();
            assert!(network.contains(inside.parse().unwrap()), "{inside}");
            assert!(!network.contains(outside.parse().unwrap()), "{outside}");
        }
        let everywhere = Network::parse("::/0").unwrap();
        assert!(everywhere.contains("2001:db8::1".parse().unwrap()));
        for wrong in [
            "10.1.0.0/33",
            "ten",
            "10.1/16",
            "::/129",
            "::ffff:0:0/80",
            "",
        ] {
            assert_eq!(Network::parse(wrong), None, "{wrong}");
        }
        let plan = SecurityPlan::default();
        assert!(
            !plan.is_remote("203.0.113.1".parse().unwrap()),
            "no networks"
        );
    }
}
