//! Printers of vouchers: files in a folder for a trial, a device file, or a
//! printer on the network.
//!
//! A print that fails says whether a paper may be out all the same: what is
//! unknown is treated as out by whoever decides.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore};
use sicbo_table::ids::VoucherId;

use sicbo_paper::Ticket;

/// Whether a paper may be in somebody's hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paper {
    /// Nothing was sent: there is none.
    None,
    /// Something was sent: there may be one.
    Unknown,
}

/// Why a voucher was not printed. Never holds the validation number.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what}")]
pub struct PrintFailure {
    /// Whether a paper may be out.
    pub paper: Paper,
    /// What went wrong, for the journal and for people.
    pub what: String,
}

impl PrintFailure {
    fn new(paper: Paper, doing: &str, error: &dyn std::fmt::Display) -> PrintFailure {
        PrintFailure {
            paper,
            what: format!("{doing}: {error}"),
        }
    }
}

/// Prints vouchers.
pub trait Printer: Send {
    /// Prints a ticket and returns when it is out, as far as can be known.
    ///
    /// # Errors
    /// When it is not, or it is not known.
    fn print(&mut self, voucher: VoucherId, ticket: &Ticket) -> Result<(), PrintFailure>;
}

/// Each voucher as three files in a folder: the printer's bytes, a PDF and a
/// picture. They hold validation numbers, so only their owner may read them.
#[derive(Clone, Debug)]
pub struct ToFolder {
    folder: PathBuf,
}

impl ToFolder {
    /// A folder, made when it is not there.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new(folder: &Path) -> io::Result<ToFolder> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder)?;
        Ok(ToFolder {
            folder: folder.to_owned(),
        })
    }

    /// Written whole under another name and then renamed: a stop in between
    /// leaves no half of a voucher.
    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let part = self.folder.join(format!("{name}.part"));
        match fs::remove_file(&part) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&part)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&part, self.folder.join(name))
    }
}

impl Printer for ToFolder {
    fn print(&mut self, voucher: VoucherId, ticket: &Ticket) -> Result<(), PrintFailure> {
        let pdf = ticket
            .pdf()
            .map_err(|error| PrintFailure::new(Paper::None, "drawing the ticket", &error))?;
        let copy = if ticket.duplicate { "-duplicate" } else { "" };
        let name = |kind: &str| format!("voucher-{}{copy}.{kind}", voucher.0);
        let files = [
            ("escpos", ticket.escpos()),
            ("pdf", pdf),
            ("svg", ticket.svg().into_bytes()),
        ];
        for (at, (kind, bytes)) in files.iter().enumerate() {
            self.write(&name(kind), bytes).map_err(|error| {
                let paper = if at == 0 { Paper::None } else { Paper::Unknown };
                PrintFailure::new(paper, "writing the voucher's files", &error)
            })?;
        }
        if cfg!(unix) {
            File::open(&self.folder)
                .and_then(|folder| folder.sync_all())
                .map_err(|error| {
                    let doing = "making the voucher's files durable";
                    PrintFailure::new(Paper::Unknown, doing, &error)
                })?;
        }
        Ok(())
    }
}

/// A device file such as `/dev/usb/lp0`; the bytes go to its end.
#[derive(Clone, Debug)]
pub struct ToFile {
    path: PathBuf,
}

impl ToFile {
    /// A printer behind a device file.
    #[must_use]
    pub fn new(path: &Path) -> ToFile {
        ToFile {
            path: path.to_owned(),
        }
    }
}

impl Printer for ToFile {
    fn print(&mut self, _: VoucherId, ticket: &Ticket) -> Result<(), PrintFailure> {
        // Not created: a printer that is unplugged is no ordinary file.
        let mut file = OpenOptions::new()
            .append(true)
            .open(&self.path)
            .map_err(|error| PrintFailure::new(Paper::None, "opening the printer", &error))?;
        file.write_all(&ticket.escpos())
            .and_then(|()| file.flush())
            .map_err(|error| PrintFailure::new(Paper::Unknown, "writing to the printer", &error))
    }
}

