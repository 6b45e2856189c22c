// Messages in the language of this station. The catalogues are Fluent files;
// only the one in use is loaded.
import { FluentBundle, FluentNumber, FluentResource, type FluentVariable } from '@fluent/bundle';
import type { MessageKey } from '../messages/keys';
import { settings, type Language } from './settings.svelte';

export type { MessageKey };
export type Args = Record<string, FluentVariable>;

const load: Record<Language, () => Promise<{ default: string }>> = {
  en: () => import('virtual:messages/en'),
  'zh-Hans': () => import('virtual:messages/zh-Hans'),
  'zh-Hant': () => import('virtual:messages/zh-Hant'),
  vi: () => import('virtual:messages/vi'),
};

/** What only staff read. */
const loadStaff: Record<Language, () => Promise<{ default: string }>> = {
  en: () => import('virtual:messages/en-staff'),
  'zh-Hans': () => import('virtual:messages/zh-Hans-staff'),
  'zh-Hant': () => import('virtual:messages/zh-Hant-staff'),
  vi: () => import('virtual:messages/vi-staff'),
};

/** Each language by its own name. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  'zh-Hans': '简体中文',
  'zh-Hant': '繁體中文',
  vi: 'Tiếng Việt',
};

let bundle = $state.raw<FluentBundle | null>(null);
let ready = $state.raw<Language | null>(null);
/** Staff have been here: their words come with every language from now on. */
let staff = false;

/** Loads the language in use; resolves when messages can be shown. */
export async function useLanguage(language: Language): Promise<void> {
  const texts = await Promise.all([load[language](), ...(staff ? [loadStaff[language]()] : [])]);
  // Another may have been chosen while this one was on its way.
  if (language !== settings.language) return;
  const next = new FluentBundle(language, { useIsolating: false });
  for (const { default: text } of texts) next.addResource(new FluentResource(text));
  bundle = next;
  ready = language;
  document.documentElement.lang = language;
}

/** Loads what only staff read as well. */
export async function useStaffWords(): Promise<void> {
  if (staff) return;
  staff = true;
  await useLanguage(settings.language);
}

/** The language whose messages are loaded. */
export function language(): Language {
  return ready ?? settings.language;
}

/** Messages can be shown. */
export function isReady(): boolean {
  return ready !== null;
}

/** A message. */
export function t(key: MessageKey, args?: Args): string {
  const found = message(key, args);
  // Every key has its message: what is missing here is with what staff read.
  if (found === null && bundle !== null) void useStaffWords();
  return found ?? key;
}

/** A message that may not exist, such as that of a word from the house. */
export function message(key: string, args?: Args): string | null {
  const found = bundle?.getMessage(key);
  if (!bundle || !found?.value) return null;
  return bundle.formatPattern(found.value, args ? plain(args) : null, []);
}

/** Numbers of rounds and dice are names, not amounts: no grouping. Amounts come as text. */
function plain(args: Args): Args {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [
      key,
      typeof value === 'number' ? new FluentNumber(value, { useGrouping: false }) : value,
    ]),
  );
}

/** What this house calls its positions above the director, by their word. */
let ownPositions = $state.raw<ReadonlyMap<string, string>>(new Map());

export function usePositionNames(named: readonly { position: string; name: string }[]): void {
  ownPositions = new Map(named.map((one) => [one.position, one.name]));
}

/** The message of a stable word of the house: `cause` and `die-not-flat`. */
export function word(
  list:
    | 'refusal'
    | 'cause'
    | 'matter'
    | 'position'
    | 'step'
    | 'question'
    | 'kind'
    | 'fact'
    | 'situation'
    | 'pack'
    | 'skill'
    | 'verdict'
    | 'response'
    | 'consequence'
    | 'act'
    | 'role'
    | 'device'
    | 'voucher-state'
    | 'case-kind'
    | 'grievance'
    | 'case-state'
    | 'case-step'
    | 'outcome'
    | 'answer'
    | 'moment'
    | 'dice-state'
    | 'alert',
  stable: string,
  args?: Args,
): string | null {
  const named = list === 'position' ? ownPositions.get(stable) : undefined;
  if (named !== undefined) return named;
  return message(`${list}-${stable.replace(/[^A-Za-z0-9]+/g, '-')}`, args);
}
