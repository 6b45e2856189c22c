//! What a witness answers, request by request, and what it remembers.

use std::path::Path;

use proptest::prelude::*;
use sicbo_journal::{Hash, HouseKey, leaf_hash};
use sicbo_witness::ask::{Outcome, Reply, ask, later_life};
use sicbo_witness::head::{TreeHead, origin};
use sicbo_witness::note::{Algorithm, Note, VerifierKey};
use sicbo_witness::tree::{Edge, Nodes, consistency_proof, root_at};
use sicbo_witness::witness::{Answer, KnownLog, Witness, request};

const NOW_S: u64 = 1_794_772_800;

/// A log in memory.
#[derive(Clone, Default)]
pub(crate) struct Log {
    nodes: std::collections::BTreeMap<(u32, u64), Hash>,
    edge: Edge,
}

impl Nodes for Log {
    type Error = String;
    fn node(&self, level: u32, place: u64) -> Result<Hash, String> {
        Ok(self.nodes[&(level, place)])
    }
}

impl Log {
    pub(crate) fn grow(&mut self, by: u64, what: &str) {
        for _ in 0..by {
            let leaf = leaf_hash(format!("{what} {}", self.edge.size()).as_bytes());
            self.edge.push(leaf, |(level, place, hash)| {
                self.nodes.insert((level, place), hash);
            });
        }
    }

    pub(crate) fn head(&self, origin: &str) -> TreeHead {
        self.head_at(origin, self.edge.size())
    }

    fn head_at(&self, origin: &str, size: u64) -> TreeHead {
        TreeHead {
            origin: origin.to_owned(),
            size,
            root: root_at(self, size).unwrap(),
        }
    }

    fn request(&self, origin: &str, old: u64, size: u64, key: &HouseKey) -> String {
        let proof = consistency_proof(self, old, size).unwrap();
        let note = self.head_at(origin, size).sign(key).unwrap();
        request(old, &proof, &note)
    }
}

pub(crate) const ORIGIN: &str = "sicbo.house/0f1e2d3c4b5a69788796a5b4c3d2e1f0/1";
const OTHER: &str = "sicbo.house/ffffffffffffffffffffffffffffffff/1";

pub(crate) fn house_key() -> HouseKey {
    HouseKey::from_entropy(&[21; 32])
}

pub(crate) fn known_logs() -> Vec<KnownLog> {
    let log = |origin: &str, key: &HouseKey| KnownLog {
        origin: origin.to_owned(),
        keys: vec![VerifierKey::new(origin, Algorithm::Ed25519, key.public()).unwrap()],
    };
    let second = HouseKey::from_entropy(&[22; 32]);
    vec![log(ORIGIN, &house_key()), log(OTHER, &second)]
}

pub(crate) fn open(folder: &Path) -> Witness {
    let key = HouseKey::from_entropy(&[31; 32]);
    let memory = folder.join("witness.sqlite");
    Witness::open("witness.example/w1", key, known_logs(), &memory).unwrap()
}

fn is_cosigned(answer: &Answer) -> bool {
    matches!(answer, Answer::Cosigned(_))
}

#[test]
fn a_log_that_grows_is_cosigned_and_one_that_goes_back_never() {
    let dir = tempfile::tempdir().unwrap();
    let witness = open(dir.path());
    let key = house_key();
    let say = |body: &str| witness.add_checkpoint(body.as_bytes(), NOW_S);
    let mut log = Log::default();
    log.grow(5, "a");
    let first = log.request(ORIGIN, 0, 5, &key);
    assert!(is_cosigned(&say(&first)));
    // The same again is another size than it knows now; asked rightly, the same.
    assert_eq!(say(&first), Answer::Conflict { size: 5 });
    assert!(is_cosigned(&say(&log.request(ORIGIN, 5, 5, &key))));
    log.grow(8, "a");
    assert!(is_cosigned(&say(&log.request(ORIGIN, 5, 13, &key))));
    // Back to where it was.
    assert_eq!(
        say(&log.request(ORIGIN, 5, 5, &key)),
        Answer::Conflict { size: 13 }
    );
    assert_eq!(
        say(&log.request(ORIGIN, 0, 5, &key)),
        Answer::Conflict { size: 13 }
    );
    // A fork: another history of the same length, and a longer one.
    let mut fork = Log::default();
    fork.grow(5, "a");
    fork.grow(8, "b");
    assert_eq!(
        say(&fork.request(ORIGIN, 13, 13, &key)),
        Answer::Conflict { size: 13 }
    );
    fork.grow(3, "b");
    assert_eq!(
        say(&fork.request(ORIGIN, 13, 16, &key)),
        Answer::NotConsistent
    );
    // What it knows stands.
    log.grow(1, "a");
    assert!(is_cosigned(&say(&log.request(ORIGIN, 13, 14, &key))));
    let kept = witness.latest_note(ORIGIN).unwrap().unwrap();
    let kept = Note::parse(kept.as_bytes()).unwrap();
    let verifier = witness.verifier_key().unwrap();
    assert_eq!(kept.cosigned_by(&verifier), Some(NOW_S));
}

