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
import { afterwards, carryOut, expected, fitting, Ids, inverse, onSections, sum, times, toLines, toMap, type Act, type Deed, type Stakes, type TurnedDown } from './bets';
import { clock } from './clock.svelte';
import { parseSection } from './dice';
import { painted } from './painted';
import { PlayStore } from './play.svelte';
import { RoadStore } from './road.svelte';
import { settings } from './settings.svelte';
import { Link, type LinkState } from './socket';
import { device, tab } from './store';
import { layoutOf, TableStore } from './table.svelte';
import { ownScript, reloadOnce } from './build';

const PROTOCOL = 1;
/** How long a refused chip stays on the layout, struck through. */
const REFUSED_MS = 5_000;
/** Byes after which coming back would only be refused again. */
const FOR_GOOD = ['taken_over', 'not_enrolled', 'other_protocol', 'no_hello'];
/** Refusals after which the layout is shut. */
const SHUT = ['play_stopped', 'on_a_break', 'card_elsewhere', 'reality_check_due'];
/** Refusals of a whole set of bets that may leave room for some of them. */
const IN_PART = /^(stake_(below_minimum|above_maximum|off_step)|station_maximum|insufficient_credit|exposure_above_maximum|not_offered|(day_|week_|month_)?(spend|loss)_limit_reached)$/;
/** How long a figure stands at its spot. */
const NOTE_MS = 6_000;
/** How many steps can be undone. */
const UNDO = 50;
/** The house waits two seconds for a terminal to show the close. */
const SHOWN_TIMEOUT_MS = 200;
/** How many bets that were not taken are kept for a dispute about them. */
const TURNED_DOWN = 20;

export interface Favourite {
  name: string;
  lines: Stake[];
}

/** Why something was not bet, for the spot it was meant for. */
export interface Note {
  /** The house's word, or ours: `not_bet` for loose chips that bets closed over. */
  code: string;
  words: string;
  /** The figure that stood in its way, where there is one. */
  amount: number | null;
  /** What was not bet. */
  stake: number;
}

interface Undo {
  deed: Deed | null;
  lines: Stake[];
  /** What lay loose before, by section. */
  loose: [section: string, stake: number][];
}

export type Amended = Extract<HouseToTerminal, { type: 'amended' }>;

export class TerminalStore {
  readonly table = new TableStore();
  readonly play: PlayStore;
  readonly asked: Asks;
  readonly road = new RoadStore();
  link = $state<LinkState>('connecting');
  station = $state.raw<StationInfo | null>(null);
  layout = $state.raw<LayoutInfo | null>(null);
  mine = $state.raw<Mine | null>(null);
  /** The newest card; stays until the next one, or the next player. */
  card = $state.raw<Card | null>(null);
  /** Sent and not yet answered, or refused a moment ago. */
  acts = $state.raw<Act[]>([]);
  /** The house has ended the connection for good: its word and its reason. */
  bye = $state.raw<{ code: string; words: string } | null>(null);
  /** The newest refusal, for the screen to say. */
  refusal = $state.raw<{ code: string; words: string; rule: string | null; section: string | null } | null>(null);
  /** Figures at the spots that were refused. */
  notes = $state.raw<ReadonlyMap<string, Note>>(new Map());
  /** Chips that are not yet a bet: together below the minimum of their section. */
  loose = $state.raw<Stakes>(new Map());
  /** The newest set of bets of which only some could be placed. */
  partly = $state.raw<{ what: 'doubled' | 'repeated'; done: number; all: number } | null>(null);
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
  #undo: Undo[] = [];
  #noted: ReturnType<typeof setTimeout> | undefined;
  #shownRound = 0;
  /** The house has said on this connection who plays here. */
  #told = false;
  #beat: ReturnType<typeof setInterval> | undefined;

