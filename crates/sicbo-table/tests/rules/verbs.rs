//! The verbs of a script: one for every act of the engine.

use std::sync::Arc;

use sicbo_rules::rulebook::words::{Cause, Form, Position, TumbleStep, WrongResult};
use sicbo_rules::{Currency, Dice, Money, RuleBook};
use sicbo_table::actor::{Actor, Device};
use sicbo_table::cash::{Bound, MoneyDuties};
use sicbo_table::command::{
    ChipMove, ColourMove, CreditSource, Held, IncidentKind, LateKind, NewStation, Part, Ruling,
};
use sicbo_table::config::{Limit, Limits, SecondReading};
use sicbo_table::grant::{Hold, PlayGrant, PlayHold};
use sicbo_table::ids::{
    BetId, NoticeId, PendingId, PersonId, RecoverableId, RoundNumber, SessionNumber, StationId,
    UnclaimedId, VoucherId,
};
use sicbo_table::positions::{Line, Means};
use sicbo_table::record::RoundRecord;
use sicbo_table::station::StationKind;
use sicbo_table::{Act, Config};

use crate::rules::script::{Row, Runner};

impl Runner {
    /// The act a line asks for, and who does it when the line does not say.
    pub(crate) fn act(&mut self, row: &Row) -> Option<(Act, Actor)> {
        let dealer = Runner::dealer();
        let by_house = |act: Act| Some((act, Actor::House));
        let by_dealer = |act: Act| Some((act, dealer));
        match row.verb {
            "table" => {
                let config = self.config(row);
                by_house(Act::OpenTable {
                    config: Box::new(config),
                    stations: Vec::new(),
                })
            }
            "station" | "terminal" | "seat" => {
                let kind = match (row.verb, self.table.book().map(|b| b.play.form.is)) {
                    ("terminal", _) | ("station", Some(Form::Electronic)) => StationKind::Terminal,
                    _ => StationKind::Seat,
                };
                let station = NewStation {
                    name: row.arg(0).to_owned(),
                    kind,
                    layout: row.arg(1).to_owned(),
                };
                let add = Act::AddStation { station };
                if row.args.get(2) == Some(&"only") {
                    return by_house(add);
                }
                let known = self.table.stations.len();
                if let Err(refusal) = self.give(add, Actor::House, None) {
                    row.fail(refusal);
                }
                by_house(Act::Connect {
                    station: StationId(known as u32),
                })
            }
            "remove" => by_house(Act::RemoveStation {
                station: self.station(row, row.arg(0)),
            }),
            "last-round" => by_dealer(Act::AnnounceLastRound),
            "no-last-round" => by_dealer(Act::TakeBackLastRound),
            "close-table" => by_house(Act::CloseTable),
            "suspend" => by_house(Act::Suspend {
                reason: row.words(0),
            }),
            "resume" => by_dealer(Act::Resume),
            "limits" => {
                let limits = self.limits(row);
                by_dealer(Act::ChangeLimits {
                    limits: Box::new(limits),
                })
            }
            "rulebook" => by_house(Act::ChangeRuleBook {
                book: book(row, row.arg(0)),
            }),
            "dice-set" => by_dealer(Act::ChangeDice {
                dice_set: row.words(0),
            }),
            "acting" => by_dealer(Act::AssignActing {
                person: self.named(row.arg(0)),
                position: row.word::<Position>(row.arg(1)),
            }),
            "end-acting" => by_dealer(Act::EndActing {
                person: self.named(row.arg(0)),
                position: row.word::<Position>(row.arg(1)),
            }),
            "connect" => by_house(Act::Connect {
                station: self.station(row, row.arg(0)),
            }),
            "disconnect" => by_house(Act::Disconnect {
                station: self.station(row, row.arg(0)),
            }),
            // `money-duties 100.00 500.00`: what one person may, and what two may.
            "money-duties" => {
                let bound = Bound {
                    alone: self.money(row, row.arg(0)),
                    together: self.money(row, row.arg(1)),
                };
                let duties = MoneyDuties {
                    attendant: bound,
                    cage: bound,
                    transfer: bound,
                    hand_pay: bound.together,
                    limits: bound,
                };
                by_house(Act::SetMoneyDuties { duties })
            }
            // `count 1 5.00`: the cage counts what entry 1 moved.
            "count-money" => by_dealer(Act::CountMoney {
                entry: row.arg(0).parse().unwrap_or(0),
                amount: self.money(row, row.arg(1)),
            }),
            // `grant T1 50.00 none`: how much may show as staked, and as lost.
            "grant" => {
                let station = self.station(row, row.arg(0));
                let visit = self.table.station(station).map(|known| known.visit.since);
                let to = |at: usize| {
                    let limited = row.arg(at) != "none";
                    limited.then(|| self.money(row, row.arg(at)))
                };
                let grant = PlayGrant {
                    visit: visit.unwrap_or_else(|| row.fail("no such station".to_owned())),
                    staked_to: to(1),
                    lost_to: to(2),
                    hold: None,
                };
                by_house(Act::GrantPlay { station, grant })
            }
            // `hold-play T1 break`: nothing may be staked from now on.
            "hold-play" => {
                let station = self.station(row, row.arg(0));
                let known = self.table.station(station).map(|known| known.play_grant());
                let why = Hold::ALL.into_iter().find(|why| why.word() == row.arg(1));
                let hold = PlayHold {
                    why: why.unwrap_or_else(|| row.fail("no such hold".to_owned())),
                    from_ms: 0,
                };
                let grant = PlayGrant {
                    hold: Some(hold),
                    ..known.unwrap_or_else(|| row.fail("no such station".to_owned()))
                };
                by_house(Act::GrantPlay { station, grant })
            }
            "clock-parted" => by_house(Act::ReportClock {
                machine_ms: row.number_at(0),
            }),
            "clock-set" => by_house(Act::SetClock {
                was_ms: 0,
                is_ms: row.number_at(0),
            }),
            _ => self
                .money_act(row)
                .or_else(|| self.bet_act(row))
                .or_else(|| self.play_act(row))
                .or_else(|| self.desk_act(row)),
        }
    }

