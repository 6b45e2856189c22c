// A player's terminal: its money, its bets, and what it asks of the house.
//
// Acts of betting are kept until answered, through reloads and lost
// connections, and sent again under the same id: the house answers again and
// never charges twice. Once the close is on the screen nothing is sent any
// more, and the house is told that it is there.
import { tick } from 'svelte';
import type { Card, HouseToTerminal, LayoutInfo, Mine, PastBet, Stake, StationInfo, TerminalToHouse } from '../wire';
import { Problem } from './api';
import { Asks } from './asks.svelte';
import { afterwards, carryOut, expected, Ids, inverse, onSections, sum, times, toLines, toMap, type Act, type Deed, type TurnedDown } from './bets';
import { clock } from './clock.svelte';
import { PlayStore } from './play.svelte';
import { Link, type LinkState } from './socket';
import { device, tab } from './store';
import { layoutOf, TableStore } from './table.svelte';

const PROTOCOL = 1;
/** How long a refused chip stays on the layout, struck through. */
const REFUSED_MS = 5_000;
/** Byes after which coming back would only be refused again. */
const FOR_GOOD = ['taken_over', 'not_enrolled', 'other_protocol', 'no_hello'];
/** Refusals after which the layout is shut. */
const SHUT = ['play_stopped', 'on_a_break', 'card_elsewhere', 'reality_check_due'];
/** How many steps can be undone. */
const UNDO = 50;
/** How many bets that were not taken are kept for a dispute about them. */
const TURNED_DOWN = 20;

export interface Favourite {
  name: string;
  lines: Stake[];
}

export type Amended = Extract<HouseToTerminal, { type: 'amended' }>;

export class TerminalStore {
  readonly table = new TableStore();
  readonly play: PlayStore;
  readonly asked: Asks;
  link = $state<LinkState>('connecting');
  station = $state.raw<StationInfo | null>(null);
  layout = $state.raw<LayoutInfo | null>(null);
  mine = $state.raw<Mine | null>(null);
  /** The newest card; stays until the next bets are called. */
  card = $state.raw<Card | null>(null);
  /** Sent and not yet answered, or refused a moment ago. */
  acts = $state.raw<Act[]>([]);
  /** The house has ended the connection for good: its word and its reason. */
  bye = $state.raw<{ code: string; words: string } | null>(null);
  /** The newest refusal, for the screen to say. */
  refusal = $state.raw<{ code: string; words: string; rule: string | null; section: string | null } | null>(null);
  /** A round that was corrected or voided after it had ended. */
  amended = $state.raw<Amended | null>(null);
  /** What became of bets whose answer was lost and whose round is over. */
  past = $state.raw<PastBet | null>(null);
  /** Bets of the last round this station took part in. */
  previous = $state.raw<Stake[]>([]);
  /** Bets of this player that the house did not take, the newest first. */
  turnedDown = $state.raw<TurnedDown[]>([]);
  favourites = $state.raw<Favourite[]>([]);
  /** How often somebody else came by nothing that was done at this screen. */
  others = $state(0);
  undoable = $state(0);

  #link: Link<HouseToTerminal>;
  #token: string;
  #key = '';
  #ids = new Ids();
  #mineVersion = 0;
  /** The round `mine` speaks of. */
  #mineRound: number | null = null;
  #undo: { deed: Deed; lines: Stake[] }[] = [];
  #shownRound = 0;
  /** The house has said on this connection who plays here. */
  #told = false;
  #beat: ReturnType<typeof setInterval> | undefined;

  registered = $derived(toMap(this.mine?.bets ?? []));
  /** What stands on the layout; once the round is over, what stood there. */
  sections = $derived(
    this.table.round === null && this.card !== null && this.card.end.number === this.table.state?.last?.number
      ? afterwards(this.card.lines)
      : onSections(this.registered, this.acts),
  );
  /** Sent and not yet answered. */
  inFlight = $derived(sum(expected(this.registered, this.acts)) - sum(this.registered));

