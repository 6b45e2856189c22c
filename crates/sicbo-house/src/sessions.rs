//! The browser's side of log-ins: opaque random tokens, held as digests only,
//! forgotten when nothing was done for too long.

use std::collections::BTreeMap;

use parking_lot::{Mutex, MutexGuard};
use sha2::{Digest, Sha256};
use sicbo_register::enrolment::EnrolmentId;
use sicbo_register::person::SessionId;
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

/// A log-in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoggedIn {
    /// The register's session.
    pub session: SessionId,
    /// Who.
    pub person: PersonId,
    /// The enrolled place it was made at.
    pub place: Option<EnrolmentId>,
    /// When something was last done, by the steady clock.
    pub used_ms: i64,
}

/// All log-ins.
pub struct Sessions {
    open: Mutex<BTreeMap<Token, LoggedIn>>,
    idle_ms: i64,
}

impl Sessions {
    /// None yet.
    #[must_use]
    pub fn new(idle_minutes: u16) -> Sessions {
        Sessions {
            open: Mutex::default(),
            idle_ms: i64::from(idle_minutes) * 60_000,
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
        (now_ms - known.used_ms <= self.idle_ms).then_some(known)
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

    /// Sessions in which nothing was done for too long; they are forgotten.
    #[must_use]
    pub fn idle(&self, now_ms: i64) -> Vec<SessionId> {
        let mut ended = Vec::new();
        self.open().retain(|_, known| {
            let stays = now_ms - known.used_ms <= self.idle_ms;
            if !stays {
                ended.push(known.session);
            }
            stays
        });
        ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logged_in(session: u64, used_ms: i64) -> LoggedIn {
        LoggedIn {
            session: SessionId(session),
            person: PersonId(1),
            place: None,
            used_ms,
        }
    }

    #[test]
    fn s_18_nothing_done_for_too_long_ends_a_session() {
        let sessions = Sessions::new(10);
        let token = Token::of(&sessions.begin(logged_in(1, 0), [1; 32]));
        assert!(sessions.find(&token, 600_000).is_some());
        // Using it counts; ten minutes later it still opens, and then not.
        assert!(sessions.find(&token, 1_200_000).is_some());
        assert!(sessions.find(&token, 1_800_001).is_none());
        assert_eq!(sessions.idle(1_800_001), [SessionId(1)]);
        assert!(sessions.peek(&token).is_none());
    }

    #[test]
    fn s_18_what_a_screen_asks_by_itself_keeps_no_session_open() {
        let sessions = Sessions::new(10);
        let token = Token::of(&sessions.begin(logged_in(1, 0), [1; 32]));
        assert!(sessions.find_unused(&token, 400_000).is_some());
        assert!(sessions.find_unused(&token, 600_000).is_some());
        assert!(sessions.find_unused(&token, 600_001).is_none());
        assert!(sessions.find(&token, 600_001).is_none());
        assert_eq!(sessions.idle(600_001), [SessionId(1)]);
    }

    #[test]
    fn a_token_is_nobody_elses_and_is_not_kept() {
        let sessions = Sessions::new(10);
        let presented = sessions.begin(logged_in(1, 0), [1; 32]);
        let other = sessions.begin(logged_in(2, 0), [2; 32]);
        assert_ne!(presented, other);
        assert_eq!(presented.len(), 64);
        assert!(sessions.find(&Token::of("00"), 0).is_none());
        sessions.end(SessionId(1));
        assert!(sessions.find(&Token::of(&presented), 0).is_none());
        assert!(sessions.find(&Token::of(&other), 0).is_some());
    }
}
