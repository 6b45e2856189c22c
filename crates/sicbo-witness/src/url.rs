//! The address of a witness, as plans name it. Opens nothing.

use http::Uri;

/// Where a witness is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessUrl {
    pub(crate) encrypted: bool,
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) path: String,
}

impl WitnessUrl {
    /// Whether what is said there can be read and changed on the way: not encrypted,
    /// and not to this machine.
    pub fn is_open(&self) -> bool {
        let bare = self.host.trim_start_matches('[').trim_end_matches(']');
        let address: Result<std::net::IpAddr, _> = bare.parse();
        let here = match address {
            Ok(address) => address.to_canonical().is_loopback(),
            Err(_) => bare.eq_ignore_ascii_case("localhost"),
        };
        !self.encrypted && !here
    }

    /// The machine and the port.
    pub fn host_and_port(&self) -> (&str, u16) {
        let bare = self.host.trim_start_matches('[').trim_end_matches(']');
        (bare, self.port)
    }

    /// Reads the submission prefix of a witness, e.g. `https://witness.example/w1`.
    ///
    /// # Errors
    /// Why it is none.
    pub fn parse(text: &str) -> Result<WitnessUrl, &'static str> {
        let uri: Uri = text.parse().map_err(|_| "it is no address")?;
        let encrypted = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err("it begins with neither http:// nor https://"),
        };
        let host = uri.host().filter(|host| !host.is_empty());
        let host = host.ok_or("it names no machine")?.to_owned();
        if uri.query().is_some() {
            return Err("it has a question mark");
        }
        let port = uri.port_u16().unwrap_or(if encrypted { 443 } else { 80 });
        let path = format!("{}/add-checkpoint", uri.path().trim_end_matches('/'));
        Ok(WitnessUrl {
            encrypted,
            host,
            port,
            path,
        })
    }
}
