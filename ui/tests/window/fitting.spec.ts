// Everything stays within the window and in reach: in the smallest size, in German, where words are long, with a project
// whose name is longer than the window, and at each step of the wizard.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { install } from "./agents";
import { Computer, type Host } from "./computer";
import { computer, eachTest, show, SIZES, type Window } from "./window";

eachTest();

/** As small as the desktop lets the window become. */
const SMALLEST = { width: 720, height: 520 };
const LONG = `a-project-whose-name-is-${"rather-long-".repeat(12)}end`;
const DE = { LANG: "de_AT.UTF-8" };
let busy: Computer;
let german: Host;

beforeAll(async () => {
  busy = new Computer();
  install.claude(busy);
  busy.plimsoll(["connect", "claude-code", "--yes"]);
  busy.write(`work/${LONG}/README.md`, "# Long\n\nOf moorings.\n");
  busy.write(`work/${LONG}/.git/HEAD`, "ref: refs/heads/main\n");
  busy.seed({ calls: 900, events: 60, filters: 60, memories: 30, days: 40 }, [busy.project, busy.path(`work/${LONG}`)]);
  busy.plimsoll(["index", "README.md"], { cwd: busy.path(`work/${LONG}`) });
  for (let at = 0; at < 1_200; at += 1) busy.write(`work/${LONG}/src/part${at}.ts`, `export const part${at} = ${at};\n`);
  busy.plimsoll(["settings", "set", "codebase.enabled", "true"]);
  busy.plimsoll(["code", "reindex"], { cwd: busy.path(`work/${LONG}`) });
  german = await busy.serve(DE);
}, 120_000);
afterAll(() => busy?.dispose());

/** What is wider than it may be: the window, the screen, a button outside the screen or past the edge of its card, words
 *  that run into their neighbour; a head that takes more than two lines, and words in a column too narrow to read. */
async function outside(window: Window): Promise<string[]> {
  await window.settled();
  return window.page.evaluate(() => {
    const main = document.querySelector("main") as HTMLElement;
    const found: string[] = [];
    if (document.documentElement.scrollWidth > innerWidth) found.push(`the page: ${document.documentElement.scrollWidth}`);
    if (main.scrollWidth > main.clientWidth) found.push(`the screen: ${main.scrollWidth} of ${main.clientWidth}`);
    for (const one of main.querySelectorAll<HTMLElement>("button, select, input, a[href]")) {
      const box = one.getBoundingClientRect();
      const scrolls = (up: Element | null): boolean => up !== null && up !== main && (/auto|scroll/.test(getComputedStyle(up).overflowX) || scrolls(up.parentElement));
      const edge = one.closest(".card")?.getBoundingClientRect().right ?? innerWidth;
      if (box.width > 1 && (box.left < 0 || box.right > Math.min(innerWidth, edge)) && !scrolls(one.parentElement)) found.push(`${one.tagName} ${one.ariaLabel ?? one.innerText}: ${box.left} to ${box.right}`);
    }
    for (const row of main.querySelectorAll<HTMLElement>(".card li, .card [role=row]")) {
      const edge = row.closest(".card")?.getBoundingClientRect().right ?? innerWidth;
      if (row.getBoundingClientRect().right > edge + 1) found.push(`a row is wider than its card: ${row.innerText.slice(0, 40)}`);
    }
    for (const words of main.querySelectorAll<HTMLElement>("[role=option] > span, [role=gridcell]")) {
      if (words.scrollWidth > words.clientWidth + 1 && getComputedStyle(words).overflowX === "visible") found.push(`words run out of their place: ${words.innerText.slice(0, 40)}`);
    }
    for (const words of main.querySelectorAll<HTMLElement>("p")) {
      const box = words.getBoundingClientRect();
      const lines = box.height / (Number.parseFloat(getComputedStyle(words).lineHeight) || 19);
      if (box.width > 1 && box.width < 120 && lines > 4) found.push(`${Math.round(lines)} lines of ${Math.round(box.width)} pixels: ${words.innerText.slice(0, 40)}`);
    }
    for (const banner of main.querySelectorAll<HTMLElement>("[role=status], [role=alert]")) {
      const words = banner.querySelector(":scope > p")?.getBoundingClientRect();
      const box = banner.getBoundingClientRect();
      if (words && box.height > 1 && words.height > box.height) found.push(`${words.height} pixels of words in ${box.height}: ${banner.innerText.slice(0, 40)}`);
    }
    const head = main.querySelector<HTMLElement>(".screen > header")?.getBoundingClientRect();
    if (head && head.height > 76) found.push(`the head has ${head.height} pixels`);
    return found;
  });
}

