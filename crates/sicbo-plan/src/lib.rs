//! The set-up of a house: its site, people, tables and devices, as read from a
//! TOML file or as the trial house has it.
//!
//! A `HousePlan` that [`HousePlan::parse`] gave has no fault: its tables can be
//! opened, and a house for real money is bound to real equipment and people.
//! Reading reports every fault at once, each with where it stands.
#![deny(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::float_arithmetic
)]

mod camera;
mod duties;
mod fault;
mod house;
mod metrics;
mod rules;
pub mod security;
mod tables;
#[cfg(test)]
mod tests;
mod trial;
mod zone;

use std::collections::BTreeMap;
use std::io::Read;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use sicbo_rules::rulebook::words::Position;
use sicbo_rules::{Currency, Money};
use sicbo_table::Config;
use sicbo_table::command::NewStation;

use sicbo_dealer::Pace;
use sicbo_register::command::Terms;
use sicbo_register::enrolment::TableName;
use sicbo_register::pin::PinCost;

pub use camera::CameraPlan;
pub use duties::{DutiesPlan, PostsPlan};
pub use fault::PlanError;
pub use metrics::MetricsPlan;
pub use security::SecurityPlan;
pub use sicbo_register::zone::Zone;
pub use sicbo_rules::document::Fault;
use sicbo_witness::note::VerifierKey;
use sicbo_witness::url::WitnessUrl;
pub use trial::table as trial_table;

/// Tables of practice carry this in front of their name, and so does every
/// block of their journals; no other house may have such a table (P-068).
pub const PRACTICE_PREFIX: &str = "practice-";

/// How the edge is encrypted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tls {
    /// Not at all: `none`.
    None,
    /// By something in front of the house, which browsers speak with: `proxy`.
    Proxy,
    /// A certificate made for a trial.
    Trial,
    /// The house's own.
    Files {
        /// PEM file of the certificate chain.
        cert: PathBuf,
        /// PEM file of its private key.
        key: PathBuf,
        /// PEM file of the authority that certifies enrolled places, where tokens alone
        /// open nothing.
        client_ca: Option<PathBuf>,
    },
}

impl Tls {
    /// With its files where they were read from.
    fn beside(&mut self, folder: &Path) {
        if let Tls::Files {
            cert,
            key,
            client_ca,
        } = self
        {
            for path in [Some(cert), Some(key), client_ca.as_mut()] {
                path.into_iter().for_each(|path| *path = folder.join(&path));
            }
        }
    }
}

/// A witness outside the house, which cosigns the head of its tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WitnessPlan {
    /// Where it is asked.
    pub url: WitnessUrl,
    /// The address as it was written.
    pub address: String,
    /// The key of its cosignatures.
    pub key: VerifierKey,
    /// PEM text of the certificates that its own is held to; without it, those
    /// that the machine trusts.
    pub ca: Option<String>,
    /// What a start does when it gives no answer.
    pub unreachable: Unreachable,
    /// Without a cosignature for so many seconds, the pit is alarmed.
    pub alarm_after_s: u32,
}

/// What a start does when its witness gives no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unreachable {
    /// The house plays, and says so: `play`.
    Play,
    /// The house waits until the witness answers: `wait`.
    Wait,
}

/// The most that one terminal may have written in one round, so that none
/// fills the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TerminalQuota {
    /// Bets, changes of bets, notes, vouchers and calls.
    pub acts: u32,
    /// What they take in the journal, about.
    pub bytes: u32,
}

impl Default for TerminalQuota {
    /// Far more than a person can do in a round.
    fn default() -> TerminalQuota {
        TerminalQuota {
            acts: 2_000,
            bytes: 256 * 1_024,
        }
    }
}

/// What a plan was read from.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PlanSource {
    /// Its text; empty in a trial.
    pub text: String,
    /// Its file, where whoever read it has said so.
    pub file: Option<PathBuf>,
    /// Rule books that it names by their files, with their texts.
    pub books: Vec<(PathBuf, String)>,
}

/// What a log-in takes and how long it lasts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogInPlan {
    /// No session lasts longer, however busy it is.
    pub longest_session_minutes: u16,
    /// Money is moved only so long after the person last gave their PIN; 0 never asks.
    pub pin_again_minutes: u16,
    /// Positions that log in with a code beside the PIN.
    pub second_factor: Vec<Position>,
    /// A PIN is changed after so many days; 0 never.
    pub pin_days: u16,
    /// An account that nobody used for so many days is closed; 0 never.
    pub account_days: u16,
}

impl Default for LogInPlan {
    fn default() -> LogInPlan {
        LogInPlan {
            longest_session_minutes: 720,
            pin_again_minutes: 0,
            second_factor: Vec::new(),
            pin_days: 0,
            account_days: 0,
        }
    }
}

