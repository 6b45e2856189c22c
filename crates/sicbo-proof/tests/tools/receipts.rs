//! Receipts for players: what they prove, that one thing forged is refused with
//! its reason, and that the verifier in a browser answers as this one does.

use std::path::{Path, PathBuf};
use std::process::Command;

use sicbo_check::answer::{Answer, CodeProof, Proof, Question, Reason, answer, to};
use sicbo_check::bundle::Told;
use sicbo_check::receipt::{Receipt, statement};
use sicbo_journal::{HouseKey, KeyFolder, SqliteStore, StreamId};
use sicbo_proof::bundle::{Bundle, make};
use sicbo_proof::receipt::Receipts;
use sicbo_proof::source::Journals;
use sicbo_proof::story::overview;

use sicbo_testkit::golden::{FIRST_KEY, copy};

/// Signed after the last records of the golden house.
const NOW: i64 = 1_900_000_000_000;

struct House {
    folder: tempfile::TempDir,
    journals: Journals,
}

impl House {
    fn golden() -> House {
        let folder = copy();
        let journals = Journals::folder(folder.path()).expect("a data folder");
        House { folder, journals }
    }

    fn tables(&self) -> Vec<(StreamId, SqliteStore)> {
        let open = |(id, _): &(StreamId, _)| self.journals.one(Some(id.as_str())).expect("opens");
        self.journals.streams.iter().map(open).collect()
    }

    fn keys(&self) -> (sicbo_journal::PublicKey, Vec<sicbo_journal::HandOver>) {
        KeyFolder::read_hand_overs(&self.folder.path().join("keys")).expect("keys")
    }

    /// The station's receipt, signed by the house's first key.
    fn receipt(&self, (stream, store): &(StreamId, SqliteStore), round: u64, own: &str) -> Receipt {
        let made = Receipts::default().make(store, stream, self.keys(), round, own);
        let (bundle, code) = made.expect("made");
        signed(bundle, stream, code.to_string().as_str())
    }
}

/// A station's bundle with what the house says of it. The golden house has two
/// keys and gives the first away.
fn signed(bundle: Bundle, stream: &StreamId, code: &str) -> Receipt {
    let ring = bundle.proof.ring().expect("keys");
    let any = sicbo_proof::RoundCode::of(stream, 0, b"");
    let text = statement(&bundle, stream, any, &ring, NOW).expect("of a station");
    let key = HouseKey::from_entropy(&FIRST_KEY);
    let statement = text.replace(&any.to_string(), code).replace(
        &format!("key: {}", ring.current().id()),
        &format!("key: {}", key.id()),
    );
    Receipt {
        signature: key.sign(statement.as_bytes()).expect("signs"),
        statement,
        bundle,
    }
}

fn own_of(stream: &StreamId) -> &'static str {
    if stream.as_str().contains("table") {
        "S1"
    } else {
        "T1"
    }
}

fn proved(question: &Question, receipt: &Receipt) -> Proof {
    match answer(question, &receipt.to_bytes()) {
        Answer::Proved(proof) => *proof,
        Answer::Refused(refused) => panic!("{refused:?}"),
        Answer::Voucher(_) => panic!("a voucher"),
    }
}

fn reason(question: &Question, bytes: &[u8]) -> (Reason, String) {
    match answer(question, bytes) {
        Answer::Refused(refused) => (refused.reason, refused.detail),
        Answer::Proved(proof) => panic!("proved: {proof:?}"),
        Answer::Voucher(_) => panic!("a voucher"),
    }
}

