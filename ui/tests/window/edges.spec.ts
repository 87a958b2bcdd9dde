// Edges, as a strict eye sees them: what goes on beyond one says so, and what is below each other begins or ends at the same one.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Locator } from "playwright-core";
import { install } from "./agents";
import { Computer, type Host } from "./computer";
import { eachTest, show, SIZES } from "./window";

eachTest();

let busy: Computer;
let host: Host;

beforeAll(async () => {
  busy = new Computer();
  install.codex(busy);
  busy.plimsoll(["connect", "codex", "--yes"]);
  busy.seed({ calls: 80, events: 40, filters: 40, days: 3 });
  busy.write("work/shop/docs/wide.md", `# Wide\n\n\`\`\`sh\n${"long ".repeat(60)}end\n\`\`\`\n\n\`\`\`sh\nshort\n\`\`\`\n`);
  busy.plimsoll(["index", "docs/wide.md"]);
  host = await busy.serve();
}, 120_000);
afterAll(() => busy?.dispose());

/** Both edges, as whole pixels. */
const sides = (of: Locator): Promise<{ left: number; right: number }[]> =>
  of.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map((box) => ({ left: Math.round(box.left), right: Math.round(box.right) })));
const faded = (of: Locator): Promise<boolean> => of.evaluate((one) => getComputedStyle(one).maskImage !== "none");

test("code that is wider than its box fades where it goes on, until its end is in sight", async () => {
  const window = await show(busy, { host, size: SIZES.narrow, screen: "knowledge?q=wide" });
  const code = window.page.locator(".reader article pre");
  await code.nth(1).waitFor();
  await expect.poll(() => code.first().getAttribute("data-more")).toBe("end");
  expect(await faded(code.first())).toBe(true);
  expect(await code.nth(1).getAttribute("data-more"), "all of it is in sight").toBeNull();
  expect(await faded(code.nth(1))).toBe(false);
  await code.first().evaluate((one) => one.scrollTo(100, 0));
  await expect.poll(() => code.first().getAttribute("data-more")).toBe("both");
  await code.first().evaluate((one) => one.scrollTo(one.scrollWidth, 0));
  await expect.poll(() => code.first().getAttribute("data-more")).toBe("start");
  // What the keyboard is in shows its whole ring.
  await window.page.keyboard.press("Tab");
  await code.first().focus();
  expect(await faded(code.first())).toBe(false);
});

test("a diff says at which side it goes on, also after another file was chosen", async () => {
  const window = await show(busy, { host, size: SIZES.narrow, screen: "agents" });
  await window.button("Disconnect…").first().click();
  const dialog = window.page.getByRole("dialog");
  const diff = dialog.locator(".diff.select");
  await expect.poll(() => diff.getAttribute("data-more")).toBe("end");
  await dialog.getByText("hooks.json").first().click();
  await dialog.getByRole("region", { name: /hooks\.json/ }).waitFor();
  const wider = await diff.evaluate((one) => one.scrollWidth > one.clientWidth + 1);
  await expect.poll(() => diff.getAttribute("data-more")).toBe(wider ? "end" : null);
});

test("settings end at one edge, whatever they are changed with, and a number has its unit in its field", async () => {
  const window = await show(busy, { host, screen: "settings/appearance" });
  for (const section of ["appearance", "sandbox", "network"]) {
    await window.go(`settings/${section}`);
    await window.page.locator(".setting").first().waitFor();
    await window.settled();
    const ends = (await sides(window.page.locator(".setting .control > :last-child"))).map((box) => box.right);
    expect(ends.length).toBeGreaterThan(2);
    expect(new Set(ends).size, `${section}: ${ends.join(", ")}`).toBe(1);
  }
  const hours = window.page.getByRole("textbox", { name: "A page stays fresh for" });
  expect(await hours.evaluate((one) => one.closest("label")?.innerText)).toContain("hours");
  await window.page.getByText("hours", { exact: true }).click();
  expect(await hours.evaluate((one) => one === document.activeElement)).toBe(true);
});

test("what a dialog asks begins where its title does, and ends where its buttons do", async () => {
  const window = await show(busy, { host, screen: "knowledge" });
  await window.button("Purge…").click();
  const dialog = window.page.getByRole("dialog");
  await dialog.locator(".loss").waitFor();
  await window.settled();
  const [title, loss, last] = await Promise.all([sides(dialog.getByRole("heading")), sides(dialog.locator(".loss")), sides(dialog.locator("footer button").last())]);
  expect(loss[0]?.left).toBe(title[0]?.left);
  expect(loss[0]?.right).toBe(last[0]?.right);
});

test("a session's title, summary and rows begin at one edge", async () => {
  const window = await show(busy, { host, screen: "sessions" });
  await window.page.getByRole("grid", { name: "Sessions" }).getByRole("row").nth(1).click();
  const session = window.page.locator("section.session");
  await session.locator(".note").waitFor();
  await window.settled();
  const lefts = [...(await sides(session.getByRole("heading", { level: 2 }))), ...(await sides(session.locator(".note")))].map((box) => box.left);
  const tab = await session.getByRole("tab").first().evaluate((one) => Math.round(one.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(one).paddingLeft)));
  expect(new Set([...lefts, tab]).size, [...lefts, tab].join(", ")).toBe(1);
});

test("Home's cards have their controls at the edge of their figures", async () => {
  const window = await show(busy, { host, screen: "home?range=week" });
  await window.page.getByText(/^Most on /).or(window.page.getByText(/Most on \w+ \d+ \w+: /)).first().waitFor();
  const right = async (of: Locator) => (await sides(of))[0]?.right;
  expect(await right(window.page.locator(".breakdown .segmented"))).toBe(await right(window.page.locator(".over-time .bar button")));
  // Three short facts are one line wherever they fit.
  await window.page.setViewportSize(SIZES.narrow);
  const tops = await window.page.locator(".cost dt").evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
  expect([tops.length, new Set(tops).size]).toEqual([3, 1]);
  await window.button("Table").click();
  expect(await window.page.locator(".over-time").getByRole("columnheader").allInnerTexts()).toContain("Calls");
});
