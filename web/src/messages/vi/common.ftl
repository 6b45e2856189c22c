## Words everywhere
big = Tài
small = Xỉu
odd = Lẻ
even = Chẵn
triple = Bộ ba
bead-big = T
bead-small = X
bead-triple = B
bead-odd = L
bead-even = C
void = Vô hiệu
close = Đóng
back = Xóa lùi
language = Ngôn ngữ
limits = Mức cược
limits-every-bet = mọi ô cược
limits-other-bets = các ô cược khác
also-known-as = còn gọi là { $name }
order = Trình tự
rule-book = Luật chơi
rules = Luật
section = Ô cược
chance = Xác suất
edge = Lợi thế nhà cái
round-n = Ván { $round }
round-void = Ván vô hiệu
round-n-void = Ván { $round } vô hiệu
all-bets-returned = tất cả cược được hoàn trả
time-left = Thời gian đặt cược còn lại
to-lobby = Về sảnh
try-again = Thử lại
nowhere = Không tìm thấy trang
connecting = Đang kết nối…
connected = Đã kết nối
not-connected = Mất kết nối
connection-lost = Mất kết nối – đang kết nối lại.
house-unreachable = Không thể kết nối tới hệ thống. Đang thử lại…
terminal = Máy đặt cược
console = Bàn điều khiển
wall = Màn hình lớn
try-it = Chơi thử
reason = Lý do
version = phiên bản { $version }
version-lost = không rõ phiên bản
effective = có hiệu lực từ { $date }
or-above = { $position } hoặc cấp trên
or-above-short = hoặc cấp trên

## The order of play in one line
order-before-bets = Lắc trước, đặt cược sau
order-during-bets = Lắc trong lúc đặt cược
order-after-close = Ngừng đặt cược rồi mới lắc

## Where play stands
phase-closed = Bàn đã đóng
phase-suspended = Tạm dừng
phase-held = Tạm dừng – chờ quyết định
phase-idle = Chờ ván tiếp theo
phase-prepared = Đang lắc – sắp đặt cược
phase-betting = Mời đặt cược
phase-closing = Không đặt cược thêm
phase-awaiting = Chờ kết quả
phase-result = Kết quả

## Notices of the house
notice-last-round = Đây là ván cuối trước khi bàn đóng.
notice-suspended = Bàn này đang tạm dừng.
notice-closed = Bàn này đã đóng.
notice-held = Ván tạm dừng và đang chờ quyết định.
notice-round-lost = Ván này sẽ bị tuyên vô hiệu.
notice-limits-change = Mức cược mới áp dụng từ ván sau.
notice-rule-book-changes = Luật chơi mới áp dụng từ ván sau.
notice-corrected = Kết quả ván { $round } được sửa thành { $dice }.

## Results
result-words = { $dice }, tổng { $total }, { $side }, { $parity }
result-side = { $dice }, tổng { $total }, { $side }
outcomes-note = Chỉ để tham khảo. Kết quả trên xúc xắc tại bàn là căn cứ cuối cùng.
trend-note = Chỉ để tham khảo. Kết quả trên xúc xắc là căn cứ cuối cùng. Mỗi ván độc lập.
result-triple = { $dice }, tổng { $total }, bộ ba
strip-last = Kết quả ván trước
strip-none = Chưa có kết quả
strip-void = Ván trước vô hiệu
strip-result = Kết quả
strip-tumbling = Đang lắc xúc xắc
strip-invalid = Chỉ lắc { $count } lần: không đủ
strip-before = Chưa lắc xúc xắc
strip-covered = Đã lắc – còn đậy nắp
strip-reading = Đang đọc xúc xắc
strip-count = Đã lắc { $count } lần, tối thiểu { $minimum } lần

## Sections
section-small = Xỉu
section-big = Tài
section-odd = Lẻ
section-even = Chẵn
section-any-triple = Bộ ba bất kỳ
section-triple = Bộ ba { $a }
section-double = Bộ đôi { $a }
section-total = Tổng { $a }
section-pair = Cặp { $a }-{ $b }
section-single = Số { $a }
section-four = Ba trong các số { $numbers }
section-three-single = Ba số { $numbers }
section-double-single = Đôi { $a } + số { $b }
one-wins = 1 ăn { $odds }
ways = { $ways } trên 216
would-win = thắng { $amount }
layout-of = Bàn cược: { $title }

## The card of a section
about-section = Về ô cược này
card-odds = Tỷ lệ
card-on-one = Một xúc xắc
card-on-two = Hai xúc xắc
card-on-three = Ba xúc xắc
card-for-stake = Tiền thắng tính cho { $amount }, cộng lại tiền cược.
on-a-triple = Khi ra bộ ba
triple-loses = thua khi ra bất kỳ bộ ba nào
triple-wins = cũng có thể thắng khi ra bộ ba
triple-total = thắng cả khi bộ ba có tổng đó
triple-needed = chỉ thắng khi ra bộ ba

## The card of a settlement
card-title = Ván { $round } của bạn
card-corrected = Kết quả đã được sửa; đây là thanh toán mới.
card-voided-later = Ván đã bị tuyên vô hiệu sau đó.
line-won = { $stake } với { $odds } = { $profit }, cộng lại tiền cược
line-lost = thua { $stake }
line-returned = hoàn trả tiền cược
card-staked = Đã cược
card-returned = Nhận lại
card-net = Thắng thua
card-code = Mã kiểm chứng

## Settings
settings = Cài đặt
sound = Âm thanh
sound-on = Bật âm thanh
sound-off = Tắt âm thanh
speech-on = Đọc kết quả
volume = Âm lượng
look = Hiển thị
mirror = Lật bàn cược trái phải
high-contrast = Tương phản cao
calm = Giảm chuyển động

## Log-in
log-in = Đăng nhập
log-out = Đăng xuất
name = Tên
pin = Mã PIN
pin-old = PIN hiện tại
pin-new = PIN mới
pin-change = Đổi PIN
change-pin-first = { $name }, hãy đổi mã PIN dùng một lần trước.
code = Mã xác thực
code-asked = Vui lòng nhập thêm mã sáu chữ số trong ứng dụng xác thực.
factor-first = { $name }, chức vụ của bạn cần thêm mã từ ứng dụng xác thực khi đăng nhập. Nhập PIN để thiết lập.
factor-begin = Thiết lập
factor-enter = Nhập khóa này vào ứng dụng xác thực rồi gõ mã hiện ra. Khóa chỉ hiển thị một lần.
factor-open = Mở trong ứng dụng xác thực
factor-confirm = Xác nhận
pin-again = Cần mã PIN
pin-again-why = { $name }, sắp có giao dịch tiền. Vui lòng nhập lại mã PIN.
go-on = Tiếp tục
wait-to-log-in = Sai quá nhiều lần. Hãy thử lại sau { $seconds } giây.
try-again-now = Bây giờ bạn có thể thử lại.
try-as = Dùng thử với vai trò
