//! A guest at a table with chips calls for staff from their own phone: there
//! is no terminal at their seat to do it with.

use http::StatusCode;
use sicbo_table::actor::Actor;
use sicbo_table::command::IncidentKind;
use sicbo_table::ids::StationId;
use sicbo_table::station::StationKind;
use sicbo_table::{Act, Command};
use sicbo_wire::problem::Problem;

use crate::house::{House, TableAt};

impl House {
    /// Somebody at a seat wants an attendant; true once it is on record.
    ///
    /// Whoever asks is not known, so a seat can call as often as a terminal
    /// could and no more, and nothing but this can be asked for a seat.
    ///
    /// # Errors
    /// Why nobody is called.
    pub async fn call_to_seat(&self, at: &TableAt, seat: StationId) -> Result<(), Problem> {
        let is_seat = {
            let state = at.hub.state();
            let known = state.table.station(seat);
            known.is_some_and(|known| known.kind == StationKind::Seat && !known.removed)
        };
        if !is_seat {
            return Err(Problem::not_found("seat"));
        }
        if !at.hub.may_call(seat) {
            let words = "staff have been called; try again in a while";
            let status = StatusCode::TOO_MANY_REQUESTS;
            return Err(Problem::new(status, "called_already", words));
        }
        let command = Command {
            id: 0,
            at_ms: self.clock.now_ms(),
            by: Actor::Station(seat),
            second: None,
            act: Act::RaiseIncident {
                kind: IncidentKind::CallAttendant,
                note: String::new(),
            },
        };
        Problem::unless_done(at.hub.ask(command).await).map(drop)
    }
}
