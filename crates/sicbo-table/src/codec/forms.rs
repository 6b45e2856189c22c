//! How values are spelled, in words: for the document that leads somebody through
//! records without this program (`docs/record-kinds.md`). Made by the same rows
//! that make the bytes, so the two cannot differ.

use std::collections::BTreeMap;

use super::{KindInfo, Wire};

/// The types that were met, each with what it is made of.
#[derive(Default, Debug)]
pub struct Forms {
    defined: BTreeMap<&'static str, Form>,
}

#[derive(Debug)]
struct Form {
    /// The path of the Rust type: two types may not share a short name.
    of: &'static str,
    lines: Vec<String>,
}

impl Forms {
    /// Names a type and, the first time it is met, notes what it is made of.
    ///
    /// # Panics
    /// When another type has the same short name: a reader could not tell them apart.
    pub fn define<T>(
        &mut self,
        name: &'static str,
        lines: impl FnOnce(&mut Forms) -> Vec<String>,
    ) -> String {
        let of = std::any::type_name::<T>();
        match self.defined.get(name) {
            Some(known) => assert_eq!(known.of, of, "two types are called {name}"),
            None => {
                // Before its parts are looked at: one of them may hold it again.
                let none = Vec::new();
                self.defined.insert(name, Form { of, lines: none });
                let lines = lines(self);
                self.defined.insert(name, Form { of, lines });
            }
        }
        name.to_owned()
    }

    /// Every type that was met, with what it is made of, a line each.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, &[String])> {
        let all = self.defined.iter();
        all.map(|(name, form)| (*name, form.lines.as_slice()))
    }
}

/// The form of a field, by a function that finds it in its struct.
#[doc(hidden)]
pub fn form_of<S, T: Wire>(_: fn(&S) -> &T, forms: &mut Forms) -> String {
    T::form(forms)
}

/// The form of a field of a variant, by a function that finds it in its enum.
#[doc(hidden)]
pub fn form_in<S, T: Wire>(_: fn(&S) -> Option<&T>, forms: &mut Forms) -> String {
    T::form(forms)
}

/// The layout of a kind of record.
#[derive(Debug)]
pub struct KindLayout {
    /// Its number, version and name.
    pub info: &'static KindInfo,
    /// What it means.
    pub about: &'static str,
    /// Its fields in the order of their numbers.
    pub fields: Vec<FieldLayout>,
}

/// A field of a record.
#[derive(Debug)]
pub struct FieldLayout {
    /// Its position in the list.
    pub number: u64,
    /// Its name.
    pub name: &'static str,
    /// How it is spelled.
    pub form: String,
    /// What is worth knowing besides.
    pub about: &'static str,
}
