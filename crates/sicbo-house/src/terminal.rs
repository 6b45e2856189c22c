//! A player's terminal: hello, bets, the acknowledgement of the close, money.

use std::sync::Arc;

use sicbo_loop::Answer;
use sicbo_paper::Language;
use sicbo_register as register;
use sicbo_register::Party;
use sicbo_register::enrolment::EnrolmentId;
use sicbo_register::play::NoPlay;
use sicbo_register::validation::Number;
use sicbo_register::voucher::{Payee, Place};
use sicbo_rules::{Currency, Money, broken};
use sicbo_table::actor::{Actor, Device};
use sicbo_table::command::{CreditSource, IncidentKind};
use sicbo_table::ids::{BetId, RoundNumber, StationId};
use sicbo_table::positions::{Line, Means};
use sicbo_table::refusal::Reason;
use sicbo_table::{Act, Command, Refusal};
use sicbo_wire::terminal::{HouseToTerminal, PlainBet, TerminalToHouse};
use sicbo_wire::{Frame, PROTOCOL, Stake, frame};

use crate::connection::{Bye, ConnectionId, Outbox};
use crate::desk::{Asked, BUSY, STOPPED, TOO_MUCH_WAITS, Wanted, declined};
use crate::house::House;
use crate::hub::{ActName, Arrived, Claim, Hub, QUOTA_REACHED, RESERVE, Reply, ToHub};
use crate::limits::Permission;

/// A betting act that finds no room is offered again this often, with a pause
/// each time.
const RUSH_TRIES: usize = 250;
/// Most bets of one message; a layout has at most 104 sections.
const MAX_LINES: usize = 128;
/// More than any station can stake, and far from what a number holds.
const MAX_STAKED: i64 = 1 << 50;
/// Longest note of a dispute, in bytes.
const LONGEST_NOTE: usize = 500;
/// How far the number of a note may be ahead of the house's time.
const LARGEST_LEAD_MS: i64 = 60 * 60_000;

/// The house's side of a conversation with a terminal.
pub struct Terminal {
    connection: ConnectionId,
    house: Arc<House>,
    hub: Arc<Hub>,
    enrolment: EnrolmentId,
    station: StationId,
    /// The last version it has seen.
    from: Option<u64>,
    /// It runs another web app than the house serves.
    reload: bool,
}

impl Terminal {
    /// Whoever says hello, by the first message of a connection.
    ///
    /// # Errors
    /// Why it is no terminal of this house.
    pub fn greeted(house: &Arc<House>, text: &str) -> Result<Terminal, Bye> {
        let Ok(TerminalToHouse::Hello {
            protocol,
            token,
            from,
            app,
        }) = serde_json::from_str(text)
        else {
            return Err(Bye::NoHello);
        };
        if protocol != PROTOCOL {
            return Err(Bye::OtherProtocol);
        }
        let known = house.station_of(token.text());
        let (enrolment, table, station) = known.ok_or(Bye::NotEnrolled)?;
        let hub = house.table(&table).ok_or(Bye::NotEnrolled)?;
        if !hub.may_connect(station) {
            return Err(Bye::TooMany);
        }
        Ok(Terminal {
            connection: ConnectionId::new(),
            house: Arc::clone(house),
            hub,
            enrolment,
            station,
            from,
            reload: house.is_another_app(app.as_deref(), enrolment),
        })
    }

    /// A terminal that somebody has left, for what the house still has to do there.
    pub(crate) fn left_alone(
        house: &Arc<House>,
        hub: Arc<Hub>,
        enrolment: EnrolmentId,
        station: StationId,
    ) -> Terminal {
        Terminal {
            connection: ConnectionId::new(),
            house: Arc::clone(house),
            hub,
            enrolment,
            station,
            from: None,
            reload: false,
        }
    }

    /// What it is enrolled as.
    #[must_use]
    pub fn enrolment(&self) -> EnrolmentId {
        self.enrolment
    }

    /// Takes its place at the table; frames for it go into `outbox`.
    pub async fn come(&self, outbox: Outbox) {
        if self.reload {
            // A box that is full has ended.
            let _ = outbox.put(frame(&HouseToTerminal::Reload {}));
        }
        self.house
            .visits
            .seen(&self.here(), self.house.clock.now_ms());
        self.tell(ToHub::Terminal {
            connection: self.connection,
            station: self.station,
            outbox,
            from: self.from,
        })
        .await;
    }

