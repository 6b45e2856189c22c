//! The line protocol of a table's devices: NDJSON over TCP for a tumbler with
//! a sensor, an optical reader of the dice, and the lights of the layout.
//! `docs/device-protocol.md` is its description.
//!
//! Std threads and blocking sockets: one thread that accepts, one for each
//! connection. A device that sends nonsense, too much, too fast or nothing costs
//! itself only: connections that have not said who they are have places of their
//! own, and when those are taken the oldest of whoever holds most gives way.

mod connection;
mod message;
#[cfg(test)]
mod tests;
mod wire;

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::Mutex;
use rustls::ServerConfig;
use rustls::pki_types::CertificateDer;
use sicbo_rules::Dice;
use sicbo_table::actor::Device;
use sicbo_table::ids::RoundNumber;
use sicbo_table::{Act, Command, Table};

use sicbo_register::Register;
use sicbo_register::enrolment::{EnrolmentId, Role, TableName};

use message::Meaning;
pub use message::{Notice, Refused};
use wire::Wire;

/// Whether a line of a device is understood, by itself; for whoever tries what
/// a device may say.
#[must_use]
pub fn is_understood(line: &[u8], device: Option<Device>) -> bool {
    message::read(line, device).meaning.is_ok()
}

/// What a line of a device that is known asks of its table: nothing where it is
/// only a sign of life.
///
/// # Errors
/// As the device is told.
pub fn act_of(line: &[u8], device: Device) -> Result<Option<Act>, Refused> {
    Ok(match message::read(line, Some(device)).meaning? {
        Meaning::Act(act) => Some(act),
        Meaning::Cover { open } => Some(Act::ReportCover { open }),
        Meaning::Hello(_) | Meaning::Notice(_) => None,
    })
}

/// Connections that have not said what they are, at a time.
pub const MAX_ARRIVING: usize = 32;
/// The same, from one address.
pub const MAX_ARRIVING_EACH: usize = 8;
/// Threads for connections, those that are ending included. Devices are few, so
/// that this is only reached when many come and go.
const MAX_THREADS: usize = 96;

/// The encryption that the next connection speaks: certificates may change
/// while the line is open.
pub type LineTls = Arc<dyn Fn() -> Arc<ServerConfig> + Send + Sync>;

/// The device of a table that a token is enrolled for, with its enrolment. The
/// key is compared in constant time; one that was revoked is nobody's.
#[must_use]
pub fn enrolled_device(
    register: &Register,
    table: &TableName,
    token: &str,
) -> Option<(EnrolmentId, Device)> {
    let (id, enrolment) = register.recognise(token)?;
    match &enrolment.role {
        Role::Device {
            table: whose,
            device,
        } if whose == table => Some((id, *device)),
        _ => None,
    }
}

/// What the line needs of the house.
pub trait LineHouse: Send + Sync + 'static {
    /// Which device of this table the token is enrolled for, if any; see
    /// [`enrolled_device`]; beside the token what was shown on an encrypted line.
    fn admit(&self, token: &str, certificate: Option<&[CertificateDer<'_>]>) -> Option<Device>;

    /// Gives a command to the table and waits until it is durable.
    ///
    /// # Errors
    /// The refusal, as the device is told.
    fn submit(&self, command: Command) -> Result<(), Refused>;

    /// Something was heard that is no act.
    fn noticed(&self, device: Device, notice: Notice);
}

/// Bounds of patience; the defaults are the protocol's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineOptions {
    /// A connection says hello within this.
    pub hello_within: Duration,
    /// A device that is silent for so long is gone.
    pub silent_after: Duration,
    /// A device that does not take an answer within this is gone.
    pub write_within: Duration,
    /// Messages a second, on average.
    pub per_second: u32,
    /// Messages at once.
    pub burst: u32,
}

impl Default for LineOptions {
    fn default() -> LineOptions {
        LineOptions {
            hello_within: Duration::from_secs(5),
            silent_after: Duration::from_secs(30),
            write_within: Duration::from_secs(2),
            per_second: 50,
            burst: 100,
        }
    }
}

