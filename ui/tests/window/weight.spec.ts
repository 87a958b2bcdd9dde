// As much as years of use leave, and how much the first screen weighs. What is asserted does not depend on how busy
// the machine is; times are printed by `cargo xtask bench desktop`.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { built, Computer, type Host } from "./computer";
import { eachTest, show } from "./window";

eachTest();

let years: Computer;
let host: Host;

beforeAll(async () => {
  years = new Computer();
  years.seed({ calls: 100_000, events: 20_000, sources: 10_000, days: 60 });
  host = await years.serve();
}, 300_000);
afterAll(() => years?.dispose());

// The words of memory and code come with those screens, and the program's own sentences with the program.
test("the first screen's script is at most 100 KB, packed", async () => {
  const at = new Computer();
  try {
    const window = await show(at, { host: await at.serve(), screen: "home" });
    await window.settled();
    const scripts = [...new Set(window.requested.filter((url) => url.endsWith(".js")))];
    const size = scripts.reduce((sum, url) => sum + gzipSync(readFileSync(join(built.page, new URL(url).pathname))).length, 0);
    console.log(`first screen: ${scripts.length} scripts, ${(size / 1024).toFixed(1)} KB gzip`);
    expect(size).toBeLessThanOrEqual(100 * 1024);
    const all = readdirSync(join(built.page, "assets")).filter((name) => name.endsWith(".js"));
    expect(all.length, "screens come when they are opened").toBeGreaterThan(scripts.length);
  } finally {
    at.dispose();
  }
});

// Each piece is a request of its own, and each that only a loaded one asks for is a wait.
test("the frame of the window comes in two pieces, and asks the program without loading a third", async () => {
  const html = readFileSync(join(built.page, "index.html"), "utf8");
  expect([...html.matchAll(/(?:src|href)="\.\/assets\/[^"]+\.js"/g)]).toHaveLength(2);
  const at = new Computer();
  try {
    const window = await show(at, { host: await at.serve(), screen: "home" });
    const before = window.requested.slice(0, window.requested.findIndex((url) => /\/call\/\w+$/.test(url)));
    const scripts = before.map((url) => new URL(url).pathname.split("/").at(-1) ?? "").filter((name) => name.endsWith(".js"));
    // The words and the first screen load meanwhile.
    expect(scripts.filter((name) => !/^(theme|index|shared|_virtual_english|Screen|figures|MemoriesGiven)\b/.test(name))).toEqual([]);
  } finally {
    at.dispose();
  }
});

for (const [screen, name, wanted] of [
  ["knowledge", "Sources", 10_000],
  ["activity?decision=every", /decided/, undefined],
  ["activity?view=calls", "Calls", 100_000],
] as const) {
  test(`${wanted ?? "many"} rows of ${screen}: only those in sight exist, to the last one`, async () => {
    const window = await show(years, { host, screen });
    const grid = window.page.getByRole("grid", { name }).first();
    await grid.waitFor({ timeout: 30_000 });
    const rows = Number(await grid.getAttribute("aria-rowcount")) - 1;
    // Calls have one row each, so there are fewer of them than events.
    if (wanted === undefined) expect(rows).toBeGreaterThan(10_000);
    else expect(rows).toBe(wanted);
    const nodes = async (): Promise<number> => window.page.evaluate(() => document.querySelectorAll("*").length);
    await grid.getByRole("row").nth(5).getByRole("gridcell").first().waitFor();
    const before = await nodes();
    expect(before).toBeLessThan(2_500);
    await grid.focus();
    await window.page.keyboard.press("End");
    await grid.locator(`[role=row][aria-rowindex="${rows + 1}"]`).waitFor({ timeout: 30_000 });
    await expect.poll(async () => (await grid.locator(`[role=row][aria-rowindex="${rows + 1}"]`).innerText()).trim(), { timeout: 30_000 }).not.toBe("");
    for (let at = 0; at < 20; at++) await grid.evaluate((element, part) => element.scrollTo(0, element.scrollHeight * part), at / 20);
    await window.settled();
    expect(await nodes(), "scrolling leaves nothing behind").toBeLessThan(before + 1_000);
    expect(await grid.getByRole("row").count()).toBeLessThan(120);
  });
}

test("a text leads back to its row among ten thousand", async () => {
  const window = await show(years, { host, screen: "knowledge" });
  const grid = window.page.getByRole("grid", { name: "Sources" });
  await grid.waitFor({ timeout: 30_000 });
  const last = grid.locator('[role=row][aria-rowindex="10001"]');
  await grid.focus();
  await window.page.keyboard.press("End");
  await expect.poll(async () => ((await last.count()) === 0 ? "" : (await last.innerText()).trim()), { timeout: 30_000 }).not.toBe("");
  await window.page.keyboard.press("Enter");
  await window.page.locator(".reader").getByRole("heading", { level: 2 }).waitFor();
  await window.button("Back to all sources").first().click();
  await expect.poll(async () => ((await last.count()) === 0 ? null : last.getAttribute("aria-selected")), { timeout: 30_000 }).toBe("true");
});

test("filtering ten thousand sources shows those that fit, and all of them again", async () => {
  const window = await show(years, { host, screen: "knowledge" });
  const grid = window.page.getByRole("grid", { name: "Sources" });
  await grid.waitFor({ timeout: 30_000 });
  const count = async (): Promise<number> => Number((await grid.getAttribute("aria-rowcount")) ?? 1) - 1;
  await window.page.getByRole("searchbox", { name: "Filter by name" }).fill("harbour");
  await expect.poll(count, { timeout: 30_000 }).toBeLessThan(2_000);
  expect(await count()).toBeGreaterThan(100);
  expect(await grid.getByRole("row").nth(1).innerText()).toContain("harbour");
  await window.page.getByRole("searchbox", { name: "Filter by name" }).fill("");
  await expect.poll(count, { timeout: 30_000 }).toBe(10_000);
});
