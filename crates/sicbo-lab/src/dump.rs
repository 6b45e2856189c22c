//! The draws of a run as they come: for PractRand, NIST SP 800-22, dieharder or
//! a program of one's own. The rounds are the very ones that `simulate` counts.

use std::io::{self, Write};

use sicbo_rules::Outcome;

use crate::game::Loading;
use crate::generator::Weighted;
use crate::rounds::Rounds;
use crate::simulate::{CHUNK_ROUNDS, Run};

sicbo_rules::worded! {
    /// What is written for each round or draw.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum DumpForm: key, ALL {
        /// A line of text for each round, `4,3,4`: what `sicbo fair` reads.
        Dice = "dice",
        /// One byte for each round: 0 is 1-1-1, 215 is 6-6-6.
        Outcomes = "outcomes",
        /// The generator's 16-bit draws, low byte first, rejected ones included:
        /// uniform bits, for tests of generators.
        Draws = "draws",
    }
}

impl std::str::FromStr for DumpForm {
    type Err = String;

    fn from_str(text: &str) -> Result<DumpForm, String> {
        DumpForm::ALL
            .into_iter()
            .find(|form| form.key() == text)
            .ok_or_else(|| "use dice, outcomes or draws".to_owned())
    }
}

/// Writes so many rounds, or for `draws` so many draws.
///
/// # Errors
/// When the sink cannot be written.
pub fn dump(
    run: &Run,
    loading: &Loading,
    rounds: Rounds,
    form: DumpForm,
    sink: &mut dyn Write,
) -> io::Result<()> {
    let all = rounds.get();
    let chunks = all.div_ceil(u64::from(CHUNK_ROUNDS));
    for chunk in 0..chunks {
        let length = (all - chunk * u64::from(CHUNK_ROUNDS)).min(u64::from(CHUNK_ROUNDS));
        let length = length as usize;
        let mut stream = run.generator.stream(run.seed, chunk);
        let mut bytes = Vec::with_capacity(length * 6);
        if form == DumpForm::Draws {
            while bytes.len() < 2 * length {
                stream.raw(&mut bytes);
            }
            bytes.truncate(2 * length);
        } else {
            let outcomes: Vec<u8> = if loading.is_fair() {
                let mut outcomes = Vec::with_capacity(length + 32);
                stream.outcomes(length, &mut outcomes);
                outcomes.truncate(length);
                outcomes
            } else {
                let mut weighted = Weighted::new(loading);
                (0..length)
                    .map(|_| weighted.next(&mut stream) as u8)
                    .collect()
            };
            match form {
                DumpForm::Dice => {
                    for outcome in outcomes {
                        let dice = Outcome::from_index(usize::from(outcome)).map(Outcome::dice);
                        let [a, b, c] = dice.map_or([0; 3], |dice| dice.faces());
                        bytes.extend_from_slice(&[b'0' + a, b',', b'0' + b, b',', b'0' + c, b'\n']);
                    }
                }
                DumpForm::Outcomes | DumpForm::Draws => bytes = outcomes,
            }
        }
        sink.write_all(&bytes)?;
    }
    sink.flush()
}
