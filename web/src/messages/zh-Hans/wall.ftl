## Wall display
wall-nothing = 本桌尚未开放。
wall-layout = 台面与赔率：{ $layout }。本桌其他终端显示各自的赔率。
bead-plate = 珠盘路
road-side = 大路：大小
road-parity = 大路：单双
totals-title = 点数分布与期望
faces-title = 近 { $n } 局各点
since-triple = 距上次围骰 { $n } 局
since-triple-none = { $n } 局未见围骰
