## Words everywhere
big = 大
small = 小
odd = 单
even = 双
triple = 围骰
bead-big = 大
bead-small = 小
bead-triple = 围
bead-odd = 单
bead-even = 双
void = 作废
close = 关闭
back = 退格
language = 语言
limits = 限红
limits-every-bet = 所有投注
limits-other-bets = 其他投注
also-known-as = 又名 { $name }
order = 流程
rule-book = 规则
rules = 规则
section = 投注区
chance = 胜率
edge = 庄家优势
round-n = 第 { $round } 局
round-void = 本局作废
round-n-void = 第 { $round } 局作废
all-bets-returned = 所有投注全数退还
time-left = 剩余下注时间
to-lobby = 返回大厅
try-again = 重试
nowhere = 找不到页面
connecting = 正在连接……
connected = 已连接
not-connected = 未连接
connection-lost = 连接中断，正在重新连接。
house-unreachable = 无法连接到系统，正在重试……
terminal = 投注终端
console = 荷官台
wall = 显示屏
try-it = 试玩
reason = 理由
version = 版本 { $version }
version-lost = 版本不详
effective = 自 { $date } 起生效
or-above = { $position }或以上
or-above-short = 或以上

## The order of play in one line
order-before-bets = 先摇骰，后下注
order-during-bets = 下注期间摇骰
order-after-close = 先停止下注，后摇骰

## Where play stands
phase-closed = 本桌已关闭
phase-suspended = 暂停游戏
phase-held = 暂停，等待裁决
phase-idle = 等待下一局
phase-prepared = 正在摇骰，稍后下注
phase-betting = 请下注
phase-closing = 停止下注
phase-awaiting = 等待开盅
phase-result = 开骰结果

## Notices of the house
notice-last-round = 本桌关闭前的最后一局。
notice-suspended = 本桌暂停游戏。
notice-closed = 本桌已关闭。
notice-held = 本局暂停，等待裁决。
notice-round-lost = 本局将宣布作废。
notice-limits-change = 下一局起限红更改。
notice-rule-book-changes = 下一局起规则更改。
notice-corrected = 第 { $round } 局结果更正为 { $dice }。

## Results
result-words = { $dice }，{ $total } 点，{ $side }，{ $parity }
result-side = { $dice }，{ $total } 点，{ $side }
outcomes-note = 仅供参考，以桌上骰子为准。
trend-note = 仅供参考，以骰子实际结果为准。每局结果各自独立。
result-triple = { $dice }，{ $total } 点，围骰
strip-last = 上局结果
strip-none = 尚无结果
strip-void = 上一局作废
strip-result = 开骰结果
strip-tumbling = 正在摇骰
strip-invalid = 仅摇骰 { $count } 次，次数不足
strip-before = 尚未摇骰
strip-covered = 已摇骰，未开盅
strip-reading = 正在读取点数
strip-count = 已摇 { $count } 次，至少 { $minimum } 次

## Sections
section-small = 小
section-big = 大
section-odd = 单
section-even = 双
section-any-triple = 全围
section-triple = 围骰 { $a }
section-double = 对子 { $a }
section-total = { $a } 点
section-pair = 牌九式 { $a }-{ $b }
section-single = 三军 { $a }
section-four = 四选三 { $numbers }
section-three-single = 三骰 { $numbers }
section-double-single = 对子 { $a } 加单骰 { $b }
one-wins = 1 赔 { $odds }
ways = 216 种中有 { $ways } 种
would-win = 可赢 { $amount }
layout-of = 投注台面：{ $title }

## The card of a section
about-section = 投注说明
card-odds = 赔率
card-on-one = 中一骰
card-on-two = 中两骰
card-on-three = 中三骰
card-for-stake = 以 { $amount } 计算赢额，另退本金。
on-a-triple = 开围骰时
triple-loses = 开任何围骰皆输
triple-wins = 开围骰也可能赢
triple-total = 总点数相符的围骰也算赢
triple-needed = 只有开围骰才赢

## The card of a settlement
card-title = 您的第 { $round } 局
card-corrected = 结果已更正，以下为重新结算。
card-voided-later = 该局事后宣布作废。
line-won = { $stake }，赔率 { $odds }，赢 { $profit }，另退本金
line-lost = 输 { $stake }
line-returned = 退还本金
card-staked = 投注
card-returned = 派彩
card-net = 输赢
card-code = 核验码

## Settings
settings = 设置
sound = 声音
sound-on = 开启声音
sound-off = 静音
speech-on = 语音报点
volume = 音量
look = 显示
mirror = 左右翻转台面
high-contrast = 高对比度
calm = 减少动画

## Log-in
log-in = 登录
log-out = 退出
name = 姓名
pin = 密码
pin-old = 现有密码
pin-new = 新密码
pin-change = 更改密码
change-pin-first = { $name }，请先更改一次性密码。
code = 验证码
code-asked = 请同时输入身份验证器上的六位验证码。
factor-first = { $name }，您的职位登录时还需要身份验证器的验证码。请输入密码进行设置。
factor-begin = 设置
factor-enter = 请在身份验证器应用中输入此密钥，然后输入其显示的验证码。密钥只显示一次。
factor-open = 在身份验证器中打开
factor-confirm = 确认
pin-again = 需要输入密码
pin-again-why = { $name }，即将动用资金，请再次输入您的密码。
go-on = 继续
wait-to-log-in = 失败次数过多，请在 { $seconds } 秒后再试。
try-again-now = 现在可以再试。
try-as = 以下列身份试用
