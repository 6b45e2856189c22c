//! A planned house in a folder of its own, on a free loopback port.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::Duration;

use sicbo_journal::{DataFolder, KeyFolder};
use sicbo_server::secrets::write_private;
use sicbo_testkit::golden::copy_folder;
use tempfile::TempDir;

use super::people::{self, Staff};
use super::program;
pub use super::program::Program;

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

    /// Adds it to the text of a plan.
    pub fn write(&self, text: &mut String) {
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

    /// The same, and the tumbler of every table counts on it.
    pub fn with_tumblers(&self) -> Vec<SocketAddr> {
        let lines = self.with_lines();
        self.change_plan(|text| text.replace("tumbler = \"manual\"", "tumbler = \"line\""));
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
        adopt_all(&folder.path().join("data"));
        // Everyone chose a PIN in that earlier life.
        for (_, position) in STAFF {
            people::pin_was_changed(folder.path(), position);
        }
        Site { folder, tables }
    }

    /// The folder of everything.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Its people, while a program runs it.
    pub fn staff(&self, program: &Program) -> Staff {
        Staff::of_house(self.path(), program.address)
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
        Program::spawn(self.folder.path())
    }

    /// Starts the house and waits until it listens.
    pub fn start(&self) -> Program {
        Program::start(self.folder.path())
    }

    /// Time passes at once: every clock of the house is ahead by so much more.
    pub fn skip(&self, by: Duration) {
        let folder = self.folder.path();
        let by = i64::try_from(by.as_millis()).expect("not for ever");
        program::put_ahead(folder, program::ahead_ms(folder) + by);
    }

    /// Sets the clock of its machine wrong.
    pub fn set_clock_wrong(&self, by_ms: i64) {
        program::set_wrong(self.folder.path(), by_ms);
    }
}

/// Signs where each stream ends: a program that signed no blocks was killed there.
fn adopt_all(data: &Path) {
    let folder = DataFolder::open(data).expect("a data folder");
    let keys = KeyFolder::open(&folder.keys_path()).expect("keys");
    for stream in DataFolder::streams(data).expect("streams") {
        let mut store = folder.open_stream(&stream).expect("a journal");
        let (key, ring) = (keys.current(), keys.ring());
        sicbo_journal::adopt(&mut store, &stream, key, ring, 0).expect("signed");
    }
}
