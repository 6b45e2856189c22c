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
part-other = Other part
enter-tumbles = Enter the tumbles you counted
tumbler-counts = The tumbler counts by itself
failures = Failures to be told of
failure-acknowledged = Acknowledged by { $name } at { $time }
failure-not-acknowledged = Not yet acknowledged
failure-acknowledge = I have been told
count-by-hand = Count by hand
count-by-line = Count by the line again
counterfeit = Suspected forgery
call-supervisor = Call the supervisor
incident-other = Other incident
incident-call-supervisor = The supervisor is wanted
incident-call-attendant = A player wants the attendant
incident-counterfeit = Suspected forgery
incident-dispute = A player disputes a round
staked = Staked
worst-loss = Largest possible loss
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
ruling-goes-on = Continue the round
ruling-betting-goes-on = Betting goes on
ruling-accept = The default stands
bets-stand = The accepted bets count
stays-stopped = The table stays stopped
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

## Who may, and from where
refused-position = This is for: { $who }.
refused-second = This takes a second person: { $who }.
place-console = The game is dealt from the table's own console. Log in there.
place-console-or-window = Money moves at the table's own console or at a window of the cage.
place-window = This is done at a window of the cage.
place-console-or-desk = This is done at the table's own console or at a desk of the pit.
step-of = for: { $who }
table-opened-by = The table is closed. It is opened by: { $who }.
ask-last-round = Players are told at once that one more round is played, and that the table closes after it. A supervisor can take it back.
ask-no-last-round = Players are told no longer that the table closes: rounds go on as before.
after-round-n = After round { $round }
past-results = Last results
device-is-connected = { $name } is connected.
device-is-gone = { $name } is no longer connected.
device-is-cover-open = { $name }: the cover is open.
device-is-cover-closed = { $name }: the cover is closed.

## What is often said
phrases = Ready phrases
phrase-break = Short break
phrase-clean = Layout is cleaned
phrase-shift = Change of shift
phrase-chipped = A die is chipped
phrase-worn = Spots are worn
phrase-fell = A die fell to the floor
phrase-dispute = A player disputes a bet
phrase-disturbed = The dice were disturbed
phrase-dome = The dome is damaged
phrase-which-rule = Which rule applies?
phrase-unclear = The outcome cannot be established
phrase-stuck = It does not move
phrase-dark = It does not light up
phrase-no-answer = It does not answer
phrase-chip = A chip looks wrong
phrase-note = A note looks wrong
phrase-unwell = A player is unwell
phrase-spill = A drink was spilled
phrase-lost = Something was left at the table
phrase-camera = As the camera shows
phrase-nobody-harmed = Nobody had an advantage by it

## Chips that come to the table and leave it
move-chips = Fills, credits, tips
chips-how = What is done
chips-fill = Fill: chips from the cage
chips-credit-slip = Credit: chips to the cage
chips-tip = Tip: chips into the tip box
chips-brought = A player brings chips
chips-taken-away = A player takes chips away
chips-slip = Number of the slip
chips-number-of = How many of { $value }
chips-total = Together
chips-two = Two persons sign: the other confirms on a session of their own.

## Chips below the minimum
chips-below = { $seat }, { $section }: { $amount } is below the minimum of { $minimum } and no bet yet.
chips-below-closed = { $seat }, { $section }: { $amount } was below the minimum of { $minimum } at the close. It is no bet: hand it back.
