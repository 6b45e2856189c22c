// What a screen says and sounds as play goes on, besides what it shows.
import type { PhaseName } from '../wire';
import { language, t } from './i18n.svelte';
import { resultWords } from './names';
import { sound } from './sound';
import { speak } from './speech';
import type { TableStore } from './table.svelte';

/** Follows a table; `said` is for a live region. Called while a component is made. */
export function follow(table: () => TableStore | null): { readonly said: string } {
  let said = $state('');
  let phase: PhaseName | null = null;
  let round = 0;
  let result = false;
  let second = -1;
  let first = true;

  $effect(() => {
    const now = table()?.round ?? null;
    const words = table()?.state?.words ?? null;
    const before = { phase, round, result };
    phase = now?.phase ?? null;
    round = now?.number ?? round;
    result = now?.result != null;
    // What was so when the page opened is not news.
    if (first) {
      first = table()?.state == null;
      return;
    }
    if (now === null) return;
    if (phase === 'betting' && (before.phase !== 'betting' || before.round !== round)) {
      sound.placeBets();
      said = words ?? t('phase-betting');
      speak(said, language());
    } else if (phase === 'closing' && before.phase === 'betting') {
      sound.noMoreBets();
      said = words ?? t('phase-closing');
      speak(said, language());
    }
    if (now.result && (!before.result || before.round !== round)) {
      said = resultWords(now.result);
      speak(said, language());
    }
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
