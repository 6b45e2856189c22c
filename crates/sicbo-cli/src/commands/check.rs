//! `sicbo check FILE`: every fault of a house's plan, or what the house would be.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use sicbo_dealer::Pace;
use sicbo_plan::{
    CameraPlan, DealerPlan, Fault, HousePlan, LightsPlan, PlanError, PrinterPlan, TablePlan, Tls,
    TumblerPlan, files_beside,
};
use sicbo_register::positions::place_of;
use sicbo_rules::rulebook::words::{Closing, Cover, Position, TumbleStep, Word};
use sicbo_table::station::StationKind;

use crate::books;
use crate::failure::{Failure, one_line};
use crate::output::{FaultEntry, Grid, Output};
use crate::words::Plain;

#[derive(Args)]
#[command(after_help = "\
Exits 1 when the plan has faults, 2 when the file cannot be read as TOML. `sicbo init` writes an \
example to start from.")]
pub(crate) struct Check {
    /// The plan of the house (TOML); `-` reads standard input
    file: PathBuf,
}

#[derive(Serialize)]
struct Report {
    file: String,
    /// Null when the plan has faults.
    house: Option<House>,
    faults: Vec<FaultEntry>,
}

#[derive(Serialize)]
struct House {
    site: String,
    real_money: bool,
    listen: String,
    tls: &'static str,
    witness: Option<String>,
    voucher_days: u16,
    retention_days: u16,
    /// The house's own positions above the director, lowest first.
    above_director: Vec<String>,
    staff: Vec<Person>,
    tables: Vec<Table>,
}

#[derive(Serialize)]
struct Person {
    name: String,
    position: &'static str,
}

#[derive(Serialize)]
struct Table {
    name: String,
    book: String,
    currency: String,
    play: String,
    limits: String,
    window_ms: u32,
    stations: Vec<String>,
    tumbler: &'static str,
    dice_reader: bool,
    dealer: String,
    lights: &'static str,
    printer: String,
    note_acceptor: bool,
    device_listen: Option<String>,
    /// The playlist of its camera, or `test`.
    camera: Option<String>,
}

impl Check {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let shown = one_line(&self.file.display().to_string());
        let source = books::read_text(&self.file)?;
        let folder = self.file.parent().unwrap_or(Path::new(""));
        match HousePlan::parse(&source, &files_beside(folder)) {
            Ok(plan) => good(&shown, &house(&plan), out),
            Err(PlanError::Faults(faults)) => {
                bad(&shown, &faults, out)?;
                Err(Failure::Faulty)
            }
            Err(error @ PlanError::Unreadable { .. }) => {
                Err(Failure::World(format!("{shown}: {error}")))
            }
        }
    }
}

fn bad(file: &str, faults: &[Fault], out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        return out.json(&Report {
            file: file.to_owned(),
            house: None,
            faults: faults.iter().map(FaultEntry::from).collect(),
        });
    }
    out.faults(file, faults)
}

fn house(plan: &HousePlan) -> House {
    House {
        site: plan.site.clone(),
        real_money: plan.real_money,
        listen: plan.listen.clone(),
        tls: match plan.tls {
            Tls::None => "none",
            Tls::Proxy => "proxy",
            Tls::Trial => "trial",
            Tls::Files { .. } => "files",
        },
        witness: plan.witness.as_ref().map(|witness| {
            let (name, address) = (witness.key.name(), &witness.address);
            format!("{name} at {address}")
        }),
        voucher_days: plan.voucher_days,
        retention_days: plan.retention_days,
        above_director: plan.above_director.clone(),
        staff: plan
            .staff
            .iter()
            .map(|(name, position)| Person {
                name: name.clone(),
                position: position.key(),
            })
            .collect(),
        tables: plan.tables.iter().map(table).collect(),
    }
}

fn table(plan: &TablePlan) -> Table {
    let config = &plan.config;
    let of = |amount| config.currency.format(amount);
    let least = config
        .limits
        .by_kind
        .iter()
        .map(|limit| limit.minimum)
        .min();
    let most = config
        .limits
        .by_kind
        .iter()
        .map(|limit| limit.maximum)
        .max();
    Table {
        name: plan.name.to_string(),
        book: config.book.id().to_owned(),
        currency: config.currency.code().to_owned(),
        play: order_of_play(plan),
        limits: format!(
            "{} to {} a bet, {} a station",
            of(least.unwrap_or_default()),
            of(most.unwrap_or_default()),
            of(config.limits.station_maximum)
        ),
        window_ms: config.window_ms,
        stations: stations(plan),
        tumbler: match plan.tumbler {
            TumblerPlan::Simulated => "simulated",
            TumblerPlan::Manual => "manual",
            TumblerPlan::Line { .. } => "line",
        },
        dice_reader: plan.dice_reader,
        dealer: match plan.dealer {
            DealerPlan::Person => "person".to_owned(),
            DealerPlan::Automatic { pace: Pace::BRISK } => "automatic, brisk".to_owned(),
            DealerPlan::Automatic { .. } => "automatic".to_owned(),
        },
        lights: match plan.lights {
            LightsPlan::None => "none",
            LightsPlan::Simulated => "simulated",
            LightsPlan::Line { .. } => "line",
        },
        printer: match &plan.printer {
            PrinterPlan::Folder(path) => format!("folder {}", path.display()),
            PrinterPlan::File(path) => format!("file {}", path.display()),
            PrinterPlan::Tcp(address) => format!("tcp {address}"),
            PrinterPlan::Tls { address, name, .. } => format!("tls {address} as {name}"),
        },
        note_acceptor: plan.note_acceptor,
        device_listen: plan.device_listen.map(|address| address.to_string()),
        camera: plan.camera.as_ref().map(|camera| match camera {
            CameraPlan::Test => "test".to_owned(),
            CameraPlan::Stream { address, .. } => address.clone(),
        }),
    }
}

