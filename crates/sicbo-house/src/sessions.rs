//! The browser's side of log-ins: opaque random tokens, held as digests only,
//! forgotten when nothing was done for too long.

use std::collections::BTreeMap;

use parking_lot::{Mutex, MutexGuard};
use sha2::{Digest, Sha256};
use sicbo_register::enrolment::EnrolmentId;
use sicbo_register::person::{LogOutReason, SessionId};
use sicbo_table::ids::PersonId;

/// What the house keeps of a token.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Token([u8; 32]);

impl Token {
    /// The digest of what a browser presents.
    #[must_use]
    pub fn of(presented: &str) -> Token {
        let mut hash = Sha256::new();
        hash.update(b"sicbo session 1\0");
        hash.update(presented);
        Token(hash.finalize().into())
    }
}

impl Token {
    /// The first half, to tell sessions apart by.
    #[must_use]
    pub fn short(&self) -> [u8; 16] {
        let mut half = [0; 16];
        half.copy_from_slice(&self.0[..16]);
        half
    }
}

/// A log-in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoggedIn {
    /// The register's session.
    pub session: SessionId,
    /// Who.
    pub person: PersonId,
    /// The enrolled place it was made at.
    pub place: Option<EnrolmentId>,
    /// When it began, by the steady clock.
    pub began_ms: i64,
    /// When the person last showed that it is they.
    pub proved_ms: i64,
    /// When something was last done.
    pub used_ms: i64,
}

impl LoggedIn {
    /// A log-in that begins now.
    #[must_use]
    pub fn new(
        session: SessionId,
        person: PersonId,
        place: Option<EnrolmentId>,
        now_ms: i64,
    ) -> LoggedIn {
        LoggedIn {
            session,
            person,
            place,
            began_ms: now_ms,
            proved_ms: now_ms,
            used_ms: now_ms,
        }
    }
}

/// All log-ins.
pub struct Sessions {
    open: Mutex<BTreeMap<Token, LoggedIn>>,
    idle_ms: i64,
    longest_ms: i64,
}

