// Which view this page shows, by its path.

export type Route =
  | { view: 'lobby' }
  | { view: 'play' | 'table' | 'console' | 'wall' | 'try'; table: string }
  | { view: 'rules'; book: string }
  | { view: 'pit' | 'cashier' | 'technician' | 'people' | 'cases' | 'dice' | 'shifts' | 'surveillance' | 'security' }
  | { view: 'desk' | 'case' | 'reports'; table: string }
  | { view: 'practice' }
  | { view: 'lesson'; table: string }
  | { view: 'nowhere' };

export function parse(path: string): Route {
  let parts: string[];
  try {
    parts = path.split('/').filter((part) => part !== '').map(decodeURIComponent);
  } catch {
    // Not an address that anybody has given out.
    return { view: 'nowhere' };
  }
  const [view, name] = parts;
  if (view === undefined) return { view: 'lobby' };
  if (name === undefined && (view === 'pit' || view === 'cashier' || view === 'technician' || view === 'people' || view === 'cases' || view === 'dice' || view === 'shifts' || view === 'surveillance' || view === 'security')) return { view };
  if (view === 'reports' && name === undefined) return { view, table: '' };
  if (view === 'practice' && name === undefined) return { view: 'practice' };
  if (name !== undefined && parts.length === 2) {
    if (view === 'play' || view === 'table' || view === 'console' || view === 'wall' || view === 'try')
      return { view, table: name };
    if (view === 'rules') return { view, book: name };
    if (view === 'pit') return { view: 'desk', table: name };
    if (view === 'cases') return { view: 'case', table: name };
    if (view === 'reports') return { view, table: name };
    if (view === 'practice') return { view: 'lesson', table: name };
  }
  return { view: 'nowhere' };
}

class Router {
  current = $state.raw<Route>(parse(location.pathname));

  constructor() {
    addEventListener('popstate', () => (this.current = parse(location.pathname)));
    // Links within the app do not load it again.
    document.addEventListener('click', (event) => {
      if (event.defaultPrevented || event.button !== 0) return;
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const link = (event.target as Element | null)?.closest('a');
      if (!link || link.target !== '' || link.hasAttribute('download')) return;
      if (link.origin !== location.origin) return;
      if (parse(link.pathname).view === 'nowhere') return;
      event.preventDefault();
      this.go(link.pathname + link.search);
    });
  }

  go(path: string): void {
    history.pushState(null, '', path);
    this.current = parse(location.pathname);
    scrollTo(0, 0);
  }
}

export const router = new Router();
