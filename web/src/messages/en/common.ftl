## Words everywhere
big = Big
small = Small
odd = Odd
even = Even
triple = Triple
bead-big = B
bead-small = S
bead-triple = T
bead-odd = O
bead-even = E
void = Void
close = Close
back = Back
language = Language
limits = Limits
limits-every-bet = every bet
limits-other-bets = all other bets
also-known-as = also known as { $name }
order = Order of play
rule-book = Rule book
rules = Rules
section = Bet
chance = Chance
edge = House edge
round-n = Round { $round }
round-void = Round void
round-n-void = Round { $round } is void
all-bets-returned = all bets are returned
time-left = Time left to bet
to-lobby = To the lobby
try-again = Try again
nowhere = Page not found
connecting = Connecting …
connected = Connected
not-connected = Not connected
connection-lost = Connection lost – reconnecting.
house-unreachable = The casino system cannot be reached. Trying again …
terminal = Terminal
console = Dealer console
wall = Wall display
try-it = Try it
reason = Reason
version = version { $version }
version-lost = version not known
effective = in force since { $date }
or-above = { $position } or above
or-above-short = or above

## The order of play in one line
order-before-bets = Dice tumble first, then bets
order-during-bets = Dice tumble while bets are taken
order-after-close = Bets close first, then dice tumble

## Where play stands
phase-closed = Table closed
phase-suspended = Play is suspended
phase-held = Paused – waiting for a decision
phase-idle = Waiting for the next round
phase-prepared = Dice are tumbling – bets follow
phase-betting = Place your bets
phase-closing = No more bets
phase-awaiting = Awaiting the result
phase-result = Result

## Notices of the house
notice-last-round = This is the last round before the table closes.
notice-suspended = Play at this table is suspended.
notice-closed = This table is closed.
notice-held = This round is paused and waits for a decision.
notice-round-lost = This round will be declared void.
notice-limits-change = New limits apply from the next round.
notice-rule-book-changes = New rules apply from the next round.
notice-corrected = The result of round { $round } was corrected to { $dice }.

## Results
result-words = { $dice }, total { $total }, { $side }, { $parity }
result-side = { $dice }, total { $total }, { $side }
outcomes-note = For information only. The dice at the table prevail.
trend-note = For information only. The result on the dice prevails. Each round is independent.
result-triple = { $dice }, total { $total }, triple
strip-last = Last result
strip-none = No result yet
strip-void = The last round was void
strip-result = Result
strip-tumbling = The dice are tumbling
strip-invalid = { $count ->
    [one] Tumbled { $count } time: not enough
   *[other] Tumbled { $count } times: not enough
}
strip-before = Dice not yet tumbled
strip-covered = Tumbled – under the cover
strip-reading = The dice are being read
strip-count = { $count } of at least { $minimum } tumbles

## Sections
section-small = Small
section-big = Big
section-odd = Odd
section-even = Even
section-any-triple = Any triple
section-triple = Triple { $a }
section-double = Double { $a }
section-total = Total { $a }
section-pair = Pair { $a }-{ $b }
section-single = Single { $a }
section-four = Three of { $numbers }
section-three-single = { $numbers } (three singles)
section-double-single = { $a }-{ $a }-{ $b } (double + single)
one-wins = 1 wins { $odds }
ways = { $ways } of 216
would-win = wins { $amount }
layout-of = Betting layout: { $title }

## The card of a section
about-section = About this bet
card-odds = Odds
card-on-one = On one die
card-on-two = On two dice
card-on-three = On three dice
card-for-stake = Winnings are shown for { $amount }, plus your stake back.
on-a-triple = On a triple
triple-loses = loses on every triple
triple-wins = can also win on a triple
triple-total = wins on a triple of that total
triple-needed = wins only on a triple

## The card of a settlement
card-title = Your round { $round }
card-corrected = The result was corrected; this is the new settlement.
card-voided-later = The round was declared void afterwards.
line-won = { $stake } at { $odds } = { $profit }, plus your stake back
line-lost = { $stake } lost
line-returned = stake returned
card-staked = Staked
card-returned = Returned
card-net = Net
card-code = Verification code

## Settings
settings = Settings
sound = Sound
sound-on = Sound on
sound-off = Mute
speech-on = Speak the results
volume = Volume
look = Appearance
mirror = Mirror the layout
high-contrast = High contrast
calm = Reduce motion

## Log-in
log-in = Log in
log-out = Log out
name = Name
pin = PIN
pin-old = Current PIN
pin-new = New PIN
pin-change = Change PIN
change-pin-first = { $name }, please choose a PIN of your own first.
code = Code
code-asked = Please also enter the six-digit code from your authenticator.
factor-first = { $name }, your position logs in with a code from an authenticator as well. Give your PIN to set it up.
factor-begin = Set up
factor-enter = Enter this key in your authenticator app, then type the code it shows. The key is shown once.
factor-open = Open in the authenticator
factor-confirm = Confirm
pin-again = PIN needed
pin-again-why = { $name }, money is about to be moved. Please enter your PIN once more.
go-on = Continue
wait-to-log-in = Too many failures. Try again in { $seconds } s.
try-again-now = You can try again now.
try-as = Try it as
