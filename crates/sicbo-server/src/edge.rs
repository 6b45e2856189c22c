//! The listening side: accepts connections, bounded in number and in the time
//! they may take to say what they want, with TLS where the plan has it.

pub mod crowd;
mod line;

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::response::Response;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use sicbo_plan::Tls;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Handle;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tower::{Service, ServiceExt as _};

use crate::certificates::{Certificates, PlaceCertificate};
use crate::floor::{Floor, Stopping};
use crowd::{Bounds, Crowd, Refused};
use line::Line;
use sicbo_house::address::AddressBlock;

/// Connections at once, sockets included, where the system lets the program
/// open enough files.
const CONNECTIONS: usize = 18_000;
/// Files the house needs for itself: journals, history, printers, the runtime.
const OWN_FILES: u64 = 512;
/// Connections the system keeps until they are accepted: a floor of terminals
/// that comes back at once must not be told to try again in a second.
const AT_THE_DOOR: u32 = 4_096;
/// What a connection that finds no place is told, where it can be told at all.
const NO_PLACE: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\n\
content-type: application/problem+json\r\nconnection: close\r\ncontent-length: 123\r\n\r\n\
{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,\
\"detail\":\"too many connections\",\"code\":\"busy\",\"rule\":null}";
/// The head of a request comes within this time; an idle connection is closed.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// A TLS handshake is done within this time.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);
/// When one was refused, connections are looked at together this often: each would wake a thread
/// otherwise. Whoever may come in waits no longer than this.
const REFUSED_PAUSE: Duration = Duration::from_millis(5);
/// What was accepted is finished within this time when the house stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// Why the edge could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum EdgeError {
    /// The address.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// Which.
        address: String,
        /// Why.
        error: io::Error,
    },
    /// The certificate or its key.
    #[error("the certificate: {0}")]
    Certificate(String),
    /// The token for figures.
    #[error("the token for figures: {0}")]
    Token(String),
}

/// A listener, and the encryption it speaks.
pub struct Edge {
    listener: TcpListener,
    /// The same once more, for connections that wait already.
    waiting: std::net::TcpListener,
    tls: Option<Certificates>,
}

impl Edge {
    /// Opens it.
    ///
    /// # Errors
    /// When the address or the certificate cannot be used.
    pub async fn open(address: &str, tls: &Tls) -> Result<Edge, EdgeError> {
        let listening = listen(address).await;
        let (listener, waiting) = listening.map_err(|error| EdgeError::Listen {
            address: address.to_owned(),
            error,
        })?;
        let tls = Certificates::open(tls).map_err(EdgeError::Certificate)?;
        Ok(Edge {
            listener,
            waiting,
            tls,
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// `http` or `https`.
    #[must_use]
    pub fn scheme(&self) -> &'static str {
        match self.tls {
            Some(_) => "https",
            None => "http",
        }
    }

    /// Serves until the house is to stop, then finishes what was accepted. Whoever is recognised
    /// is served by the threads of those who are known, everybody else by those that run this.
    pub async fn serve(self, floor: Arc<Floor>, service: Router, known: Handle) {
        let crowd = Crowd::new(Bounds {
            places: places(),
            by_address: floor.plan.crowd.connections as usize,
            requests: floor.plan.crowd.requests,
        });
        let mut stopping = floor.stopping();
        let mut refused = false;
        while !floor.is_stopping() {
            let accepted = match self.waiting.accept() {
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => Err(error),
                Ok((stream, from)) => Ok((Came::Waited(stream), from)),
                // Nobody waits, and the last one was refused: those who come next are seen together.
                Err(_) if std::mem::take(&mut refused) => {
                    tokio::time::sleep(REFUSED_PAUSE).await;
                    continue;
                }
                Err(_) => tokio::select! {
                    accepted = self.listener.accept() => {
                        accepted.map(|(stream, from)| (Came::Now(stream), from))
                    }
                    () = stopping.asked() => break,
                },
            };
            let (came, from) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Out of files, or the other side has gone: others must
                    // not suffer from a loop that spins.
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    continue;
                }
            };
            let place = match crowd.come(AddressBlock::of(from.ip())) {
                Ok(place) => place,
                Err(why) => {
                    why.count("connection");
                    if self.tls.is_none() && why != Refused::TooOften {
                        came.told(NO_PLACE);
                    }
                    drop(came);
                    refused = true;
                    // Others on this thread have their turn between two of a crowd.
                    tokio::task::consume_budget().await;
                    continue;
                }
            };
            let Ok(stream) = came.taken() else {
                continue;
            };
            let held = Arc::clone(&place);
            let service = service.clone();
            // Every request says where it comes from.
            let address = PeerAddress::of(&floor.plan.tls, from.ip());
            let service = move |certificate: PlaceCertificate| {
                let service = service.map_request(move |mut request: Request<Incoming>| {
                    let extensions = request.extensions_mut();
                    if let Some(address) = address {
                        extensions.insert(address);
                    }
                    extensions.insert(Arc::clone(&held));
                    extensions.insert(certificate.clone());
                    request
                });
                TowerToHyperService::new(service)
            };
            let stopping = stopping.clone();
            let tls = self.tls.as_ref().map(|tls| TlsAcceptor::from(tls.now()));
            let stream = Line::new(stream, Arc::clone(&place), known.clone());
            let known = known.clone();
            tokio::spawn(async move {
                let mut served = match tls {
                    None => {
                        let service = service(PlaceCertificate::default());
                        connection(TokioIo::new(stream), service, stopping)
                    }
                    Some(acceptor) => {
                        let Some(stream) = handshake(&acceptor, stream).await else {
                            return;
                        };
                        let shown = stream.get_ref().1.peer_certificates();
                        let service = service(PlaceCertificate::shown(shown));
                        connection(TokioIo::new(stream), service, stopping)
                    }
                };
                tokio::select! {
                    () = served.as_mut() => {}
                    () = place.known() => drop(known.spawn(served)),
                }
            });
        }
        drop((self.listener, self.waiting));
        // Sockets have been told; requests in hand are answered.
        let _ = timeout(STOP_TIMEOUT, crowd.empty()).await;
    }
}

