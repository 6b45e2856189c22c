//! A simulated tumbler on record: verify proves its dice, replay shows how.

use sicbo_journal::{HouseKey, KeyRing, MemoryStore, Store, StreamId};
use sicbo_loop::Answer;
use sicbo_proof::story::tell;
use sicbo_proof::{Verified, VerifyError, verify};
use sicbo_rules::Dice;
use sicbo_table::actor::{Actor, Device};
use sicbo_table::codec::KINDS;
use sicbo_table::ids::RoundNumber;
use sicbo_table::tumble_proof::{self, NOTHING_MIXED};
use sicbo_table::{Act, Table};

use sicbo_testkit::script::Script;

type Played = Script<MemoryStore>;

fn stream() -> StreamId {
    StreamId::new("table-1").expect("a name")
}

fn played(book: &str) -> Played {
    let key = HouseKey::from_entropy(&[7; 32]);
    let house = key.id();
    let mut script = Script::new(MemoryStore::new(stream()), &stream(), key, house);
    script.open_for(book, 2, false);
    script
}

fn tumbler(script: &mut Played, act: Act) {
    let answer = script.ask(Actor::Device(Device::Tumbler), None, act);
    assert!(matches!(answer, Answer::Done { .. }));
}

fn check(script: &Played) -> Result<Verified, VerifyError> {
    let ring = KeyRing::new(script.key.public());
    verify(&script.store, &stream(), &ring, &mut |_| ())
}

/// The header hash of the block with the last close of bets, found apart.
fn closed_in(script: &Played) -> [u8; 32] {
    let kind = KINDS.iter().find(|info| info.name == "BetsClosed");
    let kind = kind.expect("a kind").kind;
    let blocks = script.store.read_from(1);
    let blocks = blocks.map(|raw| raw.expect("read").decode().expect("a block"));
    let last = blocks.filter(|block| block.records().any(|record| record.kind == kind));
    last.last().expect("a close").header_hash().0
}

fn other(dice: Dice) -> Dice {
    let faces = if dice.total() == 3 {
        [1, 1, 2]
    } else {
        [1, 1, 1]
    };
    Dice::from_faces(faces).expect("dice")
}

/// A round by the seed; `lie` keys other dice. What the seed gives.
fn round(script: &mut Played, seed: u8, lie: bool) -> Dice {
    let seed = [seed; 32];
    let commitment = tumble_proof::commitment(&seed);
    tumbler(script, Act::CommitTumble { commitment });
    let any = Dice::from_faces([1, 2, 3]).expect("dice");
    script.take_bets(&[(0, "big", 1_000), (1, "small", 1_000)], any);
    let config = script.table().config.as_ref().expect("open");
    let mixed = match config.tumble {
        sicbo_rules::rulebook::words::TumbleStep::AfterClose => closed_in(script),
        _ => NOTHING_MIXED,
    };
    let number = script.table().last_round;
    let dice = tumble_proof::dice(&seed, &config.name.clone(), number.0, &mixed);
    script.finish(if lie { other(dice) } else { dice });
    dice
}

fn reveal(script: &mut Played, round: u64, seed: u8) {
    let (round, seed) = (RoundNumber(round), [seed; 32]);
    tumbler(script, Act::RevealTumble { round, seed });
}

const BOOKS: [&str; 3] = ["rws-open-cover", "mbs-etg", "mbs-table"];

#[test]
fn dice_of_a_revealed_seed_are_proved() {
    for book in BOOKS {
        let mut script = played(book);
        let first = round(&mut script, 7, false);
        reveal(&mut script, 1, 7);
        round(&mut script, 8, false);
        reveal(&mut script, 2, 8);
        // Never revealed: nothing to prove.
        round(&mut script, 9, false);
        let verified = check(&script).expect("a clean journal");
        assert_eq!((verified.rounds, verified.tumbles_proved), (3, 2), "{book}");
        let story = tell(&script.store, &stream(), 1).expect("told");
        let proof = story.tumble.expect("a proof");
        assert_eq!((proof.dice, proof.agrees), (first, Some(true)));
        let text = story.text();
        for words in [
            "the tumbler commits to",
            "reveals the seed",
            "proved: the result",
        ] {
            assert!(text.contains(words), "{book}: {words} is not in\n{text}");
        }
        assert!(
            tell(&script.store, &stream(), 3)
                .expect("told")
                .tumble
                .is_none()
        );
    }
}

#[test]
fn a_result_that_is_not_the_seeds_is_a_fault_until_it_is_corrected() {
    for book in BOOKS {
        let mut script = played(book);
        let right = round(&mut script, 7, true);
        reveal(&mut script, 1, 7);
        let sequence = script.store.tail().sequence;
        round(&mut script, 8, false);
        reveal(&mut script, 2, 8);
        let fault = check(&script).expect_err("a fault");
        assert_eq!(fault.sequence(), Some(sequence), "{book}: {fault}");
        assert!(fault.to_string().contains("the seed of round 1 gives"));
        let story = tell(&script.store, &stream(), 1).expect("told");
        assert!(!story.agrees());
        assert!(script.correct(1, right.faces()));
        let verified = check(&script).expect("corrected");
        assert_eq!(verified.tumbles_proved, 2);
    }
}

#[test]
fn a_correction_before_the_reveal_counts_and_a_void_round_proves_nothing() {
    let mut script = played("mbs-etg");
    let right = round(&mut script, 7, true);
    assert!(script.correct(1, right.faces()));
    reveal(&mut script, 1, 7);
    assert_eq!(check(&script).expect("clean").tumbles_proved, 1);
    let commitment = tumble_proof::commitment(&[8; 32]);
    tumbler(&mut script, Act::CommitTumble { commitment });
    script.take_bets(&[(0, "big", 1_000)], right);
    script.must(Act::DeclareVoid {
        cause: sicbo_rules::rulebook::words::Cause::DiceDamaged,
    });
    reveal(&mut script, 2, 8);
    let verified = check(&script).expect("clean");
    assert_eq!((verified.rounds, verified.tumbles_proved), (2, 1));
    let proof = tell(&script.store, &stream(), 2).expect("told").tumble;
    assert_eq!(proof.expect("a proof").agrees, None);
    let table: &Table = script.table();
    assert!(table.last_tumble.is_some());
}
