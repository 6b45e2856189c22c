//! Refusals of the register: an expected no, with a stable code and words.
//!
//! The variants of [`Reason`] stand in order of precedence: when several apply,
//! the first is given.

use sicbo_rules::Money;
use sicbo_table::ids::VoucherId;
use sicbo_table::reasons;

/// An expected no.
#[derive(Clone, PartialEq, Eq, Debug, derive_more::From, thiserror::Error)]
#[error("{reason}")]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
}

impl Refusal {
    /// A stable word for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.reason.code()
    }
}

reasons! {
    NotSetUp = "house_not_set_up", "the house has not been set up";
    AlreadySetUp = "house_already_set_up", "the house was set up already";
    AnotherHouse = "another_house", "the journal is of a house that plays for something else or has other secrets";
    NoAdministrator = "no_administrator", "nobody among them could manage people";
    UnknownPerson = "unknown_person", "there is no such person";
    PersonDisabled = "person_disabled", "that person may not act any more";
    MustChangePin = "must_change_pin", "change the one-time PIN first";
    NotAuthorised = "not_authorised", "your position does not allow this";
    SecondPersonNeeded = "second_person_needed", "this takes a second person";
    NotWitnessed = "not_witnessed", "a manager must have seen both of them log in first";
    SamePersonTwice = "same_person_twice", "the second person must be someone else";
    LockedOut { until_ms: i64 } = "locked_out", "too many failures: wait until {until_ms}";
    PinOutdated = "pin_outdated", "the PIN was changed in the meantime";
    OwnRights = "own_rights", "nobody changes their own rights";
    WitnessTookPart = "witness_took_part", "somebody who neither proposed nor confirmed it sees them log in";
    NotLoggedIn = "not_logged_in", "they must be logged in with a PIN of their own";
    PlaceNeeded = "place_needed", "staff log in at an enrolled place of the house";
    PlaceDoesNotFit = "place_does_not_fit", "your position does not work at this place";
    NotPosted = "not_posted", "you are not assigned to this table or window";
    LastAdministrator = "last_administrator", "somebody must remain who can manage people";
    NameInvalid = "name_invalid", "a name has 2 to 60 letters, digits, spaces, dots or hyphens";
    GenericName = "generic_name", "an account belongs to a named person";
    NameTaken = "name_taken", "somebody has that name";
    NameResembles { name: String } = "name_resembles", "that looks like the name of {name}";
    PositionNotNamed = "position_not_named", "the house has named no such position above the director";
    PinHashInvalid = "pin_hash_invalid", "that is not an Argon2id hash of this person's PIN";
    TermsFaulty { what: &'static str } = "terms_faulty", "the terms cannot be: {what}";
    PositionsFaulty { what: &'static str } = "positions_faulty",
        "the positions above the director cannot be: {what}";
    ReasonNeeded = "reason_needed", "a reason is needed";
    TextTooLong { allowed: usize } = "text_too_long", "at most {allowed} bytes of text";
    AlreadyDone = "already_done", "that is so already";
    UnknownSession = "unknown_session", "there is no such session";
    UnknownEnrolment = "unknown_enrolment", "nothing is enrolled under that number";
    EnrolmentRevoked = "enrolment_revoked", "that enrolment was revoked";
    AlreadyEnrolled = "already_enrolled", "revoke the present enrolment first";
    KeyTaken = "key_taken", "that key is in use: draw another";
    NotYourStation = "not_your_station", "that is another station's";
    AmountNotPositive = "amount_not_positive", "the amount must be above zero";
    HandPayNeeded { above: Money } = "hand_pay_needed",
        "above {above:?} an attendant pays by hand";
    PrinterBusy { voucher: VoucherId } = "printer_busy", "{voucher} is being printed there";
    UnknownVoucher = "unknown_voucher", "there is no such voucher";
    WrongVoucherState { state: &'static str } = "wrong_voucher_state", "the voucher is {state}";
    NumberTaken = "number_taken", "that validation number exists: draw another";
    TooManyCopies = "too_many_copies", "it was printed too often";
    UnknownCase = "unknown_case", "there is no such case";
    TooManyCases = "too_many_cases", "too many cases are open: close some first";
    TooManySteps = "too_many_steps", "the case has no room for more";
    NotInBook = "not_in_book", "there is no such step in a case like this";
    WrongCaseState { state: &'static str } = "wrong_case_state", "the case is {state}";
    TimeInvalid = "time_invalid", "that time cannot be";
    UnknownBasis = "unknown_basis", "the rule book does not list that basis";
    BasesUnanswered = "bases_unanswered", "the record answers for each of the listed bases: name those the decision rests on and those that are silent on this case";
    BasisNeeded = "basis_needed", "a decision rests on one of the listed bases";
    DiceKnown = "dice_known", "a set with that number is known";
    UnknownDice = "unknown_dice", "there is no such set of dice";
    TooManyDice = "too_many_dice", "no more sets of dice can be kept";
    WrongDiceState { state: &'static str } = "wrong_dice_state", "the dice are {state}";
    UnknownShift = "unknown_shift", "there is no such shift";
    ShiftOpen = "shift_open", "a shift of that table goes on: close it first";
    ShiftNotEnded = "shift_not_ended", "the shift goes on: its boxes are counted when it has ended";
    WrongBox = "wrong_box", "those are not the numbers of the boxes that were locked to the table";
    PiecesDiffer = "pieces_differ", "the denominations do not come to that sum";
    OwnShift = "own_shift", "boxes are counted by others than those who signed for the shift";
    CommentNeeded = "comment_needed", "the counts differ from the books: a comment is needed";
    LimitInvalid = "limit_invalid", "that limit cannot be";
    CardNeeded = "card_needed", "limits by day, week or month take a member's card";
    ProofNeeded = "proof_needed", "this binds a member: show the card again, with its PIN";
    OtherCard = "other_card", "another card is in use here: cash out first";
    TooManyMembers = "too_many_members", "no more members can be kept";
    CheckDue = "reality_check_due", "look at how you stand first";
    CoolingOff { until_ms: i64 } = "cooling_off", "a looser limit waits until {until_ms}";
    ClocksAgree = "clocks_agree", "the clocks agree: there is nothing to look at";
    UnknownProposal = "unknown_proposal", "no such proposal waits";
    TooManyProposals = "too_many_proposals", "too many proposals wait: confirm or withdraw some";
    ClockRunning { until_ms: i64 } = "clock_running", "the player has time until {until_ms}";
}
