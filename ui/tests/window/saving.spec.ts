// What was kept out without anybody asking: applications of filters and the way to switch one off, figures by filter,
// the resume note. Real rows, real settings file, another process that records.
import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { install } from "./agents";
import { Computer, type Host } from "./computer";
import { asDesktop, computer, eachTest, show, type Window } from "./window";

eachTest();

/** A computer on which filters have been at work; only looked at. */
let busy: Computer;
let host: Host;

beforeAll(async () => {
  busy = new Computer();
  install.claude(busy);
  busy.plimsoll(["connect", "claude-code", "--yes"]);
  busy.seed({ calls: 60, events: 30, filters: 60, days: 2 });
  host = await busy.serve();
});
afterAll(() => busy?.dispose());

const grid = (window: Window, name: string) => window.page.getByRole("grid", { name });
const rows = (window: Window, name: string) => grid(window, name).getByRole("row");
const details = (window: Window) => window.page.getByRole("complementary", { name: "Details" });
const settings = (at: Computer): string => (existsSync(at.path(".plimsoll/settings.toml")) ? at.read(".plimsoll/settings.toml") : "");

describe("Activity", () => {
  test("keeps its filters across events and calls, and in the address", async () => {
    const window = await show(busy, { host, screen: "activity?decision=replace" });
    await rows(window, "What hooks decided").nth(1).waitFor();
    const choice = (name: string) => window.page.getByRole("combobox", { name, exact: true });
    await choice("Agent").selectOption({ index: 1 });
    await choice("Time").selectOption("week");
    const agent = await choice("Agent").inputValue();
    const view = (name: string) => window.page.getByRole("radio", { name }).check();
    await view("Calls");
    await choice("Tool").waitFor();
    expect([await choice("Agent").inputValue(), await choice("Time").inputValue()]).toEqual([agent, "week"]);
    await view("Decisions");
    await choice("Decision").waitFor();
    expect([await choice("Agent").inputValue(), await choice("Time").inputValue(), await choice("Decision").inputValue()]).toEqual([agent, "week", "replace"]);
  });

  test("an application of a filter shows what came in, what was passed on, and by which filter", async () => {
    const window = await show(busy, { host, screen: "activity?decision=replace" });
    const row = rows(window, "What hooks decided").filter({ hasText: "cargo test --workspace" }).first();
    await row.getByText("cargo-test").waitFor();
    expect(await row.innerText()).toMatch(/[\d.]+\sKB\s+→\s+[\d.]+\s(KB|B)/);
    await row.click();
    await details(window).getByText(/^9\d\s% less$/).waitFor();
    await details(window).getByText("The full output is kept.").waitFor();
    const text = await details(window).innerText();
    expect(text).toMatch(/[\d.]+\sKB → [\d.]+\s(KB|B)/);
    // They are told once.
    expect(text).not.toMatch(/^(Before|After)$/m);
    expect(text).not.toContain("later version");
    expect(await window.violations()).toEqual([]);
  });

  test("the open row stays when a new day begins and closes with another list", async () => {
    for (const [screen, list] of [["activity?decision=replace&period=week", "What hooks decided"], ["activity/calls?period=week", "Calls"]] as const) {
      const window = await show(busy, { host, screen });
      await rows(window, list).nth(1).click();
      await details(window).waitFor();
      const title = async (): Promise<string | undefined> => (await details(window).innerText()).split("\n")[0];
      const read = await title();
      await window.page.evaluate(() => {
        const real = Date.now.bind(Date);
        Date.now = () => real() + 86_400_000;
      });
      const asked = window.page.waitForResponse((response) => /\/call\/(activity|calls)$/.test(response.url()));
      await window.page.evaluate(() => dispatchEvent(new Event("focus")));
      await asked;
      await window.settled();
      expect(await title()).toBe(read);
      await window.page.getByRole("combobox", { name: "Time", exact: true }).selectOption("all");
      await details(window).waitFor({ state: "detached" });
    }
  });

  test("a filter is switched off from its row, with an undo", async () => {
    const at = computer();
    at.seed({ filters: 12, days: 1 });
    const window = await show(at, { screen: "activity" });
    await rows(window, "What hooks decided").filter({ hasText: "cargo-test" }).first().click();
    await window.button("Turn this filter off").click();
    await window.page.getByText("cargo-test is off").first().waitFor();
    expect(settings(at)).toMatch(/\[filters\]\s*off = \["cargo-test"\]/);
    await window.button("Turn this filter on again").waitFor();
    expect(await window.violations()).toEqual([]);
    await window.page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await window.button("Turn this filter off").waitFor();
    await expect.poll(() => settings(at)).toMatch(/off = \[\]/);
  });

  test("the terminal switches the same, and the window follows", async () => {
    const at = computer();
    at.seed({ filters: 12, days: 1 });
    const window = await show(at, { screen: "activity" });
    await rows(window, "What hooks decided").filter({ hasText: "cargo-test" }).first().click();
    await window.button("Turn this filter off").focus();
    await window.page.getByText("plimsoll filters off cargo-test").first().waitFor();
    at.plimsoll(["filters", "off", "cargo-test"]);
    await window.button("Turn this filter on again").waitFor();
  });

  test("what another process shortens appears in the list and on Home without reloading", async () => {
    const at = computer();
    at.seed({ calls: 4, events: 4 });
    const window = await show(at, { screen: "activity" });
    await grid(window, "What hooks decided").waitFor();
    expect(await rows(window, "What hooks decided").filter({ hasText: "seq 1 20000" }).count()).toBe(0);
    // As Claude Code would run it: through the launcher, in a session of its own.
    const shown = at.plimsoll(["run", "--agent", "claude-code", "--session", "live-1", "--", "seq", "1", "20000"]);
    expect(shown.length).toBeLessThan(20_000);
    const row = rows(window, "What hooks decided").filter({ hasText: "seq 1 20000" });
    await row.getByText("shortened").waitFor();
    await window.go("home");
    await window.page.getByRole("radio", { name: "Command" }).check();
    await window.page.getByRole("row").filter({ hasText: "other commands" }).getByRole("link").click();
    await rows(window, "Calls").filter({ hasText: "generic" }).first().waitFor();
  });

  test("the full output is read from the row, as text, a piece at a time", async () => {
    const at = computer();
    const printed = "for n in $(seq 1 20000); do echo \"<b>step</b> $n of the build\"; done";
    at.plimsoll(["run", "--agent", "claude-code", "--session", "live-1", "--", "sh", "-c", printed]);
    const window = await show(at, { screen: "activity" });
    await rows(window, "What hooks decided").filter({ hasText: "seq 1 20000" }).first().click();
    await window.button("See the full output").click();
    const dialog = window.page.getByRole("dialog", { name: "The full output" });
    const output = dialog.locator("pre");
    await output.getByText("<b>step</b> 1 of the build").waitFor();
    expect(await output.locator("*").count()).toBe(0);
    expect(await output.innerText()).not.toContain(" 20000 of");
    expect(await window.violations()).toEqual([]);
    // The last piece takes the button away, perhaps while it is being looked for.
    const last = output.getByText("<b>step</b> 20000 of the build");
    while ((await last.count()) === 0) {
      await dialog.getByRole("button", { name: "Show more" }).click({ timeout: 3000 }).catch(() => undefined);
    }
    const steps = ((await output.textContent()) ?? "").trimEnd().split("\n");
    expect([steps.length, steps.at(-1)]).toEqual([20_000, "<b>step</b> 20000 of the build"]);
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
  });

  test("an unknown filter can't be switched", async () => {
    const at = computer();
    install.claude(at);
    const text = "A line of the file that is long enough.\n".repeat(60);
    at.write("work/shop/notes.txt", text);
    const read = { session_id: "again-1", cwd: at.project, tool_name: "Read", tool_input: { file_path: at.path("work/shop/notes.txt") }, tool_response: { type: "text", file: { filePath: at.path("work/shop/notes.txt"), content: text, numLines: 60, startLine: 1, totalLines: 60 } } };
    for (let turn = 0; turn < 2; turn += 1) at.hook("claude-code", "PostToolUse", { hook_event_name: "PostToolUse", ...read });
    const window = await show(at, { screen: "activity" });
    await rows(window, "What hooks decided").filter({ hasText: "unchanged-file" }).first().click();
    await details(window).getByText("unchanged-file").waitFor();
    expect(await window.button("Turn this filter off").count()).toBe(0);
  });
});

