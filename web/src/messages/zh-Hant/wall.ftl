## Wall display
wall-nothing = 本桌尚未開放。
bead-plate = 珠盤路
road-side = 大路：大小
road-parity = 大路：單雙
totals-title = 點數分佈與期望
faces-title = 近 { $n } 局各點
since-triple = 距上次圍骰 { $n } 局
since-triple-none = { $n } 局未見圍骰
stage-won = 您贏了
wall-missing = 這裡沒有名為 { $table } 的賭桌。
wall-pay-table = 賠率表：{ $layout }
wall-pay-tables = 本桌各終端賠率不同，以所用終端顯示為準。
wall-winners = 贏的投注
wall-next-round = 下一局即將開始
shares-title = 近 { $n } 局佔比
wall-dealer = 荷官：{ $name }
