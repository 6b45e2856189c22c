//! What staff mean as what their screens send: JSON of the wire.

use serde_json::{Value, json};
use sicbo_rules::rulebook::words::Word as _;
use sicbo_table::Act;
use sicbo_table::positions::{Line, Means};

fn stakes(lines: &[Line]) -> Value {
    let lines = lines.iter();
    let lines = lines.map(|line| {
        let section = line.section.to_string();
        json!({"section": section, "stake": line.stake.minor()})
    });
    lines.collect()
}

fn means(means: Means) -> Value {
    match means {
        Means::ColourChips => json!("colour_chips"),
        Means::Credit | Means::CashChips => json!("cash_chips"),
    }
}

/// What a screen sends for an act; `request` numbers what moves money. Nothing
/// where no screen can say it.
pub(super) fn speech(act: &Act, request: u64) -> Option<Value> {
    Some(match act {
        Act::ActivateTumbler => json!({"act": "activate_tumbler"}),
        Act::ReportTumbles {
            count,
            all_dice_moved,
        } => json!({"act": "report_tumbles", "count": count, "all_dice_moved": all_dice_moved}),
        Act::CallBets => json!({"act": "call_bets"}),
        Act::CloseBets => json!({"act": "close_bets"}),
        Act::PressDeal => json!({"act": "press_deal"}),
        Act::Uncover => json!({"act": "uncover"}),
        Act::ConfirmFlat => json!({"act": "confirm_flat"}),
        Act::KeyDice { dice } => json!({"act": "key_dice", "dice": dice.faces()}),
        Act::ClearKeys => json!({"act": "clear_keys"}),
        Act::ReadSecond { dice } => json!({"act": "read_second", "dice": dice.faces()}),
        Act::ConfirmResult => json!({"act": "confirm_result"}),
        Act::ReportLights { lit } => json!({"act": "report_lights", "lit": lit}),
        Act::TakeAndPay => json!({"act": "take_and_pay"}),
        Act::DeclareVoid { cause } => json!({"act": "declare_void", "cause": cause.key()}),
        Act::ReportDamage { note } => json!({"act": "report_damage", "note": note}),
        Act::FindDiceSound { dice_set, text } => {
            json!({"act": "find_dice_sound", "dice_set": dice_set, "text": text})
        }
        Act::RaiseIncident { kind, note } => {
            json!({"act": "raise_incident", "kind": kind, "note": note})
        }
        Act::Hold { what, about } => json!({"act": "hold", "what": what, "about": about}),
        Act::ReportDeviceFailure { what, part } => {
            json!({"act": "declare_technical_stop", "what": what, "part": part})
        }
        Act::SwitchCounting { by_hand } => json!({"act": "switch_counting", "by_hand": by_hand}),
        Act::AcknowledgeNotice { notice } => {
            json!({"act": "acknowledge_notice", "notice": notice.0})
        }
        Act::ConfirmInterruption {
            pending,
            dice_in_place,
        } => json!({"act": "confirm_interruption", "pending": pending.0,
            "dice_in_place": dice_in_place}),
        Act::Rule {
            pending,
            ruling,
            reason,
        } => json!({"act": "rule", "pending": pending.0, "ruling": ruling, "reason": reason}),
        Act::RuleVoid { reason } => json!({"act": "rule_void", "reason": reason}),
        Act::ResolveReadings { pending, dice } => {
            json!({"act": "resolve_readings", "pending": pending.0, "dice": dice.faces()})
        }
        Act::CorrectResult {
            record,
            dice,
            evidence,
            conducted,
            ..
        } => json!({"act": "correct_result", "round": record.number.0, "dice": dice.faces(),
            "evidence": evidence, "conducted": conducted}),
        Act::VoidRounds {
            records,
            cause,
            pending,
            reason,
        } => {
            let rounds: Vec<u64> = records.iter().map(|record| record.number.0).collect();
            json!({"act": "void_rounds", "rounds": rounds, "cause": cause.map(|c| c.key()),
                "pending": pending.map(|id| id.0), "reason": reason})
        }
        Act::Recover {
            recoverable,
            amount,
        } => json!({"act": "recover", "request": request, "recoverable": recoverable.0,
            "amount": amount.minor()}),
        Act::Waive {
            recoverable,
            reason,
        } => json!({"act": "waive", "request": request, "recoverable": recoverable.0,
            "reason": reason}),
        Act::PayUnclaimed { unclaimed } => {
            json!({"act": "pay_unclaimed", "request": request, "unclaimed": unclaimed.0})
        }
        Act::AttestPositions {
            pending,
            lay_there,
            bookmark,
        } => json!({"act": "attest_positions", "pending": pending.0, "lay_there": lay_there,
            "bookmark": bookmark}),
        Act::AnnounceLastRound => json!({"act": "announce_last_round"}),
        Act::CloseTable => json!({"act": "close_table"}),
        Act::Suspend { reason } => json!({"act": "suspend", "reason": reason}),
        Act::Resume => json!({"act": "resume"}),
        Act::ChangeDice { dice_set } => json!({"act": "change_dice", "dice_set": dice_set}),
        Act::MoveChips { how, amount, slip } => {
            json!({"act": "move_chips", "request": request, "how": how,
                "amount": amount.minor(), "slip": slip})
        }
        Act::AssignColour {
            station,
            colour,
            value,
        } => json!({"act": "assign_colour", "station": station.0, "colour": colour,
            "value": value.minor()}),
        Act::ReleaseColour { station } => {
            json!({"act": "release_colour", "station": station.0})
        }
        Act::MoveColour {
            station,
            how,
            amount,
        } => json!({"act": "move_colour", "request": request, "station": station.0, "how": how,
            "amount": amount.minor()}),
        Act::TransferOut { station, amount } => {
            json!({"act": "transfer_out", "request": request, "station": station.0,
                "amount": amount.minor()})
        }
        Act::HandPay { station, amount } => {
            json!({"act": "hand_pay", "request": request, "station": station.0,
                "amount": amount.minor()})
        }
        other => return of_bets(other),
    })
}

