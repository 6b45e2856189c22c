//! The table of decisions, exhaustively: every act of the engine by everyone
//! who could ask for it, under every book, against `decisions.txt`, which is
//! written from the documents. What is new in the engine and has no row fails.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use sicbo_rules::RuleBook;
use sicbo_rules::rulebook::words::{Cause, Position, Word as _};
use sicbo_table::actor::{Actor, Device, Staff};
use sicbo_table::command::{ChipMove, ColourMove, CreditSource, IncidentKind, LateKind, Ruling};
use sicbo_table::ids::{PersonId, StationId};
use sicbo_table::pending::Question;
use sicbo_table::{Act, Command, Table, decide};

use sicbo_testkit::letters::{LETTERS, refused};

use crate::rules::blocks::Block;
use crate::rules::scenes::{TABLE, scenes};
use crate::rules::script::Runner;

/// The table, with each of the four positions above the director spelt out.
static DECISIONS: LazyLock<String> =
    LazyLock::new(|| include_str!("decisions.txt").replace('^', "1234"));
const BOOKS: [&str; 5] = [
    "rws-etg",
    "rws-open-cover",
    "mbs-etg",
    "mbs-table",
    "quang-nam-table",
];
/// Who is no person. T1 is the station that is asked about.
const OTHERS: [(char, Actor); 7] = [
    ('H', Actor::House),
    ('P', Actor::Station(StationId(0))),
    ('O', Actor::Station(StationId(1))),
    ('T', Actor::Device(Device::Tumbler)),
    ('R', Actor::Device(Device::DiceReader)),
    ('L', Actor::Device(Device::Lights)),
    ('N', Actor::Device(Device::NoteAcceptor)),
];

/// A name for each variant of a list, and all the names: a variant that is new
/// does not compile before it has one.
macro_rules! named {
    ($what:ident, $type:ty, $($pattern:pat => $name:literal),+ $(,)?) => {
        mod $what {
            use super::*;
            pub(super) const ALL: &[&str] = &[$($name),+];
            pub(super) fn name(of: &$type) -> &'static str {
                match of { $($pattern => $name),+ }
            }
        }
    };
}

