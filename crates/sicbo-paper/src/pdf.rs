//! The ticket as PDF, with its fonts inside.

use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::text::{Font, TextDirection};

use super::Ticket;
use super::drawing::{Anchor, Drawing, Mark, WIDTH};

/// Points in a millimetre.
const POINTS: f32 = 72.0 / 25.4;

/// A document could not be made.
#[derive(Debug, thiserror::Error)]
#[error("it could not be made into a PDF: {0}")]
pub struct PdfError(String);

impl PdfError {
    /// A document that could not be made, and why.
    pub fn of(why: String) -> PdfError {
        PdfError(why)
    }
}

/// A font with what is needed to measure it.
pub struct Face {
    /// The font itself.
    pub font: Font,
    measure: ttf_parser::Face<'static>,
}

impl Face {
    /// Reads a font.
    ///
    /// # Errors
    /// When the bytes are no font.
    pub fn new(bytes: &'static [u8]) -> Result<Face, PdfError> {
        let unreadable = || PdfError("its font cannot be read".to_owned());
        Ok(Face {
            font: Font::new(bytes.to_vec().into(), 0).ok_or_else(unreadable)?,
            measure: ttf_parser::Face::parse(bytes, 0).map_err(|_| unreadable())?,
        })
    }

    /// Width of a text at a size.
    pub fn width(&self, text: &str, size: f32) -> f32 {
        let advance = |c| {
            let glyph = self.measure.glyph_index(c)?;
            self.measure.glyph_hor_advance(glyph)
        };
        let units: u32 = text.chars().filter_map(advance).map(u32::from).sum();
        units as f32 * size / f32::from(self.measure.units_per_em())
    }
}

impl Ticket {
    /// The ticket as a PDF document.
    ///
    /// # Errors
    /// When the document cannot be made.
    pub fn pdf(&self) -> Result<Vec<u8>, PdfError> {
        let drawing = Drawing::of(&self.printable());
        let regular = Face::new(dejavu::sans::regular())?;
        let bold = Face::new(dejavu::sans::bold())?;
        let impossible = || PdfError("a size is not possible".to_owned());
        let mut document = Document::new();
        let size = PageSettings::from_wh(WIDTH * POINTS, drawing.height * POINTS);
        let mut page = document.start_page_with(size.ok_or_else(impossible)?);
        let mut surface = page.surface();
        for mark in &drawing.marks {
            let (black, white) = (rgb::Color::new(0, 0, 0), rgb::Color::new(255, 255, 255));
            let paint = |color: rgb::Color| Fill {
                paint: color.into(),
                ..Fill::default()
            };
            match mark {
                Mark::Block {
                    x,
                    y,
                    width,
                    height,
                } => {
                    let rect =
                        Rect::from_xywh(x * POINTS, y * POINTS, width * POINTS, height * POINTS);
                    let mut path = PathBuilder::new();
                    path.push_rect(rect.ok_or_else(impossible)?);
                    surface.set_fill(Some(paint(black)));
                    surface.draw_path(&path.finish().ok_or_else(impossible)?);
                }
                Mark::Text {
                    x,
                    y,
                    size,
                    bold: is_bold,
                    white: is_white,
                    anchor,
                    text,
                } => {
                    let face = if *is_bold { &bold } else { &regular };
                    let width = face.width(text, *size);
                    let x = match anchor {
                        Anchor::Start => *x,
                        Anchor::Middle => x - width / 2.0,
                        Anchor::End => x - width,
                    };
                    surface.set_fill(Some(paint(if *is_white { white } else { black })));
                    surface.draw_text(
                        Point::from_xy(x * POINTS, y * POINTS),
                        face.font.clone(),
                        size * POINTS,
                        text,
                        false,
                        TextDirection::Auto,
                    );
                }
            }
        }
        surface.finish();
        page.finish();
        document
            .finish()
            .map_err(|error| PdfError(format!("{error:?}")))
    }
}
