// Where the window is, as a rune; the address's hash is the only store, so back and forward work by themselves.
import { parseRoute, routePath, type Route } from "./route";

let current = $state.raw<Route>(parseRoute(""));

/** The route that is shown. */
export const router = {
  get route(): Route {
    return current;
  },
};

/** Begins to follow the address. */
export function startRouter(): void {
  const read = () => (current = parseRoute(location.hash));
  addEventListener("hashchange", read);
  read();
}

/** Goes to a screen: `go("knowledge?q=effect")` or a route. `replace` leaves no step to go back to. */
export function go(to: string | { screen: string; rest?: string[]; query?: Record<string, string> }, replace = false): void {
  const path = typeof to === "string" ? to.replace(/^[#/]+/, "") : routePath(to);
  if (replace) {
    history.replaceState(null, "", `#/${path}`);
    current = parseRoute(path);
  } else {
    location.hash = `#/${path}`;
  }
}
