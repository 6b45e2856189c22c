//! What the hub tells whom, and when.

use sicbo_loop::Answer;
use sicbo_rules::broken;
use sicbo_rules::rulebook::words::Word as _;
use sicbo_table::ids::{BetId, RoundNumber, StationId};
use sicbo_table::views::sent;
use sicbo_table::views::settlement::own_last;
use sicbo_table::{Refusal, Table};

use super::news::{Amendment, News};
use super::work::Seat;
use super::{ActName, FRAMES_KEPT, HubWork, Reply, Sees};
use crate::connection::{Bye, ConnectionId, Outbox, SILENT_MS};
use crate::desk::ToDesk;
use sicbo_wire::console::{HouseToStaff, StaffState};
use sicbo_wire::problem::told;
use sicbo_wire::public::{HouseToWall, PublicState, ShownResult, TableInfo};
use sicbo_wire::terminal::{HouseToTerminal, Mine, PastBet, Settlements, StationInfo};
use sicbo_wire::{Frame, frame};

impl HubWork {
    /// Makes the frame of the public state anew, if it differs.
    fn show(&mut self, version: u64) -> Option<Frame> {
        let state = PublicState::of(&self.hub.state().table)?;
        if self.shown.as_ref() == Some(&state) {
            return None;
        }
        // Terminals and walls read the same frame.
        let shown = frame(&HouseToWall::Table {
            version,
            server_ms: self.hub.clock.now_ms(),
            state: Box::new(state.clone()),
        });
        let shown = match broken("hub:nobody-s-money") {
            true => with_money(&shown, &self.hub.state().table),
            false => shown,
        };
        self.shown = Some(state);
        if self.kept.len() == FRAMES_KEPT
            && let Some((old, _)) = self.kept.pop_front()
        {
            self.let_go = old;
        }
        self.kept.push_back((version, shown.clone()));
        Some(shown)
    }

    /// Brings what everyone sees up to date with the state.
    pub(super) fn refresh(&mut self) {
        let (version, info) = {
            let state = self.hub.state();
            (state.version, TableInfo::of(&state.table))
        };
        self.info = info;
        let _ = self.show(version);
    }

    pub(super) fn tell_everyone(&mut self, version: u64, news: &News) {
        if news.info {
            self.tell_info();
        }
        let public = if news.public {
            self.show(version)
        } else {
            None
        };
        if public.is_some() || news.ended {
            self.tell_stations(version, public.as_ref(), news.ended);
        }
        if let Some(shown) = &public {
            self.walls.tell(shown.clone());
        }
        for amendment in &news.amendments {
            self.tell_amendment(version, amendment);
        }
        for station in &news.touched {
            self.tell_own(version, *station);
        }
        for (kind, note, station, at_ms) in &news.incidents {
            let told = frame(&HouseToStaff::Incident {
                table: self.hub.name.to_string(),
                kind: sent(kind.key()),
                note: note.clone(),
                station: station.map(|station| station.0),
                round: self.hub.state().table.round.as_ref().map(|r| r.number.0),
                at_ms: *at_ms,
            });
            self.tell_all_staff(&told);
        }
        self.staff_due = true;
        if news.public {
            self.tell_staff();
        }
        if news.ended || !news.amendments.is_empty() {
            let rounds = self.hub.state().road.rounds();
            let road = frame(&HouseToWall::Road { rounds });
            self.tell_all_staff(&road);
            self.walls.tell(road);
        }
    }

    /// Tells every station what is everyone's and, when a round has ended, its
    /// own part of it, together: one wake-up, one write. The first are served
    /// while the frames of the others are made.
    fn tell_stations(&mut self, version: u64, public: Option<&Frame>, ended: bool) {
        let state = self.hub.state();
        let table = &state.table;
        let record = table.last_record.as_deref().filter(|_| ended);
        let mut settlements = record.map(|record| {
            let code = state.road.code(record.number.0);
            (record, Settlements::of(table, record, code, version))
        });
        for (id, seat) in (0..).map(StationId).zip(&mut self.stations) {
            let Some(Seat { outbox, .. }) = seat else {
                continue;
            };
            let own = settlements.as_mut().and_then(|(record, all)| {
                let station = table.station(id)?;
                let receipt = state.road.receipt(record.number.0, &station.name);
                let part = record.station(id)?;
                let credit = match broken("hub:settled-credit") {
                    true => table.station(StationId(id.0 ^ 1)).unwrap_or(station).credit,
                    false => station.credit,
                };
                Some(all.frame(part, credit.minor(), receipt.as_deref()))
            });
            let frames = public.cloned().into_iter().chain(own);
            if !outbox.put_all(frames) {
                *seat = None;
            }
        }
    }

