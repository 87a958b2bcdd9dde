// Delays notifications while the page is hidden: a minimised window costs nothing while agents write. Knows no toolkit.

/** Calls `tell` while the page is visible; notifications during hiding become one call as soon as the page is visible again. */
export function whileVisible(listener: () => void): { tell: () => void; end: () => void } {
  let missed = false;
  const look = (): void => {
    if (!missed || document.visibilityState !== "visible") return;
    missed = false;
    listener();
  };
  document.addEventListener("visibilitychange", look);
  return {
    tell() {
      missed = true;
      look();
    },
    end: () => document.removeEventListener("visibilitychange", look),
  };
}
