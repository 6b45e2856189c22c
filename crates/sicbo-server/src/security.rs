//! The security log while a house runs: writes what was seen into the house's
//! own journal, and feeds what is durable to those who watch many systems.

mod line;
mod syslog;

use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use sha2::{Digest as _, Sha256};
use sicbo_clock::{now_ms, steady_ms};
use sicbo_house::desk::Desk;
use sicbo_house::watch::Seen;
use sicbo_loop::Answer;
use sicbo_plan::SecurityPlan;
use sicbo_plan::security::LogTo;
use sicbo_proof::describe::hex;
use sicbo_register::security::{SecurityKind, SecurityNote};
use sicbo_register::{Act, Event, Party};
use sicbo_report::security::{SecurityLine, lines};
use tokio::time::{MissedTickBehavior, interval};

use crate::floor::Floor;
pub use line::rfc_5424;
use syslog::Line;

/// What was seen is written this often.
const WRITE_INTERVAL: Duration = Duration::from_millis(500);
/// The files on the disk are looked at this often.
const SELF_CHECK_MS: i64 = 10 * 60_000;
/// What could not be sent is tried again this often.
const FEED_INTERVAL: Duration = Duration::from_secs(1);
/// Events that can wait for the feed; the journal has them all.
const MAX_WAITING: usize = 4_096;

/// Writes what was seen until the house stops.
pub async fn keep(floor: Arc<Floor>) {
    let mut tick = interval(WRITE_INTERVAL);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut stopping = floor.stopping();
    let mut looked_ms = steady_ms();
    loop {
        tokio::select! {
            _ = tick.tick() => {
                if steady_ms().saturating_sub(looked_ms) >= SELF_CHECK_MS {
                    looked_ms = steady_ms();
                    let house = Arc::clone(&floor);
                    // Too much is being read: it is looked at the next time.
                    let _ = floor.reading().run(move || look(&house)).await;
                }
                write(&floor).await;
            }
            () = stopping.asked() => return,
        }
    }
}

/// Looks whether the files on the disk are those that were started, and raises
/// an alarm where they are not. Waits.
pub fn look(floor: &Floor) -> Vec<String> {
    let changed = floor.self_check.changed();
    metrics::gauge!("sicbo_self_check_failed").set(changed.len() as f64);
    if !changed.is_empty() {
        let what = changed.join(", ");
        tracing::error!(what, "files are not those that the house was started from");
        let seen = Seen::of(SecurityKind::SelfCheckFailed, what);
        floor.watch.see(seen, now_ms());
    }
    changed
}

/// Writes what was seen up to now.
pub async fn write(floor: &Floor) {
    let notes = floor.watch.take(steady_ms());
    if notes.is_empty() {
        return;
    }
    for note in &notes {
        metrics::counter!("sicbo_security_events_total", "kind" => note.kind.word())
            .increment(note.count.into());
        log(note);
    }
    let act = Act::NoteSecurity {
        notes: notes.clone(),
    };
    let entered = floor.desk.ask(Party::House, None, act).await;
    if !matches!(entered.answer, Answer::Done { .. }) {
        floor.watch.give_back(notes);
    }
}

/// Notes in the program's own log: what failed or was refused, folded as in the journal, so that
/// nobody fills a disk with it. Who logged in is in the journal only.
fn log(note: &SecurityNote) {
    let (kind, what, count) = (note.kind.word(), &*note.what, note.count);
    let (person, place) = (note.person.map(|who| who.0), note.place.map(|at| at.0));
    let address = note.address.as_deref();
    match note.kind {
        SecurityKind::LogInFailed => {
            tracing::warn!(kind, count, address, person, place, what, "log-ins failed");
        }
        SecurityKind::Refused
        | SecurityKind::NotKnown
        | SecurityKind::TooMany
        | SecurityKind::CardNotProved
        | SecurityKind::AppUnknown => {
            tracing::warn!(kind, count, address, person, place, what, "refused");
        }
        _ => tracing::debug!(kind, count, address, person, place, what, "security"),
    }
}

