## Wall display
wall-nothing = Bàn này chưa mở.
bead-plate = Bảng tổng điểm
road-side = Cầu lớn: tài và xỉu
road-parity = Cầu lớn: lẻ và chẵn
totals-title = Tổng điểm, thực tế và kỳ vọng
faces-title = Các mặt, { $n } ván
since-triple = { $n } ván từ bộ ba gần nhất
since-triple-none = { $n } ván chưa có bộ ba
stage-won = Bạn thắng
wall-missing = Ở đây không có bàn nào tên { $table }.
wall-pay-table = Bảng trả thưởng: { $layout }
wall-pay-tables = Các máy của bàn này có tỷ lệ khác nhau; mỗi máy theo bảng hiển thị trên máy đó.
wall-winners = Các ô thắng
wall-next-round = Ván tiếp theo sắp bắt đầu
shares-title = Tỷ lệ trong { $n } ván gần nhất
wall-dealer = Người chia: { $name }