    /// Its connection is over.
    pub async fn leave(&self) {
        self.house
            .visits
            .seen(&self.here(), self.house.clock.now_ms());
        self.tell(ToHub::Gone {
            connection: self.connection,
            station: Some(self.station),
        })
        .await;
    }

    async fn tell(&self, message: ToHub) {
        self.hub.tell(message, || self.house.host.pause()).await;
    }

    /// Deals with one message; an answer that need not wait for the journal
    /// comes back at once.
    pub async fn message(&mut self, text: &str) -> Option<Frame> {
        if let Some((bet, lines)) = PlainBet::read(text)
            && lines.len() <= MAX_LINES
        {
            let some = match broken("terminal:every-line") {
                true => 1,
                false => MAX_LINES,
            };
            let lines = lines.into_iter().take(some).collect();
            return self.place(bet.id, bet.round, lines).await;
        }
        let message: TerminalToHouse = match serde_json::from_str(text) {
            Ok(message) => message,
            Err(error) => return Some(not_understood(text, &error.to_string())),
        };
        match message {
            TerminalToHouse::Hello { .. } => Some(refused(
                0,
                "already_greeted",
                "hello was said already",
                None,
            )),
            TerminalToHouse::Heartbeat => None,
            TerminalToHouse::Bet { id, round, lines } => {
                let lines = match self.lines(id, &lines) {
                    Ok(lines) => lines,
                    Err(told) => return Some(told),
                };
                self.place(id, round, lines).await
            }
            TerminalToHouse::Remove { id, round, lines } => {
                let lines = match self.lines(id, &lines) {
                    Ok(lines) => lines,
                    Err(told) => return Some(told),
                };
                let round = self.round(round);
                let act = Act::RemoveBets {
                    station: self.station,
                    round,
                    bet: BetId(id),
                    means: Means::Credit,
                    lines,
                };
                self.bet(id, round, act).await
            }
            TerminalToHouse::Clear { id, round } => {
                let round = self.round(round);
                let act = Act::ClearBets {
                    station: self.station,
                    round,
                    bet: BetId(id),
                };
                self.bet(id, round, act).await
            }
            TerminalToHouse::Shown { round } => {
                let act = Act::AcknowledgeClose {
                    station: self.station,
                    round: RoundNumber(round),
                };
                // On this connection the acknowledgement comes after every bet
                // before it, and it must not be lost.
                let command = self.command(Actor::Station(self.station), act);
                let pause = || self.house.host.pause();
                self.hub.submit_waiting(Reply::Nobody, command, pause).await;
                None
            }
            TerminalToHouse::InsertNote { request, amount } => self.note(request, amount).await,
            TerminalToHouse::CashOut {
                request,
                amount,
                language,
            } => {
                let language = language.as_deref().and_then(Language::of_tag);
                if let Some(language) = language {
                    self.house.desk.reads(&self.here(), language);
                }
                self.cash_out(request, amount)
            }
            TerminalToHouse::Redeem { request, number } => self.redeem(request, number.text()),
            TerminalToHouse::CallAttendant { request } => {
                self.incident(request, IncidentKind::CallAttendant, String::new())
                    .await
            }
            TerminalToHouse::Dispute {
                request,
                round,
                note,
            } => {
                if note.len() > LONGEST_NOTE {
                    let words = format!("a note has at most {LONGEST_NOTE} bytes");
                    return Some(declined(request, "text_too_long", &words));
                }
                let note = format!("round {round}: {note}");
                self.incident(request, IncidentKind::Dispute, note).await
            }
        }
    }

    fn command(&self, by: Actor, act: Act) -> Command {
        Command {
            id: 0,
            at_ms: self.house.clock.now_ms(),
            by,
            second: None,
            act,
        }
    }

    /// The round a bet is meant for.
    fn round(&self, named: Option<u64>) -> RoundNumber {
        let named = named.filter(|_| !broken("terminal:round"));
        named.map_or_else(|| self.hub.newest_round(), RoundNumber)
    }

    fn lines(&self, id: u64, stakes: &[Stake]) -> Result<Vec<Line>, Frame> {
        if stakes.len() > MAX_LINES {
            let words = format!("at most {MAX_LINES} bets at once");
            return Err(refused(id, "too_many_lines", &words, None));
        }
        let lines: Result<Vec<Line>, String> = stakes.iter().map(Stake::line).collect();
        lines.map_err(|words| refused(id, "no_such_section", &words, None))
    }

