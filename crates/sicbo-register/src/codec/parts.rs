//! The parts that the register's events and snapshots are made of, with their numbers.

use sicbo_table::codec::{DecodeError, Forms, Reader, Wire, Writer};
use sicbo_table::{wire_choices, wire_ids, wire_records};

use crate::case::{
    Answer, Case, CaseId, Claimed, Entry, Grievance, Kind, Ladder, NewCase, Outcome, RefusedBet,
    Rung, Step,
};
use crate::command::{Party, Terms};
use crate::credential::Credential;
use crate::dice::{Dice, DiceEntry, DiceSet, DiceState, DiceStep};
use crate::duties::{Duties, Posts, RightsException, Standing};
use crate::enrolment::{Enrolment, EnrolmentId, NewEnrolment, Role, TableName};
use crate::identity::{HouseKind, Identity, SecretCheck};
use crate::lockout::Lockout;
use crate::person::{LogOutReason, NewPerson, Person, Session, SessionId};
use crate::play::clock::PlayClock;
use crate::play::limits::{Later, Limit, LimitKey, Limits, Measure, Window};
use crate::play::member::{Member, MemberId, Purse, Spell};
use crate::play::{Card, Counted, Play, PlayLimits, PlayStep, Proof, Seen, Sitting};
use crate::proposal::{NewProposal, ProposalEnd, Recorded};
use crate::reached::Reached;
use crate::security::{SecurityKind, SecurityNote};
use crate::settled::{End, Mark};
use crate::shift::{
    BoxCount, Boxes, Counts, Ledger, NewShift, Pieces, Refused, Shift, ShiftEnd, ShiftId, SignedTo,
    SoftCount,
};
use crate::voucher::{Flag, Payee, Place, Recent, State, Totals, Unpaid, Voucher};

wire_ids! { SecretCheck MemberId Limits ShiftId CaseId EnrolmentId SessionId }

