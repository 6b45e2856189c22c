// Staff at a table: who is logged in, all they may see, and what they do.
import type { Done, EndedProposal, ProposalOutcome, HouseToStaff, LayoutInfo, Me, OfferedFactor, Proposed, ShownPreview, ShownProposal, ShownStep, StaffAct, StaffState } from '../wire';
import { post, Problem, remove, watch, whenUnknown } from './api';
import { clock } from './clock.svelte';
import { mayTake } from './may';
import { answered, asPerson, isAnswer } from './request';
import { Link, type LinkState } from './socket';
import { device } from './store';
import { layoutOf, TableStore } from './table.svelte';

export interface Incident {
  kind: string;
  note: string;
  station: number | null;
  round: number | null;
  at_ms: number;
}

const INCIDENTS = 50;

class StaffSession {
  current = $state.raw<Me | null>(null);
  known = $state(false);

  #loading: Promise<void> | null = null;

  /** Asks who is logged in; a browser where nobody ever was need not ask. */
  load(): Promise<void> {
    if (device.get<boolean>('staff') !== true && this.current === null) {
      this.known = true;
      return Promise.resolve();
    }
    return (this.#loading ??= this.#ask().finally(() => (this.#loading = null)));
  }

  async #ask(): Promise<void> {
    try {
      this.#is(await watch<Me>('/api/session'));
    } catch (error) {
      // A house that cannot be reached has logged nobody out.
      if (!(error instanceof Problem) || error.status === 401 || error.status === 403) this.#is(null);
    }
    this.known = true;
  }

  #is(me: Me | null): void {
    this.current = me;
    this.known = true;
    asPerson(me?.person ?? null);
    device.set('staff', me === null ? null : true);
  }

  /** At an enrolled console its token goes along; a code where the house has asked for one. */
  async login(name: string, pin: string, token?: string, code = ''): Promise<void> {
    this.#is(await post<Me>('/api/session', code === '' ? { name, pin } : { name, pin, code }, token));
  }

  /** A second factor, to be put into an authenticator. */
  offerFactor(pin: string): Promise<OfferedFactor> {
    return post<OfferedFactor>('/api/session/factor', { pin });
  }

  /** A code shows that it arrived. */
  async acceptFactor(code: string): Promise<void> {
    await post('/api/session/factor/code', { code });
    await this.load();
  }

  /** The PIN once more, before money is moved. */
  async prove(pin: string): Promise<void> {
    await post('/api/session/proof', { pin });
  }

  /** Takes the part of a member of staff in a house that plays for nothing. */
  async tryAs(position: string): Promise<void> {
    this.#is(await post<Me>('/api/trial/staff', { position }));
  }

  async changePin(old: string, next: string): Promise<void> {
    await post('/api/session/pin', { old, new: next });
    await this.load();
  }

  async logout(): Promise<void> {
    try {
      await remove('/api/session');
    } catch (error) {
      // Whom the house does not know any more is logged out already.
      if (!(error instanceof Problem) || error.status !== 401) throw error;
    }
    this.#is(null);
  }
}

export const session = new StaffSession();
// Whatever finds out first that a session has ended: the log-in form appears.
whenUnknown(() => void session.load());

export class StaffStore {
  readonly name: string;
  readonly table = new TableStore();
  link = $state<LinkState>('connecting');
  state = $state.raw<StaffState | null>(null);
  proposals = $state.raw<ShownProposal[]>([]);
  /** Those that a restart has ended. */
  ended = $state.raw<EndedProposal[]>([]);
  /** What came of the last ones. */
  outcomes = $state.raw<ProposalOutcome[]>([]);
  /** The dice in a simulated tumbler: what a camera over it would show. */
  camera = $state.raw<[number, number, number] | null>(null);
  incidents = $state.raw<Incident[]>([]);
  layouts = $state.raw<Record<string, LayoutInfo>>({});
  /** The newest refusal of an act. */
  problem = $state.raw<Problem | null>(null);
  /** The newest act had been done before, by the same request: nothing was done now. */
  again = $state(false);
  /** An act is on its way: nothing else is sent until it is answered. */
  busy = $state(false);
  /** Why the table is out of service, while it is. */
  stopped = $state<string | null>(null);
  bye = $state.raw<{ code: string; words: string } | null>(null);
  #link: Link<HouseToStaff>;
  /** The act that is on its way, or was last. */
  #asked: Promise<boolean> = Promise.resolve(true);
  /** Sequence the newest state rests on. */
  #version = $state(0);
  /** Sequence at which a reading was last taken back from here. */
  #cleared = $state(0);

