// Colours of chips, by rank from the smallest.

export interface ChipColour {
  body: string;
  face: string;
  spot: string;
  edge: string;
  ink: string;
}

const of = (body: string, face: string, spot = '#f7f0dd', ink = '#fff', edge = body): ChipColour => ({
  body,
  face,
  spot,
  edge,
  ink,
});

const COLOURS: ChipColour[] = [
  of('#e8e2cf', '#f6f1e2', '#3b6ea5', '#1d2733', '#f6f1e2'),
  of('#d9a520', '#c28f12', '#fff7df', '#241503', '#f3c95a'),
  of('#b5222e', '#8f1621', '#f7f0dd', '#fff', '#ff7d84'),
  of('#1f61ae', '#164a88', '#f7f0dd', '#fff', '#7db7ff'),
  of('#1c7c4b', '#125a35', '#f7f0dd', '#fff', '#6fe0a4'),
  of('#d4691a', '#ab4f0e', '#fff3df', '#fff', '#ffb37a'),
  of('#26262b', '#131316', '#e9cf8a', '#f7e3a8', '#e9cf8a'),
  of('#6a3aa3', '#4d2680', '#f7f0dd', '#fff', '#c79bff'),
];

export function chipColour(rank: number): ChipColour {
  return COLOURS[((rank % COLOURS.length) + COLOURS.length) % COLOURS.length] as ChipColour;
}

/** The rank of the largest chip that is not more than an amount. */
export function rankOf(amount: number, chips: readonly number[]): number {
  let rank = 0;
  chips.forEach((chip, at) => {
    if (chip <= amount) rank = at;
  });
  return rank;
}

/** The chip in hand, or where this table has none of it a good one to begin with. */
export function chipInHand(chips: readonly number[], chip: number): number {
  return chips.length === 0 || chips.includes(chip) ? chip : (chips[Math.min(2, chips.length - 1)] ?? 0);
}
