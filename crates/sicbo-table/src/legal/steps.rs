//! The conditions of every step, with who may take it and the rule.

use sicbo_rules::Citation;
use sicbo_rules::rulebook::words::{AfterInterruption, Cause, Closing, Matter, TumbleWindow};

use super::state::{State, tumbled};
use super::{LegalAct, Step, Who};
use crate::actor::Device;
use crate::authority::{self, DEALING, Needed, SUPERVISING, TABLE_STAFF, WATCHING};
use crate::command::{Counting, Ruling};
use crate::ids::StationId;
use crate::pending::{Pending, Question};
use crate::round::{CoverState, Phase, Tumble};
use crate::station::StationKind;
use crate::table::{Status, Table};

const DEALER: Who = Who::person(DEALING);

fn act(step: Step, who: Vec<Who>, rule: Option<String>) -> LegalAct {
    LegalAct {
        step,
        who,
        rule,
        next: false,
    }
}

/// The order of play.
pub(super) fn of_play(table: &Table, acts: &mut Vec<LegalAct>) {
    let Some(state) = State::of(table) else {
        return;
    };
    let play = &state.book.play;
    let cite = |citation: &Citation| Some(table.cite(citation));
    let mut legal = |condition: bool, step: Step, who: &[Who], rule: Option<String>| {
        if condition {
            acts.push(act(step, who.to_vec(), rule));
        }
    };
    let closed = state.going_in(Phase::Closed);

    // The tumbler itself can run out of order; the dealer cannot make it.
    let fresh = state.may_begin() || state.going().is_some_and(|r| r.tumble == Tumble::None);
    // A machine that runs a second time, or while play is stopped, is reported,
    // never asked for; that it ran while play is stopped only once.
    let ran = match state.round {
        None => state.may_begin() || !table.ran_on,
        Some(round) if state.held => round.tumble != Tumble::Activated && !table.ran_on,
        Some(_) => state
            .going()
            .is_some_and(|round| round.tumble != Tumble::Activated),
    };
    let device = Who::Device(Device::Tumbler);
    let activators: &[Who] = if fresh && state.window_open() {
        &[DEALER, device]
    } else {
        &[device]
    };
    legal(
        ran,
        Step::ActivateTumbler,
        activators,
        cite(&play.tumble_window.cite),
    );
    // The dealer does not count in place of a tumbler on the line.
    let counters: &[Who] = match state.table.counting {
        Counting::Line => &[device],
        Counting::Either | Counting::Hand => &[DEALER, device],
    };
    legal(
        state.round.is_some_and(|r| r.tumble == Tumble::Activated),
        Step::ReportTumbles,
        counters,
        cite(&play.minimum_tumbles.cite),
    );
    let begins = state.may_begin() && state.window() != TumbleWindow::BeforeOpen;
    let prepared = state.going_in(Phase::Prepared);
    legal(
        begins || prepared.is_some_and(tumbled),
        Step::CallBets,
        &[DEALER],
        cite(&state.book.words.place_bets.cite),
    );
    let tumble_before = matches!(
        play.tumble_window.is,
        TumbleWindow::BeforeOpen | TumbleWindow::BeforeClose | TumbleWindow::UntilClose
    );
    let closers: &[Who] = match play.closes.is {
        Closing::TerminalDisplay => &[DEALER, Who::House],
        Closing::Announcement => &[DEALER],
    };
    legal(
        state
            .going_in(Phase::Betting)
            .is_some_and(|r| match r.tumble {
                Tumble::Valid { .. } => true,
                Tumble::None => !tumble_before,
                Tumble::Activated | Tumble::Invalid { .. } => false,
            }),
        Step::CloseBets,
        closers,
        cite(&play.closes.cite),
    );
    legal(
        state.has_deal_button() && closed.is_some_and(|r| !r.deal_pressed),
        Step::PressDeal,
        &[DEALER],
        play.deal_button.as_ref().and_then(|b| cite(&b.cite)),
    );
    legal(
        closed.is_some_and(|r| {
            r.cover == CoverState::Covered
                && tumbled(r)
                && (r.deal_pressed || !state.has_deal_button())
        }),
        Step::Uncover,
        &[DEALER],
        cite(&play.cover.cite),
    );
    legal(
        state.visible().is_some_and(|r| !r.flat),
        Step::ConfirmFlat,
        &[DEALER],
        cite(&play.flat_check.cite),
    );
    of_result(state, &mut legal);
}

