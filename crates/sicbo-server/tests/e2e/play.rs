//! All five tables played at once by real connections, with every listed void
//! and with corrections, while lines break (J-01 to J-04, J-06, J-07).

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::common::account::Account;
use crate::common::dealing::Table;
use crate::common::house::{Program, Site, TableSpec};
use crate::common::http::Http;
use crate::common::proof;
use crate::common::terminal::{number_on, stakes};
use crate::e2e::player::{Player, sections, some_lines};
use sicbo_testkit::random::Random;

/// The listed causes a dealer can declare, from the documents.
fn causes(book: &str) -> &'static [&'static str] {
    match book {
        "rws-etg" => &[
            "too-few-tumbles",
            "die-not-flat",
            "dice-exposed-early",
            "dice-damaged",
        ],
        "rws-open-cover" => &[
            "too-few-tumbles",
            "die-not-flat",
            "tumbler-activated-early",
            "dice-damaged",
        ],
        "mbs-table" | "mbs-etg" => &[
            "too-few-tumbles",
            "dice-exposed-early",
            "die-not-flat",
            "dice-damaged",
            "dome-broken",
            "dice-broken",
        ],
        _ => &[
            "too-few-tumbles",
            "dice-exposed-early",
            "die-not-flat",
            "dice-damaged",
            "dome-broken",
        ],
    }
}

/// Who decides about rounds that are over.
fn decider(book: &str) -> &'static str {
    match book {
        "quang-nam-table" => "director",
        _ => "shift-manager",
    }
}

/// A tumble that does not count.
async fn two_tumbles(table: &Table) {
    table.deal(json!({"act": "activate_tumbler"})).await;
    let two = json!({"act": "report_tumbles", "count": 2, "all_dice_moved": true});
    table.deal(two).await;
}

/// The round is void for this cause, and the dice are changed if they must be.
async fn void(table: &Table, cause: &str) {
    table.void(cause).await;
    let last = table.last().await;
    assert_eq!(last["why"]["cause"], cause);
    assert!(last["why"]["rule"].is_string(), "with its rule");
    change_dice(table).await;
}

/// Condemned dice are changed by two persons before play goes on.
async fn change_dice(table: &Table) {
    let sees = table.sees().await;
    if sees["dice_condemned"] == true {
        let round = &sees["last"]["number"];
        let change = json!({"act": "change_dice", "dice_set": format!("D-1{round}")});
        let (first, second) = ("pit-supervisor", "dealer");
        table
            .staff
            .two(first, second, table.name, change, json!({}))
            .await;
    }
}

/// A result is corrected by two persons on separate sessions (J-04 b and c).
async fn correct(table: &Table, round: u64, dice: [u8; 3], latest: bool) {
    let (first, second) = match latest {
        true => ("dealer", "pit-supervisor"),
        false => (decider(table.book), "pit-supervisor"),
    };
    let mut act = json!({"act": "correct_result", "round": round, "dice": dice,
        "evidence": "camera 4"});
    if table.book.starts_with("mbs") {
        act["conducted"] = json!(true);
        // Whether dice were damaged in it is decided first.
        none_affected(table).await;
    }
    let staff = &table.staff;
    let alone = staff.act(first, table.name, &act).await;
    assert_ne!(alone.status, 200, "one person is not enough");
    let proposal = staff.propose(first, table.name, &act).await;
    let shown = staff
        .of(second)
        .get(&format!("/api/tables/{}/proposals", table.name))
        .await;
    let words = shown[0]["words"].as_str().expect("words");
    assert!(
        !words.contains(&format!("{dice:?}")),
        "the second reads for themselves"
    );
    let stated = json!({"dice": dice});
    let said = staff.confirm(first, table.name, &proposal, &stated).await;
    said.coded("same_person_twice");
    let other = json!({"dice": [dice[0] % 6 + 1, dice[1], dice[2]]});
    let said = staff.confirm(second, table.name, &proposal, &other).await;
    said.coded("readings_differ");
    // No second guess: what was proposed is gone.
    let said = staff.confirm(second, table.name, &proposal, &stated).await;
    said.is(404);
    let proposal = staff.propose(first, table.name, &act).await;
    let said = staff.confirm(second, table.name, &proposal, &stated).await;
    said.is(200);
}

