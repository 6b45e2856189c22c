//! One test program with a module per area.

mod tools;