/// `tumble, call bets, no more bets, uncover, read the dice, pay`.
fn order_of_play(plan: &TablePlan) -> String {
    let play = &plan.config.book.play;
    let tumble = plan.config.tumble;
    let has = |step: &Option<sicbo_rules::Cited<bool>>| step.as_ref().is_some_and(|cited| cited.is);
    let close = match play.closes.is {
        Closing::TerminalDisplay => "every terminal shows no more bets",
        Closing::Announcement => "announce no more bets",
    };
    let steps = [
        (tumble == TumbleStep::BeforeOpen, "tumble"),
        (true, "call for bets"),
        (tumble == TumbleStep::DuringBetting, "tumble"),
        (true, close),
        (has(&play.deal_button), "press deal"),
        (tumble == TumbleStep::AfterClose, "tumble"),
        (play.cover.is == Cover::Covered, "uncover"),
        (true, "read the dice"),
        (has(&play.lit_layout), "light the layout"),
        (true, "take and pay"),
    ];
    let named = steps.into_iter().filter(|(is, _)| *is);
    named.map(|(_, step)| step).collect::<Vec<_>>().join(", ")
}

/// `4 terminals on rapid`.
fn stations(plan: &TablePlan) -> Vec<String> {
    let mut lines = Vec::new();
    for layout in &plan.config.book.layouts {
        for (kind, one, many) in [
            (StationKind::Terminal, "terminal", "terminals"),
            (StationKind::Seat, "seat", "seats"),
        ] {
            let here = |station: &&sicbo_table::command::NewStation| {
                station.layout == layout.id && station.kind == kind
            };
            let count = plan.stations.iter().filter(here).count();
            let word = if count == 1 { one } else { many };
            if count > 0 {
                lines.push(format!("{count} {word} on {}", layout.id));
            }
        }
    }
    lines
}

fn good(file: &str, house: &House, out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        return out.json(&serde_json::json!({
            "file": file, "house": house, "faults": [],
        }));
    }
    out.line(format!("{file}: no faults"))?;
    out.line("")?;
    let money = if house.real_money {
        "real money"
    } else {
        "play money"
    };
    out.heading(&format!("{}, {money}", one_line(&house.site)))?;
    out.line(format!(
        "listens on {}, TLS {}; vouchers are good for {} days; records are kept for {} days at least",
        house.listen, house.tls, house.voucher_days, house.retention_days
    ))?;
    if let Some(witness) = &house.witness {
        out.line(format!("witnessed by {}", one_line(witness)))?;
    }
    for table in &house.tables {
        out.line("")?;
        out.heading(&format!(
            "Table {}: {}, {}",
            table.name, table.book, table.currency
        ))?;
        out.line(format!("  play      {}", table.play))?;
        out.line(format!(
            "  bets      {}; {} seconds",
            table.limits,
            table.window_ms / 1_000
        ))?;
        out.line(format!("  stations  {}", table.stations.join(", ")))?;
        let reader = if table.dice_reader {
            ", dice reader"
        } else {
            ""
        };
        let acceptor = if table.note_acceptor {
            ", notes simulated"
        } else {
            ""
        };
        out.line(format!(
            "  devices   tumbler {}{reader}, lights {}, printer {}{acceptor}",
            table.tumbler,
            table.lights,
            one_line(&table.printer)
        ))?;
        if let Some(listen) = &table.device_listen {
            out.line(format!("  line      {listen}"))?;
        }
        if let Some(camera) = &table.camera {
            out.line(format!("  camera    {}", one_line(camera)))?;
        }
        out.line(format!("  dealer    {}", table.dealer))?;
    }
    out.line("")?;
    let mut grid = Grid::new(&["staff", "position"]);
    for person in &house.staff {
        let position = Position::from_key(person.position);
        let own = position.and_then(place_of);
        let own = own.and_then(|at| house.above_director.get(at));
        let plain = position.map_or("", Plain::plain);
        grid.row([person.name.as_str(), own.map_or(plain, String::as_str)]);
    }
    out.table(&grid)
}
