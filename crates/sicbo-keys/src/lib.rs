//! Opens the house's key where it does not lie open in its file.
//!
//! The key is encrypted with a passphrase, which comes from a file or from a
//! credential of the system's service manager; or it is in a PKCS#11 token that
//! signs and never gives it out. [`Keys`] is what a start or a command was told
//! about both. The keys' files and their order are `sicbo-journal`'s.

mod address;
mod module;
mod token;
mod unlock;

pub use address::{Address, BadAddress};
pub use module::ModuleError;
pub use token::{Token, TokenError};
pub use unlock::{CREDENTIAL, Keys};
