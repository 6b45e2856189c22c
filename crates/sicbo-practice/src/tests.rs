//! Every pack of every book is played through, by a trainee who does right and
//! by several who do wrong; what each situation comes to is held against a
//! table written from the documents.

mod books;
mod packs;
mod play;