/// Somebody who came.
enum Came {
    /// Just now.
    Now(TcpStream),
    /// And waited: the runtime knows nothing of this connection, so that refusing it takes no more
    /// than accepting and closing it.
    Waited(std::net::TcpStream),
}

impl Came {
    /// Says something, and waits for nothing: what does not go out now never does.
    fn told(&self, words: &[u8]) {
        let _ = match self {
            Came::Now(stream) => stream.try_write(words),
            Came::Waited(stream) => {
                let unblocked = stream.set_nonblocking(true);
                unblocked.and_then(|()| io::Write::write(&mut &*stream, words))
            }
        };
    }

    /// As the runtime reads and writes it. Small frames must not wait for company.
    fn taken(self) -> io::Result<TcpStream> {
        let stream = match self {
            Came::Now(stream) => stream,
            Came::Waited(stream) => {
                stream.set_nonblocking(true)?;
                TcpStream::from_std(stream)?
            }
        };
        let _ = stream.set_nodelay(true);
        Ok(stream)
    }
}

/// The address a request came from; with every request, but not behind a proxy, whose own
/// address says nothing of who asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PeerAddress(pub IpAddr);

impl PeerAddress {
    fn of(tls: &Tls, from: IpAddr) -> Option<PeerAddress> {
        (*tls != Tls::Proxy).then_some(PeerAddress(from))
    }
}

/// Listens at the first address a name stands for, with the same listener twice.
async fn listen(address: &str) -> io::Result<(TcpListener, std::net::TcpListener)> {
    let mut found = tokio::net::lookup_host(address).await?;
    let at = found.next().ok_or(io::ErrorKind::AddrNotAvailable)?;
    let socket = match at {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(at)?;
    let listener = socket.listen(AT_THE_DOOR)?.into_std()?;
    let waiting = listener.try_clone()?;
    Ok((TcpListener::from_std(listener)?, waiting))
}

/// How many connections there is room for. The program may open as many files
/// as the system allows it at most, and keeps some for itself: a crowd at the
/// door must not keep a journal from opening its next file.
fn places() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        let most = Rlimit {
            current: limit.maximum,
            maximum: limit.maximum,
        };
        // Not being allowed to is no fault: there are then fewer places.
        let _ = setrlimit(Resource::Nofile, most);
    }
    match getrlimit(Resource::Nofile).current {
        None => CONNECTIONS,
        Some(files) => {
            let free = files.saturating_sub(OWN_FILES).max(files / 2);
            usize::try_from(free).map_or(CONNECTIONS, |free| free.min(CONNECTIONS))
        }
    }
}

pub(crate) async fn handshake<S>(
    acceptor: &TlsAcceptor,
    stream: S,
) -> Option<tokio_rustls::server::TlsStream<S>>
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    match timeout(HANDSHAKE_TIMEOUT, acceptor.accept(stream)).await {
        Ok(Ok(stream)) => Some(stream),
        Ok(Err(_)) | Err(_) => None,
    }
}

/// Serves a connection until it ends. It can be moved to other threads meanwhile.
pub(crate) fn connection<I, S>(
    io: TokioIo<I>,
    service: TowerToHyperService<S>,
    mut stopping: Stopping,
) -> Pin<Box<dyn Future<Output = ()> + Send>>
where
    S: Service<Request<Incoming>, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
    I: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send + 'static,
{
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(32 * 1024)
        .max_headers(64);
    let served = builder.serve_connection(io, service).with_upgrades();
    Box::pin(async move {
        let mut served = std::pin::pin!(served);
        // A connection that breaks has nobody left to be told.
        tokio::select! {
            _ = served.as_mut() => return,
            () = stopping.asked() => served.as_mut().graceful_shutdown(),
        }
        let _ = served.await;
    })
}

#[cfg(test)]
mod tests {
    use super::{IpAddr, PeerAddress, Tls};

    #[test]
    fn s_18_behind_a_proxy_nobody_is_on_the_houses_own_machine() {
        let here: IpAddr = [127, 0, 0, 1].into();
        assert_eq!(PeerAddress::of(&Tls::None, here), Some(PeerAddress(here)));
        assert_eq!(PeerAddress::of(&Tls::Trial, here), Some(PeerAddress(here)));
        assert_eq!(PeerAddress::of(&Tls::Proxy, here), None);
    }
}
