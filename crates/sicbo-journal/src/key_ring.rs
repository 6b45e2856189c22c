//! The public keys of one house in order, each introduced by a hand-over that
//! the key before and the new key both signed. Owns who may sign when; holds
//! no secret.

use crate::hash::Hash;
use crate::key::{HouseKey, KeyId, PublicKey, SignError, SignatureBytes};
use crate::statement::{Lines, TimeOutOfRange, read_time, time_text};

const PURPOSE: &str = "sicbo key hand-over 1";

/// A statement that a house signs with a new key from a given time on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandOver {
    message: String,
    by_old: SignatureBytes,
    by_new: SignatureBytes,
    to_key: PublicKey,
    from_id: KeyId,
    house: KeyId,
    number: u32,
    time_ms: i64,
}

impl HandOver {
    /// Signs the hand-over with both keys. The ring says which number it has
    /// and whose house it is; the old key must be the ring's current one.
    pub fn sign(
        ring: &KeyRing,
        old: &HouseKey,
        new: &HouseKey,
        time_ms: i64,
    ) -> Result<HandOver, HandOverError> {
        let number = ring.keys.len() as u32 + 1;
        let (house, to_key, from_id) = (ring.house(), new.public(), old.id());
        let message = render(house, number, from_id, &to_key, time_ms)?;
        let by_old = old.sign(message.as_bytes())?;
        let by_new = new.sign(message.as_bytes())?;
        let hand_over = HandOver {
            message,
            by_old,
            by_new,
            to_key,
            from_id,
            house,
            number,
            time_ms,
        };
        ring.check(&hand_over)?;
        Ok(hand_over)
    }

    /// Reads a stored hand-over. Its signatures are checked when a ring
    /// accepts it.
    pub fn from_parts(
        message: &str,
        by_old: &[u8],
        by_new: &[u8],
    ) -> Result<HandOver, HandOverError> {
        let by_old = by_old.try_into().map_err(|_| HandOverError::Signature)?;
        let by_new = by_new.try_into().map_err(|_| HandOverError::Signature)?;
        let read = || {
            let mut lines = Lines::after_purpose(message, PURPOSE)?;
            let house = KeyId(Hash::from_hex(lines.value("house")?)?);
            let number = lines.value("number")?.parse::<u32>().ok()?;
            let from_id = KeyId(Hash::from_hex(lines.value("from-key")?)?);
            let _to_id = lines.value("to-key")?;
            let mut der = [0; 44];
            hex::decode_to_slice(lines.value("to-public-key")?, &mut der).ok()?;
            let to_key = PublicKey::from_spki_der(&der).ok()?;
            let time_ms = read_time(lines.value("time")?)?;
            // Rendering it again must give the same bytes: one meaning, one text.
            let again = render(house, number, from_id, &to_key, time_ms).ok()?;
            let message = message.to_owned();
            (again == message).then_some(HandOver {
                message,
                by_old,
                by_new,
                to_key,
                from_id,
                house,
                number,
                time_ms,
            })
        };
        read().ok_or(HandOverError::Malformed)
    }

    /// The signed text.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The old key's signature over the message.
    pub fn signature_by_old(&self) -> &SignatureBytes {
        &self.by_old
    }

    /// The new key's signature over the message.
    pub fn signature_by_new(&self) -> &SignatureBytes {
        &self.by_new
    }

    /// The key that signs from now on.
    pub fn to_key(&self) -> &PublicKey {
        &self.to_key
    }
}

fn render(
    house: KeyId,
    number: u32,
    from_id: KeyId,
    to_key: &PublicKey,
    time_ms: i64,
) -> Result<String, TimeOutOfRange> {
    let time = time_text(time_ms)?;
    let der = hex::encode(to_key.to_spki_der());
    let to_id = to_key.id();
    Ok(format!(
        "{PURPOSE}\nhouse: {house}\nnumber: {number}\nfrom-key: {from_id}\nto-key: {to_id}\n\
         to-public-key: {der}\ntime: {time}\n"
    ))
}

/// The keys of one house, oldest first. The first is trusted because whoever
/// verifies says so; its id is the id of the house for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRing {
    /// Each key with the time it took over; never empty.
    keys: Vec<(PublicKey, i64)>,
}

impl KeyRing {
    /// A ring that trusts this first key.
    pub fn new(first: PublicKey) -> KeyRing {
        KeyRing {
            keys: vec![(first, i64::MIN)],
        }
    }

    /// The house's id: that of its first key.
    pub fn house(&self) -> KeyId {
        self.keys[0].0.id()
    }

    /// The key that signs now.
    pub fn current(&self) -> &PublicKey {
        &self.keys[self.keys.len() - 1].0
    }

    /// Every key, oldest first.
    pub fn keys(&self) -> impl Iterator<Item = &PublicKey> {
        self.keys.iter().map(|(key, _)| key)
    }

    /// Takes the next hand-over, after checking both signatures.
    pub fn accept(&mut self, hand_over: &HandOver) -> Result<(), HandOverError> {
        self.check(hand_over)?;
        self.keys
            .push((hand_over.to_key.clone(), hand_over.time_ms));
        Ok(())
    }

