// How the screens are laid out, as far as users rely on it: what comes first, what unfolds, what long names and
// other people's texts may do to the window.
import { afterAll, beforeAll, expect, test } from "vitest";
import { install } from "./agents";
import { Computer, type Host } from "./computer";
import { asDesktop, computer, eachTest, show, SIZES, type Window } from "./window";

eachTest();

const LONG = `a-name-that-nobody-would-give-${"but-somebody-did-".repeat(9)}end`;
let busy: Computer;
let host: Host;

beforeAll(async () => {
  busy = new Computer();
  install.claude(busy);
  install.opencode(busy);
  busy.plimsoll(["connect", "claude-code", "opencode", "--yes"]);
  busy.seed({ calls: 80, events: 40, filters: 40, days: 3 });
  busy.hook("claude-code", "UserPromptSubmit", { session_id: "first", cwd: busy.project, hook_event_name: "UserPromptSubmit", prompt: "Why does the checkout time out?" });
  busy.write(`work/shop/docs/${LONG}.md`, `# ${LONG.replaceAll("-", " ")}\n\nOf moorings.\n`);
  busy.plimsoll(["index", `docs/${LONG}.md`]);
  host = await busy.serve();
}, 120_000);
afterAll(() => busy?.dispose());

async function fits(window: Window): Promise<void> {
  await window.settled();
  const over = await window.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(over, "nothing is wider than the window").toBe(0);
}

test("sessions are titled by their first request and listed by day, and the summary comes first", async () => {
  const window = await show(busy, { host, screen: "sessions" });
  const row = window.page.getByRole("grid", { name: "Sessions" }).getByRole("row").filter({ hasText: "Why does the checkout time out?" });
  await row.waitFor();
  await window.page.getByRole("grid", { name: "Sessions" }).getByText(/^(Today|Yesterday)/).first().waitFor();
  await row.click();
  const session = window.page.getByRole("region", { name: "Session" }).or(window.page.locator("section.session"));
  await session.first().getByRole("heading", { name: "Why does the checkout time out?" }).waitFor();
  const note = session.first().getByText("What it would get after a compaction");
  await note.waitFor();
  const top = async (of: typeof note) => (await of.boundingBox())?.y ?? -1;
  expect(await top(note)).toBeLessThan(await top(session.first().getByRole("tablist")));
});

test("Activity begins with what mattered, and a call is one row", async () => {
  const at = computer();
  install.claude(at);
  at.plimsoll(["connect", "claude-code", "--yes"]);
  const call = { session_id: "one", cwd: at.project, tool_name: "Bash", tool_use_id: "call-1", tool_input: { command: "git status" } };
  at.hook("claude-code", "PreToolUse", { ...call, hook_event_name: "PreToolUse" });
  at.hook("claude-code", "PostToolUse", { ...call, hook_event_name: "PostToolUse", tool_response: { stdout: "clean\n", stderr: "", interrupted: false } });
  const window = await show(at, { screen: "activity" });
  const which = window.page.getByRole("combobox", { name: "Decision", exact: true });
  expect(await which.locator("option:checked").innerText()).toBe("Important");
  // In a row a decision is a word of a sentence; in the list each choice begins a line.
  for (const choice of await which.locator("option").allInnerTexts()) expect(choice).toMatch(/^\p{Lu}/u);
  await which.selectOption("every");
  const rows = window.page.getByRole("row").filter({ hasText: "git status" });
  await rows.first().waitFor();
  expect(await rows.count()).toBe(1);
});

test("Home shows the last saving, figures by command, Plimsoll's own cost in one row, and today by the hour", async () => {
  const window = await show(busy, { host, screen: "home?range=all" });
  await window.page.getByText("Last", { exact: true }).waitFor();
  // The big figure is the net; what was kept out before Plimsoll's own cost is both added up.
  expect(await window.page.getByRole("region", { name: "Figures" }).getByRole("term").allInnerTexts()).toEqual(["Last", "Time in calls", "Time in hooks"]);
  const table = window.page.getByRole("region", { name: /Where|What was shortened/ }).or(window.page.locator("section.breakdown")).first();
  expect(await table.getByRole("radio", { name: "Command" }).isChecked()).toBe(true);
  await table.getByRole("columnheader", { name: "Command" }).waitFor();
  expect(await table.getByRole("row").filter({ hasText: "Plimsoll’s own cost" }).count()).toBe(1);
  await window.go("home");
  await window.page.getByRole("heading", { name: "Kept out, by hour" }).or(window.page.getByText(/Nothing .* today/i)).first().waitFor();
});

test("agents are rows that expand, and collapsed details aren't read out", async () => {
  const window = await show(busy, { host, screen: "agents" });
  const card = window.page.locator("#agent-claude-code");
  await card.waitFor();
  await window.settled();
  expect(((await card.boundingBox())?.height ?? 999) < 120, "a row, not a card").toBe(true);
  expect(await card.getByRole("table").count()).toBe(0);
  await card.getByRole("button", { name: "Details of Claude Code" }).click();
  await card.getByRole("table").getByText(".claude.json").first().waitFor();
  await card.getByRole("button", { name: "Details of Claude Code" }).click();
  await expect.poll(() => card.getByRole("table").count()).toBe(0);
});

