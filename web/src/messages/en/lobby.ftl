## Lobby
lobby-line = Three dice. Open odds.
lobby-note = Each round is independent of those before it. Set yourself a limit, and stop when it is reached.
play-money = Demo casino – play money. Take any seat or console.
take-seat = Take a seat
last-results = Last results
try-line = Deal at the console, bet at the terminal, watch the wall.
try-terminal = The player's terminal
try-console = The dealer's console
try-wall = The wall display
