//! The protocol against a simulated quorum: one primary and two standbys, answers
//! that are lost, statements that arrive late, waits that are cancelled and answer
//! success, reads from an old primary, fail-overs, and leaders that are held still
//! while others lead. An auditor knows what was acknowledged.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use sicbo_journal::{AppendError, Hash, Tail};

use super::{Doubt, Truth, carry_through, claim, found};

/// One row of the table of streams after a transaction.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    claimed: u64,
    holder: u32,
    tail: Tail,
}

/// A statement that writes.
#[derive(Clone, Copy, Debug)]
enum Write {
    Claim {
        node: u32,
    },
    Append {
        claimed: u64,
        before: Tail,
        after: Tail,
    },
    Settle {
        claimed: u64,
    },
}

impl Write {
    /// What it makes of the row; `None` where it matches nothing.
    fn on(self, row: Row) -> Option<Row> {
        match self {
            Write::Claim { node } => Some(Row {
                claimed: row.claimed.max(row.tail.epoch) + 1,
                holder: node,
                ..row
            }),
            Write::Append {
                claimed,
                before,
                after,
            } => {
                let fits = row.claimed == claimed && row.tail == before;
                fits.then_some(Row { tail: after, ..row })
            }
            Write::Settle { claimed } => (row.claimed == claimed).then_some(row),
        }
    }
}

/// What is wrong with the world on purpose.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Canary {
    None,
    /// The warning of a cancelled wait is taken for an answer.
    BelievesWarnings,
    /// What a plain read shows after a lost answer is taken for durable.
    BelievesReads,
}

struct World {
    random: u64,
    canary: Canary,
    /// The row after each transaction of the primary.
    log: Vec<Row>,
    /// How many of them each standby has.
    standbys: [usize; 2],
    /// Grows with each fail-over: what was on its way to an old primary is gone.
    generation: u32,
    late: Vec<(u32, Write)>,
    /// What the primary before this one held, when it was cut off.
    old: Row,
    acknowledged: BTreeMap<u64, Hash>,
    changes: u32,
    last_leader: u32,
    wrong: Option<String>,
}

impl World {
    fn new(seed: u64, canary: Canary) -> World {
        World {
            random: seed | 1,
            canary,
            log: vec![Row::default()],
            standbys: [1, 1],
            generation: 0,
            late: Vec::new(),
            old: Row::default(),
            acknowledged: BTreeMap::new(),
            changes: 0,
            last_leader: 0,
            wrong: None,
        }
    }

    /// A number below `below`: xorshift64*.
    fn draw(&mut self, below: u64) -> u64 {
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        (self.random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % below
    }

    fn row(&self) -> Row {
        self.log.last().copied().unwrap_or_default()
    }

    /// Carries a statement out on the primary; the row it answers with, and whether
    /// a standby has it.
    fn commit(&mut self, write: Write) -> Option<(Row, bool)> {
        let row = write.on(self.row())?;
        self.log.push(row);
        let reached = self.draw(4);
        for (at, standby) in self.standbys.iter_mut().enumerate() {
            if reached == at as u64 || reached == 2 {
                *standby = self.log.len();
            }
        }
        Some((row, reached < 3))
    }

    /// What a client hears of a statement.
    fn ask(&mut self, write: Write) -> Result<Option<Row>, Doubt> {
        match self.draw(12) {
            0 => Err(Doubt::lost("the connection was lost before")),
            1 => {
                self.late.push((self.generation, write));
                Err(Doubt::lost("the connection was lost on the way"))
            }
            // The old primary still answers: what it commits no standby gets.
            2 => match write.on(self.old) {
                Some(_) => Err(Doubt::lost("cancelled on the old primary")),
                None => Ok(None),
            },
            3 => {
                self.commit(write);
                Err(Doubt::lost("the answer was lost"))
            }
            _ => match self.commit(write) {
                None => Ok(None),
                Some((row, true)) => Ok(Some(row)),
                Some((row, false)) if self.canary == Canary::BelievesWarnings => Ok(Some(row)),
                Some((_, false)) => Err(Doubt::lost("the wait for the standbys was cancelled")),
            },
        }
    }

    /// The primary is lost, and the standby that has most takes its place.
    fn fail_over(&mut self) {
        self.old = self.row();
        let kept = self.standbys[0].max(self.standbys[1]);
        self.log.truncate(kept);
        // The other goes on behind it, and the old primary is copied anew.
        self.standbys = [self.standbys[0].min(self.standbys[1]), kept];
        self.generation += 1;
        self.audit();
    }

    /// What else happens in the world.
    fn happen(&mut self) {
        match self.draw(8) {
            0 => self.fail_over(),
            1 | 2 => {
                if let Some((generation, write)) = self.late.pop()
                    && generation == self.generation
                {
                    self.commit(write);
                }
            }
            _ => {}
        }
    }

    /// A client was told that this block is durable.
    fn acknowledge(&mut self, after: Tail) {
        let known = self.acknowledged.insert(after.sequence, after.header_hash);
        if known.is_some_and(|known| known != after.header_hash) {
            self.wrong = Some(format!("record {} was acknowledged twice", after.sequence));
        }
        self.audit();
    }

    /// Every block that was acknowledged leads to where the stream ends: a hash names
    /// all before it, so the newest speaks for them.
    fn audit(&mut self) {
        let Some((sequence, hash)) = self.acknowledged.last_key_value() else {
            return;
        };
        let there = self
            .log
            .iter()
            .rev()
            .find(|row| row.tail.sequence == *sequence);
        if there.is_none_or(|row| row.tail.header_hash != *hash) {
            self.wrong = Some(format!("record {sequence} was acknowledged and is lost"));
        }
    }
}

type Shared = Rc<RefCell<World>>;

/// A node that asks the world, and waits while the world goes on.
struct Client {
    world: Shared,
    node: u32,
    depth: u32,
    patience: u32,
}

impl Truth for Client {
    fn claim(&mut self) -> Result<Option<(u64, Tail)>, Doubt> {
        let row = self
            .world
            .borrow_mut()
            .ask(Write::Claim { node: self.node })?;
        Ok(row.map(|row| (row.claimed, row.tail)))
    }

