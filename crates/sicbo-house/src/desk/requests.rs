//! The newest requests of every station about vouchers, and how they were
//! answered: a request that arrives twice is done once and has one answer.
//!
//! The register remembers what it has done, also over a restart. A decline
//! leaves no record, and a terminal whose line broke may have a second copy of
//! the same request on its way: without this memory that copy could still be
//! done after its player was told that it was not.

use std::collections::{BTreeMap, VecDeque};

use sicbo_register::voucher::Place;
use sicbo_wire::Frame;

use super::{BUSY, STOPPED};

/// Requests remembered for each station.
const MAX_REMEMBERED: usize = 32;

/// What is known of a request when it arrives.
#[derive(Debug)]
pub(super) enum Arrived {
    /// Nothing: it is now under way, and must be answered.
    New,
    /// It is under way; its answer will go to the station.
    UnderWay,
    /// It was answered so.
    Answered(Frame),
    /// So many of the station's requests are under way that none can be taken.
    TooMany,
}

/// One request; no answer while it is under way.
struct Request {
    own: u64,
    /// As the terminal numbers it.
    request: u64,
    answer: Option<Frame>,
}

/// The requests of all stations, the newest of each.
#[derive(Default)]
pub(super) struct Requests(BTreeMap<Place, VecDeque<Request>>);

impl Requests {
    /// A station's request has arrived, under the house's own number for it.
    pub(super) fn arrived(&mut self, place: &Place, own: u64, request: u64) -> Arrived {
        let known = self.0.entry(place.clone()).or_default();
        if let Some(request) = known.iter().find(|request| request.own == own) {
            let answer = request.answer.clone();
            return answer.map_or(Arrived::UnderWay, Arrived::Answered);
        }
        if known.len() >= MAX_REMEMBERED {
            let oldest = known.iter().position(|request| request.answer.is_some());
            let Some(oldest) = oldest else {
                return Arrived::TooMany;
            };
            known.remove(oldest);
        }
        known.push_back(Request {
            own,
            request,
            answer: None,
        });
        Arrived::New
    }

    /// A request has been answered.
    pub(super) fn answered(&mut self, place: &Place, own: u64, answer: Frame) {
        if let Some(request) = self.find(place, own) {
            request.answer = Some(answer);
        }
    }

    /// A request has been declined, with a code that may leave open what
    /// becomes of it.
    pub(super) fn declined(&mut self, place: &Place, own: u64, code: &str, answer: &Frame) {
        match code {
            STOPPED | BUSY => self.unknown(place, own),
            _ => self.answered(place, own, answer.clone()),
        }
    }

    /// The house could not say what became of a request: when it is sent again,
    /// it is looked at anew.
    pub(super) fn unknown(&mut self, place: &Place, own: u64) {
        if let Some(known) = self.0.get_mut(place) {
            known.retain(|request| request.own != own);
        }
    }

    /// Nothing that is under way will be answered any more: forgets all of it
    /// and says what it was.
    pub(super) fn give_up(&mut self) -> Vec<(Place, u64)> {
        let mut given_up = Vec::new();
        for (place, known) in &mut self.0 {
            let waiting = known.iter().filter(|request| request.answer.is_none());
            given_up.extend(waiting.map(|request| (place.clone(), request.request)));
            known.retain(|request| request.answer.is_some());
        }
        given_up
    }

    fn find(&mut self, place: &Place, own: u64) -> Option<&mut Request> {
        let mut known = self.0.get_mut(place)?.iter_mut();
        known.find(|request| request.own == own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sicbo_register::enrolment::TableName;
    use sicbo_table::ids::StationId;

    fn place(station: u32) -> Place {
        Place {
            table: TableName::new("one").expect("a name"),
            station: StationId(station),
        }
    }

    #[test]
    fn a_request_is_new_once_and_then_has_its_answer() {
        let mut requests = Requests::default();
        let (here, there) = (place(0), place(1));
        assert!(matches!(requests.arrived(&here, 7, 1), Arrived::New));
        assert!(matches!(requests.arrived(&here, 7, 1), Arrived::UnderWay));
        assert!(matches!(requests.arrived(&there, 7, 1), Arrived::New));
        requests.answered(&here, 7, Frame::from("no"));
        let again = requests.arrived(&here, 7, 1);
        assert!(matches!(again, Arrived::Answered(answer) if answer == "no"));
        requests.unknown(&there, 7);
        assert!(matches!(requests.arrived(&there, 7, 70), Arrived::New));
        // What was answered stays so, the rest is given up.
        assert_eq!(requests.give_up(), [(there.clone(), 70)]);
        assert!(matches!(requests.arrived(&there, 7, 70), Arrived::New));
        assert!(matches!(
            requests.arrived(&here, 7, 1),
            Arrived::Answered(_)
        ));
    }

    #[test]
    fn only_answered_requests_are_forgotten_and_only_so_many_wait() {
        let mut requests = Requests::default();
        let here = place(0);
        for own in 0..MAX_REMEMBERED as u64 {
            assert!(matches!(requests.arrived(&here, own, 1), Arrived::New));
        }
        assert!(matches!(requests.arrived(&here, 99, 1), Arrived::TooMany));
        requests.answered(&here, 5, Frame::from("yes"));
        assert!(matches!(requests.arrived(&here, 99, 1), Arrived::New));
        // Forgotten by now; there is no room for it either.
        assert!(matches!(requests.arrived(&here, 5, 1), Arrived::TooMany));
        assert!(matches!(requests.arrived(&here, 0, 1), Arrived::UnderWay));
    }
}