    /// What a correction or a late void means to whoever is still there.
    fn tell_amendment(&mut self, version: u64, amendment: &Amendment) {
        let book = self.hub.state().table.book().cloned();
        for effect in &amendment.effects {
            let credit = self
                .hub
                .state()
                .table
                .station(effect.station)
                .map(|s| s.credit);
            let Some(credit) = credit else { continue };
            let told = frame(&HouseToTerminal::Amended {
                version,
                round: amendment.round.0,
                result: amendment
                    .dice
                    .map(|dice| ShownResult::under(book.as_deref(), dice)),
                rule: sicbo_rules::citation::public(&amendment.rule),
                cause: amendment.cause.map(|cause| cause.key().to_owned()),
                ground: amendment
                    .ground
                    .as_deref()
                    .and_then(sicbo_rules::citation::public),
                was: effect.was.minor(),
                is: effect.is.minor(),
                credited: effect.credited.minor(),
                credit: credit.minor(),
            });
            self.tell(effect.station, told);
            self.tell_own(version, effect.station);
        }
    }

    fn tell_own(&mut self, version: u64, station: StationId) {
        if !matches!(self.stations.get(station.0 as usize), Some(Some(_))) {
            return;
        }
        let whose = match broken("hub:own-frames") {
            true => StationId(station.0 ^ 1),
            false => station,
        };
        let mine = Mine::of(&self.hub.state().table, whose);
        if let Some(mine) = mine {
            self.tell(station, frame(&HouseToTerminal::Mine { version, mine }));
        }
    }

    pub(super) fn tell(&mut self, station: StationId, told: Frame) {
        if let Some(seat) = self.stations.get_mut(station.0 as usize)
            && seat.as_ref().is_some_and(|s| !s.outbox.put(told))
        {
            *seat = None;
        }
    }

    pub(super) fn tell_all_staff(&mut self, told: &Frame) {
        self.staff.retain(|_, outbox| outbox.put(told.clone()));
    }

    pub(super) fn tell_staff(&mut self) {
        self.staff_due = false;
        self.staff_told_ms = self.hub.clock.steady_ms();
        if self.staff.is_empty() {
            return;
        }
        if let Some(told) = self.staff_frame() {
            self.tell_all_staff(&told);
        }
    }

    fn staff_frame(&self) -> Option<Frame> {
        let (version, mut shown, seen) = {
            let state = self.hub.state();
            let shown = StaffState::of(&state.table)?;
            (state.version, shown, self.driver.seen(&state.table))
        };
        shown.name_readers(&self.names);
        if broken("hub:decisions-are-offered") {
            shown.steps.clear();
        }
        Some(frame(&HouseToStaff::Staff {
            table: self.hub.name.to_string(),
            version,
            server_ms: self.hub.clock.now_ms(),
            state: Box::new(shown),
            tumbler: seen.map(|dice| dice.faces()),
        }))
    }

    /// Tells everyone what the table is, if that has changed.
    fn tell_info(&mut self) {
        let info = TableInfo::of(&self.hub.state().table);
        if info == self.info {
            return;
        }
        self.info = info;
        for at in 0..self.stations.len() {
            let station = StationId(u32::try_from(at).unwrap_or(u32::MAX));
            if let Some(welcome) = self.welcome(station) {
                self.tell(station, welcome);
            }
        }
        if let Some(told) = self.info_frame() {
            self.tell_all_staff(&told);
            self.walls.tell(told);
        }
    }

    fn info_frame(&self) -> Option<Frame> {
        Some(frame(&HouseToWall::Info {
            info: Box::new(self.info.clone()?),
            server_ms: self.hub.clock.now_ms(),
        }))
    }

    fn welcome(&self, id: StationId) -> Option<Frame> {
        let state = self.hub.state();
        let station = state.table.station(id)?;
        Some(frame(&HouseToTerminal::Welcome {
            protocol: sicbo_wire::PROTOCOL,
            server_ms: self.hub.clock.now_ms(),
            silent_ms: SILENT_MS,
            info: Box::new(self.info.clone()?),
            station: StationInfo {
                station: id.0,
                name: station.name.clone(),
                layout: state.table.layout_of(station)?.id.clone(),
                notes: self.notes.clone(),
            },
        }))
    }

