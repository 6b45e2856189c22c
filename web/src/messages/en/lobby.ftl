## Lobby
lobby-line = Three dice, one tumbler, the odds in the open
lobby-note = Each round is independent of those before it. Set yourself a limit, and stop when it is reached.
play-money = This house plays for play money: take any seat, any console.
take-seat = Take a seat
last-results = Last results
try-line = Deal at the console, bet at the terminal, watch the wall.
try-terminal = The player's terminal
try-console = The dealer's console
try-wall = The wall display