wire_records! {
    Terms { 0 site, 1 voucher_days, 2 hand_pay_above }
    Identity { 0 kind, 1 pins, 2 vouchers, 3 tumblers }
    NewPerson { 0 name, 1 position, 2 pin }
    Person {
        0 name, 1 position, 2 pin, 3 pin_version, 4 one_time, 5 disabled, 6 since_ms,
        7 last_log_in_ms, 8 lockout, 9 one_time_until_ms, 10 one_time_used, 11 standing,
        12 disabled_ms,
    }
    Credential { 0 second_factor, 1 pin_since_ms }
    Duties { 0 one_time_hours, 1 absence_hours }
    Posts { 0 tables, 1 windows }
    RightsException { 0 at_ms, 1 person, 2 by, 3 second, 4 witnessed }
    Session { 0 person, 1 place, 2 since_ms }
    Lockout { 0 failures, 1 last_ms, 2 until_ms }
    NewEnrolment { 0 role, 1 name, 2 key }
    Enrolment { 0 role, 1 name, 2 key, 3 since_ms, 4 revoked_ms }
    Place { 0 table, 1 station }
    Voucher {
        0 origin, 1 station_name, 2 currency, 3 amount, 4 sequence, 5 digest, 6 attempt,
        7 issued_ms, 8 expires_ms, 9 copies, 10 state, 11 settled_ms, 12 asked,
    }
    Mark { 0 number, 1 origin, 2 end, 3 until_ms }
    Recent { 0 issued, 1 accepted, 2 sequence }
    Flag { 0 at_ms, 1 voucher, 2 to, 3 why }
    Rung { 0 position, 1 or_above }
    Ladder { 0 book, 1 first, 2 escalated, 3 bases, 4 authority_days }
    Claimed { 0 bet, 1 tapped_ms, 2 sent_ms }
    RefusedBet { 0 bet, 1 at_ms, 2 code }
    NewCase {
        0 kind, 1 table, 2 ladder, 3 round, 4 station, 5 session, 6 grievance, 7 words, 8 claimed,
        9 refused,
    }
    Entry { 0 at_ms, 1 by, 2 acting, 3 step }
    Case { 0 new, 1 opened_by, 2 opened_ms, 3 entries }
    DiceEntry { 0 at_ms, 1 by, 2 second, 3 step }
    Dice { 0 state, 1 good_ms, 2 entries }
    Ledger { 0 sequence, 1 rack, 2 fills, 3 drop, 4 tips, 5 colour_out }
    Counts { 0 closer, 1 drop, 2 tips }
    Refused { 0 code, 1 count }
    SignedTo { 0 sequence, 1 header_hash }
    Reached { 0 sequence, 1 header_hash }
    Pieces { 0 value, 1 count }
    Boxes { 0 drop, 1 tips }
    BoxCount { 0 boxes, 1 drop, 2 drop_pieces, 3 tips, 4 tip_pieces }
    SoftCount { 0 at_ms, 1 by, 2 counted }
    NewShift { 0 table, 1 currency, 2 opener, 3 ledger, 4 threshold, 5 rack, 6 boxes }
    ShiftEnd { 0 counts, 1 ledger, 2 signed, 3 comment, 4 rack }
    Shift {
        0 table, 1 currency, 2 from_sequence, 3 to_sequence, 4 opened_at, 5 closed_at, 6 opener,
        7 closer, 8 drop, 9 tips, 10 comment, 11 opened_by, 12 signed_by, 13 signed, 14 threshold,
        15 ledger_from, 16 ledger_to, 17 refused, 18 racks, 19 boxes, 20 soft_count,
    }
    PlayLimits { 0 loss, 1 spend, 2 minutes }
    Sitting { 0 session, 1 began_ms, 2 base, 3 seen }
    Seen { 0 check_min, 1 clock }
    LimitKey { 0 window, 1 measure }
    Later { 0 from_ms, 1 most }
    Limit { 0 most, 1 later }
    Card { 0 member, 1 currency }
    PlayClock { 0 played_ms, 1 last_ms }
    Counted { 0 place, 1 session, 2 meters, 3 clock }
    Play {
        0 session, 1 began_ms, 2 base, 3 card, 4 limits, 5 check_min, 6 checked_ms, 7 answered,
        8 break_until_ms, 9 stopped, 10 counted, 11 clock, 12 counted_ms, 13 still_stopped,
        14 proved_ms,
    }
    Spell { 0 number, 1 played_ms }
    Purse { 0 currency, 1 limits, 2 day, 3 week, 4 month }
    Member {
        0 at, 1 seen_ms, 2 time, 3 purses, 4 day, 5 week, 6 month, 7 check_min, 8 answered,
        9 break_until_ms, 10 stopped,
    }
    SecurityNote {
        0 kind, 1 person, 2 place, 3 address, 4 what, 5 count, 6 first_ms, 7 last_ms,
    }
    NewProposal { 0 table, 1 act, 2 words, 3 digest }
    Recorded { 0 new, 1 by, 2 at_ms }
    Totals {
        0 issued, 1 outstanding, 2 redeemed_at_tables, 3 redeemed_at_cage, 4 returned, 5 voided,
        6 expired,
    }
}

