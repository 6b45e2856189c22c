## Wall display
wall-nothing = This table has not been opened yet.
wall-layout = Layout and odds: { $layout }. Other terminals of this table show their own.
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
