## What a seat shows besides the board: roads, returns, reading, sizes
roads = Roads
returns = Returns
last-round = Last round
road-last = { $n ->
    [one] Last result
   *[other] Last { $n } results
}
road-shares = { $n ->
    [one] Share of the last round
   *[other] Share of the last { $n } rounds
}
hot = Most often
cold = Least often
hot-line = { $total } ({ $n }×)
road-none = No results yet.
returns-title = What each total would bring
returns-none = Place bets to see what each total would bring.
returns-note = Win or loss on all your accepted bets together.
possible-win = Max. win
total-brings = This total: { $from } to { $to }
total-brings-one = This total: { $amount }
card-won = You won
card-even = Stakes back
paused = Bets paused
odds-to-one = { $odds } to 1
paused-line = Reconnecting …
time-of-day = Time

## Chips below the minimum
not-yet = not yet a bet
note-not-yet = Not yet a bet – min. { $minimum }
note-minimum = Min. { $amount }
note-maximum = Max. { $amount }
note-credit = Credit { $amount }
note-round-maximum = Round max. { $amount }
note-own-loss = Your loss limit { $amount }
note-own-spend = Your stake limit { $amount }
note-not-bet = { $amount } not bet – min. { $minimum }
spot-not-yet = { $spot }, { $amount } not yet a bet, minimum { $minimum }
spot-odds = { $name }, { $odds }
spot-odds-bet = { $name }, { $odds }, your bet { $bet }
refused-at = { $name }: { $words }
refused-minimum = The minimum here is { $amount }.
refused-maximum = The maximum here is { $amount }.
refused-credit = Not enough credit: you have { $amount }.
refused-round-maximum = Above the round maximum for this terminal ({ $amount }).
refused-own-loss = This bet would exceed your loss limit ({ $amount }).
refused-own-spend = This bet would exceed your stake limit ({ $amount }).
partly-doubled = Doubled { $done } of { $all } bets.
partly-repeated = Repeated { $done } of { $all } bets.
none-doubled = Nothing could be doubled.
none-repeated = Nothing could be repeated.
partly-why = The others are marked on the layout.
swept = { $amount } was below the minimum and was not bet.

## Told to those who hear the screen
tell-won = You won { $amount }. Credit { $credit }.
tell-lost = You lost { $amount }. Credit { $credit }.
tell-even = Your stakes of { $amount } came back. Credit { $credit }.
tell-seconds = { $n } seconds left to bet.
tell-paused = Bets paused, reconnecting.
tell-back = Connected again.
part-with-bets = { $part }, { $n ->
    [one] { $n } bet
   *[other] { $n } bets
}

## Settings
text-size = Text size
text-size-100 = Normal
text-size-125 = Large
text-size-150 = Larger
text-size-200 = Largest
theme = Colours
theme-dark = Dark
theme-light = Light
shortcuts = Keyboard
shortcuts-on = Keyboard shortcuts
shortcut-chips = Choose a chip
shortcut-walk = Move on the layout
shortcut-bet = Place the chip
shortcut-remove = Remove the chip
key-arrows = Arrow keys
key-enter = Enter
key-delete = Delete