    pub(super) fn terminal(
        &mut self,
        connection: ConnectionId,
        station: StationId,
        outbox: Outbox,
        from: Option<u64>,
    ) {
        if self.hub.stopped().is_some() {
            outbox.end(Bye::TableStopped);
            return;
        }
        let at = station.0 as usize;
        let Some(welcome) = self.welcome(station) else {
            let never_opened = self.info.is_none();
            outbox.end(if never_opened {
                Bye::NotOpen
            } else {
                Bye::NotEnrolled
            });
            return;
        };
        if self.stations.len() <= at {
            self.stations.resize_with(at + 1, || None);
        }
        if let Some(before) = self.stations[at].take() {
            before.outbox.end(Bye::TakenOver);
        }
        let gapless = from.is_some_and(|from| from >= self.let_go);
        let mut frames = vec![welcome, frame(&HouseToTerminal::Resume { gapless })];
        match from {
            Some(from) if gapless => {
                let missed = self.kept.iter().filter(|(version, _)| *version > from);
                frames.extend(missed.map(|(_, shown)| shown.clone()));
            }
            _ => frames.extend(self.kept.back().map(|(_, shown)| shown.clone())),
        }
        let own = self.hub.own_session(station).is_some();
        {
            let state = self.hub.state();
            if let Some(mine) = Mine::of(&state.table, station) {
                let version = state.version;
                frames.push(frame(&HouseToTerminal::Mine { version, mine }));
            }
            // Of somebody who has lost everything and gone, the next is told nothing.
            let card = last_card(&state.table, state.version, station, &state.road);
            frames.extend(card.filter(|_| own));
        }
        if frames.into_iter().all(|told| outbox.put(told)) {
            self.stations[at] = Some(Seat { connection, outbox });
            self.links.insert(station, true);
        }
    }

    pub(super) fn watcher(&mut self, connection: ConnectionId, sees: Sees, outbox: Outbox) {
        let stopped = self.stopped_frame();
        if sees == Sees::Public && stopped.is_some() {
            outbox.end(Bye::TableStopped);
            return;
        }
        let rounds = self.hub.state().road.rounds();
        let mut frames: Vec<Frame> = self.info_frame().into_iter().collect();
        frames.push(frame(&HouseToWall::Road { rounds }));
        match sees {
            Sees::Public => frames.extend(self.kept.back().map(|(_, shown)| shown.clone())),
            Sees::Staff => frames.extend(self.staff_frame()),
        }
        frames.extend(stopped);
        if frames.into_iter().all(|told| outbox.put(told)) {
            match sees {
                Sees::Public => self.walls.join(connection, outbox),
                Sees::Staff => {
                    self.staff.insert(connection, outbox);
                }
            }
        }
    }

    /// For staff, while the table is out of service.
    pub(super) fn stopped_frame(&self) -> Option<Frame> {
        let why = self.hub.stopped()?;
        Some(frame(&HouseToStaff::Stopped {
            table: self.hub.name.to_string(),
            why,
        }))
    }

    pub(super) fn gone(&mut self, connection: ConnectionId, station: Option<StationId>) {
        self.staff.remove(&connection);
        self.walls.leave(connection);
        let Some(station) = station else { return };
        let Some(seat) = self.stations.get_mut(station.0 as usize) else {
            return;
        };
        // Another connection may have taken its place already.
        if seat.as_ref().is_none_or(|s| s.connection == connection) {
            *seat = None;
            self.links.insert(station, false);
        }
    }