#[test]
fn p_063_every_stations_receipt_proves_its_round_and_is_the_bundle_of_the_long_way() {
    let house = House::golden();
    let (mut alone, mut among_others) = (0, 0);
    for table in house.tables() {
        let (stream, store) = &table;
        // One maker for all rounds, back and forth: what it remembers is the same.
        let mut receipts = Receipts::default();
        let rounds: Vec<u64> = overview(store, stream)
            .expect("whole")
            .iter()
            .map(|line| line.round)
            .collect();
        for round in rounds.iter().rev().chain(&rounds) {
            let own = own_of(stream);
            let made = receipts.make(store, stream, house.keys(), *round, own);
            let (bundle, code) = made.expect("made");
            let long = make(store, stream, house.keys(), *round, Some(own)).expect("made");
            assert_eq!(bundle, long, "{stream} round {round}");
            let told = sicbo_proof::story::tell(store, stream, *round).expect("told");
            assert_eq!(told.code, Some(code));
            let receipt = signed(bundle, stream, &code.to_string());
            let question = Question {
                table: Some(stream.to_string()),
                round: Some(*round),
                station: Some(own.to_owned()),
                code: Some(code.to_string().to_uppercase().replace('-', " ")),
                ..Question::default()
            };
            let proof = proved(&question, &receipt);
            match proof.code_proof {
                CodeProof::Derived => alone += 1,
                CodeProof::Signed => among_others += 1,
            }
            let life = told.lives.last().expect("an end");
            let mine = life
                .stations
                .iter()
                .find(|part| told.name(part.record.station) == own);
            let staked = mine.map_or(0, |part| part.staked.minor());
            let returned = mine.map_or(0, |part| part.returned.minor());
            assert_eq!(
                (proof.staked, proof.returned),
                (staked, returned),
                "{stream} {round}"
            );
        }
    }
    assert!(
        among_others > 0,
        "{alone} alone, {among_others} among others"
    );
}