/// From the reading of the dice to the payment.
fn of_result(state: State<'_>, legal: &mut impl FnMut(bool, Step, &[Who], Option<String>)) {
    let readable = state.readable();
    let keyed = readable.and_then(|round| round.keyed);
    let flat = Some(state.table.cite(&state.book.play.flat_check.cite));
    // Two readings by one person are one reading, whichever came first.
    let keyer = Who::Person {
        needed: DEALING,
        but: readable.and_then(|round| round.second?.by),
    };
    legal(readable.is_some(), Step::KeyDice, &[keyer], flat);
    legal(keyed.is_some(), Step::ClearKeys, &[DEALER], None);
    let independent = Who::Person {
        needed: SUPERVISING,
        but: state.round.and_then(|round| round.keyed?.by),
    };
    legal(
        state.visible().is_some_and(|round| round.flat),
        Step::ReadSecond,
        &[independent, Who::Device(Device::DiceReader)],
        None,
    );
    let enough = readable.zip(keyed).is_some_and(|(round, keyed)| {
        round.second.is_some() || !state.second_reading_wanted(round, keyed.dice)
    });
    legal(enough, Step::ConfirmResult, &[DEALER], None);

    let lit_rule = state.book.play.lit_layout.as_ref();
    let lit_rule = || lit_rule.map(|lit| state.table.cite(&lit.cite));
    let confirmed = state
        .going_in(Phase::Closed)
        .filter(|round| state.has_lights() && round.confirmed.is_some());
    legal(
        confirmed.is_some_and(|round| round.lights.is_none()),
        Step::ReportLights,
        &[DEALER, Who::Device(Device::Lights)],
        lit_rule(),
    );
    legal(
        confirmed.is_some_and(|round| round.lights.is_some()),
        Step::TakeAndPay,
        &[DEALER],
        lit_rule(),
    );
}

/// Voids of the current round, and what waits to be decided.
pub(super) fn of_decisions(table: &Table, acts: &mut Vec<LegalAct>) {
    let Some(state) = State::of(table) else {
        // What waits when a table has closed can still be decided.
        for pending in &table.pending {
            of_pending((false, table.dice_condemned), pending, acts);
        }
        if table.config.is_some() {
            of_holds(table, acts);
        }
        return;
    };
    of_holds(table, acts);
    let devices = [
        Device::Tumbler,
        Device::DiceReader,
        Device::Lights,
        Device::NoteAcceptor,
    ];
    let mut heard = vec![Who::person(TABLE_STAFF), Who::House];
    heard.extend(devices.map(Who::Device));
    let stop = match &state.book.interruption.device_failure {
        Some(failure) => table.cite(&failure.cite),
        None => table.cite(&state.book.interruption.no_outcome.cite),
    };
    acts.push(act(Step::ReportDeviceFailure, heard, Some(stop)));
    if let Some(round) = state.round {
        let declarer = if state.config.void_by_supervisor {
            Who::person(SUPERVISING)
        } else {
            DEALER
        };
        for void in &state.book.voiding.causes {
            let who = match state.fits(round, void.cause) {
                None => continue,
                Some(true) => declarer,
                Some(false) => Who::TwoPersons {
                    first: DEALING,
                    second: SUPERVISING,
                },
            };
            let step = Step::DeclareVoid { cause: void.cause };
            acts.push(act(step, vec![who], Some(table.cite(&void.cite))));
        }
        let decider = Who::person(authority::decider(table, Matter::Uncovered));
        let rule = authority::decider_rule(table, Matter::Uncovered);
        acts.push(act(Step::RuleVoid, vec![decider], rule));
    }
    for pending in &table.pending {
        // The readings are settled last: what else holds the round comes first.
        let readings = pending.question == Question::ReadingsDisagree;
        let other = |waits: &Pending| waits.id != pending.id && waits.question.holds_round();
        if !(readings && table.pending.iter().any(other)) {
            of_pending((state.round.is_some(), table.dice_condemned), pending, acts);
        }
    }
}

