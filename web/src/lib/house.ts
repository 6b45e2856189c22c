// The house as anyone may see it.
import type { HouseInfo } from '../wire';
import { get } from './api';
import { clock } from './clock.svelte';
import { useCameras } from './camera.svelte';
import { usePositionNames } from './i18n.svelte';

let heard = false;
/** The house has been asked what it is: its clock and its zone are known. */
export const isHouseKnown = (): boolean => heard;

export async function house(): Promise<HouseInfo> {
  const found = await get<HouseInfo>('/api/house');
  heard = true;
  clock.hear(found.server_ms);
  clock.zone_minutes = found.utc_offset_minutes;
  usePositionNames(found.positions);
  useCameras(found);
  return found;
}
