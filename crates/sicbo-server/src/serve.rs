//! Runs a house: starts it, opens the edge, and stops it in order.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sicbo_clock::steady_ms;
use sicbo_keys::Keys;
use sicbo_plan::HousePlan;
use sicbo_proof::Trust;
use sicbo_proof::describe::hex;
use sicbo_register::credential::{account_expired, pin_expired};
use sicbo_register::person::Person;
use sicbo_register::set_up::HandOver;
use sicbo_register::{Act, Fact, Party};
use sicbo_table::ids::PersonId;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, oneshot};

use crate::edge::{Edge, EdgeError};
use crate::floor::tree::MarkPlace;
use crate::floor::{self, Floor, Start, StartError, Started};
use crate::metrics_door::MetricsDoor;
use crate::reload::{by_signal, reload};
use crate::runtimes::Runtimes;
use crate::{build, figures, http, security, service};

/// What was confirmed is carried out within this time of the last request.
const CARRIED_TIMEOUT: Duration = Duration::from_secs(10);

/// How often sessions in which nothing is done are looked for.
const SESSIONS_INTERVAL: Duration = Duration::from_secs(1);

/// What to run.
pub struct Options {
    /// The house.
    pub plan: HousePlan,
    /// Its data folder.
    pub data: PathBuf,
    /// Make a new house: with real money none is made unasked.
    pub new_house: bool,
    /// Where the newest head is kept outside the data folder.
    pub mark: MarkPlace,
    /// What opens the house's key.
    pub keys: Keys,
    /// Which house it must be.
    pub house: Trust,
}

/// What is said when the house is up.
pub struct Up {
    /// `http://127.0.0.1:8420`.
    pub address: String,
    /// Secrets of a first start.
    pub hand_over: Option<HandOver>,
    /// Tables that were found in mid-round.
    pub interrupted: Vec<String>,
    /// Tables that are out of service, with why.
    pub out_of_service: Vec<(String, String)>,
    /// Why the house does not play, when its data is older than what is known.
    pub behind: Option<String>,
    /// Why the witness has not cosigned, when it was asked.
    pub no_cosignature: Option<String>,
    /// The house's tree was missing, in words.
    pub tree_built_anew: Option<String>,
    /// Where figures are given, when that is an address of its own.
    pub metrics: Option<String>,
}

/// Why a house could not run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// It could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The edge could not be opened.
    #[error(transparent)]
    Edge(#[from] EdgeError),
    /// The system gives no threads.
    #[error("the program could not be started: {0}")]
    Runtime(std::io::Error),
}

