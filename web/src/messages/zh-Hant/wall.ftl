## Wall display
wall-nothing = 本桌尚未開放。
wall-layout = 台面與賠率：{ $layout }。本桌其他終端顯示各自的賠率。
bead-plate = 珠盤路
road-side = 大路：大小
road-parity = 大路：單雙
totals-title = 點數分佈與期望
faces-title = 近 { $n } 局各點
since-triple = 距上次圍骰 { $n } 局
since-triple-none = { $n } 局未見圍骰