/// Whoever decides it finds that damaged dice affected no earlier round.
async fn none_affected(table: &Table) {
    let sees = table.sees().await;
    let decisions = sees["decisions"].as_array().expect("decisions").iter();
    for one in decisions.filter(|one| one["question"] == "affected-rounds") {
        let none = json!({"act": "rule", "pending": one["pending"], "ruling": "accept",
            "reason": "sound until then"});
        let (first, second) = (decider(table.book), "pit-supervisor");
        let staff = &table.staff;
        staff.two(first, second, table.name, none, json!({})).await;
    }
}

/// Dice that are not these.
fn others(random: &mut Random, dice: [u8; 3]) -> [u8; 3] {
    let sorted = |mut dice: [u8; 3]| {
        dice.sort_unstable();
        dice
    };
    loop {
        let other = random.dice();
        if sorted(other) != sorted(dice) {
            return other;
        }
    }
}

/// The results that stand, to be amended now and then.
type Settled = Vec<(u64, [u8; 3])>;

/// What happens in a round.
fn plan_of(book: &str, nth: usize) -> Option<&'static str> {
    // Every third round is void, by each listed cause in turn.
    let causes = causes(book);
    (nth % 3 == 2).then(|| causes[nth / 3 % causes.len()])
}

struct Electronic {
    table: Table,
    players: Vec<Player>,
    random: Random,
    settled: Settled,
}

impl Electronic {
    /// A number for each player to draw from.
    fn seeds(&mut self) -> Vec<u64> {
        let random = &mut self.random;
        let players = self.players.iter();
        players.map(|_| random.below(1 << 30) as u64).collect()
    }

    async fn everyone_bets(&mut self, round: u64) {
        let seeds = self.seeds();
        let betting = self.players.iter_mut().zip(seeds);
        join_all(betting.map(|(player, seed)| async move {
            player.bet_wildly(round, &mut Random(seed)).await;
        }))
        .await;
    }

    async fn everyone_shows(&mut self, round: u64) {
        let seeds = self.seeds();
        let showing = self.players.iter_mut().enumerate().zip(seeds);
        join_all(showing.map(|((at, player), seed)| async move {
            player.show(round, &mut Random(seed), at == 0).await;
        }))
        .await;
        self.players[1].terminal.phase(round, "closed").await;
    }

    async fn round(&mut self, nth: usize) {
        let table = self.table.clone();
        let cause = plan_of(table.book, nth);
        let few = cause == Some("too-few-tumbles");
        if few && !table.before_bets().is_empty() {
            two_tumbles(&table).await;
            let round = table.round().await;
            void(&table, "too-few-tumbles").await;
            return self.ended(round, None).await;
        }
        let round = table.to_betting().await;
        self.everyone_bets(round).await;
        match cause {
            Some(cause) if !few && cause != "die-not-flat" => {
                void(&table, cause).await;
                return self.ended(round, None).await;
            }
            _ => {}
        }
        table.close().await;
        self.everyone_shows(round).await;
        if few {
            two_tumbles(&table).await;
        } else {
            table.to_visible().await;
        }
        if let Some(cause) = cause {
            void(&table, cause).await;
            return self.ended(round, None).await;
        }
        let dice = self.random.dice();
        table.settle_by(dice).await;
        self.ended(round, Some(dice)).await;
        self.settled.push((round, dice));
    }

    async fn ended(&mut self, round: u64, dice: Option<[u8; 3]>) {
        for player in &mut self.players {
            player.ended(round, dice).await;
        }
        self.money().await;
    }

    /// The table's own sums are the sums of the model.
    async fn money(&self) {
        let money = self.table.sees().await["money"].clone();
        let credit: i64 = self.players.iter().map(|p| p.account.credit).sum();
        assert_eq!(money["credit"], credit, "{}: {money}", self.table.name);
        let win: i64 = self.players.iter().map(|p| p.account.house_win()).sum();
        assert_eq!(money["house_win"], win, "{}: {money}", self.table.name);
        let drop = 200_000 * self.players.len() as i64;
        assert_eq!(money["drop"], drop, "{}: {money}", self.table.name);
    }

    async fn amended(&mut self, round: u64, dice: Option<[u8; 3]>) {
        for player in &mut self.players {
            player.amended(round, dice).await;
        }
        self.money().await;
    }

