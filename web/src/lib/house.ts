// The house as anyone may see it.
import type { HouseInfo } from '../wire';
import { get } from './api';
import { clock } from './clock.svelte';

export async function house(): Promise<HouseInfo> {
  const found = await get<HouseInfo>('/api/house');
  clock.hear(found.server_ms);
  clock.zone_minutes = found.utc_offset_minutes;
  return found;
}
