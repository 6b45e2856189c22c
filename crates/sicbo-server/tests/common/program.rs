//! The house program in a process of its own. Everything of one house is in one folder: its plan,
//! its data, its log, what it handed over, and how far off its clocks are. The test program starts
//! itself as the house; with `SICBO_BIN` it starts that `sicbo` instead.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sicbo_clock::{Clocks, run_by};
use sicbo_plan::{HousePlan, files_beside};
use sicbo_register::pin::PinCost;
use sicbo_server::floor::tree::MarkPlace;
use sicbo_server::log::{self, LogFormat};
use sicbo_server::secrets::write_private;
use sicbo_server::serve::{Options, run, signalled};

use super::comes;

const FOLDER: &str = "SICBO_TEST_HOUSE";
/// With this file beside its plan the house hashes PINs as one that is served does.
pub const FULL_PIN_COST: &str = "full-pin-cost";
/// In this file, the behaviour that is switched off in the house, as for `SICBO_MUTANT`.
pub const SWITCHED_OFF: &str = "switched-off.txt";
/// By how many milliseconds all clocks of the house are ahead.
const AHEAD: &str = "ahead-by-ms";
/// By how many milliseconds the clock that can be set is wrong.
const WRONG: &str = "clock-is-wrong-by-ms";
/// With this file beside its plan every reading of the house's clock is a millisecond after the one
/// before: whatever depends on two readings being the same shows at once.
pub const HURRIED: &str = "clock-is-hurried";
/// In this file, the format and the level of the house's log: `json trace`.
pub const LOG_AS: &str = "log-as.txt";

/// A running house program; killed when it goes out of scope.
pub struct Program {
    child: Child,
    log: PathBuf,
    pub address: SocketAddr,
    /// What it said before it listened.
    pub said: Vec<String>,
}

/// A start reads every journal and makes its log durable: a disk that many write to takes its time.
const START_TIMEOUT: Duration = Duration::from_secs(120);

impl Program {
    /// What starts the house of a folder.
    pub fn command(folder: &Path) -> Command {
        match std::env::var_os("SICBO_BIN") {
            Some(sicbo) => {
                let mut command = Command::new(sicbo);
                command.arg("serve").arg("--data").arg(folder.join("data"));
                command.arg("--config").arg(folder.join("house.toml"));
                let hand_over = folder.join("hand-over.txt");
                command.arg("--hand-over").arg(hand_over);
                command.env("SICBO_MARKS", folder.join("marks"));
                if let Ok(said) = std::fs::read_to_string(folder.join(LOG_AS))
                    && let Some((format, level)) = said.split_once(' ')
                {
                    command.args(["--log-format", format, "--log-level", level]);
                }
                command
            }
            None => {
                let own = std::env::current_exe().expect("own path");
                let mut command = Command::new(own);
                command.args(["--exact", "house_program", "--ignored", "--nocapture"]);
                command.env(FOLDER, folder);
                if let Ok(off) = std::fs::read_to_string(folder.join(SWITCHED_OFF)) {
                    command.env("SICBO_MUTANT", off);
                }
                command
            }
        }
    }

    /// The socket of a service manager, where a test listens on one in the folder.
    pub const MANAGER: &str = "manager.sock";

    /// Starts the house of a folder and does not wait for it; whoever kills it also reaps it.
    pub fn spawn(folder: &Path) -> Child {
        let mut command = Program::command(folder);
        let manager = folder.join(Program::MANAGER);
        if manager.exists() {
            command.env("NOTIFY_SOCKET", manager);
        }
        let log = File::options()
            .create(true)
            .append(true)
            .open(folder.join("log.txt"));
        let started = command
            .stdout(Stdio::piped())
            .stderr(log.expect("a log"))
            .spawn();
        started.expect("the house program starts")
    }

    /// Starts the house of a folder and waits until it listens.
    pub fn start(folder: &Path) -> Program {
        let mut child = Program::spawn(folder);
        let out = child.stdout.take().expect("piped");
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                // Read to the end whoever listens, so that it never waits for us.
                let _ = sender.send(line);
            }
        });
        let mut program = Program {
            child,
            log: folder.join("log.txt"),
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            said: Vec::new(),
        };
        loop {
            let line = match lines.recv_timeout(START_TIMEOUT) {
                Ok(line) => line,
                Err(why) => {
                    let ended = program.child.try_wait();
                    panic!(
                        "the house does not listen ({why}, process {ended:?}); it said {:?}; its log: {}",
                        program.said,
                        program.log()
                    );
                }
            };
            if let Some((_, at)) = line.split_once("listening on ") {
                let at = at.split_once("://").expect("a scheme").1;
                program.address = at.trim().parse().expect("an address");
                return program;
            }
            program.said.push(line);
        }
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Everything it wrote to its log.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).expect("its log")
    }

    /// Sends it a signal.
    pub fn signal(&self, name: &str) {
        let told = Command::new("kill")
            .args([name, &self.id().to_string()])
            .status();
        assert!(told.expect("kill").success());
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
        self.signal("-TERM");
        let status = self.ended();
        assert!(status.success(), "it did not end well: {status}");
    }

    /// How it ended, once it has.
    pub fn ended(&mut self) -> ExitStatus {
        comes("it does not stop", || self.child.try_wait().expect("ours"))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("the house's log:\n{}", self.log());
        }
    }
}

