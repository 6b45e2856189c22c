//! Durable bets a second with the truth in PostgreSQL: through the whole path,
//! the quorum and this machine's copy, beside SQLite alone and beside the same
//! statements and nothing else, turn by turn in one run.

use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;
use sicbo_clock::now_ms;
use sicbo_journal::{Beside, Store, StreamId, Writer};
use sicbo_postgres::servers::Servers;
use sicbo_postgres::{ClusterError, PostgresStore, ReplicatedStore, Server, Truth};

use crate::journal::{Pace, Place, in_new_place};
use crate::{BenchError, failed, median, thousandths};

/// How long each rate is held.
const HELD: Duration = Duration::from_secs(2);
/// Bets that come together when they come as fast as they are taken.
const BATCH: usize = 1_024;
/// So often each is measured in turn; the median stands.
const TURNS: usize = 3;

/// What was measured.
#[derive(Serialize)]
#[expect(missing_docs, reason = "the names are those of the JSON form")]
pub struct Measured {
    pub bets_per_s: u64,
    /// At half that rate.
    pub p99_ms: f64,
    pub sqlite_bets_per_s: u64,
    pub bare_bets_per_s: u64,
    /// Of the bare statements.
    pub ratio: f64,
    /// Of SQLite alone.
    pub sqlite_ratio: f64,
    pub p50_ms: f64,
}

/// Measures the servers at an address, or servers of its own. They must be in no
/// other use: the database is given a house that is thrown away.
///
/// # Errors
/// When there are no servers, or something of it fails.
pub fn measure(
    dir: &Path,
    address: Option<&str>,
    authority: Option<&Path>,
) -> Result<Measured, BenchError> {
    let given = match address {
        Some(address) => {
            let server = Server::parse(address, true).map_err(cluster)?;
            let server = match authority {
                Some(file) => server.with_authority(file).map_err(cluster)?,
                None => server,
            };
            Some(server)
        }
        None => None,
    };
    let servers = match address {
        Some(_) => None,
        None => Some(Servers::start(2).map_err(failed)?),
    };
    in_new_place(dir, |place| {
        let mut bench = Bench {
            place,
            servers: servers.as_ref(),
            given,
            made: 0,
        };
        bench.measure()
    })
}

struct Bench<'a> {
    place: &'a Place,
    servers: Option<&'a Servers>,
    given: Option<Server>,
    made: u32,
}

/// Bets a second of one turn: quorum, SQLite alone, bare statements.
type Turn = (f64, f64, f64);

impl Bench<'_> {
    fn measure(&mut self) -> Result<Measured, BenchError> {
        let mut turns = Vec::new();
        for turn in 0..TURNS {
            turns.push(self.turn(turn)?);
        }
        let of = |which: fn(&Turn) -> f64| {
            let mut figures: Vec<f64> = turns.iter().map(which).collect();
            median(&mut figures, f64::total_cmp)
        };
        let (rate, sqlite, bare) = (of(|turn| turn.0), of(|turn| turn.1), of(|turn| turn.2));
        let server = self.fresh()?;
        let store = self.replicated(&server, "steady")?;
        let pace = Pace::Steady(rate / 2.0, HELD);
        let mut steady = self.place.run_signed(store, BATCH, pace)?;
        Ok(Measured {
            bets_per_s: rate as u64,
            p99_ms: thousandths(steady.percentile_ms(0.99)),
            sqlite_bets_per_s: sqlite as u64,
            bare_bets_per_s: bare as u64,
            ratio: thousandths(rate / bare),
            sqlite_ratio: thousandths(rate / sqlite),
            p50_ms: thousandths(steady.percentile_ms(0.5)),
        })
    }

    fn turn(&mut self, turn: usize) -> Result<Turn, BenchError> {
        let server = self.fresh()?;
        let name = format!("quorum-{turn}");
        let store = self.replicated(&server, &name)?;
        let quorum = self.place.run_signed(store, BATCH, Pace::Flood(HELD))?;
        let (rate, bets) = (quorum.rate(), quorum.bets);
        let bare = self.bare(&server, quorum.store.as_ref(), bets)?;
        let sqlite = format!("sqlite-{turn}");
        let sqlite = self.place.run(&sqlite, BATCH, Pace::Flood(HELD))?;
        Ok((rate, sqlite.rate(), bare))
    }

    /// The tables of a house that nobody has used.
    fn fresh(&mut self) -> Result<Server, BenchError> {
        let house = self.place.ring().house().0;
        self.made += 1;
        let server = match (self.servers, &self.given) {
            (Some(servers), _) => {
                let database = format!("bench_{}", self.made);
                servers.make_database(&database).map_err(failed)?;
                Server::parse(&servers.address(&database), true).map_err(cluster)?
            }
            (None, Some(given)) => given.clone(),
            (None, None) => return Err(BenchError::bug("there are no servers")),
        };
        match Truth::init(&server, &house) {
            Ok(_) => {}
            // One database serves every turn: each has a stream of its own.
            Err(ClusterError::HouseThere { house: there })
                if self.made > 1 && self.given.is_some() && there == house.to_string() => {}
            Err(error) => return Err(cluster(error)),
        }
        Ok(server)
    }

    fn replicated(
        &self,
        server: &Server,
        name: &str,
    ) -> Result<(StreamId, Box<dyn Store>), BenchError> {
        let (stream, copy) = self.place.stream(name)?;
        let ring = self.place.ring();
        let copy = Box::new(copy);
        let led = ReplicatedStore::lead(server, ring, "bench", stream.clone(), copy, now_ms());
        Ok((stream, Box::new(led.map_err(cluster)?)))
    }

    /// The same records in blocks of the same size, sent one after the other and
    /// nothing else.
    fn bare(&self, server: &Server, from: &dyn Store, bets: u64) -> Result<f64, BenchError> {
        let stream = StreamId::new(&format!("bare-{}", self.made)).map_err(BenchError::world)?;
        let house = self.place.ring().house().0;
        let store = PostgresStore::lead(server, &house, stream.clone(), "bench");
        let mut store = store.map_err(cluster)?;
        let (tail, epoch) = (store.tail(), store.next_epoch());
        let writer = Writer::resume(stream, &tail, epoch, &self.place.signatory());
        let mut writer = writer.map_err(BenchError::world)?;
        let mut blocks = Vec::new();
        for raw in from.read_from(1) {
            let block = raw.map_err(BenchError::world)?.decode();
            let block = block.map_err(BenchError::world)?;
            for record in block.records() {
                let pushed =
                    writer.push(record.time_ms, record.kind, record.version, record.payload);
                pushed.map_err(BenchError::world)?;
            }
            blocks.extend(writer.seal(block.header().time_ms));
        }
        let start = Instant::now();
        for block in &blocks {
            let appended = store.append(block, Beside::default());
            appended.map_err(BenchError::world)?;
        }
        Ok(bets as f64 / start.elapsed().as_secs_f64())
    }
}

fn cluster(error: ClusterError) -> BenchError {
    BenchError::Input(error.to_string())
}