    fn money_act(&mut self, row: &Row) -> Option<(Act, Actor)> {
        let dealer = Runner::dealer();
        let station = |runner: &Runner| runner.station(row, row.arg(0));
        let amount = |runner: &Runner, at: usize| runner.money(row, row.arg(at));
        let voucher = |at: usize| VoucherId(row.number_at(at));
        Some(match row.verb {
            "credit" => {
                let (source, by) = match row.args.get(2) {
                    None | Some(&"attendant") => (CreditSource::Attendant, dealer),
                    Some(&"cash") => (CreditSource::Cash, Actor::Device(Device::NoteAcceptor)),
                    Some(&"cage") => (CreditSource::Cage, dealer),
                    Some(&"voucher") => (CreditSource::Voucher(voucher(3)), Actor::House),
                    Some(other) => row.fail(format!("credit from {other}?")),
                };
                let act = Act::BuyCredit {
                    station: station(self),
                    source,
                    amount: amount(self, 1),
                };
                (act, by)
            }
            "cashout" => {
                let station = station(self);
                let act = Act::CashOut {
                    station,
                    amount: amount(self, 1),
                    voucher: voucher(2),
                };
                (act, Actor::Station(station))
            }
            "reverse" => {
                let act = Act::ReverseCashOut {
                    station: station(self),
                    voucher: voucher(1),
                    amount: amount(self, 2),
                };
                (act, Actor::House)
            }
            "transfer" => {
                let act = Act::TransferOut {
                    station: station(self),
                    amount: amount(self, 1),
                };
                (act, dealer)
            }
            "handpay" => {
                let act = Act::HandPay {
                    station: station(self),
                    amount: amount(self, 1),
                };
                (act, dealer)
            }
            "forget" => (
                Act::ForgetVoucher {
                    voucher: voucher(0),
                },
                Actor::House,
            ),
            "chips" => {
                let how = match row.arg(0) {
                    "bought" => ChipMove::Bought,
                    "brought" => ChipMove::Brought,
                    "taken" => ChipMove::TakenAway,
                    "fill" => ChipMove::Fill,
                    "slip" => ChipMove::CreditSlip,
                    "tip" => ChipMove::Tip,
                    other => row.fail(format!("chips {other}?")),
                };
                let act = Act::MoveChips {
                    how,
                    amount: amount(self, 1),
                    slip: row.words(2),
                };
                (act, dealer)
            }
            "colour" => {
                let act = Act::AssignColour {
                    station: station(self),
                    colour: row.arg(1).to_owned(),
                    value: amount(self, 2),
                };
                (act, dealer)
            }
            "release" => {
                let act = Act::ReleaseColour {
                    station: station(self),
                };
                (act, dealer)
            }
            "colours" => {
                let how = match row.arg(1) {
                    "bought" => ColourMove::BoughtWithCash,
                    "from-chips" => ColourMove::ExchangedFromChips,
                    "for-chips" => ColourMove::ExchangedForChips,
                    other => row.fail(format!("colours {other}?")),
                };
                let act = Act::MoveColour {
                    station: station(self),
                    how,
                    amount: amount(self, 2),
                };
                (act, dealer)
            }
            "adjust" => {
                let act = Act::Adjust {
                    station: station(self),
                    amount: amount(self, 1),
                    reason: row.words(2),
                };
                (act, dealer)
            }
            "case" | "case-raised" | "case-undecided" | "case-before" | "case-of-former"
            | "case-of-another" => {
                let station = station(self);
                let known = self.table.stations[station.0 as usize].session;
                let act = Act::SettleCase {
                    station,
                    session: match row.verb {
                        "case-of-another" => SessionNumber(known.0 + 1),
                        "case-of-former" => SessionNumber(known.0 - 1),
                        _ => known,
                    },
                    case: row.number_at(1),
                    // A higher decision adds to the first.
                    decision: match row.verb {
                        "case-raised" => 2,
                        "case-undecided" => 0,
                        _ => 1,
                    },
                    round: match row.verb {
                        "case-before" => Some(RoundNumber(self.table.last_round.0 - 1)),
                        _ => (self.table.last_round.0 > 0).then_some(self.table.last_round),
                    },
                    amount: amount(self, 2),
                    reason: row.words(3),
                };
                (act, dealer)
            }
            _ => return None,
        })
    }

