// Code as users work with it: found while typing and walked through by keys alone, who uses a name, the map and its
// list, cycles; and what is shown where there is no index, none yet or a damaged one. A real project, the real worker.
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync, readdirSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Computer } from "./computer";
import { computer, eachTest, show, SIZES, type Theme, type Window } from "./window";

eachTest();

const FILES: Record<string, string> = {
  "src/payments/charge.ts": `import { sleep, backoff } from "../lib/backoff";
import { gateway } from "./gateway";

/** Tries a failed payment again. */
export async function retryCharge(order: Order, attempt = 1): Promise<Charge> {
  const charge = await gateway.charge(order.total, "<img src=x onerror=alert(1)>");
  if (charge.ok || attempt >= 4) return charge;
  await sleep(backoff(attempt));
  return retryCharge(order, attempt + 1);
}
`,
  "src/payments/gateway.ts": `import { retryCharge } from "./charge";
export const gateway = { charge: async (total: number, note: string) => ({ ok: total > 0, note, again: retryCharge }) };
`,
  "src/payments/queue.ts": `import { retryCharge } from "./charge";
import { log } from "winston";

export class PaymentQueue {
  async drain(orders: Order[]): Promise<void> {
    for (const order of orders) await retryCharge(order);
  }
}
`,
  "src/lib/backoff.ts": `export function backoff(attempt: number): number {
  return Math.min(30, 2 ** attempt);
}
export function sleep(seconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, seconds * 1000));
}
`,
  "test/charge.test.ts": `import { test } from "vitest";
import { retryCharge } from "../src/payments/charge";

test("retries a declined card twice", async () => {
  await retryCharge({ total: 1 });
});
`,
};

/** Two years in which a project turns from one logger to another. */
function turned(): Computer {
  const at = shop(false);
  const day = 86_400;
  const now = Math.floor(Date.now() / 1000);
  const commit = (ago: number, logger: string, folder: string, count: number): void => {
    for (let n = 0; n < count; n++) at.write(`work/shop/src/${folder}/${folder}${n}.ts`, `import log from "${logger}";\nexport function ${folder}${n}() {\n  log("${folder}");\n}\n`);
    const date = `${now - ago * day} +0000`;
    const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    execFileSync("git", ["add", "."], { cwd: at.project });
    execFileSync("git", ["-c", "user.name=Ana", "-c", "user.email=ana@example.org", "commit", "-qm", folder], { cwd: at.project, env });
  };
  commit(600, "winston", "first", 10);
  commit(400, "winston", "second", 4);
  commit(200, "pino", "trial", 2);
  // Too few for a trend.
  for (const name of ["one", "two", "three"]) at.write(`work/shop/test/${name}.test.ts`, `import { test } from "vitest";\ntest("${name}", () => {});\n`);
  // In the month of the shop's own commit: what is later than the newest commit's month doesn't count.
  commit(0, "pino", "third", 10);
  at.plimsoll(["code", "reindex"]);
  return at;
}

/** A computer with a shop whose code is known, unless it is not wanted so. */
function shop(indexed = true, on = true): Computer {
  const at = computer();
  at.write(".plimsoll/settings.toml", `[codebase]\nenabled = ${on}\n`, 0o600);
  rmSync(join(at.project, ".git"), { recursive: true });
  for (const [path, text] of Object.entries(FILES)) at.write(`work/shop/${path}`, text);
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd: at.project });
  execFileSync("git", ["add", "."], { cwd: at.project });
  execFileSync("git", ["-c", "user.name=Ana", "-c", "user.email=ana@example.org", "commit", "-qm", "A shop"], { cwd: at.project });
  at.seed({ calls: 3, days: 1 });
  if (indexed) at.plimsoll(["code", "reindex"]);
  return at;
}

const field = (window: Window) => window.page.getByRole("combobox", { name: "Search the code" });
const places = (window: Window) => window.page.getByRole("listbox", { name: "Places" }).getByRole("option");
const spot = (window: Window) => window.page.getByRole("region", { name: "Place" });