    /// Corrects the last round, then an older one; takes back what can be.
    async fn amend(&mut self) {
        let Some((round, dice)) = self.settled.pop() else {
            return;
        };
        let right = others(&mut self.random, dice);
        let latest = self.table.last().await["number"] == round;
        correct(&self.table, round, right, latest).await;
        self.amended(round, Some(right)).await;
        self.settled.push((round, right));
        if self.settled.len() > 2 {
            let (older, dice) = self.settled[0];
            let right = others(&mut self.random, dice);
            correct(&self.table, older, right, false).await;
            self.amended(older, Some(right)).await;
            self.settled[0].1 = right;
        }
        self.recover().await;
    }

    /// An overpayment is taken back by ruling, and the player is told.
    async fn recover(&mut self) {
        let sees = self.table.sees().await;
        let Some(first) = sees["recoverables"].get(0) else {
            return;
        };
        let station = first["station"].as_u64().expect("a station") as usize;
        let round = first["round"].as_u64().expect("a round");
        let player = &mut self.players[station];
        // Each amendment that finds more has an entry of its own.
        let of_round = |entry: &&Value| {
            entry["station"] == first["station"] && entry["round"] == first["round"]
        };
        let entries = sees["recoverables"].as_array().expect("a list").iter();
        let amounts = entries
            .filter(of_round)
            .map(|entry| entry["amount"].as_i64());
        let overpaid = player.account.overpaid(round);
        assert_eq!(amounts.sum::<Option<i64>>(), Some(overpaid));
        let amount = first["amount"].as_i64().expect("an amount");
        let recover = json!({"act": "recover", "request": first["id"], "recoverable": first["id"],
            "amount": amount});
        let by = decider(self.table.book);
        self.table.staff.must(by, self.table.name, recover).await;
        player.account.recovered(round, amount);
        let credit = player.account.credit;
        player
            .terminal
            .until("the credit after it", |t| t.credit() == credit)
            .await;
    }

    /// Rounds played with bad dice are made void long after (J-07).
    async fn void_late(&mut self) {
        let Some((round, _)) = self.settled.first().copied() else {
            return;
        };
        self.settled.remove(0);
        let act = json!({"act": "void_rounds", "rounds": [round], "cause": "dice-damaged",
            "reason": "a chipped die"});
        let (first, second) = (decider(self.table.book), "pit-supervisor");
        let staff = &self.table.staff;
        staff
            .two(first, second, self.table.name, act, json!({}))
            .await;
        self.amended(round, None).await;
        change_dice(&self.table).await;
    }

    async fn play(mut self, rounds: usize) -> Electronic {
        for nth in 0..rounds {
            self.round(nth).await;
            if nth % 4 == 1 {
                self.amend().await;
            }
            if nth % 8 == 6 {
                self.void_late().await;
            }
        }
        self
    }
}

/// A physical table: the console's seats, with cash chips and colour chips.
struct Physical {
    table: Table,
    seats: Vec<Account>,
    sections: Vec<&'static str>,
    /// Colour chips are issued.
    colours: bool,
    unit: i64,
    random: Random,
    settled: Settled,
    next: u64,
}

/// The seat that plays with colour chips.
const COLOUR: usize = 2;

impl Physical {
    async fn open(table: Table, spec: &TableSpec, seed: u64) -> Physical {
        table.open().await;
        let unit = if spec.book == "quang-nam-table" {
            10_000
        } else {
            100
        };
        let layout = spec.stations[0].0;
        let mut seats = vec![Account::new(spec.book, layout); 3];
        let colours = spec.book != "quang-nam-table";
        let assign = json!({"act": "assign_colour", "station": COLOUR, "colour": "green",
            "value": unit});
        let bought = json!({"act": "move_colour", "request": 1, "station": COLOUR,
            "how": "bought_with_cash", "amount": 2_000 * unit});
        // 004 knows no colour chips: there all three play with cash chips.
        if colours {
            table.deal_all([assign, bought]).await;
            seats[COLOUR].credit = 2_000 * unit;
        }
        Physical {
            table,
            seats,
            sections: sections(spec.book, layout),
            unit,
            colours,
            random: Random(seed),
            settled: Settled::new(),
            next: 0,
        }
    }

