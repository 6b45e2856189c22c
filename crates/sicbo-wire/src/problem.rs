//! What went wrong, as HTTP says it: `application/problem+json` with the stable
//! code of a refusal and the rule, and never a cause that is only the house's
//! business.

use axum_core::body::Body;
use axum_core::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use sicbo_loop::Answer;
use sicbo_register as register;
use sicbo_rules::citation;
use sicbo_rules::rulebook::words::Word as _;
use sicbo_table::Refusal;
use ts_rs::TS;
use utoipa::ToSchema;

use crate::staff::NoAct;

/// An error for a client.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct Problem {
    /// `about:blank`: the code says what it is.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The status in words.
    pub title: &'static str,
    /// The status.
    pub status: u16,
    /// What was wrong and what is allowed.
    pub detail: String,
    /// A stable word.
    pub code: String,
    /// The rule, where there is one.
    pub rule: Option<String>,
    /// When to try again, in seconds, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub retry_after_s: Option<u32>,
    /// Who may, where it is a position that is lacking.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub needed: Option<NeededPosition>,
    /// From where, where it is not done from here: `console`, `console-or-window`, `window`,
    /// `console-or-desk`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub place: Option<&'static str>,
}

/// A position that is needed for something.
#[derive(Clone, PartialEq, Eq, Serialize, Debug, TS, ToSchema)]
pub struct NeededPosition {
    /// The position: `dealer`, `pit-manager`.
    pub position: String,
    /// Anyone above will do.
    pub or_above: bool,
}

impl Problem {
    /// A problem with a code and words.
    #[must_use]
    pub fn new(status: StatusCode, code: &str, detail: impl Into<String>) -> Problem {
        Problem {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: detail.into(),
            code: code.to_owned(),
            rule: None,
            retry_after_s: None,
            needed: None,
            place: None,
        }
    }