#[test]
fn an_earlier_life_of_a_house_is_cosigned_no_more_once_a_later_one_was() {
    let dir = tempfile::tempdir().unwrap();
    let key = house_key();
    let house = key.id();
    let own = |life| origin(house, life);
    let log_of = |origin: String, key: &HouseKey| KnownLog {
        keys: vec![VerifierKey::new(&origin, Algorithm::Ed25519, key.public()).unwrap()],
        origin,
    };
    // The second life was never made known here; another house has many.
    let stranger = HouseKey::from_entropy(&[22; 32]);
    let other = origin(stranger.id(), 9);
    let logs = vec![
        log_of(own(1), &key),
        log_of(own(3), &key),
        log_of(other.clone(), &stranger),
    ];
    let memory = dir.path().join("witness.sqlite");
    let name = "witness.example/w1";
    let open = || Witness::open(name, stranger.clone(), logs.clone(), &memory).unwrap();
    let witness = open();
    let say = |body: &str| witness.add_checkpoint(body.as_bytes(), NOW_S);
    // What a house asks before it plays.
    let asked = |witness: &Witness, life| {
        later_life((house, life), &key, |body| reply(witness, &body)).unwrap()
    };
    let (mut first, mut third) = (Log::default(), Log::default());
    first.grow(5, "a");
    third.grow(2, "c");
    assert!(is_cosigned(&say(&first.request(&own(1), 0, 5, &key))));
    assert!(is_cosigned(&say(&first.request(&other, 0, 5, &stranger))));
    // Nothing was written in the third, though its name is known.
    assert_eq!(asked(&witness, 1), None);
    assert!(is_cosigned(&say(&first.request(&own(1), 5, 5, &key))));
    assert!(is_cosigned(&say(&third.request(&own(3), 0, 2, &key))));
    // From then on neither the same head nor a longer one of the first.
    first.grow(4, "a");
    for (old, size) in [(5, 5), (5, 9), (0, 9)] {
        let by = own(3);
        assert_eq!(
            say(&first.request(&own(1), old, size, &key)),
            Answer::Retired { by }
        );
    }
    // It remembers that, and a house of the first life hears it before it plays.
    drop(witness);
    let witness = open();
    assert_eq!(asked(&witness, 1), Some(own(3)));
    assert_eq!(asked(&witness, 3), None);
    assert_eq!(witness.later_life(&own(1)).unwrap(), Some(own(3)));
    assert_eq!(witness.later_life(&own(3)).unwrap(), None);
    assert_eq!(witness.later_life(&other).unwrap(), None);
    // A witness that says nothing is not taken for one that knows nothing.
    let silent = later_life((house, 1), &key, |_| Err("no connection".to_owned()));
    assert!(silent.is_err());
    let busy = later_life((house, 1), &key, |_| {
        let body = "busy".to_owned();
        Ok(Reply { status: 503, body })
    });
    assert!(busy.is_err());
    // Other keys than this folder's sign for a later life.
    let keys = later_life((house, 1), &key, |_| {
        let body = String::new();
        Ok(Reply { status: 403, body })
    });
    assert_eq!(keys, Ok(Some(own(2))));
}