impl Sessions {
    /// None yet.
    #[must_use]
    pub fn new(idle_minutes: u16, longest_minutes: u16) -> Sessions {
        Sessions {
            open: Mutex::default(),
            idle_ms: i64::from(idle_minutes) * 60_000,
            longest_ms: i64::from(longest_minutes) * 60_000,
        }
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<Token, LoggedIn>> {
        self.open.lock()
    }

    /// A new one, under a secret that nobody can guess; the token to be given
    /// to the browser.
    #[must_use]
    pub fn begin(&self, logged_in: LoggedIn, secret: [u8; 32]) -> String {
        let presented = sicbo_wire::hex(secret);
        self.open().insert(Token::of(&presented), logged_in);
        presented
    }

    /// Whose token this is; using it counts as doing something.
    #[must_use]
    pub fn find(&self, token: &Token, now_ms: i64) -> Option<LoggedIn> {
        let mut open = self.open();
        let logged_in = self.opens(open.get_mut(token)?, now_ms)?;
        logged_in.used_ms = logged_in.used_ms.max(now_ms);
        Some(*logged_in)
    }

    /// Whose token this is, for a screen that asks by itself: nobody has done
    /// anything by that.
    #[must_use]
    pub fn find_unused(&self, token: &Token, now_ms: i64) -> Option<LoggedIn> {
        let mut open = self.open();
        self.opens(open.get_mut(token)?, now_ms).copied()
    }

    fn opens<'o>(&self, known: &'o mut LoggedIn, now_ms: i64) -> Option<&'o mut LoggedIn> {
        self.over(known, now_ms).is_none().then_some(known)
    }

    /// Why it is over, if it is.
    fn over(&self, known: &LoggedIn, now_ms: i64) -> Option<LogOutReason> {
        if now_ms - known.began_ms > self.longest_ms {
            Some(LogOutReason::TooLong)
        } else if now_ms - known.used_ms > self.idle_ms {
            Some(LogOutReason::Idle)
        } else {
            None
        }
    }

    /// The person has shown once more that it is they.
    pub fn prove(&self, token: &Token, now_ms: i64) {
        if let Some(known) = self.open().get_mut(token) {
            known.proved_ms = now_ms;
        }
    }

    /// Whose token this is, without counting as doing something.
    #[must_use]
    pub fn peek(&self, token: &Token) -> Option<LoggedIn> {
        self.open().get(token).copied()
    }

    /// Whether a person is logged in on some session.
    #[must_use]
    pub fn is_present(&self, session: SessionId) -> bool {
        self.open().values().any(|known| known.session == session)
    }

    /// Forgets a session of the register.
    pub fn end(&self, session: SessionId) {
        self.open().retain(|_, known| known.session != session);
    }

    /// Sessions that have lasted too long or in which nothing was done for too long, with which
    /// it is; they are forgotten.
    #[must_use]
    pub fn end_old(&self, now_ms: i64) -> Vec<(SessionId, LogOutReason)> {
        let mut ended = Vec::new();
        self.open().retain(|_, known| {
            let over = self.over(known, now_ms);
            ended.extend(over.map(|why| (known.session, why)));
            over.is_none()
        });
        ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logged_in(session: u64, used_ms: i64) -> LoggedIn {
        LoggedIn::new(SessionId(session), PersonId(1), None, used_ms)
    }

    #[test]
    fn s_18_nothing_done_for_too_long_ends_a_session() {
        let sessions = Sessions::new(10, 60);
        let token = Token::of(&sessions.begin(logged_in(1, 0), [1; 32]));
        assert!(sessions.find(&token, 600_000).is_some());
        // Using it counts; ten minutes later it still opens, and then not.
        assert!(sessions.find(&token, 1_200_000).is_some());
        assert!(sessions.find(&token, 1_800_001).is_none());
        assert_eq!(
            sessions.end_old(1_800_001),
            [(SessionId(1), LogOutReason::Idle)]
        );
        assert!(sessions.peek(&token).is_none());
    }

    #[test]
    fn s_18_what_a_screen_asks_by_itself_keeps_no_session_open() {
        let sessions = Sessions::new(10, 60);
        let token = Token::of(&sessions.begin(logged_in(1, 0), [1; 32]));
        assert!(sessions.find_unused(&token, 400_000).is_some());
        assert!(sessions.find_unused(&token, 600_000).is_some());
        assert!(sessions.find_unused(&token, 600_001).is_none());
        assert!(sessions.find(&token, 600_001).is_none());
        assert_eq!(
            sessions.end_old(600_001),
            [(SessionId(1), LogOutReason::Idle)]
        );
    }

    #[test]
    fn a_token_is_nobody_elses_and_is_not_kept() {
        let sessions = Sessions::new(10, 60);
        let presented = sessions.begin(logged_in(1, 0), [1; 32]);
        let other = sessions.begin(logged_in(2, 0), [2; 32]);
        assert_ne!(presented, other);
        assert_eq!(presented.len(), 64);
        assert!(sessions.find(&Token::of("00"), 0).is_none());
        sessions.end(SessionId(1));
        assert!(sessions.find(&Token::of(&presented), 0).is_none());
        assert!(sessions.find(&Token::of(&other), 0).is_some());
    }
    #[test]
    fn s_18_no_session_lasts_longer_than_it_may_however_busy_it_is() {
        let sessions = Sessions::new(10, 60);
        let token = Token::of(&sessions.begin(logged_in(1, 0), [1; 32]));
        for minute in 0..=60 {
            assert!(sessions.find(&token, minute * 60_000).is_some(), "{minute}");
        }
        assert!(sessions.find(&token, 3_600_001).is_none());
        assert_eq!(
            sessions.end_old(3_600_001),
            [(SessionId(1), LogOutReason::TooLong)]
        );
    }
}
