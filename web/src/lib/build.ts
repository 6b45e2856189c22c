// Which build of the app this page runs, and loading it anew where the house serves another.

const KEPT = 'sicbo-reloaded';

/** The script this page began with; its name carries a hash of the whole app. Null outside a build. */
export function ownScript(): string | null {
  const src = document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null;
  return src !== null && src.startsWith('/assets/') ? src : null;
}

/** Loads the page again, once for each build: a page that stays the same is not loaded without end. */
export function reloadOnce(load: () => void = () => location.reload()): void {
  const own = ownScript() ?? '';
  if (sessionStorage.getItem(KEPT) === own) return;
  sessionStorage.setItem(KEPT, own);
  load();
}
