// What every screen may need: the status, what the window runs in, the settings; and the words and figures in the
// user's language, bound to them.
import { toast, toastError } from "../components/toasts.svelte";
import { visible } from "../components/visible";
import { call, onChanged } from "../platform";
import { screens, type HostView, type Period, type SettingsView } from "../contract";
import * as format from "../i18n/format";
import { languageOf, LANGUAGES, speak, spoken, t, type Language } from "../i18n/index.svelte";
import { whileSeen } from "./refresh";
import { Resource } from "./resource.svelte";
import { SCREENS, type ScreenName } from "./route";
import { changeZoom, followZoom, type Direction } from "./zoom.svelte";

const overview = new Resource(() => call("overview", today()));
const settings = new Resource(() => call("settings", {}));
let host = $state.raw<HostView | undefined>(undefined);
/** Asks what the window runs in: a tray may come later, and starting with the computer is set elsewhere too. */
async function lookAround(): Promise<void> {
  const answer = await call("host", {}).catch(() => undefined);
  if (!answer) return;
  // A crash is reported once, to the first caller.
  const seen = { ...answer, crash: answer.crash ?? host?.crash ?? null };
  // The same facts redraw nothing.
  if (JSON.stringify(seen) !== JSON.stringify(host)) host = seen;
}

/** Ticks once a minute while the window is visible, for "2 minutes ago". */
let now = $state(Date.now());
const day = $derived(new Date(now).toDateString());

/** Since midnight here. */
export function today(): Period {
  const day = new Date();
  const utc_offset_min = -day.getTimezoneOffset();
  day.setHours(0, 0, 0, 0);
  return { since_ms: day.getTime(), utc_offset_min };
}

export const app = {
  /** The status; refreshed whenever something was written. */
  overview,
  /** Settings. */
  settings,
  /** What the window runs in. */
  get host(): HostView | undefined {
    return host;
  },
  /** The screens of the navigation: those of a system that is off are not in it. */
  get screens(): ScreenName[] {
    const off = host ? screens.filter((screen) => !host?.screens.includes(screen)) : [];
    return SCREENS.filter((screen) => !(off as string[]).includes(screen));
  },
  /** This minute. */
  get now(): number {
    return now;
  },
  /** Today's date: figures that count from midnight are reloaded when it changes. */
  get day(): string {
    return day;
  },
};

/** Follows the theme and language of these settings. */
async function follow(view: SettingsView | undefined): Promise<void> {
  const word = (key: string) => view?.settings.find((one) => one.key === key)?.value;
  const theme = word("desktop.theme");
  const root = document.documentElement;
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  else if (theme === "system") delete root.dataset.theme;
  try {
    if (theme === "light" || theme === "dark") localStorage.setItem("plimsoll.theme", theme);
    else if (theme === "system") localStorage.removeItem("plimsoll.theme");
  } catch {
    // Without storage the next start shows the system's theme for a moment.
  }
  const wanted = word("desktop.language");
  const locale = host?.locale || navigator.language;
  const language = (LANGUAGES as readonly unknown[]).includes(wanted) ? (wanted as Language) : languageOf(locale);
  if (language !== spoken.next) await speak(language, locale);
  followZoom(word("desktop.zoom"));
}

/** How long the first picture waits to know whether it is the wizard. */
const FIRST_MS = 120;

/** Whether the wizard was finished or declined: then it never opens by itself, whatever the status says. */
const setUp = (): boolean => settings.value?.settings.find((one) => one.key === "desktop.setup_done")?.value === true;

/** Asks for everything that the first screen needs, all at once, and resolves when it can be drawn: the words are
 *  there, and the status is known, takes too long or decides nothing. Never rejects: the screens show what went
 *  wrong. */
export async function startApp(): Promise<void> {
  const loading = overview.reload();
  const words = speak(languageOf(navigator.language), navigator.language);
  await Promise.all([lookAround(), settings.reload(), words]);
  const locale = host?.locale || navigator.language;
  if (locale !== navigator.language) await speak(languageOf(locale), locale);
  await follow(settings.value);
  if (!setUp()) await Promise.race([loading, new Promise((done) => setTimeout(done, FIRST_MS))]);
  onChanged(() => {
    overview.again();
    void lookAround();
    void settings.reload().then(() => follow(settings.value));
  });
  addEventListener("focus", () => void lookAround());
  // Also the moment it's seen again: an hour in the background isn't a minute.
  whileSeen(() => {
    const before = day;
    now = Date.now();
    // Today's figures and a project's pause run out by the clock, without any change being announced.
    if (day !== before || (overview.value?.paused_projects.length ?? 0) > 0) overview.again();
  }, 60_000);
}

/** The last change of a setting, while it is being saved. */
let saving: Promise<unknown> = Promise.resolve();

/** Changes a setting and lets it show at once; rejects with a `CallError`. One after the other: whoever chooses twice means the
 *  second, and the program answers each with all of them. */
export function setSetting(key: string, value: boolean | number | string): Promise<void> {
  const mine = saving.then(() => save(key, value));
  saving = mine.catch(() => undefined);
  return mine;
}

async function save(key: string, value: boolean | number | string): Promise<void> {
  settings.set(await call("set_setting", { key, value }));
  await follow(settings.value);
  // A system that is switched on or off has its screen or not.
  if (key.endsWith(".enabled")) await lookAround();
}

/** Makes everything larger or smaller, and keeps it for the next start. */
export const zoomBy = (direction: Direction): void => changeZoom(direction, (percent) => setSetting("desktop.zoom", percent));

/** Sets a damaged record aside and begins a fresh one; says where the old one is. */
export const startFresh = (): Promise<void> =>
  call("start_fresh", {}).then(({ kept }) => {
    toast(t("home.fresh.done", { file: fmt.path(kept) }));
    return overview.reload();
  }, toastError);

/** Figures and paths as the user writes them. Runes: a change of language redraws them. */
export const fmt = {
  count: (value: number) => format.count(value, spoken.locale),
  bytes: (value: number) => format.bytes(value, spoken.locale),
  percent: (share: number) => format.percent(share, spoken.locale),
  duration: (ms: number) => format.duration(ms, spoken.locale),
  ago: (at_ms: number, style?: "long" | "short") => format.ago(at_ms, Math.max(now, at_ms), spoken.locale, style),
  moment: (at_ms: number) => format.moment(at_ms, now, spoken.locale),
  momentInFull: (at_ms: number) => format.momentInFull(at_ms, spoken.locale),
  time: (at_ms: number) => format.time(at_ms, spoken.locale),
  clock: (at_ms: number) => format.clock(at_ms, spoken.locale),
  day: (at_ms: number) => format.day(at_ms, now, spoken.locale),
  dayInFull: (at_ms: number) => format.dayInFull(at_ms, Math.max(now, at_ms), spoken.locale),
  when: (at_ms: number) => format.when(at_ms, Math.max(now, at_ms), spoken.locale),
  until: (at_ms: number) => format.until(at_ms, now, spoken.locale),
  since: (at_ms: number) => format.since(at_ms, Math.max(now, at_ms), spoken.locale),
  weekday: (at_ms: number) => format.weekday(at_ms, spoken.locale),
  span: (ms: number) => format.span(ms, spoken.locale),
  capital: (word: string) => format.capital(word, spoken.locale),
  list: (names: readonly string[]) => format.list(names, spoken.locale),
  path: (path: string) => visible(format.tilde(path, host?.user_home)),
  basename: (path: string) => visible(format.basename(path)),
  tokenCount: (size: number) => format.tokensOf(size),
  tokens: (size: number) => format.count(format.tokensOf(size), spoken.locale),
};