    /// Whether what the player asked to be held to lets them stake this, or the
    /// table has no room.
    async fn may_stake(
        &self,
        id: u64,
        round: RoundNumber,
        lines: &[Line],
    ) -> Result<Permission, NoPlay> {
        if self.house.plays_freely(&self.hub, self.station) {
            return Ok(Permission::Granted);
        }
        let stakes = lines.iter().map(|line| line.stake.minor().max(0));
        let more = stakes.fold(0, i64::saturating_add).min(MAX_STAKED);
        let (here, more) = (self.here(), Money::from_minor(more));
        let mut last = Permission::Busy;
        for _ in 0..RUSH_TRIES {
            // Said again it was counted already, and of a round that is over
            // nothing is staked any more; the table answers it as before.
            if self.was_asked(id, round) {
                return Ok(Permission::Granted);
            }
            last = self.house.may_stake(&self.hub, &here, more)?;
            if last == Permission::Granted {
                return Ok(last);
            }
            self.house.host.pause().await;
        }
        match last {
            Permission::Wait => Err(NoPlay::CardElsewhere),
            granted_or_busy => Ok(granted_or_busy),
        }
    }

    /// The table has answered this act, or it names a round that is over: it
    /// can write nothing more.
    fn was_asked(&self, id: u64, round: RoundNumber) -> bool {
        let state = self.hub.state();
        let in_hand = state.table.round.as_deref();
        let part = in_hand.and_then(|round| round.station(self.station));
        let seen = part.is_some_and(|part| part.seen.get(&id).is_some());
        seen || state.table.is_over(round)
    }

    async fn place(&self, id: u64, round: Option<u64>, lines: Vec<Line>) -> Option<Frame> {
        let round = self.round(round);
        let act = Act::PlaceBets {
            station: self.station,
            round,
            bet: BetId(id),
            means: Means::Credit,
            lines,
        };
        self.bet(id, round, act).await
    }

    async fn bet(&self, id: u64, round: RoundNumber, act: Act) -> Option<Frame> {
        // Of a round that is over nothing is taken any more, and the table
        // knows what was: it answers each copy alike.
        if self.hub.is_over(round) {
            return self
                .hand_in(id, round, act)
                .await
                .err()
                .map(|(_, told)| told);
        }
        let Some(arrived) = self.arrived(Some(round), id, &act).await else {
            return Some(refused(id, BUSY, TOO_MUCH_WAITS, None));
        };
        match arrived {
            Ok(claim) => settled(claim, self.hand_in(id, round, act).await),
            Err(told) => Some(told),
        }
    }

