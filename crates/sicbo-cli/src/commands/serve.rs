//! `sicbo serve`: runs a house; with no configuration, a trial of all five
//! rule books for play money.

use std::path::{Path, PathBuf};

use clap::Args;
use sicbo_plan::{HousePlan, PlanError, Tls, files_beside};
use sicbo_proof::Trust;
use sicbo_server::floor::tree::MarkPlace;
use sicbo_server::secrets::write_private;
use sicbo_server::serve::{Options, ServeError, Up, run, signalled};

use super::key::KeyArgs;
use super::log::LogArgs;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Args)]
#[command(after_help = "\
Without --config a trial house is run: one table for each rule book, simulated tumblers, an \
automatic dealer and play money, on loopback. One-time PINs and terminal tokens are shown at every \
start until somebody has logged in. With --practice a house of practice is run instead: a trainee deals at the \
console, players and mishaps are simulated, and nothing of it can ever become part of a house; \
open /practice. Ctrl-C or SIGTERM lets the rounds of a planned house end, for as long as the plan \
allows, and stops it after what was accepted is durable; told twice it stops at once.")]
pub(crate) struct Serve {
    /// The house's data folder; made when it is not there. The default is
    /// sicbo-data, or sicbo-practice with --practice
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Run a house of practice, with data and a key of its own
    #[arg(long, conflicts_with = "config")]
    practice: bool,
    /// Address and port to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// The plan of a real house (TOML); see `sicbo init` and `sicbo check`
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Write one-time PINs and tokens of a first start to this file (readable
    /// by its owner only) instead of printing the PINs
    #[arg(long, value_name = "FILE")]
    hand_over: Option<PathBuf>,
    /// Make a new house in the data folder. With real money none is made
    /// without this: a folder that is missing or empty is more likely not mounted
    #[arg(long)]
    new_house: bool,
    /// Keep the newest head of the house's tree in this file, outside the data
    /// folder; a start on an older copy of the folder is then noticed. The default
    /// is a file named after the house in $SICBO_MARKS, in $XDG_STATE_HOME/sicbo or
    /// in ~/.local/state/sicbo
    #[arg(long, value_name = "FILE")]
    mark: Option<PathBuf>,
    /// The house's fingerprint, or at least its first 16 digits, as `sicbo verify`
    /// takes it: a folder whose keys are those of another house is refused. It is
    /// for a folder that has been started before
    #[arg(long, value_name = "HEX", conflicts_with = "new_house")]
    fingerprint: Option<String>,
    #[command(flatten)]
    log: LogArgs,
    #[command(flatten)]
    keys: KeyArgs,
}

impl Serve {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), Failure> {
        let mut plan = match &self.config {
            Some(file) => read_plan(file)?,
            None if self.practice => sicbo_practice::house_plan(),
            None => HousePlan::trial(),
        };
        if let Some(listen) = &self.listen {
            plan.listen.clone_from(listen);
        }
        if plan.real_money && !is_loopback(&plan.listen) && !matches!(plan.tls, Tls::Files { .. }) {
            return Err(Failure::input(format!(
                "real money, and {} is open to the network: give [tls] use = \"files\" with cert \
                 and key, or listen on 127.0.0.1",
                plan.listen
            )));
        }
        if self.config.is_none() && !is_loopback(&plan.listen) {
            return Err(Failure::input(
                "the trial house listens on loopback only; a real house needs --config",
            ));
        }
        if let Some(file) = &self.hand_over {
            // The PINs are made once: where they go is tried before.
            std::fs::OpenOptions::new()
                .append(true)
                .create(true)
                .open(file)
                .map_err(|error| Failure::file("write", file, &error))?;
        }
        let house = match &self.fingerprint {
            Some(text) => Trust::fingerprint(text).map_err(Failure::input)?,
            None => Trust::Anyone,
        };
        self.log.start(plan.log_level.as_deref());
        let real_money = plan.real_money;
        let mut said = Ok(());
        let options = Options {
            plan,
            data: self.data.clone().unwrap_or_else(|| {
                PathBuf::from(match self.practice {
                    true => "sicbo-practice",
                    false => "sicbo-data",
                })
            }),
            new_house: self.new_house,
            mark: mark_place(self.mark.clone()),
            keys: self.keys.keys(),
            house,
        };
        let served = run(options, signalled(), |up| {
            said = say(
                out,
                &up,
                (real_money, self.practice),
                self.hand_over.as_deref(),
            );
            said.is_ok()
        });
        said?;
        served.map_err(|error| match error {
            ServeError::Start(error) => Failure::World(error.to_string()),
            ServeError::Edge(error) => Failure::World(error.to_string()),
            ServeError::Runtime(error) => Failure::World(error.to_string()),
        })
    }
}

