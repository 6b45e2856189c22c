//! A house program in a process of its own, on a free loopback port and a
//! folder of its own. The test program starts itself as the house; with
//! `SICBO_BIN` it starts that `sicbo` instead.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use sicbo_journal::KeyFolder;
use sicbo_plan::{HousePlan, files_beside};
use sicbo_register::pin::PinCost;
use sicbo_server::secrets::write_private;
use sicbo_server::serve::{Options, run, signalled};
use tempfile::TempDir;

use super::SOON;

const CONFIG: &str = "SICBO_E2E_CONFIG";
const DATA: &str = "SICBO_E2E_DATA";

/// A table to be planned.
#[derive(Clone)]
pub struct TableSpec {
    pub name: &'static str,
    pub book: &'static str,
    /// Layouts with how many stations each.
    pub stations: Vec<(&'static str, usize)>,
    /// Dealt by the house program without pauses, with a window of so many
    /// seconds; else by a person who closes the bets.
    pub automatic: Option<u32>,
    /// Seconds to bet in where a person deals.
    pub window: u32,
    /// Address of a network printer; else files.
    pub printer: Option<SocketAddr>,
}

impl TableSpec {
    /// A table dealt by a person with a manual tumbler, named after its book.
    pub fn by_hand(book: &'static str, stations: &[(&'static str, usize)]) -> TableSpec {
        TableSpec {
            name: book,
            book,
            stations: stations.to_vec(),
            automatic: None,
            window: 3_600,
            printer: None,
        }
    }

    /// Played at terminals.
    pub fn electronic(&self) -> bool {
        !self.book.ends_with("-table")
    }

    fn write(&self, text: &mut String) {
        let vnd = self.book == "quang-nam-table";
        let (currency, unit) = if vnd { ("VND", 10_000_i64) } else { ("SGD", 1) };
        let window = self.automatic.unwrap_or(self.window);
        let (dealer, tumbler) = match self.automatic {
            Some(_) => ("automatic\"\npace = \"none", "simulated"),
            None => ("person", "manual"),
        };
        let lights = if vnd && self.automatic.is_some() {
            "simulated"
        } else {
            "none"
        };
        let acceptor = if self.electronic() {
            "simulated"
        } else {
            "none"
        };
        let printer = match self.printer {
            Some(address) => format!("{{ tcp = \"{address}\" }}"),
            None => "{ folder = \"vouchers\" }".to_owned(),
        };
        let _ = write!(
            text,
            r#"
[[tables]]
name = "{}"
book = "{}"
currency = "{currency}"
chip_unit = "{unit}"
window_seconds = {window}
dice_set = "D-0001"
tumbler = "{tumbler}"
shortest_tumble_ms = 0
dealer = "{dealer}"
lights = "{lights}"
printer = {printer}
note_acceptor = "{acceptor}"

[tables.limits]
minimum = "{unit}"
maximum = "{}"
station_maximum = "{}"
exposure_maximum = "{}"
"#,
            self.name,
            self.book,
            unit * 1_000,
            unit * 20_000,
            unit * 2_000_000,
        );
        for (layout, count) in &self.stations {
            let _ = write!(
                text,
                "\n[[tables.stations]]\nlayout = \"{layout}\"\ncount = {count}\n"
            );
        }
    }
}

/// The people of every test house.
pub const STAFF: [(&str, &str); 11] = [
    ("Tan Wei Ming", "dealer"),
    ("Priya Raman", "dealer"),
    ("Lim Siew Hoon", "pit-supervisor"),
    ("Arjun Pillai", "pit-supervisor"),
    ("Nurul Aisyah", "pit-manager"),
    ("Goh Boon Keng", "shift-manager"),
    ("Margaret Oliveiro", "director"),
    ("Quoc Bao", "head-of-operations"),
    ("Hafiz Rahman", "surveillance"),
    ("Chua Mei Fong", "cashier"),
    ("Ravi Subramaniam", "technician"),
];

/// The positions above the director that a house names where a test asks for
/// them, lowest first; somebody holds the first.
pub const ABOVE_DIRECTOR: [&str; 2] = ["Vice President, Table Games", "Chief Operating Officer"];
pub const VICE_PRESIDENT: (&str, &str) = ("Adeline Foo", ABOVE_DIRECTOR[0]);

fn plan_text(tables: &[TableSpec]) -> String {
    let mut text = r#"site = "Test house"
listen = "127.0.0.1:0"
stop_within_seconds = 0
[hand_pay_above]
SGD = "50000.00"
"#
    .to_owned();
    for (name, position) in STAFF {
        let _ = write!(
            text,
            "\n[[staff]]\nname = \"{name}\"\nposition = \"{position}\"\n"
        );
    }
    for table in tables {
        table.write(&mut text);
    }
    text
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("listed") {
        let entry = entry.expect("listed");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("copied");
        }
    }
}

