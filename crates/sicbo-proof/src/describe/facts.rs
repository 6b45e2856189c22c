//! A table's facts, each with its stable name and its fields.

use sicbo_rules::rulebook::words::Word;
use sicbo_table::Fact;
use sicbo_table::command::{CreditSource, Part};
use sicbo_table::event::VoidBasis;

use super::words::{
    chip_move, colour_move, credit_source, incident, late_kind, means_word, ruling_word, standing,
    station_kind,
};
use super::{Described, Describer, Value, hex};

impl Describer<'_> {
    /// The name of a fact and its fields.
    #[must_use]
    pub fn fact(&self, fact: &Fact) -> Described {
        let station =
            |id: &sicbo_table::ids::StationId| ("station", Value::Text(self.station(*id)));
        match fact {
            Fact::TableOpened {
                config,
                stations,
                rules,
            } => (
                "table-opened",
                vec![
                    ("table", config.name.as_str().into()),
                    ("rulebook", config.book.id().into()),
                    ("rulebook_sha256", config.book.sha256_hex().into()),
                    ("currency", config.currency.code().into()),
                    ("dice_set", config.dice_set.as_str().into()),
                    ("real_money", config.real_money.into()),
                    ("stations", stations.len().into()),
                    ("rules_revision", u64::from(rules.0).into()),
                ],
            ),
            Fact::StationAdded { station } => (
                "station-added",
                vec![
                    ("station", station.name.as_str().into()),
                    ("kind", station_kind(station.kind).into()),
                    ("layout", station.layout.as_str().into()),
                ],
            ),
            Fact::StationRemoved { station: id } => ("station-removed", vec![station(id)]),
            Fact::LastRoundAnnounced => ("last-round-announced", vec![]),
            Fact::TableClosed => ("table-closed", vec![]),
            Fact::TableSuspended { reason } => {
                ("table-suspended", vec![("reason", reason.as_str().into())])
            }
            Fact::TableResumed => ("table-resumed", vec![]),
            Fact::LimitsScheduled { limits } => (
                "limits-scheduled",
                vec![
                    ("station_maximum", self.amount(limits.station_maximum)),
                    ("exposure_maximum", self.amount(limits.exposure_maximum)),
                ],
            ),
            Fact::RuleBookScheduled { book } => (
                "rule-book-scheduled",
                vec![
                    ("rulebook", book.id().into()),
                    ("rulebook_sha256", book.sha256_hex().into()),
                ],
            ),
            Fact::DiceChanged { dice_set } => {
                ("dice-changed", vec![("dice_set", dice_set.as_str().into())])
            }
            Fact::ActingAssigned { person, position } => (
                "acting-assigned",
                vec![
                    ("person", self.person(*person)),
                    ("position", position.key().into()),
                ],
            ),
            Fact::ActingEnded { person, position } => (
                "acting-ended",
                vec![
                    ("person", self.person(*person)),
                    ("position", position.key().into()),
                ],
            ),
            Fact::Connected { station: id } => ("connected", vec![station(id)]),
            Fact::Disconnected { station: id } => ("disconnected", vec![station(id)]),
            Fact::ClockParted { machine_ms } => (
                "clock-parted",
                vec![("machine", crate::text::time(*machine_ms).into())],
            ),
            Fact::ClockSet { was_ms, is_ms } => (
                "clock-set",
                vec![
                    ("was", crate::text::time(*was_ms).into()),
                    ("is", crate::text::time(*is_ms).into()),
                ],
            ),
            Fact::CreditBought {
                station: id,
                source,
                amount,
                session,
            } => {
                let mut fields = vec![
                    station(id),
                    ("source", credit_source(*source).into()),
                    ("amount", self.amount(*amount)),
                    ("session", session.0.into()),
                ];
                if let CreditSource::Voucher(voucher) = source {
                    fields.push(("voucher", voucher.0.into()));
                }
                ("credit-bought", fields)
            }
            Fact::CashedOut {
                station: id,
                amount,
                voucher,
            } => (
                "cashed-out",
                vec![
                    station(id),
                    ("amount", self.amount(*amount)),
                    ("voucher", voucher.0.into()),
                ],
            ),
            Fact::CashOutReversed {
                station: id,
                amount,
                voucher,
            } => (
                "cash-out-reversed",
                vec![
                    station(id),
                    ("amount", self.amount(*amount)),
                    ("voucher", voucher.0.into()),
                ],
            ),
            Fact::TransferredOut {
                station: id,
                amount,
            } => (
                "transferred-out",
                vec![station(id), ("amount", self.amount(*amount))],
            ),
            Fact::HandPaid {
                station: id,
                amount,
            } => (
                "hand-paid",
                vec![station(id), ("amount", self.amount(*amount))],
            ),
            Fact::VoucherForgotten { voucher } => {
                ("voucher-forgotten", vec![("voucher", voucher.0.into())])
            }
            Fact::ChipsMoved { how, amount, slip } => (
                "chips-moved",
                vec![
                    ("how", chip_move(*how).into()),
                    ("amount", self.amount(*amount)),
                    ("slip", slip.as_str().into()),
                ],
            ),
            Fact::ColourAssigned {
                station: id,
                colour,
                value,
                session,
            } => (
                "colour-assigned",
                vec![
                    station(id),
                    ("colour", colour.as_str().into()),
                    ("value", self.amount(*value)),
                    ("session", session.0.into()),
                ],
            ),
            Fact::ColourReleased { station: id } => ("colour-released", vec![station(id)]),
            Fact::ColourMoved {
                station: id,
                how,
                amount,
            } => (
                "colour-moved",
                vec![
                    station(id),
                    ("how", colour_move(*how).into()),
                    ("amount", self.amount(*amount)),
                ],
            ),
            Fact::Adjusted {
                station: id,
                amount,
                reason,
            } => (
                "adjusted",
                vec![
                    station(id),
                    ("amount", self.amount(*amount)),
                    ("reason", reason.as_str().into()),
                ],
            ),
            Fact::CasePaid {
                station: id,
                case,
                round,
                amount,
                reason,
                decision,
                unclaimed,
            } => {
                let mut fields = vec![station(id), ("case", Value::from(*case))];
                fields.extend(counted(*decision));
                fields.extend(round.map(|round| ("round", Value::from(round.0))));
                fields.extend([
                    ("amount", self.amount(*amount)),
                    ("reason", reason.as_str().into()),
                ]);
                let kept = unclaimed.as_ref();
                fields.extend(kept.map(|kept| ("unclaimed", Value::from(kept.id.0))));
                ("case-paid", fields)
            }
            Fact::CaseOverpaid {
                case,
                recoverable,
                reason,
                decision,
            } => {
                let mut fields = vec![station(&recoverable.station), ("case", Value::from(*case))];
                fields.extend(counted(*decision));
                fields.extend([
                    ("round", Value::from(recoverable.round.0)),
                    ("recoverable", Value::from(recoverable.id.0)),
                    ("amount", self.amount(recoverable.amount)),
                    ("reason", reason.as_str().into()),
                ]);
                ("case-overpaid", fields)
            }
            Fact::RoundBegan {
                round,
                digests,
                rules,
            } => (
                "round-began",
                vec![
                    ("round", round.0.into()),
                    ("program_sha256", hex(&digests.program).into()),
                    ("rulebook_sha256", hex(&digests.book).into()),
                    ("config_sha256", hex(&digests.config).into()),
                    ("rules_revision", u64::from(rules.0).into()),
                ],
            ),
            Fact::TumbleCommitted { round, commitment } => (
                "tumble-committed",
                vec![
                    ("round", round.0.into()),
                    ("commitment", hex(commitment).into()),
                ],
            ),
            Fact::TumbleRevealed { round, seed } => (
                "tumble-revealed",
                vec![("round", round.0.into()), ("seed", hex(seed).into())],
            ),
            Fact::TumblerActivated => ("tumbler-activated", vec![]),
            Fact::TumbleEnded { count, valid } => (
                "tumble-ended",
                vec![("count", (*count).into()), ("valid", (*valid).into())],
            ),
            Fact::BetsCalled => ("bets-called", vec![]),
            Fact::BetsPlaced {
                station: id,
                bet,
                means,
                lines,
                called,
            } => (
                "bets-placed",
                vec![
                    station(id),
                    ("bet", bet.0.into()),
                    ("means", means_word(*means).into()),
                    ("bets", self.lines(lines)),
                    ("called", (*called).into()),
                ],
            ),
            Fact::BetsRemoved {
                station: id,
                bet,
                means,
                lines,
                all,
            } => (
                "bets-removed",
                vec![
                    station(id),
                    ("bet", bet.0.into()),
                    ("means", means_word(*means).into()),
                    ("bets", self.lines(lines)),
                    ("all", (*all).into()),
                ],
            ),
            Fact::ClosingBegan { awaiting } => {
                ("closing-began", vec![("awaiting", (*awaiting).into())])
            }
            Fact::CloseAcknowledged { station: id } => ("close-acknowledged", vec![station(id)]),
            Fact::StationFenced { station: id } => ("station-fenced", vec![station(id)]),
            Fact::BetsClosed { staked } => ("bets-closed", vec![("staked", self.amount(*staked))]),
            Fact::DealPressed => ("deal-pressed", vec![]),
            Fact::PositionsRecorded {
                station: id,
                bet,
                means,
                lines,
                dice_visible,
            } => {
                let mut fields = vec![station(id)];
                fields.extend(bet.map(|bet| ("bet", Value::from(bet.0))));
                fields.extend([
                    ("means", means_word(*means).into()),
                    ("bets", self.lines(lines)),
                    ("dice_visible", (*dice_visible).into()),
                ]);
                ("positions-recorded", fields)
            }
            Fact::PositionsObserved {
                station: id,
                means,
                lines,
            } => (
                "positions-observed",
                vec![
                    station(id),
                    ("means", means_word(*means).into()),
                    ("bets", self.lines(lines)),
                ],
            ),
            Fact::PositionsClaimed {
                station: id,
                bet,
                means,
                lines,
            } => (
                "positions-claimed",
                vec![
                    station(id),
                    ("bet", Value::from(bet.0)),
                    ("means", means_word(*means).into()),
                    ("bets", self.lines(lines)),
                ],
            ),
            Fact::PositionsAttested {
                pending,
                station: id,
                means,
                lines,
                bookmark,
            } => (
                "positions-attested",
                vec![
                    station(id),
                    ("pending", Value::from(pending.0)),
                    ("means", means_word(*means).into()),
                    ("bets", self.lines(lines)),
                    ("bookmark", bookmark.as_str().into()),
                ],
            ),
            Fact::PositionsReturned {
                pending,
                station: id,
                means,
                lines,
                bookmark,
            } => (
                "positions-returned",
                vec![
                    station(id),
                    ("pending", Value::from(pending.0)),
                    ("means", means_word(*means).into()),
                    ("bets", self.lines(lines)),
                    ("bookmark", bookmark.as_str().into()),
                ],
            ),
            Fact::LateActRecorded {
                station: id,
                late,
                means,
                line,
                consequence,
                rule,
            } => {
                let mut fields = vec![station(id), ("late", late_kind(*late).into())];
                fields.extend(means.map(|means| ("means", means_word(means).into())));
                fields.extend([
                    ("section", line.section.to_string().into()),
                    ("stake", self.amount(line.stake)),
                    ("consequence", consequence.key().into()),
                    ("rule", rule.as_str().into()),
                ]);
                ("late-act-recorded", fields)
            }
            Fact::Uncovered => ("uncovered", vec![]),
            Fact::CoverReported { open } => ("cover-reported", vec![("open", (*open).into())]),
            Fact::FlatConfirmed => ("flat-confirmed", vec![]),
            Fact::DiceKeyed { dice } => ("dice-keyed", vec![("dice", dice.to_string().into())]),
            Fact::KeysCleared => ("keys-cleared", vec![]),
            Fact::SecondRead { dice } => ("second-read", vec![("dice", dice.to_string().into())]),
            Fact::ReadingsAgreed { dice } => {
                ("readings-agreed", vec![("dice", dice.to_string().into())])
            }
            Fact::ResultConfirmed { dice } => {
                ("result-confirmed", vec![("dice", dice.to_string().into())])
            }
            Fact::LightsReported { lit } => ("lights-reported", vec![("lit", (*lit).into())]),
            Fact::RoundSettled {
                dice,
                staked,
                returned,
                digest,
            } => (
                "round-settled",
                vec![
                    ("dice", dice.to_string().into()),
                    ("total", dice.total().into()),
                    ("staked", self.amount(*staked)),
                    ("returned", self.amount(*returned)),
                    ("payments_sha256", hex(digest).into()),
                ],
            ),
            Fact::RoundVoided {
                basis,
                rule,
                staked,
                digest,
            } => {
                let (cause, reason) = match basis {
                    VoidBasis::Listed(cause) => (cause.key().to_owned(), Value::Nothing),
                    VoidBasis::Ruling(reason) => ("ruling".to_owned(), reason.as_str().into()),
                };
                (
                    "round-voided",
                    vec![
                        ("cause", cause.into()),
                        ("reason", reason),
                        ("rule", rule.as_str().into()),
                        ("returned", self.amount(*staked)),
                        ("payments_sha256", hex(digest).into()),
                    ],
                )
            }
            Fact::IncidentRaised { kind, note } => (
                "incident-raised",
                vec![
                    ("kind", incident(*kind).into()),
                    ("note", note.as_str().into()),
                ],
            ),
            Fact::DeviceFailed {
                what,
                inform,
                part,
                by_dice,
            } => {
                let mut fields = vec![
                    ("what", what.as_str().into()),
                    (
                        "inform",
                        inform.map_or(Value::Nothing, |position| position.key().into()),
                    ),
                ];
                // Programs that named no part are told as they were.
                if *part != Part::Other {
                    fields.push(("part", part.key().into()));
                    fields.push(("finished_by_dice", (*by_dice).into()));
                }
                ("device-failed", fields)
            }
            Fact::NoticeRaised { notice } => (
                "notice-raised",
                vec![
                    ("notice", notice.id.0.into()),
                    ("what", notice.what.as_str().into()),
                    ("inform", notice.inform.key().into()),
                    ("rule", notice.rule.as_str().into()),
                ],
            ),
            Fact::NoticeAcknowledged { notice } => {
                ("notice-acknowledged", vec![("notice", notice.0.into())])
            }
            Fact::TumblerBound { line, shortest_ms } => (
                "tumbler-bound",
                vec![
                    ("line", (*line).into()),
                    ("shortest_ms", (*shortest_ms).into()),
                ],
            ),
            Fact::CountingSwitched { by_hand } => {
                ("counting-switched", vec![("by_hand", (*by_hand).into())])
            }
            Fact::Interrupted { what } => ("interrupted", vec![("what", what.as_str().into())]),
            Fact::DecisionRaised { pending } => (
                "decision-raised",
                vec![
                    ("decision", pending.id.0.into()),
                    ("question", pending.question.key().into()),
                    ("rule", pending.rule.as_str().into()),
                    ("by", pending.by.key().into()),
                    ("or_above", pending.or_above.into()),
                    ("persons", pending.persons.into()),
                ],
            ),
            Fact::DecisionTaken {
                pending,
                ruling,
                reason,
            } => (
                "decision-taken",
                vec![
                    ("decision", pending.0.into()),
                    ("ruling", ruling_word(ruling).into()),
                    ("reason", reason.as_str().into()),
                ],
            ),
            Fact::ResultCorrected {
                round,
                revision,
                from,
                dice,
                evidence,
                rule,
                effects,
                conducted,
            } => (
                "result-corrected",
                vec![
                    ("round", round.0.into()),
                    ("revision", (*revision).into()),
                    ("from", standing(*from).into()),
                    ("to", dice.to_string().into()),
                    ("evidence", evidence.as_str().into()),
                    ("conducted", conducted.map_or(Value::Nothing, Into::into)),
                    ("rule", rule.as_str().into()),
                    ("effects", self.effects(effects)),
                ],
            ),
            Fact::RoundVoidedLate {
                round,
                revision,
                from,
                reason,
                rule,
                effects,
                cause,
                ground,
            } => (
                "round-voided-late",
                vec![
                    ("round", round.0.into()),
                    ("revision", (*revision).into()),
                    ("from", standing(*from).into()),
                    ("cause", cause.map_or("ruling", |cause| cause.key()).into()),
                    ("reason", reason.as_str().into()),
                    ("rule", rule.as_str().into()),
                    (
                        "ground",
                        ground.as_deref().map_or(Value::Nothing, Into::into),
                    ),
                    ("effects", self.effects(effects)),
                ],
            ),
            Fact::DamageReported {
                dice_set,
                round,
                note,
            } => (
                "damage-reported",
                vec![
                    ("dice_set", dice_set.as_str().into()),
                    (
                        "round",
                        round.map_or(Value::Nothing, |round| round.0.into()),
                    ),
                    ("note", note.as_str().into()),
                ],
            ),
            Fact::DiceFoundSound { dice_set, text } => (
                "dice-found-sound",
                vec![
                    ("dice_set", dice_set.as_str().into()),
                    ("text", text.as_str().into()),
                ],
            ),
            Fact::OverpaymentRecovered {
                recoverable,
                amount,
            } => (
                "overpayment-recovered",
                vec![
                    ("recoverable", recoverable.0.into()),
                    ("amount", self.amount(*amount)),
                ],
            ),
            Fact::OverpaymentWaived {
                recoverable,
                amount,
                reason,
            } => (
                "overpayment-waived",
                vec![
                    ("recoverable", recoverable.0.into()),
                    ("amount", self.amount(*amount)),
                    ("reason", reason.as_str().into()),
                ],
            ),
            Fact::UnclaimedPaid { unclaimed, amount } => (
                "unclaimed-paid",
                vec![
                    ("unclaimed", unclaimed.0.into()),
                    ("amount", self.amount(*amount)),
                ],
            ),
        }
    }
}

/// The number of a case's decision, where the record counts them.
fn counted(decision: u32) -> Option<(&'static str, Value)> {
    (decision > 0).then(|| ("decision", Value::from(u64::from(decision))))
}