/// How much of the house one address may take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CrowdPlan {
    /// Connections of one address at a time, those of enrolled terminals and staff not counted.
    pub connections: u32,
    /// Requests of one address a second, on average, theirs not counted either.
    pub requests: u32,
}

impl Default for CrowdPlan {
    fn default() -> CrowdPlan {
        CrowdPlan {
            connections: 256,
            requests: 200,
        }
    }
}

/// The set-up of a house.
#[derive(Clone, PartialEq, Debug)]
pub struct HousePlan {
    /// What it was read from.
    pub source: PlanSource,
    /// The site, as printed on vouchers.
    pub site: String,
    /// Players play for money.
    pub real_money: bool,
    /// A house of practice: no money, data and keys of its own (P-068).
    pub practice: bool,
    /// Address and port of the edge.
    pub listen: String,
    /// Names under which browsers reach it, beside `localhost` and addresses in figures.
    pub names: Vec<String>,
    /// What one address may take.
    pub crowd: CrowdPlan,
    /// What a log-in takes.
    pub log_in: LogInPlan,
    /// Its encryption.
    pub tls: Tls,
    /// Who witnesses that no older copy of its data is played on.
    pub witness: Option<WitnessPlan>,
    /// Its own networks, and where its security log is fed to.
    pub security: SecurityPlan,
    /// Where figures are given to what watches the house, beside its own address.
    pub metrics: Option<MetricsPlan>,
    /// From which level on the log is written, where the plan says so.
    pub log_level: Option<String>,
    /// Local time.
    pub zone: Zone,
    /// A player is shown how they stand after so many minutes of play, or
    /// twice as often if they wish so.
    pub reality_check_minutes: u16,
    /// Staff are logged out when they did nothing for so long.
    pub idle_log_out_minutes: u16,
    /// Told to stop, the house waits so long for its rounds to end; with 0 it
    /// stops at once.
    pub stop_within_seconds: u16,
    /// The most a terminal may have written in one round.
    pub terminal_quota: TerminalQuota,
    /// Vouchers are good for this many days.
    pub voucher_days: u16,
    /// Records are to be kept for at least this many days (P-077, S-22). Nothing
    /// is ever deleted because of it: it says from which age on records may be
    /// archived elsewhere.
    pub retention_days: u16,
    /// Above these amounts no voucher is printed; an attendant pays by hand.
    pub hand_pay_above: Vec<(Currency, Money)>,
    /// The house's own positions above the director, lowest first.
    pub above_director: Vec<String>,
    /// What people are held to; always there with real money.
    pub duties: Option<DutiesPlan>,
    /// Where people work, by name.
    pub posts: BTreeMap<String, PostsPlan>,
    /// Named people with their positions.
    pub staff: Vec<(String, Position)>,
    /// The work of hashing a PIN. No file sets it.
    pub pin_cost: PinCost,
    /// The tables.
    pub tables: Vec<TablePlan>,
}

/// Records are never to be kept for less: as long as video must be (P-077).
pub const LEAST_RETENTION_DAYS: u16 = 180;
/// Seven years, unless a house says otherwise.
pub const USUAL_RETENTION_DAYS: u16 = 2_557;

/// The set-up of one table.
#[derive(Clone, PartialEq, Debug)]
pub struct TablePlan {
    /// Its name, also that of its journal.
    pub name: TableName,
    /// Everything the table itself needs. The server fills in `program`, the
    /// digest of the running program, before it opens the table.
    pub config: Config,
    /// Where players play.
    pub stations: Vec<NewStation>,
    /// What tumbles the dice.
    pub tumbler: TumblerPlan,
    /// The least time a tumble takes that a person counts, in milliseconds: a
    /// count that comes sooner is refused.
    pub shortest_tumble_ms: u32,
    /// A device that reads the dice is bound to the table's line.
    pub dice_reader: bool,
    /// Who deals.
    pub dealer: DealerPlan,
    /// What lights the winning areas.
    pub lights: LightsPlan,
    /// Where vouchers are printed.
    pub printer: PrinterPlan,
    /// Terminals take notes from a simulated acceptor.
    pub note_acceptor: bool,
    /// Where devices of the table connect, when any does.
    pub device_listen: Option<SocketAddr>,
    /// That line is encrypted with the house's certificate.
    pub device_tls: bool,
    /// The camera that guests watch the table by.
    pub camera: Option<CameraPlan>,
    /// The title page that the book's document has lost.
    pub approval: Option<Approval>,
}

/// What the operator's own copy of a document says on its title page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Approval {
    /// Version as printed.
    pub version: String,
    /// From when it is in force: a day, or an instant with its offset.
    pub effective: String,
}