  constructor(table: string) {
    this.name = table;
    this.#link = new Link<HouseToStaff>({
      path: `/ws/console/${encodeURIComponent(table)}`,
      receive: (message) => this.#receive(message),
      state: (state) => {
        this.link = state;
        if (state !== 'open') return;
        this.table.forget();
        this.#cleared = 0;
      },
      // It may be that the session has ended while nobody was connected: a
      // house that was started again knows nobody any more.
      failed: () => void session.load(),
    });
  }

  end(): void {
    this.#link.end();
  }

  /** The one bright step (P-020). */
  get next(): ShownStep | null {
    return this.state?.steps.find((step) => step.next) ?? null;
  }

  offered(step: string): ShownStep | null {
    return this.state?.steps.find((known) => known.step === step && this.may(known)) ?? null;
  }

  /** Whether who is logged in here may take a step, alone or as one of two. */
  may(step: ShownStep): boolean {
    return session.current !== null && mayTake(step, session.current, this.state?.acting ?? []);
  }

  /** The dice keyed and not yet confirmed; none once they were taken back, before any frame says so. */
  get preview(): ShownPreview | null {
    return this.#version < this.#cleared ? null : (this.state?.round?.preview ?? null);
  }

  /** Asks the table; true when it was done. A refusal stays on the screen. */
  act(act: StaffAct): Promise<boolean> {
    if (this.busy) return Promise.resolve(false);
    return (this.#asked = this.#act(act));
  }

  /**
   * Once nothing is on its way. The frame that asks for the next act may come before the answer to
   * the last one: what is pressed between the two waits here instead of being dropped.
   */
  async idle(): Promise<void> {
    while (this.busy) await this.#asked;
  }

  async #act(act: StaffAct): Promise<boolean> {
    this.busy = true;
    try {
      const done = await post<Done>(`/api/tables/${encodeURIComponent(this.name)}/acts`, act);
      answered(this.name, act);
      if (act.act === 'clear_keys') this.#cleared = done.sequence;
      this.again = done.again;
      this.problem = null;
      return true;
    } catch (error) {
      if (isAnswer(error)) answered(this.name, act);
      this.again = false;
      this.problem = Problem.of(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** Asks the table, and proposes it where one person may not alone. */
  async actOrPropose(act: StaffAct): Promise<boolean> {
    if (await this.act(act)) return true;
    return this.problem?.code === 'second_person_needed' && this.propose(act);
  }

  /** Proposes what takes two persons. */
  async propose(act: StaffAct): Promise<boolean> {
    return (await this.offer(act)) !== null;
  }

  /** Proposes what takes two persons; its number, or null when it was refused. */
  async offer(act: StaffAct): Promise<number | null> {
    let number: number | null = null;
    await this.#try(async () => {
      try {
        number = (await post<Proposed>(`/api/tables/${encodeURIComponent(this.name)}/proposals`, act)).proposal;
        answered(this.name, act);
      } catch (error) {
        if (isAnswer(error)) answered(this.name, act);
        throw error;
      }
    });
    return number;
  }

  /** What came of a proposal; null while it waits. In practice a simulated supervisor confirms at once, under no number. */
  outcomeOf(proposal: number): string | null {
    if (proposal === 0) return 'confirmed';
    if (this.ended.some((one) => one.proposal === proposal)) return 'restarted';
    return this.outcomes.find((one) => one.proposal === proposal)?.outcome ?? null;
  }

  /** Starts the table again, alone, after it was out of service. */
  async restart(reason: string): Promise<boolean> {
    return this.#try(() => post(`/api/tables/${encodeURIComponent(this.name)}/restart`, { reason }));
  }

  /** Takes back what one has proposed oneself. */
  async withdraw(proposal: number): Promise<boolean> {
    return this.#try(() => remove(`/api/tables/${encodeURIComponent(this.name)}/proposals/${proposal}`));
  }

  /** Confirms what another has proposed, as it was shown: its digest goes with it. */
  async confirm({ proposal, digest }: ShownProposal, dice?: [number, number, number]): Promise<boolean> {
    const path = `/api/tables/${encodeURIComponent(this.name)}/proposals/${proposal}/confirm`;
    return this.#try(async () => {
      this.again = (await post<Done>(path, dice ? { digest, dice } : { digest })).again;
    });
  }

  async #try(what: () => Promise<unknown>): Promise<boolean> {
    this.again = false;
    try {
      await what();
      this.problem = null;
      return true;
    } catch (error) {
      this.problem = Problem.of(error);
      return false;
    }
  }

  #receive(message: HouseToStaff): void {
    switch (message.type) {
      case 'info':
        clock.hear(message.server_ms);
        this.table.info = message.info;
        for (const layout of message.info.layouts) {
          layoutOf(message.info.book, layout).then(
            (info) => (this.layouts = { ...this.layouts, [layout]: info }),
            () => undefined,
          );
        }
        break;
      case 'road':
        this.table.road = message.rounds;
        break;
      case 'staff':
        if (message.version >= this.table.version) {
          this.state = message.state;
          this.#version = message.version;
          this.camera = message.tumbler;
        }
        this.table.heard(message.version, message.server_ms, message.state.public);
        break;
      case 'proposals':
        this.proposals = message.proposals;
        this.ended = message.ended;
        this.outcomes = message.outcomes;
        break;
      case 'stopped':
        this.stopped = message.why;
        break;
      case 'incident': {
        const { kind, note, station, round, at_ms } = message;
        this.incidents = [{ kind, note, station, round, at_ms }, ...this.incidents].slice(0, INCIDENTS);
        break;
      }
      case 'heartbeat':
        clock.hear(message.server_ms);
        break;
      case 'bye':
        if (message.code === 'table_restarted') this.stopped = null;
        this.bye = { code: message.code, words: message.words };
        if (message.code === 'logged_out') {
          this.end();
          void session.load();
        }
        break;
    }
  }
}