named! { acts, Act,
    Act::OpenTable { .. } => "open_table",
    Act::AddStation { .. } => "add_station",
    Act::RemoveStation { .. } => "remove_station",
    Act::AnnounceLastRound => "announce_last_round",
    Act::TakeBackLastRound => "take_back_last_round",
    Act::CloseTable => "close_table",
    Act::Suspend { .. } => "suspend",
    Act::Resume => "resume",
    Act::ChangeLimits { .. } => "change_limits",
    Act::ChangeRuleBook { .. } => "change_rule_book",
    Act::ChangeDice { .. } => "change_dice",
    Act::AssignActing { .. } => "assign_acting",
    Act::EndActing { .. } => "end_acting",
    Act::Connect { .. } => "connect",
    Act::Disconnect { .. } => "disconnect",
    Act::GrantPlay { .. } => "grant_play",
    Act::SetMoneyDuties { .. } => "set_money_duties",
    Act::CountMoney { .. } => "count_money",
    Act::ReportClock { .. } => "report_clock",
    Act::SetClock { .. } => "set_clock",
    Act::BuyCredit { .. } => "buy_credit",
    Act::CashOut { .. } => "cash_out",
    Act::ReverseCashOut { .. } => "reverse_cash_out",
    Act::TransferOut { .. } => "transfer_out",
    Act::HandPay { .. } => "hand_pay",
    Act::ForgetVoucher { .. } => "forget_voucher",
    Act::MoveChips { .. } => "move_chips",
    Act::AssignColour { .. } => "assign_colour",
    Act::ReleaseColour { .. } => "release_colour",
    Act::MoveColour { .. } => "move_colour",
    Act::Adjust { .. } => "adjust",
    Act::SettleCase { .. } => "settle_case",
    Act::PlaceBets { .. } => "place_bets",
    Act::RemoveBets { .. } => "remove_bets",
    Act::ClearBets { .. } => "clear_bets",
    Act::CallBet { .. } => "call_bet",
    Act::RecordPositions { .. } => "record_positions",
    Act::ObservePositions { .. } => "observe_positions",
    Act::RecordLate { .. } => "record_late",
    Act::AttestPositions { .. } => "attest_positions",
    Act::ActivateTumbler => "activate_tumbler",
    Act::ReportTumbles { .. } => "report_tumbles",
    Act::CommitTumble { .. } => "commit_tumble",
    Act::RevealTumble { .. } => "reveal_tumble",
    Act::CallBets => "call_bets",
    Act::CloseBets => "close_bets",
    Act::AcknowledgeClose { .. } => "acknowledge_close",
    Act::Fence { .. } => "fence",
    Act::PressDeal => "press_deal",
    Act::Uncover => "uncover",
    Act::ConfirmFlat => "confirm_flat",
    Act::KeyDice { .. } => "key_dice",
    Act::ClearKeys => "clear_keys",
    Act::ReadSecond { .. } => "read_second",
    Act::ConfirmResult => "confirm_result",
    Act::ReportLights { .. } => "report_lights",
    Act::TakeAndPay => "take_and_pay",
    Act::DeclareVoid { .. } => "declare_void",
    Act::RaiseIncident { .. } => "raise_incident",
    Act::Hold { .. } => "hold",
    Act::ReportDeviceFailure { .. } => "report_device_failure",
    Act::AcknowledgeNotice { .. } => "acknowledge_notice",
    Act::BindTumbler { .. } => "bind_tumbler",
    Act::SwitchCounting { .. } => "switch_counting",
    Act::ReportCover { .. } => "report_cover",
    Act::Interrupt { .. } => "interrupt",
    Act::ConfirmInterruption { .. } => "confirm_interruption",
    Act::Rule { .. } => "rule",
    Act::RuleVoid { .. } => "rule_void",
    Act::ResolveReadings { .. } => "resolve_readings",
    Act::CorrectResult { .. } => "correct_result",
    Act::HoldForCorrection { .. } => "hold_for_correction",
    Act::EndCorrection { .. } => "end_correction",
    Act::VoidRounds { .. } => "void_rounds",
    Act::ReportDamage { .. } => "report_damage",
    Act::FindDiceSound { .. } => "find_dice_sound",
    Act::Recover { .. } => "recover",
    Act::Waive { .. } => "waive",
    Act::PayUnclaimed { .. } => "pay_unclaimed",
}
named! { sources, CreditSource,
    CreditSource::Cash => "cash",
    CreditSource::Voucher(_) => "voucher",
    CreditSource::Cage => "cage",
    CreditSource::Attendant => "attendant",
}
named! { chips, ChipMove,
    ChipMove::Bought => "bought",
    ChipMove::Brought => "brought",
    ChipMove::TakenAway => "taken-away",
    ChipMove::Fill => "fill",
    ChipMove::CreditSlip => "credit-slip",
    ChipMove::Tip => "tip",
}
named! { colours, ColourMove,
    ColourMove::BoughtWithCash => "bought",
    ColourMove::ExchangedFromChips => "from-chips",
    ColourMove::ExchangedForChips => "for-chips",
}
named! { late, LateKind,
    LateKind::Placement => "placement",
    LateKind::Increase => "increase",
    LateKind::Withdrawal => "withdrawal",
}
named! { incidents, IncidentKind,
    IncidentKind::CallSupervisor => "call-supervisor",
    IncidentKind::CallAttendant => "call-attendant",
    IncidentKind::Counterfeit => "counterfeit",
    IncidentKind::Dispute => "dispute",
    IncidentKind::Other => "other",
}
named! { rulings, Ruling,
    Ruling::Void => "void",
    Ruling::Conclude => "conclude",
    Ruling::Accept => "accept",
    Ruling::AtClose => "at-close",
    Ruling::AsTheyLie => "as-they-lie",
    Ruling::Affected => "affected",
    Ruling::NotAffected => "not-affected",
    Ruling::Release => "release",
}
// What is ruled on, and what has an act of its own.
named! { questions, Question,
    Question::Interrupted { .. } => "interrupted",
    Question::DiceNotInPlace => "dice-not-in-place",
    Question::ReadingsDisagree => "readings-disagree",
    Question::Uncovered { .. } => "uncovered",
    Question::TerminalOpenCase { .. } => "terminal-open-case",
    Question::BetStatus { .. } => "bet-status",
    Question::ChipsUnrecorded { .. } => "chips-unrecorded",
    Question::DeviceFailure => "device-failure",
    Question::TechnicalStop { .. } => "technical-stop",
    Question::Interpretation { .. } => "interpretation",
    Question::DamagedRound { .. } => "damaged-round",
    Question::AffectedRounds { .. } => "affected-rounds",
    Question::CorrectionProposed { .. } => "correction-proposed",
}

