## The dealer's console
next-step = Next step
nothing-to-do = Nothing to do now
dice-keys = Keys of the dice
key-hint = Key the three dice as they lie
preview-payout = Read back before it counts. Returned to players: { $amount }
tumbles-counted = Tumbles counted:
report-tumbles-n = { $count ->
    [one] { $count } tumble
   *[other] { $count } tumbles
}
all-dice-moved = All three dice moved
lights-not = The winning areas do not light up
awaiting-n = { $count ->
    [one] Waiting for { $count } terminal to show “no more bets”
   *[other] Waiting for { $count } terminals to show “no more bets”
}
incidents = Incidents
declare-void = Declare the round void
declare-void-for = Declare void: { $cause }
declare-void-effect = All bets of this round are returned. This cannot be taken back.
not-now = Not now
say-what = Say what happened
report = Report
device-failure = Technical stop
failed-part = Which part failed
part-tumbler = Tumbler
part-console = Game console
part-keys = Keys for the dice
part-lights = Lights of the winning areas
part-other = Something else
enter-tumbles = Enter the tumbles you counted
failures = Failures to be told of
failure-acknowledged = Acknowledged by { $name } at { $time }
failure-not-acknowledged = Not yet acknowledged
failure-acknowledge = I have been told
count-by-hand = Count by hand
count-by-line = Count by the line again
counterfeit = Suspected forgery
call-supervisor = Call the supervisor
incident-other = Something else
incident-call-supervisor = The supervisor is wanted
incident-call-attendant = A player wants the attendant
incident-counterfeit = Suspected forgery
incident-dispute = A player disputes a round
staked = Staked
worst-loss = Most it can cost
house-win = House win
terminals = Terminals
terminals-there = { $there } of { $all } connected
station-awaiting = not yet shown
station-fenced = cut off
station-offline = offline
table-controls = The table
open-table = Open the table
pre-flight = Before the table opens
check-dice = Dice inspected, set noted
check-cover = Cover and dome whole
check-camera = Camera sees the dice
check-printer = Printers have paper
check-lights = All sections light up
check-drop-box = Drop box in place
check-float = Float counted
dice-set = Number of the new set of dice
deal-yourself = Deal yourself
let-deal = Automatic dealer
automatic-deals = The automatic dealer deals at this table.

## Decisions
decides = Decides
two-persons = two persons
default-is = by default: { $ruling }
effects = { $count ->
    [one] What it would do at { $count } station
   *[other] What it would do at { $count } stations
}
if-void = if void
if-concluded = if concluded
outcome-established = The outcome was established before the interruption.
outcome-not-established = No outcome was established before the interruption.
dice-still-there = Are the dice of the valid tumble still in place, flat and visible?
dice-in-place = Yes, they are
dice-not-in-place = No
ruling-void = The round is void
ruling-conclude = Conclude from the dice
ruling-accept = The default stands
ruling-at-close = As the chips lay at the close
ruling-as-they-lie = As the chips lie now
ruling-affected = The round is affected
ruling-not-affected = Not affected: play goes on
none-affected = No earlier round was affected
ruling-release = Release the table: play goes on
second-person-wanted = A second person is wanted
second-dice = Key the dice as you read them yourself.
proposed-by = Proposed by { $name }
confirm-second = Confirm as the second person

## Seats of a physical table
seats = Seats
colour = Colour
colour-value = Value of one chip
assign-colour = Issue the colour
release-colour = Take the colour back
colour-chips = Colour chips ({ $colour })
colour-count = { $count ->
    [one] { $count } chip { $colour }
   *[other] { $count } chips { $colour }
}
chips-sold = Cash for chips
sell-chips = Sell chips
call-bet = Spoken bet, chips present
late-act = After the close
late-placement = new bet
late-increase = more on a bet
late-withdrawal = bet taken away
positions-recorded = chip that lay there at the close
positions-seen = chips as they lie at the opening
positions-unchanged = Every chip lies as recorded
positions-send = Send how the chips of { $seat } lie
positions-done = { $count ->
    [one] one seat looked at
   *[other] { $count } seats looked at
}
take-and-pay = Take and pay
take-bet = take { $section } · { $stake }
pay-bet = pay { $section } · { $odds } to 1 on { $stake } = { $winnings }
pay-sum = pay { $winnings }
colour-back = Take colour chips back for cash chips
camera = Camera over the tumbler
done-before = Done before: the house did this when it was asked the first time. Nothing was done now, nothing more is to be handed over.
