//! Settles one bet: `cargo run -p sicbo-rules --example settle rws-etg/a 4,3,4 total:11 5.00`

use sicbo_rules::{Currency, Dice, Section, rulebook::find_layout};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [layout, dice, section, stake] = &arguments[..] else {
        return Err("a layout, three dice, a section and a stake".into());
    };
    let (_, layout) = find_layout(layout)?;
    let (dice, section): (Dice, Section) = (dice.parse()?, section.parse()?);
    let stake = Currency::SGD.parse(stake)?;
    let returned = layout.settlement().returned(dice, section, stake)?;
    println!("{section} on {dice}: {}", Currency::SGD.format(returned));
    Ok(())
}
