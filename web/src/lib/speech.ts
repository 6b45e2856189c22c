// The result spoken as a dealer calls it: lowest to highest, then the total.
import { settings } from './settings.svelte';

const VOICES: Record<string, string[]> = {
  en: ['en'],
  'zh-Hans': ['zh-CN', 'cmn', 'zh'],
  'zh-Hant': ['zh-TW', 'zh-HK', 'yue', 'zh'],
  vi: ['vi'],
};

/** The browser has a voice for the language in use. */
export function voiceFor(language: string): SpeechSynthesisVoice | null {
  if (typeof speechSynthesis === 'undefined') return null;
  const voices = speechSynthesis.getVoices();
  for (const tag of VOICES[language] ?? [language]) {
    const found = voices.find((voice) => voice.lang.replace('_', '-').toLowerCase().startsWith(tag.toLowerCase()));
    if (found) return found;
  }
  return null;
}

export function speak(words: string, language: string): void {
  if (settings.muted || !settings.speech || settings.volume <= 0) return;
  const voice = voiceFor(language);
  if (!voice) return;
  const said = new SpeechSynthesisUtterance(words);
  said.voice = voice;
  said.lang = voice.lang;
  said.volume = settings.volume;
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}
