// Tab inside a dialog: from its last control to its first and back. The toolkit does the same, but rests while a tooltip is open,
// and most buttons that a dialog ends with have one.

/** What Tab reaches, in its order: of a group of radio buttons only the chosen one. */
export function reached(within: HTMLElement): HTMLElement[] {
  const all = [...within.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary, [tabindex]")];
  return all.filter((one) => {
    if (one.tabIndex < 0 || one.matches(":disabled") || one.getClientRects().length === 0) return false;
    if (!(one instanceof HTMLInputElement) || one.type !== "radio" || one.checked) return true;
    return !all.some((other) => other instanceof HTMLInputElement && other.type === "radio" && other.name === one.name && other.checked);
  });
}

/** For a dialog's `onkeydown`. */
export function loop(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (event.key !== "Tab" || event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
  const controls = reached(event.currentTarget);
  const [from, to] = event.shiftKey ? [controls[0], controls.at(-1)] : [controls.at(-1), controls[0]];
  if (document.activeElement !== from || to === undefined) return;
  event.preventDefault();
  to.focus();
}
