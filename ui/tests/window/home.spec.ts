// Home's figures as one goes through them: the chart as a table, and every way to count down to single calls. Seeded record.
import { afterAll, beforeAll, expect, test } from "vitest";
import { install } from "./agents";
import { Computer, type Host } from "./computer";
import { asDesktop, computer, eachTest, show } from "./window";

eachTest();

let busy: Computer;
let host: Host;

beforeAll(async () => {
  busy = new Computer();
  install.claude(busy);
  busy.plimsoll(["connect", "claude-code", "--yes"]);
  busy.seed({ calls: 60, days: 3 });
  host = await busy.serve();
});
afterAll(() => busy?.dispose());

test("the chart is a table as well, with the calls of each day, the latest first", async () => {
  const window = await show(busy, { host, screen: "home?range=all" });
  const table = window.button("Table");
  await table.click();
  expect(await table.getAttribute("aria-pressed")).toBe("true");
  const days = window.page.getByRole("region", { name: "Kept out, by day" }).getByRole("row");
  await days.nth(1).waitFor();
  const lines = (await days.allInnerTexts()).slice(1).map((line) => line.split("\t"));
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
  const list = window.page.getByRole("region", { name: "What was shortened" });
  await list.getByRole("radio", { name: "Tool" }).check();
  const byTool = (await list.locator("tbody tr:not(.own)").allInnerTexts()).map((line) => Number(line.split("\t")[1]));
  expect(sum(lines.map((line) => Number(line[1])))).toBe(sum(byTool));
  expect(sum(byTool)).toBeGreaterThan(0);
  expect(lines.length).toBeGreaterThan(1);
  expect(await window.violations()).toEqual([]);
  await table.click();
  await window.page.locator(".plot svg").waitFor();
});

test("by tool, agent and project: each row opens the calls that it counts", async () => {
  for (const [by, filter] of [["Tool", "tool"], ["Agent", "agent"], ["Project", "project"]] as const) {
    const window = await show(busy, { host, screen: "home?range=all" });
    const list = window.page.getByRole("region", { name: "What was shortened" });
    await list.getByRole("radio", { name: by }).check();
    await list.getByRole("columnheader", { name: by, exact: true }).waitFor();
    const row = list.getByRole("row").nth(1);
    const times = (await row.getByRole("cell").first().innerText()).trim();
    await row.getByRole("link").click();
    await window.heading("Activity").waitFor();
    expect(await window.page.evaluate(() => location.hash)).toContain(`${filter}=`);
    expect(await window.page.getByRole("combobox", { name: by, exact: true }).inputValue()).not.toBe("");
    if (by === "Tool") await window.page.getByText(`${times} calls`, { exact: true }).waitFor();
  }
});

test("calls outside every project have a row that opens them", async () => {
  const at = computer();
  at.plimsoll(["settings", "set", "desktop.setup_done", "true"]);
  await at.tool("execute", { language: "shell", code: "seq 1 9" }, "claude-code", at.home);
  const window = await show(at, { screen: "home?range=all" });
  const list = window.page.getByRole("region", { name: "What was shortened" });
  await list.getByRole("radio", { name: "Project" }).check();
  await list.getByRole("link", { name: "outside every project" }).click();
  await window.heading("Activity").waitFor();
  const row = window.page.getByRole("row").filter({ hasText: "execute" }).first();
  await row.click();
  const chosen = window.page.getByRole("combobox", { name: "Project", exact: true }).locator("option:checked");
  expect((await chosen.textContent())?.trim()).toBe("outside every project");
  const details = window.page.getByRole("complementary", { name: "Details" });
  await details.getByText("outside every project").waitFor();
  expect(await details.getByRole("link", { name: "outside every project" }).count(), "there is no knowledge of it").toBe(0);
});

test("an agent without a name has a row and a choice in the filter", async () => {
  const window = await show(busy, { host, screen: "agents" });
  await window.page.route("**/call/stats", async (route) => {
    const stats = (await (await route.fetch()).json()) as { by_agent: { name: string }[] };
    await route.fulfill({ json: { ...stats, by_agent: stats.by_agent.map((row, at) => (at === 0 ? { ...row, name: "" } : row)) } });
  });
  await window.go("home?range=all");
  const list = window.page.getByRole("region", { name: "What was shortened" });
  await list.getByRole("radio", { name: "Agent" }).check();
  const asked = window.page.waitForRequest((request) => request.url().endsWith("/call/calls"));
  await list.getByRole("link", { name: "unknown agent" }).click();
  await window.heading("Activity").waitFor();
  expect((await asked).postDataJSON()).toMatchObject({ agent: "" });
  const choice = window.page.getByRole("combobox", { name: "Agent", exact: true });
  expect((await choice.locator("option:checked").textContent())?.trim()).toBe("unknown agent");
  expect(await choice.locator("option[value='']").count()).toBe(1);
  await window.page.unrouteAll({ behavior: "ignoreErrors" });
});

test("a dismissed crash notice doesn't come back", async () => {
  const at = computer();
  at.plimsoll(["settings", "set", "desktop.setup_done", "true"]);
  at.answer("crash", "/tmp/crash-1.txt");
  const window = await show(at, { screen: "home" });
  const told = window.page.getByText("Plimsoll quit unexpectedly last time.");
  await told.waitFor();
  await window.button("Close").first().click();
  await told.waitFor({ state: "detached" });
  await window.go("agents");
  await window.heading("Agents").waitFor();
  await window.go("home");
  await window.heading("Home").waitFor();
  await window.settled();
  expect(await told.count()).toBe(0);
});

test("once setup is done, the first picture doesn't wait for the figures, and the words don't wait for an answer", async () => {
  const at = computer();
  at.plimsoll(["settings", "set", "desktop.setup_done", "true"]);
  const window = await show(at, { screen: "home" });
  await window.page.route("**/call/overview", () => undefined);
  // The clock is stopped: whatever waits for a time waits forever.
  await window.page.clock.install();
  await window.page.clock.pauseAt(Date.now() + 60_000);
  window.requested.length = 0;
  await asDesktop(window);
  await window.heading("Home").waitFor();
  const first = (what: RegExp): number => window.requested.findIndex((url) => what.test(url));
  expect(first(/english/)).toBeGreaterThan(-1);
  expect(first(/english/)).toBeLessThan(first(/\/call\//));
  await window.page.unrouteAll({ behavior: "ignoreErrors" });
});
