// Every screen with much in it and with nothing, in both themes and both sizes: no violation of the accessibility
// rules, nothing cut off sideways, and for a screen reader what the snapshots say.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { install } from "./agents";
import { Computer, type Host } from "./computer";
import { computer, eachTest, show, SIZES, type Theme, type Window } from "./window";

eachTest();

const SCREENS = ["home", "agents", "knowledge", "memory", "sessions", "activity", "settings"] as const;
const SECTIONS = ["hooks", "filters", "memory", "tools", "sandbox", "network", "retention", "privacy", "updates", "doctor", "move", "uninstall"];

/** A computer in the middle of a week of work. */
let busy: Computer;
let host: Host;

beforeAll(async () => {
  busy = new Computer();
  install.claude(busy);
  install.codex(busy);
  install.opencode(busy);
  busy.plimsoll(["connect", "claude-code", "codex", "--yes"]);
  busy.write("work/shop/docs/retry.md", "# Retries\n\n## When\n\nA request is tried again only when nothing was written before it failed.\n\n```rust\nfn retry() {}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n- [ ] open [link](https://docs.example.org/)\n");
  busy.write("work/shop/src/queue.rs", "/// Drains the queue before the process ends.\npub fn drain() {}\n");
  busy.plimsoll(["index", "docs/retry.md"]);
  busy.plimsoll(["index", "src/queue.rs"]);
  busy.seed({ calls: 220, events: 120, filters: 60, sources: 40, memories: 60, days: 3 });
  host = await busy.serve();
});
afterAll(() => busy?.dispose());

async function fits(window: Window): Promise<void> {
  const over = await window.page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - innerWidth;
    const main = document.querySelector("main") as HTMLElement;
    return { window: wide, main: main.scrollWidth - main.clientWidth };
  });
  expect(over, "nothing is wider than the window").toEqual({ window: 0, main: 0 });
}

