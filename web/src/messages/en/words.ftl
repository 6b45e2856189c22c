## Kinds of bets
kind-small = Small
kind-big = Big
kind-odd = Odd
kind-even = Even
kind-any-triple = Any triple
kind-triple = Specific triple
kind-double = Double
kind-total = Total
kind-pair = Two dice
kind-single = Single die
kind-four = Three of four
kind-three-single = Three singles
kind-double-single = Double with single

## Causes for which a round is void
on-the-ground = on the ground of { $rule }
cause-too-few-tumbles = The dice tumbled too few times
cause-die-not-flat = A die does not lie flat
cause-dice-exposed-early = The dice were seen before bets closed
cause-tumbler-activated-early = The tumbler ran before bets closed
cause-dice-damaged = A die is damaged
cause-dice-broken = A die broke
cause-dome-broken = The dome broke
cause-technical-interruption = A technical interruption left no outcome

## Positions
position-dealer = Dealer
position-pit-supervisor = Pit supervisor
position-pit-manager = Pit manager
position-shift-manager = Shift manager
position-director = Director of table games
position-head-of-operations = Head of operations
position-surveillance = Surveillance
position-cashier = Cashier
position-auditor = Auditor
position-regulator = Regulator
position-trainer = Trainer
position-technician = Technician

## Steps
step-activate-tumbler = Start the tumbler
step-report-tumbles = Report the tumbles
step-call-bets = Call for bets
step-close-bets = No more bets
step-press-deal = Press deal
step-uncover = Uncover the dice
step-confirm-flat = All three lie flat
step-key-dice = Key the dice
step-clear-keys = Clear the keys
step-read-second = Second reading
step-confirm-result = Confirm the result
step-report-lights = The winning areas are lit
step-take-and-pay = Bets taken and paid
step-declare-void = Declare void
step-rule-void = Void by a ruling
step-hold = Hold the round for a decision
step-confirm-interruption = Settle the interruption
step-rule = Give a ruling
step-resolve-readings = Settle the readings
step-report-damage = Damaged dice
step-find-dice-sound = Dice found sound
step-change-dice = Change the dice
step-announce-last-round = Announce the last round
step-suspend = Suspend play
step-resume = Resume play
step-close-table = Close the table

## What a decision is about
question-interrupted = The round was interrupted
question-dice-not-in-place = The dice are not in place any more
question-readings-disagree = The two readings disagree
question-uncovered = Something no rule covers
question-terminal-open-case = A terminal that may not have shown the close
question-bet-status = Whether a bet stands
question-device-failure = A device failed
question-damaged-round = Damaged dice: has the supervisor looked at them?
question-affected-rounds = Which earlier rounds did damaged dice affect?

## Matters that somebody decides
matter-uncovered = What no rule covers
matter-interpretation = What a rule means
matter-affected-rounds = Which rounds damaged dice affected
matter-bet-status = Whether a bet stands
matter-resume-after-device-failure = Resuming after a device failed
matter-dispute-first = A dispute when it is raised
matter-dispute-escalated = A dispute that was not settled

## What rule books say
fact-form-electronic = Bets are placed at terminals; a dealer runs the tumbler.
fact-form-table = Bets are placed with chips on a table.
fact-cover-covered = The dice are under a cover until bets are closed.
fact-cover-open = The dice can be seen at all times.
fact-tumble-window-any = The dice may tumble before, during or after betting.
fact-tumble-window-before-open = The dice tumble before bets are called.
fact-tumble-window-before-close = The dice tumble before bets close.
fact-tumble-window-after-close = The dice tumble only after bets are closed.
fact-minimum-tumbles-3 = The dice must tumble at least three times.
fact-closes-terminal-display = Bets are closed when the terminal shows it.
fact-closes-announcement = Bets are closed when the dealer says so.
fact-positions-at-close = Bets count as they lay at the close.
fact-positions-at-uncovering = Chips count as they lie when the cover is lifted.
fact-flat-check-true = The dice count only when all three lie flat.
fact-round-ends-all-settled = The round ends when all bets are settled.
fact-round-ends-announced-and-paid = The round ends when the result is announced and bets are paid.
fact-round-ends-determined-and-paid = The round ends when the result is determined and winnings are paid.
fact-round-ends-displayed-and-settled = The round ends when the outcome is shown and bets are settled.
fact-outcome-established-conclude = Interrupted with the outcome established: the round is concluded.
fact-outcome-established-finish-by-dice-then-suspend = Interrupted with dice that can be read: the round is finished by the dice, then play stops.
fact-no-outcome-void = Interrupted with no outcome: the round is void.
fact-no-outcome-finish-by-dice-then-suspend = A device failed: the round is finished by the dice where possible, then play stops until approved.
fact-terminal-registered-settled = A terminal fails: bets registered before the close are settled.
fact-terminal-unregistered-returned = A terminal fails: bets that were not registered are returned.
fact-terminal-unregistered-not-participated = A terminal fails: with no registered bet the player did not take part.
fact-late-placement-refused = A bet after the close is refused.
fact-late-placement-dealer-decides = A bet after the close: the dealer rules by where it lies.
fact-late-increase-refused = More on a bet after the close is refused.
fact-late-increase-increase-refused = More on a bet after the close: only what was added is refused.
fact-late-increase-dealer-decides = More on a bet after the close: the dealer rules by where it lies.
fact-late-withdrawal-refused = A bet cannot be taken back after the close.
fact-late-withdrawal-bet-stands = A bet taken away after the close is still won or lost.
fact-late-withdrawal-dealer-decides = A bet taken away after the close: the dealer rules by where it lay.
fact-wrong-result-settle-by-dice = A wrongly registered result: the dice prevail and bets are settled anew.
fact-wrong-result-settle-by-dice-if-conducted = A wrongly registered result: the dice prevail if the round was conducted by the rules.
fact-wrong-display-settle-by-dice = A wrongly displayed result: the dice prevail.
fact-wrong-display-settle-by-dice-if-conducted = A wrongly displayed result: the dice prevail if the round was conducted by the rules.