#[test]
fn every_answer_of_the_specification_has_its_request() {
    let dir = tempfile::tempdir().unwrap();
    let witness = open(dir.path());
    let (key, stranger) = (house_key(), HouseKey::from_entropy(&[1; 32]));
    let say = |body: &str| witness.add_checkpoint(body.as_bytes(), NOW_S);
    let mut log = Log::default();
    log.grow(9, "a");
    let good = log.request(ORIGIN, 0, 9, &key);
    assert_eq!(
        say(&log.request(ORIGIN, 0, 9, &stranger)),
        Answer::NotSigned
    );
    assert_eq!(
        say(&log.request("nobody.example", 0, 9, &key)),
        Answer::UnknownLog
    );
    // A key that is good for one origin signs for no other.
    assert_eq!(say(&log.request(OTHER, 0, 9, &key)), Answer::NotSigned);
    let larger = good.replacen("old 0", "old 10", 1);
    assert!(matches!(say(&larger), Answer::Malformed(_)));
    for bad in [
        "",
        "old 0",
        "old 0\n",
        "old 0\n\n",
        &good.replacen("old 0", "old 00", 1),
        &good.replacen("old 0", "old -1", 1),
        &good.replacen("old 0", "new 0", 1),
        &good.replacen("old 0\n", "old 0\nAAAA\n", 1),
        &good.replacen("old 0\n", &format!("old 0\n{}", "A\n".repeat(70)), 1),
        good.trim_end(),
        &good.replace("\n9\n", "\n09\n"),
    ] {
        assert!(matches!(say(bad), Answer::Malformed(_)), "{bad:?}");
    }
    let hash = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";
    let many = good.replacen("old 0\n", &format!("old 0\n{}", hash.repeat(64)), 1);
    assert!(
        matches!(say(&many), Answer::Malformed(_)),
        "more than 63 hashes"
    );
    // A proof where none belongs.
    let proved = good.replacen("old 0\n", &format!("old 0\n{hash}"), 1);
    assert_eq!(say(&proved), Answer::NotConsistent);
    assert!(is_cosigned(&say(&good)));
}

#[test]
fn a_witness_that_was_restarted_remembers_and_two_houses_do_not_meet() {
    let dir = tempfile::tempdir().unwrap();
    let (key, second) = (house_key(), HouseKey::from_entropy(&[22; 32]));
    let mut log = Log::default();
    log.grow(20, "a");
    {
        let witness = open(dir.path());
        let say = |body: String| witness.add_checkpoint(body.as_bytes(), NOW_S);
        assert!(is_cosigned(&say(log.request(ORIGIN, 0, 20, &key))));
        assert!(is_cosigned(&say(log.request(OTHER, 0, 3, &second))));
    }
    let witness = open(dir.path());
    let say = |body: String| witness.add_checkpoint(body.as_bytes(), NOW_S);
    assert_eq!(
        say(log.request(ORIGIN, 0, 10, &key)),
        Answer::Conflict { size: 20 }
    );
    assert_eq!(
        say(log.request(OTHER, 0, 2, &second)),
        Answer::Conflict { size: 3 }
    );
    assert!(is_cosigned(&say(log.request(OTHER, 3, 20, &second))));
}

#[test]
fn requests_at_once_never_let_a_log_go_back() {
    let dir = tempfile::tempdir().unwrap();
    let witness = open(dir.path());
    let key = house_key();
    let mut log = Log::default();
    log.grow(64, "a");
    // Many at once from the same size: one is cosigned, the others are told.
    for old in (0..64).step_by(8) {
        let answers: Vec<(u64, Answer)> = std::thread::scope(|scope| {
            let asked: Vec<_> = (old + 1..=old + 8)
                .map(|size| {
                    let (witness, log, key) = (&witness, &log, &key);
                    scope.spawn(move || {
                        let body = log.request(ORIGIN, old, size, key);
                        (size, witness.add_checkpoint(body.as_bytes(), NOW_S))
                    })
                })
                .collect();
            asked.into_iter().map(|one| one.join().unwrap()).collect()
        });
        let cosigned: Vec<u64> = answers
            .iter()
            .filter(|(_, answer)| is_cosigned(answer))
            .map(|(size, _)| *size)
            .collect();
        let [size] = cosigned[..] else {
            panic!("{answers:?}")
        };
        for (_, answer) in answers.iter().filter(|(_, answer)| !is_cosigned(answer)) {
            assert_eq!(*answer, Answer::Conflict { size });
        }
        let on = log.request(ORIGIN, size, old + 8, &key);
        assert!(is_cosigned(&witness.add_checkpoint(on.as_bytes(), NOW_S)));
    }
}

/// What the witness answers, as it goes over a line.
fn reply(witness: &Witness, body: &str) -> Result<Reply, String> {
    let (status, body) = match witness.add_checkpoint(body.as_bytes(), NOW_S) {
        Answer::Cosigned(line) => (200, line),
        Answer::Conflict { size } => (409, format!("{size}\n")),
        Answer::Retired { by } => (410, format!("{by}\n")),
        Answer::NotConsistent => (422, String::new()),
        Answer::NotSigned => (403, String::new()),
        Answer::UnknownLog => (404, String::new()),
        Answer::Malformed(why) => (400, why.to_owned()),
        Answer::Failed(why) => (500, why),
    };
    Ok(Reply { status, body })
}

