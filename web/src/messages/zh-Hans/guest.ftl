## 供宾客：大厅、选择座位、用手机跟看、玩法介绍
guest-new = 第一次来？每个座位都有一分钟玩法介绍。
guest-playing = { $n ->
    [0] 暂无人在玩
   *[other] { $n } 人在玩
}
guest-free = { $n ->
    [0] 已满座
   *[other] 空位 { $n } 个
}
guest-full = 座位已满。您可以观看本桌，或到其他桌入座。
guest-chips = 在赌桌上用筹码下注
guest-follow = 查看本桌实况
guest-watch = 观看
guest-bets-from = 投注 { $amount } 起
guest-stopped = 暂停服务
guest-try = 各画面并排查看
guest-staff = 员工入口
choose-title = 选择赔率表
choose-line = 本桌各终端的赔率不尽相同。您选的赔率表会显示在屏幕上方。
choose-take = 在此入座
choose-differs = 本桌其他终端赔率不同
pay-table = 赔率表
companion-chips = 本桌用筹码投注。请到赌桌就座下注；您可在此查看实况。
companion-terminals = 请在本桌的终端投注；您可在此查看实况。
companion-call = 请工作人员到我的座位
companion-seat = { $name } 号座
companion-called = 已请工作人员到 { $name } 号座。
visit-ended = 您离开了一段时间，终端已转给下一位宾客。您的余额已打印成票券。
visit-again = 另选座位

## 玩法介绍
tour = 一分钟玩法介绍
tour-step = 第 { $n } 步，共 { $all } 步
tour-next = 下一步
tour-done = 开始游戏
tour-skip = 跳过
tour-dice = 三颗骰子，一局定胜负
tour-dice-text = 每局摇三颗骰子，您猜的是开出的点数。这里是 { $dice }：总和 { $total } 点。
tour-side = 最简单的投注
tour-side-text = 总和 11 至 17 点“大”赢，4 至 10 点“小”赢。三颗骰子相同时，大小都输。
tour-odds = 各格的赔率
tour-odds-text = { $spot } 写着 { $odds }。投注 { $stake } 可赢 { $win }，本金 { $stake } 也退还。
tour-chips = 如何下注
tour-chips-text = 先在下方选筹码，再点一格。再点一次可加注；长按可收回筹码。
tour-time = 下注时间
tour-time-text = 上方圆环显示剩余秒数。出现“{ $closed }”后，投注不能再更改。
tour-result = 开出结果
tour-result-text = 赢的格子会亮起，并有卡片列出输赢。随时可打开“{ $money }”兑现。

## 读屏提示
tell-credit = 余额 { $credit }。
tell-bets = 您的投注 { $bets }。余额 { $credit }。
tell-void = 本局作废。您的投注 { $amount } 已退还。余额 { $credit }。

## History
history-moved = 局中存入或兑现 { $amount }
history-wrong = 有问题？

## The camera over a table
camera-live = 现场画面
camera-test = 测试画面
camera-show = 显示现场画面
camera-hide = 隐藏
camera-waiting = 正在连接现场画面……
camera-lost = 现场画面暂不可用
camera-note = 画面仅供观看，并延迟数秒；结果以娱乐场公布为准。
