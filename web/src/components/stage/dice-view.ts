// Dice in three dimensions on a canvas of the page, drawn by a worker: the page's
// own thread only says what is to be seen and how large.
import type { Shown } from './dice3d';
import type { FromDice, ToDice } from './dice3d.worker';

export interface DiceView {
  show(what: Shown): void;
  end(): void;
}

/** Pixels are not drawn beyond this: more would only heat the device. */
const MAX_WIDTH = 1_400;

/** Null where a device has no such drawing; `onplain` when it turns out so later, `onready` when dice can be seen. */
export function diceView(canvas: HTMLCanvasElement, onready: () => void, onplain: () => void): DiceView | null {
  if (typeof Worker === 'undefined' || typeof OffscreenCanvas === 'undefined' || !('transferControlToOffscreen' in canvas)) return null;
  const worker = new Worker(new URL('./dice3d.worker.ts', import.meta.url), { type: 'module' });
  const tell = (what: ToDice, moved: Transferable[] = []): void => worker.postMessage(what, moved);
  worker.addEventListener('message', ({ data }: MessageEvent<FromDice>) => (data === 'ready' ? onready() : onplain()));
  worker.addEventListener('error', onplain);
  const offscreen = canvas.transferControlToOffscreen();
  tell({ canvas: offscreen }, [offscreen]);
  const measure = (): void => {
    const wide = Math.min(MAX_WIDTH, Math.round(canvas.clientWidth * Math.min(2, devicePixelRatio)));
    tell({ size: [wide, Math.round((wide * canvas.clientHeight) / Math.max(1, canvas.clientWidth))] });
  };
  const resized = new ResizeObserver(measure);
  resized.observe(canvas);
  return {
    show: (what) => tell({ show: typeof what === 'string' ? what : [what[0], what[1], what[2]] }),
    end() {
      resized.disconnect();
      worker.terminate();
    },
  };
}
