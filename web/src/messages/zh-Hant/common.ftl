## Words everywhere
big = 大
small = 小
odd = 單
even = 雙
triple = 圍骰
bead-big = 大
bead-small = 小
bead-triple = 圍
bead-odd = 單
bead-even = 雙
void = 作廢
close = 關閉
back = 退格
language = 語言
limits = 限紅
limits-every-bet = 所有投注
limits-other-bets = 其他投注
also-known-as = 又名 { $name }
order = 流程
rule-book = 規則
rules = 規則
section = 投注區
chance = 勝率
edge = 莊家優勢
round-n = 第 { $round } 局
round-void = 本局作廢
round-n-void = 第 { $round } 局作廢
all-bets-returned = 所有投注全數退還
time-left = 剩餘下注時間
to-lobby = 返回大廳
try-again = 重試
nowhere = 找不到頁面
connecting = 正在連線……
connected = 已連線
not-connected = 未連線
connection-lost = 連線中斷，正在重新連線。
house-unreachable = 無法連線到系統，正在重試……
terminal = 投注終端
console = 荷官台
wall = 顯示屏
try-it = 試玩
reason = 理由
version = 版本 { $version }
version-lost = 版本不詳
effective = 自 { $date } 起生效
or-above = { $position }或以上
or-above-short = 或以上

## The order of play in one line
order-before-bets = 先搖骰，後下注
order-during-bets = 下注期間搖骰
order-after-close = 先停止下注，後搖骰

## Where play stands
phase-closed = 本桌已關閉
phase-suspended = 暫停遊戲
phase-held = 暫停，等待裁決
phase-idle = 等待下一局
phase-prepared = 正在搖骰，稍後下注
phase-betting = 請下注
phase-closing = 停止下注
phase-awaiting = 等待開盅
phase-result = 開骰結果

## Notices of the house
notice-last-round = 本桌關閉前的最後一局。
notice-suspended = 本桌暫停遊戲。
notice-closed = 本桌已關閉。
notice-held = 本局暫停，等待裁決。
notice-round-lost = 本局將宣佈作廢。
notice-limits-change = 下一局起限紅更改。
notice-rule-book-changes = 下一局起規則更改。
notice-corrected = 第 { $round } 局結果更正為 { $dice }。

## Results
result-words = { $dice }，{ $total } 點，{ $side }，{ $parity }
result-side = { $dice }，{ $total } 點，{ $side }
outcomes-note = 僅供參考，以桌上骰子為準。
trend-note = 僅供參考，以骰子實際結果為準。每局結果各自獨立。
result-triple = { $dice }，{ $total } 點，圍骰
strip-last = 上局結果
strip-none = 尚無結果
strip-void = 上一局作廢
strip-result = 開骰結果
strip-tumbling = 正在搖骰
strip-invalid = 僅搖骰 { $count } 次，次數不足
strip-before = 尚未搖骰
strip-covered = 已搖骰，未開盅
strip-reading = 正在讀取點數
strip-count = 已搖 { $count } 次，至少 { $minimum } 次

## Sections
section-small = 小
section-big = 大
section-odd = 單
section-even = 雙
section-any-triple = 全圍
section-triple = 圍骰 { $a }
section-double = 對子 { $a }
section-total = { $a } 點
section-pair = 牌九式 { $a }-{ $b }
section-single = 三軍 { $a }
section-four = 四選三 { $numbers }
section-three-single = 三骰 { $numbers }
section-double-single = 對子 { $a } 加單骰 { $b }
one-wins = 1 賠 { $odds }
ways = 216 種中有 { $ways } 種
would-win = 可贏 { $amount }
layout-of = 投注枱面：{ $title }

## The card of a section
about-section = 投注說明
card-odds = 賠率
card-on-one = 中一骰
card-on-two = 中兩骰
card-on-three = 中三骰
card-for-stake = 以 { $amount } 計算贏額，另退本金。
on-a-triple = 開圍骰時
triple-loses = 開任何圍骰皆輸
triple-wins = 開圍骰也可能贏
triple-total = 總點數相符的圍骰也算贏
triple-needed = 只有開圍骰才贏

## The card of a settlement
card-title = 您的第 { $round } 局
card-corrected = 結果已更正，以下為重新結算。
card-voided-later = 該局事後宣佈作廢。
line-won = { $stake }，賠率 { $odds }，贏 { $profit }，另退本金
line-lost = 輸 { $stake }
line-returned = 退還本金
card-staked = 投注
card-returned = 派彩
card-net = 輸贏
card-code = 核驗碼

## Settings
settings = 設定
sound = 聲音
sound-on = 開啟聲音
sound-off = 靜音
speech-on = 語音報點
volume = 音量
look = 顯示
mirror = 左右翻轉枱面
high-contrast = 高對比度
calm = 減少動畫

## Log-in
log-in = 登入
log-out = 登出
name = 姓名
pin = 密碼
pin-old = 現有密碼
pin-new = 新密碼
pin-change = 更改密碼
change-pin-first = { $name }，請先更改一次性密碼。
code = 驗證碼
code-asked = 請同時輸入身份驗證器上的六位驗證碼。
factor-first = { $name }，您的職位登入時還需要身份驗證器的驗證碼。請輸入密碼進行設定。
factor-begin = 設定
factor-enter = 請在身份驗證器應用程式中輸入此密鑰，然後輸入其顯示的驗證碼。密鑰只顯示一次。
factor-open = 在身份驗證器中開啟
factor-confirm = 確認
pin-again = 需要輸入密碼
pin-again-why = { $name }，即將動用資金，請再次輸入您的密碼。
go-on = 繼續
wait-to-log-in = 失敗次數過多，請在 { $seconds } 秒後再試。
try-again-now = 現在可以再試。
try-as = 以下列身份試用
