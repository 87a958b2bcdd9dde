// The actions that work on every screen.
import { toast, toastError } from "../components/toasts.svelte";
import { terminalCommand } from "../components/terminal";
import { t } from "../i18n/index.svelte";
import { call } from "../platform";
import type { Action } from "./actions.svelte";
import { app, fmt, setSetting, zoomBy } from "./app.svelte";
import { pauseLine, resumeLine, tomorrow } from "./pause";
import { go, mayLeave } from "./router.svelte";
import { stepFrom, zoom } from "./zoom.svelte";

/** Runs it and shows what went wrong. */
async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (reason) {
    toastError(reason);
  }
}

async function pause(until_ms: number): Promise<void> {
  await call("pause", { until_ms });
  await app.overview.reload();
  toast(until_ms === 0 ? t("pause.ended") : t("tray.paused", { time: fmt.until(until_ms) }));
}

function quit(): void {
  void attempt(async () => void (await call("quit", {})));
}

export function globalActions(): Action[] {
  const status = app.overview.value;
  const paused = (status?.paused_until_ms ?? 0) > Date.now();
  const list: Action[] = app.screens.map((screen, index) => ({
    id: `go.${screen}`,
    label: t(`nav.${screen}`),
    icon: screen,
    keys: `mod+${index + 1}`,
    also: t("palette.open"),
    run: () => go(screen),
  }));
  // A screen that says how it is switched on.
  if (!app.screens.includes("code")) list.push({ id: "go.code", label: t("nav.code"), icon: "code", also: t("palette.open"), run: () => go("code") });
  list.push({ id: "setup", label: t("palette.setup"), icon: "shield", terminal: "plimsoll setup", run: () => go("setup") });
  if (paused) {
    list.push({ id: "resume", label: t("tray.resume"), icon: "play", terminal: resumeLine(), run: () => void attempt(() => pause(0)) });
  } else {
    list.push(
      { id: "pause.hour", label: t("palette.pause.hour"), icon: "pause", terminal: terminalCommand("pause"), run: () => void attempt(() => pause(Date.now() + 3_600_000)) },
      { id: "pause.tomorrow", label: t("palette.pause.tomorrow"), icon: "pause", terminal: pauseLine(tomorrow()), run: () => void attempt(() => pause(tomorrow())) },
    );
  }
  const project = status?.project;
  if (project) {
    const off = status.paused_projects.includes(project);
    const name = fmt.basename(project);
    list.push({
      id: "pause.project",
      label: off ? t("tray.resume.project", { project: name }) : t("palette.pause.project", { project: name }),
      icon: off ? "play" : "pause",
      terminal: off ? resumeLine(project) : terminalCommand("pause_project", { project }),
      run: () =>
        void attempt(async () => {
          await call("pause_project", { folder: project, paused: !off });
          await app.overview.reload();
        }),
    });
  }
  list.push(
    // What the command line beside it does: the project that is worked in, and everything only where there is none.
    {
      id: "purge",
      label: t("tray.purge"),
      icon: "trash",
      terminal: project ? terminalCommand("purge", { project }) : "plimsoll purge --everything",
      run: () => go(project ? `purge?project=${encodeURIComponent(project)}` : "purge"),
    },
    { id: "doctor", label: t("tray.doctor"), icon: "shield", terminal: terminalCommand("doctor"), run: () => go("settings/doctor") },
    { id: "updates", label: t("tray.updates"), icon: "download", terminal: terminalCommand("upgrade"), run: () => go("settings/updates") },
    { id: "logs", label: t("crash.open"), icon: "folder", run: () => void attempt(async () => void (await call("open", { what: "folder", place: "logs" }))) },
  );
  for (const theme of ["system", "light", "dark"] as const) {
    list.push({
      id: `theme.${theme}`,
      label: t(`palette.theme.${theme}`),
      icon: "settings",
      terminal: terminalCommand("set_setting", { key: "desktop.theme", value: theme }),
      run: () => void attempt(() => setSetting("desktop.theme", theme)),
    });
  }
  for (const [direction, key] of [["in", "+"], ["out", "\u2212"], ["reset", "0"]] as const) {
    list.push({ id: `zoom.${direction}`, label: t(`palette.zoom.${direction}`), icon: "search", keys: `mod+${key}`, terminal: terminalCommand("set_setting", { key: "desktop.zoom", value: stepFrom(zoom.percent, direction) }), run: () => zoomBy(direction) });
  }
  list.push({ id: "quit", label: t("tray.quit"), icon: "quit", run: () => void (mayLeave(undefined, quit) && quit()) });
  return list;
}
