// What is said beside the tumbler, by what may be seen of it.
import type { PublicState } from '../wire';
import { t } from './i18n.svelte';
import type { Moment } from './timeline';

export function tumblerWords(state: PublicState, moment: Moment): string {
  const { round, last } = state;
  switch (moment.tumbler) {
    case 'shown':
      return round?.result || !moment.told.roads ? t('strip-result') : t('strip-last');
    case 'last':
      return t('strip-last');
    case 'empty':
      if (round) return t('strip-before');
      return last ? t('strip-void') : t('strip-none');
    case 'shaking':
    case 'tumbling':
      return t('strip-tumbling');
    case 'veiled':
      if (round?.tumble === 'invalid') return t('strip-invalid', { count: moment.counted });
      return round?.cover === 'covered' ? t('strip-covered') : t('strip-reading');
  }
}