describe("Home", () => {
  test("the picture of the week shows its figures, also where motion is reduced", async () => {
    const at = computer();
    at.plimsoll(["settings", "set", "desktop.setup_done", "true"]);
    at.seed({ calls: 40, events: 10, filters: 6, days: 5 });
    // At night, today has nothing yet.
    const window = await show(at, { screen: "home?range=all" });
    await window.page.getByRole("button", { name: "Picture of the week" }).click();
    await window.page.getByRole("button", { name: "Save…" }).and(window.page.locator(":enabled")).waitFor();
    const colours = await window.page.locator("canvas").evaluate((element) => {
      const canvas = element as HTMLCanvasElement;
      const data = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      const seen = new Map<string, number>();
      for (let at = 0; at < data.length; at += 4) {
        const colour = `${data[at]},${data[at + 1]},${data[at + 2]}`;
        seen.set(colour, (seen.get(colour) ?? 0) + 1);
      }
      return [...seen.values()].filter((count) => count > 400).length;
    });
    // The ground, the words, the quieter words, the bars.
    expect(colours).toBeGreaterThanOrEqual(4);
  });

  test("the figures by filter open its calls", async () => {
    const window = await show(busy, { host, screen: "home?range=all" });
    await window.page.getByRole("radio", { name: "Command" }).check();
    const table = window.page.getByRole("table").filter({ hasText: "Before" });
    await table.getByRole("columnheader", { name: "After" }).waitFor();
    const row = table.getByRole("row").filter({ hasText: "cargo test" });
    expect(await row.innerText()).toMatch(/B/);
    expect(await window.violations()).toEqual([]);
    await row.getByRole("link").click();
    await rows(window, "Calls").nth(1).waitFor();
    expect(await window.page.evaluate(() => location.hash)).toContain("filter=cargo-test");
    for (const one of await rows(window, "Calls").all()) {
      const text = await one.innerText();
      if (!text.includes("Tool")) expect(text).toContain("cargo-test");
    }
  });

  test("if no command was shortened, the list by tool comes first", async () => {
    const at = computer();
    install.claude(at);
    at.plimsoll(["connect", "claude-code", "--yes"]);
    at.seed({ calls: 40, days: 1 });
    const window = await show(at, { screen: "home?range=all" });
    const list = window.page.getByRole("region", { name: "What was shortened" });
    await expect.poll(() => list.getByRole("radio", { name: "Tool" }).isChecked()).toBe(true);
    await list.getByRole("row").filter({ hasText: "execute" }).waitFor();
    expect(await list.innerText()).not.toContain("Everything else");
  });

  test("the cost names the notes and the hook texts", async () => {
    const window = await show(busy, { host, screen: "home?range=all" });
    const cost = window.page.getByRole("region", { name: "What was shortened" }).getByRole("row").filter({ hasText: "Plimsoll’s own cost" });
    await cost.getByText(/resume notes [\d.]+\sKB/).waitFor();
    await cost.getByText(/hook texts [\d.]+\sKB/).waitFor();
    expect(await window.page.locator("body").innerText()).not.toContain("later version");
  });
});

