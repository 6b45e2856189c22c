## Lobby
lobby-line = 三顆骰子，公開賠率
lobby-note = 每局結果各自獨立。請為自己設定限額，適可而止。
play-money = 試玩場：使用試玩幣，可任意入座或操作荷官台。
take-seat = 入座
last-results = 最近結果
try-line = 在荷官台開局，在終端下注，看顯示屏。
try-terminal = 玩家終端
try-console = 荷官台
try-wall = 顯示屏
