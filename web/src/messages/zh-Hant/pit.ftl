## The pit
pit = 管理台
cashier = 收銀
technician = 技術
screens = 畫面
not-your-screen = { $name }（{ $position }）不使用此畫面。
pit-board = 所有賭桌
what-waits = 等待決定
nothing-waits = 沒有待辦事項。
table = 賭桌
col-phase = 進行狀態
col-dealer = 荷官
col-handle = 投注總額
col-win = 贏額
col-theo = 理論贏額
col-exposure = 最大風險
col-open = 待處理
col-voids = 無效局
nobody-deals = 無人
lasting = { $hours } 小時 { $minutes } 分
n-wait = { $count } 項待決
n-reports = { $count } 項報告
dice-condemned = 更換骰子
board-note = 投注總額和贏額自賭桌設立起計；理論贏額、無效率和報告自程式啟動起計。

## Decisions
rule = 規則
by-default = 預設
player = 玩家
if-as-they-lie = 按籌碼現位
confirm-void = 確認：本局無效
read-the-dice = 請按您看到的骰子輸入。第二人也要輸入。
propose = 提交第二人確認
approve-resume = 批准恢復遊戲
waits-for-second = 等待第二人
lapses-in = { $minutes }:{ $seconds } 後失效
first-person = 第一人
rounds = { $count } 局
amount = 金額
withdraw = 撤回

## What an amendment does
effect-was = 原已返還
effect-is = 現應返還
effect-net = 差額
effect-credited = 立即支付
effect-unclaimed = 為離開者保留
effect-recoverable = 多付
player-left = 已離開
nobody-took-part = 無人參與。
all-together = 合計
round-by-round = 逐局

## Amendments
amend = 更正
amended = 已更正
steps = 步驟
step-round = 選局
step-dice = 骰子
step-affected = 受影響的局
step-effects = 影響
step-second = 第二人
step-done = 完成
wrong-result = 結果有誤
which-round = 哪一局登記有誤？
no-rounds = 沒有這樣的局。
result-registered = 登記的結果
result-now = 現在的結果
wrong-result-now = 骰子仍在原位：請讀取。第二人獨立讀取。
wrong-result-later = 之後的局已開始：從錄影讀取骰子。之後的局不受影響。
dice-as-they-are = 骰子實際點數
evidence = 證據
evidence-hint = 骰子在原位，或攝影機與時間
wait-for-second-dice = 已提交。第二人在其他裝置登入後，按所見輸入骰子。
wait-for-second = 已提交。由在其他裝置登入的第二人確認。
proposal-gone = 提議已撤回或失效。未作任何更改。
result-was-corrected = 第 { $round } 局的結果現為 { $dice }。
now-recover-or-waive = 多付 { $amount }：之後請追回或豁免。
was-before = 原為：{ $result }
damaged-dice = 骰子損壞
which-affected = 使用骰子 { $set } 的局，自第 { $round } 局起。哪些受影響？
damage-hint = 損壞情況，以及為何是這些局
show-effects = 顯示影響
rounds-are-void = 現已無效：{ $rounds }。已通知玩家。
dice-must-change = 下一局前必須更換骰子。

## Money owed either way
overpayments = 多付款項
unclaimed = 未領款項
recover-or-waive = 追回或豁免
recover = 追回
waive = 豁免
pay-unclaimed = 支付
never-below-zero = 只能從可用餘額中扣除；餘額不會低於零。
recovery-law = 新加坡《博彩行為條例》第 15(4) 條：僅在以下情況可追回彩金
recovery-informed = 事先已向玩家清楚說明何種情況
recovery-means = 以及以何種方式追回
recovery-not-force-majeure = 原因並非不可抗力
adjust = 調整款項
adjust-note = 依裁定在一個席位增減款項。需兩人。
adjust-takes = 從玩家扣除

## The table
change-limits = 更改限額
from-next-round = 自下一局起生效。
minimum = 最低
maximum = 最高
limit-step = 以 { $step } 遞增
station-maximum = 每席每局最高
exposure-maximum = 每局賭場最大風險
acting = 代理職位
nobody-acts = 此桌無人代理其他職位。
acts-as = 代理 { $position }
acts-in = 代理職位
assign-acting = 指派
end-acting = 結束
person = 人員
ended-rounds = 已結束的局
reports-made = 此桌報告
money-drop = 現金收入
money-credit = 可用餘額
money-vouchers = 未兌憑證
money-chips = 流通籌碼

## Acts that take two persons
act-correct-result = 更正錯誤結果
act-void-rounds = 將受影響的局作廢
act-resolve-readings = 裁定兩次讀數不符
act-confirm-interruption = 處理中斷
act-rule = 作出裁定
act-rule-void = 裁定無效
act-declare-void = 宣布無效
act-adjust = 調整款項
act-hand-pay = 人工支付
act-change-dice = 更換骰子
act-move-chips = 移動籌碼
