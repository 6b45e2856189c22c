// The pit: every table as staff see it, and what is counted beside it.
import type { ActPreview, BoardTable, Colleague, HouseToStaff, Pit, ShownProposal, StaffAct, StaffState } from '../wire';
import { get, post, watch } from './api';
import { clock } from './clock.svelte';
import { InOrder } from './newest';
import { Link, type LinkState } from './socket';
import { session } from './staff.svelte';
import { TableStore } from './table.svelte';

export { dayOf, lasting, timeOf } from './times';

/** How often what is counted is asked for anew. */
const EVERY_MS = 4_000;

export class PitTable {
  readonly name: string;
  readonly table = new TableStore();
  state = $state.raw<StaffState | null>(null);
  proposals = $state.raw<ShownProposal[]>([]);
  /** Why it is out of service, while it is. */
  stopped = $state<string | null>(null);
  counted = $state.raw<BoardTable | null>(null);

  constructor(name: string) {
    this.name = name;
  }

  /** Terminals that cannot be heard. */
  get offline(): number {
    return this.state?.stations.filter((station) => station.terminal && !station.online).length ?? 0;
  }

  get terminals(): number {
    return this.state?.stations.filter((station) => station.terminal).length ?? 0;
  }

  /** What waits for somebody here. */
  get waits(): number {
    return (this.state?.decisions.length ?? 0) + this.proposals.length;
  }
}

/** What is counted, asked for again and again while somebody looks. */
export class Counted {
  pit = $state.raw<Pit | null>(null);
  #timer: ReturnType<typeof setInterval>;
  #told: ((pit: Pit) => void) | undefined;
  #looks = new InOrder();

  constructor(told?: (pit: Pit) => void) {
    this.#told = told;
    void this.look();
    this.#timer = setInterval(() => void this.look(watch), EVERY_MS);
  }

  async look(how: typeof watch = get): Promise<void> {
    const news = this.#looks.ask();
    try {
      const pit = await how<Pit>('/api/pit');
      if (!news()) return;
      this.pit = pit;
      this.#told?.(pit);
    } catch {
      // Asked again soon; the socket says whether the house is there.
    }
  }

  of(table: string): BoardTable | null {
    return this.pit?.tables.find((one) => one.table === table) ?? null;
  }

  get colleagues(): Colleague[] {
    return this.pit?.colleagues ?? [];
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

export class PitStore {
  tables = $state.raw<PitTable[]>([]);
  link = $state<LinkState>('connecting');
  #link: Link<HouseToStaff>;
  #counted: Counted;

  constructor() {
    this.#link = new Link<HouseToStaff>({
      path: '/ws/pit',
      receive: (message) => this.#receive(message),
      state: (state) => {
        this.link = state;
        if (state === 'open') for (const at of this.tables) at.table.forget();
      },
      failed: () => void session.load(),
    });
    this.#counted = new Counted((pit) => {
      for (const one of pit.tables) this.#at(one.table).counted = one;
    });
  }

  end(): void {
    this.#link.end();
    this.#counted.end();
  }

  #at(name: string): PitTable {
    let at = this.tables.find((one) => one.name === name);
    if (!at) {
      at = new PitTable(name);
      this.tables = [...this.tables, at].sort((a, b) => a.name.localeCompare(b.name));
    }
    return at;
  }

  #receive(message: HouseToStaff): void {
    switch (message.type) {
      case 'info':
        clock.hear(message.server_ms);
        this.#at(message.info.table).table.info = message.info;
        break;
      case 'staff': {
        const at = this.#at(message.table);
        if (message.version >= at.table.version) at.state = message.state;
        at.table.heard(message.version, message.server_ms, message.state.public);
        break;
      }
      case 'proposals':
        this.#at(message.table).proposals = message.proposals;
        break;
      case 'stopped':
        this.#at(message.table).stopped = message.why;
        break;
      case 'heartbeat':
        clock.hear(message.server_ms);
        break;
      case 'bye':
        if (message.code === 'table_restarted') for (const at of this.tables) at.stopped = null;
        if (message.code === 'logged_out') {
          this.end();
          void session.load();
        }
        break;
      case 'incident':
      case 'road':
        break;
    }
  }
}

/** What an act would do to rounds that have ended; nothing is done. */
export function preview(table: string, act: StaffAct): Promise<ActPreview> {
  return post<ActPreview>(`/api/tables/${encodeURIComponent(table)}/acts/preview`, act);
}
