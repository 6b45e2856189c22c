//! A million rounds of three dice, and how often each total came:
//! `cargo run --release -p sicbo-lab --example million 7`

use sicbo_lab::{Rounds, Run, Seed};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seed = std::env::args().nth(1).ok_or("a seed")?.parse()?;
    let rounds = Rounds::new(1_000_000).ok_or("too many")?;
    let histogram = Run::new(Seed(seed)).play(rounds, &|_| {})?;
    for (total, count) in (3..).zip(histogram.totals()) {
        println!("{total:2} {count}");
    }
    Ok(())
}
