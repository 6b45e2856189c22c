## For guests: the lobby, the choice of a seat, a table followed from a phone, the tour
guest-new = New here? Every seat has a one-minute tour.
guest-playing = { $n ->
    [0] Nobody playing yet
    [one] { $n } playing
   *[other] { $n } playing
}
guest-free = { $n ->
    [0] All seats taken
    [one] { $n } seat free
   *[other] { $n } seats free
}
guest-full = All seats are taken. You can watch this table, or take a seat at another.
guest-chips = Played with chips at the table
guest-follow = Follow this table
guest-watch = Watch
guest-bets-from = Bets from { $amount }
guest-stopped = Out of service
guest-try = All screens side by side
guest-staff = For staff
choose-title = Choose your pay table
choose-line = Terminals of this table do not all pay the same. Your choice is named at the top of your screen.
choose-take = Sit down here
choose-differs = pays differently elsewhere at this table
pay-table = Pay table
companion-chips = This table is played with chips. Take a place at the table to bet; here you can follow it.
companion-terminals = You bet at a terminal of this table. Here you can follow it.
companion-call = Call staff to your seat
companion-seat = Seat { $name }
companion-called = Staff have been called to seat { $name }.
visit-ended = You were away for a while, so your terminal was given to the next guest. Your credit was printed as a voucher.
visit-again = Take another seat

## The tour
tour = One-minute tour
tour-step = { $n } of { $all }
tour-next = Next
tour-done = Start playing
tour-skip = Skip
tour-dice = Three dice, one throw
tour-dice-text = Each round, three dice are tumbled. You bet on what they will show. Here it is { $dice }: a total of { $total }.
tour-side = The simplest bets
tour-side-text = Big wins if the total is 11 to 17, Small if it is 4 to 10. Both lose when all three dice are the same.
tour-odds = What a spot pays
tour-odds-text = { $spot } says { $odds }. A bet of { $stake } wins { $win }, and your { $stake } come back as well.
tour-chips = Placing a bet
tour-chips-text = Choose a chip below, then tap a spot. Tap again to add more. Press and hold a spot to take a chip back.
tour-time = Time to bet
tour-time-text = The ring at the top counts the seconds. When it says “{ $closed }”, bets stay as they are.
tour-result = The result
tour-result-text = Winning spots light up and a card shows what you won or lost. Open { $money } to cash out whenever you like.

## Told to those who hear the screen
tell-credit = Credit { $credit }.
tell-bets = Your bets { $bets }. Credit { $credit }.
tell-void = The round was void. Your bets of { $amount } came back. Credit { $credit }.

## History
history-moved = { $amount } paid in or out during the round
history-wrong = Something wrong?

## The camera over a table
camera-live = Camera
camera-test = Test picture
camera-show = Show the camera
camera-hide = Hide
camera-waiting = Connecting to the camera …
camera-lost = Camera not available
camera-note = For watching only, and a few seconds late. The result that the house announces counts.
