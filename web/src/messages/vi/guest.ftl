## Cho khách: sảnh, chọn chỗ, theo dõi bàn bằng điện thoại, phần giới thiệu
guest-new = Bạn mới đến? Mỗi chỗ ngồi đều có phần giới thiệu một phút.
guest-playing = { $n ->
    [0] Chưa có người chơi
   *[other] { $n } người đang chơi
}
guest-free = { $n ->
    [0] Đã hết chỗ
   *[other] Còn { $n } chỗ trống
}
guest-full = Đã hết chỗ. Bạn có thể xem bàn này hoặc ngồi ở bàn khác.
guest-chips = Chơi bằng phỉnh tại bàn
guest-follow = Theo dõi bàn này
guest-watch = Xem
guest-bets-from = Cược từ { $amount }
guest-stopped = Tạm ngừng phục vụ
guest-try = Xem các màn hình cạnh nhau
guest-staff = Dành cho nhân viên
choose-title = Chọn bảng trả thưởng
choose-line = Các máy của bàn này không trả thưởng như nhau. Bảng bạn chọn được ghi ở đầu màn hình.
choose-take = Ngồi ở đây
choose-differs = máy khác của bàn này trả khác
pay-table = Bảng trả thưởng
companion-chips = Bàn này chơi bằng phỉnh. Hãy ngồi vào bàn để cược; tại đây bạn theo dõi bàn.
companion-terminals = Bạn đặt cược tại máy của bàn này. Tại đây bạn theo dõi bàn.
companion-call = Gọi nhân viên đến chỗ của bạn
companion-seat = Chỗ { $name }
companion-called = Đã gọi nhân viên đến chỗ { $name }.
visit-ended = Bạn đã rời đi một lúc nên máy được giao cho khách tiếp theo. Số dư của bạn đã được in thành phiếu.
visit-again = Chọn chỗ khác

## Phần giới thiệu
tour = Giới thiệu một phút
tour-step = { $n } / { $all }
tour-next = Tiếp
tour-done = Bắt đầu chơi
tour-skip = Bỏ qua
tour-dice = Ba xúc xắc, một lần lắc
tour-dice-text = Mỗi ván lắc ba xúc xắc. Bạn cược vào kết quả của chúng. Đây là { $dice }: tổng { $total }.
tour-side = Cược đơn giản nhất
tour-side-text = Tài thắng khi tổng từ 11 đến 17, Xỉu thắng khi tổng từ 4 đến 10. Cả hai đều thua khi ba xúc xắc giống nhau.
tour-odds = Mỗi ô trả bao nhiêu
tour-odds-text = { $spot } ghi { $odds }. Cược { $stake } thắng { $win }, và bạn nhận lại cả { $stake } tiền cược.
tour-chips = Cách đặt cược
tour-chips-text = Chọn phỉnh ở dưới rồi chạm vào một ô. Chạm lần nữa để cược thêm. Nhấn giữ để gỡ phỉnh.
tour-time = Thời gian đặt cược
tour-time-text = Vòng tròn ở trên đếm số giây còn lại. Khi hiện “{ $closed }”, không thể đổi cược nữa.
tour-result = Kết quả
tour-result-text = Các ô thắng sáng lên và bảng kết quả cho biết bạn thắng hay thua bao nhiêu. Mở mục { $money } để rút tiền bất cứ lúc nào.

## Đọc cho người nghe màn hình
tell-credit = Số dư { $credit }.
tell-bets = Cược của bạn { $bets }. Số dư { $credit }.
tell-void = Ván bị vô hiệu. Cược { $amount } của bạn đã được hoàn lại. Số dư { $credit }.

## History
history-moved = nạp hoặc rút trong ván { $amount }
history-wrong = Có vấn đề?

## The camera over a table
camera-live = Hình ảnh trực tiếp
camera-test = Hình thử
camera-show = Hiện hình ảnh trực tiếp
camera-hide = Ẩn
camera-waiting = Đang kết nối camera …
camera-lost = Không có hình ảnh trực tiếp
camera-note = Chỉ để xem và chậm vài giây. Kết quả do casino công bố mới có giá trị.
