## Lobby
lobby-line = Ba xúc xắc. Tỷ lệ công khai.
lobby-note = Mỗi ván độc lập với các ván trước. Hãy tự đặt hạn mức và dừng khi đã đạt.
play-money = Phòng chơi thử, không dùng tiền thật: hãy ngồi bất kỳ chỗ nào, thử bất kỳ bàn điều khiển nào.
take-seat = Vào chơi
last-results = Kết quả gần đây
try-line = Điều khiển ở bàn, đặt cược ở máy, xem màn hình lớn.
try-terminal = Máy của người chơi
try-console = Bàn điều khiển của nhân viên
try-wall = Màn hình lớn