    fn bet_act(&mut self, row: &Row) -> Option<(Act, Actor)> {
        let known = [
            "bet", "unbet", "clear", "call", "lay", "observe", "late", "ack", "fence",
        ];
        if !known.contains(&row.verb) {
            return None;
        }
        let station = self.station(row, row.arg(0));
        let terminal = self
            .table
            .stations
            .get(station.0 as usize)
            .is_none_or(|s| s.kind == StationKind::Terminal);
        let by = if terminal {
            Actor::Station(station)
        } else {
            Runner::dealer()
        };
        let own = if terminal {
            Means::Credit
        } else {
            Means::CashChips
        };
        let at = row.args.iter().position(|word| *word == "round");
        let round = match (at, &self.table.round) {
            (Some(at), _) => RoundNumber(row.number_at(at + 1)),
            (None, Some(round)) => round.number,
            (None, None) => self.table.last_round,
        };
        let end = at.unwrap_or(row.args.len());
        let has = |word: &str| row.args.contains(&word);
        let means = match (has("colour"), has("cash"), has("credit")) {
            (true, ..) => Means::ColourChips,
            (_, true, _) => Means::CashChips,
            (_, _, true) => Means::Credit,
            _ => own,
        };
        let lines = |runner: &Runner, from: usize| -> Vec<Line> {
            let flags = ["colour", "cash", "credit", "nochips"];
            let words: Vec<&str> = row.args[from.min(end)..end]
                .iter()
                .filter(|word| !flags.contains(word))
                .copied()
                .collect();
            words
                .chunks(2)
                .map(|pair| {
                    let [section, stake] = pair else {
                        row.fail("a section without a stake");
                    };
                    Line {
                        section: section.parse().unwrap_or_else(|error| row.fail(error)),
                        stake: runner.money(row, stake),
                    }
                })
                .collect()
        };
        let bet = || BetId(row.number_at(1));
        let act = match row.verb {
            "bet" => Act::PlaceBets {
                station,
                round,
                bet: bet(),
                means,
                lines: lines(self, 2),
            },
            "unbet" => Act::RemoveBets {
                station,
                round,
                bet: bet(),
                means,
                lines: lines(self, 2),
            },
            "clear" => Act::ClearBets {
                station,
                round,
                bet: bet(),
            },
            "call" => Act::CallBet {
                station,
                round,
                bet: bet(),
                lines: lines(self, 2),
                chips_present: !has("nochips"),
            },
            "lay" => Act::RecordPositions {
                station,
                round,
                bet: bet(),
                means,
                lines: lines(self, 2),
            },
            "observe" => Act::ObservePositions {
                station,
                round,
                means,
                lines: lines(self, 1),
            },
            "late" => {
                let late = match row.arg(1) {
                    "placement" => LateKind::Placement,
                    "increase" => LateKind::Increase,
                    "withdrawal" => LateKind::Withdrawal,
                    other => row.fail(format!("late {other}?")),
                };
                let line = lines(self, 2);
                Act::RecordLate {
                    station,
                    round,
                    late,
                    means,
                    line: line[0],
                }
            }
            "ack" => Act::AcknowledgeClose { station, round },
            _ => return Some((Act::Fence { station }, Actor::House)),
        };
        let by = match row.verb {
            "bet" | "unbet" | "clear" | "ack" => by,
            _ => Runner::dealer(),
        };
        Some((act, by))
    }

