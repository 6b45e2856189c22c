//! What a server must promise before a house trusts it: every setting that
//! could let an acknowledged block be lost, read at connect and told with what
//! to change.

use std::fmt;

/// How many standbys must have a commit before it is acknowledged, and which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quorum {
    /// So many of them.
    pub needed: u32,
    /// Any of them, not the first in the list.
    pub any: bool,
    /// Their names.
    pub names: Vec<String>,
}

impl Quorum {
    /// Reads `synchronous_standby_names`; `None` where nobody is waited for or
    /// it cannot be read.
    #[must_use]
    pub fn parse(text: &str) -> Option<Quorum> {
        let text = text.trim();
        let (head, list) = match text.split_once('(') {
            Some((head, rest)) => (head.trim(), rest.trim().strip_suffix(')')?),
            // Names alone: the first of them.
            None => ("FIRST 1", text),
        };
        let upper = head.to_ascii_uppercase();
        let mut words = upper.split_whitespace();
        let (any, needed) = match (words.next(), words.next(), words.next()) {
            (Some("ANY"), Some(needed), None) => (true, needed),
            (Some("FIRST"), Some(needed), None) | (Some(needed), None, None) => (false, needed),
            _ => return None,
        };
        let names = list.split(',').map(|name| {
            let name = name.trim();
            let quoted = name.strip_prefix('"').and_then(|n| n.strip_suffix('"'));
            quoted.map_or_else(
                || name.to_ascii_lowercase(),
                |name| name.replace("\"\"", "\""),
            )
        });
        let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
        let needed = needed.parse().ok()?;
        (needed >= 1 && !names.is_empty()).then_some(Quorum { needed, any, names })
    }
}

impl fmt::Display for Quorum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.any { "any" } else { "the first" };
        write!(f, "{how} {} of {}", self.needed, self.names.join(", "))
    }
}

/// What a server says of itself.
#[derive(Clone, Debug)]
pub struct Settings {
    /// E.g. 150018.
    pub version: i32,
    /// `synchronous_commit` of this connection.
    pub synchronous_commit: String,
    /// As it stands in the server.
    pub standby_names: String,
    /// Settings that must be `on`, with whether they are.
    pub must_be_on: Vec<(&'static str, bool)>,
    /// Whether the connection is encrypted, or stays on the machine.
    pub private: bool,
    /// Names of the standbys that are connected; `None` where this user may not
    /// see them.
    pub connected: Option<Vec<String>>,
}

/// The oldest server that is known to keep the promises relied on.
const OLDEST: i32 = 15;

impl Settings {
    /// The quorum, if there is one.
    #[must_use]
    pub fn quorum(&self) -> Option<Quorum> {
        Quorum::parse(&self.standby_names)
    }

    /// What is too old to be used at all.
    #[must_use]
    pub fn unusable(&self) -> Option<String> {
        (self.version / 10_000 < OLDEST).then(|| {
            let found = self.version / 10_000;
            format!("the server is version {found}: install PostgreSQL {OLDEST} or later")
        })
    }

    /// What is weaker than a house with real money needs, each with what to change.
    #[must_use]
    pub fn weaknesses(&self) -> Vec<String> {
        let mut weak = Vec::new();
        let mut say = |what: String| weak.push(what);
        if !matches!(self.synchronous_commit.as_str(), "on" | "remote_apply") {
            let found = &self.synchronous_commit;
            say(format!(
                "synchronous_commit is {found}: let this user set it to on"
            ));
        }
        match self.quorum() {
            None => say(format!(
                "synchronous_standby_names is '{}', so no other machine need have a bet before it \
                 is acknowledged: set it to 'ANY 1 (standby_a, standby_b)'",
                self.standby_names
            )),
            Some(quorum) if quorum.names.iter().any(|name| name == "*") => say(
                "synchronous_standby_names is open to any receiver (*): name the standbys, as in \
                 'ANY 1 (standby_a, standby_b)'"
                    .to_owned(),
            ),
            Some(_) => {}
        }
        for (name, on) in &self.must_be_on {
            if !on {
                let how = match *name {
                    "data_checksums" => "stop the server and run pg_checksums --enable",
                    _ => "set it to on",
                };
                say(format!("{name} is off: {how}"));
            }
        }
        if !self.private {
            say(
                "the connection is not encrypted: add sslmode=require and the server's authority \
                 (ca), or use one that does not leave the machine"
                    .to_owned(),
            );
        }
        weak
    }

