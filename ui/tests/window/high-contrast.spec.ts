// High contrast, as Windows draws it: the system's few colours, no backgrounds, no shadows. What is chosen, on or measured must
// still be seen.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Locator } from "playwright-core";
import { install } from "./agents";
import { Computer, type Host } from "./computer";
import { eachTest, show, type Window } from "./window";

eachTest();

let busy: Computer;
let host: Host;

beforeAll(async () => {
  busy = new Computer();
  install.claude(busy);
  busy.plimsoll(["connect", "claude-code", "--yes"]);
  busy.seed({ calls: 80, events: 40, filters: 40, days: 1, sources: 20, memories: 40 });
  host = await busy.serve();
}, 120_000);
afterAll(() => busy?.dispose());

const open = (screen: string): Promise<Window> => show(busy, { host, screen, theme: "dark", context: { forcedColors: "active" } });
/** The colour that something is on: its own, or that of the first around it that isn't clear. */
const ground = (of: Locator): Promise<string> =>
  of.evaluate((one) => {
    for (let at: Element | null = one; at !== null; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/^rgba.*, 0\)$/.test(colour)) return colour;
    }
    return "none";
  });

/** One looks other than the other. */
async function differ(one: Locator, other: Locator, what: string): Promise<void> {
  expect(await ground(one), what).not.toBe(await ground(other));
}

test("the chosen segment, the current screen and the bars", async () => {
  const window = await open("home?range=all");
  const list = window.page.getByRole("region", { name: "What was shortened" });
  await list.getByRole("row").nth(2).waitFor();
  const segment = (name: string): Locator => list.locator("label", { hasText: name }).locator("span");
  await differ(segment("Command"), segment("Project"), "the chosen segment");
  const nav = window.page.getByRole("navigation").first();
  await differ(nav.getByRole("link", { name: "Home" }), nav.getByRole("link", { name: "Settings" }), "the current screen");
  await differ(list.locator(".meter").first(), list, "a bar on its ground");
  const legend = window.page.locator(".legend i");
  await differ(legend.first(), legend.last(), "what was measured and what was estimated, in the picture's legend");
});

test("a switch that is on, and one that is off", async () => {
  const window = await open("settings/tools");
  const switches = window.page.getByRole("switch");
  const on = window.page.locator("[role=switch][aria-checked=true]").first();
  const off = window.page.locator("[role=switch][aria-checked=false]").first();
  await switches.first().waitFor();
  await differ(on, off, "on and off");
  for (const one of [on, off]) await differ(one.locator("i"), one, "the knob on its ground");
});

test("the chosen row of every kind of list", async () => {
  for (const [screen, row] of [
    ["activity?decision=every", "[role=grid] [role=row].body"],
    ["memory", "[role=listbox][aria-label=Memories] [role=option]"],
    ["knowledge?q=queue", "[role=listbox] [role=option]"],
  ] as const) {
    const window = await open(screen);
    const rows = window.page.locator(row);
    await rows.nth(2).waitFor();
    await rows.nth(1).click();
    await expect.poll(() => rows.nth(1).getAttribute("aria-selected")).toBe("true");
    await differ(rows.nth(1), rows.nth(2), screen);
  }
  const window = await open("home");
  await window.page.keyboard.press("Control+k");
  const actions = window.page.locator(".palette [role=option]");
  await actions.nth(1).waitFor();
  await differ(actions.nth(0), actions.nth(1), "the palette");
});
