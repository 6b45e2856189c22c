// Sounds of the table, made in the browser: nothing is loaded. A browser
// allows sound only after the first touch; until then there is silence.
import { settings } from './settings.svelte';

let context: AudioContext | null = null;
let master: GainNode | null = null;

function ready(): { at: AudioContext; out: GainNode } | null {
  if (settings.muted || settings.volume <= 0) return null;
  if (context === null) {
    if (!navigator.userActivation?.hasBeenActive || typeof AudioContext === 'undefined') return null;
    context = new AudioContext();
    master = context.createGain();
    master.connect(context.destination);
  }
  if (context.state === 'suspended') void context.resume();
  if (!master) return null;
  master.gain.value = settings.volume;
  return { at: context, out: master };
}

interface Tone {
  hz: number;
  from: number;
  last: number;
  loud?: number;
  shape?: OscillatorType;
}

function play(tones: readonly Tone[]): void {
  const on = ready();
  if (!on) return;
  const { at, out } = on;
  for (const { hz, from, last, loud = 0.2, shape = 'sine' } of tones) {
    const start = at.currentTime + from;
    const voice = at.createOscillator();
    const gain = at.createGain();
    voice.type = shape;
    voice.frequency.value = hz;
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(loud, start + 0.012);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + last);
    voice.connect(gain).connect(out);
    voice.start(start);
    voice.stop(start + last + 0.02);
  }
}

/** A short burst of noise: dice on the plate, a chip on cloth. */
function knock(from: number, last: number, loud: number, hz: number): void {
  const on = ready();
  if (!on) return;
  const { at, out } = on;
  const length = Math.ceil(at.sampleRate * last);
  const buffer = at.createBuffer(1, length, at.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < length; i += 1) data[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 3;
  const source = at.createBufferSource();
  source.buffer = buffer;
  const filter = at.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = hz;
  filter.Q.value = 1.4;
  const gain = at.createGain();
  gain.gain.value = loud;
  source.connect(filter).connect(gain).connect(out);
  source.start(at.currentTime + from);
}

export const sound = {
  chip(): void {
    knock(0, 0.05, 0.5, 3_200);
    knock(0.02, 0.04, 0.3, 4_400);
  },
  refused(): void {
    play([{ hz: 196, from: 0, last: 0.16, shape: 'triangle' }, { hz: 156, from: 0.1, last: 0.22, shape: 'triangle' }]);
  },
  placeBets(): void {
    play([{ hz: 659, from: 0, last: 0.5 }, { hz: 880, from: 0.14, last: 0.8 }]);
  },
  lastSeconds(): void {
    play([{ hz: 1_046, from: 0, last: 0.07, loud: 0.12 }]);
  },
  noMoreBets(): void {
    play([{ hz: 587, from: 0, last: 0.3 }, { hz: 440, from: 0.16, last: 0.6 }]);
  },
  /** One tumble: the three dice strike the dome. */
  tumble(): void {
    for (let i = 0; i < 7; i += 1) knock(Math.random() * 0.35, 0.06, 0.5, 1_400 + Math.random() * 1_800);
  },
  land(): void {
    for (let i = 0; i < 3; i += 1) knock(i * 0.09, 0.09, 0.6, 900 + i * 180);
  },
  /** The cover is lifted, or the dome clears. */
  lift(): void {
    play([{ hz: 392, from: 0, last: 0.5, loud: 0.08 }, { hz: 523, from: 0.08, last: 0.6, loud: 0.08 }]);
  },
  /** A round is settled: heard as a win only where more came back than was staked, the more of it the fuller (P-053). */
  settled(staked: number, returned: number): void {
    if (staked <= 0 || returned <= staked) return;
    const times = returned / staked;
    const notes = [523, 659, 784, 1_046, 1_319].slice(0, times >= 10 ? 5 : times >= 3 ? 4 : 3);
    play(notes.map((hz, at) => ({ hz, from: at * 0.11, last: 0.7 - at * 0.05, loud: 0.16 })));
  },
};