/// The rulings that answer each question; none where an act of its own does.
/// Every ruling answers something.
fn answers(question: &str) -> &'static [&'static str] {
    match question {
        "interrupted" | "readings-disagree" | "chips-unrecorded" => &[],
        "correction-proposed" => &["release"],
        "dice-not-in-place" | "uncovered" | "interpretation" | "damaged-round" => {
            &["void", "conclude"]
        }
        "technical-stop" => &["affected", "not-affected"],
        "terminal-open-case" | "device-failure" | "affected-rounds" => &["accept"],
        "bet-status" => &["at-close"],
        other => panic!("no question {other}"),
    }
}

/// The name of the row an act belongs to, as far as the act itself says.
fn row_of(table: &Table, act: &Act) -> String {
    let of = |what: &str| format!("{}:{what}", acts::name(act));
    match act {
        Act::DeclareVoid { cause } => of(cause.key()),
        Act::AssignActing { position, .. } | Act::EndActing { position, .. } => of(position.key()),
        Act::BuyCredit { source, .. } => of(sources::name(source)),
        Act::MoveChips { how, .. } => of(chips::name(how)),
        Act::MoveColour { how, .. } => of(colours::name(how)),
        Act::RecordLate { late, .. } => of(late::name(late)),
        Act::RaiseIncident { kind, .. } => of(incidents::name(kind)),
        Act::Rule {
            pending, ruling, ..
        } => {
            let asked = table.pending.iter().find(|p| p.id == *pending);
            let question = questions::name(&asked.expect("a question").question);
            of(&format!("{question}:{}", rulings::name(ruling)))
        }
        _ => acts::name(act).to_owned(),
    }
}

/// Every row there must be, by the engine's own lists.
fn required() -> BTreeSet<String> {
    let mut rows = BTreeSet::new();
    for act in acts::ALL {
        let each = |names: Vec<&str>| -> Vec<String> {
            names.iter().map(|name| format!("{act}:{name}")).collect()
        };
        rows.extend(match *act {
            "declare_void" => each(Cause::all().iter().map(|cause| cause.key()).collect()),
            "assign_acting" | "end_acting" => {
                each(Position::all().iter().map(|p| p.key()).collect())
            }
            "buy_credit" => each(sources::ALL.to_vec()),
            "move_chips" => each(chips::ALL.to_vec()),
            "move_colour" => each(colours::ALL.to_vec()),
            "record_late" => each(late::ALL.to_vec()),
            "raise_incident" => each(incidents::ALL.to_vec()),
            "rule" => {
                let asked = questions::ALL.iter();
                asked
                    .flat_map(|q| answers(q).iter().map(move |a| format!("rule:{q}:{a}")))
                    .collect()
            }
            act => vec![act.to_owned()],
        });
    }
    rows
}

/// Who may, under one book.
#[derive(Clone, Debug)]
enum Cell {
    NotApplicable,
    One(String),
    Two(String, String),
    /// Those who are listened to hear this code.
    Lacking(String, String),
    /// Everyone hears this code.
    Never(String),
}

impl Cell {
    fn read(text: &str) -> Cell {
        match (text, text.split_once('!'), text.split_once('+')) {
            ("n/a", ..) => Cell::NotApplicable,
            ("-", ..) => Cell::One(String::new()),
            (_, Some(("", code)), _) => Cell::Never(code.to_owned()),
            (_, Some((who, code)), _) => Cell::Lacking(who.to_owned(), code.to_owned()),
            (_, None, Some((one, other))) => Cell::Two(one.to_owned(), other.to_owned()),
            _ => Cell::One(text.to_owned()),
        }
    }
}

struct Row {
    name: &'static str,
    cells: Vec<Cell>,
    otherwise: &'static str,
}

impl Row {
    /// The code for one who is not named.
    fn refused(&self, book: &str, letter: char) -> &'static str {
        let form = match self.otherwise.split_once('|') {
            Some((terminals, _)) if book.ends_with("etg") || book == "rws-open-cover" => terminals,
            Some((_, seats)) => seats,
            None => self.otherwise,
        };
        refused(form, letter)
    }
}