/// Puts all clocks of a house ahead.
pub fn put_ahead(folder: &Path, by_ms: i64) {
    write_clock(&folder.join(AHEAD), by_ms);
}

/// Sets the clock of a house's machine wrong; the steady clock goes on.
pub fn set_wrong(folder: &Path, by_ms: i64) {
    write_clock(&folder.join(WRONG), by_ms);
}

fn write_clock(file: &Path, ms: i64) {
    // Another file in its place, so that none is read half written.
    let next = file.with_extension(ms.to_string());
    std::fs::write(&next, ms.to_string()).expect("a clock");
    std::fs::rename(&next, file).expect("the clock is set");
}

/// By how much the clocks of a house are ahead.
pub fn ahead_ms(folder: &Path) -> i64 {
    read_clock(&folder.join(AHEAD))
}

fn read_clock(file: &Path) -> i64 {
    let said = std::fs::read_to_string(file).ok();
    said.and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// The machine's clocks, as far off as files say.
struct FileClocks {
    folder: PathBuf,
    began: Instant,
    furthest_ms: AtomicI64,
    hurried: bool,
    readings: AtomicI64,
}

impl FileClocks {
    fn ahead_ms(&self) -> i64 {
        let said = ahead_ms(&self.folder);
        // A clock does not run back, not even when its file goes.
        let before = self.furthest_ms.fetch_max(said, Ordering::Relaxed);
        before.max(said)
    }
}

impl Clocks for FileClocks {
    fn machine_ms(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let right = since.expect("after 1970").as_millis() as i64;
        right + self.ahead_ms() + read_clock(&self.folder.join(WRONG))
    }

    fn steady_ms(&self) -> i64 {
        let readings = match self.hurried {
            true => self.readings.fetch_add(1, Ordering::Relaxed),
            false => 0,
        };
        self.began.elapsed().as_millis() as i64 + self.ahead_ms() + readings
    }
}

/// The house program itself, where this test program was started as one.
pub fn run_if_asked() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    let said = std::fs::read_to_string(folder.join(LOG_AS)).unwrap_or_default();
    let (format, level) = said.split_once(' ').unwrap_or(("text", "info"));
    let format = match format {
        "json" => LogFormat::Json,
        _ => LogFormat::Text,
    };
    let clocks = FileClocks {
        folder: folder.clone(),
        began: Instant::now(),
        furthest_ms: AtomicI64::new(0),
        hurried: folder.join(HURRIED).exists(),
        readings: AtomicI64::new(0),
    };
    assert!(run_by(Box::new(clocks)), "nobody has asked for the time");
    let text = std::fs::read_to_string(folder.join("house.toml")).expect("the plan");
    let plan = HousePlan::parse(&text, &files_beside(&folder));
    let plan = plan.unwrap_or_else(|error| panic!("the plan: {error:?}"));
    let mut plan = plan.beside(&folder);
    let level = plan.log_level.as_deref().unwrap_or(level);
    log::start(format, level.parse().unwrap_or_default());
    plan.source.file = Some(folder.join("house.toml"));
    if !folder.join(FULL_PIN_COST).exists() {
        plan.pin_cost = PinCost::LOW;
    }
    let data = folder.join("data");
    let options = Options {
        new_house: plan.real_money && !data.exists(),
        plan,
        data,
        mark: MarkPlace::Folder(folder.join("marks")),
        keys: Default::default(),
        house: sicbo_proof::Trust::Anyone,
    };
    let served = run(options, signalled(), |up| {
        if let Some(hand_over) = &up.hand_over {
            let file = folder.join("hand-over.txt");
            write_private(&file, hand_over.to_text().as_bytes()).expect("hand over");
        }
        for table in &up.interrupted {
            println!("{table}: a round was interrupted and waits for a decision");
        }
        if let Some(behind) = &up.behind {
            println!("NOT PLAYING: {behind}");
        }
        if let Some(metrics) = &up.metrics {
            println!("figures on {metrics}");
        }
        println!("listening on {}", up.address);
        true
    });
    // Nothing of the test harness is to be said after it.
    let Err(error) = served else {
        std::process::exit(0);
    };
    eprintln!("{error}");
    std::process::exit(2);
}