describe("Sessions", () => {
  test("the kinds of events without a tab of their own are in a list", async () => {
    const at = computer();
    install.claude(at);
    // Enough that a half day of one agent has events of each kind, at whatever time of the day this runs.
    at.seed({ events: 200, days: 1 });
    const window = await show(at, { screen: "sessions" });
    await window.page.getByRole("grid").getByRole("row").nth(1).waitFor();
    const listed = JSON.parse(at.plimsoll(["sessions", "--agent", "claude-code", "--json"])) as { rows?: { session: string; events: number }[] };
    // The one with the most events has the most kinds.
    const session = (listed.rows ?? []).reduce((most, one) => (one.events > most.events ? one : most), { session: "", events: -1 }).session;
    await window.go(`sessions/claude-code/${session}`);
    const kind = window.page.getByRole("combobox", { name: "Kind of event" });
    const events = window.page.getByRole("tabpanel", { name: /^Timeline/ }).getByRole("row");
    await kind.waitFor();
    await events.nth(5).waitFor();
    const all = await events.count();
    // Only the rows in view are drawn, so the test chooses the kind with the fewest events.
    const kinds = await kind.locator("option").evaluateAll((options) => options.map((one) => ({ value: (one as HTMLOptionElement).value, events: Number(/\((\d+)\)/.exec(one.textContent ?? "")?.[1] ?? Infinity) })));
    const fewest = kinds.reduce((least, one) => (one.events < least.events ? one : least));
    await kind.selectOption(fewest.value);
    await expect.poll(() => events.count()).toBeLessThan(all);
    await kind.selectOption("all");
  });

  test("opening one keeps the list's filter, and a deleted one isn't shown beside it", async () => {
    const at = computer();
    install.claude(at);
    for (const [id, prompt] of [["a-1", "Why does the first pier leak?"], ["a-2", "Why does the second pier leak?"]]) {
      at.hook("claude-code", "UserPromptSubmit", { session_id: id, cwd: at.project, hook_event_name: "UserPromptSubmit", prompt });
    }
    const window = await show(at, { screen: "sessions" });
    const agent = window.page.getByRole("combobox", { name: "Agent", exact: true });
    await agent.locator("option", { hasText: "Claude Code" }).waitFor({ state: "attached" });
    await agent.selectOption("claude-code");
    const row = (name: string) => rows(window, "Sessions").filter({ hasText: name });
    const title = (name: string) => window.page.locator("section.session").getByRole("heading", { name });
    await row("the second pier").click();
    await title("Why does the second pier leak?").waitFor();
    expect(await agent.inputValue()).toBe("claude-code");
    expect(await window.page.evaluate(() => location.hash)).toBe("#/sessions/claude-code/a-2?agent=claude-code");
    await grid(window, "Sessions").press("Delete");
    await window.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await row("the second pier").waitFor({ state: "detached" });
    await title("Why does the first pier leak?").waitFor();
    expect(await window.page.getByRole("alert").count()).toBe(0);
  });

  test("after the details are closed the list has the focus, and what was written meanwhile is in it", async () => {
    const at = computer();
    install.claude(at);
    const prompt = (text: string) => at.hook("claude-code", "UserPromptSubmit", { session_id: "a-1", cwd: at.project, hook_event_name: "UserPromptSubmit", prompt: text });
    prompt("Why does the first pier leak?");
    prompt("And what about the second one?");
    const window = await show(at, { screen: "sessions/claude-code/a-1" });
    const tell = await asDesktop(window);
    const event = (text: string) => window.page.getByRole("tabpanel", { name: /^Timeline/ }).getByRole("row").filter({ hasText: text });
    await event("the first pier").click();
    await details(window).waitFor();
    prompt("And the third one?");
    await tell("changed", null);
    await window.button("Close the details").click();
    await details(window).waitFor({ state: "detached" });
    await expect.poll(() => window.page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("grid");
    await event("And the third one?").waitFor();
  });

  test("a question that was left with its screen isn't asked on the way back", async () => {
    const at = computer();
    install.claude(at);
    at.hook("claude-code", "UserPromptSubmit", { session_id: "a-1", cwd: at.project, hook_event_name: "UserPromptSubmit", prompt: "Why does the first pier leak?" });
    const window = await show(at, { screen: "sessions" });
    await rows(window, "Sessions").filter({ hasText: "the first pier" }).click();
    await grid(window, "Sessions").press("Delete");
    const dialog = window.page.getByRole("dialog");
    await dialog.waitFor();
    await window.go("home");
    await dialog.waitFor({ state: "detached" });
    await window.heading("Home").waitFor();
    await window.go("sessions");
    await window.page.locator("section.session").getByRole("heading", { name: "Why does the first pier leak?" }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  test("the note is shown as it would be given, as text, with its size", async () => {
    const window = await show(busy, { host, screen: "sessions" });
    await window.page.getByRole("grid").getByRole("row").nth(1).waitFor();
    const listed = JSON.parse(busy.plimsoll(["sessions", "--agent", "claude-code", "--json"])) as { rows?: { session: string }[] };
    const session = (listed.rows ?? [])[0]?.session ?? "";
    expect(session).not.toBe("");
    await window.go(`sessions/claude-code/${session}`);
    // The tabs are in one line, also in a small window.
    await window.page.setViewportSize({ width: 860, height: 600 });
    await window.page.getByRole("tab", { name: /^Calls/ }).waitFor();
    const tops = () => window.page.getByRole("tab").evaluateAll((tabs) => new Set(tabs.map((one) => one.getBoundingClientRect().top)).size);
    await expect.poll(tops).toBe(1);
    // The tabs are gone along with the arrows, and only the chosen one is on the way of the Tab key.
    const tab = (name: RegExp) => window.page.getByRole("tab", { name });
    await tab(/^Timeline/).focus();
    await window.page.keyboard.press("End");
    expect(await tab(/^Resume note/).evaluate((element) => element === document.activeElement)).toBe(true);
    const panel = window.page.getByRole("tabpanel", { name: /^Resume note/ });
    await panel.waitFor();
    expect(await tab(/^Resume note/).getAttribute("aria-controls")).toBe(await panel.getAttribute("id"));
    await window.page.keyboard.press("ArrowLeft");
    expect(await tab(/^Calls/).getAttribute("aria-selected")).toBe("true");
    expect(await window.page.locator("[role=tab][tabindex='0']").count()).toBe(1);
    expect(await window.page.locator("[role=tablist] [role=status]").count()).toBe(0);
    await window.page.getByRole("tab", { name: "Resume note" }).click();
    const note = window.page.locator("pre.note");
    await note.waitFor();
    const text = (await note.textContent()) ?? "";
    expect(text).toContain("Why does the retry loop give up after two attempts?");
    expect(text).toContain("‹b›attempts");
    expect(await note.locator("*").count()).toBe(0);
    const bytes = new TextEncoder().encode(text).length;
    expect(bytes).toBeLessThanOrEqual(2_000);
    await window.page.getByText(`${new Intl.NumberFormat("en-GB").format(bytes)} of at most 2,000 bytes`).waitFor();
    expect(await window.violations()).toEqual([]);
  });

  test("a session shows the tokens per model from its agent's own record", async () => {
    const at = computer();
    install.claude(at);
    at.hook("claude-code", "UserPromptSubmit", { session_id: "s-1", cwd: at.project, hook_event_name: "UserPromptSubmit", prompt: "Why does the retry loop give up?" });
    const answered = (id: string, model: string, usage: object): object => ({ type: "assistant", uuid: id, isSidechain: false, timestamp: new Date().toISOString(), cwd: at.project, sessionId: "s-1", version: "2.1.197", message: { id, type: "message", role: "assistant", model, content: [{ type: "text", text: "Because of the cap." }], usage } });
    const lines = [answered("m1", "claude-sonnet-4-5", { input_tokens: 1_200, output_tokens: 80, cache_read_input_tokens: 8_800 }), answered("m2", "claude-haiku-4-5", { input_tokens: 300, output_tokens: 20 })];
    at.write(".claude/projects/-w-shop/s-1.jsonl", `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
    const window = await show(at, { screen: "sessions/claude-code/s-1" });
    await window.page.getByText("claude-sonnet-4-5: 10,000 tokens in, 8,800 of them from the cache; 80 out").waitFor();
    await window.page.getByText("claude-haiku-4-5: 300 tokens in, 20 out").waitFor();
    expect(await window.violations()).toEqual([]);
  });
});
