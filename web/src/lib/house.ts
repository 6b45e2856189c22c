// The house as anyone may see it.
import type { HouseInfo } from '../wire';
import { get } from './api';

export const house = (): Promise<HouseInfo> => get<HouseInfo>('/api/house');