    fn check(&self, hand_over: &HandOver) -> Result<(), HandOverError> {
        if hand_over.house != self.house() {
            return Err(HandOverError::AnotherHouse);
        }
        let (current, since_ms) = &self.keys[self.keys.len() - 1];
        let to_id = hand_over.to_key.id();
        let known = self.keys().any(|key| key.id() == to_id);
        if hand_over.number as usize != self.keys.len() + 1
            || hand_over.from_id != current.id()
            || hand_over.time_ms < *since_ms
            || known
        {
            return Err(HandOverError::OutOfOrder);
        }
        let message = hand_over.message.as_bytes();
        let signed = current.verifies(message, &hand_over.by_old)
            && hand_over.to_key.verifies(message, &hand_over.by_new);
        if signed {
            Ok(())
        } else {
            Err(HandOverError::Signature)
        }
    }

    /// The key with this id and its place in the ring, if it might sign at
    /// this time: from its own hand-over to the next one, both included.
    pub(crate) fn signer(&self, id: KeyId, time_ms: i64) -> Result<(usize, &PublicKey), NoSigner> {
        let place = self
            .keys()
            .position(|key| key.id() == id)
            .ok_or(NoSigner::UnknownKey)?;
        let (key, since_ms) = &self.keys[place];
        let until_ms = self.keys.get(place + 1).map_or(i64::MAX, |(_, next)| *next);
        let in_time = (*since_ms..=until_ms).contains(&time_ms);
        if in_time {
            Ok((place, key))
        } else {
            Err(NoSigner::OutOfTime)
        }
    }
}

/// Why no key of the ring could have signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoSigner {
    UnknownKey,
    OutOfTime,
}

/// Why a hand-over is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HandOverError {
    /// The text is not a hand-over.
    #[error("the text is not a key hand-over statement")]
    Malformed,
    /// It speaks of another house.
    #[error("the hand-over is of another house")]
    AnotherHouse,
    /// It does not continue the ring's last key, or goes back in time.
    #[error("the hand-over does not follow the house's current key")]
    OutOfOrder,
    /// The old or the new key did not sign it.
    #[error("the hand-over is not signed by both the old and the new key")]
    Signature,
    /// The time has no text.
    #[error(transparent)]
    Time(#[from] TimeOutOfRange),
    /// One of the keys is in a device that did not sign.
    #[error(transparent)]
    NotSigned(#[from] SignError),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(seed: u8) -> HouseKey {
        HouseKey::from_entropy(&[seed; 32])
    }

    #[test]
    fn a_chain_of_hand_overs_leads_from_the_first_key_to_the_current() {
        let mut ring = KeyRing::new(key(1).public());
        let house = ring.house();
        for number in 2..6 {
            let hand_over =
                HandOver::sign(&ring, &key(number - 1), &key(number), i64::from(number)).unwrap();
            let parts = HandOver::from_parts(
                hand_over.message(),
                hand_over.signature_by_old(),
                hand_over.signature_by_new(),
            );
            assert_eq!(parts.as_ref(), Ok(&hand_over));
            ring.accept(&parts.unwrap()).unwrap();
        }
        assert_eq!(ring.current(), &key(5).public());
        assert_eq!(ring.house(), house);
    }

    #[test]
    fn a_hand_over_needs_both_signatures_the_right_house_and_the_right_place() {
        let ring = KeyRing::new(key(1).public());
        let good = HandOver::sign(&ring, &key(1), &key(2), 10).unwrap();
        let accept = |ring: &KeyRing, h: &HandOver| ring.clone().accept(h);
        assert_eq!(accept(&ring, &good), Ok(()));
        for break_it in [
            |h: &mut HandOver| h.by_old[0] ^= 1,
            |h: &mut HandOver| h.by_new[0] ^= 1,
        ] {
            let mut bad = good.clone();
            break_it(&mut bad);
            assert_eq!(accept(&ring, &bad), Err(HandOverError::Signature));
        }
        let other = KeyRing::new(key(9).public());
        assert_eq!(accept(&other, &good), Err(HandOverError::AnotherHouse));
        let mut later = ring.clone();
        later.accept(&good).unwrap();
        assert_eq!(accept(&later, &good), Err(HandOverError::OutOfOrder));
        assert_eq!(
            HandOver::sign(&later, &key(1), &key(3), 20),
            Err(HandOverError::OutOfOrder),
            "a retired key cannot hand over"
        );
        assert_eq!(
            HandOver::sign(&later, &key(2), &key(3), 9),
            Err(HandOverError::OutOfOrder),
            "a hand-over does not go back in time"
        );
    }

    #[test]
    fn every_changed_byte_of_a_hand_over_is_refused() {
        let ring = KeyRing::new(key(1).public());
        let good = HandOver::sign(&ring, &key(1), &key(2), 10).unwrap();
        for at in 0..good.message().len() {
            let mut bytes = good.message().as_bytes().to_vec();
            bytes[at] ^= 1;
            let Ok(text) = String::from_utf8(bytes) else {
                continue;
            };
            let read = HandOver::from_parts(&text, &good.by_old, &good.by_new);
            assert!(
                read.and_then(|h| ring.clone().accept(&h)).is_err(),
                "byte {at}"
            );
        }
    }

    #[test]
    fn a_key_signs_only_between_its_hand_overs() {
        let mut ring = KeyRing::new(key(1).public());
        ring.accept(&HandOver::sign(&ring, &key(1), &key(2), 10).unwrap())
            .unwrap();
        let signer = |seed, time_ms| ring.signer(key(seed).id(), time_ms).map(|(place, _)| place);
        assert_eq!(signer(1, 10), Ok(0));
        assert_eq!(signer(1, 11), Err(NoSigner::OutOfTime));
        assert_eq!(signer(2, 9), Err(NoSigner::OutOfTime));
        assert_eq!(signer(2, 10), Ok(1));
        assert_eq!(signer(3, 10), Err(NoSigner::UnknownKey));
    }
}
