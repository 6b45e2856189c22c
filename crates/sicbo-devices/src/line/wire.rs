//! The bytes of one device's connection, plain or encrypted. One thread reads; any may write,
//! each a whole message.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use rustls::pki_types::CertificateDer;
use rustls::{ServerConfig, ServerConnection};

/// Encrypted bytes taken from the line at a time.
const CHUNK: usize = 4 * 1_024;

/// One connection.
pub(super) struct Wire {
    tcp: TcpStream,
    /// Held while a message is written.
    writing: Mutex<()>,
    tls: Option<Mutex<ServerConnection>>,
}

impl Wire {
    /// A line that was accepted; a handshake takes place when it is first read.
    pub(super) fn accept(tcp: TcpStream, tls: Option<Arc<ServerConfig>>) -> io::Result<Wire> {
        let tls = tls.map(|config| ServerConnection::new(config).map_err(io::Error::other));
        Ok(Wire {
            tcp,
            writing: Mutex::default(),
            tls: tls.transpose()?.map(Mutex::new),
        })
    }

    pub(super) fn set_read_timeout(&self, within: Duration) -> io::Result<()> {
        self.tcp.set_read_timeout(Some(within))
    }

    /// What came in; nothing at its end.
    pub(super) fn read(&self, bytes: &mut [u8]) -> io::Result<usize> {
        let Some(tls) = &self.tls else {
            return (&self.tcp).read(bytes);
        };
        let mut chunk = [0; CHUNK];
        loop {
            match tls.lock().reader().read(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
            // Not under the lock: others write meanwhile.
            let taken = (&self.tcp).read(&mut chunk)?;
            if taken == 0 {
                return Ok(0);
            }
            let mut tls = tls.lock();
            let mut rest = &chunk[..taken];
            let mut heard = Ok(());
            while !rest.is_empty() && heard.is_ok() {
                tls.read_tls(&mut rest)?;
                heard = tls.process_new_packets().map(drop);
            }
            // An alert goes out before the line is given up.
            while tls.wants_write() {
                tls.write_tls(&mut &self.tcp)?;
            }
            heard.map_err(io::Error::other)?;
        }
    }

    pub(super) fn write_all(&self, bytes: &[u8]) -> io::Result<()> {
        let _whole = self.writing.lock();
        let Some(tls) = &self.tls else {
            return (&self.tcp).write_all(bytes);
        };
        let mut tls = tls.lock();
        if tls.is_handshaking() {
            // Nobody is there yet who could read it.
            return Err(io::ErrorKind::NotConnected.into());
        }
        tls.writer().write_all(bytes)?;
        while tls.wants_write() {
            tls.write_tls(&mut &self.tcp)?;
        }
        Ok(())
    }

    /// With the certificates that the device has shown.
    pub(super) fn shown<T>(&self, look: impl FnOnce(Option<&[CertificateDer<'_>]>) -> T) -> T {
        match &self.tls {
            None => look(None),
            Some(tls) => look(tls.lock().peer_certificates()),
        }
    }

    pub(super) fn hang_up(&self) {
        // Gone already is as good.
        let _ = self.tcp.shutdown(Shutdown::Both);
    }
}