/// A planned house: its file, its data, and nothing running yet.
pub struct Site {
    folder: TempDir,
    pub tables: Vec<TableSpec>,
}

impl Site {
    /// Plans a house of these tables.
    pub fn of(tables: Vec<TableSpec>) -> Site {
        let folder = TempDir::new().expect("a temporary folder");
        let text = plan_text(&tables);
        std::fs::write(folder.path().join("house.toml"), text).expect("the plan is written");
        Site { folder, tables }
    }

    /// Gives every table a line for devices of its own; where they listen.
    pub fn with_lines(&self) -> Vec<SocketAddr> {
        // Ports that were free a moment ago, all at once so that they differ.
        let free: Vec<TcpListener> = self
            .tables
            .iter()
            .map(|_| TcpListener::bind("127.0.0.1:0").expect("a port"))
            .collect();
        let lines: Vec<SocketAddr> = free
            .iter()
            .map(|port| port.local_addr().expect("its address"))
            .collect();
        let plan = self.folder.path().join("house.toml");
        let mut text = std::fs::read_to_string(&plan).expect("the plan");
        for (table, address) in self.tables.iter().zip(&lines) {
            let name = format!("name = \"{}\"\n", table.name);
            let line = format!("{name}device_listen = \"{address}\"\n");
            text = text.replacen(&name, &line, 1);
        }
        std::fs::write(&plan, text).expect("the plan is written");
        lines
    }

    /// Names positions above the director, and who holds the first of them.
    pub fn with_above_director(self) -> Site {
        let (name, position) = VICE_PRESIDENT;
        self.change_plan(|text| {
            let holder = format!("[[staff]]\nname = \"{name}\"\nposition = \"{position}\"\n");
            let text = format!("above_director = {ABOVE_DIRECTOR:?}\n{text}");
            text.replacen("[[staff]]", &format!("{holder}[[staff]]"), 1)
        });
        self
    }

    /// Writes the plan anew, for the next start.
    pub fn change_plan(&self, change: impl Fn(&str) -> String) {
        let plan = self.folder.path().join("house.toml");
        let text = std::fs::read_to_string(&plan).expect("the plan");
        std::fs::write(&plan, change(&text)).expect("the plan is written");
    }

    /// A copy of the data folder that a released program left behind. Its keys
    /// and secrets are made of constants and not kept among the files.
    pub fn released(golden: &Path, tables: Vec<TableSpec>) -> Site {
        let folder = TempDir::new().expect("a temporary folder");
        copy_folder(golden, folder.path());
        // Tests count quickly, which the plan of that time could not allow.
        let plan = folder.path().join("house.toml");
        let text = std::fs::read_to_string(&plan).expect("the plan");
        let quick = "shortest_tumble_ms = 0\nwindow_seconds";
        let text = format!("stop_within_seconds = 0\n{text}").replace("window_seconds", quick);
        std::fs::write(&plan, text).expect("the plan");
        let keys = folder.path().join("data/keys");
        let made = folder.path().join("made");
        KeyFolder::open_or_create(&made, || [7; 32]).expect("the house's key");
        std::fs::copy(made.join("1/key.pem"), keys.join("1/key.pem")).expect("copied");
        for (name, byte) in [("pins", 11), ("vouchers", 12), ("tumblers", 13)] {
            let file = keys.join(format!("{name}.secret"));
            write_private(&file, &[byte; 32]).expect("a secret");
        }
        Site { folder, tables }
    }

    /// The data folder.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// PINs and tokens of the first start.
    pub fn hand_over(&self) -> PathBuf {
        self.folder.path().join("hand-over.txt")
    }

    /// A table's spec.
    pub fn table(&self, name: &str) -> &TableSpec {
        let found = self.tables.iter().find(|table| table.name == name);
        found.expect("a table of the plan")
    }

    /// The token of a station.
    pub fn token(&self, table: &str, station: u32) -> String {
        let text = std::fs::read_to_string(self.data().join("trial-terminals.txt"));
        let text = text.expect("the trial's terminals");
        let start = format!("{table} {station} ");
        let token = text.lines().find_map(|line| line.strip_prefix(&start));
        token.expect("a station of the plan").to_owned()
    }

