// The keys of a list of tabs: the arrows along it, Home and End go to a tab and choose it. Only the chosen tab is
// reached with the Tab key; the list's markup says which one that is.

/** Which tab of `count` a key goes to from `at`; undefined if it goes nowhere. */
export function tabAt(key: string, vertical: boolean, at: number, count: number): number | undefined {
  const [before, after] = vertical ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
  const to = key === before ? at - 1 : key === after ? at + 1 : key === "Home" ? 0 : key === "End" ? count - 1 : undefined;
  return to === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, to));
}

/** For `onkeydown` of an element with the role `tablist`. */
export function tabKeys(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const list = event.currentTarget;
  const tabs = [...list.querySelectorAll<HTMLElement>("[role=tab]")];
  const at = tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
  const to = tabAt(event.key, list.getAttribute("aria-orientation") === "vertical", at, tabs.length);
  const tab = to === undefined ? undefined : tabs[to];
  if (tab === undefined) return;
  event.preventDefault();
  tab.focus();
  if (to !== at) tab.click();
}
