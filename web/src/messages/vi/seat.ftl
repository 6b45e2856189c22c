## What a seat shows besides the board: roads, returns, reading, sizes
roads = Bảng cầu
returns = Thắng thua
last-round = Ván trước
road-last = { $n } ván gần nhất
road-shares = Tỷ lệ trong { $n } ván gần nhất
hot = Ra nhiều nhất
cold = Ra ít nhất
hot-line = { $total } ({ $n } lần)
road-none = Chưa có kết quả.
returns-title = Thắng thua theo từng tổng
returns-none = Đặt cược để xem thắng thua theo từng tổng.
returns-note = Tính chung cho mọi cược đã được nhận.
possible-win = Thắng tối đa
total-brings = Ra tổng này: { $from } đến { $to }
total-brings-one = Ra tổng này: { $amount }
card-won = Bạn thắng
card-even = Hoàn tiền cược
paused = Tạm dừng nhận cược
odds-to-one = { $odds } to 1
paused-line = Đang kết nối lại…
time-of-day = Giờ

## Chips below the minimum
not-yet = chưa thành cược
note-not-yet = Chưa thành cược – tối thiểu { $minimum }
note-minimum = Tối thiểu { $amount }
note-maximum = Tối đa { $amount }
note-credit = Số dư { $amount }
note-round-maximum = Tối đa mỗi ván { $amount }
note-own-loss = Hạn mức thua của bạn { $amount }
note-own-spend = Hạn mức cược của bạn { $amount }
note-not-bet = { $amount } không được cược – tối thiểu { $minimum }
spot-not-yet = { $spot }, { $amount } chưa thành cược, tối thiểu { $minimum }
spot-odds = { $name }, { $odds }
spot-odds-bet = { $name }, { $odds }, cược của bạn { $bet }
refused-at = { $name }: { $words }
refused-minimum = Mức cược tối thiểu ở đây là { $amount }.
refused-maximum = Mức cược tối đa ở đây là { $amount }.
refused-credit = Không đủ số dư: bạn còn { $amount }.
refused-round-maximum = Vượt mức cược tối đa mỗi ván của máy này ({ $amount }).
refused-own-loss = Cược này sẽ vượt hạn mức thua của bạn ({ $amount }).
refused-own-spend = Cược này sẽ vượt hạn mức cược của bạn ({ $amount }).
partly-doubled = Đã gấp đôi { $done } trên { $all } cược.
partly-repeated = Đã lặp lại { $done } trên { $all } cược.
none-doubled = Không cược nào gấp đôi được.
none-repeated = Không cược nào lặp lại được.
partly-why = Các cược còn lại được đánh dấu trên bàn.
swept = { $amount } dưới mức tối thiểu nên không được cược.

## Told to those who hear the screen
tell-won = Bạn thắng { $amount }. Số dư { $credit }.
tell-lost = Bạn thua { $amount }. Số dư { $credit }.
tell-even = Tiền cược { $amount } được hoàn lại. Số dư { $credit }.
tell-seconds = Còn { $n } giây để đặt cược.
tell-paused = Tạm dừng nhận cược, đang kết nối lại.
tell-back = Đã kết nối lại.
part-with-bets = { $part }, { $n } cược

## Settings
text-size = Cỡ chữ
text-size-100 = Thường
text-size-125 = Lớn
text-size-150 = Lớn hơn
text-size-200 = Lớn nhất
theme = Màu sắc
theme-dark = Tối
theme-light = Sáng
shortcuts = Bàn phím
shortcuts-on = Dùng phím tắt
shortcut-chips = Chọn phỉnh
shortcut-walk = Di chuyển trên bàn
shortcut-bet = Đặt phỉnh
shortcut-remove = Gỡ phỉnh
key-arrows = Phím mũi tên
key-enter = Enter
key-delete = Delete
