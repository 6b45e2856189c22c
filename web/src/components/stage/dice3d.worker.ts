// The worker that draws the dice: told what to show, it draws by itself.
import { drawDice, type DiceDrawing, type Shown } from './dice3d';

/** What the page tells the worker. */
export type ToDice = { canvas: OffscreenCanvas } | { size: readonly [wide: number, high: number] } | { show: Shown };
/** What the worker tells the page: the dice can be seen, or the drawn ones must do. */
export type FromDice = 'ready' | 'plain';

let drawing: DiceDrawing | null = null;
const tell = (what: FromDice): void => postMessage(what);

addEventListener('message', ({ data }: MessageEvent<ToDice>) => {
  if ('canvas' in data) {
    drawing = drawDice(data.canvas, () => tell('plain'));
    data.canvas.addEventListener('contextlost', () => tell('plain'));
    data.canvas.addEventListener('webglcontextlost' as 'contextlost', () => tell('plain'));
    tell(drawing === null ? 'plain' : 'ready');
  } else if ('size' in data) {
    drawing?.size(...data.size);
  } else {
    drawing?.show(data.show);
  }
});
