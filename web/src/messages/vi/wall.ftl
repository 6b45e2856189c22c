## Wall display
wall-nothing = Bàn này chưa mở.
wall-layout = Sơ đồ và tỷ lệ: { $layout }. Các máy khác của bàn này hiển thị tỷ lệ riêng.
bead-plate = Bảng tổng điểm
road-side = Cầu lớn: tài và xỉu
road-parity = Cầu lớn: lẻ và chẵn
totals-title = Tổng điểm, thực tế và kỳ vọng
faces-title = Các mặt, { $n } ván
since-triple = { $n } ván từ bộ ba gần nhất
since-triple-none = { $n } ván chưa có bộ ba
