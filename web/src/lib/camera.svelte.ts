// The cameras over tables, as the house names them, and when their pictures may be seen.
import type { Camera, HouseInfo, PhaseName } from '../wire';
import type { Moment } from './timeline';

let known = $state.raw<ReadonlyMap<string, Camera>>(new Map());

/** Hears the house. */
export function useCameras({ tables }: Pick<HouseInfo, 'tables'>): void {
  known = new Map(tables.flatMap(({ table, camera }) => (camera ? [[table, camera] as const] : [])));
}

export const cameraOf = (table: string): Camera | null => known.get(table) ?? null;

/**
 * Dice lie in the open, or under a cover that is being lifted, and the house has not told them yet. A camera shows
 * nothing then: no picture tells a result before the house does. Dice in the air have none.
 */
export function isVeiled({ tumbler, told }: Pick<Moment, 'tumbler' | 'told'>, phase: PhaseName | null): boolean {
  return (phase === 'closed' && tumbler === 'veiled') || (tumbler === 'shown' && !told.dice);
}
