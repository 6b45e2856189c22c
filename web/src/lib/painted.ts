/** The next picture is on the screen; or a moment has passed, where none is drawn. */
export function painted(late_ms: number): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, late_ms);
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        clearTimeout(late);
        resolve();
      }),
    );
  });
}
