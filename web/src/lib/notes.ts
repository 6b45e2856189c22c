// Notes and coins of the currencies a house plays in, in minor units, the largest first: what a
// count of cash is entered by.
const KNOWN: Record<string, readonly number[]> = {
  SGD: [100_000, 10_000, 5_000, 1_000, 500, 200, 100, 50],
  USD: [10_000, 5_000, 2_000, 1_000, 500, 100, 25],
  HKD: [100_000, 50_000, 10_000, 5_000, 2_000, 1_000, 500],
  MOP: [100_000, 50_000, 10_000, 5_000, 2_000, 1_000, 500],
  VND: [500_000, 200_000, 100_000, 50_000, 20_000, 10_000, 5_000, 2_000, 1_000],
};

/** Of another currency, 1, 2 and 5 of its unit up to a thousand. */
export function notes(code: string, decimals: number): readonly number[] {
  return KNOWN[code] ?? [1000, 500, 200, 100, 50, 20, 10, 5, 2, 1].map((worth) => worth * 10 ** decimals);
}