/// Where the mark is kept: outside the data folder, where a copy of the folder
/// put back does not touch it.
fn mark_place(file: Option<PathBuf>) -> MarkPlace {
    let folder = |name: &str| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    };
    let state = || folder("XDG_STATE_HOME").map(|state| state.join("sicbo"));
    let home = || folder("HOME").map(|home| home.join(".local/state/sicbo"));
    match file {
        Some(file) => MarkPlace::File(file),
        None => folder("SICBO_MARKS")
            .or_else(state)
            .or_else(home)
            .map_or(MarkPlace::Nowhere, MarkPlace::Folder),
    }
}

/// A plan, or its faults in one line; `sicbo check` explains them.
pub(super) fn read_plan(file: &Path) -> Result<HousePlan, Failure> {
    let text =
        std::fs::read_to_string(file).map_err(|error| Failure::file("read", file, &error))?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let plan = HousePlan::parse(&text, &files_beside(folder));
    let whole = |plan: HousePlan| {
        let mut plan = plan.beside(folder);
        plan.source.file = Some(file.to_owned());
        plan
    };
    plan.map(whole).map_err(|error| match error {
        error @ PlanError::Unreadable { .. } => {
            Failure::World(format!("{}: {error}", file.display()))
        }
        PlanError::Faults(faults) => {
            let first = faults.first().map_or_else(String::new, |fault| {
                format!(": {}: {}", fault.place, fault.problem)
            });
            let count = match faults.len() {
                1 => "a fault".to_owned(),
                many => format!("{many} faults"),
            };
            Failure::input(format!(
                "{} has {count}{first}; `sicbo check` lists them all",
                file.display(),
            ))
        }
    })
}

fn is_loopback(listen: &str) -> bool {
    let address: Result<std::net::SocketAddr, _> = listen.parse();
    match address {
        Ok(address) => address.ip().is_loopback(),
        Err(_) => listen.starts_with("localhost:"),
    }
}

fn say(
    out: &mut Output,
    up: &Up,
    (real_money, practice): (bool, bool),
    file: Option<&Path>,
) -> Result<(), Failure> {
    if let Some(hand_over) = &up.hand_over {
        match file {
            Some(file) => {
                write_private(file, hand_over.to_text().as_bytes())
                    .map_err(|error| Failure::file("write", file, &error))?;
                out.line(format!("PINs and tokens are in {}", file.display()))?;
            }
            None => {
                out.line("One-time PINs, shown until somebody has logged in:".to_owned())?;
                for (name, pin) in &hand_over.pins {
                    let position = hand_over.positions.get(name);
                    let position = position.map_or_else(String::new, |held| format!(", {held}"));
                    out.line(format!("  {}  {name}{position}", pin.digits()))?;
                }
                if real_money {
                    out.line("Tokens of what is enrolled, shown as long:".to_owned())?;
                    for (name, token) in &hand_over.tokens {
                        out.line(format!("  {token}  {name}"))?;
                    }
                }
            }
        }
    }
    if practice {
        out.line(format!(
            "PRACTICE, no money and no record of a house: open {}/practice",
            up.address
        ))?;
    }
    for table in &up.interrupted {
        out.line(format!(
            "{table}: a round was interrupted and waits for a decision"
        ))?;
    }
    let out_of_service = up.out_of_service.iter().filter(|_| up.behind.is_none());
    for (table, why) in out_of_service {
        out.line(format!("{table}: out of service: {why}"))?;
    }
    if let Some(behind) = &up.behind {
        out.line(format!("NOT PLAYING: {behind}"))?;
    }
    if let Some(why) = &up.tree_built_anew {
        out.line(why)?;
    }
    if let Some(why) = &up.no_cosignature {
        out.line(format!("the witness has not cosigned: {why}"))?;
    }
    if let Some(metrics) = &up.metrics {
        out.line(format!("figures on {metrics}"))?;
    }
    out.line(format!("listening on {}", up.address))?;
    // Whoever started us waits for that line.
    out.flush()
}

#[cfg(test)]
mod tests {
    use sicbo_register::pin::Pin;
    use sicbo_register::set_up::HandOver;
    use sicbo_rules::rulebook::words::Position;

    #[test]
    fn s_18_a_one_time_pin_is_handed_over_with_the_position_of_its_person() {
        let mut hand_over = HandOver::default();
        let name = "Tan Wei Ming".to_owned();
        let pin = Pin::new("739182").expect("a PIN");
        hand_over.pins.push((name.clone(), pin));
        hand_over.positions.insert(name, Position::Dealer);
        let token = ("mbs-etg T1".to_owned(), "1-abc".to_owned());
        hand_over.tokens.push(token);
        // What was in the first three columns stays there.
        let written = "pin\t739182\tTan Wei Ming\tdealer\ntoken\t1-abc\tmbs-etg T1\n";
        assert_eq!(hand_over.to_text(), written);
    }
}
