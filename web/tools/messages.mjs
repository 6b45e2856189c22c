// The catalogues of messages: `src/messages/<language>/*.ftl`.
//
// English is the measure. Every other language has the same messages with the
// same variables, and every stable word of the house (src/words.ts) has its
// message; otherwise the build fails and says what is missing. The keys are
// written to src/messages/keys.ts, so that a misspelt one does not compile.
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, Visitor } from '@fluent/syntax';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const FOLDER = join(ROOT, 'src/messages');
const KEYS = join(FOLDER, 'keys.ts');
export const LANGUAGES = ['en', 'zh-Hans', 'zh-Hant', 'vi'];

/** Which list of words.ts has its messages under which prefix. */
const LISTS = {
  REFUSALS: 'refusal-',
  CAUSES: 'cause-',
  MATTERS: 'matter-',
  POSITIONS: 'position-',
  STEPS: 'step-',
  QUESTIONS: 'question-',
  KINDS: 'kind-',
  FACTS: 'fact-',
  SITUATIONS: 'situation-',
  PACKS: 'pack-',
  SKILLS: 'skill-',
  VERDICTS: 'verdict-',
  RESPONSES: 'response-',
  CONSEQUENCES: 'consequence-',
};

/** A stable word as the end of a message's key. */
export function keyOf(word) {
  return word.replace(/[^A-Za-z0-9]+/g, '-');
}

class Variables extends Visitor {
  constructor() {
    super();
    this.names = new Set();
  }
  visitVariableReference(node) {
    this.names.add(node.id.name);
  }
}

/** The text of a language and what it defines: key to its variables. */
function catalogue(language, faults) {
  const folder = join(FOLDER, language);
  const files = readdirSync(folder).filter((name) => name.endsWith('.ftl')).sort();
  const defined = new Map();
  let text = '';
  for (const file of files) {
    const source = readFileSync(join(folder, file), 'utf8');
    text += source + '\n';
    for (const entry of parse(source, { withSpans: true }).body) {
      if (entry.type === 'Junk') {
        const line = source.slice(0, entry.span.start).split('\n').length;
        faults.push(`${language}/${file}:${line}: cannot be read: ${entry.content.split('\n')[0]}`);
      }
      if (entry.type !== 'Message') continue;
      const key = entry.id.name;
      if (defined.has(key)) faults.push(`${language}/${file}: ${key} is there twice`);
      const variables = new Variables();
      variables.visit(entry);
      defined.set(key, [...variables.names].sort().join(' '));
    }
  }
  return { text, defined };
}

/** Reads all catalogues; gives the texts, the keys and every fault at once. */
export function read() {
  const faults = [];
  const texts = {};
  const known = {};
  for (const language of LANGUAGES) {
    const { text, defined } = catalogue(language, faults);
    texts[language] = text;
    known[language] = defined;
  }
  const english = known.en;
  for (const language of LANGUAGES.slice(1)) {
    for (const [key, variables] of english) {
      const there = known[language].get(key);
      if (there === undefined) faults.push(`${language}: ${key} is missing`);
      else if (there !== variables)
        faults.push(`${language}: ${key} has the variables [${there}], English has [${variables}]`);
    }
    for (const key of known[language].keys())
      if (!english.has(key)) faults.push(`${language}: ${key} is not in English`);
  }
  const words = readFileSync(join(ROOT, 'src/words.ts'), 'utf8');
  for (const [list, prefix] of Object.entries(LISTS)) {
    const body = words.match(new RegExp(`export const ${list} = \\[([^\\]]*)\\]`))?.[1];
    if (body === undefined) {
      faults.push(`words.ts has no ${list}`);
      continue;
    }
    for (const [, word] of body.matchAll(/'([^']+)'/g))
      if (!english.has(prefix + keyOf(word))) faults.push(`en: ${prefix}${keyOf(word)} is missing (${list})`);
  }
  return { faults, texts, keys: [...english.keys()].sort() };
}

function keysFile(keys) {
  return (
    '// Made by `npm run messages` from the English catalogue; not to be edited.\n' +
    'export type MessageKey =\n' +
    keys.map((key) => `  | '${key}'`).join('\n') +
    ';\n'
  );
}

/** The messages of a text whose keys fit. */
function chosen(text, fits) {
  const entries = parse(text, { withSpans: true }).body;
  const kept = entries.filter((entry) => entry.type === 'Message' && fits(entry.id.name));
  return kept.map((entry) => text.slice(entry.span.start, entry.span.end)).join('\n');
}

/** Files that a module of the app imports, at once or when they are wanted. */
function imported(file, source) {
  const found = [...source.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, path]) => join(dirname(file), path));
  return found.flatMap((path) => [path, `${path}.ts`].filter((name) => existsSync(name) && statSync(name).isFile()));
}

/** Whether a message is for guests: some module that their views lead to names its key, or how it begins. */
function forGuests(views) {
  const seen = new Set();
  const names = new Set();
  const starts = new Set();
  const walk = (file) => {
    // Types alone: one has every key, the other every word of the house.
    if (seen.has(file) || file === KEYS || file === join(ROOT, 'src/wire.ts')) return;
    seen.add(file);
    const source = readFileSync(file, 'utf8');
    for (const [, name] of source.matchAll(/['"]([a-z][\w-]*)['"]/gi)) names.add(name);
    for (const [, start] of source.matchAll(/`([a-z][\w-]*-)\$\{/gi)) starts.add(start);
    for (const [, list] of source.matchAll(/\bword\(\s*'([a-z]+)'/g)) starts.add(`${list}-`);
    for (const next of imported(file, source)) walk(next);
  };
  for (const view of views) walk(join(ROOT, 'src', view));
  return (key) => names.has(key) || [...starts].some((start) => key.startsWith(start));
}

/**
 * A Vite plugin: `virtual:messages/<language>` is that language's text, or `only` the messages whose keys fit. Where the
 * views of guests are named, it is what they need, and `virtual:messages/<language>-staff` is the rest.
 */
export function messages({ only = /./, guests = /** @type {string[]} */ ([]) } = {}) {
  const name = 'virtual:messages/';
  const whole = guests.length === 0 || process.env.VITEST !== undefined;
  return {
    name: 'sicbo-messages',
    buildStart() {
      const { faults } = read();
      if (faults.length > 0 && process.env.VITEST === undefined)
        this.error(`messages:\n  ${faults.join('\n  ')}`);
      for (const language of LANGUAGES)
        for (const file of readdirSync(join(FOLDER, language)))
          this.addWatchFile(join(FOLDER, language, file));
    },
    resolveId(id) {
      return id.startsWith(name) ? `\0${id}` : undefined;
    },
    load(id) {
      if (!id.startsWith(`\0${name}`)) return undefined;
      const [, language, staff] = /^(.*?)(-staff)?$/.exec(id.slice(name.length + 1));
      const is = whole ? () => true : forGuests(guests);
      const text = chosen(read().texts[language] ?? '', (key) => only.test(key) && is(key) === (staff === undefined));
      // Comments and blank lines are for those who write messages.
      const lean = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
      return `export default ${JSON.stringify(lean.join('\n') + '\n')};`;
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { faults, keys } = read();
  const text = keysFile(keys);
  if (process.argv.includes('--write')) writeFileSync(KEYS, text);
  let known = '';
  try {
    known = readFileSync(KEYS, 'utf8');
  } catch {
    // Reported as stale below.
  }
  if (known !== text) faults.push('src/messages/keys.ts is stale: npm run messages');
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exit(1);
  console.log(`${keys.length} messages in ${LANGUAGES.length} languages`);
}