/// Runs a house until it is told to stop (by a signal, or by `stop`). `up` is
/// called once, when connections are accepted; the house is stopped again
/// where it says no.
///
/// # Errors
/// When it cannot be started.
pub fn run(
    options: Options,
    stop: impl Future<Output = ()> + Send + 'static,
    up: impl FnOnce(Up) -> bool,
) -> Result<(), ServeError> {
    figures::install();
    if options.plan.real_money {
        no_core_dumps();
    }
    let runtimes = Runtimes::start().map_err(ServeError::Runtime)?;
    let (runtime, threads) = (runtimes.known(), runtimes.threads());
    let listen = options.plan.listen.clone();
    let tls = options.plan.tls.clone();
    // Listened for from the first moment: a signal that comes while the house
    // starts is not lost, nor does it cut the start off half-way.
    let (told, to_stop) = oneshot::channel();
    let stopped = Arc::new(AtomicBool::new(false));
    let hangups = {
        let _inside = runtime.enter();
        hangups()
    };
    let starting = Arc::clone(&stopped);
    runtime.spawn(async move {
        stop.await;
        starting.store(true, Ordering::Relaxed);
        let _ = told.send(());
    });
    // The address first: a house that cannot be reached need not be opened.
    let edge = threads.strangers.block_on(Edge::open(&listen, &tls))?;
    let door = match &options.plan.metrics {
        Some(plan) => Some(threads.strangers.block_on(MetricsDoor::open(plan))?),
        None => None,
    };
    let how = Start {
        new_house: options.new_house,
        mark: options.mark,
        keys: options.keys,
        house: options.house,
        stopped,
    };
    let Started {
        floor,
        engine,
        hand_over,
    } = match floor::start_with(options.plan, &options.data, &how) {
        Err(StartError::Stopped) => return Ok(()),
        started => {
            started.inspect_err(|error| tracing::error!(%error, "the house did not start"))?
        }
    };
    let address = edge.address().map_err(|error| EdgeError::Listen {
        address: listen,
        error,
    })?;
    let interrupted: Vec<String> = floor
        .tables()
        .filter(|at| at.hub.state().table.holding().is_some())
        .map(|at| at.hub.name.to_string())
        .collect();
    let out_of_service = floor.tables().filter_map(|at| {
        let why = at.hub.stopped()?;
        Some((at.hub.name.to_string(), why))
    });
    let out_of_service: Vec<(String, String)> = out_of_service.collect();
    let within = Duration::from_secs(floor.plan.stop_within_seconds.into());
    figures::begin(&floor);
    let address = format!("{}://{address}", edge.scheme());
    let metrics = door.as_ref().and_then(MetricsDoor::url);
    log_start(&floor, &address, metrics.as_deref());
    let status = format!("{} tables at {address}", floor.tables().count());
    let go_on = up(Up {
        address,
        hand_over,
        interrupted,
        out_of_service,
        behind: floor.behind().map(|behind| behind.to_string()),
        no_cosignature: floor.tree().and_then(|tree| tree.stands().problem),
        tree_built_anew: floor
            .tree()
            .and_then(|tree| Some(tree.stands().built_anew?.1)),
        metrics,
    });
    if go_on {
        service::ready(&status);
    } else {
        engine.stop();
        return Ok(());
    }
    runtime.block_on(async {
        let service = http::service(Arc::clone(&floor), threads.clone());
        // Listens before anybody can log in: the first log-in ends the keeping of the first PINs.
        let news = floor.news();
        tokio::spawn(keep_sessions(Arc::clone(&floor), news));
        tokio::spawn(crate::clock::watch(Arc::clone(&floor)));
        security::started(&floor);
        tokio::spawn(read_again_when_told(Arc::clone(&floor), hangups));
        tokio::spawn(count_shifts(Arc::clone(&floor)));
        tokio::spawn(security::keep(Arc::clone(&floor)));
        if let Some(door) = door {
            threads.strangers.spawn(door.serve(Arc::clone(&floor)));
        }
        let asked = Arc::clone(&floor);
        tokio::spawn(async move {
            let _ = to_stop.await;
            tracing::info!(within_s = within.as_secs(), "the house was told to stop");
            service::stopping();
            if !within.is_zero() {
                // Told twice, it stops at once.
                tokio::select! {
                    () = asked.end_rounds(within) => {}
                    () = signalled() => {}
                }
            }
            asked.stop();
        });
        let strangers = threads.strangers.clone();
        let served = strangers.spawn(edge.serve(Arc::clone(&floor), service, threads.known));
        if let Err(error) = served.await {
            tracing::error!(%error, "connections are accepted no longer");
        }
        security::write(&floor).await;
        // What two persons confirmed is not left half done.
        let _ = tokio::time::timeout(CARRIED_TIMEOUT, floor.carried_out()).await;
    });
    // What was accepted is durable before the program ends.
    runtimes.end(Duration::from_secs(2));
    engine.stop();
    tracing::info!("the house has stopped: everything it accepted is durable");
    Ok(())
}

/// The first line of a house that is up: what runs, which house it is, and where.
fn log_start(floor: &Floor, address: &str, metrics: Option<&str>) {
    let build = build::known();
    let house = floor.signing_key().map(|(house, _)| house.to_string());
    tracing::info!(
        version = build.version,
        commit = build.commit,
        program = hex(&floor.program),
        fingerprint = house.unwrap_or_default(),
        site = floor.plan.site,
        real_money = floor.plan.real_money,
        tables = floor.tables().count(),
        address,
        metrics,
        "the house has started"
    );
}

/// Secrets are in memory: no core file is written, and no other process of the
/// same user looks into this one. A house for play money can be debugged.
pub fn no_core_dumps() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, Resource, Rlimit};
        let none = Rlimit {
            current: Some(0),
            maximum: Some(0),
        };
        let off = rustix::process::setrlimit(Resource::Core, none)
            .and_then(|()| rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable));
        if let Err(error) = off {
            tracing::warn!(%error, "core dumps could not be switched off");
        }
    }
}

/// Listened for from the first moment as well: unheard, a hangup ends a program.
#[cfg(unix)]
fn hangups() -> std::io::Result<tokio::signal::unix::Signal> {
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup())
}

