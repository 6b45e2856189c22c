// HTTP to the house: JSON both ways; a refusal is a value with code and rule.

/** A refusal or failure as the house words it (problem+json). */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly words: string,
    readonly rule: string | null,
  ) {
    super(words);
  }
}

async function ask<T>(method: string, path: string, body?: unknown, token?: string): Promise<T> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  let response: Response;
  try {
    const init: RequestInit = { method, headers, credentials: 'same-origin' };
    if (body !== undefined) init.body = JSON.stringify(body);
    response = await fetch(path, init);
  } catch {
    throw new Problem(0, 'unreachable', 'the house cannot be reached', null);
  }
  const text = await response.text();
  let value: unknown = null;
  try {
    value = text === '' ? null : JSON.parse(text);
  } catch {
    // Not JSON: the status says enough.
  }
  if (!response.ok) {
    const problem = (value ?? {}) as Record<string, unknown>;
    const said = (key: string) => (typeof problem[key] === 'string' ? problem[key] : null);
    throw new Problem(
      response.status,
      said('code') ?? `http_${response.status}`,
      said('detail') ?? said('title') ?? response.statusText,
      said('rule'),
    );
  }
  return value as T;
}

export const get = <T>(path: string, token?: string) => ask<T>('GET', path, undefined, token);
export const post = <T>(path: string, body: unknown = {}, token?: string) => ask<T>('POST', path, body, token);
export const remove = <T>(path: string, body?: unknown) => ask<T>('DELETE', path, body);

/** A text that is not JSON, such as a drawing. */
export async function text(path: string, token: string): Promise<string> {
  const response = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Problem(response.status, `http_${response.status}`, response.statusText, null);
  return response.text();
}