#[test]
fn p_063_each_thing_forged_is_refused_with_its_reason() {
    let house = House::golden();
    let table = &house.tables()[0];
    let stream = &table.0;
    let good = house.receipt(table, 1, "T1");
    let code = sicbo_proof::story::tell(&table.1, stream, 1)
        .expect("told")
        .code;
    let code = code.expect("a code").to_string();
    let any = Question::default();
    let fingerprint = good.bundle.proof.ring().expect("keys").house().to_string();
    let asked = |change: &dyn Fn(&mut Question)| {
        let mut question = any.clone();
        change(&mut question);
        reason(&question, &good.to_bytes())
    };
    // What is asked for is not what the receipt is of.
    let other_digit = |text: &str| {
        let last = if text.ends_with('0') { '1' } else { '0' };
        format!("{}{last}", &text[..text.len() - 1])
    };
    for (found, expected) in [
        (asked(&|q| q.code = Some(other_digit(&code))), Reason::Code),
        (asked(&|q| q.round = Some(2)), Reason::Round),
        (
            asked(&|q| q.table = Some("other".to_owned())),
            Reason::Table,
        ),
        (
            asked(&|q| q.station = Some("T2".to_owned())),
            Reason::Station,
        ),
        (
            asked(&|q| q.house = Some(other_digit(&fingerprint))),
            Reason::House,
        ),
        (asked(&|q| q.house = Some("abc".to_owned())), Reason::House),
    ] {
        assert_eq!(found.0, expected, "{}", found.1);
    }
    // One part of the receipt is another.
    let forged = |change: &dyn Fn(&mut Receipt)| {
        let mut receipt = good.clone();
        change(&mut receipt);
        reason(&any, &receipt.to_bytes())
    };
    let stranger = HouseKey::from_entropy(&[66; 32]);
    let cases: [(&str, (Reason, String), Reason); 9] = [
        (
            "a code the house did not sign",
            forged(&|r| r.statement = r.statement.replace(&code, &other_digit(&code))),
            Reason::Signature,
        ),
        (
            "a signature changed",
            forged(&|r| r.signature[7] ^= 1),
            Reason::Signature,
        ),
        (
            "signed by a stranger",
            forged(&|r| r.signature = stranger.sign(r.statement.as_bytes()).expect("signs")),
            Reason::Signature,
        ),
        (
            "the signed text of another bundle",
            forged(&|r| {
                r.signature = {
                    r.statement = r.statement.replace("round: 1", "round: 2");
                    HouseKey::from_entropy(&FIRST_KEY)
                        .sign(r.statement.as_bytes())
                        .expect("signs")
                }
            }),
            Reason::Signature,
        ),
        (
            "another house's first key",
            forged(&|r| r.bundle.proof.first_key = stranger.public()),
            Reason::House,
        ),
        (
            "a record at another place",
            forged(&|r| r.bundle.proof.segments[0].records[0].0 += 1),
            Reason::Record,
        ),
        (
            "no records",
            forged(&|r| r.bundle.proof.segments.clear()),
            Reason::Records,
        ),
        (
            "of nobody",
            forged(&|r| r.bundle.station = None),
            Reason::Record,
        ),
        (
            "dice that were not read",
            forged(&|r| {
                let dice =
                    |told: &mut Told| told.dice = told.dice.map(|[a, b, c]| [a % 6 + 1, b, c]);
                r.bundle.told.iter_mut().take(1).for_each(dice);
            }),
            Reason::Records,
        ),
    ];
    for (what, (found, detail), expected) in cases {
        assert_eq!(found, expected, "{what}: {detail}");
        assert!(!detail.is_empty(), "{what}");
    }
    // The file is another.
    let bytes = good.to_bytes();
    assert_eq!(reason(&any, b"something").0, Reason::NotAReceipt);
    assert_eq!(reason(&any, &good.bundle.to_bytes()).0, Reason::NotAReceipt);
    for cut in [20, bytes.len() / 2, bytes.len() - 1] {
        assert_eq!(
            reason(&any, &bytes[..cut]).0,
            Reason::Damaged,
            "cut at {cut}"
        );
    }
    let more = [&bytes[..], b"x"].concat();
    assert_eq!(reason(&any, &more).0, Reason::Damaged);
    let text = String::from_utf8(to(b"no question\n")).expect("text");
    assert!(text.contains(r#""reason":"question""#), "{text}");
}

#[test]
fn p_063_a_signed_code_that_is_not_the_records_is_refused() {
    let house = House::golden();
    for table in house.tables() {
        let (stream, store) = &table;
        for line in overview(store, stream).expect("whole") {
            // Everybody took part in the golden rounds; a receipt of whoever was
            // alone is one that shows all records.
            let mut whole = make(store, stream, house.keys(), line.round, None).expect("made");
            let derived = whole
                .check(&sicbo_proof::Trust::Anyone)
                .expect("proved")
                .code;
            assert_eq!(
                derived, line.code,
                "a bundle with every record has its code"
            );
            whole.station = Some(own_of(stream).to_owned());
            let (found, detail) = reason(
                &Question::default(),
                &signed(whole, stream, "0000-0000-0000").to_bytes(),
            );
            assert!(
                matches!(found, Reason::Code | Reason::Record),
                "{found:?}: {detail}"
            );
        }
    }
}

#[test]
fn one_changed_byte_anywhere_in_a_receipt_is_found() {
    let house = House::golden();
    let table = &house.tables()[0];
    let good = house.receipt(table, 1, "T1").to_bytes();
    let edge = 2_000.min(good.len() / 2);
    let inside = (edge..good.len() - edge).step_by(509);
    for at in (0..edge)
        .step_by(7)
        .chain(inside)
        .chain((good.len() - edge..good.len()).step_by(7))
    {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        let (_, detail) = reason(&Question::default(), &bad);
        assert!(!detail.is_empty(), "byte {at} of {}", good.len());
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// `make web` compiles the verifier for browsers; node runs it here.
#[test]
fn the_verifier_for_browsers_answers_to_the_byte_as_this_one_does() {
    let wasm = root().join("target/wasm32-unknown-unknown/page/sicbo_check.wasm");
    assert!(
        wasm.exists(),
        "run `make web` first: {} is not there",
        wasm.display()
    );
    let house = House::golden();
    let folder = tempfile::tempdir().expect("a folder");
    let mut inputs: Vec<Vec<u8>> = vec![b"no question\n".to_vec(), b"{}\nno receipt".to_vec()];
    for table in house.tables() {
        let good = house.receipt(&table, 1, own_of(&table.0)).to_bytes();
        let ask = |question: &str, bytes: &[u8]| [question.as_bytes(), b"\n", bytes].concat();
        inputs.push(ask("{}", &good));
        inputs.push(ask(r#"{"code":"0000-0000-0000"}"#, &good));
        inputs.push(ask(r#"{"house":"0123456789abcdef"}"#, &good));
        for at in (0..good.len()).step_by(good.len() / 12) {
            let mut bad = good.clone();
            bad[at] ^= 16;
            inputs.push(ask("{}", &bad));
        }
    }
    for (at, input) in inputs.iter().enumerate() {
        std::fs::write(folder.path().join(format!("{at:04}")), input).expect("written");
    }
    let node = Command::new("node")
        .arg(root().join("web/tools/ask-verifier.mjs"))
        .args([&wasm, folder.path()])
        .output()
        .expect("node runs");
    assert!(
        node.status.success(),
        "{}",
        String::from_utf8_lossy(&node.stderr)
    );
    let answers = String::from_utf8(node.stdout).expect("text");
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), inputs.len());
    let mut proofs = 0;
    for (input, found) in inputs.iter().zip(answers) {
        let native = String::from_utf8(to(input)).expect("text");
        proofs += usize::from(native.starts_with(r#"{"answer":"proved""#));
        assert_eq!(found, native);
    }
    assert_eq!(proofs, house.tables().len());
}
