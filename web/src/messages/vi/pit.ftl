## The pit
pit = Bàn Pit
cashier = Thu ngân
technician = Kỹ thuật
screens = Các màn hình
not-your-screen = { $name } ({ $position }) không làm việc ở màn hình này.
pit-board = Tất cả các bàn
what-waits = Đang chờ quyết định
nothing-waits = Không có gì đang chờ.
table = Bàn
col-phase = Tình trạng
col-dealer = Người chia bài
col-handle = Tổng cược
col-win = Thắng
col-theo = Thắng lý thuyết
col-exposure = Rủi ro lớn nhất
col-open = Đang mở
col-voids = Ván hủy
nobody-deals = không có ai
lasting = { $hours } giờ { $minutes } phút
n-wait = { $count } đang chờ
n-reports = { $count } báo cáo
dice-condemned = thay xúc xắc
board-note = Tổng cược và thắng tính từ khi lập bàn; thắng lý thuyết, tỷ lệ hủy và báo cáo tính từ khi chương trình khởi động.

## Decisions
rule = Quy tắc
by-default = Mặc định
player = Người chơi
if-as-they-lie = theo vị trí phỉnh
confirm-void = Xác nhận: ván bị hủy
read-the-dice = Nhập xúc xắc như bạn đọc. Người thứ hai cũng nhập.
propose = Đề nghị người thứ hai
approve-resume = Phê duyệt tiếp tục trò chơi
waits-for-second = Đang chờ người thứ hai
lapses-in = hết hạn sau { $minutes }:{ $seconds }
first-person = Người thứ nhất
rounds = { $count } ván
amount = Số tiền
withdraw = Rút lại

## What an amendment does
effect-was = Đã trả
effect-is = Nay trả
effect-net = Chênh lệch
effect-credited = Trả ngay
effect-unclaimed = Giữ cho người đã rời
effect-recoverable = Trả thừa
player-left = đã rời
nobody-took-part = Không ai tham gia.
all-together = Tổng cộng
round-by-round = Từng ván

## Amendments
amend = Chỉnh sửa
amended = đã sửa
steps = Các bước
step-round = Ván
step-dice = Xúc xắc
step-affected = Các ván bị ảnh hưởng
step-effects = Tác động
step-second = Người thứ hai
step-done = Xong
wrong-result = Kết quả sai
which-round = Ván nào bị ghi sai?
no-rounds = Không có ván nào.
result-registered = Kết quả đã ghi
result-now = Kết quả hiện nay
wrong-result-now = Xúc xắc vẫn còn đó: hãy đọc. Người thứ hai đọc độc lập.
wrong-result-later = Ván sau đã bắt đầu: đọc xúc xắc từ camera. Các ván sau không bị ảnh hưởng.
dice-as-they-are = Xúc xắc thực tế
evidence = Bằng chứng
evidence-hint = Xúc xắc tại chỗ, hoặc camera và thời gian
wait-for-second-dice = Đã đề nghị. Người thứ hai, đăng nhập nơi khác, nhập xúc xắc như họ đọc.
wait-for-second = Đã đề nghị. Người thứ hai, đăng nhập nơi khác, xác nhận.
proposal-gone = Đề nghị đã rút hoặc hết hạn. Không có gì thay đổi.
result-was-corrected = Kết quả ván { $round } nay là { $dice }.
now-recover-or-waive = Đã trả thừa { $amount }: sau đó thu hồi hoặc miễn.
was-before = trước đó: { $result }
damaged-dice = Xúc xắc hỏng
which-affected = Các ván dùng bộ { $set }, từ ván { $round }. Ván nào bị ảnh hưởng?
damage-hint = Hỏng gì, và vì sao những ván này
show-effects = Xem tác động
rounds-are-void = Nay đã hủy: { $rounds }. Người chơi đã được báo.
dice-must-change = Phải thay xúc xắc trước ván sau.

## Money owed either way
overpayments = Khoản trả thừa
unclaimed = Tiền chưa nhận
recover-or-waive = Thu hồi hoặc miễn
recover = Thu hồi
waive = Miễn
pay-unclaimed = Chi trả
never-below-zero = Chỉ lấy từ tín dụng rảnh; không ai xuống dưới không.
recovery-law = Singapore, Quy định Tiến hành Trò chơi 15(4): chỉ được thu hồi tiền thắng nếu
recovery-informed = người chơi đã được báo rõ trước trong trường hợp nào
recovery-means = và bằng cách nào
recovery-not-force-majeure = nguyên nhân không phải bất khả kháng
adjust = Điều chỉnh tiền
adjust-note = Cho hoặc lấy tiền tại một vị trí theo phán quyết. Cần hai người.
adjust-takes = Lấy từ người chơi

## The table
change-limits = Đổi giới hạn
from-next-round = Có hiệu lực từ ván sau.
minimum = Tối thiểu
maximum = Tối đa
limit-step = theo bước { $step }
station-maximum = Tối đa một vị trí mỗi ván
exposure-maximum = Nhà cái có thể mất tối đa mỗi ván
acting = Tạm quyền
nobody-acts = Không ai tạm quyền ở đây.
acts-as = tạm quyền { $position }
acts-in = Tạm quyền chức vụ
assign-acting = Phân công
end-acting = Kết thúc
person = Người
ended-rounds = Các ván đã xong
reports-made = Đã báo cáo tại đây
money-drop = Tiền mặt vào
money-credit = Tín dụng rảnh
money-vouchers = Phiếu chưa đổi
money-chips = Phỉnh lưu hành

## Acts that take two persons
act-correct-result = Sửa kết quả sai
act-void-rounds = Hủy các ván bị ảnh hưởng
act-resolve-readings = Giải quyết hai lần đọc khác nhau
act-confirm-interruption = Giải quyết gián đoạn
act-rule = Ra phán quyết
act-rule-void = Hủy theo phán quyết
act-declare-void = Tuyên hủy
act-adjust = Điều chỉnh tiền
act-hand-pay = Trả tay
act-change-dice = Thay xúc xắc
act-move-chips = Chuyển phỉnh
