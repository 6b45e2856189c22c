//! A running house over real connections: all five tables are played, and
//! every balance is what bets, dice and the documents' odds make of it.

mod automatic;
mod cases;
mod closing;
mod corrections;
mod covers;
mod damage;
mod journeys;
mod late;
mod play;
mod player;
mod shown;
mod voids;
