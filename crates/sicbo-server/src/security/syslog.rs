//! A receiver of syslog messages: datagrams (RFC 5426), counted octets over
//! TCP (RFC 6587) and the same over TLS (RFC 5425).

use std::collections::VecDeque;
use std::io::{self, Write};
use std::net::{TcpStream, ToSocketAddrs as _, UdpSocket};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sicbo_plan::security::{Carrier, Syslog};
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

/// A receiver that takes longer is given up for a while.
const SEND_TIMEOUT: Duration = Duration::from_secs(3);
/// After a failure nothing is tried for so long.
const PAUSE: Duration = Duration::from_secs(2);
/// Messages that wait for a receiver.
const MAX_WAITING: usize = 4_096;

/// A line to a receiver, opened when there is something to say.
pub(super) struct Line {
    to: Syslog,
    tls: Option<Arc<ClientConfig>>,
    open: Option<Open>,
    /// Messages that were not sent yet.
    waiting: VecDeque<String>,
    /// Nothing is tried before then.
    not_before: Option<Instant>,
    /// Messages that found no room.
    lost: u64,
}

enum Open {
    Udp(UdpSocket),
    Stream(Box<dyn Write + Send>),
}

impl Line {
    /// To a receiver.
    ///
    /// # Errors
    /// When the authority that vouches for it cannot be read.
    pub(super) fn new(to: &Syslog) -> io::Result<Line> {
        let tls = match &to.by {
            Carrier::Tls(authority) => Some(Arc::new(trusting(authority)?)),
            Carrier::Udp | Carrier::Tcp => None,
        };
        Ok(Line {
            to: to.clone(),
            tls,
            open: None,
            waiting: VecDeque::new(),
            not_before: None,
            lost: 0,
        })
    }

    /// Takes a message; the oldest of too many is let go of and counted. It
    /// stands in the journal.
    pub(super) fn take(&mut self, message: String) {
        if self.waiting.len() >= MAX_WAITING {
            self.waiting.pop_front();
            self.lost += 1;
            metrics::counter!("sicbo_syslog_lost_total").increment(1);
        }
        self.waiting.push_back(message);
    }

    /// Sends what waits, in order, as far as the receiver takes it.
    pub(super) fn send(&mut self) {
        if self.not_before.is_some_and(|until| Instant::now() < until) {
            return;
        }
        while let Some(message) = self.waiting.front().cloned() {
            // A line that the receiver has closed is noticed when it is written to.
            let sent = self.try_send(&message).or_else(|_| {
                self.open = None;
                self.try_send(&message)
            });
            if let Err(error) = sent {
                if self.not_before.is_none() {
                    tracing::warn!(%error, "syslog cannot be reached; the journal has every event");
                }
                self.open = None;
                self.not_before = Some(Instant::now() + PAUSE);
                return;
            }
            self.waiting.pop_front();
        }
        if self.not_before.take().is_some() {
            tracing::info!(lost = self.lost, "syslog is reached again");
            self.lost = 0;
        }
    }

    fn try_send(&mut self, message: &str) -> io::Result<()> {
        if self.open.is_none() {
            self.open = Some(self.connect()?);
        }
        match &mut self.open {
            Some(Open::Udp(socket)) => socket.send(message.as_bytes()).map(drop),
            Some(Open::Stream(stream)) => {
                let framed = format!("{} {message}", message.len());
                stream.write_all(framed.as_bytes())?;
                stream.flush()
            }
            None => Err(io::ErrorKind::NotConnected.into()),
        }
    }

