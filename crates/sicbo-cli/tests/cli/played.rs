//! A house that the real program plays by itself, for tests that look at what it leaves behind.

use std::io::{BufRead as _, BufReader, Lines};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};

use crate::cli::binary::command;

/// The table that deals by itself.
pub(crate) const TABLE: &str = "mbs-etg";

const PLAN: &str = r#"site = "Test house"
listen = "127.0.0.1:0"
stop_within_seconds = 0
[hand_pay_above]
SGD = "50000.00"
[[staff]]
name = "Tan Wei Ming"
position = "dealer"
[[staff]]
name = "Lim Siew Hoon"
position = "pit-supervisor"
[[staff]]
name = "Goh Boon Keng"
position = "shift-manager"
[[staff]]
name = "Margaret Oliveiro"
position = "director"
[[tables]]
name = "mbs-etg"
book = "mbs-etg"
currency = "SGD"
chip_unit = "1"
window_seconds = 1
dice_set = "D-0001"
tumbler = "simulated"
shortest_tumble_ms = 0
dealer = "automatic"
pace = "none"
lights = "none"
printer = { folder = "vouchers" }
note_acceptor = "simulated"
[tables.limits]
minimum = "1"
maximum = "1000"
station_maximum = "20000"
exposure_maximum = "2000000"
[[tables.stations]]
layout = "rapid"
count = 2
"#;

/// Longer than any start or round on a machine that much else runs on.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Writes the plan of the house, with more lines at its end.
pub(crate) fn plan(folder: &Path, more: &str) -> PathBuf {
    let file = folder.join("house.toml");
    std::fs::write(&file, format!("{PLAN}{more}")).unwrap();
    file
}

/// Waits for something to come.
pub(crate) fn comes<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let by = Instant::now() + TIMEOUT;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < by, "{what} does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The house of a folder while it is played; killed when it goes out of scope.
pub(crate) struct Played {
    child: Child,
    said: Lines<BufReader<ChildStdout>>,
    data: PathBuf,
}

impl Played {
    /// Starts the house whose plan is in a folder, with its data there too.
    pub(crate) fn start(folder: &Path) -> Played {
        Played::start_with(folder, |_| {})
    }

    /// The same, with more arguments or another environment.
    pub(crate) fn start_with(folder: &Path, more: impl FnOnce(&mut Command)) -> Played {
        let data = folder.join("data");
        let mut serve = command();
        serve.arg("serve").arg("--data").arg(&data);
        serve.arg("--config").arg(folder.join("house.toml"));
        serve.arg("--hand-over").arg(folder.join("hand-over.txt"));
        serve.env("SICBO_MARKS", folder.join("marks"));
        more(&mut serve);
        let mut child = serve
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
        let listens = said.any(|line| line.unwrap().contains("listening on "));
        assert!(listens, "the house does not start");
        Played { child, said, data }
    }

    /// Waits until so many rounds have ended since its first start.
    pub(crate) fn rounds(&self, count: u64) {
        let journal = self.data.join(format!("journal/{TABLE}.sqlite"));
        comes("a round's end", || {
            let read = OpenFlags::SQLITE_OPEN_READ_ONLY;
            let file = Connection::open_with_flags(&journal, read).ok()?;
            let ended = "SELECT count(*) FROM rounds WHERE ended_ms IS NOT NULL";
            let ended: i64 = file.query_row(ended, [], |row| row.get(0)).ok()?;
            (ended as u64 >= count).then_some(())
        });
    }

    /// Stops it in good order.
    pub(crate) fn stop(mut self) {
        let id = self.child.id().to_string();
        let told = Command::new("kill").args(["-TERM", &id]).status();
        assert!(told.unwrap().success());
        for line in self.said.by_ref() {
            line.unwrap();
        }
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Played {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
