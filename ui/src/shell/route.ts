// Addresses of screens: `#/knowledge?q=effect`. Owns reading and writing them; does not know the screens.
import { screens } from "../contract";

/** The screens of the navigation, in its order; those of the systems are between Plimsoll's own. */
export const SCREENS = ["home", "agents", ...screens, "settings"] as const;
export type ScreenName = (typeof SCREENS)[number];

/** Where the window is. */
export interface Route {
  /** The folder below `features/` that shows it. */
  screen: ScreenName | "setup";
  /** What follows the screen in the path: `settings/doctor` → `["doctor"]`. */
  rest: string[];
  /** What follows the question mark. */
  query: Record<string, string>;
}

/** The key of a screen's name, as the navigation has it. */
export const nameKey = (screen: Route["screen"]) => (screen === "setup" ? ("setup.title" as const) : (`nav.${screen}` as const));

const HOME: Route = { screen: "home", rest: [], query: {} };

/** Paths that the tray and links use for a screen of another name: `purge?project=…` is asked on Knowledge. */
const ALIASES: Record<string, { screen: Route["screen"]; rest: string[] }> = {
  purge: { screen: "knowledge", rest: ["purge"] },
  doctor: { screen: "settings", rest: ["doctor"] },
  updates: { screen: "settings", rest: ["updates"] },
};

function plain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads `#/knowledge?q=effect`, `knowledge?q=effect` or `/knowledge`; what is unknown is Home. */
export function parseRoute(text: string): Route {
  const bare = text.replace(/^#/, "").replace(/^\/+/, "");
  const cut = bare.indexOf("?");
  const path = (cut < 0 ? bare : bare.slice(0, cut)).split("/").filter(Boolean).map(plain);
  const query = Object.fromEntries(new URLSearchParams(cut < 0 ? "" : bare.slice(cut + 1)));
  const [first, ...rest] = path;
  if (first === undefined) return { ...HOME, query };
  const alias = Object.hasOwn(ALIASES, first) ? ALIASES[first] : undefined;
  if (alias) return { screen: alias.screen, rest: [...alias.rest, ...rest], query };
  if (first === "setup" || (SCREENS as readonly string[]).includes(first)) {
    return { screen: first as Route["screen"], rest, query };
  }
  return HOME;
}

/** The path of a route, without the hash sign. */
export function routePath(route: { screen: string; rest?: string[]; query?: Record<string, string> }): string {
  const path = [route.screen, ...(route.rest ?? [])].map(encodeURIComponent).join("/");
  const query = new URLSearchParams(route.query ?? {}).toString();
  return query ? `${path}?${query}` : path;
}
