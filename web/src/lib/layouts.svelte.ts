// Every layout in use at a table: its terminals may have different odds.
import type { LayoutInfo, TableInfo } from '../wire';
import { layoutOf } from './table.svelte';

/** Follows a table; called while a component is made. */
export function layoutsInUse(info: () => Pick<TableInfo, 'book' | 'layouts'> | null): { readonly all: readonly LayoutInfo[] } {
  let all = $state.raw<readonly LayoutInfo[]>([]);
  $effect(() => {
    const known = info();
    if (!known) return;
    // When one cannot be had, the connection is lost too, and what stands there stays.
    Promise.all(known.layouts.map((layout) => layoutOf(known.book, layout))).then((found) => (all = found), () => undefined);
  });
  return {
    get all() {
      return all;
    },
  };
}