/// A connection others may write to or end.
struct Peer {
    serial: u64,
    address: IpAddr,
    wire: Wire,
    /// Nothing it says counts any more, also what was sent before.
    silent: AtomicBool,
    /// Held while something it said is taken.
    turn: Mutex<()>,
}

impl Peer {
    fn silence(&self) {
        self.silent.store(true, Ordering::SeqCst);
    }

    /// Waits until what it has begun to say is taken.
    fn await_turn(&self) {
        drop(self.turn.lock());
    }

    fn send(&self, bytes: &[u8]) -> io::Result<()> {
        self.wire.write_all(bytes)
    }

    fn hang_up(&self) {
        self.wire.hang_up();
    }
}

/// What the threads of one line share.
struct Shared {
    house: Arc<dyn LineHouse>,
    options: LineOptions,
    stopping: AtomicBool,
    serial: AtomicU64,
    command: AtomicU64,
    /// Every connection, and which device it turned out to be.
    open: Mutex<BTreeMap<u64, Arc<Peer>>>,
    /// Those that have not said what they are.
    arriving: Mutex<BTreeMap<u64, Arc<Peer>>>,
    devices: Mutex<BTreeMap<Device, Arc<Peer>>>,
    /// Held while a device comes or goes and the house is told, so that the
    /// house hears both in the order they happened. The house may call back.
    coming: Mutex<()>,
}

impl Shared {
    /// Takes a connection in. One that stays silent must not keep a device out:
    /// beyond the bound the oldest of the address that holds most gives way.
    fn arrive(&self, stream: TcpStream, tls: Option<&LineTls>) -> Option<Arc<Peer>> {
        // Without these the connection could not be bounded, so it is not served.
        let prepared = stream
            .set_write_timeout(Some(self.options.write_within))
            .and_then(|()| stream.set_nodelay(true))
            .and_then(|()| stream.peer_addr());
        let address = prepared.ok()?.ip().to_canonical();
        let peer = Arc::new(Peer {
            serial: self.serial.fetch_add(1, Ordering::Relaxed),
            address,
            wire: Wire::accept(stream, tls.map(|tls| tls())).ok()?,
            silent: AtomicBool::new(false),
            turn: Mutex::default(),
        });
        self.open.lock().insert(peer.serial, Arc::clone(&peer));
        let mut arriving = self.arriving.lock();
        arriving.insert(peer.serial, Arc::clone(&peer));
        let waiting = arriving
            .values()
            .map(|peer| (peer.serial, peer.address))
            .collect::<Vec<_>>();
        let oldest = connection_to_drop(&waiting);
        if let Some(oldest) = oldest.and_then(|serial| arriving.remove(&serial)) {
            oldest.silence();
            oldest.hang_up();
        }
        Some(peer)
    }
}

/// Which of those that have not said what they are gives way to the last that came, where that is
/// one too many: the oldest of its own address, or of the address that holds most. Where nobody
/// holds more than one, the oldest of all. They are given in the order they came.
fn connection_to_drop(waiting: &[(u64, IpAddr)]) -> Option<u64> {
    let (_, newest) = *waiting.last()?;
    let mut held: BTreeMap<IpAddr, usize> = BTreeMap::new();
    for (_, address) in waiting {
        *held.entry(*address).or_default() += 1;
    }
    let (most, count) = held.iter().max_by_key(|(_, count)| **count)?;
    let whose = match (held.get(&newest), waiting.len() > MAX_ARRIVING) {
        (Some(here), _) if *here > MAX_ARRIVING_EACH => newest,
        (_, true) if *count > 1 => *most,
        (_, true) => waiting.first()?.1,
        (_, false) => return None,
    };
    let mut theirs = waiting.iter().filter(|(_, address)| *address == whose);
    theirs.next().map(|(serial, _)| *serial)
}

/// The line of one table.
pub struct LineServer {
    shared: Arc<Shared>,
    address: SocketAddr,
    accepts: Option<JoinHandle<()>>,
}

impl LineServer {
    /// Serves devices that connect to a listener.
    ///
    /// # Errors
    /// When the listener cannot say where it is, or no thread can be started.
    pub fn start(
        listener: TcpListener,
        house: Arc<dyn LineHouse>,
        options: LineOptions,
    ) -> io::Result<LineServer> {
        LineServer::start_with(listener, house, options, None)
    }

