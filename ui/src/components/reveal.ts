// Scrolls something into view inside its own container, and nothing around that: `scrollIntoView` moves every
// ancestor, the window itself among them.

/** The nearest ancestor that scrolls up and down. */
function scroller(of: HTMLElement): HTMLElement | null {
  for (let up = of.parentElement; up !== null; up = up.parentElement) {
    const { overflowY } = getComputedStyle(up);
    if (overflowY === "auto" || overflowY === "scroll") return up;
  }
  return null;
}

/** `nearest` moves only as far as needed; `center` puts it in the middle. */
export function reveal(one: HTMLElement | null | undefined, where: "nearest" | "center" | "end" = "nearest"): void {
  if (!one) return;
  const box = scroller(one);
  if (box === null) return;
  const [outer, inner] = [box.getBoundingClientRect(), one.getBoundingClientRect()];
  const above = inner.top - outer.top;
  const below = inner.bottom - outer.bottom;
  let by = 0;
  if (where === "center") by = above - (outer.height - inner.height) / 2;
  else if (where === "end") by = below;
  else if (above < 0) by = above;
  else if (below > 0) by = Math.min(below, above);
  box.scrollTop += by;
}
