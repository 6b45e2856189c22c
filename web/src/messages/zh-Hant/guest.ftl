## 供賓客：大廳、選擇座位、用手機跟看、玩法介紹
guest-new = 第一次來？每個座位都有一分鐘玩法介紹。
guest-playing = { $n ->
    [0] 暫無人在玩
   *[other] { $n } 人在玩
}
guest-free = { $n ->
    [0] 已滿座
   *[other] 空位 { $n } 個
}
guest-full = 座位已滿。您可以觀看本桌，或到其他桌入座。
guest-chips = 在賭桌上用籌碼下注
guest-follow = 查看本桌實況
guest-watch = 觀看
guest-bets-from = 投注 { $amount } 起
guest-stopped = 暫停服務
guest-try = 各畫面並排查看
guest-staff = 員工入口
choose-title = 選擇賠率表
choose-line = 本桌各終端的賠率不盡相同。您選的賠率表會顯示在螢幕上方。
choose-take = 在此入座
choose-differs = 本桌其他終端賠率不同
pay-table = 賠率表
companion-chips = 本桌用籌碼投注。請到賭桌就座下注；您可在此查看實況。
companion-terminals = 請在本桌的終端投注；您可在此查看實況。
companion-call = 請工作人員到我的座位
companion-seat = { $name } 號座
companion-called = 已請工作人員到 { $name } 號座。
visit-ended = 您離開了一段時間，終端已轉給下一位賓客。您的餘額已列印成票券。
visit-again = 另選座位

## 玩法介紹
tour = 一分鐘玩法介紹
tour-step = 第 { $n } 步，共 { $all } 步
tour-next = 下一步
tour-done = 開始遊戲
tour-skip = 略過
tour-dice = 三顆骰子，一局定勝負
tour-dice-text = 每局搖三顆骰子，您猜的是開出的點數。這裡是 { $dice }：總和 { $total } 點。
tour-side = 最簡單的投注
tour-side-text = 總和 11 至 17 點「大」贏，4 至 10 點「小」贏。三顆骰子相同時，大小都輸。
tour-odds = 各格的賠率
tour-odds-text = { $spot } 寫著 { $odds }。投注 { $stake } 可贏 { $win }，本金 { $stake } 也退還。
tour-chips = 如何下注
tour-chips-text = 先在下方選籌碼，再點一格。再點一次可加注；長按可收回籌碼。
tour-time = 下注時間
tour-time-text = 上方圓環顯示剩餘秒數。出現「{ $closed }」後，投注不能再更改。
tour-result = 開出結果
tour-result-text = 贏的格子會亮起，並有卡片列出輸贏。隨時可打開「{ $money }」兌現。

## 讀屏提示
tell-credit = 餘額 { $credit }。
tell-bets = 您的投注 { $bets }。餘額 { $credit }。
tell-void = 本局作廢。您的投注 { $amount } 已退還。餘額 { $credit }。

## History
history-moved = 局中存入或兌現 { $amount }
history-wrong = 有問題？

## The camera over a table
camera-live = 現場畫面
camera-test = 測試畫面
camera-show = 顯示現場畫面
camera-hide = 隱藏
camera-waiting = 正在連線現場畫面……
camera-lost = 現場畫面暫不可用
camera-note = 畫面僅供觀看，並延遲數秒；結果以娛樂場公佈為準。
