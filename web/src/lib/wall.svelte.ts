// What a wall or the lobby hears of a table.
import type { Camera, HouseToWall, ShownTable } from '../wire';
import { get } from './api';
import { clock } from './clock.svelte';
import { house } from './house';
import { Link, type LinkState } from './socket';
import { TableStore } from './table.svelte';

export class WallStore {
  readonly table = new TableStore();
  link = $state<LinkState>('connecting');
  /** The house is there and has no such table. */
  missing = $state(false);
  /** Who deals, as on their badge. */
  dealer = $state<string | null>(null);
  camera = $state.raw<Camera | null>(null);
  #link: Link<HouseToWall>;

  constructor(table: string) {
    this.#link = new Link<HouseToWall>({
      path: `/ws/wall/${encodeURIComponent(table)}`,
      receive: (message) => this.#receive(message),
      failed: () => void this.#look(table),
      state: (state) => {
        this.link = state;
        // A house that was restored may count from earlier.
        if (state === 'open') this.table.forget();
      },
    });
  }

  end(): void {
    this.#link.end();
    this.table.end();
  }

  /** What no frame of a wall says; asked for as a round begins. Without an answer it stays as it was. */
  async askAround(table: string): Promise<void> {
    const found = await get<ShownTable>(`/api/tables/${encodeURIComponent(table)}`).catch(() => null);
    if (!found) return;
    this.dealer = found.dealer;
    this.camera = found.camera;
  }

  /** A connection that cannot be made may be to a table that does not exist. */
  async #look(table: string): Promise<void> {
    if (this.table.info) return;
    const found = await house().catch(() => null);
    if (found) this.missing = !found.tables.some((one) => one.table === table);
  }

  #receive(message: HouseToWall): void {
    switch (message.type) {
      case 'info':
        clock.hear(message.server_ms);
        this.table.info = message.info;
        break;
      case 'road':
        this.table.road = message.rounds;
        break;
      case 'table':
        this.table.heard(message.version, message.server_ms, message.state);
        break;
      case 'heartbeat':
        clock.hear(message.server_ms);
        break;
      case 'bye':
        break;
    }
  }
}