/// What tumbles the dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TumblerPlan {
    /// Drawn by the house program, with a published commitment.
    Simulated,
    /// Worked by hand; the dealer attests the tumbles.
    Manual,
    /// A device on the table's line.
    Line {
        /// Where it connects.
        listen: SocketAddr,
    },
}

/// Who deals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DealerPlan {
    /// The house program, for play money only.
    Automatic {
        /// How fast.
        pace: Pace,
    },
    /// A person at the console.
    Person,
}

/// What lights the winning areas of the layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LightsPlan {
    /// Nothing is bound; where the book asks for lights the dealer reports them.
    None,
    /// The house program says that they are lit.
    Simulated,
    /// A device on the table's line.
    Line {
        /// Where it connects.
        listen: SocketAddr,
    },
}

/// Where vouchers are printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PrinterPlan {
    /// Each as files in a folder: a simulation. Relative to the plan's file, or
    /// in the trial house to its data.
    Folder(PathBuf),
    /// To a device file.
    File(PathBuf),
    /// To a printer on the network.
    Tcp(SocketAddr),
    /// To a printer on the network, encrypted.
    Tls {
        /// Where it is.
        address: SocketAddr,
        /// The name on its certificate.
        name: String,
        /// PEM file of the authority that signed it.
        ca: PathBuf,
    },
}

impl HousePlan {
    /// Reads a plan from the text of its file. `read` gives the text of a file
    /// the plan names (a rule book, a certificate), or why it cannot be read.
    ///
    /// # Errors
    /// When the text is not TOML, or the plan has faults: all of them at once.
    pub fn parse(
        source: &str,
        read: &dyn Fn(&Path) -> Result<String, String>,
    ) -> Result<HousePlan, PlanError> {
        house::parse(source, read)
    }

    /// The plan with its files where they were read from: a relative path is relative to the folder of the plan's own file.
    #[must_use]
    pub fn beside(mut self, folder: &Path) -> HousePlan {
        self.tls.beside(folder);
        if let Some(metrics) = &mut self.metrics {
            metrics.beside(folder);
        }
        for table in &mut self.tables {
            if let PrinterPlan::Tls { ca, .. } = &mut table.printer {
                *ca = folder.join(&ca);
            }
        }
        for (path, _) in &mut self.source.books {
            *path = folder.join(&path);
        }
        self.security.beside(folder);
        self
    }

    /// The house of a first start: one table for each rule book, play money,
    /// simulated devices, an automatic dealer, on loopback.
    #[must_use]
    pub fn trial() -> HousePlan {
        trial::plan()
    }

    /// Where guests' phones reach the house, for what is printed: under the first of its names, else
    /// under the address that it listens on, where that is one. None where there is neither.
    #[must_use]
    pub fn address_for_guests(&self) -> Option<String> {
        let scheme = match self.tls {
            Tls::None => "http",
            Tls::Proxy | Tls::Trial | Tls::Files { .. } => "https",
        };
        let listen: SocketAddr = self.listen.parse().ok()?;
        let usual = matches!((scheme, listen.port()), ("http", 80) | ("https", 443));
        match self.names.first() {
            // Guests speak with what stands in front, at its usual port.
            Some(name) if usual || self.tls == Tls::Proxy => Some(format!("{scheme}://{name}")),
            Some(name) if listen.port() != 0 => {
                Some(format!("{scheme}://{name}:{}", listen.port()))
            }
            None if !listen.ip().is_unspecified() && listen.port() != 0 => {
                Some(format!("{scheme}://{listen}"))
            }
            _ => None,
        }
    }

    /// What the register is set up with.
    #[must_use]
    pub fn terms(&self) -> Terms {
        Terms {
            site: self.site.clone(),
            voucher_days: self.voucher_days,
            hand_pay_above: self.hand_pay_above.clone(),
        }
    }
}

/// Reads files that a plan names, relative to the folder its own file is in.
/// What is not a text of at most 8 MiB is not read.
pub fn files_beside(folder: &Path) -> impl Fn(&Path) -> Result<String, String> {
    const LARGEST: u64 = 8 << 20;
    move |path| {
        let path = folder.join(path);
        let text = || {
            let mut text = String::new();
            let file = std::fs::File::open(&path)?;
            let length = file.take(LARGEST + 1).read_to_string(&mut text)?;
            Ok::<_, std::io::Error>((text, length))
        };
        match text() {
            Ok((text, length)) if length as u64 <= LARGEST => Ok(text),
            Ok(_) => Err(format!("{} is larger than 8 MiB", path.display())),
            Err(error) => Err(format!("cannot read {}: {error}", path.display())),
        }
    }
}

/// A commented example of a plan's file, as `sicbo init` writes it.
#[must_use]
pub fn example() -> String {
    include_str!("example.toml").to_owned()
}
