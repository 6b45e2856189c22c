// Layouts as the house sends them, by their number of sections.
import text from '../fixtures/layouts.json?raw';
import type { LayoutInfo } from '../../src/wire';

const all = JSON.parse(text) as LayoutInfo[];

export function ofSize(sections: number): LayoutInfo {
  const found = all.find((layout) => layout.sections.length === sections);
  if (!found) throw new Error(`no layout of ${sections} sections`);
  return found;
}

export const SIZES = [50, 56, 104];