test("the smallest window at twice the size has all of its figures and settings", async () => {
  const window = await show(busy, { size: { width: SMALLEST.width / 2, height: SMALLEST.height / 2 }, screen: "home?range=all", theme: "dark" });
  for (const [screen, name] of [["home?range=all", "Home"], ["settings/appearance", "Settings"], ["settings/doctor", "Settings"], ["memory", "Memory"], ["agents", "Agents"]] as const) {
    await window.go(screen);
    await window.heading(name).waitFor();
    await window.settled();
    const wider = await window.page.evaluate(() => {
      const page = document.querySelector("main") as HTMLElement;
      const parts = [...page.querySelectorAll<HTMLElement>(".hero, .hero p, .pane, .check, .setting, .segmented")];
      const past = parts.filter((one) => one.getBoundingClientRect().right > innerWidth + 1 || one.getBoundingClientRect().left < 0 || one.scrollWidth > one.clientWidth + 1);
      return [...(page.scrollWidth > page.clientWidth ? ["the screen"] : []), ...past.map((one) => `${one.className}: ${one.innerText.slice(0, 40)}`)];
    });
    expect(wider, screen).toEqual([]);
  }
});

// The first size of the window at 200 %.
for (const [name, size] of Object.entries({ narrow: SIZES.narrow, smallest: SMALLEST, "twice as large": { width: 590, height: 380 } })) {
  test(`each screen in German, beside a project with a very long name, ${name}`, async () => {
    const window = await show(busy, { host: german, size, locale: "de-AT", screen: "home?range=all" });
    const screens = ["home?range=all", "agents", "agents/claude-code", "knowledge", "knowledge?q=written", "memory", "memory/review", "memory/graph", "memory/prompts", "memory/team", "memory/import", ...["", "/map", "/patterns", "/cycles"].map((part) => `code${part}?project=${encodeURIComponent(busy.path(`work/${LONG}`))}`), "sessions", "activity", "activity?view=calls"];
    const sections = ["appearance", "hooks", "filters", "memory", "tools", "sandbox", "network", "retention", "privacy", "updates", "doctor", "move", "uninstall"];
    for (const screen of [...screens, ...sections.map((one) => `settings/${one}`)]) {
      await window.go(screen);
      await window.page.locator("h1").first().waitFor();
      expect(await outside(window), screen).toEqual([]);
      if (screen === "memory/graph") {
        await window.page.getByRole("button", { name: "Liste", exact: true }).click();
        await window.page.locator(".things").getByRole("option").first().waitFor();
        expect(await outside(window), "the graph as a list").toEqual([]);
      }
    }
  });
}

test("a title has a line to be read in, whatever is beside it", async () => {
  const window = await show(busy, { host: german, size: SIZES.narrow, locale: "de-AT", screen: "memory/review" });
  const title = window.page.getByRole("region", { name: "Erinnerung" }).getByRole("heading", { level: 2 });
  await title.waitFor();
  expect((await title.boundingBox())?.width).toBeGreaterThan(180);
});

