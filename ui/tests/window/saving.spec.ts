// What was kept out without anybody asking: applications of filters and the way to switch one off, figures by filter,
// the resume note, what past sessions would have been. Real rows, real settings file, another process that records.
import { existsSync } from "node:fs";
import type { Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { install } from "./agents";
import { Computer, type Host } from "./computer";
import { computer, eachTest, show, SIZES, watchFiles, type Window } from "./window";

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
  test("keeps its filters over events and calls, and says them in the address", async () => {
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
    expect(text).not.toContain("later version");
    expect(await window.violations()).toEqual([]);
  });

  test("a filter is turned off from its row, and the way back is offered", async () => {
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

  test("what another process shortens appears by itself, in the list and on Home", async () => {
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

  test("what no list of filters knows cannot be switched", async () => {
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

  test("the figures by filter lead to its calls", async () => {
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

  test("the cost names the notes and the hook texts", async () => {
    const window = await show(busy, { host, screen: "home?range=all" });
    const cost = window.page.getByRole("region", { name: "What was shortened" }).getByRole("row").filter({ hasText: "Plimsoll’s own cost" });
    await cost.getByText(/resume notes [\d.]+\sKB/).waitFor();
    await cost.getByText(/hook texts [\d.]+\sKB/).waitFor();
    expect(await window.page.locator("body").innerText()).not.toContain("later version");
  });
});

describe("Sessions", () => {
  test("the note is shown as it would be given, as text, with its size", async () => {
    const window = await show(busy, { host, screen: "sessions" });
    await window.page.getByRole("grid").getByRole("row").nth(1).waitFor();
    const listed = JSON.parse(busy.plimsoll(["sessions", "--agent", "claude-code", "--json"])) as { rows?: { session: string }[]; sessions?: { session: string }[] };
    const session = (listed.rows ?? listed.sessions ?? [])[0]?.session ?? "";
    expect(session).not.toBe("");
    await window.go(`sessions/claude-code/${session}`);
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

  test("a session says what it used by its agent's own record, per model", async () => {
    const at = computer();
    install.claude(at);
    at.hook("claude-code", "UserPromptSubmit", { session_id: "s-1", cwd: at.project, hook_event_name: "UserPromptSubmit", prompt: "Why does the retry loop give up?" });
    const answered = (id: string, model: string, usage: object): object => ({ type: "assistant", uuid: id, isSidechain: false, timestamp: new Date().toISOString(), cwd: at.project, sessionId: "s-1", version: "2.1.197", message: { id, type: "message", role: "assistant", model, content: [{ type: "text", text: "Because of the cap." }], usage } });
    const lines = [answered("m1", "claude-sonnet-4-5", { input_tokens: 1_200, output_tokens: 80, cache_read_input_tokens: 8_800 }), answered("m2", "claude-haiku-4-5", { input_tokens: 300, output_tokens: 20 })];
    at.write(".claude/projects/-w-shop/s-1.jsonl", `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
    const window = await show(at, { screen: "sessions/claude-code/s-1" });
    await window.page.getByText("claude-sonnet-4-5: 10,000 tokens in, 8,800 of them from the cache; 80 out").waitFor();
    await window.page.getByText("claude-haiku-4-5: 300 tokens in, 0 of them from the cache; 20 out").waitFor();
    expect(await window.violations()).toEqual([]);
  });
});

/** A transcript of Claude Code's in which a test run printed much. */
function transcript(at: Computer): void {
  const noise = Array.from({ length: 900 }, (_, n) => `test module::case_${n} ... ok`).join("\n");
  const output = `   Compiling shop v0.1.0 (/w/shop)\n    Finished test profile [unoptimized + debuginfo] target(s) in 2.31s\n     Running unittests src/lib.rs (target/debug/deps/shop-1a2b3c4d)\n\nrunning 900 tests\n${noise}\n\ntest result: ok. 900 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.02s\n`;
  const timestamp = new Date(Date.now() - 3_600_000).toISOString();
  const common = { isSidechain: false, timestamp, cwd: "/w/shop", sessionId: "past-1", version: "2.1.197" };
  const lines = [
    { ...common, type: "assistant", uuid: "a1", message: { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5", content: [{ type: "tool_use", id: "call_1", name: "Bash", input: { command: "cargo test" } }], usage: { input_tokens: 1, output_tokens: 1 } } },
    { ...common, type: "user", uuid: "a2", parentUuid: "a1", message: { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: output, is_error: false }] }, toolUseResult: { stdout: output, stderr: "", interrupted: false, isImage: false } },
  ];
  at.write(".claude/projects/-w-shop/past-1.jsonl", `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
}

const smaller = /In your last 30 days these outputs would have been [\d.]+ KB smaller/;

describe("past sessions", () => {
  test("Home says what they would have been, as an estimate, and writes nothing", async () => {
    const at = computer();
    install.claude(at);
    transcript(at);
    at.plimsoll(["connect", "claude-code", "--yes"]);
    const changed = watchFiles(at);
    const window = await show(at, { screen: "home" });
    const past = window.page.getByRole("region", { name: "What would have been kept out" });
    await past.waitFor();
    expect((await past.innerText()).replaceAll(/\s+/g, " ")).toMatch(smaller);
    await past.getByText("An estimate: 1 command output").waitFor();
    await past.getByText("cargo test").waitFor();
    // Reading a database leaves its log open beside it; nothing is in that.
    expect(changed().filter((name) => !/plimsoll\.db-(wal|shm)$/.test(name))).toEqual([]);
    const told = JSON.parse(at.plimsoll(["discover", "--days", "30", "--json"])) as { raw_bytes: number; bytes_after: number };
    const kept = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 }).format((told.raw_bytes - told.bytes_after) / 1000);
    expect(await past.innerText(), "the terminal says the same").toContain(`${kept}\u00a0KB`);
    expect(await window.violations()).toEqual([]);
  });

  test("the wizard's last step says it too", async () => {
    const at = computer();
    install.claude(at);
    transcript(at);
    const window = await show(at);
    await window.button("Find my agents").click();
    await window.heading("Your agents").waitFor();
    await window.button("Continue").click();
    await window.button("Review the changes").click();
    await window.button(/^Apply/).click();
    await window.heading("Applied and verified").waitFor({ timeout: 45_000 });
    await window.button("Continue").click();
    const past = window.page.getByRole("region", { name: "What would have been kept out" });
    await past.waitFor();
    expect((await past.innerText()).replaceAll(/\s+/g, " ")).toMatch(smaller);
    expect(await window.violations()).toEqual([]);
  });

  test("without transcripts nothing is said", async () => {
    const at = computer();
    const window = await show(at, { screen: "agents" });
    const answered = window.page.waitForResponse(/\/call\/discover$/);
    await window.go("home");
    await (await answered).finished();
    await window.page.getByText("Nothing recorded yet today").waitFor();
    await window.settled();
    expect(await window.page.getByText("30 days").count()).toBe(0);
  });

  test("a look is ended by the person, says that nothing was written, and can be asked for again", async () => {
    const at = computer();
    install.claude(at);
    transcript(at);
    at.plimsoll(["connect", "claude-code", "--yes"]);
    const window = await show(at, { screen: "agents" });
    // The look's answer is held back until the person has ended it; then it comes as an ended one does.
    let release = (): void => undefined;
    const ended = new Promise<void>((resolve) => (release = resolve));
    let held = true;
    await window.page.route("**/call/discover", async (route) => {
      if (!held) return route.continue();
      await ended;
      await route.fulfill({ status: 400, contentType: "application/json", body: JSON.stringify({ code: "cancelled", message: "ended" }) });
    });
    const stopped = window.page.waitForRequest(/\/call\/stop_discover$/);
    await window.go("home");
    const wait = window.page.getByText("Looking through your agents’ transcripts of the last 30 days");
    await wait.waitFor();
    await window.button("Cancel").click();
    await stopped;
    held = false;
    release();
    await window.page.getByText("was stopped. Nothing was written.").waitFor();
    await window.button("Estimate what would have been kept out").click();
    await window.page.getByRole("region", { name: "What would have been kept out" }).waitFor();
  });
});

describe("Settings", () => {
  const open = async (at: Computer) => {
    const window = await show(at, { screen: "settings/filters" });
    await window.page.getByRole("list", { name: "All filters" }).waitFor();
    return window;
  };

  test("a filter is found by its command, switched off and on again", async () => {
    const at = computer();
    const window = await open(at);
    const list = window.page.getByRole("list", { name: "All filters" }).getByRole("listitem");
    expect(await list.count()).toBeGreaterThan(60);
    await window.page.getByRole("searchbox", { name: "Name or command" }).fill("git log");
    await window.page.getByText(/^\d+ found$/).waitFor();
    await list.filter({ hasText: /^git-log/ }).first().waitFor();
    await window.page.getByRole("switch", { name: "Filter git-log", exact: true }).click();
    await window.page.getByText("git-log is off").first().waitFor();
    expect(settings(at)).toContain(`"git-log"`);
    expect(await window.violations()).toEqual([]);
    await window.page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => settings(at)).not.toContain(`"git-log"`);
    await window.page.getByRole("searchbox", { name: "Name or command" }).fill("no such thing");
    await window.page.getByText("No filter with that name or for that command.").waitFor();
  });

  test("the hint of a switch names the command line", async () => {
    const window = await open(computer());
    await window.page.getByRole("switch", { name: "Filter generic" }).focus();
    await window.page.getByText("plimsoll filters off generic").first().waitFor();
    await window.page.getByRole("switch", { name: "Shorten long outputs" }).focus();
    await window.page.getByText("plimsoll settings set filters.enabled false").first().waitFor();
  });

  test("running commands through Plimsoll is explained as it is chosen, and small sizes are entered in KB", async () => {
    const at = computer();
    const window = await open(at);
    await window.page.getByText("Only where your own rules allow the command").waitFor();
    const size = window.page.getByRole("textbox", { name: "Answers from other tools" });
    expect(await size.inputValue()).toBe("16");
    const typing = async (route: Route): Promise<void> => {
      const response = await route.fetch();
      await size.fill("0");
      await route.fulfill({ response });
    };
    await window.page.route("**/call/set_setting", typing, { times: 1 });
    // What is typed while another setting is being saved stays, though all of them arrive again then.
    await window.page.getByRole("radio", { name: "Never" }).check();
    await window.page.getByText("Commands stay as the agent wrote them.").waitFor();
    await expect.poll(() => settings(at)).toContain(`rewrite = "never"`);
    expect(await size.inputValue()).toBe("0");
    await size.press("Enter");
    await expect.poll(() => settings(at)).toContain("other_tools_from = 0");
    await window.page.getByRole("switch", { name: "Record sessions" }).click();
    await window.page.getByRole("switch", { name: "Resume note" }).click();
    await expect.poll(() => settings(at)).toMatch(/record = false[\s\S]*resume_note = false|resume_note = false[\s\S]*record = false/);
  });

  test("a broken filter of the person's own is named with why", async () => {
    const at = computer();
    at.write(".plimsoll/filters/mine.toml", "name = [");
    const window = await open(at);
    await window.page.getByText("A filter can’t be read and does nothing.").waitFor();
    await window.page.getByText("mine.toml").first().waitFor();
    expect(await window.violations()).toEqual([]);
  });

  test("in German, narrow and dark, the same parts", async () => {
    const at = computer();
    const window = await show(at, { host: await at.serve({ LANG: "de_DE.UTF-8" }), locale: "de-DE", theme: "dark", size: SIZES.narrow, screen: "settings/filters" });
    await window.page.getByRole("list", { name: "Alle Filter" }).waitFor();
    await window.page.getByText("Keine Frage entsteht oder verschwindet").waitFor();
    expect(await window.violations()).toEqual([]);
  });
});