test("the palette's field is visible and not covered by the page's bars", async () => {
  const window = await show(busy, { host, screen: "sessions" });
  await window.page.keyboard.press("Control+k");
  const field = window.page.locator(".palette .field");
  await field.waitFor();
  const seen = await field.evaluate((one) => ({ border: parseFloat(getComputedStyle(one).borderTopWidth), tall: one.getBoundingClientRect().height }));
  expect(seen.border > 0 && seen.tall >= 28, JSON.stringify(seen)).toBe(true);
  expect(await window.page.locator("#main").evaluate((one) => getComputedStyle(one).scrollbarColor)).toMatch(/^rgba\(0, 0, 0, 0\)/);
});

for (const [name, size] of Object.entries(SIZES)) {
  test(`long names stay inside the window, ${name}`, async () => {
    const window = await show(busy, { host, size, screen: "knowledge" });
    for (const [screen, heading] of [["knowledge", "Knowledge"], ["sessions", "Sessions"], ["activity", "Activity"], ["agents", "Agents"], ["home", "Home"], ["knowledge?q=moorings", "Knowledge"]] as const) {
      await window.go(screen);
      await window.heading(heading).waitFor();
      await fits(window);
    }
    await window.page.locator(".reader article").first().waitFor();
    await fits(window);
    const titles = await window.page.getByRole("listbox", { name: "Results" }).locator(".title").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(Math.max(...titles), "a name takes three lines at most").toBeLessThanOrEqual(3 * 18 + 1);
    await window.button("Clear the search").click();
    // The end of a path says more than its beginning.
    const file = window.page.getByRole("grid", { name: "Sources" }).getByRole("row").filter({ hasText: "end.md" }).getByText(/end\.md$/).first();
    await file.waitFor();
  });
}

test("a menu wraps long labels and shows no empty placeholder, at 860 px", async () => {
  const window = await show(busy, { host, size: SIZES.narrow, screen: "knowledge" });
  await window.button("Add").click();
  const menu = window.page.getByRole("menu");
  await menu.waitFor();
  const box = await menu.boundingBox();
  expect(box !== null && box.x >= 0 && box.x + box.width <= SIZES.narrow.width, JSON.stringify(box)).toBe(true);
  const wide = await menu.getByRole("menuitem").evaluateAll((items) => items.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent));
  expect(wide, "nothing is cut off").toEqual([]);
  expect(await menu.innerText(), "what is not known yet is named").toMatch(/^(?=[^]*\bPATH\b)[^{}]*$/);
});

test("a long foreign text doesn't fill the window as a message", async () => {
  const window = await show(busy, { host, screen: "knowledge" });
  const text = `<html>${"<p>an error page of somebody else</p>".repeat(300)}</html>`;
  await window.page.route("**/call/open", (route) => route.fulfill({ status: 500, contentType: "application/json", body: JSON.stringify({ code: "failed", message: text, said: { text, key: null, params: {} } }) }));
  await window.page.getByRole("grid", { name: "Sources" }).getByRole("row").filter({ hasText: "end.md" }).hover();
  await window.button(/^Open in editor/).first().click();
  const toast = window.page.locator(".toast");
  await toast.waitFor();
  const box = await toast.boundingBox();
  expect(box !== null && box.height <= 200, JSON.stringify(box)).toBe(true);
  await toast.getByRole("button", { name: "Close" }).click();
  await toast.waitFor({ state: "detached" });
});

test("no time is cut off in a list: neither a day and a time in a session, nor a day of another year", async () => {
  const at = computer();
  install.claude(at);
  at.seed({ calls: 30, events: 30, days: 2 });
  const window = await show(at, { screen: "activity?decision=every" });
  const now = Date.now();
  const cut = (): Promise<string[]> => window.page.locator("[role=gridcell] time").evaluateAll((times) => times.filter((one) => (one.parentElement?.scrollWidth ?? 0) > (one.parentElement?.clientWidth ?? 0)).map((one) => one.textContent ?? ""));
  const times = window.page.locator("[role=gridcell] time");
  await times.first().waitFor();
  for (const days of [3, 365]) {
    await window.page.clock.setFixedTime(now + days * 86_400_000);
    await asDesktop(window);
    for (const screen of ["sessions", "activity?decision=every", "activity?view=calls"]) {
      await window.go(screen);
      if (screen === "sessions") await window.page.getByRole("grid", { name: "Sessions" }).getByRole("row").filter({ hasText: "denied" }).first().click();
      await times.nth(3).waitFor();
      await window.settled();
      expect(await cut(), `${screen}, ${days} days later`).toEqual([]);
    }
  }
});

test("a page that scrolls goes on to the window's edge, and its last card ends above it", async () => {
  const window = await show(busy, { host, size: SIZES.narrow, screen: "settings/filters" });
  for (const [screen, scrolls] of [["settings/filters", ".pane"], ["settings/uninstall", ".pane"], ["memory/team", ".two"]] as const) {
    await window.go(screen);
    const pane = window.page.locator(scrolls);
    await pane.waitFor();
    await window.settled();
    const [edge, room] = await pane.evaluate((one) => {
      one.scrollTo(0, one.scrollHeight);
      const last = [...one.querySelectorAll(".card")].at(-1)?.getBoundingClientRect().bottom ?? 0;
      return [innerHeight - one.getBoundingClientRect().bottom, innerHeight - last];
    });
    expect(edge, screen).toBe(0);
    expect(room, screen).toBeGreaterThanOrEqual(12);
  }
});
