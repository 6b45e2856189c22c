## What a seat shows besides the board: roads, returns, reading, sizes
roads = 路单
returns = 可赢
last-round = 上一局
road-last = 最近 { $n } 局
road-shares = 最近 { $n } 局占比
hot = 热门
cold = 冷门
hot-line = { $total } 点（{ $n } 次）
road-none = 暂无结果。
returns-title = 各点数的输赢
returns-none = 下注后可查看各点数的输赢。
returns-note = 按您所有已受理的投注合计。
possible-win = 最高可赢
total-brings = 开此点数：{ $from } 至 { $to }
total-brings-one = 开此点数：{ $amount }
card-won = 您赢了
card-even = 本金退还
paused = 投注暂停
odds-to-one = { $odds } to 1
paused-line = 正在重新连接……
time-of-day = 时间

## Chips below the minimum
not-yet = 尚未成注
note-not-yet = 尚未成注，最低 { $minimum }
note-minimum = 最低 { $amount }
note-maximum = 最高 { $amount }
note-credit = 余额 { $amount }
note-round-maximum = 每局上限 { $amount }
note-own-loss = 您的输额上限 { $amount }
note-own-spend = 您的投注上限 { $amount }
note-not-bet = { $amount } 未下注，最低 { $minimum }
spot-not-yet = { $spot }，{ $amount } 尚未成注，最低 { $minimum }
spot-odds = { $name }，{ $odds }
spot-odds-bet = { $name }，{ $odds }，您的投注 { $bet }
refused-at = { $name }：{ $words }
refused-minimum = 此处最低投注 { $amount }。
refused-maximum = 此处最高投注 { $amount }。
refused-credit = 余额不足，您的余额为 { $amount }。
refused-round-maximum = 超过本终端每局投注上限（{ $amount }）。
refused-own-loss = 此投注会超过您的输额上限（{ $amount }）。
refused-own-spend = 此投注会超过您的投注上限（{ $amount }）。
partly-doubled = { $all } 注中已加倍 { $done } 注。
partly-repeated = { $all } 注中已重复 { $done } 注。
none-doubled = 没有可以加倍的投注。
none-repeated = 没有可以重复的投注。
partly-why = 其余已在台面上标出。
swept = { $amount } 低于最低投注额，未下注。

## Told to those who hear the screen
tell-won = 您赢了 { $amount }。余额 { $credit }。
tell-lost = 您输了 { $amount }。余额 { $credit }。
tell-even = 本金 { $amount } 已退还。余额 { $credit }。
tell-seconds = 下注还剩 { $n } 秒。
tell-paused = 投注暂停，正在重新连接。
tell-back = 已重新连接。
part-with-bets = { $part }，{ $n } 注

## Settings
text-size = 文字大小
text-size-100 = 标准
text-size-125 = 大
text-size-150 = 较大
text-size-200 = 最大
theme = 配色
theme-dark = 深色
theme-light = 浅色
shortcuts = 键盘
shortcuts-on = 启用快捷键
shortcut-chips = 选择筹码
shortcut-walk = 在台面上移动
shortcut-bet = 下注
shortcut-remove = 取回筹码
key-arrows = 方向键
key-enter = Enter
key-delete = Delete
