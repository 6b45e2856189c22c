//! Money outside the rounds: credit, vouchers, chips, colours and what cases brought.

use super::{Books, Entry, Objection, positive};
use crate::heard::{ChipsHow, ColourHow, Heard, Source};

impl Books {
    pub(super) fn money(&mut self, heard: &Heard) -> Result<(), Objection> {
        match heard {
            Heard::CasePaid {
                station,
                case,
                decision,
                round,
                amount,
                unclaimed,
            } => {
                positive(*amount)?;
                self.settle_case(*case, *decision, true)?;
                if let Some((id, session)) = unclaimed {
                    let place = &self.places[*station];
                    if place.seat || (place.session == *session && place.credit > 0) {
                        return Err(format!("case {case}: the player is still there"));
                    }
                    let entry = Entry {
                        round: *round,
                        station: *station,
                        amount: *amount,
                        case: Some(*session),
                    };
                    if self.unclaimed.insert(*id, entry).is_some() {
                        return Err(format!("unclaimed {id} was named twice"));
                    }
                    self.adjustments -= amount;
                } else if self.places[*station].seat {
                    self.float -= amount;
                    self.chips += amount;
                    self.cases -= amount;
                } else {
                    self.places[*station].credit += amount;
                    self.adjustments -= amount;
                }
            }
            Heard::CaseOverpaid {
                case,
                decision,
                id,
                round,
                station,
                session,
                amount,
            } => {
                positive(*amount)?;
                self.settle_case(*case, *decision, false)?;
                let entry = Entry {
                    round: *round,
                    station: *station,
                    amount: *amount,
                    case: Some(*session),
                };
                if self.recoverables.insert(*id, entry).is_some() {
                    return Err(format!("recoverable {id} was named twice"));
                }
                self.bank += amount;
                self.cases += amount;
            }
            Heard::CreditBought {
                station,
                source,
                amount,
                session,
            } => {
                positive(*amount)?;
                let empty = self.places[*station].credit == 0 && self.staked(*station) == 0;
                let place = &mut self.places[*station];
                let expected = place.session + u32::from(empty);
                if *session != expected {
                    return Err(format!("session {session} where {expected} was due"));
                }
                place.session = *session;
                place.credit += amount;
                match source {
                    Source::Cash => self.drop -= amount,
                    Source::Cage => self.cage -= amount,
                    Source::Voucher(voucher) => {
                        if !self.vouchers_in.insert(*voucher) {
                            return Err(format!("voucher {voucher} was credited twice"));
                        }
                        self.vouchers -= amount;
                    }
                }
            }
            Heard::CashedOut {
                station,
                voucher,
                amount,
            } => {
                self.take(*station, *amount)?;
                self.vouchers += amount;
                self.leave_if_empty(*station);
                let session = self.places[*station].session;
                let given = (*station, session, *amount);
                if self.vouchers_out.insert(*voucher, given).is_some() {
                    return Err(format!("voucher {voucher} was given out twice"));
                }
            }
            Heard::CashOutReversed {
                station,
                voucher,
                amount,
            } => {
                let given = (*station, self.places[*station].session, *amount);
                if self.vouchers_out.remove(voucher) != Some(given) {
                    return Err(format!("voucher {voucher} was not given out like that"));
                }
                self.places[*station].credit += amount;
                self.vouchers -= amount;
            }
            Heard::VoucherForgotten(voucher) => {
                self.vouchers_in.remove(voucher);
                self.vouchers_out.remove(voucher);
            }
            Heard::TransferredOut { station, amount } | Heard::HandPaid { station, amount } => {
                self.take(*station, *amount)?;
                self.cage += amount;
                self.leave_if_empty(*station);
            }
            Heard::ChipsMoved { how, amount } => {
                positive(*amount)?;
                match how {
                    ChipsHow::Bought => {
                        self.drop -= amount;
                        self.bank += amount;
                        self.float -= amount;
                        self.chips += amount;
                    }
                    ChipsHow::Brought => {
                        self.cage -= amount;
                        self.chips += amount;
                    }
                    ChipsHow::TakenAway => {
                        self.chips -= amount;
                        self.cage += amount;
                    }
                    ChipsHow::Fill => {
                        self.cage -= amount;
                        self.float += amount;
                    }
                    ChipsHow::CreditSlip => {
                        self.float -= amount;
                        self.cage += amount;
                    }
                    ChipsHow::Tip => {
                        self.chips -= amount;
                        self.tips += amount;
                    }
                }
            }
            Heard::ColourAssigned { station, session } => {
                let staked = self.staked(*station);
                let place = &mut self.places[*station];
                if place.credit != 0 || staked != 0 || *session != place.session + 1 {
                    return Err("colour was assigned while chips were out".to_owned());
                }
                place.session = *session;
            }
            Heard::ColourMoved {
                station,
                how,
                amount,
            } => {
                positive(*amount)?;
                match how {
                    ColourHow::ForCash => {
                        self.drop -= amount;
                        self.bank += amount;
                        self.float -= amount;
                        self.places[*station].credit += amount;
                    }
                    ColourHow::FromChips => {
                        self.chips -= amount;
                        self.places[*station].credit += amount;
                    }
                    ColourHow::ToChips => {
                        self.take(*station, *amount)?;
                        self.chips += amount;
                    }
                }
            }
            Heard::Adjusted { station, amount } => {
                self.adjustments -= amount;
                self.places[*station].credit += amount;
                if self.places[*station].credit < 0 {
                    return Err(format!("an adjustment left station {station} below zero"));
                }
            }
            _ => {}
        }
        Ok(())
    }
}