    /// The same, encrypted where there is something to encrypt with.
    ///
    /// # Errors
    /// When the listener cannot say where it is, or no thread can be started.
    pub fn start_with(
        listener: TcpListener,
        house: Arc<dyn LineHouse>,
        options: LineOptions,
        tls: Option<LineTls>,
    ) -> io::Result<LineServer> {
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            house,
            options,
            stopping: AtomicBool::new(false),
            serial: AtomicU64::new(0),
            command: AtomicU64::new(0),
            open: Mutex::default(),
            arriving: Mutex::default(),
            devices: Mutex::default(),
            coming: Mutex::default(),
        });
        let accepts = std::thread::Builder::new().name("line".to_owned()).spawn({
            let shared = Arc::clone(&shared);
            move || accept(&listener, &shared, tls.as_ref())
        })?;
        Ok(LineServer {
            shared,
            address,
            accepts: Some(accepts),
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The devices that are connected.
    #[must_use]
    pub fn connected(&self) -> Vec<Device> {
        self.shared.devices.lock().keys().copied().collect()
    }

    /// Ends a device's connection, as when its enrolment was revoked. Nothing it
    /// has not begun to say counts any more.
    pub fn disconnect(&self, device: Device) {
        let peer = self.shared.devices.lock().get(&device).cloned();
        if let Some(peer) = peer {
            peer.silence();
            peer.hang_up();
        }
    }

    /// Tells the lights which sections of each layout to light. False when no
    /// lights are connected or they do not take it: the dealer reports then.
    #[must_use]
    pub fn light(&self, round: RoundNumber, sections: &BTreeMap<String, Vec<String>>) -> bool {
        let peer = self.shared.devices.lock().get(&Device::Lights).cloned();
        peer.is_some_and(|peer| {
            let sent = peer.send(&message::light(round.0, sections)).is_ok();
            if !sent {
                peer.hang_up();
            }
            sent
        })
    }

    /// Ends every connection and waits until what was under way is answered.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.shared.stopping.store(true, Ordering::SeqCst);
        let Some(accepts) = self.accepts.take() else {
            return;
        };
        // Wakes the thread that waits for the next connection.
        let mut here = self.address;
        if here.ip().is_unspecified() {
            here.set_ip(match here.ip() {
                IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
            });
        }
        let _ = TcpStream::connect_timeout(&here, Duration::from_secs(1));
        let _ = accepts.join();
    }
}

impl Drop for LineServer {
    fn drop(&mut self) {
        self.end();
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>, tls: Option<&LineTls>) {
    let mut threads: Vec<JoinHandle<()>> = Vec::new();
    for stream in listener.incoming() {
        if shared.stopping.load(Ordering::SeqCst) {
            break;
        }
        threads.retain(|thread| !thread.is_finished());
        let Ok(stream) = stream else {
            // Out of files or such: the next one may fare better, but not at once.
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        while threads.len() >= MAX_THREADS {
            // Those that were told to go are going.
            std::thread::sleep(Duration::from_millis(1));
            threads.retain(|thread| !thread.is_finished());
        }
        let Some(peer) = shared.arrive(stream, tls) else {
            continue;
        };
        let shared = Arc::clone(shared);
        let serve = move || connection::serve(&peer, &shared);
        let spawned = std::thread::Builder::new()
            .name("line".to_owned())
            .spawn(serve);
        threads.extend(spawned);
    }
    for peer in shared.open.lock().values() {
        peer.hang_up();
    }
    for thread in threads {
        // One that panicked has ended, which is what is waited for.
        let _ = thread.join();
    }
}

/// The winning sections of every layout in use at a table, by layout:
/// what the lights must show for these dice.
#[must_use]
pub fn winning_sections(table: &Table, dice: Dice) -> BTreeMap<String, Vec<String>> {
    let mut lit = BTreeMap::new();
    for station in table.stations.iter().filter(|station| !station.removed) {
        if let Some(layout) = table.layout_of(station) {
            lit.entry(layout.id.clone()).or_insert_with(|| {
                let sections = layout.settlement().lit(dice);
                sections.map(|section| section.to_string()).collect()
            });
        }
    }
    lit
}
