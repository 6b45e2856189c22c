## Kinds of bets
kind-small = Xỉu
kind-big = Tài
kind-odd = Lẻ
kind-even = Chẵn
kind-any-triple = Bộ ba bất kỳ
kind-triple = Bộ ba đồng nhất cụ thể
kind-double = Bộ đôi đồng nhất cụ thể
kind-total = Cược tổng
kind-pair = Cặp số
kind-single = Cược số
kind-four = Ba trong bốn số
kind-three-single = Ba số
kind-double-single = Đôi và một số

## Causes for which a round is void
on-the-ground = căn cứ { $rule }
cause-too-few-tumbles = Lắc không đủ số lần
cause-die-not-flat = Có xúc xắc không nằm phẳng
cause-dice-exposed-early = Xúc xắc bị lộ trước khi ngừng cược
cause-tumbler-activated-early = Máy lắc chạy trước khi ngừng cược
cause-dice-damaged = Xúc xắc hư hỏng
cause-dice-broken = Xúc xắc bị vỡ
cause-dome-broken = Vòm bị vỡ
cause-technical-interruption = Gián đoạn kỹ thuật, không có kết quả

## Positions
position-dealer = Nhân viên điều hành trò chơi
position-pit-supervisor = Giám sát Pit
position-pit-manager = Quản lý Pit
position-shift-manager = Quản lý ca
position-director = Giám đốc bàn trò chơi
position-head-of-operations = Trưởng phòng điều hành
position-surveillance = Bộ phận giám sát
position-cashier = Thu ngân
position-auditor = Kiểm toán viên
position-regulator = Cơ quan quản lý
position-trainer = Người đào tạo
position-technician = Kỹ thuật viên

## Steps
step-activate-tumbler = Khởi động máy lắc
step-report-tumbles = Báo số lần lắc
step-call-bets = Mời đặt cược
step-close-bets = Không đặt cược thêm
step-press-deal = Nhấn nút bắt đầu
step-uncover = Mở nắp
step-confirm-flat = Cả ba nằm phẳng
step-key-dice = Nhập xúc xắc
step-clear-keys = Xóa phím
step-read-second = Đọc lần hai
step-confirm-result = Xác nhận kết quả
step-report-lights = Các ô thắng đã sáng
step-take-and-pay = Đã thu và trả
step-declare-void = Tuyên vô hiệu
step-rule-void = Vô hiệu theo quyết định
step-hold = Giữ ván chờ quyết định
step-confirm-interruption = Xử lý gián đoạn
step-rule = Ra quyết định
step-resolve-readings = Thống nhất kết quả đọc
step-report-damage = Xúc xắc hư hỏng
step-find-dice-sound = Xúc xắc còn tốt
step-change-dice = Thay xúc xắc
step-announce-last-round = Thông báo ván cuối
step-suspend = Tạm dừng
step-resume = Tiếp tục
step-close-table = Đóng bàn

## What a decision is about
question-interrupted = Ván bị gián đoạn
question-dice-not-in-place = Xúc xắc không còn ở chỗ cũ
question-readings-disagree = Hai lần đọc không khớp
question-uncovered = Việc luật không quy định
question-terminal-open-case = Máy có thể chưa hiển thị ngừng cược
question-bet-status = Khoản cược có hiệu lực không
question-device-failure = Thiết bị hỏng
question-damaged-round = Xúc xắc hư hỏng: giám sát đã xem chưa?
question-affected-rounds = Những ván trước nào bị ảnh hưởng bởi xúc xắc hư hỏng?

## Matters that somebody decides
matter-uncovered = Việc luật không quy định
matter-interpretation = Diễn giải luật
matter-affected-rounds = Ván nào bị ảnh hưởng bởi xúc xắc hỏng
matter-bet-status = Khoản cược có hiệu lực không
matter-resume-after-device-failure = Tiếp tục sau khi thiết bị hỏng
matter-dispute-first = Khiếu nại ban đầu
matter-dispute-escalated = Khiếu nại chưa giải quyết