    async fn bet(&mut self, round: u64) {
        for seat in 0..self.seats.len() {
            for _ in 0..1 + self.random.below(2) {
                self.next += 1;
                let lines = some_lines(&mut self.random, &self.sections, self.unit);
                let means = if self.colours && seat == COLOUR {
                    "colour_chips"
                } else {
                    "cash_chips"
                };
                let act = json!({"act": "place_bets", "station": seat, "round": round,
                    "bet": self.next, "means": means, "lines": stakes(&lines)});
                self.table.deal(act.clone()).await;
                self.seats[seat].placed(&lines);
                if self.random.one_in(3) {
                    // The answer was lost: the same again is the same.
                    self.table.deal(act).await;
                }
                if self.random.one_in(4) {
                    let other = json!({"act": "place_bets", "station": seat, "round": round,
                        "bet": self.next, "means": means,
                        "lines": stakes(&[("big", 7 * self.unit)])});
                    let said = self
                        .table
                        .staff
                        .act("dealer", self.table.name, &other)
                        .await;
                    said.coded("bet_id_reused");
                }
            }
        }
        self.agrees("after betting").await;
    }

    async fn agrees(&self, when: &str) -> Value {
        let sees = self.table.sees().await;
        for (at, seat) in self.seats.iter().enumerate() {
            let shown = &sees["stations"][at];
            assert_eq!(shown["at_risk"], seat.at_risk(), "{when}");
            if self.colours && at == COLOUR {
                assert_eq!(shown["credit"], seat.credit, "{when}");
            }
        }
        sees
    }

    async fn ended(&mut self, round: u64, dice: Option<[u8; 3]>) {
        let path = format!("/api/tables/{}/rounds/{round}", self.table.name);
        let parts = self.table.staff.of("dealer").get(&path).await;
        for part in parts.as_array().expect("parts") {
            let seat = &self.seats[part["station"].as_u64().expect("a seat") as usize];
            let returned = seat.returns(&seat.bets, dice);
            assert_eq!(part["card"]["returned"], returned, "{part}");
        }
        for seat in &mut self.seats {
            seat.ended(round, dice);
        }
        self.money().await;
    }

    async fn money(&self) {
        let sees = self.agrees("between rounds").await;
        let win: i64 = self.seats.iter().map(Account::house_win).sum();
        assert_eq!(sees["money"]["house_win"], win, "{}", self.table.name);
    }

    async fn round(&mut self, nth: usize) {
        let table = self.table.clone();
        let cause = plan_of(table.book, nth);
        let few = cause == Some("too-few-tumbles");
        let first = table.before_bets();
        if few && !first.is_empty() {
            two_tumbles(&table).await;
            let round = table.round().await;
            void(&table, "too-few-tumbles").await;
            return self.ended(round, None).await;
        }
        let round = if few {
            // The dice tumble while bets are taken.
            table.deal(json!({"act": "call_bets"})).await;
            table.round().await
        } else {
            table.to_betting().await
        };
        self.bet(round).await;
        match cause {
            Some("too-few-tumbles") => two_tumbles(&table).await,
            Some("die-not-flat") => {
                table.close().await;
                table.to_visible().await;
            }
            _ => {}
        }
        if let Some(cause) = cause {
            void(&table, cause).await;
            return self.ended(round, None).await;
        }
        table.close().await;
        let late = json!({"act": "place_bets", "station": 0, "round": round,
            "bet": 9_999, "means": "cash_chips", "lines": stakes(&[("big", self.unit)])});
        let said = table.staff.act("dealer", table.name, &late).await;
        said.coded("bets_closed");
        let dice = self.random.dice();
        table.finish(dice).await;
        self.ended(round, Some(dice)).await;
        self.settled.push((round, dice));
    }

    async fn correct_last(&mut self) {
        let Some((round, dice)) = self.settled.pop() else {
            return;
        };
        let right = others(&mut self.random, dice);
        let latest = self.table.last().await["number"] == round;
        correct(&self.table, round, right, latest).await;
        for (at, seat) in self.seats.iter_mut().enumerate() {
            let credit = seat.credit;
            seat.amended(round, Some(right));
            if self.colours && at == COLOUR {
                // Who sits at a table is paid in chips, not in colour.
                seat.credit = credit;
            }
        }
        self.money().await;
        self.settled.push((round, right));
    }

    async fn play(mut self, rounds: usize) {
        for nth in 0..rounds {
            self.round(nth).await;
            if nth % 4 == 1 {
                self.correct_last().await;
            }
        }
    }
}

