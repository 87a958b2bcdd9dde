// How large the window draws itself: by keys as in every program, kept for the next start, the same from the terminal.
import { expect, test } from "vitest";
import { install } from "./agents";
import { asDesktop, computer, eachTest, show, type Window } from "./window";

eachTest();

const drawn = (window: Window): Promise<string> => window.page.evaluate(() => document.documentElement.style.zoom || "1");

test("Ctrl with plus, minus and 0 changes the size, and the next start has it", async () => {
  const at = computer();
  const window = await show(at, { screen: "agents" });
  await window.page.keyboard.press("Control+=");
  await window.page.keyboard.press("Control++");
  await expect.poll(() => drawn(window)).toBe("1.25");
  await window.page.keyboard.press("Control+-");
  await expect.poll(() => drawn(window)).toBe("1.1");
  await expect.poll(() => at.plimsoll(["settings", "get", "desktop.zoom"]).trim()).toMatch(/= 110\b/);
  const next = await show(at, { screen: "agents" });
  await expect.poll(() => drawn(next)).toBe("1.1");
  await next.page.keyboard.press("Control+0");
  await expect.poll(() => drawn(next)).toBe("1");
  await expect.poll(() => at.plimsoll(["settings", "get", "desktop.zoom"]).trim()).toMatch(/= 100\b/);
});

test("works in a dialog, ends at the smallest and the largest, and leaves what is typed alone", async () => {
  const at = computer();
  install.claude(at);
  const window = await show(at, { screen: "agents" });
  await window.button("Connect").first().click();
  await window.page.getByRole("dialog").waitFor();
  for (let press = 0; press < 9; press += 1) await window.page.keyboard.press("Control+=");
  await expect.poll(() => drawn(window)).toBe("2");
  await window.page.keyboard.press("Control+0");
  await window.page.keyboard.press("Escape");
  await window.go("knowledge");
  await window.heading("Knowledge").waitFor();
  await window.page.keyboard.press("Control+k");
  await window.page.keyboard.type("1+1-0");
  expect(await drawn(window)).toBe("1");
  expect(await window.page.getByRole("dialog").getByRole("combobox").inputValue()).toBe("1+1-0");
});

test("a size set in the terminal applies, whatever a file says", async () => {
  const at = computer();
  at.plimsoll(["settings", "set", "desktop.zoom", "150"]);
  const window = await show(at, { screen: "settings/appearance" });
  await expect.poll(() => drawn(window)).toBe("1.5");
  expect(await window.page.getByRole("textbox", { name: "Zoom" }).inputValue()).toBe("150");
  expect(() => at.plimsoll(["settings", "set", "desktop.zoom", "1000"])).toThrow();
  at.write(".plimsoll/settings.toml", "[desktop]\nzoom = 9000\n");
  await expect.poll(() => drawn(window), { timeout: 10_000 }).toBe("2");
  expect(await window.violations()).toEqual([]);
});

test("the desktop enlarges its web view, not the page in it", async () => {
  const at = computer();
  const window = await show(at, { screen: "agents" });
  await asDesktop(window);
  await window.page.evaluate(() => {
    const bridge = (globalThis as unknown as { __TAURI_INTERNALS__: { invoke(command: string, given: unknown): Promise<unknown> } }).__TAURI_INTERNALS__;
    const before = bridge.invoke.bind(bridge);
    Object.assign(globalThis, { zooms: [] as unknown[] });
    bridge.invoke = async (command, given) => {
      if (command === "plugin:webview|set_webview_zoom") (globalThis as unknown as { zooms: unknown[] }).zooms.push(given);
      return before(command, given);
    };
  });
  await window.page.keyboard.press("Control+=");
  await expect.poll(() => window.page.evaluate(() => (globalThis as unknown as { zooms: unknown[] }).zooms)).toEqual([{ value: 1.1 }]);
  expect(await drawn(window)).toBe("1");
});

test("resetting to the default leaves the focus at the setting", async () => {
  const at = computer();
  at.plimsoll(["settings", "set", "desktop.zoom", "90"]);
  at.plimsoll(["settings", "set", "desktop.theme", "dark"]);
  const window = await show(at, { screen: "settings/appearance" });
  for (const [name, role] of [["Zoom", "textbox"], ["Same as system", "radio"]] as const) {
    await window.page.getByRole("button", { name: `Reset ${name === "Zoom" ? name : "Theme"} to its default` }).press("Enter");
    await expect.poll(() => window.page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
    expect(await window.page.getByRole(role, { name }).first().evaluate((one) => one === document.activeElement)).toBe(true);
  }
  await expect.poll(() => drawn(window)).toBe("1");
});
