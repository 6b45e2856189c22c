## Wall display
wall-nothing = 本桌尚未开放。
bead-plate = 珠盘路
road-side = 大路：大小
road-parity = 大路：单双
totals-title = 点数分布与期望
faces-title = 近 { $n } 局各点
since-triple = 距上次围骰 { $n } 局
since-triple-none = { $n } 局未见围骰
stage-won = 您赢了
wall-missing = 这里没有名为 { $table } 的赌桌。
wall-pay-table = 赔率表：{ $layout }
wall-pay-tables = 本桌各终端赔率不同，以所用终端显示为准。
wall-winners = 赢的投注
wall-next-round = 下一局即将开始
shares-title = 近 { $n } 局占比
wall-dealer = 荷官：{ $name }