    fn play_act(&mut self, row: &Row) -> Option<(Act, Actor)> {
        let act = match row.verb {
            "activate" => Act::ActivateTumbler,
            "commit" => Act::CommitTumble {
                commitment: sicbo_table::tumble_proof::commitment(&[row.number_at(0); 32]),
            },
            "reveal" => Act::RevealTumble {
                round: RoundNumber(row.number_at(0)),
                seed: [row.number_at(1); 32],
            },
            "tumbled" => Act::ReportTumbles {
                count: row.number_at(0),
                all_dice_moved: row.args.get(1) != Some(&"stuck"),
            },
            "open" => Act::CallBets,
            "close" => Act::CloseBets,
            "deal" => Act::PressDeal,
            "uncover" => Act::Uncover,
            "flat" => Act::ConfirmFlat,
            "dice" => Act::KeyDice { dice: dice(row, 0) },
            "clear-keys" => Act::ClearKeys,
            "second" => Act::ReadSecond { dice: dice(row, 0) },
            "confirm" => Act::ConfirmResult,
            "lights" => Act::ReportLights {
                lit: match row.arg(0) {
                    "on" => true,
                    "off" => false,
                    other => row.fail(format!("lights {other}?")),
                },
            },
            "pay" => Act::TakeAndPay,
            _ => return None,
        };
        Some((act, Runner::dealer()))
    }

