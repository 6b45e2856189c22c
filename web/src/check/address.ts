// The address that a card's square leads to: `/check#TABLE/ROUND/STATION/CODE/KEY`. What stands behind the `#` is
// not sent to the house until the page itself asks for the receipt.

export interface Address {
  table: string;
  round: number;
  station: string;
  code: string;
  key: string;
}

export function addressOf({ table, round, station, code, key }: Address, origin: string): string {
  return `${origin}/check#${[table, round, station, code, key].map((part) => encodeURIComponent(part)).join('/')}`;
}

export function parseAddress(hash: string): Address | null {
  const [table, round, station, code, key, ...more] = hash.replace(/^#/, '').split('/').map(decodeURIComponent);
  if (!table || !station || !code || !key || more.length > 0 || !/^[1-9]\d{0,15}$/.test(round ?? '')) return null;
  return { table, round: Number(round), station, code, key };
}
