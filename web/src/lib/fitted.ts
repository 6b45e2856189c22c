// Words as large as their box allows: measured, so that nothing is ever cut
// off whatever the language, the currency or the number of lines.

const LEAST = 0.3;

/** Sets `--fit` on a box of a given size: 1 where everything fits, else less. */
export function fitted(node: HTMLElement): () => void {
  // Sizes are measured as they are set: a transition would answer with the old ones.
  node.classList.add('fitted');
  const fits = (size: number): boolean => {
    node.style.setProperty('--fit', String(size));
    return node.scrollHeight <= node.clientHeight + 1 && node.scrollWidth <= node.clientWidth + 1;
  };
  let due = 0;
  const fit = (): void => {
    due = 0;
    if (node.clientHeight === 0 || fits(1)) return;
    let [low, high] = [LEAST, 1];
    for (let turn = 0; turn < 6; turn += 1) {
      const middle = (low + high) / 2;
      if (fits(middle)) low = middle;
      else high = middle;
    }
    fits(low);
  };
  const later = (): void => {
    if (due === 0) due = requestAnimationFrame(fit);
  };
  const sized = new ResizeObserver(later);
  sized.observe(node);
  const changed = new MutationObserver(later);
  changed.observe(node, { childList: true, characterData: true, subtree: true });
  void document.fonts?.ready.then(later);
  return () => {
    cancelAnimationFrame(due);
    sized.disconnect();
    changed.disconnect();
  };
}