/// A printer on the network, usually port 9100.
#[derive(Clone, Debug)]
pub struct ToTcp {
    address: SocketAddr,
    timeout: Duration,
}

impl ToTcp {
    /// A printer that must take a connection, and then the ticket, within `timeout` each.
    #[must_use]
    pub fn new(address: SocketAddr, timeout: Duration) -> ToTcp {
        ToTcp { address, timeout }
    }
}

/// A printer on the network that is spoken with under its certificate, usually
/// a tunnel in front of one that cannot encrypt itself.
#[derive(Clone, Debug)]
pub struct ToTls {
    tcp: ToTcp,
    name: ServerName<'static>,
    config: Arc<ClientConfig>,
}

impl ToTls {
    /// A printer whose certificate is for this name and signed by one of these
    /// authorities, in PEM.
    ///
    /// # Errors
    /// What is wrong with the name or the authorities.
    pub fn new(tcp: ToTcp, name: &str, authorities: &Path) -> io::Result<ToTls> {
        let name = ServerName::try_from(name.to_owned()).map_err(io::Error::other)?;
        let mut roots = RootCertStore::empty();
        for authority in CertificateDer::pem_file_iter(authorities).map_err(io::Error::other)? {
            let authority = authority.map_err(io::Error::other)?;
            roots.add(authority).map_err(io::Error::other)?;
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(ToTls {
            tcp,
            name,
            config: Arc::new(config),
        })
    }
}

impl Printer for ToTls {
    fn print(&mut self, _: VoucherId, ticket: &Ticket) -> Result<(), PrintFailure> {
        let mut tcp = self.tcp.connect()?;
        let none = |error: &dyn std::fmt::Display| {
            PrintFailure::new(Paper::None, "greeting the printer", error)
        };
        let config = Arc::clone(&self.config);
        let mut tls = ClientConnection::new(config, self.name.clone()).map_err(|e| none(&e))?;
        // Nothing of a ticket goes to a printer that has not shown who it is.
        while tls.is_handshaking() {
            tls.complete_io(&mut tcp).map_err(|error| none(&error))?;
        }
        let unknown =
            |error: io::Error| PrintFailure::new(Paper::Unknown, "sending to the printer", &error);
        tls.writer().write_all(&ticket.escpos()).map_err(unknown)?;
        tls.send_close_notify();
        while tls.wants_write() {
            tls.write_tls(&mut tcp).map_err(unknown)?;
        }
        taken(tcp)
    }
}

impl ToTcp {
    fn connect(&self) -> Result<TcpStream, PrintFailure> {
        let stream = TcpStream::connect_timeout(&self.address, self.timeout)
            .map_err(|error| PrintFailure::new(Paper::None, "connecting to the printer", &error))?;
        stream
            .set_write_timeout(Some(self.timeout))
            .and_then(|()| stream.set_read_timeout(Some(self.timeout)))
            .map_err(|error| PrintFailure::new(Paper::None, "preparing the connection", &error))?;
        Ok(stream)
    }
}

/// Everything was sent: waits until the printer has taken it.
fn taken(mut stream: TcpStream) -> Result<(), PrintFailure> {
    let unknown =
        |error: io::Error| PrintFailure::new(Paper::Unknown, "sending to the printer", &error);
    stream
        .shutdown(std::net::Shutdown::Write)
        .map_err(unknown)?;
    // Printers close when they have read all; one that resets has not.
    match io::Read::read(&mut stream, &mut [0; 64]) {
        Ok(_) => Ok(()),
        // Some keep the connection: what was sent was taken.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
            ) =>
        {
            Ok(())
        }
        Err(error) => Err(unknown(error)),
    }
}

impl Printer for ToTcp {
    fn print(&mut self, _: VoucherId, ticket: &Ticket) -> Result<(), PrintFailure> {
        let mut stream = self.connect()?;
        let unknown =
            |error: io::Error| PrintFailure::new(Paper::Unknown, "sending to the printer", &error);
        stream.write_all(&ticket.escpos()).map_err(unknown)?;
        stream.flush().map_err(unknown)?;
        taken(stream)
    }
}

#[cfg(test)]
mod tests;
