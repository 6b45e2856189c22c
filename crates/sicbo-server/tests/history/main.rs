//! A campaign against the real program: many terminals play while it is
//! killed (SIGKILL) again and again, in every phase and during recovery.
//! Everybody writes down what they asked and what was answered; at the end
//! the export of the journals is read by books that share nothing with the
//! house, and nothing may be lost, doubled or left unanswered.
//!
//! `SICBO_KILLS` and `SICBO_TERMINALS` set how much (a short form by default,
//! thousands in `make soak`), `SICBO_SEED` repeats a campaign's choices.

#[path = "../common/mod.rs"]
mod common;
mod judge;
mod patron;
mod staff;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use tokio::time::sleep;

use common::house::{Site, TableSpec};
use common::people::People;
use common::proof;
use common::random::Random;
use patron::Patron;
use staff::Desk;

/// Started by the tests as the house program; alone it does nothing.
#[test]
#[ignore = "started by the other tests as the house program"]
fn house_program() {
    common::house::run_if_asked();
}

fn setting(name: &str, or: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.map_or(or, |text| text.parse().expect("a number"))
}

/// A seed nobody chose.
fn fresh_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.expect("after 1970").as_nanos() as u64
}

/// Plays until the house is killed; everyone keeps what they wrote down.
async fn one_life(
    site: &Site,
    patrons: Vec<Patron>,
    desk: &mut Desk,
    random: &mut Random,
    with_staff: bool,
) -> Vec<Patron> {
    let house = site.start();
    let address = house.address;
    let down = Arc::new(AtomicBool::new(false));
    let mut playing = JoinSet::new();
    for mut patron in patrons {
        let down = Arc::clone(&down);
        playing.spawn(async move {
            while !down.load(Ordering::Relaxed) && patron.play(address).await {}
            patron
        });
    }
    // The moment is not chosen: betting, close, settlement, printing, all come.
    let lives = Duration::from_millis(200 + random.below(2_000) as u64);
    if with_staff {
        let work = desk.work(site, address);
        let _ = tokio::time::timeout(lives + Duration::from_secs(4), work).await;
    } else {
        sleep(lives).await;
    }
    down.store(true, Ordering::Relaxed);
    house.kill();
    playing.join_all().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_doubled_or_left_unanswered_however_often_the_house_is_killed() {
    let kills = setting("SICBO_KILLS", 12);
    let terminals = setting("SICBO_TERMINALS", 45) as usize;
    let seed = setting("SICBO_SEED", fresh_seed());
    println!("SICBO_SEED={seed} SICBO_KILLS={kills} SICBO_TERMINALS={terminals}");
    let mut random = Random(seed);
    let each = terminals.div_ceil(3);
    let automatic = |book, layout| TableSpec {
        automatic: Some(1),
        ..TableSpec::by_hand(book, &[(layout, each)])
    };
    let site = Site::of(vec![
        automatic("rws-etg", "b"),
        automatic("mbs-etg", "rapid"),
        automatic("rws-open-cover", "c"),
    ]);
    let mut people = People::default();
    let house = site.start();
    let started = Instant::now();
    // Everyone has a PIN of their own before the first kill.
    people.log_in(&site, house.address, &staff::POSITIONS).await;
    let mut desk = Desk::new(people);
    let mut patrons = Vec::new();
    for spec in &site.tables {
        for station in 0..each as u32 {
            patrons.push(Patron::new(
                &site,
                spec.name,
                station,
                random.below(1 << 30),
            ));
        }
    }
    house.kill();

    let mut in_recovery = 0;
    for kill in 1..kills {
        if random.one_in(6) {
            // It may not even listen yet.
            site.start_and_kill_after(Duration::from_millis(random.below(400) as u64));
            in_recovery += 1;
            continue;
        }
        let with_staff = kill % 4 == 0;
        patrons = one_life(&site, patrons, &mut desk, &mut random, with_staff).await;
    }

    // At last it lives: whatever was asked and not answered is answered.
    let house = site.start();
    let mut finishing = JoinSet::new();
    for mut patron in patrons {
        finishing.spawn(async move {
            patron.finish(house.address).await;
            patron
        });
    }
    let mut patrons = finishing.join_all().await;
    desk.finish(&site, house.address).await;
    for patron in &mut patrons {
        // What staff adjusted meanwhile is in it.
        patron.look(house.address).await;
    }
    house.stop();
    let clean = proof::clean(&site.data());
    let counts = judge::judge(&site, &patrons, &desk, &clean);
    println!(
        "{kills} kills ({in_recovery} during recovery) in {:.0} s: {counts}",
        started.elapsed().as_secs_f64()
    );
}
