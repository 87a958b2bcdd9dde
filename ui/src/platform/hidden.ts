// What a page that can't be seen isn't told before it can: a minimised window costs nothing while agents write. Knows no toolkit.

/** Passes on what `tell` is called for while the page can be seen; what it missed, once, as soon as it can be seen again. */
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
