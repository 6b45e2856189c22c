// Small things kept by the browser; a browser that keeps nothing still works.

function over(storage: () => Storage) {
  return {
    get<T>(key: string): T | null {
      try {
        const text = storage().getItem(`sicbo.${key}`);
        return text === null ? null : (JSON.parse(text) as T);
      } catch {
        return null;
      }
    },
    set(key: string, value: unknown): void {
      try {
        if (value === null) storage().removeItem(`sicbo.${key}`);
        else storage().setItem(`sicbo.${key}`, JSON.stringify(value));
      } catch {
        // Full or forbidden.
      }
    },
  };
}

/** Lives as long as the tab, through reloads. */
export const tab = over(() => sessionStorage);
/** Lives on this device. */
export const device = over(() => localStorage);
