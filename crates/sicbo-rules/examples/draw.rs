//! Draws a layout with its winners lit: `cargo run -p sicbo-rules --example draw mbs-etg/rapid 6,5,1`

use sicbo_rules::drawing::{Ink, Lit, terminal};
use sicbo_rules::{Dice, rulebook::find_layout};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (name, dice) = (arguments.next(), arguments.next());
    let (_, layout) = find_layout(&name.ok_or("which layout?")?)?;
    let lit = Lit::winners(layout, dice.ok_or("which dice?")?.parse::<Dice>()?);
    println!("{}", terminal(layout, &lit, 120, Ink::Plain));
    Ok(())
}