    /// Why a commit would wait now, with what to change: too few of the named
    /// standbys are connected.
    #[must_use]
    pub fn missing_standbys(&self) -> Option<String> {
        let quorum = self.quorum()?;
        let Some(connected) = &self.connected else {
            return Some(
                "this user may not see which standbys are connected: GRANT pg_monitor TO it"
                    .to_owned(),
            );
        };
        let there = connected.iter().filter(|name| {
            let named = |one: &String| one == "*" || one.eq_ignore_ascii_case(name);
            quorum.names.iter().any(named)
        });
        let there = there.count();
        (there < quorum.needed as usize).then(|| {
            format!(
                "{there} of the standbys {} are connected and a commit waits for {}: start them, \
                 with their names as application_name in primary_conninfo",
                quorum.names.join(", "),
                quorum.needed
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standbys_that_are_waited_for_are_read_as_the_server_reads_them() {
        let check = |text: &str, expected: Option<(u32, bool, &[&str])>| {
            let found = Quorum::parse(text);
            let expected = expected.map(|(needed, any, names)| Quorum {
                needed,
                any,
                names: names.iter().map(|name| (*name).to_owned()).collect(),
            });
            assert_eq!(found, expected, "{text}");
        };
        check("ANY 1 (a, b)", Some((1, true, &["a", "b"])));
        check("any 2 (A,\"B c\")", Some((2, true, &["a", "B c"])));
        check("FIRST 1 (a, b)", Some((1, false, &["a", "b"])));
        check("2 (a, b)", Some((2, false, &["a", "b"])));
        check("a, b", Some((1, false, &["a", "b"])));
        check("*", Some((1, false, &["*"])));
        check("ANY 1 (*)", Some((1, true, &["*"])));
        check("", None);
        check("ANY 0 (a)", None);
        check("ANY 1 ()", None);
        check("MANY 1 (a)", None);
    }

    #[test]
    fn every_weaker_setting_is_told_with_what_to_change() {
        let good = Settings {
            version: 150_018,
            synchronous_commit: "on".to_owned(),
            standby_names: "ANY 1 (a, b)".to_owned(),
            must_be_on: vec![("data_checksums", true), ("fsync", true)],
            private: true,
            connected: Some(vec!["b".to_owned()]),
        };
        assert_eq!(good.weaknesses(), [""; 0]);
        assert_eq!((good.unusable(), good.missing_standbys()), (None, None));
        let check = |change: fn(&mut Settings), words: &str| {
            let mut worse = good.clone();
            change(&mut worse);
            let mut told = worse.weaknesses();
            told.extend(worse.unusable());
            told.extend(worse.missing_standbys());
            assert_eq!(told.len(), 1, "{told:?}");
            assert!(told[0].contains(words), "{told:?}");
        };
        check(|s| s.version = 140_012, "install PostgreSQL 15");
        check(
            |s| s.synchronous_commit = "local".into(),
            "synchronous_commit is local",
        );
        check(|s| s.standby_names = String::new(), "set it to 'ANY 1");
        check(
            |s| s.standby_names = "ANY 1 (*)".into(),
            "name the standbys",
        );
        check(|s| s.must_be_on[0].1 = false, "pg_checksums --enable");
        check(|s| s.must_be_on[1].1 = false, "fsync is off: set it to on");
        check(|s| s.private = false, "not encrypted");
        check(
            |s| s.connected = Some(vec!["other".into()]),
            "0 of the standbys a, b",
        );
        check(|s| s.connected = None, "GRANT pg_monitor");
    }
}
