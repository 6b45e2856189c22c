//! The stable words the web app must have messages for, made from the Rust
//! lists and committed; a stale file fails here. `SICBO_BLESS=1` writes it anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use sicbo_rules::rulebook::words::{Cause, Matter, Position, Word};
use sicbo_rules::{Kind, RuleBook};
use sicbo_table::command::Ruling;
use sicbo_table::ids::{NoticeId, PendingId, PersonId, RoundNumber, StationId};
use sicbo_table::legal::Step;
use sicbo_table::pending::Question;
use sicbo_table::positions::Means;

fn keys<W: Word>() -> Vec<&'static str> {
    W::all().iter().map(|word| word.key()).collect()
}

/// The documents say "wager" and "bet" of one thing: so do we, with one word,
/// on screens, in the API, in reports and on the command line.
#[test]
fn r_010_bet_is_the_one_word_on_screens_in_the_api_and_in_reports() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![top.join("docs/openapi.json"), top.join("web/src/wire.ts")];
    for folder in [
        "web/src/messages/en",
        "crates/sicbo-report/src",
        "crates/sicbo-report/src/forms",
        "crates/sicbo-cli/src",
        "crates/sicbo-cli/src/commands",
    ] {
        let entries = std::fs::read_dir(top.join(folder)).expect(folder);
        let paths = entries.map(|entry| entry.expect("listed").path());
        files.extend(paths.filter(|path| path.is_file()));
    }
    assert!(files.len() > 40, "{}", files.len());
    let mut bets = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a text");
        let text = text.to_lowercase();
        assert!(
            !text.contains("wager"),
            "{}: say bet, or both words would be two things",
            file.display()
        );
        bets += text.matches("bet").count();
    }
    assert!(bets > 500, "{bets}");
}

#[test]
fn the_words_of_the_web_app_are_fresh() {
    let mut refusals: BTreeSet<&str> = BTreeSet::new();
    refusals.extend(sicbo_table::refusal::Reason::CODES);
    refusals.extend(sicbo_register::refusal::Reason::CODES);
    refusals.insert(sicbo_house::hub::QUOTA_REACHED);
    refusals.extend(
        sicbo_register::play::NoPlay::all()
            .iter()
            .map(|no| no.code()),
    );
    let station = StationId(0);
    let pending = PendingId(0);
    // Only steps that are offered on a screen; those of a station are not.
    let steps = [
        Step::ActivateTumbler,
        Step::ReportTumbles,
        Step::CallBets,
        Step::CloseBets,
        Step::PressDeal,
        Step::Uncover,
        Step::ConfirmFlat,
        Step::KeyDice,
        Step::ClearKeys,
        Step::ReadSecond,
        Step::ConfirmResult,
        Step::ReportLights,
        Step::TakeAndPay,
        Step::DeclareVoid {
            cause: Cause::DieNotFlat,
        },
        Step::RuleVoid,
        Step::Hold,
        Step::HoldForMeaning,
        Step::ReportDeviceFailure,
        Step::AcknowledgeNotice {
            notice: NoticeId(0),
        },
        Step::ConfirmInterruption { pending },
        Step::DiceNotInPlace { pending },
        Step::Rule {
            pending,
            ruling: Ruling::Void,
        },
        Step::ResolveReadings { pending },
        Step::AttestPositions { pending },
        Step::ReportDamage,
        Step::FindDiceSound,
        Step::ChangeDice,
        Step::SwitchCounting { by_hand: true },
        Step::AnnounceLastRound,
        Step::TakeBackLastRound,
        Step::Suspend,
        Step::Resume,
        Step::CloseTable,
    ];
    let questions = [
        Question::DiceNotInPlace,
        Question::ReadingsDisagree,
        Question::Uncovered {
            what: String::new(),
        },
        Question::TerminalOpenCase { station },
        Question::BetStatus { station },
        Question::ChipsUnrecorded {
            station,
            means: Means::CashChips,
            lines: Vec::new(),
            by: PersonId(0),
        },
        Question::DeviceFailure,
        Question::TechnicalStop {
            what: String::new(),
            established: false,
        },
        Question::Interpretation {
            what: String::new(),
        },
        Question::DamagedRound {
            reporter: PersonId(0),
        },
        Question::AffectedRounds {
            dice_set: String::new(),
            last: None,
        },
        Question::CorrectionProposed {
            round: RoundNumber(1),
            proposal: 1,
            by: PersonId(0),
        },
    ];
    let mut facts: BTreeSet<(String, String)> = BTreeSet::new();
    for book in RuleBook::all() {
        let info = sicbo_server::wire::rules::BookInfo::of(book);
        for fact in info.play.iter().chain(&info.irregular) {
            facts.insert((fact.about.clone(), fact.is.clone()));
        }
    }
    // Tables that stood open with a book of an earlier program.
    for (about, is) in [
        ("tumble_window", "before-close"),
        ("late_placement", "dealer-decides"),
        ("late_increase", "dealer-decides"),
        ("late_withdrawal", "dealer-decides"),
    ] {
        facts.insert((about.to_owned(), is.to_owned()));
    }
    let facts: Vec<String> = facts
        .iter()
        .map(|(about, is)| format!("{about}={is}"))
        .collect();
    let practice = sicbo_server::wire::practice::words();
    let practised = |name: &str| -> Vec<&str> {
        let list = practice.iter().find(|(list, _)| *list == name);
        let (_, words) = list.expect("a list of practice");
        words.iter().map(String::as_str).collect()
    };
    let lists: Vec<(&str, &str, Vec<&str>)> = vec![
        (
            "REFUSALS",
            "Codes of refusals, of tables and of the house.",
            refusals.into_iter().collect(),
        ),
        (
            "CAUSES",
            "Causes for which a round is void.",
            keys::<Cause>(),
        ),
        ("MATTERS", "Matters a position decides.", keys::<Matter>()),
        ("POSITIONS", "Positions in a house.", keys::<Position>()),
        (
            "STEPS",
            "Steps that can be offered on a screen.",
            steps.iter().map(Step::key).collect(),
        ),
        (
            "QUESTIONS",
            "What a decision can be about.",
            std::iter::once("interrupted")
                .chain(questions.iter().map(Question::key))
                .collect(),
        ),
        (
            "KINDS",
            "Kinds of bets.",
            Kind::ALL.iter().map(|kind| kind.key()).collect(),
        ),
        (
            "FACTS",
            "What the rule books say of play and of what goes wrong.",
            facts.iter().map(String::as_str).collect(),
        ),
        (
            "SITUATIONS",
            "What can happen in a round of practice.",
            practised("situation"),
        ),
        ("PACKS", "Packs of practice.", practised("pack")),
        ("SKILLS", "What is graded in practice.", practised("skill")),
        (
            "VERDICTS",
            "What the coach of practice says.",
            practised("verdict"),
        ),
        (
            "RESPONSES",
            "What a trainee must do about a situation.",
            practised("response"),
        ),
        (
            "CONSEQUENCES",
            "What a book makes of a situation.",
            practised("consequence"),
        ),
    ];
    let mut text = String::from(
        "// Made from the Rust lists by the tests of sicbo-server; not to be edited.\n\
         // Every word here has a message in every language, or the build fails.\n",
    );
    for (name, about, words) in lists {
        let _ = write!(text, "\n/** {about} */\nexport const {name} = [\n");
        for word in words {
            let _ = writeln!(text, "  '{word}',");
        }
        text.push_str("] as const;\n");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/words.ts");
    if std::env::var_os("SICBO_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        known, text,
        "web/src/words.ts is stale: run the tests with SICBO_BLESS=1"
    );
}
