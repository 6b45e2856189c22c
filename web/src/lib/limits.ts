// The limits of every kind of bet in few words, for screens on which they are
// always in sight.
import type { ShownLimit, TableInfo } from '../wire';
import { language, t, type MessageKey } from './i18n.svelte';
import { brief } from './money';

export interface LimitGroup {
  minimum: number;
  maximum: number;
  /** `5 – 500`. */
  range: string;
  /** `Small · Big`, or that it holds for every bet, or for all the others. */
  kinds: string;
}

/** With more kinds than this, and others that differ, a group is "all other bets". */
const NAMED = 4;

/** Kinds with the same limits together, in the order of kinds, the largest unnamed group last. */
export function limitGroups(info: TableInfo, offered: (kind: string) => boolean = () => true): LimitGroup[] {
  const groups = new Map<string, ShownLimit[]>();
  for (const limit of info.limits.filter((one) => offered(one.kind))) {
    const key = `${limit.minimum} ${limit.maximum}`;
    groups.set(key, [...(groups.get(key) ?? []), limit]);
  }
  const largest = Math.max(...[...groups.values()].map((group) => group.length));
  const others = [...groups.values()].find((group) => group.length === largest && group.length > NAMED);
  const told = [...groups.values()].filter((group) => group !== others);
  if (others) told.push(others);
  return told.flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { minimum, maximum } = first;
    const one = (minor: number) => brief(minor, info.currency, language());
    const names = group.map((limit) => t(`kind-${limit.kind}` as MessageKey)).join(' · ');
    const kinds = groups.size === 1 ? t('limits-every-bet') : group === others ? t('limits-other-bets') : names;
    return [{ minimum, maximum, range: `${one(minimum)} – ${one(maximum)}`, kinds }];
  });
}