    fn desk_act(&mut self, row: &Row) -> Option<(Act, Actor)> {
        let dealer = Runner::dealer();
        // The first that waits, or of several the `last:`.
        let waiting = |key: &str| {
            let (last, key) = match key.strip_prefix("last:") {
                Some(key) => (true, key),
                None => (false, key),
            };
            let mut found = self
                .table
                .pending
                .iter()
                .filter(|p| key.is_empty() || p.question.key() == key);
            let found = match last {
                true => found.next_back(),
                false => found.next(),
            };
            found.map_or(PendingId(99), |pending| pending.id)
        };
        let act = match row.verb {
            "void" => Act::DeclareVoid {
                cause: row.word::<Cause>(row.arg(0)),
            },
            "incident" => Act::RaiseIncident {
                kind: match row.arg(0) {
                    "supervisor" => IncidentKind::CallSupervisor,
                    "attendant" => IncidentKind::CallAttendant,
                    "counterfeit" => IncidentKind::Counterfeit,
                    "dispute" => IncidentKind::Dispute,
                    "other" => IncidentKind::Other,
                    other => row.fail(format!("incident {other}?")),
                },
                note: row.words(1),
            },
            "hold" => Act::Hold {
                what: row.words(0),
                about: Held::Uncovered,
            },
            "hold-for-meaning" => Act::Hold {
                what: row.words(0),
                about: Held::Interpretation,
            },
            // The first word is the part, where it is one.
            "device-failure" => Act::ReportDeviceFailure {
                what: row.words(0),
                part: Part::ALL
                    .into_iter()
                    .find(|part| row.args.first() == Some(&part.key()))
                    .unwrap_or(Part::Other),
            },
            "acknowledge-notice" => Act::AcknowledgeNotice {
                notice: NoticeId(row.number_at(0)),
            },
            "bind-tumbler" => {
                let act = Act::BindTumbler {
                    line: row.arg(0) == "line",
                    shortest_ms: row.number_at(1),
                };
                return Some((act, Actor::House));
            }
            "cover" => Act::ReportCover {
                open: row.arg(0) == "open",
            },
            "count" => Act::SwitchCounting {
                by_hand: match row.arg(0) {
                    "by-hand" => true,
                    "by-line" => false,
                    other => row.fail(format!("count {other}?")),
                },
            },
            "interrupt" => {
                return Some((Act::Interrupt { what: row.words(0) }, Actor::House));
            }
            "confirm-interruption" => Act::ConfirmInterruption {
                pending: waiting("interrupted"),
                dice_in_place: match row.args.first() {
                    None | Some(&"in-place") => true,
                    Some(&"moved") => false,
                    Some(other) => row.fail(format!("dice {other}?")),
                },
            },
            "rule" => Act::Rule {
                pending: waiting(row.arg(0)),
                ruling: match row.arg(1) {
                    "void-it" => Ruling::Void,
                    "conclude" => Ruling::Conclude,
                    "accept" => Ruling::Accept,
                    "at-close" => Ruling::AtClose,
                    "as-they-lie" => Ruling::AsTheyLie,
                    "affected" => Ruling::Affected,
                    "not-affected" => Ruling::NotAffected,
                    "release" => Ruling::Release,
                    other => row.fail(format!("ruling {other}?")),
                },
                reason: row.words(2),
            },
            "attest" => Act::AttestPositions {
                pending: waiting("chips-unrecorded"),
                lay_there: match row.arg(0) {
                    "lay-there" => true,
                    "not-there" => false,
                    other => row.fail(format!("attest {other}?")),
                },
                bookmark: row.words(1),
            },
            "damage" => Act::ReportDamage { note: row.words(0) },
            "sound" => Act::FindDiceSound {
                dice_set: row.arg(0).to_owned(),
                text: row.words(1),
            },
            "rule-void" => Act::RuleVoid {
                reason: row.words(0),
            },
            "agree" => Act::ResolveReadings {
                pending: waiting("readings-disagree"),
                dice: dice(row, 0),
            },
            "correct" => {
                let also = row.args.iter().position(|word| *word == "also");
                let why = row.args.iter().position(|word| *word == "why");
                Act::CorrectResult {
                    record: self.record(row, 0),
                    dice: dice(row, 1),
                    second_dice: dice(row, also.map_or(1, |at| at + 1)),
                    evidence: row.words(why.map_or(usize::MAX, |at| at + 1)),
                    conducted: self.conducted(row),
                }
            }
            "correction-proposed" => Act::HoldForCorrection {
                round: RoundNumber(row.number_at(0)),
                proposal: row.number_at(1),
                by: PersonId(row.number_at(2)),
            },
            "correction-withdrawn" => Act::EndCorrection {
                proposal: row.number_at(0),
            },
            "void-rounds" => {
                // `void-rounds 1 2 for CAUSE`, or `answering` the question about dice.
                let word = |word: &str| row.args.iter().position(|arg| *arg == word);
                let (cause, answers) = (word("for"), word("answering"));
                let end = cause.or(answers).unwrap_or(row.args.len());
                let rounds = match row.args.as_slice() {
                    ["none"] => 0,
                    _ => end,
                };
                Act::VoidRounds {
                    records: (0..rounds).map(|at| self.record(row, at)).collect(),
                    cause: match cause.map(|at| row.arg(at + 1)) {
                        Some("no-cause") => None,
                        Some(cause) => Some(row.word::<Cause>(cause)),
                        None => Some(Cause::DiceDamaged),
                    },
                    pending: answers.map(|_| waiting("affected-rounds")),
                    reason: "a chipped die".to_owned(),
                }
            }
            "recover" => Act::Recover {
                recoverable: RecoverableId(row.number_at(0)),
                amount: self.money(row, row.arg(1)),
            },
            "waive" => Act::Waive {
                recoverable: RecoverableId(row.number_at(0)),
                reason: row.words(1),
            },
            "pay-unclaimed" => Act::PayUnclaimed {
                unclaimed: UnclaimedId(row.number_at(0)),
            },
            _ => return None,
        };
        Some((act, dealer))
    }

