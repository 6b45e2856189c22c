## The pit
pit = 管理台
cashier = 收银
technician = 技术
screens = 屏幕
not-your-screen = { $name }（{ $position }）不使用此屏幕。
pit-board = 所有赌桌
what-waits = 等待决定
nothing-waits = 没有待办事项。
table = 赌桌
col-phase = 进行状态
col-dealer = 荷官
col-handle = 投注总额
col-win = 赢额
col-theo = 理论赢额
col-exposure = 最大风险
col-open = 待处理
col-voids = 无效局
nobody-deals = 无人
lasting = { $hours } 小时 { $minutes } 分
n-wait = { $count } 项待决
n-reports = { $count } 项报告
dice-condemned = 更换骰子
board-note = 投注总额和赢额自赌桌设立起计；理论赢额、无效率和报告自程序启动起计。

## Decisions
rule = 规则
by-default = 默认
player = 玩家
if-as-they-lie = 按筹码现位
confirm-void = 确认：本局无效
read-the-dice = 请按您看到的骰子输入。第二人也要输入。
propose = 提交第二人确认
approve-resume = 批准恢复游戏
waits-for-second = 等待第二人
lapses-in = { $minutes }:{ $seconds } 后失效
first-person = 第一人
rounds = { $count } 局
amount = 金额
withdraw = 撤回

## What an amendment does
effect-was = 原已返还
effect-is = 现应返还
effect-net = 差额
effect-credited = 立即支付
effect-unclaimed = 为离开者保留
effect-recoverable = 多付
player-left = 已离开
nobody-took-part = 无人参与。
all-together = 合计
round-by-round = 逐局

## Amendments
amend = 更正
amended = 已更正
steps = 步骤
step-round = 选局
step-dice = 骰子
step-affected = 受影响的局
step-effects = 影响
step-second = 第二人
step-done = 完成
wrong-result = 结果有误
which-round = 哪一局登记有误？
no-rounds = 没有这样的局。
result-registered = 登记的结果
result-now = 现在的结果
wrong-result-now = 骰子仍在原位：请读取。第二人独立读取。
wrong-result-later = 之后的局已开始：从录像读取骰子。之后的局不受影响。
dice-as-they-are = 骰子实际点数
evidence = 证据
evidence-hint = 骰子在原位，或摄像机与时间
wait-for-second-dice = 已提交。第二人在其他设备登录后，按所见输入骰子。
wait-for-second = 已提交。由在其他设备登录的第二人确认。
proposal-gone = 提议已撤回或失效。未作任何更改。
result-was-corrected = 第 { $round } 局的结果现为 { $dice }。
now-recover-or-waive = 多付 { $amount }：之后请追回或豁免。
was-before = 原为：{ $result }
damaged-dice = 骰子损坏
which-affected = 使用骰子 { $set } 的局，自第 { $round } 局起。哪些受影响？
damage-hint = 损坏情况，以及为何是这些局
show-effects = 显示影响
rounds-are-void = 现已无效：{ $rounds }。已通知玩家。
dice-must-change = 下一局前必须更换骰子。

## Money owed either way
overpayments = 多付款项
unclaimed = 未领款项
recover-or-waive = 追回或豁免
recover = 追回
waive = 豁免
pay-unclaimed = 支付
never-below-zero = 只能从可用余额中扣除；余额不会低于零。
recovery-law = 新加坡《博彩行为条例》第 15(4) 条：仅在以下情况可追回彩金
recovery-informed = 事先已向玩家清楚说明何种情况
recovery-means = 以及以何种方式追回
recovery-not-force-majeure = 原因并非不可抗力
adjust = 调整款项
adjust-note = 依裁定在一个席位增减款项。需两人。
adjust-takes = 从玩家扣除

## The table
change-limits = 更改限额
from-next-round = 自下一局起生效。
minimum = 最低
maximum = 最高
limit-step = 以 { $step } 递增
station-maximum = 每席每局最高
exposure-maximum = 每局赌场最大风险
acting = 代理职位
nobody-acts = 此桌无人代理其他职位。
acts-as = 代理 { $position }
acts-in = 代理职位
assign-acting = 指派
end-acting = 结束
person = 人员
ended-rounds = 已结束的局
reports-made = 此桌报告
money-drop = 现金收入
money-credit = 可用余额
money-vouchers = 未兑凭证
money-chips = 流通筹码

## Acts that take two persons
act-correct-result = 更正错误结果
act-void-rounds = 将受影响的局作废
act-resolve-readings = 裁定两次读数不符
act-confirm-interruption = 处理中断
act-rule = 作出裁定
act-rule-void = 裁定无效
act-declare-void = 宣布无效
act-adjust = 调整款项
act-hand-pay = 人工支付
act-change-dice = 更换骰子
act-move-chips = 移动筹码
