//! Marks by skill, and what the coach has to say.

sicbo_rules::words! {
    /// What is graded.
    Skill {
        /// The acts come in the book's order.
        Order = "order",
        /// What went wrong is dealt with by the right rule.
        Rule = "rule",
        /// The result is called from lowest to highest, with its total.
        Call = "call",
        /// Winning bets are paid right.
        Payments = "payments",
        /// Each act comes in good time.
        Speed = "speed",
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

sicbo_rules::words! {
    /// What was right or wrong.
    Verdict {
        /// The situation was dealt with as the rule says.
        DealtWith = "dealt-with",
        /// Another act was due.
        OutOfOrder = "out-of-order",
        /// The table refused the act.
        Refused = "refused",
        /// What happened was not dealt with.
        Missed = "missed",
        /// Void, but for another cause.
        WrongCause = "wrong-cause",
        /// Void or held without any reason.
        Unfounded = "unfounded",
        /// A bet was taken that the rule refuses.
        BetWronglyTaken = "bet-wrongly-taken",
        /// Settled by other dice than those that lie there.
        WrongResult = "wrong-result",
        /// The call was right.
        CallRight = "call-right",
        /// The call was wrong.
        CallWrong = "call-wrong",
        /// The payment was right.
        PaymentRight = "payment-right",
        /// The payment was wrong.
        PaymentWrong = "payment-wrong",
        /// The act came late.
        Slow = "slow",
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