wire_choices! {
    HouseKind { 0 RealMoney, 1 PlayMoney, 2 Practice }
    DiceState { 0 Received, 1 Good, 2 InUse(table), 3 Removed, 4 Quarantined, 5 Destroyed }
    DiceStep {
        0 Receive { seal },
        1 Inspect { good, text },
        2 Place { table },
        3 Remove { text },
        4 Quarantine { text },
        5 Destroy { text },
    }
    PlayStep {
        0 Limit { limits },
        1 Check { minutes },
        2 Acknowledge,
        3 Break { minutes },
        4 Stop { reason },
        5 Resume { reason },
        6 Set { key, most },
        7 Confirm { key },
        8 Present { card },
        9 Prove { card, proof },
    }
    ProposalEnd {
        0 Confirmed { second },
        1 Withdrawn,
        2 Lapsed,
        3 ReadingsDiffer,
        4 Restarted,
    }
    Proof { 0 Pin, 1 Read }
    SecurityKind {
        0 LogIn, 1 LogInFailed, 2 Refused, 3 NotKnown, 4 TooMany, 5 CardNotProved, 6 RemoteAccess,
        7 Started, 8 Reloaded, 9 AppUnknown, 10 SelfCheckFailed, 11 Attested,
    }
    Window { 0 Session, 1 Day, 2 Week, 3 Month }
    Measure { 0 Time, 1 Spend, 2 Loss }
    Kind { 0 Dispute, 1 Incident, 2 Counterfeit, 3 UnusualBetting }
    Grievance {
        0 NotPaid, 1 PaidTooLittle, 2 BetNotTaken, 3 WrongResult, 4 Close, 5 Credit, 6 Other,
        7 VoidInError,
    }
    Outcome { 0 Upheld, 1 Partly, 2 Rejected }
    Answer { 0 Agrees, 1 Disagrees, 2 Left, 3 Withdraws }
    Step {
        0 Take,
        1 Note { text },
        2 Bookmark { camera, from_ms, to_ms, text },
        3 CheckUv { genuine, text },
        4 Escalate { text },
        5 AcknowledgeNotice,
        6 Promise { until_ms },
        7 Decide { outcome, bases, text },
        8 LinkAdjustment { sequence, amount },
        9 Answer { answer },
        10 TellRights,
        11 NotifyAuthority { text },
        12 Complain { text },
        13 Close { text },
        14 DecideOnEach { outcome, bases, silent, text },
    }
    End { 0 Paid, 1 Void, 2 Expired }
    Party { 0 House, 1 Person(person), 2 Place(enrolment) }
    Role {
        0 Station { table, station },
        1 Console { table },
        2 Display { table },
        3 Device { table, device },
        4 PitDesk,
        5 Cage,
        6 TechnicianDesk,
        7 AuditDesk,
    }
    Standing { 0 Seen, 1 Unseen { by, second } }
    Payee { 0 Station(place), 1 Cage { cashier } }
    State {
        0 Reserved, 1 Issued, 2 Printed, 3 Returning,
        4 Redeeming { to, request },
        5 Redeemed { to, request, at_ms },
        6 Returned, 7 Void, 8 Expired, 9 Kept,
    }
    LogOutReason {
        0 Asked, 1 Idle, 2 TooMany, 3 RightsChanged, 4 Restart, 5 PlaceRevoked,
        6 LoggedInAgain, 7 TooLong,
    }
    Unpaid {
        0 NotFound, 1 AlreadyPaid, 2 BeingPaid, 3 AmountDiffers, 4 CurrencyDiffers, 5 Expired,
        6 Void, 7 NotPrinted, 8 Locked,
    }
}

impl Wire for TableName {
    fn put(&self, to: &mut Writer<'_>) {
        self.as_str().to_owned().put(to);
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let name = String::get(from)?;
        TableName::new(&name).ok_or_else(|| from.expected("the name of a table"))
    }
    fn form(forms: &mut Forms) -> String {
        forms.define::<Self>("TableName", |_| {
            vec!["text: the name of a table".to_owned()]
        })
    }
}

impl Wire for DiceSet {
    fn put(&self, to: &mut Writer<'_>) {
        self.as_str().to_owned().put(to);
    }
    fn get(from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let number = String::get(from)?;
        DiceSet::new(&number).ok_or_else(|| from.expected("the number of a set of dice"))
    }
    fn form(forms: &mut Forms) -> String {
        forms.define::<Self>("DiceSet", |_| {
            vec!["text: the number of a set of dice".to_owned()]
        })
    }
}
