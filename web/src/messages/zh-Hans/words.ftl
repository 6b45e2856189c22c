## Kinds of bets
kind-small = 小
kind-big = 大
kind-odd = 单
kind-even = 双
kind-any-triple = 全围
kind-triple = 围骰
kind-double = 对子
kind-total = 点数
kind-pair = 牌九式
kind-single = 三军
kind-four = 四选三
kind-three-single = 三骰组合
kind-double-single = 对子加单骰

## Causes for which a round is void
on-the-ground = 依据 { $rule }
cause-too-few-tumbles = 摇骰次数不足
cause-die-not-flat = 有骰子未平放
cause-dice-exposed-early = 停注前骰子外露
cause-tumbler-activated-early = 停注前启动摇骰
cause-dice-damaged = 骰子损坏
cause-dice-broken = 骰子破裂
cause-dome-broken = 骰盅罩破裂
cause-technical-interruption = 技术中断，未产生结果

## Positions
position-dealer = 荷官
position-pit-supervisor = 监场主任
position-pit-manager = 场区经理
position-shift-manager = 值班经理
position-director = 桌面博彩总监
position-head-of-operations = 营运主管
position-surveillance = 监控部
position-cashier = 账房出纳
position-auditor = 审计员
position-regulator = 监管人员
position-trainer = 培训师
position-technician = 技术员

## Steps
step-activate-tumbler = 启动摇骰
step-report-tumbles = 报告摇骰次数
step-call-bets = 开放下注
step-close-bets = 停止下注
step-press-deal = 按下开局键
step-uncover = 开盅
step-confirm-flat = 三骰平放
step-key-dice = 输入骰子点数
step-clear-keys = 清除输入
step-read-second = 第二次读骰
step-confirm-result = 确认结果
step-report-lights = 中奖区已亮灯
step-take-and-pay = 收注赔付完成
step-declare-void = 宣布作废
step-rule-void = 裁决作废
step-hold = 暂停本局待裁决
step-confirm-interruption = 处理中断
step-rule = 作出裁决
step-resolve-readings = 核定读数
step-report-damage = 骰子损坏
step-find-dice-sound = 骰子检查完好
step-change-dice = 更换骰子
step-announce-last-round = 宣布最后一局
step-suspend = 暂停游戏
step-resume = 恢复游戏
step-close-table = 关桌

## What a decision is about
question-interrupted = 本局曾中断
question-dice-not-in-place = 骰子已不在原位
question-readings-disagree = 两次读数不一致
question-uncovered = 规则未涵盖的情况
question-terminal-open-case = 某终端可能未显示停注
question-bet-status = 投注是否有效
question-device-failure = 设备故障
question-damaged-round = 骰子损坏：主管是否已查看？
question-affected-rounds = 损坏的骰子影响了之前哪些局？

## Matters that somebody decides
matter-uncovered = 规则未涵盖的情况
matter-interpretation = 规则的解释
matter-affected-rounds = 损坏骰子影响哪些局
matter-bet-status = 投注是否有效
matter-resume-after-device-failure = 设备故障后恢复游戏
matter-dispute-first = 初次处理争议
matter-dispute-escalated = 未解决的争议

## What rule books say
fact-form-electronic = 在终端下注，由荷官操作摇骰。
fact-form-table = 在赌桌上以筹码下注。
fact-cover-covered = 停注前骰子盖在骰盅内。
fact-cover-open = 骰子始终可见。
fact-tumble-window-any = 可在下注前、下注中或下注后摇骰。
fact-tumble-window-before-open = 开放下注前摇骰。
fact-tumble-window-before-close = 停注前摇骰。
fact-tumble-window-after-close = 停注后才摇骰。
fact-minimum-tumbles-3 = 至少摇骰三次。
fact-closes-terminal-display = 终端显示停止下注即为停注。
fact-closes-announcement = 荷官宣布即为停注。
fact-positions-at-close = 以停注时的投注位置为准。
fact-positions-at-uncovering = 以开盅时的筹码位置为准。
fact-flat-check-true = 三颗骰子均平放才有效。
fact-round-ends-all-settled = 所有投注结算后本局结束。
fact-round-ends-announced-and-paid = 宣布结果并赔付后本局结束。
fact-round-ends-determined-and-paid = 结果确定并赔付后本局结束。
fact-round-ends-displayed-and-settled = 显示结果并结算后本局结束。
fact-outcome-established-conclude = 中断时结果已确定：完成本局。
fact-outcome-established-finish-by-dice-then-suspend = 中断时骰子可读：依骰子完成本局，随后暂停。
fact-no-outcome-void = 中断时无结果：本局作废。
fact-no-outcome-finish-by-dice-then-suspend = 设备故障：尽可能依骰子完成本局，随后暂停直至批准。
fact-terminal-registered-settled = 终端故障：停注前已登记的投注照常结算。
fact-terminal-unregistered-returned = 终端故障：未登记的投注退还。
fact-terminal-unregistered-not-participated = 终端故障：未登记者视为未参与本局。
fact-late-placement-refused = 停注后的投注不予接受。
fact-late-placement-dealer-decides = 停注后的投注：由荷官按位置裁定。
fact-late-increase-refused = 停注后追加不予接受。
fact-late-increase-increase-refused = 停注后追加：仅追加部分不予接受。
fact-late-increase-dealer-decides = 停注后追加：由荷官按位置裁定。
fact-late-withdrawal-refused = 停注后不可收回投注。
fact-late-withdrawal-bet-stands = 停注后取走的投注仍计输赢。
fact-late-withdrawal-dealer-decides = 停注后取走：由荷官按位置裁定。
fact-wrong-result-settle-by-dice = 结果登记有误：以骰子为准重新结算。
fact-wrong-result-settle-by-dice-if-conducted = 结果登记有误：若本局依规则进行，以骰子为准。
fact-wrong-display-settle-by-dice = 结果显示有误：以骰子为准。
fact-wrong-display-settle-by-dice-if-conducted = 结果显示有误：若本局依规则进行，以骰子为准。
