// How a page looks, by what its person has chosen: theme, contrast, size of letters, motion.
import { settings } from './settings.svelte';

export interface Place {
  /** It has the screen to itself and grows with it. */
  alone?: boolean;
  /** A guest's page: by daylight if they like. Walls and the screens of staff are for dim rooms. */
  guest: boolean;
}

/** Puts it on, and keeps it for the next page. */
export function wear({ alone = false, guest }: Place): void {
  const root = document.documentElement;
  root.dataset['contrast'] = settings.contrast;
  root.dataset['text'] = String(settings.text);
  root.dataset['theme'] = guest && settings.contrast !== 'high' ? settings.theme : 'dark';
  root.toggleAttribute('data-alone', alone);
  root.toggleAttribute('data-calm', settings.calm);
  settings.keep();
}