/// A house that asks a witness, in one process.
fn ask_it(witness: &Witness, log: &Log, guess: u64) -> Outcome {
    let head = log.head(ORIGIN);
    let note = head.sign(&house_key()).unwrap();
    let key = witness.verifier_key().unwrap();
    ask(
        (&note, &head),
        &key,
        guess,
        |old| consistency_proof(log, old, head.size),
        |body| reply(witness, &body),
    )
    .unwrap()
}

#[test]
fn whoever_asks_learns_whether_it_is_behind_forked_or_cosigned() {
    let dir = tempfile::tempdir().unwrap();
    let witness = open(dir.path());
    let mut log = Log::default();
    log.grow(7, "a");
    let early = log.clone();
    let cosigned = |outcome: &Outcome| matches!(outcome, Outcome::Cosigned { .. });
    assert!(cosigned(&ask_it(&witness, &log, 0)));
    log.grow(7, "a");
    // A wrong guess is corrected by the witness.
    assert!(cosigned(&ask_it(&witness, &log, 0)));
    assert!(cosigned(&ask_it(&witness, &log, 99)));
    let witness_size = 14;
    assert_eq!(
        ask_it(&witness, &early, 7),
        Outcome::Behind { witness_size }
    );
    assert_eq!(
        ask_it(&witness, &early, 0),
        Outcome::Behind { witness_size }
    );
    let mut fork = early.clone();
    fork.grow(7, "b");
    let witness_size = Some(14);
    assert_eq!(ask_it(&witness, &fork, 7), Outcome::Forked { witness_size });
    fork.grow(9, "b");
    assert_eq!(ask_it(&witness, &fork, 7), Outcome::Forked { witness_size });
}

#[test]
fn a_witness_that_lies_or_babbles_is_not_believed() {
    let mut log = Log::default();
    log.grow(7, "a");
    let head = log.head(ORIGIN);
    let note = head.sign(&house_key()).unwrap();
    let key = HouseKey::from_entropy(&[31; 32]).public();
    let key = VerifierKey::new("w.example", Algorithm::CosignatureV1, key).unwrap();
    let said = |status: u16, body: &str| {
        let body = body.to_owned();
        let answer = Ok(Reply { status, body });
        ask(
            (&note, &head),
            &key,
            0,
            |old| consistency_proof(&log, old, 7),
            |_| answer.clone(),
        )
        .unwrap()
    };
    let stranger = HouseKey::from_entropy(&[32; 32]);
    let forged = sicbo_witness::note::cosign(note.text(), "w.example", &stranger, 5).unwrap();
    for (status, body) in [
        (200, ""),
        (200, "yes\n"),
        (200, &format!("{forged}\n")),
        (409, "many\n"),
        (409, "3\n"),
        (500, "not now"),
        (302, ""),
    ] {
        let outcome = said(status, body);
        // 409 with 3 is followed, and then said again: another root of that size.
        let fork = matches!(outcome, Outcome::Forked { .. }) && body == "3\n";
        assert!(
            fork || matches!(outcome, Outcome::Silent(_)),
            "{status} {body}"
        );
    }
    let later = "sicbo.house/0f1e2d3c4b5a69788796a5b4c3d2e1f0/2";
    let told = Outcome::LaterLife(later.to_owned());
    assert_eq!(said(410, &format!("{later}\n")), told);
    assert!(matches!(said(404, "who?"), Outcome::Unknown(_)));
    assert!(matches!(said(403, "who?"), Outcome::Unknown(_)));
}

proptest! {
    #[test]
    fn random_bytes_and_random_changes_are_never_cosigned(
        noise in proptest::collection::vec(any::<u8>(), 0..500),
        at in any::<proptest::sample::Index>(),
        bit in 0_u8..8,
    ) {
        // One memory for all: nothing of this is ever remembered.
        static SHARED: std::sync::OnceLock<(tempfile::TempDir, Witness)> = std::sync::OnceLock::new();
        let (_, witness) = SHARED.get_or_init(|| {
            let dir = tempfile::tempdir().unwrap();
            let witness = open(dir.path());
            (dir, witness)
        });
        prop_assert!(matches!(witness.add_checkpoint(&noise, NOW_S), Answer::Malformed(_)));
        let mut log = Log::default();
        log.grow(11, "a");
        let mut body = log.request(ORIGIN, 0, 11, &house_key()).into_bytes();
        let at = at.index(body.len());
        body[at] ^= 1 << bit;
        let answer = witness.add_checkpoint(&body, NOW_S);
        prop_assert!(!is_cosigned(&answer), "{:?} {at}", String::from_utf8_lossy(&body));
    }
}
