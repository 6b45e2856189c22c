## Lobby
lobby-line = 三颗骰子，公开赔率
lobby-note = 每局结果各自独立。请为自己设定限额，适可而止。
play-money = 试玩场：使用试玩币，可任意入座或操作荷官台。
take-seat = 入座
last-results = 最近结果
try-line = 在荷官台开局，在终端下注，看显示屏。
try-terminal = 玩家终端
try-console = 荷官台
try-wall = 显示屏