    /// The record of an ended round; of one that has not ended, one made up.
    fn record(&self, row: &Row, at: usize) -> Arc<RoundRecord> {
        let number: u64 = row.number_at(at);
        let of = |number: u64| self.records.get(&number).cloned();
        of(number).unwrap_or_else(|| {
            let any = of(1).unwrap_or_else(|| row.fail("no round has ended"));
            Arc::new(RoundRecord {
                number: RoundNumber(number),
                ..RoundRecord::clone(&any)
            })
        })
    }

    /// Both say that the round was conducted by the rules where its book asks;
    /// a line may say otherwise before its `why`.
    fn conducted(&self, row: &Row) -> Option<bool> {
        let said = row.args.iter().take_while(|word| **word != "why");
        let said: Vec<&str> = said.copied().collect();
        if said.contains(&"unanswered") {
            return None;
        }
        if said.contains(&"not-conducted") {
            return Some(false);
        }
        let book = &self.record(row, 0).book;
        (book.corrections.wrong_result.is == WrongResult::SettleByDiceIfConducted).then_some(true)
    }

    fn limits(&self, row: &Row) -> Limits {
        let value = |name: &str, default: &str| -> Money {
            let at = row.args.iter().position(|word| *word == name);
            self.money(row, at.map_or(default, |at| row.arg(at + 1)))
        };
        let limit = Limit {
            minimum: value("min", "5"),
            maximum: value("max", "500"),
            step: value("step", "1"),
        };
        Limits::uniform(
            limit,
            value("station", "5000"),
            value("exposure", "1000000"),
        )
    }

    fn config(&mut self, row: &Row) -> Config {
        let options = [
            "min", "max", "step", "station", "exposure", "chip", "currency", "second", "above",
            "tumble", "dice", "window", "name",
        ];
        let flags = ["supervisor-void", "play-money"];
        let mut words = row.args.iter().skip(1);
        while let Some(word) = words.next() {
            if options.contains(word) {
                words.next().unwrap_or_else(|| row.fail("lacks a value"));
            } else if !flags.contains(word) {
                row.fail(format!("{word:?} is no option of a table"));
            }
        }
        let text = |name: &str| {
            let at = row.args.iter().position(|word| *word == name)?;
            Some(row.arg(at + 1))
        };
        let book = book(row, row.arg(0));
        if let Some(code) = text("currency") {
            self.currency = Currency::from_code(code).unwrap_or_else(|| row.fail("currency?"));
        }
        let second_reading = match (text("second"), text("above")) {
            (Some("always"), _) => SecondReading::Always,
            (_, Some(amount)) => SecondReading::AbovePayout(self.money(row, amount)),
            _ => SecondReading::Never,
        };
        let tumble = match text("tumble") {
            Some(step) => row.word::<TumbleStep>(step),
            None => book.play.usual_tumble.is,
        };
        Config {
            name: text("name").unwrap_or("Table 1").to_owned(),
            tumble,
            book,
            currency: self.currency,
            chip_unit: self.money(row, text("chip").unwrap_or("1")),
            limits: self.limits(row),
            window_ms: text("window").unwrap_or("30000").parse().unwrap_or(0),
            dice_set: text("dice").unwrap_or("set-1").to_owned(),
            second_reading,
            void_by_supervisor: row.args.contains(&"supervisor-void"),
            real_money: !row.args.contains(&"play-money"),
            program: [7; 32],
        }
    }
}

fn book(row: &Row, id: &str) -> Arc<RuleBook> {
    let book = RuleBook::named(id);
    book.unwrap_or_else(|| row.fail("no such rule book"))
        .clone()
}

fn dice(row: &Row, at: usize) -> Dice {
    let faces = [0, 1, 2].map(|i| row.number_at::<u8>(at + i));
    Dice::from_faces(faces).unwrap_or_else(|| row.fail("not three dice"))
}