async function good(window: Window): Promise<void> {
  expect(await window.violations()).toEqual([]);
  const over = await window.page.evaluate(() => {
    const main = document.querySelector("main") as HTMLElement;
    return [document.documentElement.scrollWidth - innerWidth, main.scrollWidth - main.clientWidth];
  });
  expect(over, "nothing is wider than the window").toEqual([0, 0]);
}

for (const theme of ["light", "dark"] as Theme[]) {
  for (const [size, of] of Object.entries(SIZES)) {
    test(`every part of the screen, ${theme}, ${size}`, async () => {
      const window = await show(shop(), { theme, size: of, screen: "code?q=retry a failed payment" });
      await places(window).first().waitFor();
      await spot(window).getByText("Ready to edit").waitFor({ timeout: 30_000 });
      await spot(window).getByText("How it’s done here").waitFor();
      await good(window);
      await window.go("code/map");
      await window.page.getByRole("group", { name: "Map of the code" }).getByRole("button").first().waitFor();
      await good(window);
      await window.button("List").click();
      await window.page.getByRole("grid", { name: "Files" }).getByRole("row").nth(1).waitFor();
      await good(window);
      await window.go("code/patterns");
      await window.page.getByText("Vitest").waitFor();
      await good(window);
      await window.go("code/cycles");
      await window.page.getByRole("region", { name: "Cycle" }).waitFor();
      await good(window);
    });
  }
}

