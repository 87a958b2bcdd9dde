// The first code that runs: finds out where it runs, speaks the user's language, draws the window. What goes wrong
// outside drawing is caught here and shown on the crash screen.
import "./styles/tokens.css";
import "./styles/base.css";
import { mount } from "svelte";
import { toastError } from "./components/toasts.svelte";
import { CallError, choosePlatform } from "./platform";
import App from "./shell/App.svelte";
import Broken from "./shell/Broken.svelte";
import { languageOf, speak } from "./i18n/index.svelte";
import { app, startApp } from "./shell/app.svelte";
import { fault, log } from "./shell/faults.svelte";
import { loadScreen } from "./shell/screens";
import { addressed, go, router, startRouter } from "./shell/router.svelte";

const target = document.getElementById("app") as HTMLElement;
let drawn: Record<string, unknown> | undefined;
let broken = false;

function crash(error: unknown): void {
  if (broken) return;
  // If the frame is there, only this screen has failed: the others are a click away.
  if (drawn) return fault(error);
  broken = true;
  log(error);
  target.replaceChildren();
  // Nothing else is left on the page.
  target.setAttribute("role", "main");
  mount(Broken, { target, props: { error } });
}

addEventListener("error", (event) => {
  // Observers that are late by a frame report this; it harms nothing.
  if (/ResizeObserver loop/.test(event.message)) return;
  crash(event.error ?? event.message);
});
addEventListener("unhandledrejection", (event) => {
  // An unawaited command isn't a defect of the page: its message is enough.
  if (event.reason instanceof CallError) toastError(event.reason);
  else crash(event.reason);
});

// The words and the screen's code come while the way to the program does, and its answers. What is wrong with the words, the
// start says, and what is wrong with the screen, the window.
speak(languageOf(navigator.language), navigator.language).catch(() => undefined);
const chosen = choosePlatform();
startRouter();
loadScreen(router.route.screen).catch(() => undefined);
await chosen;
await startApp();

/** Shows the wizard instead of an empty Home the first time, but not instead of a screen that the tray has just requested. */
function firstRun(): void {
  const here = addressed();
  if (app.overview.value?.first_run && here.screen === "home" && here.rest.length === 0) go("setup", true);
}
if (app.overview.value) firstRun();
else void app.overview.settled().then(firstRun);
try {
  drawn = mount(App, { target });
} catch (error) {
  crash(error);
}