    /// Has an act judged once, however often and on however many lines it
    /// arrives: a copy waits for the answer to the first, and has the same. No
    /// answer when that takes too long.
    async fn arrived(
        &self,
        round: Option<RoundNumber>,
        id: u64,
        act: &Act,
    ) -> Option<Result<Claim<'_>, Frame>> {
        let name = ActName {
            station: self.station,
            round,
            id,
        };
        for _ in 0..RUSH_TRIES {
            match self.hub.acts.arrived(name, act) {
                Arrived::New(claim) => return Some(Ok(claim)),
                Arrived::Answered(told) => return Some(Err(told)),
                Arrived::UnderWay => {}
            }
            self.house.host.pause().await;
        }
        None
    }

    /// Hands a betting act to the table; where the table has no room, in the
    /// rush before a close, it waits for a moment and this connection with it.
    async fn hand_in(
        &self,
        id: u64,
        round: RoundNumber,
        act: Act,
    ) -> Result<(), (&'static str, Frame)> {
        if let Act::PlaceBets { lines, .. } = &act {
            let no = match self.may_stake(id, round, lines).await {
                Ok(Permission::Busy) => Some((BUSY, TOO_MUCH_WAITS)),
                Ok(_) => None,
                Err(no) => Some((no.code(), no.words())),
            };
            if let Some((code, words)) = no {
                self.hub.note_refused(self.station, id, code);
                metrics::counter!("sicbo_refusals_total",
                    "table" => self.hub.name.as_str().to_owned(), "code" => code)
                .increment(1);
                return Err((code, refused(id, code, words, None)));
            }
        }
        if let Some(words) = self.hub.quota_reached(self.station, 0)
            && !self.was_asked(id, round)
        {
            self.hub.note_refused(self.station, id, QUOTA_REACHED);
            return Err((QUOTA_REACHED, refused(id, QUOTA_REACHED, &words, None)));
        }
        let mut reply = Reply::Bet {
            connection: self.connection,
            station: self.station,
            id,
            round,
        };
        let mut command = self.command(Actor::Station(self.station), act);
        let mut tries = 0;
        let answer = loop {
            match self.hub.offer(reply, command) {
                Ok(()) => return Ok(()),
                Err((back, act, Answer::Busy)) if tries < RUSH_TRIES => {
                    (reply, command) = (back, act);
                    tries += 1;
                    self.house.host.pause().await;
                }
                Err((_, _, answer)) => break answer,
            }
        };
        match sicbo_wire::problem::told(&answer) {
            Some((code, words, rule)) => Err((code, refused(id, code, &words, rule))),
            None => Ok(()),
        }
    }

    fn ask(&self, request: u64, by: Actor, act: Act) -> Result<(), (&'static str, Frame)> {
        let reply = Reply::Request {
            connection: self.connection,
            station: self.station,
            request,
        };
        let command = Command {
            id: request,
            ..self.command(by, act)
        };
        let Err((_, answer)) = self.hub.submit(reply, command) else {
            return Ok(());
        };
        let told = sicbo_wire::problem::told(&answer);
        told.map_or(Ok(()), |(code, words, _)| {
            Err((code, declined(request, code, &words)))
        })
    }

    /// A call that arrives twice is made once, and answered alike.
    async fn incident(&self, request: u64, kind: IncidentKind, note: String) -> Option<Frame> {
        let act = Act::RaiseIncident { kind, note };
        let Some(arrived) = self.arrived(None, request, &act).await else {
            return Some(declined(request, BUSY, TOO_MUCH_WAITS));
        };
        match arrived {
            Ok(claim) => settled(claim, self.call(request, act)),
            Err(told) => Some(told),
        }
    }

    fn call(&self, request: u64, act: Act) -> Result<(), (&'static str, Frame)> {
        if let Some(words) = self.hub.quota_reached(self.station, 0) {
            return Err((QUOTA_REACHED, declined(request, QUOTA_REACHED, &words)));
        }
        if !self.hub.may_call(self.station) {
            let (code, words) = (
                "called_already",
                "staff have been called; try again in a while",
            );
            return Err((code, declined(request, code, words)));
        }
        self.ask(request, Actor::Station(self.station), act)
    }

    async fn note(&self, request: u64, amount: i64) -> Option<Frame> {
        if !self.house.takes_note(&self.hub.name, amount) {
            let words = "this station has no acceptor that takes such a note";
            return Some(declined(request, "note_refused", words));
        }
        // Numbers only go up: one far ahead would shut out all that follow.
        let ahead = self
            .house
            .clock
            .now_ms()
            .saturating_add(LARGEST_LEAD_MS)
            .saturating_mul(1_000);
        if request > u64::try_from(ahead).unwrap_or(0) {
            let words = "the number of a note is the house's time in microseconds, or lower";
            return Some(declined(request, "note_refused", words));
        }
        let act = Act::BuyCredit {
            station: self.station,
            source: CreditSource::Cash,
            amount: Money::from_minor(amount),
        };
        let Some(arrived) = self.arrived(None, request, &act).await else {
            return Some(declined(request, BUSY, TOO_MUCH_WAITS));
        };
        match arrived {
            Ok(claim) => settled(claim, self.insert(request, act)),
            Err(told) => Some(told),
        }
    }

    fn insert(&self, request: u64, act: Act) -> Result<(), (&'static str, Frame)> {
        let credited = {
            let state = self.hub.state();
            let station = state.table.station(self.station);
            station.is_some_and(|station| station.notes.knows(request))
        };
        if let Some(words) = self.hub.quota_reached(self.station, 0)
            && !credited
        {
            return Err((QUOTA_REACHED, declined(request, QUOTA_REACHED, &words)));
        }
        self.ask(request, Actor::Device(Device::NoteAcceptor), act)
    }

    fn asked(&self, request: u64, wanted: Wanted) -> Asked {
        Asked {
            wanted,
            place: self.here(),
            request,
            own: self.house.request_of(self.enrolment, request),
        }
    }

    fn here(&self) -> Place {
        Place {
            table: self.hub.name.clone(),
            station: self.station,
        }
    }

    /// The station's name and the table's currency.
    fn facts(&self) -> Option<(String, Currency)> {
        let state = self.hub.state();
        let currency = state.table.config.as_ref()?.currency;
        Some((state.table.station(self.station)?.name.clone(), currency))
    }

    fn cash_out(&self, request: u64, amount: i64) -> Option<Frame> {
        self.house
            .desk
            .once(self.asked(request, Wanted::CashOut), |asked| {
                let (station_name, currency) = self.facts().ok_or_else(table_not_open)?;
                let amount = Money::from_minor(amount);
                let desk = &self.house.desk;
                let reserved = desk.register().voucher_asked(&asked.place, asked.own);
                let credit = self.credit();
                // The register would write down what the table then refuses.
                if reserved.is_none() && amount > credit && desk.stopped().is_none() {
                    let refusal = Refusal::from(Reason::InsufficientCredit { free: credit });
                    return Err((refusal.code(), refusal.to_string()));
                }
                let act = register::Act::ReserveVoucher {
                    origin: asked.place.clone(),
                    station_name,
                    currency,
                    amount,
                };
                let always = reserved.is_some() || amount == credit;
                self.ask_desk(asked, act, always)
            })
    }

    /// Takes all credit out as a voucher, for somebody who has gone.
    pub(crate) fn cash_out_all(&self) {
        // Numbers are the house's time in microseconds, as those of screens are.
        let now_ms = u64::try_from(self.house.clock.now_ms()).unwrap_or(0);
        // Nobody is there to be answered.
        let _ = self.cash_out(now_ms.saturating_mul(1_000), self.credit().minor());
    }

    fn credit(&self) -> Money {
        let state = self.hub.state();
        let station = state.table.station(self.station);
        station.map_or(Money::ZERO, |station| station.credit)
    }

    fn redeem(&self, request: u64, number: &str) -> Option<Frame> {
        self.house
            .desk
            .once(self.asked(request, Wanted::Redemption), |asked| {
                // Longer texts than any number are not worth reading.
                let number = Number::parse(number.get(..64).unwrap_or(number))
                    .map_err(|error| ("misread", error.to_string()))?;
                let (_, currency) = self.facts().ok_or_else(table_not_open)?;
                let act = register::Act::BeginRedeem {
                    request: asked.own,
                    digest: self.house.voucher_digest(number),
                    to: Payee::Station(asked.place.clone()),
                    currency,
                    claimed: None,
                };
                self.ask_desk(asked, act, false)
            })
    }

    /// Asks the register; `always` where no quota stands in the way.
    fn ask_desk(
        &self,
        asked: Asked,
        act: register::Act,
        always: bool,
    ) -> Result<(), (&'static str, String)> {
        if let Some(words) = self.hub.quota_reached(self.station, RESERVE)
            && !always
        {
            return Err((QUOTA_REACHED, words));
        }
        self.hub.note_asked(self.station);
        let by = Party::Place(self.enrolment);
        self.house
            .desk
            .ask_for(asked, by, act)
            .map_err(|answer| match answer {
                Answer::Stopped => (STOPPED, "the house's journal has failed".to_owned()),
                _ => (BUSY, TOO_MUCH_WAITS.to_owned()),
            })
    }
}

