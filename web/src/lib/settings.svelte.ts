// What a person has chosen for this station: kept in the browser, per device.

export const LANGUAGES = ['en', 'zh-Hans', 'zh-Hant', 'vi'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Contrast = 'normal' | 'high';
export const THEMES = ['dark', 'light'] as const;
export type Theme = (typeof THEMES)[number];
/** Sizes of letters, in hundredths of the usual one. */
export const TEXT_SIZES = [100, 125, 150, 200] as const;
export type TextSize = (typeof TEXT_SIZES)[number];

interface Kept {
  language: Language;
  volume: number;
  muted: boolean;
  speech: boolean;
  mirror: boolean;
  contrast: Contrast;
  calm: boolean;
  theme: Theme;
  text: TextSize;
  shortcuts: boolean;
  camera: boolean;
}

const KEY = 'sicbo.settings';

/** The nearest of our languages to those the browser asks for. */
export function nearestLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const lower = tag.toLowerCase();
    if (lower.startsWith('vi')) return 'vi';
    if (lower.startsWith('en')) return 'en';
    if (lower.startsWith('zh')) {
      const traditional = /hant|-tw|-hk|-mo/.test(lower);
      return traditional ? 'zh-Hant' : 'zh-Hans';
    }
  }
  return 'en';
}

function stored(): Partial<Kept> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>;
  } catch {
    // No storage, or not ours: the defaults do.
    return {};
  }
}

class Settings {
  language = $state<Language>('en');
  volume = $state(0.6);
  muted = $state(false);
  speech = $state(true);
  mirror = $state(false);
  contrast = $state<Contrast>('normal');
  /** Little motion, also where the system does not ask for it. */
  calm = $state(false);
  theme = $state<Theme>('dark');
  text = $state<TextSize>(100);
  /** Single keys that pick a chip, undo, repeat and double (WCAG 2.1.4: they can be turned off). */
  shortcuts = $state(true);
  /** The camera over the table is shown where it has one. */
  camera = $state(true);

  constructor() {
    const kept = stored();
    const known = LANGUAGES.find((language) => language === kept.language);
    this.language = known ?? nearestLanguage(globalThis.navigator?.languages ?? []);
    if (typeof kept.volume === 'number') this.volume = Math.min(1, Math.max(0, kept.volume));
    this.muted = kept.muted === true;
    this.speech = kept.speech !== false;
    this.mirror = kept.mirror === true;
    this.contrast = kept.contrast === 'high' ? 'high' : 'normal';
    this.calm = kept.calm === true;
    this.theme = kept.theme === 'light' ? 'light' : 'dark';
    this.text = TEXT_SIZES.find((size) => size === kept.text) ?? 100;
    this.shortcuts = kept.shortcuts !== false;
    this.camera = kept.camera !== false;
  }

  /** Keeps everything as it is now. */
  keep(): void {
    const kept: Kept = {
      language: this.language,
      volume: this.volume,
      muted: this.muted,
      speech: this.speech,
      mirror: this.mirror,
      contrast: this.contrast,
      calm: this.calm,
      theme: this.theme,
      text: this.text,
      shortcuts: this.shortcuts,
      camera: this.camera,
    };
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // Not kept for next time; it works for now.
    }
  }
}

export const settings = new Settings();

/** The person, or their system, wants little motion. */
export function littleMotion(): boolean {
  return settings.calm || matchMedia('(prefers-reduced-motion: reduce)').matches;
}
