## The pit
pit = Pit
cashier = Cashier
technician = Technician
screens = Screens
not-your-screen = { $name } ({ $position }) does not work at this screen.
pit-board = All tables
what-waits = Waiting for a decision
nothing-waits = Nothing waits.
table = Table
col-phase = State of play
col-dealer = Dealer
col-handle = Handle
col-win = Win
col-theo = Expected win
col-exposure = Exposure
col-open = Open
col-voids = Void
nobody-deals = nobody
lasting = { $hours } h { $minutes } min
n-wait = { $count } waiting
n-reports = { $count ->
    [one] { $count } report
   *[other] { $count } reports
}
dice-condemned = change dice
board-note = Handle, win, expected win and void rate are of the shift that goes on, or since the program started where none does; the reports have every shift.

## Decisions
rule = Rule
by-default = By default
player = Player
confirm-void = Confirm: the round is void
read-the-dice = Key the dice as you read them. A second person keys them too.
propose = Propose to a second person
approve-resume = Approve that play resumes
waits-for-second = Waits for a second person
lapses-in = lapses in { $minutes }:{ $seconds }
first-person = First person
rounds = { $count ->
    [one] Round
   *[other] Rounds
}
amount = Amount
what-is-ruled = Ruling
ruling-in-place = The dice lie as they lay
ruling-not-in-place = The dice are no longer in place
earlier-rounds = Show rounds before these dice
read-again = Read the dice again
withdraw = Withdraw

## What an amendment does
effect-was = Had come back
effect-is = Comes back now
effect-net = Difference
effect-credited = Paid at once
effect-unclaimed = Held for a departed player
effect-recoverable = Paid too much
player-left = has left
nobody-took-part = Nobody took part.
all-together = All together
round-by-round = Round by round

## Amendments
amend = Amend
amended = amended
steps = Steps
step-round = The round
step-dice = The dice
step-affected = Affected rounds
step-effects = What it does
step-second = Second person
step-done = Done
wrong-result = Wrong result
which-round = Which round was registered wrongly?
no-rounds = No rounds.
result-registered = Registered result
result-now = Result now
wrong-result-now = The dice are still in place: read them. A second person reads them independently.
wrong-result-later = A later round has begun: the dice are read from the footage. Later rounds are not touched.
wrong-result-footage = No later round has commenced, but the dice were tumbled again: read them from the footage. A second person reads them independently.
conduct-asked = Was round { $round } conducted in accordance with the rules of the game?
conduct-yes = Yes, by the rules
conduct-no = No
conduct-not = A round that was not conducted by the rules is not corrected. It is to be voided under the cause that was found.
conducted-confirm = By confirming you say so too.
correction-holds = Proposed by { $name }. No step goes on until the second person has read the dice, or the proposal is withdrawn.
correction-disputed = The dice are in dispute: play waits
correction-holds-on = The proposal came to nothing and the dice are in dispute. Play waits until the round is corrected, or the person named here releases the table.
dice-as-they-are = The dice as they are
evidence = Evidence
evidence-hint = Dice in place, or camera and time
wait-for-second-dice = Proposed. A second person, logged in elsewhere, keys the dice as they read them.
wait-for-second = Proposed. A second person, logged in elsewhere, confirms it.
proposal-gone = The proposal was withdrawn or has lapsed. Nothing was changed.
out-of-service = The table is out of service. What was registered is safe.
start-table-again = Start the table again
proposal-ended = The proposal “{ $act }” by { $name } ended when the house was restarted. It was not confirmed: propose it again.
result-was-corrected = The result of round { $round } is now { $dice }.
now-recover-or-waive = { $amount } was paid too much: recover or waive it afterwards.
was-before = before: { $result }
damaged-dice = Damaged dice
which-affected = Rounds played with set { $set }, since round { $round }. Which of them are affected?
damage-hint = What is damaged, and why these rounds
show-effects = Show what it does
rounds-are-void = Void now: { $rounds }. The players are told.
dice-must-change = The dice must be changed before the next round.
clock-parted = The machine's clock differs from the casino's: { $machine } against { $house }. The current round goes on; no round begins until a supervisor has checked.
clock-look = Look at the clock
clock-call = Call a supervisor.
clock-machine = The machine's clock shows { $time }.
clock-house = The house's clock shows { $time }.
clock-what = Compare the machine's clock with one you trust. Where it is wrong, have it put right first. Saying that it is right is on record in your name; the house's clock then follows it.
clock-again = Look again
clock-right = The machine's clock is right
clock-badge = clock

## Money owed either way
overpayments = Paid too much
unclaimed = Unclaimed credits
recover-or-waive = Recover or waive
recover = Recover
waive = Waive
pay-unclaimed = Pay out
never-below-zero = Only available credit can be taken; nobody goes below zero.
recovery-law = Singapore, Conduct of Gaming Regulations 15(4): winnings may be recovered only if
recovery-informed = players were clearly told beforehand in which circumstances
recovery-means = and by which means it would be done
recovery-not-force-majeure = the cause is not force majeure
adjust = Adjust money
adjust-note = Gives or takes money at one station by ruling. Two persons.
settle-case-note = What a decision of a case is worth: chips from the float, or credit; for a player who has left, the cage keeps it. Two persons confirm it; the case is linked.
case-number = Number of the case
adjust-takes = Take it from the player

## The table
change-limits = Change limits
from-next-round = In force from the next round on.
minimum = Minimum
maximum = Maximum
limit-step = in steps of { $step }
station-maximum = Most at one station in a round
exposure-maximum = Most the house may stand to lose on a round
acting = Acting positions
nobody-acts = Nobody acts in another position here.
acts-as = acts as { $position }
acts-in = Acts as
assign-acting = Assign
end-acting = End
person = Person
ended-rounds = Ended rounds
reports-made = Reported here
money-drop = Cash in
money-credit = Available credit
money-vouchers = Vouchers out
money-chips = Chips outstanding

## Acts that take two persons
act-correct-result = Correct a wrong result
act-void-rounds = Void affected rounds
act-resolve-readings = Settle two readings that disagree
act-confirm-interruption = Settle the interruption
act-rule = Give a ruling
act-rule-void = Void by a ruling
act-declare-void = Declare void
act-adjust = Adjust money
if-attested = if attested
attest-note = Did these chips lie there at the announcement? Look at the camera, not only at the layout.
camera-bookmark = Camera and time
attest-lay-there = They lay there: they count
attest-not-there = Not attested: return the chips
act-settle-case = Pay a case in chips
act-hand-pay = Hand pay
act-count-money = Count at the cage
act-change-dice = Change the dice
act-report-damage = Report damaged dice
act-find-dice-sound = Dice inspected and found sound
act-move-chips = Move chips
affected-none = Custody knows of no round with these dice since they were last found good: none is ticked.
affected-cut = One act voids { $count } rounds at most: the newest are ticked, { $left } more are suspected and need acts of their own.
affected-more = Custody has more rounds before those that are listed here. Look at them as well.
