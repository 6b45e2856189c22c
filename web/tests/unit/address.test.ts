import { expect, test } from 'vitest';
import { addressOf, parseAddress, parseVoucher, receiptOf } from '../../src/check/address';

test('the addresses of receipts are read back, and what is none is none', () => {
  const round = { table: 'a/b', round: 7, station: 'Window 1', code: '3f9a-01c2-77de', key: '00ff' };
  const hash = new URL(addressOf(round, 'https://sicbo.example')).hash;
  expect(parseAddress(hash)).toEqual(round);
  expect(parseVoucher(hash)).toBeNull();
  expect(receiptOf(round)).toBe('/api/tables/a%2Fb/rounds/7/receipts/Window%201?key=00ff');
  expect(parseVoucher('#v/12/00ff')).toEqual({ voucher: 12, key: '00ff' });
  expect(receiptOf({ voucher: 12, key: '00ff' })).toBe('/api/vouchers/12/receipt?key=00ff');
  for (const none of ['', '#', '#v', '#v/12', '#v/0/ff', '#v/-1/ff', '#v/1e3/ff', '#v/12/ff/more', '#w/12/ff']) {
    expect(parseVoucher(none), none).toBeNull();
    expect(parseAddress(none), none).toBeNull();
  }
});