/// Reads the plan again whenever the program is sent a hangup.
#[cfg(unix)]
async fn read_again_when_told(
    floor: Arc<Floor>,
    hangups: std::io::Result<tokio::signal::unix::Signal>,
) {
    let mut hangups = match hangups {
        Ok(hangups) => hangups,
        Err(error) => {
            tracing::warn!(%error, "the plan can be read again by a person only");
            return;
        }
    };
    while hangups.recv().await.is_some() {
        service::reloading();
        // What is wrong is on the log and on record.
        let _ = reload(&floor, by_signal()).await;
        service::ready("the plan was read again");
    }
}

/// Ends sessions in which nothing is done, and forgets those the register ended.
async fn keep_sessions(floor: Arc<Floor>, mut news: broadcast::Receiver<Fact>) {
    let mut tick = tokio::time::interval(SESSIONS_INTERVAL);
    let mut was_halted = false;
    loop {
        tokio::select! {
            fact = news.recv() => {
                match fact {
                    Ok(Fact::LoggedOut { session, .. }) => floor.sessions.end(session),
                    Ok(Fact::LoggedIn { .. }) => floor.handed_over(),
                    Ok(Fact::ShiftClosed { .. }) => {
                        if let Some(tree) = floor.tree() {
                            tree.shift_ended();
                        }
                    }
                    Ok(_) => {}
                    // An end that was missed is found when the session is next used.
                    Err(RecvError::Lagged(_)) => {
                        if !floor.desk.register().sessions.is_empty() {
                            floor.handed_over();
                        }
                    }
                    Err(RecvError::Closed) => return,
                }
            }
            _ = tick.tick() => {
                if floor.is_halted() {
                    // The witness spoke after the house was let play without it, or the tree
                    // cannot be written.
                    let plays = floor.tables().filter(|at| at.hub.stopped().is_none());
                    plays.for_each(|at| at.hub.end_rounds());
                    was_halted = true;
                } else if std::mem::take(&mut was_halted) && !floor.is_stopping() {
                    let plays = floor.tables().filter(|at| at.hub.stopped().is_none());
                    plays.for_each(|at| at.hub.begin_rounds());
                }
                floor.record_ended_proposals().await;
                expire(&floor).await;
                for (session, why) in floor.sessions.end_old(steady_ms()) {
                    let act = Act::LogOut { session, why };
                    let _ = floor.desk.ask(Party::House, None, act).await;
                }
            }
        }
    }
}

/// PINs that are too old are to be changed, and accounts that nobody has used for too long are
/// closed, as the plan says. On record, like everything that changes what somebody may do.
async fn expire(floor: &Floor) {
    let plan = &floor.plan.log_in;
    if plan.pin_days == 0 && plan.account_days == 0 {
        return;
    }
    let now = sicbo_clock::now_ms();
    let acts: Vec<Act> = {
        let register = floor.desk.register();
        let act = |(id, person): (&PersonId, &Person)| {
            let unused = account_expired(person, plan.account_days, now)
                && register.another_administrator(*id).is_ok();
            let credentials = &register.credentials;
            let old = || pin_expired(credentials, *id, person, plan.pin_days, now);
            match unused {
                true => Some(Act::ExpireAccount { person: *id }),
                false if person.disabled || !old() => None,
                false => Some(Act::ExpirePin { person: *id }),
            }
        };
        register.people.iter().filter_map(act).collect()
    };
    for act in acts {
        // Looked at again in a second, should it not be entered now.
        let _ = floor.desk.ask(Party::House, None, act).await;
    }
}

/// Waits for the signals that ask a program to stop.
pub async fn signalled() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (Ok(mut terminate), Ok(mut interrupt)) = (
            signal(SignalKind::terminate()),
            signal(SignalKind::interrupt()),
        ) else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    }
    #[cfg(not(unix))]
    {
        let _ = tokio::signal::ctrl_c().await;
    }
}

/// After a start the board of the pit counts the shifts that go on from their beginning.
async fn count_shifts(floor: Arc<Floor>) {
    let names: Vec<_> = floor.tables().map(|at| at.hub.name.clone()).collect();
    for name in names {
        let (house, table) = (Arc::clone(&floor), name.clone());
        let counted = floor.reading().run(move || house.count_shift(&table)).await;
        if let Ok(Err(why)) = counted {
            tracing::warn!(table = %name, why, "the board counts since the start only");
        }
    }
}