    /// What stands in the way of what is asked.
    #[must_use]
    pub fn conflict(code: &str, detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::CONFLICT, code, detail)
    }

    /// What was sent cannot be understood.
    #[must_use]
    pub fn input(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "not_understood", detail)
    }

    /// What staff ask is no act of the table.
    #[must_use]
    pub fn no_act(why: NoAct) -> Problem {
        match why {
            NoAct::Words(words) => Problem::input(words),
            NoAct::Missing(words) => Problem::conflict("not_there", words),
        }
    }

    /// There is no such thing.
    #[must_use]
    pub fn not_found(what: &str) -> Problem {
        Problem::new(
            StatusCode::NOT_FOUND,
            "not_found",
            format!("there is no such {what}"),
        )
    }

    /// Nobody is logged in.
    #[must_use]
    pub fn log_in_first() -> Problem {
        Problem::new(StatusCode::UNAUTHORIZED, "log_in_first", "log in first")
    }

    /// The one who asks may not.
    #[must_use]
    pub fn not_allowed(detail: impl Into<String>) -> Problem {
        Problem::new(StatusCode::FORBIDDEN, "not_authorised", detail)
    }

    /// It is done, but from another place.
    #[must_use]
    pub fn elsewhere(place: &'static str, detail: impl Into<String>) -> Problem {
        Problem {
            place: Some(place),
            ..Problem::not_allowed(detail)
        }
    }

    /// The house's own failure; the cause is logged, not sent.
    #[must_use]
    pub fn ours(cause: &dyn std::fmt::Display) -> Problem {
        tracing::error!(%cause, "a request failed");
        Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "house_fault",
            "the house could not do this; it is on its log",
        )
    }

    /// Too much is waiting.
    #[must_use]
    pub fn busy() -> Problem {
        Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "busy",
            "too much is waiting; try again",
        )
    }

    /// A table's refusal.
    #[must_use]
    pub fn refused(refusal: &Refusal) -> Problem {
        use sicbo_table::refusal::Reason;
        let status = match refusal.reason {
            Reason::NotAuthorised { .. } | Reason::NotYourStation => StatusCode::FORBIDDEN,
            Reason::UnknownStation | Reason::NoSuchDecision => StatusCode::NOT_FOUND,
            _ => StatusCode::CONFLICT,
        };
        let mut problem = Problem::new(status, refusal.code(), refusal.reason.to_string());
        problem.rule.clone_from(&refusal.rule);
        problem.needed = match refusal.reason {
            Reason::NotAuthorised { needed, or_above } => Some((needed, or_above)),
            Reason::SecondPersonNeeded { needed } => Some((needed, true)),
            _ => None,
        }
        .map(|(needed, or_above)| NeededPosition {
            position: needed.key().to_owned(),
            or_above,
        });
        problem
    }

    /// A refusal of the register.
    #[must_use]
    pub fn declined(refusal: &register::Refusal) -> Problem {
        use register::Reason;
        let status = match refusal.reason {
            Reason::NotAuthorised
            | Reason::MustChangePin
            | Reason::NotYourStation
            | Reason::PlaceNeeded
            | Reason::PlaceDoesNotFit
            | Reason::NotPosted => StatusCode::FORBIDDEN,
            Reason::UnknownPerson
            | Reason::UnknownEnrolment
            | Reason::UnknownVoucher
            | Reason::UnknownCase
            | Reason::UnknownDice
            | Reason::UnknownShift => StatusCode::NOT_FOUND,
            Reason::LockedOut { .. } => StatusCode::TOO_MANY_REQUESTS,
            _ => StatusCode::CONFLICT,
        };
        Problem::new(status, refusal.code(), refusal.to_string())
    }

    /// A table's answer that is no yes; of a yes the sequence, and whether it
    /// had been done before.
    ///
    /// # Errors
    /// The problem it is.
    pub fn unless_done(answer: Answer<Refusal>) -> Result<(u64, bool), Problem> {
        done(answer, Problem::refused)
    }

    /// The register's answer that is no yes.
    ///
    /// # Errors
    /// The problem it is.
    pub fn unless_entered(answer: Answer<register::Refusal>) -> Result<u64, Problem> {
        done(answer, Problem::declined).map(|(sequence, _)| sequence)
    }
}

fn done<R>(answer: Answer<R>, refused: fn(&R) -> Problem) -> Result<(u64, bool), Problem> {
    Err(match answer {
        Answer::Done { sequence, again } => return Ok((sequence, again)),
        Answer::Refused(refusal) => refused(&refusal),
        Answer::Busy => Problem::busy(),
        Answer::TooLarge => too_large(),
        Answer::Stopped => stopped(),
    })
}

fn too_large() -> Problem {
    Problem::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "too_large",
        "this is more than one record may hold",
    )
}

fn stopped() -> Problem {
    Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "stopped",
        "the journal has failed; what was acknowledged is safe",
    )
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        let mut response = Response::new(Body::from(crate::frame(&self).into_bytes()));
        *response.status_mut() = status;
        response.headers_mut().insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        if let Some(seconds) = self.retry_after_s {
            let seconds = HeaderValue::from(seconds);
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }
}

/// Why a terminal's message was not carried out: code, words, rule; nothing
/// when it was.
#[must_use]
pub fn told(answer: &Answer<Refusal>) -> Option<(&'static str, String, Option<String>)> {
    match answer {
        Answer::Done { .. } => None,
        Answer::Refused(refusal) => Some((
            refusal.code(),
            refusal.reason.to_string(),
            refusal.rule.as_deref().and_then(citation::public),
        )),
        Answer::Busy => Some(("busy", "too much is waiting; try again".to_owned(), None)),
        Answer::TooLarge => Some(("too_large", "too much at once".to_owned(), None)),
        Answer::Stopped => Some((
            "stopped",
            "the table has stopped; whether this counts is known after the restart".to_owned(),
            None,
        )),
    }
}
