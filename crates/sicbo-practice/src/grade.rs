//! Marks by skill, and what the coach has to say.

use sicbo_rules::rulebook::words::Word;

/// What is graded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Skill {
    /// The acts come in the book's order.
    Order,
    /// What went wrong is dealt with by the right rule.
    Rule,
    /// The result is called from lowest to highest, with its total.
    Call,
    /// Winning bets are paid right.
    Payments,
    /// Each act comes in good time.
    Speed,
}

impl Word for Skill {
    fn all() -> &'static [Skill] {
        &[
            Skill::Order,
            Skill::Rule,
            Skill::Call,
            Skill::Payments,
            Skill::Speed,
        ]
    }
    fn key(self) -> &'static str {
        match self {
            Skill::Order => "order",
            Skill::Rule => "rule",
            Skill::Call => "call",
            Skill::Payments => "payments",
            Skill::Speed => "speed",
        }
    }
}

/// Marks in one skill.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Marks {
    /// Got.
    pub right: u32,
    /// To be had.
    pub of: u32,
}

impl Marks {
    /// One more that could be had.
    pub fn add(&mut self, right: bool) {
        self.right += u32::from(right);
        self.of += 1;
    }

    /// Of a hundred, rounded down; all of nothing is all.
    #[must_use]
    pub fn percent(self) -> u32 {
        (self.right * 100).checked_div(self.of).unwrap_or(100)
    }
}

/// What was right or wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// The situation was dealt with as the rule says.
    DealtWith,
    /// Another act was due.
    OutOfOrder,
    /// The table refused the act.
    Refused,
    /// What happened was not dealt with.
    Missed,
    /// Void, but for another cause.
    WrongCause,
    /// Void or held without any reason.
    Unfounded,
    /// A bet was taken that the rule refuses.
    BetWronglyTaken,
    /// Settled by other dice than those that lie there.
    WrongResult,
    /// The call was right.
    CallRight,
    /// The call was wrong.
    CallWrong,
    /// The payment was right.
    PaymentRight,
    /// The payment was wrong.
    PaymentWrong,
    /// The act came late.
    Slow,
}

impl Word for Verdict {
    fn all() -> &'static [Verdict] {
        &[
            Verdict::DealtWith,
            Verdict::OutOfOrder,
            Verdict::Refused,
            Verdict::Missed,
            Verdict::WrongCause,
            Verdict::Unfounded,
            Verdict::BetWronglyTaken,
            Verdict::WrongResult,
            Verdict::CallRight,
            Verdict::CallWrong,
            Verdict::PaymentRight,
            Verdict::PaymentWrong,
            Verdict::Slow,
        ]
    }
    fn key(self) -> &'static str {
        match self {
            Verdict::DealtWith => "dealt-with",
            Verdict::OutOfOrder => "out-of-order",
            Verdict::Refused => "refused",
            Verdict::Missed => "missed",
            Verdict::WrongCause => "wrong-cause",
            Verdict::Unfounded => "unfounded",
            Verdict::BetWronglyTaken => "bet-wrongly-taken",
            Verdict::WrongResult => "wrong-result",
            Verdict::CallRight => "call-right",
            Verdict::CallWrong => "call-wrong",
            Verdict::PaymentRight => "payment-right",
            Verdict::PaymentWrong => "payment-wrong",
            Verdict::Slow => "slow",
        }
    }
}

impl Verdict {
    /// Nothing to learn from it.
    #[must_use]
    pub const fn is_right(self) -> bool {
        matches!(
            self,
            Verdict::DealtWith | Verdict::CallRight | Verdict::PaymentRight
        )
    }
}

/// Something the coach says, with the rule it rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// Which skill it is about.
    pub skill: Skill,
    /// What was right or wrong.
    pub verdict: Verdict,
    /// What was due: a step, a response, dice or an amount.
    pub expected: String,
    /// What was done instead.
    pub done: String,
    /// The rule, as cited to people.
    pub rule: String,
}