fn rows() -> Vec<Row> {
    let lines = DECISIONS.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [name, cells @ ..] = &words[..] else {
                panic!("{line}")
            };
            assert!(cells.len() >= 7, "no rule is cited: {line}");
            for letter in cells[..5]
                .iter()
                .flat_map(|cell| cell.split('!').next().unwrap_or("").chars())
            {
                assert!("dsmhr1234ovcagteHPOTRLN+-/na".contains(letter), "{line}");
            }
            Row {
                name,
                cells: cells[..5].iter().map(|cell| Cell::read(cell)).collect(),
                otherwise: cells[5],
            }
        })
        .collect()
}

/// A table where only who asks matters, with what is asked.
fn scene(name: &str, book: &str) -> Option<(Runner, Act)> {
    static SCENES: LazyLock<Vec<Block>> = LazyLock::new(scenes);
    let mut found = SCENES
        .iter()
        .filter(|scene| scene.head[0] == name && scene.is_of(book));
    let (before, line) = found.next()?.staged();
    assert!(found.next().is_none(), "two scenes for {name} under {book}");
    let layout = &RuleBook::named(book).expect("a book").layouts[0].id;
    let script = format!("{TABLE}\n{before}").replace("BOOK", book);
    let script = script.replace("LAYOUT", layout);
    let line = line.replace("BOOK", book).replace("LAYOUT", layout);
    let (runner, act) = Runner::staged(&script, &line);
    let of = row_of(&runner.table, &act);
    assert!(
        name == of || name.starts_with(&format!("{of}:")) || is_variant(name),
        "{name}: {of}"
    );
    Some((runner, act))
}

/// A row that is a variant of another by the set-up of the table, or by when
/// it is asked.
fn is_variant(name: &str) -> bool {
    matches!(
        name,
        "declare_void:where-a-supervisor-is-asked-for" | "declare_void:found-later"
    )
}

fn answer(table: &Table, act: &Act, by: Actor, second: Option<Staff>) -> String {
    let command = Command {
        id: 9_000,
        at_ms: 9_000_000,
        by,
        second,
        act: act.clone(),
    };
    match decide(table, &command) {
        Ok(_) => "done".to_owned(),
        Err(refusal) => refusal.code().to_owned(),
    }
}

const ANN: PersonId = PersonId(701);
const BOB: PersonId = PersonId(702);

fn staff(person: PersonId, position: Position) -> Staff {
    Staff { person, position }
}

/// One person alone, and everyone who is no person.
fn check_alone(
    row: &Row,
    book: &str,
    cell: &Cell,
    (table, act): (&Table, &Act),
    wrong: &mut Vec<String>,
) {
    let people = LETTERS
        .iter()
        .map(|(letter, position)| (*letter, Actor::Staff(staff(ANN, *position))));
    for (letter, by) in people.chain(OTHERS) {
        let expected = match cell {
            Cell::NotApplicable => continue,
            Cell::One(who) if who.contains(letter) => "done",
            Cell::Lacking(who, code) if who.contains(letter) => code,
            Cell::Two(one, other) if one.contains(letter) || other.contains(letter) => {
                "second_person_needed"
            }
            Cell::Never(code) => code,
            _ => row.refused(book, letter),
        };
        let got = answer(table, act, by, None);
        if got != expected {
            wrong.push(format!(
                "{} {book} {letter}: {got}, not {expected}",
                row.name
            ));
        }
    }
}

/// Every pair of positions: two persons, and one person twice.
fn check_pairs(
    row: &Row,
    book: &str,
    cell: &Cell,
    (table, act): (&Table, &Act),
    wrong: &mut Vec<String>,
) {
    let Cell::Two(one, other) = cell else { return };
    for (a, first) in LETTERS {
        for (b, second) in LETTERS {
            let fits =
                (one.contains(a) && other.contains(b)) || (one.contains(b) && other.contains(a));
            for (person, good) in [(BOB, "done"), (ANN, "same_person_twice")] {
                let expected = if fits { good } else { row.refused(book, a) };
                let by = Actor::Staff(staff(ANN, first));
                let got = answer(table, act, by, Some(staff(person, second)));
                if got != expected {
                    wrong.push(format!(
                        "{} {book} {a}+{b}: {got}, not {expected}",
                        row.name
                    ));
                }
            }
        }
    }
}

