//! A player who bets in every way a bad line allows: repeated, reordered,
//! sent again after the line was cut.

use serde_json::json;
use sicbo_rules::RuleBook;

use crate::common::account::Account;
use crate::common::house::{Program, Site};
use crate::common::terminal::{Terminal, bet, stakes};
use sicbo_testkit::random::Random;

/// The sections of a layout.
pub(crate) fn sections(book: &str, layout: &str) -> Vec<&'static str> {
    let book = RuleBook::named(book).expect("a book");
    let layout = book.layout(layout).expect("a layout");
    let all = layout.sections().map(|section| section.to_string());
    // As long as the test runs.
    all.map(|name| &*name.leak()).collect()
}

/// One to three bets of one to five units each.
pub(crate) fn some_lines(
    random: &mut Random,
    sections: &[&'static str],
    unit: i64,
) -> Vec<(&'static str, i64)> {
    let n = 1 + random.below(3);
    let line = |random: &mut Random| {
        let stake = unit * (1 + random.below(5) as i64);
        (random.pick(sections), stake)
    };
    (0..n).map(|_| line(random)).collect()
}

/// A terminal with what it must have.
pub(crate) struct Player {
    pub(crate) terminal: Terminal,
    pub(crate) account: Account,
    sections: Vec<&'static str>,
    next: u64,
}

impl Player {
    /// Sits down and buys in for 2,000.00.
    pub(crate) async fn sit(
        site: &Site,
        house: &Program,
        table: &'static str,
        station: u32,
    ) -> Player {
        let token = site.token(table, station);
        let mut terminal = Terminal::connect(house.address, &token, None).await;
        for request in [1, 2] {
            terminal.insert_note(request, 100_000).await;
        }
        let (book, layout) = (site.table(table).book, site.layout(table, station));
        assert_eq!(terminal.welcome["station"]["layout"], layout);
        let mut account = Account::new(book, layout);
        account.credit = 200_000;
        Player {
            terminal,
            account,
            sections: sections(book, layout),
            next: 0,
        }
    }

    /// A number not used before.
    pub(crate) fn number(&mut self) -> u64 {
        self.next += 1;
        100 + self.next
    }

    /// What the terminal was told is what the model says.
    pub(crate) fn agrees(&self, when: &str) {
        let told = (self.terminal.credit(), self.terminal.at_risk());
        let right = (self.account.credit, self.account.at_risk());
        assert_eq!(told, right, "{when}");
    }

    /// Bets in a round while its line repeats, reorders and breaks.
    pub(crate) async fn bet_wildly(&mut self, round: u64, random: &mut Random) {
        self.terminal.phase(round, "betting").await;
        let mut acts = Vec::new();
        for _ in 0..1 + random.below(4) {
            let lines = some_lines(random, &self.sections, 100);
            acts.push((self.number(), lines));
        }
        let mut order: Vec<usize> = (0..acts.len()).collect();
        order.extend(random.one_in(2).then_some(0));
        random.shuffle(&mut order);
        let cut = random.one_in(4).then(|| random.below(order.len() + 1));
        for at in order.iter().take(cut.unwrap_or(order.len())) {
            let (id, lines) = &acts[*at];
            self.terminal.send(bet(*id, round, lines)).await;
        }
        if cut.is_some() {
            self.terminal.reconnect().await;
            let (credit, at_risk) = (self.terminal.credit(), self.terminal.at_risk());
            let all = self.account.credit + self.account.at_risk();
            assert_eq!(credit + at_risk, all, "no money is made or lost on the way");
            // Everything again, in another order.
            random.shuffle(&mut order);
            for (id, lines) in &acts {
                self.terminal.send(bet(*id, round, lines)).await;
            }
            for at in order {
                let (id, lines) = &acts[at];
                self.terminal.send(bet(*id, round, lines)).await;
            }
        }
        for (id, lines) in &acts {
            let said = self.terminal.answer(*id).await;
            assert_eq!(said["type"], "registered", "{said}");
            self.account.placed(lines);
        }
        if random.one_in(3) {
            self.reuse_an_id(round, acts[0].0).await;
        }
        if random.one_in(3) {
            self.take_back(round).await;
        }
        self.agrees("after betting");
    }

    /// The same number for another bet is refused.
    async fn reuse_an_id(&mut self, round: u64, id: u64) {
        let other = [("small", 77_700)];
        self.terminal.send(bet(id, round, &other)).await;
        // Answers to what was repeated come before it.
        let refused = |t: &Terminal| t.answers[&id]["code"] == "bet_id_reused";
        self.terminal.until("the refusal", refused).await;
    }

    /// Takes one bet back, twice over the line and once from the layout.
    async fn take_back(&mut self, round: u64) {
        let Some((section, stake)) = self.account.bets.iter().next() else {
            return;
        };
        let lines = [(&*section.clone().leak(), *stake)];
        let id = self.number();
        let remove = json!({"type": "remove", "id": id, "round": round, "lines": stakes(&lines)});
        self.terminal.send(remove.clone()).await;
        self.terminal.send(remove).await;
        let said = self.terminal.answer(id).await;
        assert_eq!(said["type"], "registered", "{said}");
        self.account.removed(&lines);
    }

    /// Shows *no more bets*; what it sent before on its line counts, what it
    /// sends afterwards does not. Some lines break just then.
    pub(crate) async fn show(&mut self, round: u64, random: &mut Random, may_break: bool) {
        self.terminal.phase(round, "closing").await;
        if may_break && random.one_in(8) {
            self.terminal.reconnect().await;
            self.terminal
                .send(json!({"type": "shown", "round": round}))
                .await;
            return;
        }
        let before = random.one_in(2).then(|| self.number());
        let lines = some_lines(random, &self.sections, 100);
        if let Some(id) = before {
            self.terminal.send(bet(id, round, &lines)).await;
        }
        self.terminal
            .send(json!({"type": "shown", "round": round}))
            .await;
        let late = self.number();
        self.terminal.send(bet(late, round, &lines)).await;
        // On a machine that is too busy to answer within two seconds a terminal
        // is cut off like any other; then nothing of this was charged.
        let mut fenced = false;
        if let Some(id) = before {
            let said = self.terminal.answer(id).await;
            fenced = said["code"] == "station_fenced";
            if !fenced {
                assert_eq!(said["type"], "registered", "{said}");
                self.account.placed(&lines);
            }
        }
        let said = self.terminal.answer(late).await;
        let cut_off = said["code"] == "station_fenced";
        assert!(cut_off || said["code"] == "bets_closed", "{said}");
        assert!(cut_off || !fenced, "once cut off, cut off");
        assert!(said["rule"].is_string(), "with its rule");
    }

    /// The round ended; the card and the balance are right.
    pub(crate) async fn ended(&mut self, round: u64, dice: Option<[u8; 3]>) {
        let staked = self.account.at_risk();
        let returned = self.account.returns(&self.account.bets, dice);
        self.account.ended(round, dice);
        if staked > 0 {
            let card = |t: &Terminal| t.cards.contains_key(&round);
            self.terminal.until("the card", card).await;
            let card = &self.terminal.cards[&round];
            has!(card, {"staked": staked, "returned": returned});
            assert_eq!(card["end"]["result"].is_null(), dice.is_none());
        }
        let over = |t: &Terminal| t.state()["last"]["number"] == round;
        self.terminal.until("the end", over).await;
        assert_eq!(self.terminal.credit(), self.account.credit, "round {round}");
    }

    /// An ended round was amended.
    pub(crate) async fn amended(&mut self, round: u64, dice: Option<[u8; 3]>) {
        let before = self.terminal.amended.len();
        let (was, is) = self.account.amended(round, dice);
        if was == is {
            return;
        }
        let told = |t: &Terminal| t.amended.len() > before;
        self.terminal.until("the amendment", told).await;
        let last = self.terminal.amended.last().expect("one");
        has!(last, {"was": was, "is": is, "round": round});
        assert_eq!(
            self.terminal.credit(),
            self.account.credit,
            "after amending"
        );
    }
}
