//! Carries out the steps of vouchers and tells terminals what came of theirs.

use std::collections::BTreeMap;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, TrySendError};
use sicbo_devices::printer::{Paper, PrintFailure};
use sicbo_loop::Answer;
use sicbo_paper::Ticket;
use sicbo_register::enrolment::TableName;
use sicbo_register::voucher::{Payee, Place, State};
use sicbo_register::{Act, Fact, Refusal};
use sicbo_table::ids::VoucherId;

use super::{
    Asked, BUSY, DeskReply, DeskWork, HOUSE_STOPPED, STOPPED, TOO_MUCH_WAITS, ToDesk, Wanted,
    declined,
};
use crate::hub::{Hub, Reply, ToHub};
use crate::vouchers::{Outcome, Step, Tables};
use sicbo_wire::terminal::HouseToTerminal;
use sicbo_wire::{Frame, frame};

const NOT_GIVEN: &str = "the table gave no credit for it";
const KEPT: &str = "the ticket could not be printed; the cage keeps the amount";

/// A ticket to be printed.
pub struct PrintJob {
    /// The voucher.
    pub voucher: VoucherId,
    /// The ticket; whole, and only here.
    pub ticket: Ticket,
}

/// Prints a ticket at a table, or says why it is not out.
pub type Printer = Box<dyn FnMut(VoucherId, &Ticket) -> Result<(), PrintFailure> + Send>;

/// The printers of the house.
pub type Printers = BTreeMap<TableName, Printer>;

/// A printer's thread: one ticket at a time.
pub fn print_jobs(mut printer: Printer, jobs: &Receiver<PrintJob>, desk: &Sender<ToDesk>) {
    for job in jobs {
        let printed = ToDesk::Printed {
            voucher: job.voucher,
            failed: printer(job.voucher, &job.ticket).err(),
        };
        if desk.send(printed).is_err() {
            return;
        }
    }
}

fn outcome<N>(answer: &Answer<N>, code: impl Fn(&N) -> &'static str) -> Outcome {
    match answer {
        Answer::Done { .. } => Outcome::Done,
        Answer::Refused(refusal) => Outcome::Refused(code(refusal).to_owned()),
        Answer::TooLarge => Outcome::Refused("too_large".to_owned()),
        Answer::Busy => Outcome::Busy,
        Answer::Stopped => Outcome::Stopped,
    }
}

impl DeskWork {
    /// Takes every step that can be taken now.
    pub(super) fn move_vouchers(&mut self) {
        self.again = false;
        // Steps rest on tables that run; before they do there are none.
        let Some(hubs) = self.desk.tables.get().cloned() else {
            return;
        };
        let steps = {
            let register = self.desk.register();
            let tables: Tables<'_> = self
                .shadows
                .iter()
                .map(|(name, table)| (name.clone(), table))
                .collect();
            self.vouchers.steps(&register, &tables)
        };
        for (voucher, step) in steps {
            let busy = match step {
                Step::Register(act) => {
                    let sent = self.note_first(voucher, &act, &hubs).and_then(|()| {
                        let command = self.desk.by_house(act);
                        let sent = self.desk.door.submit(DeskReply::Step(voucher), command);
                        sent.map_err(|(_, answer)| answer)
                    });
                    sent.err().map(|answer| outcome(&answer, Refusal::code))
                }
                Step::Table { table, by, act } => match hubs.get(&table) {
                    None => Some(Outcome::Stopped),
                    Some(hub) => {
                        let command = sicbo_table::Command {
                            id: 0,
                            at_ms: self.desk.clock.now_ms(),
                            by,
                            second: None,
                            act,
                        };
                        let sent = hub.submit(Reply::Voucher(voucher), command);
                        sent.err()
                            .map(|(_, answer)| outcome(&answer, sicbo_table::Refusal::code))
                    }
                },
                Step::Print { copy } => self.print(voucher, copy),
            };
            if let Some(outcome) = busy {
                self.again |= outcome == Outcome::Busy;
                self.vouchers.finished(voucher, outcome);
            }
        }
    }

    /// Before the register enters what rests on something a table did, it notes
    /// how far that table's journal has come: an older copy of the journal, put
    /// back later, is then known for one.
    fn note_first(
        &self,
        voucher: VoucherId,
        act: &Act,
        hubs: &BTreeMap<TableName, Arc<Hub>>,
    ) -> Result<(), Answer<Refusal>> {
        let table = {
            let register = self.desk.register();
            let known = register.vouchers.get(&voucher);
            known.and_then(|known| match (act, &known.state) {
                (Act::IssueVoucher { .. } | Act::FinishReturn { .. }, _) => {
                    Some(known.origin.table.clone())
                }
                (
                    Act::FinishRedeem { .. },
                    State::Redeeming {
                        to: Payee::Station(place),
                        ..
                    },
                ) => Some(place.table.clone()),
                _ => None,
            })
        };
        let hub = table.and_then(|table| hubs.get(&table));
        hub.map_or(Ok(()), |hub| self.note_table(hub))
    }