/// An act was handed in, or the house has refused it before the table saw it.
fn settled(claim: Claim<'_>, handed_in: Result<(), (&'static str, Frame)>) -> Option<Frame> {
    match handed_in {
        Ok(()) => {
            claim.handed_in();
            None
        }
        // These leave open what becomes of it.
        Err((BUSY | STOPPED, told)) => Some(told),
        Err((_, told)) => {
            claim.refused(&told);
            Some(told)
        }
    }
}

fn table_not_open() -> (&'static str, String) {
    ("table_not_open", "the table is not open".to_owned())
}

/// A message that means nothing. Whatever number it carries is in the answer,
/// so that who sent it knows which of its messages is meant.
fn not_understood(text: &str, words: &str) -> Frame {
    /// The numbers of a message, whatever else is in it.
    #[derive(Default, serde::Deserialize)]
    struct Numbered {
        #[serde(default)]
        id: Option<u64>,
        #[serde(default)]
        request: Option<u64>,
    }
    let numbered: Numbered = serde_json::from_str(text).unwrap_or_default();
    match (numbered.id, numbered.request) {
        (None, Some(request)) => declined(request, "not_understood", words),
        (id, _) => refused(id.unwrap_or(0), "not_understood", words, None),
    }
}

fn refused(id: u64, code: &str, words: &str, rule: Option<String>) -> Frame {
    frame(&HouseToTerminal::Refused {
        id,
        code: code.to_owned(),
        words: words.to_owned(),
        rule,
    })
}
