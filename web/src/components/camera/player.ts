// Plays a live HLS stream in a video: by the browser itself where it can, else by hls.js, which is fetched then. It
// gives up on a picture that stands still and tries again later, for as long as it is wanted.

export type Picture = 'waiting' | 'playing' | 'lost';

/** A picture that stands still for so long is lost. */
const STILL_MS = 8_000;
/** So long after it is looked for again. */
const AGAIN_MS = 5_000;
const LOOK_MS = 500;
const HLS = 'application/vnd.apple.mpegurl';

/** One attempt at a stream; ends by itself or when it is told to. */
type Way = (video: HTMLVideoElement, playlist: string, failed: () => void) => () => void;

const byBrowser: Way = (video, playlist, failed) => {
  video.addEventListener('error', failed);
  video.src = playlist;
  return () => video.removeEventListener('error', failed);
};

const byLibrary: Way = (video, playlist, failed) => {
  let ended = false;
  let stop = (): void => undefined;
  Promise.all([import('hls.js/light'), import('hls.js/dist/hls.worker.js?url')]).then(([{ default: Hls }, { default: worker }]) => {
    if (ended) return;
    if (!Hls.isSupported()) return failed();
    // A worker from a file of the house: the page's policy allows no other.
    const hls = new Hls({ workerPath: worker, liveSyncDurationCount: 2, maxBufferLength: 10, backBufferLength: 10 });
    hls.on(Hls.Events.ERROR, (_, { fatal }) => {
      if (fatal) failed();
    });
    hls.loadSource(playlist);
    hls.attachMedia(video);
    stop = () => hls.destroy();
  }, failed);
  return () => {
    ended = true;
    stop();
  };
};

export function play(video: HTMLVideoElement, playlist: string, onpicture: (picture: Picture) => void): { end(): void } {
  const ways = video.canPlayType(HLS) === '' ? [byLibrary] : [byBrowser, byLibrary];
  let at = 0;
  let running: (() => void) | null = null;
  let played = false;
  let seen = 0;
  let moved_ms = 0;
  let again_ms = 0;

  const stop = (): void => {
    running?.();
    running = null;
    video.removeAttribute('src');
    video.load();
  };
  const begin = (): void => {
    stop();
    seen = 0;
    moved_ms = performance.now();
    const mine = ways[at]?.(video, playlist, () => {
      if (running === mine) fail();
    });
    running = mine ?? null;
    void video.play().catch(() => undefined);
  };
  const fail = (): void => {
    stop();
    // A way that has never worked is not tried again before the others.
    if (!played && at + 1 < ways.length) {
      at += 1;
      return begin();
    }
    at = played ? at : 0;
    again_ms = performance.now() + AGAIN_MS;
    onpicture('lost');
  };
  const look = (): void => {
    const now = performance.now();
    // Browsers rest what nobody sees.
    if (document.hidden) moved_ms = now;
    if (running === null) {
      if (now >= again_ms) begin();
    } else if (video.currentTime !== seen) {
      seen = video.currentTime;
      moved_ms = now;
      played = true;
      onpicture('playing');
    } else if (now - moved_ms > STILL_MS) fail();
  };
  onpicture('waiting');
  begin();
  const looking = setInterval(look, LOOK_MS);
  return {
    end() {
      clearInterval(looking);
      stop();
    },
  };
}