    fn print(&mut self, voucher: VoucherId, copy: u8) -> Option<Outcome> {
        let register = self.desk.register();
        let secret = self.vouchers.secret();
        let house = self.address.as_deref();
        let ticket = Ticket::of(&register, secret, voucher, copy, &self.zone, house);
        let origin = register.vouchers.get(&voucher).map(|v| v.origin.clone());
        drop(register);
        let ticket = ticket.zip(origin.as_ref()).map(|(ticket, origin)| {
            let (book, player) = self.desk.languages_at(origin);
            ticket.in_languages(book, player)
        });
        let table = origin.map(|origin| origin.table);
        let (Some(ticket), Some(table)) = (ticket, table) else {
            return Some(Outcome::NotPrinted("there is no such ticket".to_owned()));
        };
        let Some(printer) = self.printers.get(&table) else {
            return Some(Outcome::NotPrinted("the table has no printer".to_owned()));
        };
        match printer.try_send(PrintJob { voucher, ticket }) {
            Ok(()) => None,
            Err(TrySendError::Full(_)) => Some(Outcome::Busy),
            Err(TrySendError::Disconnected(_)) => Some(Outcome::NotPrinted(
                "the printer is out of service".to_owned(),
            )),
        }
    }

    pub(super) fn step_answered(&mut self, voucher: VoucherId, answer: Answer<Refusal>) {
        let outcome = outcome(&answer, Refusal::code);
        self.again |= outcome == Outcome::Busy;
        self.vouchers.finished(voucher, outcome);
    }

    pub(super) fn table_answered(
        &mut self,
        voucher: VoucherId,
        answer: Answer<sicbo_table::Refusal>,
    ) {
        let outcome = outcome(&answer, sicbo_table::Refusal::code);
        self.again |= outcome == Outcome::Busy;
        self.vouchers.finished(voucher, outcome);
    }

    pub(super) fn printed(&mut self, voucher: VoucherId, failed: Option<PrintFailure>) {
        let outcome = match failed {
            None => Outcome::Done,
            Some(failure) if failure.paper == Paper::None => Outcome::NotPrinted(failure.what),
            // A paper may be out: another is printed, marked as a duplicate.
            Some(_) => Outcome::PaperUnknown,
        };
        self.vouchers.finished(voucher, outcome);
    }

    /// What the register said at once to a terminal's request.
    pub(super) fn terminal_answered(
        &mut self,
        asked: Asked,
        answer: Answer<Refusal>,
        facts: &[Fact],
    ) {
        match answer {
            Answer::Done { .. } => {}
            Answer::Refused(refusal) => {
                return self.decline(&asked, refusal.code(), &refusal.to_string());
            }
            Answer::Busy | Answer::TooLarge => {
                return self.decline(&asked, BUSY, TOO_MUCH_WAITS);
            }
            Answer::Stopped => {
                return self.decline(&asked, STOPPED, "the house's journal has failed");
            }
        }
        for fact in facts {
            match fact {
                Fact::VoucherReserved { voucher, .. } => {
                    self.asked.insert(*voucher, asked.clone());
                }
                Fact::RedemptionBegan { voucher, .. } => {
                    self.asked.insert(*voucher, asked.clone());
                }
                Fact::RedemptionRefused { why, .. } => {
                    self.decline(&asked, why.code(), why.words());
                }
                // The same request again, long since paid.
                Fact::VoucherRedeemed { .. } => self.done(&asked),
                _ => {}
            }
        }
        if facts.is_empty() {
            self.said_again(asked);
        }
    }

    /// The same request once more: it was done already, or is on its way and
    /// answered then.
    fn said_again(&mut self, asked: Asked) {
        let found = {
            let register = self.desk.register();
            let cashed_out = register.voucher_asked(&asked.place, asked.own);
            let redeemed = || {
                register.unsettled().find(|id| {
                    let state = register.vouchers.get(id).map(|voucher| &voucher.state);
                    matches!(state, Some(State::Redeeming { request, .. }) if *request == asked.own)
                })
            };
            cashed_out.or_else(redeemed).and_then(|id| {
                let voucher = register.vouchers.get(&id)?;
                Some((id, voucher.state.clone(), voucher.amount.minor()))
            })
        };
        match found {
            Some((_, state, _)) if state.is_unsettled() && self.desk.stopped().is_some() => {
                self.decline(&asked, STOPPED, HOUSE_STOPPED);
            }
            // Out, and on its way elsewhere: whoever redeems it waits, not this one.
            Some((voucher, State::Redeeming { .. }, amount)) if asked.wanted == Wanted::CashOut => {
                self.tell(&asked, ticket(&asked, voucher, amount));
            }
            Some((voucher, state, _)) if state.is_unsettled() => {
                self.asked.insert(voucher, asked);
            }
            Some((_, State::Kept, _)) => self.decline(&asked, "kept_at_cage", KEPT),
            Some((voucher, _, amount)) => self.tell(&asked, ticket(&asked, voucher, amount)),
            None if self.was_redeemed(&asked) => self.done(&asked),
            // It came to nothing while it was being asked again.
            None => self.decline(&asked, "not_given", NOT_GIVEN),
        }
    }

