//! Where in a token a key is: a PKCS#11 URI (RFC 7512) with the three parts that
//! are needed, and no PIN.
//!
//! ```text
//! pkcs11:token=house;object=sicbo-1?module-path=/usr/lib/softhsm/libsofthsm2.so
//! ```

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The address of a key in a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    module: PathBuf,
    token: String,
    object: String,
}

/// A text that is no address of a key.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0}: write pkcs11:token=NAME;object=KEY?module-path=FILE, with % and two hexadecimal digits \
     for other signs than letters, digits, - . _ / ~ and spaces"
)]
pub struct BadAddress(String);

impl Address {
    /// The library that speaks with the token.
    #[must_use]
    pub fn module(&self) -> &Path {
        &self.module
    }

    /// The token's label.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The key's label.
    #[must_use]
    pub fn object(&self) -> &str {
        &self.object
    }

    /// The same with another path of the module.
    #[must_use]
    pub(crate) fn with_module(&self, module: PathBuf) -> Address {
        Address {
            module,
            ..self.clone()
        }
    }

    /// The address of another key in this token.
    #[must_use]
    pub fn with_object(&self, object: &str) -> Address {
        Address {
            object: object.to_owned(),
            ..self.clone()
        }
    }

    /// The address of the house's key of this number in the same token: `sicbo-1`
    /// is followed by `sicbo-2`.
    #[must_use]
    pub fn of_number(&self, number: usize) -> Address {
        let bare = self.object.trim_end_matches(|c: char| c.is_ascii_digit());
        let bare = bare.strip_suffix('-').unwrap_or(&self.object);
        Address {
            object: format!("{bare}-{number}"),
            ..self.clone()
        }
    }
}

impl FromStr for Address {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Address, BadAddress> {
        let bad = |what: String| BadAddress(what);
        let rest = text
            .strip_prefix("pkcs11:")
            .ok_or_else(|| bad(format!("{text:?} is no PKCS#11 address")))?;
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let parts = path.split(';').chain(query.split('&'));
        let (mut module, mut token, mut object) = (None, None, None);
        for part in parts.filter(|part| !part.is_empty()) {
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| bad(format!("{part:?} has no value")))?;
            let value = decoded(value).ok_or_else(|| bad(format!("{part:?} cannot be read")))?;
            let place = match key {
                "module-path" => &mut module,
                "token" => &mut token,
                "object" => &mut object,
                "pin-value" | "pin-source" => {
                    let what = "the PIN does not belong there; give --key-passphrase FILE";
                    return Err(bad(what.to_owned()));
                }
                other => return Err(bad(format!("{other} is not used here"))),
            };
            if place.replace(value).is_some() {
                return Err(bad(format!("{key} stands there twice")));
            }
        }
        let given = |value: Option<String>, name: &str| {
            let value = value.filter(|value| !value.is_empty());
            value.ok_or_else(|| bad(format!("{name} is missing")))
        };
        Ok(Address {
            token: given(token, "token")?,
            object: given(object, "object")?,
            module: PathBuf::from(given(module, "module-path")?),
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (token, object) = (encoded(&self.token), encoded(&self.object));
        let module = encoded(&self.module.to_string_lossy());
        write!(
            f,
            "pkcs11:token={token};object={object}?module-path={module}"
        )
    }
}

fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out += &format!("%{byte:02X}");
        }
    }
    out
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = rest.get(..2)?;
        let digits = std::str::from_utf8(digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).ok()
}