/// A trainer, who is named nowhere, assigned to act in each position in turn:
/// may then do what the position may, and nothing besides.
fn check_acting(
    row: &Row,
    book: &str,
    cell: &Cell,
    (table, act): (&Table, &Act),
    wrong: &mut Vec<String>,
) {
    let trainer = staff(ANN, Position::Trainer);
    for (letter, position) in LETTERS {
        let mut table = table.clone();
        table.acting.insert((ANN, position));
        let by = Actor::Staff(trainer);
        // Nobody acts at a table that has never been open; nor does it matter there.
        let named = |who: &str| who.contains(letter) || who.contains('t');
        let director = Some(staff(BOB, Position::Director));
        let (second, expected) = match cell {
            Cell::NotApplicable => return,
            Cell::One(who) if named(who) => (None, "done"),
            Cell::Lacking(who, code) if named(who) => (None, code.as_str()),
            Cell::Never(code) => (None, code.as_str()),
            Cell::Two(one, other)
                if (named(one) && other.contains('r')) || (named(other) && one.contains('r')) =>
            {
                (director, "done")
            }
            Cell::Two(..) => (director, row.refused(book, 't')),
            _ => (None, row.refused(book, 't')),
        };
        let got = answer(&table, act, by, second);
        if got != expected {
            let name = row.name;
            wrong.push(format!(
                "{name} {book} acting {letter}: {got}, not {expected}"
            ));
        }
        // Acting does not make two persons of one.
        if let Cell::Two(one, other) = cell
            && named(one)
            && named(other)
        {
            let got = answer(&table, act, by, Some(trainer));
            if got != "same_person_twice" {
                wrong.push(format!("{} {book} acting {letter} twice: {got}", row.name));
            }
        }
    }
}

fn check_all(check: impl Fn(&Row, &str, &Cell, (&Table, &Act), &mut Vec<String>)) {
    let mut wrong = Vec::new();
    for row in rows() {
        for (book, cell) in BOOKS.iter().zip(&row.cells) {
            match (cell, scene(row.name, book)) {
                (Cell::NotApplicable, None) => {}
                (Cell::NotApplicable, Some(_)) => panic!("{} {book}: it does arise", row.name),
                (_, None) => panic!("{} {book}: no scene", row.name),
                (_, Some((runner, act))) => {
                    check(&row, book, cell, (&runner.table, &act), &mut wrong);
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_act_is_refused_to_everyone_whom_the_book_does_not_name() {
    check_all(check_alone);
}

#[test]
fn p_031_what_takes_two_persons_is_refused_to_every_other_pair() {
    check_all(check_pairs);
}

#[test]
fn r_014_whoever_acts_in_a_position_may_do_what_it_may_and_nothing_else() {
    check_all(check_acting);
}

#[test]
fn the_table_of_decisions_has_a_row_for_everything_that_can_be_asked() {
    let mut named: BTreeMap<String, usize> = BTreeMap::new();
    let required = required();
    for row in rows() {
        let known = required
            .iter()
            .filter(|key| row.name == *key || row.name.starts_with(&format!("{key}:")));
        let known = known.max_by_key(|key| key.len()).cloned();
        match known {
            Some(key) => *named.entry(key).or_default() += 1,
            None if is_variant(row.name) => {}
            None => panic!("{}: the engine has no such act", row.name),
        }
    }
    let missing: Vec<&String> = required
        .iter()
        .filter(|key| !named.contains_key(*key))
        .collect();
    assert!(missing.is_empty(), "no row for {missing:?}");
    // Only records of earlier programs hold a ruling that late chips count.
    for ruling in rulings::ALL
        .iter()
        .filter(|ruling| **ruling != "as-they-lie")
    {
        let answers = |question: &&str| answers(question).contains(ruling);
        assert!(
            questions::ALL.iter().any(answers),
            "{ruling} answers nothing"
        );
    }
    let rows: Vec<&str> = rows().iter().map(|row| row.name).collect();
    let once: BTreeSet<&str> = rows.iter().copied().collect();
    assert_eq!(once.len(), rows.len(), "a row stands there twice");
    for scene in scenes() {
        let name = scene.head[0];
        assert!(once.contains(name), "a scene without a row: {name}");
    }
}
