// What was reported at a table, in words.
import { message, t } from './i18n.svelte';
import type { Incident } from './staff.svelte';

/** A device on the line is told as `dice-reader connected`. */
export function incidentWords({ kind, note }: Pick<Incident, 'kind' | 'note'>): string {
  if (kind === 'device') {
    const [device = '', what = ''] = note.split(' ');
    const name = message(`device-${device}`) ?? device;
    return message(`device-is-${what}`, { name }) ?? `${name}: ${what}`;
  }
  return message(`incident-${kind.replaceAll('_', '-')}`) ?? t('incident-other');
}
