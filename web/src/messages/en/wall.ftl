## Wall display
wall-nothing = This table has not been opened yet.
bead-plate = Totals
road-side = Big road: big and small
road-parity = Big road: odd and even
totals-title = Totals, seen and expected
faces-title = Faces, last { $n }
since-triple = { $n ->
    [one] { $n } round since a triple
   *[other] { $n } rounds since a triple
}
since-triple-none = { $n ->
    [one] No triple in { $n } round
   *[other] No triple in { $n } rounds
}
stage-won = You won
wall-missing = There is no table called { $table } here.
wall-pay-table = Pay table: { $layout }
wall-pay-tables = Terminals of this table differ; each plays by the pay table it shows.
wall-winners = Winning bets
wall-next-round = Next round shortly
shares-title = Share of the last { $n } rounds
wall-dealer = Dealer: { $name }