/// Matters that hold play for whoever the book names, in a round and between
/// two, and word of failures (R-200 to R-202, 004 7.1).
fn of_holds(table: &Table, acts: &mut Vec<LegalAct>) {
    let staff = || vec![Who::person(TABLE_STAFF)];
    let uncovered = |pending: &Pending| matches!(pending.question, Question::Uncovered { .. });
    if !table.pending.iter().any(uncovered) {
        let rule = authority::decider_rule(table, Matter::Uncovered);
        acts.push(act(Step::Hold, staff(), rule));
    }
    let meaning = |pending: &Pending| matches!(pending.question, Question::Interpretation { .. });
    if !table.pending.iter().any(meaning) {
        let rule = authority::decider_rule(table, Matter::Interpretation);
        acts.push(act(Step::HoldForMeaning, staff(), rule));
    }
    for notice in table.notices.iter().filter(|notice| notice.read.is_none()) {
        let who = Who::person(Needed {
            position: notice.inform,
            or_above: true,
        });
        let step = Step::AcknowledgeNotice { notice: notice.id };
        acts.push(act(step, vec![who], Some(notice.rule.clone())));
    }
}

fn of_pending((round, condemned): (bool, bool), pending: &Pending, acts: &mut Vec<LegalAct>) {
    let needed = Needed {
        position: pending.by,
        or_above: pending.or_above,
    };
    let id = pending.id;
    let mut push = |step: Step, who: Who| {
        acts.push(act(step, vec![who], Some(pending.rule.clone())));
    };
    let rule = |ruling: Ruling| Step::Rule {
        pending: id,
        ruling,
    };
    match &pending.question {
        Question::Interrupted { then, .. } if round => {
            // The dealer's word that the dice are in place needs a witness (J-05);
            // that they are not, one person may say.
            let who = match then {
                AfterInterruption::Void => Who::person(needed),
                AfterInterruption::Conclude
                | AfterInterruption::FinishByDiceThenSuspend
                | AfterInterruption::StopUntilApproved => Who::TwoPersons {
                    first: needed,
                    second: SUPERVISING,
                },
            };
            push(Step::ConfirmInterruption { pending: id }, who);
            if *then != AfterInterruption::Void {
                let step = Step::DiceNotInPlace { pending: id };
                push(step, Who::person(needed));
            }
        }
        Question::ReadingsDisagree if round => {
            let who = Who::TwoPersons {
                first: SUPERVISING,
                second: TABLE_STAFF,
            };
            push(Step::ResolveReadings { pending: id }, who);
        }
        Question::Interrupted { .. } | Question::ReadingsDisagree => {}
        Question::TechnicalStop { .. } => {
            if round {
                push(rule(Ruling::Affected), Who::person(needed));
            }
            push(rule(Ruling::NotAffected), Who::person(needed));
        }
        Question::Uncovered { .. } | Question::Interpretation { .. } | Question::DiceNotInPlace => {
            push(rule(Ruling::Conclude), Who::person(needed));
            if round {
                push(rule(Ruling::Void), Who::person(needed));
            }
        }
        Question::DamagedRound { reporter } if round => {
            let who = Who::Person {
                needed,
                but: Some(*reporter),
            };
            push(rule(Ruling::Void), who);
            if !condemned {
                push(rule(Ruling::Conclude), who);
            }
        }
        Question::DamagedRound { .. } => {}
        Question::AffectedRounds { .. } => {
            let who = Who::TwoPersons {
                first: needed,
                second: SUPERVISING,
            };
            push(rule(Ruling::Accept), who);
        }
        Question::TerminalOpenCase { .. } | Question::DeviceFailure => {
            push(rule(Ruling::Accept), Who::person(needed));
        }
        Question::BetStatus { .. } => {
            push(rule(Ruling::AtClose), Who::person(needed));
        }
        // Whoever recorded the chips is the one who cannot attest them.
        Question::ChipsUnrecorded { by, .. } if round => {
            let who = Who::Person {
                needed,
                but: Some(*by),
            };
            push(Step::AttestPositions { pending: id }, who);
        }
        Question::ChipsUnrecorded { .. } => {}
        Question::CorrectionProposed { .. } => {
            push(rule(Ruling::Release), Who::person(needed));
        }
    }
}

