// Figures of the window in Chromium: how soon the first screen is there, and the longest time that scrolling and
// filtering block the page. Beside them, in the same run and browser, a table that draws every row. Printed and written
// to `PLIMSOLL_FIGURES` as JSON; nothing is asserted, because a busy machine isn't a defect.
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, test } from "vitest";
import { install } from "./agents";
import { Computer, type Host } from "./computer";
import { eachTest, show, type Window } from "./window";

eachTest();

interface Figure {
  what: string;
  ours: string;
  baseline: string;
  goal: string;
}
const figures: Figure[] = [];
let years: Computer;
let host: Host;

beforeAll(async () => {
  years = new Computer();
  install.claude(years);
  years.plimsoll(["connect", "claude-code", "--yes"]);
  years.write(".plimsoll/settings.toml", "[desktop]\nsetup_done = true\n", 0o600);
  years.seed({ calls: 100_000, events: 20_000, sources: 10_000, days: 60 });
  host = await years.serve();
});
afterAll(() => {
  years?.dispose();
  if (process.env.PLIMSOLL_FIGURES) writeFileSync(process.env.PLIMSOLL_FIGURES, JSON.stringify(figures));
  for (const one of figures) console.log(`${one.what}: ${one.ours} (beside: ${one.baseline}; goal: ${one.goal})`);
});

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

test("the first screen", async () => {
  const paints: number[] = [];
  const completes: number[] = [];
  for (let run = 0; run < 7; run++) {
    const window = await show(years, { host, screen: "home" });
    await window.page.getByText("kept out of context").first().waitFor();
    paints.push(await window.page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN));
    completes.push(await window.page.evaluate(() => new Promise<number>((done) => new PerformanceObserver((list) => done(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({ type: "largest-contentful-paint", buffered: true }))));
    await window.page.context().close();
  }
  figures.push({ what: "first paint of Home, 100,000 calls recorded", ours: `${median(paints).toFixed(0)} ms`, baseline: "–", goal: "≤ 300 ms" });
  figures.push({ what: "Home complete (largest paint)", ours: `${median(completes).toFixed(0)} ms`, baseline: "–", goal: "≤ 600 ms" });
});

/** The longest task during `work`, and how many were over 50 ms. */
async function held(window: Window, work: () => Promise<void>): Promise<{ longest: number; over: number }> {
  await window.page.evaluate(() => {
    const seen: number[] = [];
    (globalThis as { seen?: number[] }).seen = seen;
    new PerformanceObserver((list) => seen.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: "longtask" });
  });
  await work();
  await window.page.waitForTimeout(400);
  const seen = await window.page.evaluate(() => (globalThis as { seen?: number[] }).seen ?? []);
  return { longest: Math.max(0, ...seen), over: seen.length };
}

async function scroll(window: Window, selector: string): Promise<void> {
  await window.page.evaluate(async (of) => {
    const pane = document.querySelector(of) as HTMLElement;
    const end = pane.scrollHeight - pane.clientHeight;
    for (let step = 0; step <= 240; step++) {
      // Slow at first as with a wheel, then across the whole as with the bar.
      pane.scrollTop = step < 120 ? step * 60 : (end * (step - 120)) / 120;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }, selector);
}

test("long lists", async () => {
  const words = ({ longest, over }: { longest: number; over: number }): string => (over === 0 ? "none over 50 ms" : `longest ${longest.toFixed(0)} ms, ${over} over 50 ms`);
  const plain = await show(years, { host, screen: "home" });
  await plain.page.evaluate(() => {
    document.body.innerHTML = "";
  });
  const naive = await held(plain, async () => {
    await plain.page.evaluate(async () => {
      const pane = document.createElement("div");
      pane.id = "naive";
      pane.style.cssText = "height: 600px; overflow: auto";
      const table = document.createElement("table");
      for (let row = 0; row < 10_000; row++) {
        const line = table.insertRow();
        for (let cell = 0; cell < 7; cell++) line.insertCell().textContent = `row ${row}, cell ${cell}`;
      }
      pane.append(table);
      document.body.append(pane);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    });
    await scroll(plain, "#naive");
  });
  for (const [screen, rows] of [
    ["knowledge", "10,000 sources"],
    ["activity", "20,000 events"],
    ["activity?view=calls", "100,000 ledger rows"],
  ] as const) {
    const window = await show(years, { host, screen });
    await window.page.getByRole("grid").first().getByRole("row").nth(5).waitFor();
    await window.settled();
    const seen = await held(window, () => scroll(window, "[role=grid]"));
    figures.push({ what: `tasks while scrolling ${rows}`, ours: words(seen), baseline: `${words(naive)} (10,000 rows, every one drawn)`, goal: "none over 50 ms" });
  }
  const window = await show(years, { host, screen: "knowledge" });
  await window.page.getByRole("grid").first().getByRole("row").nth(5).waitFor();
  await window.settled();
  const filtered = await held(window, async () => {
    await window.page.getByRole("searchbox", { name: "Filter by name" }).pressSequentially("harbour", { delay: 60 });
    await window.page.waitForTimeout(500);
  });
  const searched = await held(window, async () => {
    await window.page.getByRole("combobox", { name: "Search knowledge" }).pressSequentially("queue is drained", { delay: 60 });
    await window.page.getByRole("listbox", { name: "Results" }).getByRole("option").first().waitFor();
  });
  figures.push({ what: "tasks while filtering 10,000 sources", ours: words(filtered), baseline: "–", goal: "none over 50 ms" });
  figures.push({ what: "tasks while searching 10,000 sources as one types", ours: words(searched), baseline: "–", goal: "none over 50 ms" });
});