## What rule books say
fact-form-electronic = Đặt cược tại máy; nhân viên điều khiển máy lắc.
fact-form-table = Đặt cược bằng phỉnh trên bàn.
fact-cover-covered = Xúc xắc được đậy nắp cho đến khi ngừng cược.
fact-cover-open = Luôn nhìn thấy xúc xắc.
fact-tumble-window-any = Có thể lắc trước, trong hoặc sau khi đặt cược.
fact-tumble-window-before-open = Lắc trước khi mời đặt cược.
fact-tumble-window-before-close = Lắc trước khi ngừng cược.
fact-tumble-window-after-close = Chỉ lắc sau khi ngừng cược.
fact-minimum-tumbles-3 = Phải lắc ít nhất ba lần.
fact-closes-terminal-display = Ngừng cược khi máy hiển thị.
fact-closes-announcement = Ngừng cược khi nhân viên tuyên bố.
fact-positions-at-close = Cược tính theo vị trí lúc ngừng cược.
fact-positions-at-uncovering = Phỉnh tính theo vị trí lúc mở nắp.
fact-flat-check-true = Xúc xắc chỉ tính khi cả ba nằm phẳng.
fact-round-ends-all-settled = Ván kết thúc khi mọi khoản cược được thanh toán.
fact-round-ends-announced-and-paid = Ván kết thúc khi công bố kết quả và trả thưởng.
fact-round-ends-determined-and-paid = Ván kết thúc khi xác định kết quả và trả thưởng.
fact-round-ends-displayed-and-settled = Ván kết thúc khi hiển thị kết quả và thanh toán.
fact-outcome-established-conclude = Gián đoạn khi đã có kết quả: ván được kết thúc.
fact-outcome-established-finish-by-dice-then-suspend = Gián đoạn khi đọc được xúc xắc: kết thúc ván theo xúc xắc, sau đó tạm dừng.
fact-no-outcome-void = Gián đoạn khi chưa có kết quả: ván vô hiệu.
fact-no-outcome-finish-by-dice-then-suspend = Thiết bị hỏng: kết thúc ván theo xúc xắc nếu có thể, rồi tạm dừng đến khi được duyệt.
fact-terminal-registered-settled = Máy hỏng: cược đã ghi nhận trước khi ngừng được thanh toán.
fact-terminal-unregistered-returned = Máy hỏng: cược chưa ghi nhận được hoàn trả.
fact-terminal-unregistered-not-participated = Máy hỏng: không có cược ghi nhận nghĩa là không tham gia.
fact-late-placement-refused = Cược sau khi ngừng bị từ chối.
fact-late-placement-dealer-decides = Cược sau khi ngừng: nhân viên quyết định theo vị trí.
fact-late-increase-refused = Tăng cược sau khi ngừng bị từ chối.
fact-late-increase-increase-refused = Tăng cược sau khi ngừng: chỉ phần tăng thêm bị từ chối.
fact-late-increase-dealer-decides = Tăng cược sau khi ngừng: nhân viên quyết định theo vị trí.
fact-late-withdrawal-refused = Không thể rút cược sau khi ngừng.
fact-late-withdrawal-bet-stands = Cược rút sau khi ngừng vẫn tính thắng thua.
fact-late-withdrawal-dealer-decides = Rút cược sau khi ngừng: nhân viên quyết định theo vị trí.
fact-wrong-result-settle-by-dice = Ghi sai kết quả: xúc xắc là căn cứ, thanh toán lại.
fact-wrong-result-settle-by-dice-if-conducted = Ghi sai kết quả: xúc xắc là căn cứ nếu ván đúng luật.
fact-wrong-display-settle-by-dice = Hiển thị sai kết quả: xúc xắc là căn cứ.
fact-wrong-display-settle-by-dice-if-conducted = Hiển thị sai kết quả: xúc xắc là căn cứ nếu ván đúng luật.
