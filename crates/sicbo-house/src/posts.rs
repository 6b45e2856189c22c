//! From where staff act on a table.

use sicbo_register::enrolment::Role;
use sicbo_wire::problem::Problem;
use sicbo_wire::staff::StaffAct;

use crate::house::{House, Present, TableAt};

/// What kind of work an act is, as far as it matters where it is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Work {
    /// Dealing the game.
    Deals,
    /// Money that comes from or goes to a person, and how much of it may.
    Pays,
    /// What the cage counts against it.
    Counts,
    /// Saying that something has happened.
    Reports,
    /// All else.
    Rules,
}

fn work(act: &StaffAct) -> Work {
    match act {
        StaffAct::ActivateTumbler {}
        | StaffAct::ReportTumbles { .. }
        | StaffAct::CallBets {}
        | StaffAct::CloseBets {}
        | StaffAct::PressDeal {}
        | StaffAct::Uncover {}
        | StaffAct::ConfirmFlat {}
        | StaffAct::KeyDice { .. }
        | StaffAct::ClearKeys {}
        | StaffAct::ReadSecond { .. }
        | StaffAct::ConfirmResult {}
        | StaffAct::ReportLights { .. }
        | StaffAct::TakeAndPay {}
        | StaffAct::ResolveReadings { .. }
        | StaffAct::PlaceBets { .. }
        | StaffAct::RemoveBets { .. }
        | StaffAct::ClearBets { .. }
        | StaffAct::CallBet { .. }
        | StaffAct::RecordPositions { .. }
        | StaffAct::ObservePositions { .. }
        | StaffAct::RecordLate { .. } => Work::Deals,
        // Cash or credit passes from one hand to another, or more of it may from now on.
        StaffAct::BuyCredit { .. }
        | StaffAct::TransferOut { .. }
        | StaffAct::HandPay { .. }
        | StaffAct::PayUnclaimed { .. }
        | StaffAct::MoveChips { .. }
        | StaffAct::AssignColour { .. }
        | StaffAct::ReleaseColour { .. }
        | StaffAct::MoveColour { .. } => Work::Pays,
        // Tools of the supervisor, whose desk is in the pit (P-032): credit is taken back by a ruling
        // and goes through nobody's hands, and limits bind from the next round on.
        StaffAct::Recover { .. } | StaffAct::ChangeLimits { .. } => Work::Rules,
        StaffAct::CountMoney { .. } => Work::Counts,
        StaffAct::RaiseIncident { .. } => Work::Reports,
        // Credit that two persons set right, by a decision or without: nobody hands anything over,
        // and who decides is at the table or in the pit.
        StaffAct::Adjust { .. } | StaffAct::SettleCase { .. } => Work::Rules,
        // What is not asked for any longer: a decision, and an entry that the cage looks at.
        StaffAct::Waive { .. } => Work::Rules,
        // What goes wrong, and what is ruled about it.
        StaffAct::DeclareVoid { .. }
        | StaffAct::ReportDamage { .. }
        | StaffAct::FindDiceSound { .. }
        | StaffAct::Hold { .. }
        | StaffAct::DeclareTechnicalStop { .. }
        | StaffAct::ReportDeviceFailure { .. }
        | StaffAct::AcknowledgeNotice { .. }
        | StaffAct::SwitchCounting { .. }
        | StaffAct::ConfirmInterruption { .. }
        | StaffAct::Rule { .. }
        | StaffAct::RuleVoid { .. }
        | StaffAct::CorrectResult { .. }
        | StaffAct::VoidRounds { .. }
        | StaffAct::AttestPositions { .. } => Work::Rules,
        // How the table is run.
        StaffAct::AnnounceLastRound {}
        | StaffAct::TakeBackLastRound {}
        | StaffAct::CloseTable {}
        | StaffAct::OpenTable {}
        | StaffAct::Suspend { .. }
        | StaffAct::Resume {}
        | StaffAct::ChangeDice { .. }
        | StaffAct::AssignActing { .. }
        | StaffAct::EndActing { .. }
        | StaffAct::AddStation { .. }
        | StaffAct::RemoveStation { .. } => Work::Rules,
    }
}

/// In a house for real money the game is dealt from the table's own console, and money
/// moves there or at a window of the cage: the session was opened there, with the
/// place's own key.
///
/// # Errors
/// Where it is done instead.
pub(crate) fn at_post(
    house: &House,
    at: &TableAt,
    person: &Present,
    act: &StaffAct,
) -> Result<(), Problem> {
    post(house, at, person, work(act))
}

/// As [`at_post`], for the second person: whoever confirms that money moves may be at
/// a desk of the pit.
pub(crate) fn as_second(
    house: &House,
    at: &TableAt,
    person: &Present,
    act: &StaffAct,
) -> Result<(), Problem> {
    let work = match work(act) {
        Work::Pays => Work::Reports,
        other => other,
    };
    post(house, at, person, work)
}

fn post(house: &House, at: &TableAt, person: &Present, work: Work) -> Result<(), Problem> {
    if !house.plan.real_money && house.plan.duties.is_none() {
        return Ok(());
    }
    let register = house.desk.register();
    let place = person.place.and_then(|place| register.enrolled(place));
    let fits = match (work, place.map(|known| &known.role)) {
        (Work::Counts, role) => matches!(role, Some(Role::Cage)),
        (_, Some(Role::Console { table })) => *table == at.hub.name,
        (Work::Pays, Some(Role::Cage)) => true,
        (Work::Reports, Some(Role::Cage | Role::PitDesk)) => true,
        (Work::Rules, Some(Role::PitDesk)) => true,
        _ => false,
    };
    if fits {
        return Ok(());
    }
    let (place, words) = match work {
        Work::Deals => ("console", "the game is dealt from the table's own console"),
        Work::Pays => (
            "console-or-window",
            "money moves at the table's own console or at a window of the cage",
        ),
        Work::Counts => ("window", "the cage counts at one of its windows"),
        Work::Reports | Work::Rules => (
            "console-or-desk",
            "this is done at the table's own console or at a desk of the pit",
        ),
    };
    Err(Problem::elsewhere(place, words))
}
