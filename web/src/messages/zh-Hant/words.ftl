## Kinds of bets
kind-small = 小
kind-big = 大
kind-odd = 單
kind-even = 雙
kind-any-triple = 全圍
kind-triple = 圍骰
kind-double = 對子
kind-total = 點數
kind-pair = 牌九式
kind-single = 三軍
kind-four = 四選三
kind-three-single = 三骰組合
kind-double-single = 對子加單骰

## Causes for which a round is void
on-the-ground = 依據 { $rule }
cause-too-few-tumbles = 搖骰次數不足
cause-die-not-flat = 有骰子未平放
cause-dice-exposed-early = 停注前骰子外露
cause-tumbler-activated-early = 停注前啓動搖骰
cause-dice-damaged = 骰子損壞
cause-dice-broken = 骰子破裂
cause-dome-broken = 骰盅罩破裂
cause-technical-interruption = 技術中斷，未產生結果

## Positions
position-dealer = 荷官
position-pit-supervisor = 監場主任
position-pit-manager = 場區經理
position-shift-manager = 值班經理
position-director = 桌面博彩總監
position-head-of-operations = 營運主管
position-surveillance = 監控部
position-cashier = 賬房出納
position-auditor = 審計員
position-regulator = 監管人員
position-trainer = 培訓師
position-technician = 技術員

## Steps
step-activate-tumbler = 啓動搖骰
step-report-tumbles = 報告搖骰次數
step-call-bets = 開放下注
step-close-bets = 停止下注
step-press-deal = 按下開局鍵
step-uncover = 開盅
step-confirm-flat = 三骰平放
step-key-dice = 輸入骰子點數
step-clear-keys = 清除輸入
step-read-second = 第二次讀骰
step-confirm-result = 確認結果
step-report-lights = 中獎區已亮燈
step-take-and-pay = 收注賠付完成
step-declare-void = 宣佈作廢
step-rule-void = 裁決作廢
step-hold = 暫停本局待裁決
step-confirm-interruption = 處理中斷
step-rule = 作出裁決
step-resolve-readings = 核定讀數
step-report-damage = 骰子損壞
step-find-dice-sound = 骰子檢查完好
step-change-dice = 更換骰子
step-announce-last-round = 宣佈最後一局
step-suspend = 暫停遊戲
step-resume = 恢復遊戲
step-close-table = 關桌

## What a decision is about
question-interrupted = 本局曾中斷
question-dice-not-in-place = 骰子已不在原位
question-readings-disagree = 兩次讀數不一致
question-uncovered = 規則未涵蓋的情況
question-terminal-open-case = 某終端可能未顯示停注
question-bet-status = 投注是否有效
question-device-failure = 設備故障
question-damaged-round = 骰子損壞：主管是否已查看？
question-affected-rounds = 損壞的骰子影響了之前哪些局？

## Matters that somebody decides
matter-uncovered = 規則未涵蓋的情況
matter-interpretation = 規則的解釋
matter-affected-rounds = 損壞骰子影響哪些局
matter-bet-status = 投注是否有效
matter-resume-after-device-failure = 設備故障後恢復遊戲
matter-dispute-first = 初次處理爭議
matter-dispute-escalated = 未解決的爭議

## What rule books say
fact-form-electronic = 在終端下注，由荷官操作搖骰。
fact-form-table = 在賭桌上以籌碼下注。
fact-cover-covered = 停注前骰子蓋在骰盅內。
fact-cover-open = 骰子始終可見。
fact-tumble-window-any = 可在下注前、下注中或下注後搖骰。
fact-tumble-window-before-open = 開放下注前搖骰。
fact-tumble-window-before-close = 停注前搖骰。
fact-tumble-window-after-close = 停注後才搖骰。
fact-minimum-tumbles-3 = 至少搖骰三次。
fact-closes-terminal-display = 終端顯示停止下注即為停注。
fact-closes-announcement = 荷官宣佈即為停注。
fact-positions-at-close = 以停注時的投注位置為準。
fact-positions-at-uncovering = 以開盅時的籌碼位置為準。
fact-flat-check-true = 三顆骰子均平放才有效。
fact-round-ends-all-settled = 所有投注結算後本局結束。
fact-round-ends-announced-and-paid = 宣佈結果並賠付後本局結束。
fact-round-ends-determined-and-paid = 結果確定並賠付後本局結束。
fact-round-ends-displayed-and-settled = 顯示結果並結算後本局結束。
fact-outcome-established-conclude = 中斷時結果已確定：完成本局。
fact-outcome-established-finish-by-dice-then-suspend = 中斷時骰子可讀：依骰子完成本局，隨後暫停。
fact-no-outcome-void = 中斷時無結果：本局作廢。
fact-no-outcome-finish-by-dice-then-suspend = 設備故障：儘可能依骰子完成本局，隨後暫停直至批准。
fact-terminal-registered-settled = 終端故障：停注前已登記的投注照常結算。
fact-terminal-unregistered-returned = 終端故障：未登記的投注退還。
fact-terminal-unregistered-not-participated = 終端故障：未登記者視為未參與本局。
fact-late-placement-refused = 停注後的投注不予接受。
fact-late-placement-dealer-decides = 停注後的投注：由荷官按位置裁定。
fact-late-increase-refused = 停注後追加不予接受。
fact-late-increase-increase-refused = 停注後追加：僅追加部分不予接受。
fact-late-increase-dealer-decides = 停注後追加：由荷官按位置裁定。
fact-late-withdrawal-refused = 停注後不可收回投注。
fact-late-withdrawal-bet-stands = 停注後取走的投注仍計輸贏。
fact-late-withdrawal-dealer-decides = 停注後取走：由荷官按位置裁定。
fact-wrong-result-settle-by-dice = 結果登記有誤：以骰子為準重新結算。
fact-wrong-result-settle-by-dice-if-conducted = 結果登記有誤：若本局依規則進行，以骰子為準。
fact-wrong-display-settle-by-dice = 結果顯示有誤：以骰子為準。
fact-wrong-display-settle-by-dice-if-conducted = 結果顯示有誤：若本局依規則進行，以骰子為準。
