// Rechecks what other programs change without a notification: when the window gets the focus, and now and then while it's
// visible. A hidden window costs nothing.

/** Calls `look` when the window comes back, and every so often while it can be seen; gives what ends that. */
export function whileSeen(look: () => void, every_ms: number): () => void {
  const seen = (): void => {
    if (document.visibilityState === "visible") look();
  };
  const timer = setInterval(seen, every_ms);
  addEventListener("focus", seen);
  document.addEventListener("visibilitychange", seen);
  return () => {
    clearInterval(timer);
    removeEventListener("focus", seen);
    document.removeEventListener("visibilitychange", seen);
  };
}