    /// The layout of a station.
    pub fn layout(&self, table: &str, station: u32) -> &'static str {
        let mut before = 0;
        for (layout, count) in &self.table(table).stations {
            before += *count;
            if (station as usize) < before {
                return layout;
            }
        }
        panic!("{table} has no station {station}")
    }

    /// Starts the house and kills it after so long, whatever it has come to.
    /// Returns whether it listened by then.
    pub fn start_and_kill_after(&self, lives: Duration) -> bool {
        let mut child = self.spawn();
        let out = child.stdout.take().expect("piped");
        std::thread::sleep(lives);
        child.kill().expect("SIGKILL");
        child.wait().expect("reaped");
        let mut lines = BufReader::new(out).lines().map_while(Result::ok);
        lines.any(|line| line.contains("listening on http://"))
    }

    /// Starts the house and does not wait for it; whoever kills it also reaps it.
    pub fn spawn(&self) -> Child {
        let config = self.folder.path().join("house.toml");
        Program::spawn(&config, &self.data(), &self.hand_over())
    }

    /// Starts the house and waits until it listens.
    pub fn start(&self) -> Program {
        Program::start(
            &self.folder.path().join("house.toml"),
            &self.data(),
            &self.hand_over(),
        )
    }
}

/// A running house program; killed when it goes out of scope.
pub struct Program {
    child: Child,
    pub address: SocketAddr,
    /// What it said before it listened.
    pub said: Vec<String>,
}

impl Program {
    fn spawn(config: &Path, data: &Path, hand_over: &Path) -> Child {
        let mut command = match std::env::var_os("SICBO_BIN") {
            Some(sicbo) => {
                let mut command = Command::new(sicbo);
                command.arg("serve").arg("--data").arg(data);
                command.arg("--config").arg(config);
                command.arg("--hand-over").arg(hand_over);
                command
            }
            None => {
                let own = std::env::current_exe().expect("own path");
                let mut command = Command::new(own);
                command.args(["--exact", "house_program", "--ignored", "--nocapture"]);
                command.env(CONFIG, config).env(DATA, data);
                command
            }
        };
        let started = command.stdout(Stdio::piped()).spawn();
        started.expect("the house program starts")
    }

    fn start(config: &Path, data: &Path, hand_over: &Path) -> Program {
        let mut child = Program::spawn(config, data, hand_over);
        let out = child.stdout.take().expect("piped");
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                // Read to the end whoever listens, so that it never waits for us.
                let _ = sender.send(line);
            }
        });
        let mut said = Vec::new();
        loop {
            let Ok(line) = lines.recv_timeout(SOON) else {
                let _ = child.kill();
                let _ = child.wait();
                panic!("the house does not listen; it said {said:?}");
            };
            if let Some(at) = line.split("listening on http://").nth(1) {
                let address = at.trim().parse().expect("an address");
                return Program {
                    child,
                    address,
                    said,
                };
            }
            said.push(line);
        }
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// SIGKILL, at once.
    pub fn kill(mut self) {
        self.child.kill().expect("SIGKILL");
        let status = self.child.wait().expect("reaped");
        let signal = std::os::unix::process::ExitStatusExt::signal(&status);
        assert_eq!(signal, Some(9), "it ended by itself: {status}");
    }

    /// SIGTERM: it finishes what it accepted and ends well.
    pub fn stop(mut self) {
        let told = Command::new("kill")
            .args(["-TERM", &self.child.id().to_string()])
            .status();
        assert!(told.expect("kill").success());
        let status = self.child.wait().expect("reaped");
        assert!(status.success(), "it did not end well: {status}");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The house program itself, where the test program was started as one.
pub fn run_if_asked() {
    let (Some(config), Some(data)) = (std::env::var_os(CONFIG), std::env::var_os(DATA)) else {
        return;
    };
    let config = PathBuf::from(config);
    let folder = config.parent().expect("a folder").to_owned();
    let text = std::fs::read_to_string(&config).expect("the plan");
    let plan = HousePlan::parse(&text, &files_beside(&folder));
    let mut plan = plan.unwrap_or_else(|error| panic!("the plan: {error:?}"));
    plan.pin_cost = PinCost::LOW;
    let data = PathBuf::from(data);
    let options = Options {
        new_house: plan.real_money && !data.exists(),
        plan,
        data,
    };
    let served = run(options, signalled(), |up| {
        if let Some(hand_over) = &up.hand_over {
            let file = folder.join("hand-over.txt");
            write_private(&file, hand_over.to_text().as_bytes()).expect("hand over");
        }
        for table in &up.interrupted {
            println!("{table}: a round was interrupted and waits for a decision");
        }
        println!("listening on {}", up.address);
        true
    });
    served.expect("the house runs");
    // Nothing of the test harness is to be said after it.
    std::process::exit(0);
}
