//! Where a client is: the part of its address that one subscriber or machine holds.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// One client, as far as an address tells clients apart: a whole IPv4 address, or the /64 of an
/// IPv6 address, of which anyone has as many as they like.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AddressBlock(IpAddr);

impl AddressBlock {
    /// The block an address is in.
    #[must_use]
    pub fn of(address: IpAddr) -> AddressBlock {
        AddressBlock(match address.to_canonical() {
            IpAddr::V6(v6) => {
                let [a, b, c, d, ..] = v6.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
            v4 @ IpAddr::V4(_) => v4,
        })
    }
}

impl fmt::Display for AddressBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(v4) => write!(f, "{v4}"),
            IpAddr::V6(v6) => write!(f, "{v6}/64"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::AddressBlock;

    #[test]
    fn an_ipv6_client_is_its_64_and_an_ipv4_client_one_address_however_written() {
        let block = |text: &str| AddressBlock::of(text.parse().expect("an address"));
        assert_eq!(block("2001:db8:0:1::1"), block("2001:db8:0:1:ffff::9"));
        assert_ne!(block("2001:db8:0:1::1"), block("2001:db8:0:2::1"));
        assert_eq!(block("::ffff:10.0.0.1"), block("10.0.0.1"));
        assert_ne!(block("10.0.0.1"), block("10.0.0.2"));
        assert_eq!(block("2001:db8:0:1::1").to_string(), "2001:db8:0:1::/64");
    }
}
