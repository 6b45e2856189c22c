//! One round of each rule book as its people see it, step by step. The texts
//! are checked in: `SICBO_WRITE_ROUNDS=1 cargo test -p sicbo-table --test table state
//! rounds` writes them anew.

use std::fmt::Write as _;
use std::path::PathBuf;

use sicbo_rules::{Dice, Money, RuleBook};
use sicbo_table::actor::Actor;
use sicbo_table::command::ChipMove;
use sicbo_table::config::SecondReading;
use sicbo_table::ids::{BetId, StationId};
use sicbo_table::legal::{Step, next_step};
use sicbo_table::station::StationKind;
use sicbo_table::views::{Mine, PublicState, ShownResult, StaffState};
use sicbo_table::{Act, Config, Table};

use crate::state::setup::{
    DEALER, by, command, config, line, must, natural_kind, own_lines, table, told,
};
use crate::state::views::take;

fn amount(minor: i64) -> String {
    sicbo_rules::Currency::SGD.format(Money::from_minor(minor))
}

fn called(result: Option<ShownResult>) -> String {
    result.map_or_else(
        || "-".to_owned(),
        |result| {
            let parity = match result.odd {
                Some(true) => " odd",
                Some(false) => " even",
                None => "",
            };
            format!(
                "{} = {} {:?}{parity}",
                Dice::from_faces(result.dice).expect("dice"),
                result.total,
                result.side
            )
        },
    )
}

fn tell(table: &Table, text: &mut String) {
    let wall = PublicState::of(table).expect("an open table");
    let shown = wall.round.as_ref();
    let phase = shown.map_or("idle", |round| round.phase.key());
    let tumble = table.round.as_deref().map(|r| (r.tumble, r.cover));
    let result = wall.round.map_or_else(
        || wall.last.and_then(|last| last.result),
        |round| round.result,
    );
    let layouts = table.book().expect("a book").layouts.iter();
    let lit: Vec<String> = layouts
        .filter_map(|layout| {
            let sections = wall.lit.get(&layout.id)?;
            Some(format!("{}:{}", layout.id, sections.len()))
        })
        .collect();
    writeln!(
        text,
        "  wall     {phase} {tumble:?} words {:?} result {} lit [{}]",
        wall.words.unwrap_or_default(),
        called(result),
        lit.join(" ")
    )
    .expect("text");
    for id in [StationId(0), StationId(1)] {
        let view = Mine::of(table, id).expect("a station");
        let station = &table.station(id).expect("a station").name;
        let bets: Vec<String> = view
            .bets
            .iter()
            .map(|bet| format!("{} {}", bet.section, amount(bet.stake)))
            .collect();
        write!(
            text,
            "  {:<8} credit {} bets {} [{}] may bet {}",
            station,
            amount(view.credit),
            amount(view.at_risk),
            bets.join(", "),
            view.may_bet
        )
        .expect("text");
        let currency = table.config.as_deref().expect("open").currency;
        for line in own_lines(table, id) {
            write!(text, " | {} {}", line.section, told(&line, currency)).expect("text");
        }
        text.push('\n');
    }
    let view = StaffState::of(table).expect("an open table");
    let acts: Vec<String> = view
        .steps
        .iter()
        .map(|act| match &act.cause {
            Some(cause) => format!("void:{cause}({})", act.rule.as_deref().unwrap_or("-")),
            None => act.step.clone(),
        })
        .collect();
    let round = view.round.as_ref();
    writeln!(
        text,
        "  console  next {} preview {} awaiting {} legal {}",
        next_step(table).map_or("-", |step| step.key()),
        called(round.and_then(|r| r.preview.as_ref().map(|p| p.result.clone()))),
        round.map_or(0, |round| round.awaiting.len()),
        acts.join(" ")
    )
    .expect("text");
    let money = view.money;
    writeln!(
        text,
        "  pit      staked {} worst {} win {} handle {}",
        amount(money.staked),
        amount(money.worst_loss),
        amount(money.house_win),
        amount(money.handle)
    )
    .expect("text");
}

fn bets(table: &mut Table) {
    let (kind, means) = natural_kind(table.book().expect("a book"));
    let round = table.last_round;
    for (i, sections) in [["small", "total:9"], ["big", "total:9"]]
        .iter()
        .enumerate()
    {
        let station = StationId(i as u32);
        let place = Act::PlaceBets {
            station,
            round,
            bet: BetId(1),
            means,
            lines: sections.iter().map(|text| line(text, 1_000)).collect(),
        };
        let who = match kind {
            StationKind::Terminal => Actor::Station(station),
            StationKind::Seat => Actor::Staff(DEALER),
        };
        must(table, &command(who, place));
    }
}

fn round(config: Config) -> String {
    let mut table = table(config, 2);
    if natural_kind(table.book().expect("a book")).0 == StationKind::Seat {
        let buy = Act::MoveChips {
            how: ChipMove::Bought,
            amount: Money::from_minor(20_000),
            slip: String::new(),
        };
        must(&mut table, &by(DEALER, None, buy));
    }
    let mut text = String::from("open\n");
    tell(&table, &mut text);
    loop {
        let Some(step) = next_step(&table) else {
            text.push_str("acknowledge-close by both\n");
            for station in [StationId(0), StationId(1)] {
                let round = table.last_round;
                let acknowledge = Act::AcknowledgeClose { station, round };
                must(&mut table, &command(Actor::Station(station), acknowledge));
            }
            tell(&table, &mut text);
            continue;
        };
        take(&mut table, &step, [5, 2, 2], [2, 2, 5]);
        writeln!(text, "{}", step.key()).expect("text");
        if step == Step::CallBets {
            text.push_str("place-bets by both\n");
            bets(&mut table);
        }
        tell(&table, &mut text);
        if table.round.is_none() {
            return text;
        }
    }
}

#[test]
fn one_round_of_each_book_as_its_people_see_it() {
    for book in RuleBook::all() {
        let config = Config {
            second_reading: SecondReading::AbovePayout(Money::from_minor(10_000)),
            ..config(book)
        };
        let text = round(config);
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("tests/golden/rounds")
            .join(format!("{}.txt", book.id()));
        if std::env::var_os("SICBO_WRITE_ROUNDS").is_some() {
            std::fs::write(&path, &text).expect("written");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(text, expected, "{}\n{text}", path.display());
    }
}