    fn settle(&mut self, claimed: u64) -> Result<Option<Tail>, Doubt> {
        let mut world = self.world.borrow_mut();
        if world.canary == Canary::BelievesReads {
            let row = world.row();
            return Ok((row.claimed == claimed).then_some(row.tail));
        }
        Ok(world.ask(Write::Settle { claimed })?.map(|row| row.tail))
    }

    fn holder(&mut self) -> Result<Option<(u64, String)>, Doubt> {
        let mut world = self.world.borrow_mut();
        // Also from an old primary, or from before.
        let row = match world.draw(4) {
            0 => world.old,
            1 => {
                let length = world.log.len() as u64;
                let at = world.draw(length) as usize;
                world.log[at]
            }
            _ => world.row(),
        };
        Ok(Some((row.claimed, row.holder.to_string())))
    }

    fn renew(&mut self) {}

    fn wait(&mut self, _: &str) -> bool {
        go_on(&self.world, self.depth);
        self.patience = self.patience.saturating_sub(1);
        self.patience > 0
    }
}

/// Time passes for a node: the world goes on, and perhaps another node leads.
fn go_on(world: &Shared, depth: u32) {
    world.borrow_mut().happen();
    let other = world.borrow_mut().draw(6) == 0;
    if other && depth < 4 {
        lead(world, depth + 1);
    }
}

/// A node claims the stream and writes some blocks.
fn lead(world: &Shared, depth: u32) {
    let (node, blocks) = {
        let mut world = world.borrow_mut();
        (world.draw(1_000) as u32 + 1, world.draw(6))
    };
    let mut client = Client {
        world: Rc::clone(world),
        node,
        depth,
        patience: 40,
    };
    let Ok((claimed, mut tail)) = claim(&mut client) else {
        return;
    };
    {
        let mut world = world.borrow_mut();
        world.changes += u32::from(world.last_leader != node);
        world.last_leader = node;
    }
    for _ in 0..blocks {
        // Held still, while others may lead.
        go_on(world, depth);
        let salt = world.borrow_mut().draw(u64::MAX);
        let bytes = [
            &tail.header_hash.0[..],
            &salt.to_be_bytes(),
            &claimed.to_be_bytes(),
        ];
        let after = Tail {
            sequence: tail.sequence + 1,
            header_hash: Hash::of(&bytes.concat()),
            epoch: claimed,
        };
        let send = |client: &mut Client| {
            let write = Write::Append {
                claimed,
                before: tail,
                after,
            };
            let row = client.world.borrow_mut().ask(write)?;
            Ok(row.is_some())
        };
        client.patience = 40;
        match carry_through(&mut client, claimed, send, |found_tail| {
            found(found_tail, &tail, &after)
        }) {
            Ok(()) => world.borrow_mut().acknowledge(after),
            Err(AppendError::Fenced { current, .. }) => {
                assert!(current > claimed);
                return;
            }
            Err(AppendError::Failed { what }) => {
                if what.contains("did not write") {
                    world.borrow_mut().wrong = Some(what);
                }
                return;
            }
            Err(other) => panic!("{other}"),
        }
        tail = after;
    }
}

/// Plays so many changes of the leader; what went wrong, and how many blocks were
/// acknowledged.
fn play(seed: u64, changes: u32, canary: Canary) -> (Option<String>, usize) {
    let world = Rc::new(RefCell::new(World::new(seed, canary)));
    loop {
        lead(&world, 0);
        let world = world.borrow();
        if world.wrong.is_some() || world.changes >= changes {
            return (world.wrong.clone(), world.acknowledged.len());
        }
    }
}

fn fresh_seed() -> u64 {
    let drawn = std::env::var("SICBO_SEEDS_FROM")
        .ok()
        .and_then(|text| text.parse().ok());
    drawn.unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(1, |now| now.as_nanos() as u64)
    })
}

/// `SICBO_LEADER_CHANGES` plays more.
#[test]
fn ten_thousand_leaders_lose_nothing_that_was_acknowledged() {
    let changes = std::env::var("SICBO_LEADER_CHANGES").ok();
    let changes = changes.and_then(|text| text.parse().ok()).unwrap_or(10_000);
    let seed = fresh_seed();
    println!("leader changes from seed {seed}");
    let mut acknowledged = 0;
    for round in 0..10 {
        let (wrong, blocks) = play(seed.wrapping_add(round), changes / 10, Canary::None);
        assert_eq!(wrong, None, "seed {}", seed.wrapping_add(round));
        acknowledged += blocks;
    }
    println!("{changes} changes of the leader, {acknowledged} blocks acknowledged, none lost");
    assert!(acknowledged as u32 > changes / 2, "{acknowledged} blocks");
}

#[test]
fn the_auditor_notices_what_is_wrong_on_purpose() {
    let seed = fresh_seed();
    for canary in [Canary::BelievesWarnings, Canary::BelievesReads] {
        let caught = (0..20).find_map(|round| play(seed + round, 500, canary).0);
        println!("{}", caught.expect("a wrong that nobody noticed"));
    }
}
