## Wall display
wall-nothing = Bàn này chưa mở.
wall-note = Chỉ để tham khảo. Kết quả trên xúc xắc là quyết định. Mỗi ván độc lập.
bead-plate = Bảng tổng điểm
road-side = Cầu lớn: tài và xỉu
road-parity = Cầu lớn: lẻ và chẵn
totals-title = Tổng điểm, thực tế và kỳ vọng
faces-title = Các mặt, { $n } ván
since-triple = { $n } ván từ bộ ba gần nhất
since-triple-none = { $n } ván chưa có bộ ba
limit-from = từ { $minimum }
limit-to = đến { $maximum }