  registered = $derived(toMap(this.mine?.bets ?? []));
  /** Bets as they stood when their round ended. */
  #stood = $state.raw<{ round: number; bets: Map<string, number>; at_risk: number } | null>(null);
  /** What was shown of the player's money when the round's settlement came. */
  #unpaid = $state.raw<{ round: number; credit: number; net: number | null } | null>(null);
  /** What stands on the layout; once the round is over what stood there, then what was paid and taken. */
  sections = $derived.by(() => {
    const last = this.table.state?.last?.number;
    if (this.table.round !== null || last === undefined) return onSections(this.registered, this.acts, this.loose);
    if (this.card?.end.number === last && this.table.moment.told.chips) return afterwards(this.card.lines);
    return onSections(this.#stood?.round === last ? this.#stood.bets : this.registered, this.acts);
  });
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
    clearTimeout(this.#noted);
    this.play.end();
    this.#link.end();
    this.table.end();
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

  /** Money as far as the round has been told: what it brought is seen after its dice. */
  get shownMoney(): { credit: number; bets: number; net: number | null } {
    const last = this.table.round === null && !this.table.moment.told.chips ? this.table.state?.last?.number : undefined;
    const unpaid = last !== undefined && this.#unpaid?.round === last ? this.#unpaid : null;
    const stood = last !== undefined && this.#stood?.round === last ? this.#stood : null;
    return {
      credit: unpaid?.credit ?? this.mine?.credit ?? 0,
      bets: stood?.at_risk ?? this.mine?.at_risk ?? 0,
      net: unpaid ? unpaid.net : this.net,
    };
  }

  /** Won less lost since the player came, as the house counts it; null until it has said so. */
  get net(): number | null {
    const shown = this.play.shown;
    return shown !== null && shown.session === this.mine?.session ? shown.net : null;
  }

  /** Credit that is not yet spoken for. */
  get free(): number {
    return (this.mine?.credit ?? 0) - Math.max(0, this.inFlight) - sum(this.loose);
  }

  // ——— Betting ———

  bet(lines: Stake[], undoing = false): void {
    this.#place('bet', lines, undoing);
  }

  /** A chip on a section: it lies loose until what is there makes a bet. */
  add(section: string, stake: number): void {
    if (!this.open) return;
    this.#unnote(section);
    const minimum = this.#limit(section)?.minimum ?? 0;
    const there = expected(this.registered, this.acts).get(section) ?? 0;
    const before = this.loose.get(section) ?? 0;
    const together = before + stake;
    if (there + together >= minimum) {
      this.#setLoose(section, 0);
      this.#place('bet', [{ section, stake: together }], false, before > 0 ? [[section, before]] : []);
    } else if (stake > this.free) {
      this.#note(section, 'insufficient_credit', '', stake);
      this.refusal = { code: 'insufficient_credit', words: '', rule: null, section };
    } else {
      this.#setLoose(section, together);
      this.#remember({ deed: null, lines: [], loose: [[section, before]] });
    }
  }

  /** Takes so much back, or what is there when it is less: loose chips first. */
  take(section: string, stake: number): void {
    if (!this.open) return;
    this.#unnote(section);
    const before = this.loose.get(section) ?? 0;
    if (before > 0) {
      this.#setLoose(section, Math.max(0, before - stake));
      this.#remember({ deed: null, lines: [], loose: [[section, before]] });
      return;
    }
    const there = expected(this.registered, this.acts).get(section) ?? 0;
    const less = Math.min(there, stake);
    if (less === 0) return;
    const rest = there - less;
    // Less than a bet cannot stand: the whole bet comes back, the rest lies loose.
    const short = rest > 0 && rest < (this.#limit(section)?.minimum ?? 0);
    this.#place('remove', [{ section, stake: short ? there : less }], false, short ? [[section, 0]] : []);
    if (short) this.#setLoose(section, rest);
  }

  clear(): void {
    if (!this.open) return;
    const loose = [...this.loose];
    this.loose = new Map();
    const lines = toLines(expected(this.registered, this.acts));
    if (lines.length > 0) this.#place('clear', lines, false, loose);
    else if (loose.length > 0) this.#remember({ deed: null, lines: [], loose });
  }

  undo(): void {
    if (!this.open) return;
    const last = this.#undo.pop();
    this.undoable = this.#undo.length;
    if (!last) return;
    for (const [section, stake] of last.loose) this.#setLoose(section, stake);
    if (last.deed !== null) this.#place(last.deed, last.lines, true);
  }

  /** Doubles what can be; the rest is told at its spots. */
  double(): void {
    const loose = [...this.loose];
    this.#fit('doubled', times(expected(this.registered, this.acts), 1));
    for (const [section, stake] of loose) this.add(section, stake);
  }

  /** Bets again what can be; the rest is told at its spots. */
  repeat(factor = 1): void {
    this.#fit('repeated', times(toMap(this.previous), factor));
  }

  #fit(what: 'doubled' | 'repeated', lines: Stake[]): void {
    if (!this.open || lines.length === 0) return;
    const room = { limit: (section: string) => this.#limit(section), station_maximum: this.table.info?.station_maximum ?? null, credit: this.free };
    const { fits, unfit } = fitting(lines, expected(this.registered, this.acts), room);
    for (const { section, code, amount } of unfit) this.#note(section, code, '', lines.find((line) => line.section === section)?.stake ?? 0, amount);
    const whole = lines.filter((line) => !unfit.some(({ section }) => section === line.section)).length;
    this.partly = unfit.length > 0 ? { what, done: whole, all: lines.length } : null;
    if (fits.length > 0) this.bet(fits);
  }

  #limit(section: string) {
    return this.table.limit(parseSection(section).kind);
  }

  #setLoose(section: string, stake: number): void {
    const loose = new Map(this.loose);
    if (stake > 0) loose.set(section, stake);
    else loose.delete(section);
    this.loose = loose;
  }

  /** Bets are closed over chips that never became a bet: they go back, and it is said. */
  #sweep(): void {
    for (const [section, stake] of this.loose) this.#note(section, 'not_bet', '', stake, this.#limit(section)?.minimum ?? 0);
    this.loose = new Map();
  }