async function good(window: Window): Promise<void> {
  expect(await window.violations()).toEqual([]);
  await fits(window);
  const holes = window.page.getByText(/undefined|NaN|\[object|\{[a-z]+\}/);
  // A command line has braces around what the user fills in.
  expect((await holes.allInnerTexts()).filter((text) => !text.startsWith("plimsoll ")), "no hole in a sentence").toEqual([]);
}

for (const theme of ["light", "dark"] as Theme[]) {
  for (const [size, of] of Object.entries(SIZES)) {
    test(`with a week of work, ${theme}, ${size}`, async () => {
      const window = await show(busy, { host, theme, size: of, screen: "home" });
      for (const screen of SCREENS) {
        await window.go(screen);
        await window.page.locator("h1").first().waitFor();
        await good(window);
      }
      for (const section of SECTIONS) {
        await window.go(`settings/${section}`);
        await window.page.getByRole("heading", { level: 2 }).first().waitFor();
        await good(window);
      }
      await window.go("knowledge?q=tried again");
      await window.page.getByRole("listbox", { name: "Results" }).getByRole("option").first().waitFor();
      await good(window);
      await window.page.keyboard.press("Control+k");
      await window.page.getByRole("dialog", { name: "Search and actions" }).waitFor();
      await good(window);
    });

    test(`on the first day, ${theme}, ${size}`, async () => {
      const at = computer();
      const window = await show(at, { theme, size: of, screen: "agents" });
      for (const screen of SCREENS) {
        await window.go(screen);
        await window.page.locator("h1").first().waitFor();
        await good(window);
      }
    });
  }

  test(`the wizard's steps, ${theme}`, async () => {
    const at = computer();
    install.claude(at);
    install.codex(at);
    at.write(".config/opencode/opencode.jsonc", "{ broken");
    const window = await show(at, { theme, size: SIZES.narrow });
    await window.heading("Welcome").waitFor();
    await good(window);
    await window.page.getByText("See the full list of files").click();
    await good(window);
    await window.button("Find my agents").click();
    await window.page.getByRole("listitem").filter({ hasText: "Codex" }).first().waitFor();
    await good(window);
    await window.button("Continue").click();
    await window.page.getByText("Advanced").click();
    await good(window);
    await window.button("Review the changes").click();
    await window.button(/^Apply/).waitFor();
    await good(window);
    // Where the pointer rests a hint may be open, and Escape would close that first.
    await window.page.mouse.move(2, 2);
    await window.settled();
    await window.page.keyboard.press("Escape");
    await window.page.getByRole("dialog", { name: "Leave setup?" }).waitFor();
    await good(window);
    await window.button("Stay").click();
    await window.button(/^Apply/).click();
    await window.heading("Applied and verified").waitFor({ timeout: 45_000 });
    await good(window);
    await window.button("Continue").click();
    await window.heading("Done").waitFor();
    await good(window);
  });
}

test("the dialogs, and the details of a row", async () => {
  const window = await show(busy, { host, screen: "knowledge" });
  await window.button("Purge…").click();
  await window.page.getByRole("dialog", { name: "Purge knowledge" }).waitFor();
  await good(window);
  await window.page.keyboard.press("Escape");
  await window.button("Add").click();
  await window.page.getByRole("menuitem", { name: "Add a web page…" }).click();
  await window.page.getByRole("dialog", { name: "Add a web page" }).waitFor();
  await good(window);
  await window.page.keyboard.press("Escape");
  for (const [screen, name] of [["activity", /decided/], ["sessions", /./]] as const) {
    await window.go(screen);
    const grid = window.page.getByRole("grid", { name }).first();
    await grid.getByRole("row").nth(1).click();
    await good(window);
  }
});

test("every screen in German has the same parts", async () => {
  const window = await show(busy, { host: await busy.serve({ LANG: "de_DE.UTF-8" }), locale: "de-DE", size: SIZES.narrow, screen: "agents" });
  await window.heading("Agenten").or(window.heading("Agents")).first().waitFor();
  for (const screen of SCREENS) {
    await window.go(screen);
    await good(window);
  }
});

describe("for a screen reader", () => {
  for (const screen of SCREENS) {
    test(`${screen}, on the first day`, async () => {
      const window = await show(computer(), { screen });
      await window.page.locator("h1").first().waitFor();
      // The frame's line about the agents comes after the screen. The wizard has none.
      if (screen !== "home") await window.page.getByText("No agent connected yet").waitFor();
      await expect(await window.aria()).toMatchFileSnapshot(`snapshots/first-day-${screen}.txt`);
    });
  }

  test("the review and the last step of the wizard", async () => {
    const at = computer();
    install.claude(at);
    install.codex(at);
    const window = await show(at);
    await window.button("Find my agents").click();
    await window.page.getByRole("listitem").filter({ hasText: "Codex" }).first().waitFor();
    // Where the pointer rests a hint may be open, and would be read out too.
    const away = () => window.page.mouse.move(2, 2).then(() => window.settled());
    await away();
    await expect(await window.aria(window.page.locator("main"))).toMatchFileSnapshot("snapshots/wizard-agents.txt");
    await window.button("Continue").click();
    await away();
    await expect(await window.aria(window.page.locator("main"))).toMatchFileSnapshot("snapshots/wizard-choices.txt");
    await window.button("Review the changes").click();
    await away();
    await window.button(/^Apply/).waitFor();
    await expect(await window.aria(window.page.locator("main"))).toMatchFileSnapshot("snapshots/wizard-review.txt");
    await window.button(/^Apply/).click();
    await window.heading("Applied and verified").waitFor({ timeout: 45_000 });
    await good(window);
    await window.button("Continue").click();
    await window.heading("Done").waitFor();
    await away();
    // The remaining tasks load once the step is shown.
    await window.button("Go to Home").waitFor();
    await expect(await window.aria(window.page.locator("main"))).toMatchFileSnapshot("snapshots/wizard-done.txt");
  });

  test("agents that are connected, and what was found", async () => {
    const at = computer();
    install.claude(at);
    at.plimsoll(["connect", "claude-code", "--yes"]);
    at.write("work/shop/docs/retry.md", "# Retries\n\nA request is tried again only when nothing was written.\n");
    at.plimsoll(["index", "docs/retry.md"]);
    const window = await show(at, { screen: "agents" });
    await window.page.getByText("Claude Code").first().waitFor();
    await expect(await window.aria(window.page.locator("main"))).toMatchFileSnapshot("snapshots/agents-connected.txt");
    await window.go("knowledge?q=tried");
    await window.page.getByRole("listbox", { name: "Results" }).getByRole("option").first().waitFor();
    await window.page.locator(".reader article").first().waitFor();
    await expect(await window.aria(window.page.locator("main"))).toMatchFileSnapshot("snapshots/knowledge-found.txt");
  });
});
