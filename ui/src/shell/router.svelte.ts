// Where the window is, as a rune; the address's hash is the only store, so back and forward work without further code.
// Whoever is in the middle of something can block leaving: every way off, by a key, the tray, a link or back, asks
// first.
import { untrack } from "svelte";
import { parseRoute, routePath, type Route } from "./route";

/** Asked before the window goes elsewhere, or closes where `to` is undefined. `false` keeps it here; `on` then goes
 *  there after all. */
export type Guard = (to: Route | undefined, on: () => void) => boolean;

let current = $state.raw<Route>(parseRoute(""));
let guards: Guard[] = [];

/** The route that is shown. */
export const router = {
  get route(): Route {
    return current;
  },
};

/** The address's route: ahead of {@link router} while a navigation isn't shown yet. */
export function addressed(): Route {
  return parseRoute(location.hash);
}

/** Registers `guard` until the returned function is called. */
export function hold(guard: Guard): () => void {
  guards = [...guards, guard];
  return () => (guards = guards.filter((one) => one !== guard));
}

/** Whether nothing blocks leaving; a blocker may call `on` later. */
export function mayLeave(to: Route | undefined, on: () => void): boolean {
  return untrack(() => guards.toReversed().every((guard) => guard(to, on)));
}

/** Begins to follow the address. */
export function startRouter(): void {
  addEventListener("hashchange", () => {
    const next = parseRoute(location.hash);
    const path = location.hash;
    if (mayLeave(next, () => go(path))) current = next;
    // Somebody went back: the address is this screen's again.
    else history.pushState(null, "", `#/${routePath(current)}`);
  });
  current = parseRoute(location.hash);
}

/** Goes to a screen: `go("knowledge?q=effect")` or a route. `replace` leaves no step to go back to. */
export function go(to: string | { screen: string; rest?: string[]; query?: Record<string, string> }, replace = false): void {
  const path = typeof to === "string" ? to.replace(/^[#/]+/, "") : routePath(to);
  if (!mayLeave(parseRoute(path), () => go(path, replace))) return;
  if (replace) {
    history.replaceState(null, "", `#/${path}`);
    current = parseRoute(path);
  } else {
    location.hash = `#/${path}`;
  }
}