  constructor(token: string) {
    this.#token = token;
    this.play = new PlayStore(token);
    this.asked = new Asks((message) => this.#link.send(message));
    this.#link = new Link<HouseToTerminal>({
      path: '/ws/terminal',
      greeting: () => this.#hello(),
      receive: (message) => this.#receive(message),
      state: (state) => {
        this.link = state;
        // What was said on a connection that broke may not have been heard.
        if (state !== 'open') {
          this.#shownRound = 0;
          this.#told = false;
          this.asked.lost();
        }
      },
    });
  }

  end(): void {
    clearInterval(this.#beat);
    this.play.end();
    this.#link.end();
    this.asked.end();
  }

  /** Bets can be placed from here now. */
  get open(): boolean {
    return this.link === 'open' && this.table.betting && this.mine !== null && !this.waits && !this.asks && this.play.shut === null;
  }

  /** Somebody new plays here and has not yet said whether they want a limit. */
  get asks(): boolean {
    const { mine } = this;
    const shown = this.play.shown;
    if (!mine || !shown || shown.session !== mine.session || shown.answered) return false;
    return mine.credit > 0 || mine.at_risk > 0;
  }

  /** Cut off from the current round; takes part again in the next. */
  get waits(): boolean {
    return this.mine?.wait_for_next_round === true;
  }

  /** Won less lost since the player came, as the house counts it; null until it has said so. */
  get net(): number | null {
    const shown = this.play.shown;
    return shown !== null && shown.session === this.mine?.session ? shown.net : null;
  }

  /** Credit that is not yet spoken for. */
  get free(): number {
    return (this.mine?.credit ?? 0) - Math.max(0, this.inFlight);
  }

  // ——— Betting ———

  bet(lines: Stake[], undoing = false): void {
    this.#place('bet', lines, undoing);
  }

  add(section: string, stake: number): void {
    this.bet([{ section, stake }]);
  }

  /** Takes so much back, or what is there when it is less. */
  take(section: string, stake: number): void {
    const there = expected(this.registered, this.acts).get(section) ?? 0;
    const less = Math.min(there, stake);
    if (less > 0) this.#place('remove', [{ section, stake: less }], false);
  }

  clear(): void {
    const lines = toLines(expected(this.registered, this.acts));
    if (lines.length > 0) this.#place('clear', lines, false);
  }

  undo(): void {
    const last = this.#undo.pop();
    this.undoable = this.#undo.length;
    if (last) this.#place(last.deed, last.lines, true);
  }

  double(): void {
    const lines = times(expected(this.registered, this.acts), 1);
    if (lines.length > 0) this.bet(lines);
  }

  repeat(factor = 1): void {
    if (this.previous.length > 0) this.bet(times(toMap(this.previous), factor));
  }

  saveFavourite(name: string): void {
    const lines = toLines(expected(this.registered, this.acts));
    if (lines.length === 0) return;
    this.favourites = [...this.favourites.filter((known) => known.name !== name), { name, lines }].slice(-12);
    device.set(`favourites.${this.#layoutKey()}`, this.favourites);
  }

  dropFavourite(name: string): void {
    this.favourites = this.favourites.filter((known) => known.name !== name);
    device.set(`favourites.${this.#layoutKey()}`, this.favourites);
  }

  #place(deed: Deed, lines: Stake[], undoing: boolean): void {
    const round = this.table.round?.number;
    if (!this.open || round === undefined) return;
    const now = clock.read();
    const act: Act = { id: this.#ids.next(now), deed, round, lines, undoing, refused: null, tapped_ms: Math.trunc(now), sent_ms: null };
    this.#sendAct(act);
    this.#setActs([...this.acts, act]);
    if (!undoing) {
      this.#undo.push(inverse(act));
      this.#undo.splice(0, this.#undo.length - UNDO);
    }
    this.undoable = this.#undo.length;
  }

  #sendAct(act: Act): void {
    const { id, round, lines } = act;
    const message: TerminalToHouse =
      act.deed === 'bet'
        ? { type: 'bet', id, round, lines }
        : act.deed === 'remove'
          ? { type: 'remove', id, round, lines }
          : { type: 'clear', id, round };
    if (this.#link.send(message)) act.sent_ms ??= Math.trunc(clock.read());
  }

  #setActs(acts: Act[]): void {
    this.acts = acts;
    this.#keep('pending', acts.filter((act) => !act.refused));
  }

  /** Through reloads, with whose it is: whoever sits here next does not find it. */
  #keep(what: 'pending' | 'previous' | 'turned-down', kept: Act[] | Stake[] | TurnedDown[]): void {
    if (this.#key === '' || !this.mine) return;
    tab.set(`${what}.${this.#key}`, kept.length > 0 ? { session: this.mine.session, kept } : null);
  }

  #found<T>(what: 'pending' | 'previous' | 'turned-down', session: number): T[] {
    const found = tab.get<{ session: number; kept: T[] }>(`${what}.${this.#key}`);
    return found?.session === session && Array.isArray(found.kept) ? found.kept : [];
  }

  // ——— Everything else a player asks ———

  /** Money in and out; true when it was done. What came of it is in `asked`. */
  insertNote = (amount: number) => this.#money({ type: 'insert_note', request: this.#request(), amount });
  cashOut = (amount: number) => this.#money({ type: 'cash_out', request: this.#request(), amount });
  redeem = (number: string) => this.#money({ type: 'redeem', request: this.#request(), number });
  callAttendant = () => this.asked.ask({ type: 'call_attendant', request: this.#request() });

  #request(): number {
    return this.#ids.next(clock.read());
  }

  #money(message: TerminalToHouse & { request: number }): Promise<boolean> {
    return this.asked.money(message, this.mine, clock.read());
  }

  // ——— What the house says ———

  #hello(): TerminalToHouse {
    const hello = { type: 'hello', protocol: PROTOCOL, token: this.#token } as const;
    return this.table.version > 0 ? { ...hello, from: this.table.version } : hello;
  }

  #layoutKey(): string {
    return `${this.table.info?.book}/${this.station?.layout}`;
  }

  #receive(message: HouseToTerminal): void {
    switch (message.type) {
      case 'welcome':
        clock.hear(message.server_ms);
        this.#welcome(message);
        break;
      case 'resume':
        if (!message.gapless) {
          this.table.forget();
          this.#mineVersion = 0;
        }
        break;
      case 'table':
        this.#table(message);
        break;
      case 'mine':
        if (message.version >= this.#mineVersion) {
          this.#mineVersion = message.version;
          this.#own(message.mine);
        }
        if (!this.#told) this.#resume(message.mine.session);
        break;
      case 'registered':
        this.#registered(message);
        break;
      case 'refused':
        this.#refused(message);
        break;
      case 'settlement':
        this.card = message.card;
        void this.play.load();
        if (this.mine && message.version >= this.#mineVersion)
          this.mine = { ...this.mine, credit: message.credit };
        break;
      case 'amended':
        this.amended = message;
        void this.play.load();
        if (this.mine && message.version >= this.#mineVersion)
          this.mine = { ...this.mine, credit: message.credit };
        break;
      case 'play':
        void this.play.load();
        break;
      case 'done':
        this.asked.done(message.request, null);
        break;
      case 'declined':
        this.asked.declined(message.request, new Problem(409, message.code, message.words, message.rule));
        break;
      case 'voucher': {
        const { voucher, amount, ticket } = message;
        this.asked.done(message.request, { voucher, amount, ticket });
        break;
      }
      case 'heartbeat':
        clock.hear(message.server_ms);
        break;
      case 'bye':
        this.bye = { code: message.code, words: message.words };
        if (FOR_GOOD.includes(message.code)) this.end();
        break;
    }
  }

  #welcome(message: Extract<HouseToTerminal, { type: 'welcome' }>): void {
    const { info, station } = message;
    this.table.info = info;
    this.bye = null;
    const key = `${info.table}.${station.station}`;
    if (key !== this.#key) {
      this.#key = key;
      this.mine = null;
      this.acts = [];
      this.previous = [];
      this.asked.at(key);
    }
    if (this.station?.layout !== station.layout || !this.layout) {
      // When it cannot be had, the connection is lost too: asked again at the next welcome.
      layoutOf(info.book, station.layout).then((layout) => (this.layout = layout), () => undefined);
    }
    this.station = station;
    this.favourites = device.get<Favourite[]>(`favourites.${this.#layoutKey()}`) ?? [];
    clearInterval(this.#beat);
    const every = Math.max(250, Math.trunc(message.silent_ms / 4));
    this.#beat = setInterval(() => this.#link.send({ type: 'heartbeat' } satisfies TerminalToHouse), every);
  }

  /**
   * The house is there and has said who plays here: what was on its way when
   * the connection was lost, or the page was loaded anew, is asked again. It
   * goes before the close is acknowledged, for a bet after that comes too late.
   */
  #resume(session: number): void {
    this.#told = true;
    for (const act of this.acts) if (!act.refused) this.#sendAct(act);
    this.asked.resume(session, clock.read());
    // What was settled or corrected meanwhile is in what the house counts.
    void this.play.load();
    this.#closing();
  }

  #table(message: Extract<HouseToTerminal, { type: 'table' }>): void {
    const before = this.table.round;
    this.table.heard(message.version, message.server_ms, message.state);
    const round = this.table.round;
    if (this.mine && this.#mineRound !== (round?.number ?? null)) {
      // Bets are of one round: the house does not say again that they are settled.
      this.#mineRound = round?.number ?? null;
      this.mine = { ...this.mine, bets: [], at_risk: 0, wait_for_next_round: false };
    }
    if (round && round.number !== before?.number) {
      this.#undo = [];
      this.undoable = 0;
    }
    if (round?.phase === 'betting' && before?.phase !== 'betting') {
      // New bets are called: the old round's card has been seen.
      this.card = null;
    }
    this.#closing();
  }

  /** The close is on the screen, and all that came before it is on its way. */
  #closing(): void {
    const round = this.table.round;
    if (this.#told && round && (round.phase === 'closing' || round.phase === 'closed')) void this.#close(round.number);
  }

  /** Shows the close, then says so. */
  async #close(round: number): Promise<void> {
    if (this.#shownRound === round) return;
    this.#shownRound = round;
    const lines = toLines(this.registered);
    if (lines.length > 0) {
      this.previous = lines;
      this.#keep('previous', lines);
    }
    await tick();
    if (document.visibilityState === 'visible') await painted();
    this.#link.send({ type: 'shown', round } satisfies TerminalToHouse);
  }

  #own(mine: Mine): void {
    const other = this.mine?.session !== mine.session;
    if (this.mine && other) this.#newPlayer();
    if (!this.mine) {
      this.acts = this.#found<Act>('pending', mine.session);
      this.previous = this.#found<Stake>('previous', mine.session);
      this.turnedDown = this.#found<TurnedDown>('turned-down', mine.session);
    }
    this.mine = mine;
    this.#mineRound = this.table.round?.number ?? null;
    if (other && this.#told) void this.play.load();
  }

  /** Somebody else plays here now: nothing of the one before is theirs. */
  #newPlayer(): void {
    // Money taken out or put in at this screen is how one player follows another
    // there; what came of it is still to be seen.
    if (!this.asked.justNow) {
      this.asked.seen();
      this.others += 1;
    }
    this.previous = [];
    this.card = null;
    this.amended = null;
    this.past = null;
    this.refusal = null;
    this.acts = [];
    this.#undo = [];
    this.undoable = 0;
    this.play.problem = null;
    tab.set(`previous.${this.#key}`, null);
    tab.set(`pending.${this.#key}`, null);
    this.turnedDown = [];
    tab.set(`turned-down.${this.#key}`, null);
  }

  #registered(message: Extract<HouseToTerminal, { type: 'registered' }>): void {
    const act = this.acts.find((known) => known.id === message.id);
    this.#setActs(this.acts.filter((known) => known.id !== message.id));
    if (message.past && act) this.past = message.past;
    if (!this.mine || message.version <= this.#mineVersion) return;
    this.#mineVersion = message.version;
    const bets = toMap(this.mine.bets);
    if (act && act.round === this.table.round?.number) carryOut(bets, act);
    this.mine = { ...this.mine, credit: message.credit, at_risk: message.at_risk, bets: toLines(bets) };
    if (act?.deed === 'bet') this.play.wagered();
  }

  #refused(message: Extract<HouseToTerminal, { type: 'refused' }>): void {
    const { id, code, words, rule } = message;
    const act = this.acts.find((known) => known.id === id);
    if (!act) return;
    const refused = { ...act, refused: { code, words, rule } };
    this.#setActs(this.acts.map((known) => (known.id === id ? refused : known)));
    if (act.deed === 'bet') {
      const { round, lines, tapped_ms, sent_ms } = act;
      this.turnedDown = [{ bet: id, round, lines, code, words, tapped_ms, sent_ms }, ...this.turnedDown].slice(0, TURNED_DOWN);
      this.#keep('turned-down', this.turnedDown);
    }
    // An undo that comes too late is no news.
    if (!act.undoing) {
      const at = this.#undo.findIndex((undo) => undo.lines === act.lines);
      if (at >= 0) this.#undo.splice(at, 1);
      this.undoable = this.#undo.length;
      this.refusal = { code, words, rule, section: act.lines.length === 1 ? (act.lines[0]?.section ?? null) : null };
      // It may have come just before the screen knew of it.
      if (SHUT.includes(code)) void this.play.load();
    }
    setTimeout(() => this.#setActs(this.acts.filter((known) => known.id !== id)), REFUSED_MS);
  }
}

/** The next picture is on the screen; or a moment has passed, where none is drawn. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, 200);
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        clearTimeout(late);
        resolve();
      }),
    );
  });
}
