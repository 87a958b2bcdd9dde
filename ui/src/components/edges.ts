// What is wider than its box scrolls sideways, and many systems show no bar until it does. Says on the element at which side
// something is out of sight; `base.css` lets the text fade there.
import type { Action } from "svelte/action";

/** `use:edges` keeps `data-more` of an element that scrolls sideways: `start`, `end` or `both`, none where everything is in sight. */
export const edges: Action<HTMLElement> = (node) => {
  const look = (): void => {
    const before = node.scrollLeft > 1;
    // A zoomed page counts in fractions, and its scroll position ends half a pixel early.
    const after = node.scrollWidth - node.clientWidth - node.scrollLeft > 1;
    if (before || after) node.dataset["more"] = before && after ? "both" : before ? "start" : "end";
    else delete node.dataset["more"];
  };
  const sizes = new ResizeObserver(look);
  const texts = new MutationObserver(look);
  sizes.observe(node);
  texts.observe(node, { childList: true, characterData: true, subtree: true });
  node.addEventListener("scroll", look, { passive: true });
  return {
    destroy() {
      sizes.disconnect();
      texts.disconnect();
      node.removeEventListener("scroll", look);
    },
  };
};
