//! Devices of a table on its line: what they say becomes commands.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_executor::block_on;
use sicbo_clock::now_ms;
use sicbo_devices::line::{
    LineHouse, LineOptions, LineServer, LineTls, Notice, Refused, enrolled_device,
};
use sicbo_house::desk::Desk;
use sicbo_house::devices::{Covers, Line};
use sicbo_house::hub::{Hub, ToHub};
use sicbo_plan::Tls;
use sicbo_register::enrolment::TableName;
use sicbo_table::actor::{Actor, Device};
use sicbo_table::{Act, Command};
use tokio_rustls::rustls::pki_types::CertificateDer;

use crate::certificates::{Certificates, PlaceCertificate};
use crate::problem::told;
use crate::wire::console::HouseToStaff;
use crate::wire::frame;

/// What the line needs of the house.
struct House {
    table: TableName,
    desk: Arc<Desk>,
    hub: Arc<Hub>,
    losses: Arc<AtomicU64>,
    covers: Arc<Covers>,
    tls: Tls,
}

impl LineHouse for House {
    fn admit(&self, token: &str, certificate: Option<&[CertificateDer<'_>]>) -> Option<Device> {
        let register = self.desk.register();
        let (place, device) = enrolled_device(&register, &self.table, token)?;
        let shown = PlaceCertificate::shown(certificate);
        shown.opens(&self.tls, place).then_some(device)
    }

    fn submit(&self, command: Command) -> Result<(), Refused> {
        let cover = match (command.by, &command.act) {
            (Actor::Device(device), Act::ReportCover { open }) => Some((device, *open)),
            _ => None,
        };
        let saying = cover.map(|(device, open)| (device, open, self.covers.begin(device)));
        let answer = block_on(self.hub.ask(command));
        // Taken or not, it is known now: a busy or stopped table hears it from
        // its driver later.
        if let Some((device, open, turn)) = saying {
            self.covers.end(device, turn, open);
        }
        match told(&answer) {
            None => Ok(()),
            Some((code, words, rule)) => Err(Refused {
                rule,
                ..Refused::new(code, words)
            }),
        }
    }

    fn noticed(&self, device: Device, notice: Notice) {
        // The table hears of a device by its acts; people hear of what may
        // need them, not of every sign of life.
        if matches!(notice, Notice::Heartbeat | Notice::Tumbles(_)) {
            return;
        }
        // Whoever drives the table sees to the technical stop, until it is on
        // record; the word to staff wakes the table.
        if device == Device::Tumbler && notice == Notice::Gone {
            self.losses.fetch_add(1, Ordering::SeqCst);
        }
        if matches!(notice, Notice::Connected | Notice::Gone) {
            self.covers.forget(device);
        }
        if let Notice::Connected | Notice::Gone = notice {
            let (table, device) = (&self.table, device_word(device));
            match notice {
                Notice::Gone => tracing::warn!(%table, device, "a device has gone"),
                _ => tracing::info!(%table, device, "a device has connected"),
            }
        }
        let told = frame(&HouseToStaff::Incident {
            table: self.table.to_string(),
            kind: "device".to_owned(),
            note: in_words(device, notice),
            station: None,
            round: None,
            at_ms: now_ms(),
        });
        self.hub.try_tell(ToHub::TellStaff(told));
    }
}

/// Which device, and what became of it, in stable words: `dice-reader connected`.
fn in_words(device: Device, notice: Notice) -> String {
    let what = match notice {
        Notice::Connected => "connected",
        Notice::Gone => "gone",
        Notice::Cover { open: true } => "cover-open",
        Notice::Cover { open: false } => "cover-closed",
        Notice::Tumbles(_) => "tumbles",
        Notice::Heartbeat => "well",
    };
    format!("{} {what}", device_word(device))
}

/// A device's stable word.
pub(crate) fn device_word(device: Device) -> &'static str {
    match device {
        Device::Tumbler => "tumbler",
        Device::DiceReader => "dice-reader",
        Device::Lights => "lights",
        Device::NoteAcceptor => "note-acceptor",
    }
}

/// Opens the line of a table.
///
/// # Errors
/// When its address cannot be used.
pub fn open(
    address: SocketAddr,
    table: TableName,
    desk: Arc<Desk>,
    hub: Arc<Hub>,
    line: &Line,
    tls: &Tls,
) -> std::io::Result<()> {
    let listener = std::net::TcpListener::bind(address)?;
    let house = House {
        table,
        desk,
        hub,
        losses: Arc::clone(&line.losses),
        covers: Arc::clone(&line.covers),
        tls: tls.clone(),
    };
    let certificates = Certificates::open(tls).map_err(std::io::Error::other)?;
    let encrypted = certificates.map(|certificates| {
        let next: LineTls = Arc::new(move || certificates.now());
        next
    });
    let house = Arc::new(house);
    let server = LineServer::start_with(listener, house, LineOptions::default(), encrypted)?;
    // Set once, by whoever starts the table.
    let _ = line.server.set(Box::new(server));
    Ok(())
}