test("what went wrong with a prompt doesn't lie under the button", async () => {
  const window = await show(busy, { host: german, size: SIZES.narrow, locale: "de-AT", screen: "memory/prompts" });
  await window.button("Neuer Prompt").first().click();
  await window.page.getByRole("textbox", { name: "Name" }).fill("Bad Name!!");
  await window.button("Speichern").click();
  const told = window.page.getByRole("alert").filter({ hasText: "Der Prompt lässt sich nicht speichern" });
  await told.waitFor();
  await window.settled();
  const [error, button] = [await told.boundingBox(), await window.button("Speichern").boundingBox()];
  expect((error?.y ?? 0) + (error?.height ?? 0), JSON.stringify([error, button])).toBeLessThanOrEqual(button?.y ?? 0);
  const inside = await told.evaluate((one) => one.scrollHeight - one.clientHeight);
  expect(inside, "its words are within it").toBeLessThanOrEqual(1);
});

test("the word that confirms a purge is asked for in sight", async () => {
  const window = await show(busy, { host: german, size: SIZES.narrow, locale: "de-AT", screen: "knowledge/purge" });
  const dialog = window.page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Alle Projekte" }).check();
  const field = dialog.getByRole("textbox");
  await field.waitFor();
  await window.settled();
  const [box, footer] = [await field.boundingBox(), await dialog.getByRole("button", { name: "Abbrechen" }).boundingBox()];
  expect((box?.y ?? 999) + (box?.height ?? 0), JSON.stringify([box, footer])).toBeLessThan(footer?.y ?? 0);
});

test("days below the chart don't run into each other", async () => {
  for (const width of [820, 860, 1000, 1180]) {
    const window = await show(busy, { host: german, size: { width, height: 760 }, locale: "de-AT", screen: "home?range=all" });
    const names = window.page.locator(".chart svg text");
    await names.first().waitFor();
    const boxes = await names.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right] as const));
    expect(boxes.length).toBeGreaterThan(2);
    for (const [at, [left]] of boxes.entries()) if (at > 0) expect(left, `${width}: ${JSON.stringify(boxes)}`).toBeGreaterThan(boxes[at - 1]?.[1] ?? 0);
  }
});

test("in the smallest window the sidebar has signs, and they are called what they were", async () => {
  const window = await show(busy, { size: SMALLEST, screen: "home" });
  const link = window.page.getByRole("navigation").getByRole("link", { name: "Knowledge" });
  expect((await link.boundingBox())?.width).toBeLessThan(60);
  expect(await link.getAttribute("title")).toBe("Knowledge");
  await window.page.setViewportSize(SIZES.wide);
  await expect.poll(() => link.getAttribute("title")).toBeNull();
  expect(await window.violations()).toEqual([]);
});