    fn connect(&self) -> io::Result<Open> {
        let found = self.to.address.to_socket_addrs()?.next();
        let address = found.ok_or(io::ErrorKind::AddrNotAvailable)?;
        if self.to.by == Carrier::Udp {
            let any = if address.is_ipv4() {
                "0.0.0.0:0"
            } else {
                "[::]:0"
            };
            let socket = UdpSocket::bind(any)?;
            socket.connect(address)?;
            return Ok(Open::Udp(socket));
        }
        let stream = TcpStream::connect_timeout(&address, SEND_TIMEOUT)?;
        stream.set_write_timeout(Some(SEND_TIMEOUT))?;
        stream.set_read_timeout(Some(SEND_TIMEOUT))?;
        let Some(config) = &self.tls else {
            return Ok(Open::Stream(Box::new(stream)));
        };
        let host = self
            .to
            .address
            .rsplit_once(':')
            .map_or("", |(host, _)| host);
        let host = host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .to_owned();
        let name = ServerName::try_from(host).map_err(io::Error::other)?;
        let line = ClientConnection::new(Arc::clone(config), name).map_err(io::Error::other)?;
        Ok(Open::Stream(Box::new(StreamOwned::new(line, stream))))
    }
}

/// Trusts one authority and no other.
fn trusting(authority: &Path) -> io::Result<ClientConfig> {
    let mut roots = RootCertStore::empty();
    let found = CertificateDer::pem_file_iter(authority).map_err(io::Error::other)?;
    for certificate in found {
        let certificate = certificate.map_err(io::Error::other)?;
        roots.add(certificate).map_err(io::Error::other)?;
    }
    if roots.is_empty() {
        let words = "there is no certificate of syslog's authority in the file";
        return Err(io::Error::new(io::ErrorKind::InvalidData, words));
    }
    let provider = tokio_rustls::rustls::crypto::ring::default_provider();
    let config = ClientConfig::builder_with_provider(Arc::new(provider))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use tokio_rustls::rustls::{ServerConfig, ServerConnection};

    use super::*;

    /// What a receiver reads until it has so many bytes.
    fn received(stream: &mut impl io::Read, length: usize) -> String {
        let mut bytes = vec![0; length];
        stream.read_exact(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn octets_are_counted_and_what_was_not_taken_is_sent_again() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let to = Syslog {
            by: Carrier::Tcp,
            address: listener.local_addr().unwrap().to_string(),
        };
        let mut line = Line::new(&to).unwrap();
        line.take("<86>1 one".to_owned());
        line.take("<86>1 twö".to_owned());
        line.send();
        let (mut stream, _) = listener.accept().unwrap();
        let expected = "9 <86>1 one10 <86>1 twö";
        assert_eq!(received(&mut stream, expected.len()), expected);
        // Nobody is there: it waits, and is not lost.
        drop((stream, listener));
        let again = TcpListener::bind(&to.address);
        let Ok(again) = again else { return };
        line.open = None;
        line.take("<86>1 three".to_owned());
        line.send();
        let (mut stream, _) = again.accept().unwrap();
        assert_eq!(received(&mut stream, 14), "11 <86>1 three");
        assert_eq!(line.waiting.len(), 0);
    }

    #[test]
    fn an_encrypted_line_goes_to_the_receiver_that_the_authority_vouches_for() {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let authority = folder.path().join("authority.pem");
        std::fs::write(&authority, made.cert.pem()).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let receiver = std::thread::spawn(move || {
            let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
            let key = made.signing_key.serialize_der();
            let config = ServerConfig::builder_with_provider(provider)
                .with_safe_default_protocol_versions()
                .unwrap()
                .with_no_client_auth()
                .with_single_cert(vec![made.cert.der().clone()], key.try_into().unwrap())
                .unwrap();
            let line = ServerConnection::new(Arc::new(config)).unwrap();
            let mut stream = StreamOwned::new(line, listener.accept().unwrap().0);
            received(&mut stream, 11)
        });
        let to = Syslog {
            by: Carrier::Tls(authority),
            address: format!("localhost:{port}"),
        };
        let mut line = Line::new(&to).unwrap();
        line.take("<86>1 one".to_owned());
        line.send();
        assert_eq!(receiver.join().unwrap(), "9 <86>1 one");
        // Without a certificate nobody is vouched for.
        let none = folder.path().join("none.pem");
        std::fs::write(&none, "").unwrap();
        let to = Syslog {
            by: Carrier::Tls(none),
            ..to
        };
        assert!(Line::new(&to).is_err());
    }
}