/// Opening, closing and stopping the table, and its dice.
pub(super) fn of_the_desk(table: &Table, acts: &mut Vec<LegalAct>) {
    let suspended = table.status == Status::Suspended;
    let supervisor = Who::person(SUPERVISING);
    if let Some(config) = table.config.as_deref() {
        let with = |second: Needed| Who::TwoPersons {
            first: SUPERVISING,
            second,
        };
        let damaged = table.damaged.contains(&config.dice_set);
        let listed = config.book.void_cause(Cause::DiceDamaged);
        if !damaged {
            let rule = listed.map(|void| table.cite(&void.cite));
            let who = vec![Who::person(TABLE_STAFF)];
            acts.push(act(Step::ReportDamage, who, rule));
        }
        if !table.damaged.is_empty() || table.dice_condemned {
            let who = vec![with(TABLE_STAFF), with(WATCHING)];
            acts.push(act(Step::FindDiceSound, who, None));
        }
    }
    if table.config.is_some() && table.round.is_none() {
        // Custody of the dice takes two persons (P-035), whether or not the table plays.
        let with = |second: Needed| Who::TwoPersons {
            first: SUPERVISING,
            second,
        };
        let who = vec![with(TABLE_STAFF), with(WATCHING)];
        acts.push(act(Step::ChangeDice, who, None));
    }
    if table.round.is_none() && table.status != Status::Closed && table.counting != Counting::Either
    {
        let by_hand = table.counting == Counting::Line;
        let two = Who::TwoPersons {
            first: SUPERVISING,
            second: TABLE_STAFF,
        };
        acts.push(act(Step::SwitchCounting { by_hand }, vec![two], None));
    }
    let Some(state) = State::of(table) else {
        return;
    };
    let over = suspended || table.last_round_announced == Some(true);
    if state.round.is_none() && over {
        acts.push(act(Step::CloseTable, vec![Who::House, supervisor], None));
    }
    if table.last_round_announced.is_none() {
        let who = vec![Who::House, Who::person(TABLE_STAFF)];
        acts.push(act(Step::AnnounceLastRound, who, None));
    } else {
        acts.push(act(Step::TakeBackLastRound, vec![supervisor], None));
    }
    if !suspended {
        acts.push(act(Step::Suspend, vec![Who::House, supervisor], None));
        return;
    }
    let failure = table
        .pending
        .iter()
        .find(|pending| pending.question == Question::DeviceFailure);
    match failure {
        Some(pending) => {
            let matter = Matter::ResumeAfterDeviceFailure;
            let who = vec![Who::person(authority::decider(table, matter))];
            acts.push(act(Step::Resume, who, Some(pending.rule.clone())));
        }
        None => acts.push(act(Step::Resume, vec![supervisor], None)),
    }
}

/// Steps of single stations.
pub(super) fn of_stations(table: &Table, acts: &mut Vec<LegalAct>) {
    let Some(state) = State::of(table) else {
        return;
    };
    let Some(round) = state.round else {
        return;
    };
    let play = &state.book.play;
    let by_display = play.closes.is == Closing::TerminalDisplay;
    let after_close = state
        .going_in(Phase::Closed)
        .is_some_and(|round| round.confirmed.is_none());
    let stations = table.stations.iter().zip(&round.stations).enumerate();
    for (i, (at, part)) in stations.filter(|(_, (at, _))| !at.removed) {
        let station = StationId(i as u32);
        let silent = part.awaited && !part.acknowledged && !part.fenced;
        let closing = round.phase == Phase::Closing && silent;
        let mut legal = |condition: bool, step: Step, who: Who, rule: &Citation| {
            if condition {
                acts.push(act(step, vec![who], Some(table.cite(rule))));
            }
        };
        let player = Who::Station(station);
        legal(
            closing,
            Step::AcknowledgeClose { station },
            player,
            &play.closes.cite,
        );
        legal(
            closing,
            Step::Fence { station },
            Who::House,
            &play.closes.cite,
        );
        // what comes before the acknowledgement was placed before the close was shown.
        let open = state.going().is_some_and(|round| match round.phase {
            Phase::Betting => !part.fenced,
            Phase::Closing => by_display && silent,
            Phase::Prepared | Phase::Closed => false,
        });
        let bettor = match at.kind {
            StationKind::Terminal => player,
            StationKind::Seat => DEALER,
        };
        let places = &state.book.words.place_bets.cite;
        legal(open, Step::PlaceBets { station }, bettor, places);
        if at.kind == StationKind::Seat && after_close {
            legal(
                true,
                Step::RecordPositions { station },
                DEALER,
                &play.positions.cite,
            );
            legal(
                round.cover == CoverState::Uncovered,
                Step::ObservePositions { station },
                DEALER,
                &play.positions.cite,
            );
            let late = &state.book.late.placement.cite;
            legal(true, Step::RecordLate { station }, DEALER, late);
        }
    }
}
