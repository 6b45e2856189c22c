//! The validation number as bars (Interleaved 2 of 5), and the address for a phone as a square (QR).
//! Only the bars carry the number: a phone that reads it would look it up somewhere.

use barcoders::sym::tf::TF;
use qrcode::{Color, EcLevel, QrCode};

use sicbo_register::validation::Number;

/// The bars, one entry for each narrow width: true is black. Empty when the
/// digits could not be encoded, which eighteen digits always can.
#[must_use]
pub fn bars(number: Number) -> Vec<bool> {
    TF::interleaved(number.digits())
        .map(|code| {
            code.encode()
                .into_iter()
                .map(|module| module == 1)
                .collect()
        })
        .unwrap_or_default()
}

/// The square, row by row: true is black.
#[must_use]
pub fn square(address: &str) -> Vec<Vec<bool>> {
    let Ok(code) = QrCode::with_error_correction_level(address, EcLevel::M) else {
        return Vec::new();
    };
    let dark = |color: &Color| *color == Color::Dark;
    let colors = code.to_colors();
    colors
        .chunks(code.width())
        .map(|row| row.iter().map(dark).collect())
        .collect()
}

/// Runs of black in a row of modules: where each begins and how long it is.
pub(super) fn runs(modules: &[bool]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, _) in modules.iter().enumerate().filter(|(_, black)| **black) {
        match runs.last_mut() {
            Some((start, length)) if *start + *length == at => *length += 1,
            _ => runs.push((at, 1)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use sicbo_register::validation::VoucherSecret;
    use sicbo_table::ids::VoucherId;

    /// Reads Interleaved 2 of 5 back, by the widths of bars and spaces.
    fn read(bars: &[bool]) -> String {
        let mut widths: Vec<usize> = Vec::new();
        let mut last = false;
        for bar in bars {
            match widths.last_mut() {
                Some(width) if *bar == last => *width += 1,
                _ => widths.push(1),
            }
            last = *bar;
        }
        let digit = |widths: Vec<usize>| {
            const WEIGHTS: [u32; 5] = [1, 2, 4, 7, 0];
            let sum: u32 = widths
                .iter()
                .zip(WEIGHTS)
                .filter(|(w, _)| **w > 1)
                .map(|(_, n)| n)
                .sum();
            char::from_digit(sum % 11, 10).unwrap()
        };
        assert_eq!(&widths[..4], [1, 1, 1, 1], "start");
        assert!(widths[widths.len() - 3] > 1, "stop");
        let mut digits = String::new();
        for pair in widths[4..widths.len() - 3].chunks(10) {
            digits.push(digit(pair.iter().step_by(2).copied().collect()));
            digits.push(digit(pair.iter().skip(1).step_by(2).copied().collect()));
        }
        digits
    }

    #[test]
    fn s_12_the_bars_read_back_as_the_number() {
        let secret = VoucherSecret::new([3; 32]);
        for id in 1..200 {
            let number = secret.number(VoucherId(id), 0);
            assert_eq!(read(&bars(number)), number.digits());
        }
    }

    #[test]
    fn the_square_is_square_with_its_three_corners() {
        let key = VoucherSecret::new([3; 32]).receipt_key(VoucherId(1));
        let square = square(&format!("https://sicbo.example/check#v/1/{key}"));
        let side = square.len();
        assert_eq!(side, 33);
        assert!(square.iter().all(|row| row.len() == side));
        for (x, y) in [(0, 0), (side - 7, 0), (0, side - 7)] {
            assert!((0..7).all(|at| square[y][x + at] && square[y + at][x]));
        }
        assert_eq!(runs(&[true, true, false, true]), [(0, 2), (3, 1)]);
    }
}
