// The first code that runs: finds out where it runs, speaks the person's language, draws the window. What goes
// wrong outside of drawing is caught here and shown on the crash screen.
import "./styles/tokens.css";
import "./styles/base.css";
import { mount, unmount } from "svelte";
import { choosePlatform } from "./platform";
import App from "./shell/App.svelte";
import Broken from "./shell/Broken.svelte";
import { app, startApp } from "./shell/app.svelte";
import { go, router, startRouter } from "./shell/router.svelte";

const target = document.getElementById("app") as HTMLElement;
let drawn: Record<string, unknown> | undefined;
let broken = false;

function crash(error: unknown): void {
  if (broken) return;
  broken = true;
  if (drawn) void unmount(drawn);
  target.replaceChildren();
  mount(Broken, { target, props: { error } });
}

addEventListener("error", (event) => {
  // Observers that are late by a frame report this; it harms nothing.
  if (/ResizeObserver loop/.test(event.message)) return;
  crash(event.error ?? event.message);
});
addEventListener("unhandledrejection", (event) => crash(event.reason));

await choosePlatform();
startRouter();
await startApp();
if (app.overview.value?.first_run && router.route.screen === "home") go("setup", true);
drawn = mount(App, { target });