  /** The figure in the way of a bet, as far as this screen knows it. */
  #figure(section: string, code: string): number | null {
    const limit = this.#limit(section);
    const own = /^(?:(day|week|month)_)?(loss|spend)_limit_reached$/.exec(code);
    if (own) {
      const [, window = 'session', measure] = own;
      return this.play.shown?.limits.find((one) => one.window === window && one.measure === measure)?.most ?? null;
    }
    switch (code) {
      case 'stake_below_minimum':
        return limit?.minimum ?? null;
      case 'stake_above_maximum':
        return limit?.maximum ?? null;
      case 'station_maximum':
        return this.table.info?.station_maximum ?? null;
      case 'insufficient_credit':
        return Math.max(0, this.free);
      default:
        return null;
    }
  }

  #note(section: string, code: string, words: string, stake: number, amount = this.#figure(section, code)): void {
    this.notes = new Map(this.notes).set(section, { code, words, amount, stake });
    clearTimeout(this.#noted);
    this.#noted = setTimeout(() => {
      this.notes = new Map();
      this.partly = null;
    }, NOTE_MS);
  }

  #unnote(section: string): void {
    this.partly = null;
    if (!this.notes.has(section)) return;
    const notes = new Map(this.notes);
    notes.delete(section);
    this.notes = notes;
  }

  #remember(undo: Undo): void {
    this.#undo.push(undo);
    this.#undo.splice(0, this.#undo.length - UNDO);
    this.undoable = this.#undo.length;
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

  #place(deed: Deed, lines: Stake[], undoing: boolean, loose: Undo['loose'] = []): void {
    const round = this.table.round?.number;
    if (!this.open || round === undefined) return;
    const now = clock.read();
    const act: Act = { id: this.#ids.next(now), deed, round, lines, undoing, refused: null, tapped_ms: Math.trunc(now), sent_ms: null };
    this.#sendAct(act);
    this.#setActs([...this.acts, act]);
    if (!undoing) this.#remember({ ...inverse(act), loose });
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
  cashOut = (amount: number) => this.#money({ type: 'cash_out', request: this.#request(), amount, language: settings.language });
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
    const app = ownScript();
    const hello = { type: 'hello', protocol: PROTOCOL, token: this.#token, ...(app === null ? {} : { app }) } as const;
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
        this.#unpaid = this.mine && { round: message.card.end.number, credit: this.mine.credit, net: this.net };
        this.card = message.card;
        void this.play.load();
        if (this.mine && message.version >= this.#mineVersion) {
          this.mine = { ...this.mine, credit: message.credit };
          if (this.table.round === null) this.#emptied();
        }
        break;
      case 'amended':
        this.amended = message;
        void this.play.load();
        if (this.mine && message.version >= this.#mineVersion)
          this.mine = { ...this.mine, credit: message.credit };
        break;
      case 'reload':
        reloadOnce();
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
    void this.road.load(info.table);
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
    // What stood on the layout stays in sight until its card says what became of it.
    const unsettled = round === null && this.registered.size > 0 && this.card?.end.number !== this.table.state?.last?.number;
    if (this.mine && this.#mineRound !== (round?.number ?? null) && !unsettled) this.#emptied();
    this.road.heard(this.table.state?.last ?? null);
    if (before?.phase === 'betting' && (round?.phase !== 'betting' || round.number !== before.number)) this.#sweep();
    if (round && round.number !== before?.number) {
      this.#undo = [];
      this.undoable = 0;
    }
    this.#closing();
  }

  /** Bets are of one round: the house does not say again that they are settled. */
  #emptied(): void {
    if (this.mine && this.#mineRound !== null) this.#stood = { round: this.#mineRound, bets: this.registered, at_risk: this.mine.at_risk };
    this.#mineRound = this.table.round?.number ?? null;
    if (this.mine) this.mine = { ...this.mine, bets: [], at_risk: 0, wait_for_next_round: false };
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
    if (document.visibilityState === 'visible') await painted(SHOWN_TIMEOUT_MS);
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
    this.#stood = null;
    this.#unpaid = null;
    this.amended = null;
    this.past = null;
    this.refusal = null;
    this.acts = [];
    this.loose = new Map();
    this.notes = new Map();
    this.partly = null;
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
      if (act.deed === 'bet' && act.lines.length > 1 && IN_PART.test(code) && this.open) {
        // Nothing of it was taken: each bet by itself, so that those that can be are.
        this.#setActs(this.acts.filter((known) => known.id !== id));
        for (const line of act.lines) this.bet([line]);
        return;
      }
      for (const { section, stake } of act.lines) this.#note(section, code, words, stake);
      this.refusal = { code, words, rule, section: act.lines.length === 1 ? (act.lines[0]?.section ?? null) : null };
      // It may have come just before the screen knew of it.
      if (SHUT.includes(code)) void this.play.load();
    }
    setTimeout(() => this.#setActs(this.acts.filter((known) => known.id !== id)), REFUSED_MS);
  }
}

/** Where a terminal's rounds are played: what a receipt's address names. */
export function placeOf(terminal: TerminalStore): { table: string; station: string } | null {
  const { table, station } = terminal;
  return table.info && station ? { table: table.info.table, station: station.name } : null;
}