/// Bets that staff take, and chips they write down.
fn of_bets(act: &Act) -> Option<Value> {
    Some(match act {
        Act::PlaceBets {
            station,
            round,
            bet,
            means: with,
            lines,
        } => json!({"act": "place_bets", "station": station.0, "round": round.0, "bet": bet.0,
            "means": means(*with), "lines": stakes(lines)}),
        Act::RemoveBets {
            station,
            round,
            bet,
            means: with,
            lines,
        } => json!({"act": "remove_bets", "station": station.0, "round": round.0, "bet": bet.0,
            "means": means(*with), "lines": stakes(lines)}),
        Act::ClearBets {
            station,
            round,
            bet,
        } => json!({"act": "clear_bets", "station": station.0, "round": round.0, "bet": bet.0}),
        Act::CallBet {
            station,
            round,
            bet,
            lines,
            chips_present,
        } => json!({"act": "call_bet", "station": station.0, "round": round.0, "bet": bet.0,
            "lines": stakes(lines), "chips_present": chips_present}),
        Act::RecordPositions {
            station,
            round,
            bet,
            means: with,
            lines,
        } => json!({"act": "record_positions", "station": station.0, "round": round.0,
            "bet": bet.0, "means": means(*with), "lines": stakes(lines)}),
        Act::ObservePositions {
            station,
            round,
            means: with,
            lines,
        } => json!({"act": "observe_positions", "station": station.0, "round": round.0,
            "means": means(*with), "lines": stakes(lines)}),
        Act::RecordLate {
            station,
            round,
            late,
            means: with,
            line,
        } => json!({"act": "record_late", "station": station.0, "round": round.0, "late": late,
            "means": means(*with),
            "line": {"section": line.section.to_string(), "stake": line.stake.minor()}}),
        _ => return None,
    })
}
