// HTTP to the house: JSON both ways; a refusal is a value with code and rule.

/** A refusal or failure as the house words it (problem+json). */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly words: string,
    readonly rule: string | null,
    /** When to try again, in seconds, where the house says so. */
    readonly retryAfter: number | null = null,
    /** Who may, where it is a position that is lacking. */
    readonly needed: { position: string; or_above: boolean } | null = null,
    /** From where it is done, where it is the place. */
    readonly place: string | null = null,
  ) {
    super(words);
  }

  /** What was thrown, where the house did not refuse: it could not be asked. */
  static of(error: unknown): Problem {
    return error instanceof Problem ? error : new Problem(0, 'unreachable', String(error), null);
  }
}

/** Who asks for a PIN once more; whether it was given. */
let proof: (() => Promise<boolean>) | null = null;

/** Runs whenever money takes a PIN that was given lately: what was asked is asked again after it. */
export function whenProofIsAsked(what: () => Promise<boolean>): void {
  proof = what;
}

/** Who is told when the house does not know who asks. */
let unknown: (() => void) | null = null;

/** Runs whenever the house answers a member of staff that nobody is logged in. */
export function whenUnknown(what: () => void): void {
  unknown = what;
}

interface Asked {
  body?: unknown;
  token?: string | undefined;
  /** Asked by the screen itself, not by whoever sits before it. */
  background?: boolean;
}

async function ask<T>(method: string, path: string, asked: Asked = {}): Promise<T> {
  try {
    return await once<T>(method, path, asked);
  } catch (error) {
    const again = error instanceof Problem && error.code === 'pin_again' && proof !== null && (await proof());
    if (!again) throw error;
    return once<T>(method, path, asked);
  }
}

async function once<T>(method: string, path: string, { body, token, background }: Asked): Promise<T> {
  const headers: Record<string, string> = { accept: 'application/json' };
  // The house does not take it for somebody's use of their session.
  if (background === true) headers['sicbo-background'] = 'yes';
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  const init: RequestInit = { method, headers, credentials: 'same-origin' };
  if (body !== undefined) init.body = JSON.stringify(body);
  const { response, text } = await reach(path, init);
  let value: unknown = null;
  try {
    value = text === '' ? null : JSON.parse(text);
  } catch {
    // Not JSON: the status says enough.
  }
  if (!response.ok) {
    // Who is logged in is asked here: the answer to that is no news.
    if (response.status === 401 && token === undefined && path !== '/api/session') unknown?.();
    const problem = (value ?? {}) as Record<string, unknown>;
    const said = (key: string) => (typeof problem[key] === 'string' ? problem[key] : null);
    throw new Problem(
      response.status,
      said('code') ?? `http_${response.status}`,
      said('detail') ?? said('title') ?? response.statusText,
      said('rule'),
      typeof problem['retry_after_s'] === 'number' ? problem['retry_after_s'] : null,
      (problem['needed'] as Problem['needed'] | undefined) ?? null,
      said('place'),
    );
  }
  return value as T;
}

export const get = <T>(path: string, token?: string) => ask<T>('GET', path, { token });
/** What a screen asks for again and again by itself: a session that nobody uses ends all the same. */
export const watch = <T>(path: string) => ask<T>('GET', path, { background: true });
export const post = <T>(path: string, body: unknown = {}, token?: string) => ask<T>('POST', path, { body, token });
export const remove = <T>(path: string, body?: unknown) => ask<T>('DELETE', path, { body });

/** The answer with all of its text, however the connection fares. */
async function reach(path: string, init: RequestInit): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(path, init);
    return { response, text: await response.text() };
  } catch {
    throw new Problem(0, 'unreachable', 'the house cannot be reached', null);
  }
}

/** One page of lines of JSON, and after which the next one begins. */
export async function page(path: string): Promise<{ text: string; next: string | null }> {
  const { response, text } = await reach(path, { headers: { accept: 'application/x-ndjson' }, credentials: 'same-origin' });
  if (!response.ok) {
    if (response.status === 401) unknown?.();
    throw new Problem(response.status, `http_${response.status}`, response.statusText, null);
  }
  return { text, next: response.headers.get('sicbo-next') };
}

/** A text that is not JSON, such as a drawing. */
export async function text(path: string, token: string): Promise<string> {
  const response = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Problem(response.status, `http_${response.status}`, response.statusText, null);
  return response.text();
}
