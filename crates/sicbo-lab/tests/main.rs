//! One test program with a module per area.

mod distribution;
mod exposure_and_what_if;
mod fair;
mod games;
mod generator;
mod pictures;
mod sequential;
mod simulate;
mod strategy;

use sicbo_lab::game::Game;
use sicbo_lab::stakes::Rules;
use sicbo_rules::rulebook::find_layout;
use sicbo_rules::{Currency, Money};

/// A layout of the five books.
fn game(layout: &str) -> Game {
    let (book, layout) = find_layout(layout).expect("a layout");
    Game::of(book, layout)
}

/// Stakes in Singapore dollars.
fn rules(game: &Game) -> Rules<'_> {
    Rules {
        game,
        currency: Currency::SGD,
        unit: Money::from_minor(100),
    }
}

/// A seed nobody chose, printed so that a failure can be played again.
fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    let seed = std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish();
    println!("seed {seed}");
    seed
}