/// The house has started: on which program, plan and books, by their digests.
pub fn started(floor: &Floor) {
    let digest = |bytes: &[u8]| hex(&<[u8; 32]>::from(Sha256::digest(bytes)));
    let mut what = format!("program {}", hex(&floor.program));
    if !floor.plan.source.text.is_empty() {
        what += &format!(", plan {}", digest(floor.plan.source.text.as_bytes()));
    }
    let mut all = Sha256::new();
    for table in &floor.plan.tables {
        all.update(table.config.book.source());
    }
    what += &format!(", books {}", hex(&<[u8; 32]>::from(all.finalize())));
    let seen = Seen::of(SecurityKind::Started, what);
    floor.watch.see(seen, now_ms());
}

/// Where events go in that are to be fed.
pub struct Fed(Option<(Sender<Event>, Arc<AtomicU64>)>);

/// Where they come out, with how many found no room.
pub struct Feed(Option<(Receiver<Event>, Arc<AtomicU64>)>);

/// The two ends, open where the plan feeds anybody.
#[must_use]
pub fn queue(plan: &SecurityPlan) -> (Fed, Feed) {
    if plan.log.is_none() && plan.syslog.is_none() {
        return (Fed(None), Feed(None));
    }
    let (sender, receiver) = bounded(MAX_WAITING);
    let lost = Arc::new(AtomicU64::new(0));
    (
        Fed(Some((sender, Arc::clone(&lost)))),
        Feed(Some((receiver, lost))),
    )
}

impl Fed {
    /// An event is durable.
    pub fn hear(&self, event: &Event) {
        if let Some((sender, lost)) = &self.0
            && sicbo_report::security::is_of_security(&event.fact)
            && sender.try_send(event.clone()).is_err()
        {
            lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Starts the feed, on a thread of its own: nobody waits for it.
///
/// # Errors
/// When the thread, or the certificate of the receiver, cannot be had.
pub fn feed(plan: &SecurityPlan, desk: Weak<Desk>, feed: Feed) -> std::io::Result<()> {
    let Feed(Some((receiver, lost))) = feed else {
        return Ok(());
    };
    let log = plan.log.clone();
    let mut syslog = plan.syslog.as_ref().map(Line::new).transpose()?;
    std::thread::Builder::new()
        .name("security feed".to_owned())
        .spawn(move || {
            loop {
                let heard = receiver.recv_timeout(FEED_INTERVAL);
                if heard == Err(RecvTimeoutError::Disconnected) {
                    return;
                }
                let Some(desk) = desk.upgrade() else { return };
                let mut all = match &heard {
                    Ok(event) => lines(&desk.register(), None, event),
                    Err(_) => Vec::new(),
                };
                let missed = lost.swap(0, Ordering::Relaxed);
                if missed > 0 {
                    all.push(missed_line(missed));
                }
                for line in &all {
                    if let Some(log) = &log
                        && let Err(error) = append(log, line)
                    {
                        tracing::warn!(%error, "the security log could not be fed to its file");
                    }
                    if let Some(syslog) = &mut syslog {
                        syslog.take(rfc_5424(line));
                    }
                }
                if let Some(syslog) = &mut syslog {
                    syslog.send();
                }
            }
        })?;
    Ok(())
}

/// Says in the feed itself that it is not whole: the journal is.
fn missed_line(missed: u64) -> SecurityLine {
    SecurityLine {
        sequence: None,
        at_ms: now_ms(),
        event: "feed-incomplete".to_owned(),
        severity: "warning".to_owned(),
        by: "house".to_owned(),
        person: None,
        address: None,
        count: u32::try_from(missed).unwrap_or(u32::MAX),
        first_ms: now_ms(),
        fields: Vec::new(),
    }
}

/// Opened for each line, so that a file that was moved away is followed by a
/// new one.
fn append(log: &LogTo, line: &SecurityLine) -> std::io::Result<()> {
    let text = format!("{}\n", crate::wire::frame(line));
    match log {
        LogTo::Stdout => std::io::stdout().lock().write_all(text.as_bytes()),
        LogTo::File(path) => open(path)?.write_all(text.as_bytes()),
    }
}

fn open(path: &Path) -> std::io::Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}
