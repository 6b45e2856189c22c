// The addresses that squares lead to: `/check#TABLE/ROUND/STATION/CODE/KEY` from a card, `/check#v/VOUCHER/KEY` from a
// voucher. What stands behind the `#` is not sent to the house until the page itself asks for the receipt.

export interface Address {
  table: string;
  round: number;
  station: string;
  code: string;
  key: string;
}

export interface VoucherAddress {
  voucher: number;
  key: string;
}

const NUMBER = /^[1-9]\d{0,15}$/;
const parts = (hash: string): string[] => hash.replace(/^#/, '').split('/').map(decodeURIComponent);

export function addressOf({ table, round, station, code, key }: Address, origin: string): string {
  return `${origin}/check#${[table, round, station, code, key].map((part) => encodeURIComponent(part)).join('/')}`;
}

export function parseAddress(hash: string): Address | null {
  const [table, round, station, code, key, ...more] = parts(hash);
  if (!table || !station || !code || !key || more.length > 0 || !NUMBER.test(round ?? '')) return null;
  return { table, round: Number(round), station, code, key };
}

export function parseVoucher(hash: string): VoucherAddress | null {
  const [kind, voucher, key, ...more] = parts(hash);
  if (kind !== 'v' || !key || more.length > 0 || !NUMBER.test(voucher ?? '')) return null;
  return { voucher: Number(voucher), key };
}

/** Where the house has the receipt. */
export function receiptOf(address: Address | VoucherAddress): string {
  const key = `?key=${encodeURIComponent(address.key)}`;
  if ('voucher' in address) return `/api/vouchers/${address.voucher}/receipt${key}`;
  const { table, round, station } = address;
  return `/api/tables/${encodeURIComponent(table)}/rounds/${round}/receipts/${encodeURIComponent(station)}${key}`;
}
