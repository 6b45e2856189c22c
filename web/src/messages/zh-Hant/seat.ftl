## What a seat shows besides the board: roads, returns, reading, sizes
roads = 路單
returns = 可贏
last-round = 上一局
road-last = 最近 { $n } 局
road-shares = 最近 { $n } 局佔比
hot = 熱門
cold = 冷門
hot-line = { $total } 點（{ $n } 次）
road-none = 暫無結果。
returns-title = 各點數的輸贏
returns-none = 下注後可查看各點數的輸贏。
returns-note = 按您所有已受理的投注合計。
possible-win = 最高可贏
total-brings = 開此點數：{ $from } 至 { $to }
total-brings-one = 開此點數：{ $amount }
card-won = 您贏了
card-even = 本金退還
paused = 投注暫停
odds-to-one = { $odds } to 1
paused-line = 正在重新連線……
time-of-day = 時間

## Chips below the minimum
not-yet = 尚未成注
note-not-yet = 尚未成注，最低 { $minimum }
note-minimum = 最低 { $amount }
note-maximum = 最高 { $amount }
note-credit = 餘額 { $amount }
note-round-maximum = 每局上限 { $amount }
note-own-loss = 您的輸額上限 { $amount }
note-own-spend = 您的投注上限 { $amount }
note-not-bet = { $amount } 未下注，最低 { $minimum }
spot-not-yet = { $spot }，{ $amount } 尚未成注，最低 { $minimum }
spot-odds = { $name }，{ $odds }
spot-odds-bet = { $name }，{ $odds }，您的投注 { $bet }
refused-at = { $name }：{ $words }
refused-minimum = 此處最低投注 { $amount }。
refused-maximum = 此處最高投注 { $amount }。
refused-credit = 餘額不足，您的餘額為 { $amount }。
refused-round-maximum = 超過本終端每局投注上限（{ $amount }）。
refused-own-loss = 此投注會超過您的輸額上限（{ $amount }）。
refused-own-spend = 此投注會超過您的投注上限（{ $amount }）。
partly-doubled = { $all } 注中已加倍 { $done } 注。
partly-repeated = { $all } 注中已重複 { $done } 注。
none-doubled = 沒有可以加倍的投注。
none-repeated = 沒有可以重複的投注。
partly-why = 其餘已在枱面上標出。
swept = { $amount } 低於最低投注額，未下注。

## Told to those who hear the screen
tell-won = 您贏了 { $amount }。餘額 { $credit }。
tell-lost = 您輸了 { $amount }。餘額 { $credit }。
tell-even = 本金 { $amount } 已退還。餘額 { $credit }。
tell-seconds = 下注還剩 { $n } 秒。
tell-paused = 投注暫停，正在重新連線。
tell-back = 已重新連線。
part-with-bets = { $part }，{ $n } 注

## Settings
text-size = 文字大小
text-size-100 = 標準
text-size-125 = 大
text-size-150 = 較大
text-size-200 = 最大
theme = 配色
theme-dark = 深色
theme-light = 淺色
shortcuts = 鍵盤
shortcuts-on = 啟用快速鍵
shortcut-chips = 選擇籌碼
shortcut-walk = 在枱面上移動
shortcut-bet = 下注
shortcut-remove = 取回籌碼
key-arrows = 方向鍵
key-enter = Enter
key-delete = Delete
