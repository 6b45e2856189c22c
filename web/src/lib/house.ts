// The house as anyone may see it.
import type { PublicState, TableInfo } from '../wire';
import { get } from './api';

export interface HouseTable {
  table: string;
  /** Null before it was first opened. */
  info: TableInfo | null;
  state: PublicState | null;
  version: number;
  /** The automatic dealer deals. */
  automatic: boolean;
  /** Its tumbler is simulated. */
  simulated: boolean;
  /** Its journal has stopped. */
  stopped: boolean;
}

export interface House {
  site: string;
  real_money: boolean;
  version: string;
  tables: HouseTable[];
}

export const house = (): Promise<House> => get<House>('/api/house');