describe("the wizard", () => {
  for (const [name, size] of Object.entries({ narrow: SIZES.narrow, smallest: SMALLEST })) {
    test(`has its way on in sight at each step, in German, ${name}`, async () => {
      const at = computer();
      for (const agent of Object.values(install)) agent(at);
      at.write(".gemini/settings.json", '{ "general": {');
      at.write(".claude/CLAUDE.md", "# Rules\n\n- Answer in short sentences\n");
      const window = await show(at, { host: await at.serve(DE), size, locale: "de-AT", screen: "setup" });
      const widths: number[] = [];
      const step = async (on: RegExp | string): Promise<void> => {
        await window.button(on).waitFor({ timeout: 45_000 });
        expect(await outside(window), String(on)).toEqual([]);
        const box = await window.button(on).boundingBox();
        expect(box !== null && box.x + box.width <= size.width && box.y + box.height <= size.height, `${on}: ${JSON.stringify(box)}`).toBe(true);
        widths.push((await window.page.locator(".frame > header").boundingBox())?.width ?? 0);
        expect(await window.violations(), String(on)).toEqual([]);
      };
      await step("Agenten suchen");
      await window.button("Agenten suchen").click();
      await window.heading("Ihre Agenten").waitFor();
      await window.page.getByRole("listitem").filter({ hasText: "Codex" }).first().waitFor();
      await step("Weiter");
      await window.button("Weiter").click();
      await step("Änderungen durchsehen");
      await window.button("Änderungen durchsehen").click();
      await step(/anwenden$/);
      await window.button(/anwenden$/).click();
      await window.heading("Angewendet und geprüft").waitFor({ timeout: 45_000 });
      await step("Weiter");
      await window.button("Weiter").click();
      await step("Überspringen");
      await window.button("Überspringen").click();
      // Agents that couldn't be connected are listed at the end, with the line at fault.
      const left = window.page.getByRole("listitem").filter({ hasText: "Gemini CLI" });
      await left.getByText("Nicht verbunden").waitFor();
      expect(await left.innerText()).toMatch(/settings\.json: Zeile 1, Spalte \d+/);
      await step("Zur Übersicht");
      expect(new Set(widths).size, `the frame keeps its width: ${widths.join(", ")}`).toBe(1);
    });
  }

  test("says at the end what failed, in full, however many lines that takes", async () => {
    const at = computer();
    for (const agent of Object.values(install)) agent(at);
    const window = await show(at, { host: await at.serve(DE), size: SMALLEST, locale: "de-AT", screen: "setup" });
    await window.button("Agenten suchen").click();
    await window.page.getByRole("listitem").filter({ hasText: "Codex" }).first().waitFor();
    await window.button("Weiter").click();
    await window.button("Änderungen durchsehen").click();
    await window.button(/anwenden$/).waitFor();
    at.write(".codex/config.toml", 'model = "gpt-5.4"\n[profiles.mine\n');
    await window.button(/anwenden$/).click();
    await window.heading("Nicht alles hat geklappt").waitFor({ timeout: 60_000 });
    await window.button("Weiter").click();
    await window.heading(/Fertig|Vorhandenes importieren/).waitFor();
    if (await window.button("Überspringen").isVisible()) await window.button("Überspringen").click();
    await window.page.getByText("Bei Codex gab es einen Fehler.").waitFor();
    expect(await outside(window)).toEqual([]);
  });

  test("leaves each file of an agent alone of which one can't be edited, and says which", async () => {
    const at = computer();
    install.claude(at);
    at.write(".claude.json", '{\n  "mcpServers": {\n    "plimsoll": { "command": "/opt/other/plimsoll-clone", "args": ["serve"] }\n  }\n}\n', 0o600);
    const window = await show(at);
    await window.button("Find my agents").click();
    await window.button("Continue").click();
    await window.button("Review the changes").click();
    const files = window.page.getByRole("tablist").getByRole("tab");
    await files.nth(1).waitFor();
    for (const told of await files.allInnerTexts()) expect(told).toContain("left alone");
    await files.filter({ hasText: "settings.json" }).click();
    await window.page.getByText("Claude Code is connected once ~/.claude.json can be edited, too.").waitFor();
    expect(await window.violations()).toEqual([]);
  });

  test("shows the list of files where it was opened", async () => {
    const window = await show(computer(), { size: SMALLEST });
    await window.page.getByText("See the full list of files").click();
    const list = window.page.getByRole("region", { name: "See the full list of files" });
    await list.getByText("Plimsoll", { exact: true }).waitFor();
    await expect.poll(async () => ((await list.boundingBox())?.y ?? 999) + 40).toBeLessThan(SMALLEST.height - 60);
  });

  test("names the agents that it knows where none was found", async () => {
    const window = await show(computer(), { size: SIZES.narrow });
    await window.button("Find my agents").click();
    await window.page.getByText("No agents found on this computer").waitFor();
    expect(await window.page.getByText("0 agents were found").count()).toBe(0);
    const names = window.page.getByRole("listitem").filter({ hasText: "Claude Code" });
    await names.last().waitFor();
    expect(((await names.last().boundingBox())?.y ?? 999) < SIZES.narrow.height).toBe(true);
  });
});