describe("finding", () => {
  test("while typing, by keys alone; uses are grouped by how sure they are", async () => {
    const window = await show(shop(), { screen: "code" });
    await window.page.getByText("Ask where something is").waitFor();
    await window.page.keyboard.press("/");
    await window.page.keyboard.type("retryCharge");
    await places(window).first().waitFor();
    await expect.poll(() => places(window).first().innerText()).toMatch(/retryCharge[^]*function[^]*src\/payments\/charge\.ts/);
    await places(window).first().getByText("defines it").waitFor();
    await spot(window).getByText(/^queue\.ts:\d+$/).first().waitFor({ timeout: 30_000 });
    await spot(window).getByText("resolved").first().waitFor();
    await spot(window).getByText(/1 test file names it/).waitFor();
    await window.page.keyboard.press("ArrowDown");
    await expect.poll(() => places(window).nth(1).getAttribute("aria-selected")).toBe("true");
    await window.page.keyboard.press("Enter");
    expect(await spot(window).evaluate((one) => one === document.activeElement)).toBe(true);
    await window.page.keyboard.press("Escape");
    expect(await field(window).evaluate((one) => one === document.activeElement)).toBe(true);
    await window.page.keyboard.press("Escape");
    await expect.poll(() => field(window).inputValue()).toBe("");
  });

  test("a screen reader hears the count once, not each time an agent writes", async () => {
    const at = shop();
    const window = await show(at, { screen: "code?q=retryCharge" });
    await places(window).first().waitFor();
    const voice = window.page.locator(".hidden-text[role=status]");
    await expect.poll(() => voice.textContent()).toMatch(/places?$/);
    const told = await voice.textContent();
    const again = window.page.waitForResponse("**/call/code_search");
    at.plimsoll(["memory", "capture", "Lamps are lit at dusk", "--namespace", "decisions"]);
    await again;
    await window.settled();
    expect(await voice.textContent()).toBe(told);
  });

  test("a place that the search isn't sure of is never shown as ready to edit", async () => {
    const window = await show(shop(), { screen: "code" });
    await window.page.route("**/call/code_search", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), sure: false } });
    });
    await field(window).fill("retryCharge");
    await spot(window).getByText("Not sure this is the place").waitFor({ timeout: 30_000 });
    await spot(window).getByText(/Definition found/).waitFor();
    expect(await spot(window).getByText("Ready to edit").count()).toBe(0);
    // An answer that is still pending when the page closes is dropped.
    await window.page.unrouteAll({ behavior: "ignoreErrors" });
  });

  test("text in code is shown as text and never runs", async () => {
    const window = await show(shop(), { screen: "code?q=retryCharge" });
    await spot(window).getByText("<img src=x onerror=alert(1)>").waitFor();
    expect(await window.page.locator(".spot img").count()).toBe(0);
  });

  test("a changed file is read again before the answer", async () => {
    const at = shop();
    const window = await show(at, { screen: "code?q=lighthouse" });
    await window.page.getByText("Nothing found").waitFor();
    at.write("work/shop/src/lighthouse.ts", "export function lighthouse(): number {\n  return 7;\n}\n");
    await field(window).fill("lighthouse");
    await field(window).press("Space");
    await places(window).filter({ hasText: "src/lighthouse.ts" }).waitFor();
  });

  test("memories about the place are beside it, as text, and open the memory", async () => {
    const at = shop();
    at.plimsoll(["memory", "capture", "retryCharge charged twice <img src=x onerror=alert(1)> when the gateway timed out", "--namespace", "blockers"]);
    at.plimsoll(["memory", "import", at.write("old.json", JSON.stringify([{ content: "retryCharge is for cards alone", namespace: "learnings", created_at: "2020-05-31T00:00:00Z" }]))]);
    at.plimsoll(["memory", "capture", "Ships are painted in spring", "--namespace", "decisions"]);
    const window = await show(at, { screen: "code?q=retryCharge" });
    await spot(window).getByRole("heading", { name: "What memory says" }).waitFor({ timeout: 30_000 });
    await spot(window).getByText("Failed before").waitFor();
    await spot(window).getByText("Today").waitFor();
    await spot(window).getByText(/31 May 2020 · old, check it first/).waitFor();
    // By the day of whoever reads it.
    const west = await show(at, { host: window.host, screen: "code?q=retryCharge", context: { timezoneId: "America/Los_Angeles" } });
    await spot(west).getByText(/30 May 2020/).waitFor({ timeout: 30_000 });
    await spot(window).getByText("Look at more first").waitFor();
    expect(await spot(window).getByText("painted").count()).toBe(0);
    await good(window);
    await spot(window).getByRole("button", { name: /charged twice <img/ }).click();
    await window.page.getByRole("heading", { name: /retryCharge charged twice/ }).first().waitFor();
  });

  test("the place is copied as context, with who uses it", async () => {
    const window = await show(shop(), { screen: "code?q=retryCharge", context: { permissions: ["clipboard-read", "clipboard-write"] } });
    await places(window).first().waitFor();
    await window.button("Copy as context").click();
    await window.page.getByText(/Copied, about \d+ tokens/).first().waitFor({ timeout: 30_000 });
    const text = await window.page.evaluate(() => navigator.clipboard.readText());
    expect(text).toMatch(/^src\/payments\/charge\.ts:\d+-\d+ \(retryCharge\)\n\n```typescript\n/);
    expect(text).toMatch(/Used in \d+ places:\n- /);
  });
});

test("the map opens folders and its list opens a file, by keys", async () => {
  const window = await show(shop(), { screen: "code/map" });
  const map = window.page.getByRole("group", { name: "Map of the code" });
  await map.getByRole("button", { name: /^src, 4 files/ }).press("Enter");
  await map.getByRole("button", { name: /^payments, 3 files, \d+ lines, 3 changes, 2 files with findings/ }).press("Enter");
  await map.getByRole("button", { name: /^charge\.ts, \d+ lines, 1 change, in a cycle/ }).waitFor();
  await window.button("List").press("Enter");
  const grid = window.page.getByRole("grid", { name: "Files" });
  await grid.getByRole("row").filter({ hasText: "src/payments/charge.ts" }).waitFor();
  await grid.focus();
  await window.page.keyboard.press("ArrowDown");
  await window.page.keyboard.press("Enter");
  await spot(window).getByText("Definitions").waitFor();
});

test("a folder that can't be read says so, and shows no other folder's files", async () => {
  const window = await show(shop(), { screen: "code/map" });
  const map = window.page.getByRole("group", { name: "Map of the code" });
  await map.getByRole("button", { name: /^src, 4 files/ }).waitFor();
  await window.page.route("**/call/code_map", (route) => route.fulfill({ status: 500, json: { code: "storage", message: "it stayed busy" } }));
  await map.getByRole("button", { name: /^src, 4 files/ }).press("Enter");
  await window.page.getByRole("heading", { name: "Can’t read the index of the code" }).waitFor();
  expect(await map.count()).toBe(0);
  await window.page.unrouteAll({ behavior: "ignoreErrors" });
  await window.button("Try again").click();
  await map.getByRole("button", { name: /^payments, 3 files/ }).waitFor();
});

test("the project that a link names stays, and a large folder shows what is in it", async () => {
  const at = shop();
  for (let n = 0; n < 6; n++) at.write(`work/harbour/src/berths/berth${n}.ts`, `export const berth${n} = ${n};\n`.repeat(40));
  at.write("work/harbour/.git/HEAD", "ref: refs/heads/main\n");
  at.plimsoll(["code", "reindex"], { cwd: at.path("work/harbour") });
  const window = await show(at, { screen: `code/map?project=${encodeURIComponent(at.path("work/harbour"))}` });
  const map = window.page.getByRole("group", { name: "Map of the code" });
  await map.getByRole("button", { name: /^berths, 6 files/ }).waitFor();
  await map.getByRole("button", { name: /^src, 6 files/ }).press("Enter");
  await map.getByRole("button", { name: /^berth3\.ts, 40 lines/ }).waitFor();
  await window.page.getByRole("radio", { name: "Patterns" }).click();
  await window.page.getByRole("radio", { name: "Map" }).click();
  await map.getByRole("button", { name: /^src, 6 files/ }).waitFor();
});

test("a cycle is drawn and its files can be read", async () => {
  const window = await show(shop(), { screen: "code/cycles" });
  await window.page.getByRole("option").filter({ hasText: "charge.ts → gateway.ts" }).waitFor();
  await window.page.getByRole("img", { name: /charge\.ts → gateway\.ts/ }).waitFor();
  await window.button("src/payments/gateway.ts").click();
  await spot(window).getByText("gateway", { exact: false }).first().waitFor();
});

describe("when there is nothing, or it can't be read", () => {
  test("off: it says so, and one button turns it on; the palette opens it", async () => {
    const window = await show(shop(false, false), { screen: "home" });
    await window.page.keyboard.press("Control+k");
    await window.page.keyboard.type("Code");
    await window.page.getByRole("option").filter({ hasText: /^\s*Code\s*$/ }).first().click();
    await window.page.getByText("Code is off").waitFor();
    await good(window);
    await window.button("Turn on").click();
    await window.page.getByText("This project isn’t indexed yet").waitFor();
    await window.page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Code" }).waitFor();
  });

  test("not indexed yet: one button reads it", async () => {
    const window = await show(shop(false), { screen: "code" });
    await window.page.getByText("This project isn’t indexed yet").waitFor();
    await good(window);
    await window.button("Index the code").click();
    await window.page.getByText("Ask where something is").waitFor({ timeout: 30_000 });
  });

  test("no project", async () => {
    const at = computer();
    at.write(".plimsoll/settings.toml", "[codebase]\nenabled = true\n", 0o600);
    const window = await show(at, { screen: "code" });
    await window.page.getByText("No project yet").waitFor();
    await good(window);
  });

  test("progress while indexing", async () => {
    const window = await show(shop(false), { screen: "agents" });
    await window.page.route("**/call/code_status", (route) => route.fulfill({ json: { state: "indexing", files: 0, lines: 0, definitions: 0, looked_ms: null, done: 40, total: 160, languages: [], git: true } }));
    await window.go("code");
    await window.page.getByText(/40 of 160 files \(25\s?%\)/).waitFor();
    await good(window);
  });

  test("damaged: no file is lost, and the index is built again", async () => {
    const at = shop();
    const folder = join(at.own, "projects");
    for (const name of readdirSync(folder)) {
      const db = join(folder, name, "code.db");
      if (!existsSync(db)) continue;
      for (const log of ["-wal", "-shm"]) rmSync(`${db}${log}`, { force: true });
      writeFileSync(db, "no database at all, but more than a hundred bytes of something else. ".repeat(200));
    }
    const window = await show(at, { screen: "code" });
    await window.page.getByText("The index is damaged").waitFor();
    await good(window);
    await window.button("Build it again").click();
    await window.page.getByText("Ask where something is").waitFor({ timeout: 30_000 });
  });

  test("no git: the map says so and shows findings", async () => {
    const at = shop();
    rmSync(join(at.project, ".git"), { recursive: true });
    const window = await show(at, { screen: "code/map" });
    await window.page.getByText("No git history").waitFor();
    await good(window);
  });
});

test("a hundred thousand indexed files scroll to the end with few rows drawn", async () => {
  const at = shop(false);
  const folder = join(at.project, "src/part");
  mkdirSync(folder, { recursive: true });
  for (let n = 0; n < 100_000; n++) writeFileSync(join(folder, `f${String(n).padStart(5, "0")}.ts`), "0;\n");
  // What is tested isn't optimised, and the other worker has the other core.
  await at.atLength(["code", "reindex"], 240_000);
  const slow = { timeout: 60_000 };
  const window = await show(at, { screen: "code/map" });
  await window.button("List").click();
  const grid = window.page.getByRole("grid", { name: "Files" });
  // The map beside the list counts all of them first.
  await grid.getByText("src/part/f00000.ts").waitFor({ timeout: 120_000 });
  expect(Number(await grid.getAttribute("aria-rowcount"))).toBeGreaterThan(100_000);
  const drawn = (): Promise<[number, number]> => grid.evaluate((one) => [one.querySelectorAll("[role=row]").length, one.querySelectorAll("*").length]);
  const bounded = async (): Promise<void> => {
    const [rows, nodes] = await drawn();
    expect(rows).toBeLessThan(80);
    expect(nodes).toBeLessThan(2_500);
  };
  await grid.focus();
  for (let page = 0; page < 10; page++) {
    await window.page.keyboard.press("PageDown");
    await bounded();
  }
  await grid.evaluate((one) => one.scrollTo(0, one.scrollHeight / 2));
  await grid.getByText(/^src\/part\/f(?:49|50)\d{3}\.ts$/).first().waitFor(slow);
  await bounded();
  await window.page.keyboard.press("End");
  await grid.getByText("src/part/f99999.ts").waitFor(slow);
  await bounded();
  await window.page.keyboard.press("Home");
  await grid.getByText("src/part/f00000.ts").waitFor(slow);
  await bounded();
}, 600_000);

test("patterns show each trend, and a place shows which one to follow", async () => {
  for (const theme of ["light", "dark"] as Theme[]) {
    const window = await show(turned(), { theme, size: SIZES.narrow, screen: "code/patterns" });
    const row = (name: string) => window.page.getByRole("region", { name: "Patterns" }).getByRole("listitem").filter({ hasText: name });
    await row("Pino").getByText("rising").waitFor({ timeout: 30_000 });
    await row("Winston").getByText("declining").waitFor();
    await row("Vitest").getByText("too few to tell").waitFor();
    const curve = await row("Pino").getByRole("img").getAttribute("aria-label");
    expect(curve).toMatch(/ 0\s%.* 100\s%, nothing new, 91\s%\. 10 new uses in six months, 2 in the eighteen before$/);
    await good(window);
    await window.go("code?q=third3");
    await spot(window).getByText(/^Logging: Pino, \d+\s*% and rising$/).waitFor({ timeout: 30_000 });
    await spot(window).getByText(/^Logging: Winston, \d+\s*% and declining$/).waitFor();
    await good(window);
  }
});

test("in German", async () => {
  const at = shop();
  const window = await show(at, { host: await at.serve({ LANG: "de_DE.UTF-8" }), locale: "de-DE", size: SIZES.narrow, screen: "code?q=retryCharge" });
  await window.page.getByText("Bereit zum Bearbeiten").waitFor({ timeout: 30_000 });
  await good(window);
  for (const screen of ["code/map", "code/patterns", "code/cycles"]) {
    await window.go(screen);
    await window.settled();
    await good(window);
  }
});