/// A voucher from one table is credit at another, once.
async fn carry(house: &Program, from: &mut Player, to: &mut Player, amount: i64) {
    let request = from.number();
    let out = json!({"type": "cash_out", "request": request, "amount": amount});
    from.terminal.send(out).await;
    let voucher = from.terminal.reply(request).await;
    assert_eq!(voucher["type"], "voucher", "{voucher}");
    from.account.credit -= amount;
    let left = from.account.credit;
    from.terminal
        .until("less credit", |t| t.credit() == left)
        .await;
    let ticket = voucher["ticket"].as_str().expect("a simulated printer");
    let asked = Http::terminal(house.address, &from.terminal.token);
    let ticket = asked.ask("GET", ticket, None).await.expect("up");
    let number = number_on(&ticket.body);
    let request = to.number();
    let redeem = json!({"type": "redeem", "request": request, "number": number});
    to.terminal.send(redeem.clone()).await;
    to.terminal.send(redeem).await;
    let said = to.terminal.reply(request).await;
    assert_eq!(said["type"], "done", "{said}");
    to.account.credit += amount;
    let more = to.account.credit;
    to.terminal
        .until("more credit", |t| t.credit() == more)
        .await;
    let request = to.number();
    let again = json!({"type": "redeem", "request": request, "number": number});
    to.terminal.send(again).await;
    let said = to.terminal.reply(request).await;
    assert_eq!(said["code"], "voucher_already_paid", "{said}");
}

async fn five_tables(rounds: usize, seed: u64) {
    let site = Site::of(vec![
        TableSpec::by_hand("rws-etg", &[("a", 1), ("b", 1), ("c", 1)]),
        TableSpec::by_hand("mbs-etg", &[("rapid", 2), ("alfastreet", 1)]),
        TableSpec::by_hand("rws-open-cover", &[("a", 1), ("b", 1), ("c", 1)]),
        TableSpec::by_hand("mbs-table", &[("b", 3)]),
        TableSpec::by_hand("quang-nam-table", &[("a", 3)]),
    ]);
    let house = site.start();
    let staff = site.staff(&house);
    let mut electronic = Vec::new();
    let mut physical = Vec::new();
    for (spec, seed) in site.tables.iter().zip(seed..) {
        let table = Table::new(spec, &staff);
        if !spec.electronic() {
            physical.push(Physical::open(table, spec, seed).await);
            continue;
        }
        table.open().await;
        let mut players = Vec::new();
        for station in 0..3 {
            players.push(Player::sit(&site, &house, spec.name, station).await);
        }
        electronic.push(Electronic {
            table,
            players,
            random: Random(seed),
            settled: Settled::new(),
        });
    }
    let seats = join_all(physical.into_iter().map(|table| table.play(rounds)));
    let terminals = join_all(electronic.into_iter().map(|table| table.play(rounds)));
    let (_, mut electronic) = tokio::join!(seats, terminals);

    // Vouchers between all of them; then every balance once more.
    for at in 0..electronic.len() {
        let next = (at + 1) % electronic.len();
        let mut from = electronic[at].players.remove(0);
        let amount = 13_750.min(from.account.credit);
        carry(&house, &mut from, &mut electronic[next].players[1], amount).await;
        electronic[at].players.insert(0, from);
    }
    let (mut bought, mut credit, mut won, mut owed) = (0, 0, 0, 0);
    for table in &mut electronic {
        for player in &mut table.players {
            player.terminal.reconnect().await;
            player.agrees("at the end");
            credit += player.account.credit;
            won += player.account.house_win();
            bought += 200_000;
        }
        let money = table.table.sees().await["money"].clone();
        owed += money["recoverable"].as_i64().expect("recoverable");
    }
    assert_eq!(bought, credit + won - owed, "no money is made or lost");
    drop(electronic);
    house.stop();
    let clean = proof::clean(&site.data());
    assert!(clean.vouchers.in_transit.is_empty());
    assert_eq!(clean.vouchers.vouchers, 3);
    for (name, verified) in &clean.tables {
        assert_eq!(verified.rounds, rounds as u64, "{name}");
    }
}

#[tokio::test]
async fn j_02_j_03_j_04_j_06_five_tables_are_played_with_voids_and_corrections() {
    five_tables(37, 1).await;
}

/// `make soak`: SICBO_ROUNDS rounds at every table.
#[tokio::test]
#[ignore = "long: make soak"]
async fn j_02_j_03_j_04_j_06_five_tables_are_played_for_long() {
    let rounds = std::env::var("SICBO_ROUNDS").ok();
    let rounds = rounds.and_then(|n| n.parse().ok()).unwrap_or(400);
    let seed = u64::from(std::process::id());
    println!("seed {seed}");
    five_tables(rounds, seed).await;
}
