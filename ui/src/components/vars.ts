// Sizes that are only known at run time, set through the CSSOM: `style-src 'self'` forbids style attributes.
import type { Action } from "svelte/action";

/** `use:vars={{ "--share": 0.94 }}` sets custom properties of an element. */
export const vars: Action<HTMLElement | SVGElement, Record<string, string | number>> = (node, values) => {
  const set = (next: Record<string, string | number>) => {
    for (const [name, value] of Object.entries(next)) node.style.setProperty(name, String(value));
  };
  set(values);
  return { update: set };
};