    /// The redemption that was asked for has been paid.
    fn was_redeemed(&self, asked: &Asked) -> bool {
        let register = self.desk.register();
        let mut vouchers = register.vouchers.values();
        asked.wanted == Wanted::Redemption
            && vouchers.any(|voucher| {
                matches!(voucher.state, State::Redeemed { request, .. } if request == asked.own)
            })
    }

    /// Tells a terminal that waits what came of its voucher.
    pub(super) fn tell_terminal(&mut self, fact: &Fact) {
        match fact {
            Fact::VoucherPrinted { voucher } => {
                let Some(asked) = self.asked.remove(voucher) else {
                    return;
                };
                let amount = {
                    let register = self.desk.register();
                    register
                        .vouchers
                        .get(voucher)
                        .map_or(0, |v| v.amount.minor())
                };
                self.tell(&asked, ticket(&asked, *voucher, amount));
            }
            Fact::ReservationReleased { voucher } => {
                if let Some(asked) = self.asked.remove(voucher) {
                    self.decline(&asked, "not_given", NOT_GIVEN);
                }
            }
            Fact::VoucherReturned { voucher } => {
                if let Some(asked) = self.asked.remove(voucher) {
                    let words = "the ticket could not be printed; the credit is back";
                    self.decline(&asked, "not_printed", words);
                }
            }
            Fact::VoucherKept { voucher, .. } => {
                if let Some(asked) = self.asked.remove(voucher) {
                    self.decline(&asked, "kept_at_cage", KEPT);
                }
            }
            Fact::VoucherRedeemed {
                voucher,
                to: Payee::Station(_),
                ..
            } => {
                if let Some(asked) = self.asked.remove(voucher) {
                    self.done(&asked);
                }
            }
            Fact::RedemptionCancelled { voucher, why } => {
                if let Some(asked) = self.asked.remove(voucher) {
                    self.decline(&asked, why, "the table could not credit it");
                }
            }
            _ => {}
        }
    }

    /// Answers every terminal that waits for a voucher and whose request cannot
    /// be finished now.
    pub(super) fn decline_waiting(&mut self, whose: impl Fn(&Asked) -> bool, words: &str) {
        let waiting = std::mem::take(&mut self.asked);
        let (over, on): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|(_, a)| whose(a));
        self.asked = on.into_iter().collect();
        for (_, asked) in over {
            self.decline(&asked, STOPPED, words);
        }
    }

    fn done(&self, asked: &Asked) {
        let told = frame(&HouseToTerminal::Done {
            request: asked.request,
        });
        self.tell(asked, told);
    }

    fn decline(&self, asked: &Asked, code: &str, words: &str) {
        let told = declined(asked.request, code, words);
        let mut requests = self.desk.requests.lock();
        requests.declined(&asked.place, asked.own, code, &told);
        drop(requests);
        self.send(&asked.place, told);
    }

    /// Nothing will answer what was asked of the register and is on its way.
    pub(super) fn give_up_requests(&self) {
        let given_up = self.desk.requests.lock().give_up();
        for (place, request) in given_up {
            self.send(&place, declined(request, STOPPED, HOUSE_STOPPED));
        }
    }

    fn tell(&self, asked: &Asked, told: Frame) {
        let mut requests = self.desk.requests.lock();
        requests.answered(&asked.place, asked.own, told.clone());
        drop(requests);
        self.send(&asked.place, told);
    }

    fn send(&self, place: &Place, told: Frame) {
        let hubs = self.desk.tables.get();
        if let Some(hub) = hubs.and_then(|hubs| hubs.get(&place.table)) {
            hub.tell_waiting(ToHub::Tell {
                station: place.station,
                frame: told,
            });
        }
    }
}

/// The voucher that a terminal asked for.
fn ticket(asked: &Asked, voucher: VoucherId, amount: i64) -> Frame {
    frame(&HouseToTerminal::Voucher {
        request: asked.request,
        voucher: voucher.0,
        amount,
        ticket: Some(format!("/api/station/vouchers/{}/ticket.svg", voucher.0)),
    })
}
