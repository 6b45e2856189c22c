// What a screen says and sounds as play goes on, besides what it shows.
import type { PhaseName, ShownEnd, ShownRound, TumbleState } from '../wire';
import { language, t } from './i18n.svelte';
import { documentWords, resultWords } from './names';
import { sound } from './sound';
import { speak } from './speech';
import type { TableStore } from './table.svelte';

/** The tumbler is heard so often while it runs; nobody counts tumbles by it. */
const RATTLE_MS = 900;

/** A name for the newest outcome: the same when it is told twice. */
function ending(now: ShownRound | null, last: ShownEnd | null): string | null {
  if (now?.result) return `${now.number} ${now.result.dice.join()}`;
  return now === null && last ? `${last.number} ${last.result?.dice.join() ?? 'void'}` : null;
}

/** Follows a table; `said` is for a live region. Called while a component is made. */
export function follow(table: () => TableStore | null): { readonly said: string } {
  let said = $state('');
  let phase: PhaseName | null = null;
  let round = 0;
  let told: string | null = null;
  let second = -1;
  let first = true;

  $effect(() => {
    const now = table()?.round ?? null;
    const words = table()?.state?.words ?? null;
    const before = { phase, round };
    phase = now?.phase ?? null;
    round = now?.number ?? round;
    // What was so when the page opened is not news.
    if (first) {
      first = table()?.state == null;
      told = ending(now, table()?.state?.last ?? null);
      return;
    }
    // Confirmed within the round, or told as the round's end: once in any case,
    // and never before its dice have been seen.
    const end = table()?.moment.told.total === false ? null : ending(now, table()?.state?.last ?? null);
    if (end !== null && end !== told) {
      const outcome = now?.result ?? table()?.state?.last?.result ?? null;
      said = outcome ? resultWords(outcome) : t('round-void');
      speak(said, language());
    }
    told = end ?? told;
    if (now === null) return;
    if (phase === 'betting' && (before.phase !== 'betting' || before.round !== round)) {
      sound.placeBets();
      said = documentWords(t('phase-betting'), words, table()?.info?.language ?? '');
      speak(said, language());
    } else if (phase === 'closing' && before.phase === 'betting') {
      sound.noMoreBets();
      said = documentWords(t('phase-closing'), words, table()?.info?.language ?? '');
      speak(said, language());
    }
  });

  // The tumbler is heard while it runs, and the dice as they come to rest or are uncovered.
  let tumble: TumbleState | null = null;
  let seen: string | null | undefined;
  $effect(() => {
    const now = table()?.round?.tumble ?? null;
    const stopped = tumble === 'activated' && (now === 'valid' || now === 'invalid');
    tumble = now;
    if (stopped) sound.land();
    if (now !== 'activated') return;
    sound.tumble();
    const every = setInterval(() => sound.tumble(), RATTLE_MS);
    return () => clearInterval(every);
  });
  $effect(() => {
    const moment = table()?.moment;
    if (!moment || !table()?.state) return;
    const now = moment.tumbler === 'shown' && moment.told.dice ? (moment.result?.dice.join() ?? null) : null;
    if (seen === null && now !== null) sound.lift();
    seen = now;
  });

  $effect(() => {
    const left = table()?.left_ms ?? null;
    if (left === null) return;
    const seconds = Math.ceil(left / 1_000);
    if (seconds !== second && (seconds === 10 || (seconds <= 5 && seconds > 0))) sound.lastSeconds();
    second = seconds;
  });

  return {
    get said() {
      return said;
    },
  };
}