    pub(super) fn answered(&mut self, reply: Reply, answer: Answer<Refusal>) {
        if let Answer::Refused(refusal) = &answer {
            let asked = match &reply {
                Reply::Bet { station, id, .. } => Some((station.0, *id)),
                Reply::Request {
                    station, request, ..
                } => Some((station.0, *request)),
                _ => None,
            };
            let round = self
                .hub
                .state()
                .table
                .round
                .as_deref()
                .map(|round| round.number.0);
            let (station, request) = asked.unzip();
            tracing::debug!(table = %self.hub.name, round, station, request, code = refusal.code(),
                "refused");
            metrics::counter!("sicbo_refusals_total",
                "table" => self.hub.name.as_str().to_owned(), "code" => refusal.code())
            .increment(1);
        }
        match reply {
            Reply::Nobody => {}
            Reply::Driver => {
                let now = self.hub.clock.steady_ms();
                self.driver.answered(&answer, now);
            }
            Reply::Bet {
                connection,
                station,
                id,
                round,
            } => {
                if let Answer::Refused(refusal) = &answer {
                    self.hub.note_refused(station, id, refusal.code());
                }
                let told = self.bet_answer(station, (round, id), &answer);
                let round = Some(round);
                let name = ActName { station, round, id };
                self.remember(name, &answer, told.as_ref());
                if let Some(told) = told {
                    self.tell_connection(connection, station, told);
                }
            }
            Reply::Request {
                connection,
                station,
                request,
            } => {
                let told = match told(&answer) {
                    None => frame(&HouseToTerminal::Done { request }),
                    Some((code, words, rule)) => frame(&HouseToTerminal::Declined {
                        request,
                        code: code.to_owned(),
                        words,
                        rule,
                    }),
                };
                let name = ActName {
                    station,
                    round: None,
                    id: request,
                };
                self.remember(name, &answer, Some(&told));
                self.tell_connection(connection, station, told);
            }
            Reply::Voucher(voucher) => {
                self.for_desk
                    .push_back(ToDesk::TableAnswered { voucher, answer });
            }
            // Whoever waited may have gone.
            Reply::Waiter(waiter) => drop(waiter.send(answer)),
        }
    }

    /// Copies of an act that was refused have the same answer; what was done
    /// the table knows, and other answers leave open what becomes of it.
    fn remember(&self, name: ActName, answer: &Answer<Refusal>, told: Option<&Frame>) {
        let is_refused = matches!(answer, Answer::Refused(_) | Answer::TooLarge);
        let is_done = matches!(answer, Answer::Done { .. });
        let (refusal, done) = (told.filter(|_| is_refused), told.filter(|_| is_done));
        let refusal = refusal.filter(|_| !broken("hub:one-answer"));
        self.hub.acts.answered(name, refusal, done);
    }

    fn bet_answer(
        &self,
        station: StationId,
        (round, id): (RoundNumber, u64),
        answer: &Answer<Refusal>,
    ) -> Option<Frame> {
        if let Some((code, words, rule)) = told(answer) {
            return Some(frame(&HouseToTerminal::Refused {
                id,
                code: code.to_owned(),
                words,
                rule,
            }));
        }
        let Answer::Done { sequence, again } = answer else {
            return None;
        };
        let state = self.hub.state();
        let known = state.table.station(station)?;
        if *again && state.table.is_over(round) {
            return Some(frame(&HouseToTerminal::Registered {
                id,
                version: *sequence,
                credit: known.credit.minor(),
                at_risk: known.at_risk.minor(),
                past: PastBet::of(&state.table, station, round, BetId(id)),
            }));
        }
        // Written by hand: this is the frame that is sent most.
        Some(
            format!(
                r#"{{"type":"registered","id":{id},"version":{sequence},"credit":{},"at_risk":{}}}"#,
                known.credit.minor(),
                known.at_risk.minor()
            )
            .into(),
        )
    }

    fn tell_connection(&mut self, connection: ConnectionId, station: StationId, told: Frame) {
        let seat = self.stations.get(station.0 as usize);
        if matches!(seat, Some(Some(seat)) if seat.connection == connection) {
            self.tell(station, told);
        }
    }
}

/// What everybody sees with what the first station has, as it must never be.
fn with_money(shown: &Frame, table: &Table) -> Frame {
    let credit = table
        .station(StationId(0))
        .map(|first| first.credit.minor());
    let more = format!(r#","first":{}}}"#, credit.unwrap_or_default());
    let open = shown.strip_suffix('}').unwrap_or(shown);
    format!("{open}{more}").into()
}

/// The card of the last round, when whoever plays now took part in it.
fn last_card(table: &Table, version: u64, station: StationId, road: &super::Road) -> Option<Frame> {
    let (record, part) = own_last(table, station)?;
    let own = table.station(station)?;
    let receipt = road.receipt(record.number.0, &own.name);
    let mut all = Settlements::of(table, record, road.code(record.number.0), version);
    Some(all.frame(part, own.credit.minor(), receipt.as_deref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registered_frame_is_what_the_type_says() {
        let typed = frame(&HouseToTerminal::Registered {
            id: 7,
            version: 12,
            credit: 8_000,
            at_risk: 2_000,
            past: None,
        });
        let by_hand = format!(
            r#"{{"type":"registered","id":{},"version":{},"credit":{},"at_risk":{}}}"#,
            7, 12, 8_000, 2_000
        );
        assert_eq!(&*typed, by_hand);
    }
}
