// What needs the user is shown where they are, with a way out; and nothing in the window moves by itself.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { install } from "./agents";
import { computer, eachTest, show } from "./window";

eachTest();

describe("any locale", () => {
  for (const [system, browser] of [["C.UTF-8", "C"], ["", "c"], ["POSIX", "POSIX"], ["de_DE@euro", "de-DE@euro"], ["sr_RS.UTF-8@latin", "zz-"]] as const) {
    test(`${system || "none"}, the page's own ${browser}: Home is drawn once and stays`, async () => {
      const at = computer();
      at.plimsoll(["settings", "set", "desktop.setup_done", "true"]);
      at.seed({ calls: 20, events: 10, filters: 6, days: 2 });
      const window = await show(at, { host: await at.serve({ LANG: system }), screen: "settings" });
      // A web view passes on whatever the system calls its language.
      await window.page.addInitScript((name: string) => Object.defineProperty(navigator, "language", { get: () => name }), browser);
      await window.page.goto("about:blank");
      await window.page.goto(`${window.host.url}&home?range=all`);
      await window.page.getByRole("img", { name: /Calls|Aufrufe/ }).waitFor();
      expect(await window.page.getByRole("heading", { name: /crashed|went wrong/ }).count()).toBe(0);
      expect(await window.page.getByText(/[\d.,]+\s[KM]B/).count()).toBeGreaterThan(0);
    });
  }
});

test("a screen that fails keeps the sidebar, is logged, and can be left", async () => {
  const at = computer();
  const window = await show(at, { screen: "agents" });
  await window.page.evaluate(() => dispatchEvent(new ErrorEvent("error", { message: "x", error: new RangeError("no such locale") })));
  await window.heading("This screen crashed").waitFor();
  await expect.poll(() => at.opened().join("\n")).toMatch(/log: the window failed at agents: RangeError: no such locale/);
  await window.page.getByRole("navigation").getByRole("link", { name: "Settings" }).click();
  await window.heading("Settings").waitFor();
  await window.go("agents");
  await window.button("Try again").click();
  await window.heading("Agents").waitFor();
});

test("one banner names every agent that doesn't work and opens it, and the sidebar has a dot", async () => {
  const at = computer();
  install.claude(at);
  install.codex(at);
  at.plimsoll(["connect", "claude-code", "codex", "--yes"]);
  at.seed({ calls: 4, events: 4 });
  at.write(".claude/settings.json", "{ this is no JSON");
  const window = await show(at, { screen: "home" });
  const banner = window.page.getByRole("main").getByRole("status").filter({ hasText: "Claude Code" });
  await banner.getByText(/settings\.json/).waitFor();
  await window.page.getByRole("navigation").getByText("Needs you: Claude Code").waitFor({ state: "attached" });
  // Announced once, however it is shown.
  expect(await window.page.getByRole("navigation").getByRole("link", { name: "Agents Needs you: Claude Code", exact: true }).count()).toBe(1);
  // Approvals, which only Codex's own program knows, appear once it was asked.
  await window.go("agents");
  await window.page.getByText("approve Plimsoll’s hooks").first().waitFor();
  await window.go("home");
  await banner.getByText("2 agents need you.").waitFor();
  await banner.getByText(/Codex:/).waitFor();
  expect(await window.violations()).toEqual([]);
  await banner.getByRole("button", { name: "Show" }).click();
  await window.heading("Agents").waitFor();
});

test("an unreadable record can be started fresh, and the damaged file is kept", async () => {
  const at = computer();
  at.plimsoll(["settings", "set", "desktop.setup_done", "true"]);
  at.seed({ calls: 5, events: 5 });
  for (const name of ["plimsoll.db-wal", "plimsoll.db-shm"]) rmSync(join(at.own, name), { force: true });
  const rubbish = Buffer.alloc(40_960, "this is no database ");
  writeFileSync(join(at.own, "plimsoll.db"), rubbish);
  const window = await show(at, { screen: "home" });
  await window.button("Start fresh, keep the damaged file").click();
  const told = await window.page.getByText(/The damaged file is .*damaged-\d+/).first().innerText();
  const kept = /damaged file is (\S+?)\.?$/.exec(told)?.[1]?.replace(/^~/, at.home) ?? "";
  expect(readFileSync(kept).equals(rubbish)).toBe(true);
  await window.button("Start fresh, keep the damaged file").waitFor({ state: "detached" });
});

test("a home folder that can't be written is reported, and nothing changes", async () => {
  const at = computer();
  at.write(".plimsoll", "a file in its place");
  const window = await show(at, { screen: "agents" });
  await window.go("home");
  await window.page.getByText("Plimsoll can’t write anything.").waitFor();
  await window.button("Open folder").waitFor();
  expect(at.read(".plimsoll")).toBe("a file in its place");
});

test("a card that a link opens scrolls into view without shifting the window", async () => {
  const at = computer();
  for (const one of [install.claude, install.codex, install.opencode, install.cursor]) one(at);
  at.plimsoll(["connect", "claude-code", "codex", "opencode", "cursor", "--yes"]);
  const window = await show(at, { screen: "agents/opencode", size: { width: 860, height: 520 } });
  const card = window.page.locator("#agent-opencode");
  await expect.poll(() => card.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await window.page.evaluate(() => [document.documentElement, document.body, document.getElementById("app")].map((one) => one?.scrollTop))).toEqual([0, 0, 0]);
  expect(await window.page.evaluate(() => (document.querySelector("nav") as HTMLElement).getBoundingClientRect().top)).toBe(0);
  const box = await card.boundingBox();
  expect(box !== null && box.y >= 0 && box.y + box.height <= 520).toBe(true);
  // Looking thoroughly changes states, and no card's place.
  const order = () => window.page.locator("[id^=agent-] h2").allInnerTexts();
  const before = (await order()).map((name) => name.split(" ")[0]);
  await window.button("Look again").click();
  await window.page.getByText("approve Plimsoll’s hooks").first().waitFor();
  expect((await order()).map((name) => name.split(" ")[0])).toEqual(before);
});

test("disconnecting one agent plans only for it, starts no other agent's program, and moves no card", async () => {
  const at = computer();
  for (const one of [install.claude, install.opencode, install.cursor]) one(at);
  at.plimsoll(["connect", "claude-code", "opencode", "cursor", "--yes"]);
  const window = await show(at, { screen: "agents" });
  await window.settled();
  const order = async () => (await window.page.locator("[id^=agent-] h2").allInnerTexts()).map((name) => name.split(" ")[0]);
  const before = await order();
  // From now on the others' programs are slow, and record that they were asked.
  const others = ["opencode", "cursor"];
  for (const name of others) at.write(`.local/bin/${name}`, `#!/bin/sh\necho ${name} >> "${at.home}/asked"\nsleep 20\n`, 0o755);
  const planned: string[] = [];
  window.page.on("request", (request) => {
    if (request.url().endsWith("/call/plan_disconnect")) planned.push(request.postData() ?? "");
  });
  const card = window.page.locator("#agent-claude-code");
  if ((await card.getByRole("button", { name: "Disconnect" }).count()) === 0) await card.getByRole("button").first().click();
  await card.getByRole("button", { name: "Disconnect" }).first().click();
  const dialog = window.page.getByRole("dialog");
  await dialog.getByText(".claude.json").first().waitFor({ timeout: 5000 });
  expect(planned.map((one) => JSON.parse(one) as object)).toEqual([{ agents: ["claude-code"] }]);
  expect(existsSync(at.path("asked")), "no other program was asked").toBe(false);
  expect(await dialog.getByText(/opencode|cursor/i).count()).toBe(0);
  await dialog.getByRole("button", { name: "Disconnect" }).click();
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => at.read(".claude.json")).not.toContain("plimsoll");
  expect(at.read(".config/opencode/opencode.jsonc")).toContain("plimsoll");
  expect(await order()).toEqual(before);
});

test("a late plan isn't shown in place of the one requested after it", async () => {
  const at = computer();
  install.claude(at);
  at.plimsoll(["connect", "claude-code", "--yes"]);
  const window = await show(at, { screen: "agents" });
  await window.settled();
  let release = (): void => undefined;
  const late = new Promise<void>((done) => (release = done));
  await window.page.route("**/call/plan_connect", async (route) => {
    const response = await route.fetch();
    await late;
    await route.fulfill({ response });
  }, { times: 1 });
  const card = window.page.locator("#agent-claude-code");
  await card.getByRole("button", { name: "Repair" }).first().click();
  const dialog = window.page.getByRole("dialog");
  await dialog.waitFor();
  await window.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await card.getByRole("button", { name: "Disconnect" }).first().click();
  await dialog.getByText(".claude.json").first().waitFor();
  const answered = window.page.waitForResponse("**/call/plan_connect");
  release();
  await answered;
  await window.settled();
  await dialog.getByText(".claude.json").first().waitFor();
  await dialog.getByRole("button", { name: "Disconnect" }).click();
  await expect.poll(() => at.read(".claude.json")).not.toContain("plimsoll");
});

test("a new day starts its own figures even if nothing is written", async () => {
  const at = computer();
  at.plimsoll(["settings", "set", "desktop.setup_done", "true"]);
  at.seed({ calls: 5, events: 5, days: 1 });
  const window = await show(at, { screen: "home" });
  await window.settled();
  // Before the clock is put forward: midnight may pass meanwhile.
  const started = Date.now();
  await window.page.evaluate(() => {
    const real = Date.now.bind(Date);
    Date.now = () => real() + 86_400_000;
  });
  const asked = window.page.waitForRequest((request) => request.url().endsWith("/call/stats"));
  // As if the user returned to the window in the morning.
  await window.page.evaluate(() => dispatchEvent(new Event("focus")));
  const { period } = JSON.parse((await asked).postData() ?? "{}") as { period: { since_ms: number } };
  expect(period.since_ms).toBeGreaterThan(started);
});

test("a dark start does not flash white", async () => {
  const at = computer();
  at.plimsoll(["settings", "set", "desktop.setup_done", "true"]);
  at.plimsoll(["settings", "set", "desktop.theme", "dark"]);
  const window = await show(at, { screen: "home", theme: "light" });
  const background = () => window.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await window.settled();
  const dark = await background();
  const light = await window.page.evaluate(() => {
    document.documentElement.dataset.theme = "light";
    return getComputedStyle(document.documentElement).backgroundColor;
  });
  expect(dark).not.toBe(light);
  // The next start, when the page is there but none of its scripts has run.
  let release: () => void = () => undefined;
  const held = new Promise<void>((done) => (release = done));
  await window.page.route("**/assets/*.js", async (route) => {
    await held;
    await route.continue();
  });
  const going = window.page.reload();
  await window.page.waitForFunction(() => document.body !== null && document.getElementById("app")?.childElementCount === 0);
  expect(await background()).toBe(dark);
  expect(await window.page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toContain("dark");
  release();
  await going;
  await window.heading("Home").waitFor();
  expect(await background()).toBe(dark);
});

test("an unreadable record is reported once on Home", async () => {
  const at = computer();
  at.plimsoll(["settings", "set", "desktop.setup_done", "true"]);
  at.seed({ calls: 5, events: 5 });
  for (const name of ["plimsoll.db-wal", "plimsoll.db-shm"]) rmSync(join(at.own, name), { force: true });
  writeFileSync(join(at.own, "plimsoll.db"), "this is no database");
  const window = await show(at, { screen: "home" });
  await window.button("Start fresh, keep the damaged file").waitFor();
  await window.heading("Home").waitFor();
  await window.page.getByText("Can’t read the figures").waitFor();
  await window.settled();
  const told = await window.page.getByRole("main").innerText();
  expect(told.match(/plimsoll\.db/g), told).toHaveLength(1);
  expect(await window.violations()).toEqual([]);
});

test("a tick means that it works now", async () => {
  const at = computer();
  install.codex(at);
  install.claude(at);
  at.plimsoll(["connect", "codex", "--yes"]);
  const window = await show(at, { screen: "agents" });
  const card = window.page.locator("#agent-codex");
  await card.getByText("approve Plimsoll’s hooks").waitFor();
  const marks = await card.getByRole("list", { name: "What it gets" }).or(card.locator(".gains")).first().locator("li").allInnerTexts();
  expect(marks.map((one) => one.includes("doesn’t work right now"))).toEqual([false, true, true]);
  const other = window.page.locator("#agent-claude-code");
  await other.getByText("Once connected: tools, filtering and notes").waitFor();
  expect(await other.locator(".gains").count(), "it isn't connected and has nothing yet").toBe(0);
});

test("changes since before Plimsoll are computed from the first backup, also after a repair", async () => {
  const at = computer();
  install.claude(at);
  at.write(".claude.json", '{\n  "theme": "dark"\n}\n');
  at.plimsoll(["connect", "claude-code", "--yes"]);
  const after = JSON.parse(at.read(".claude.json")) as { mcpServers: object };
  at.write(".claude.json", `${JSON.stringify({ theme: "dark", mine: 1, mcpServers: {} }, null, 2)}\n`);
  at.plimsoll(["connect", "claude-code", "--yes"]);
  expect(Object.keys(after.mcpServers)).toContain("plimsoll");
  const changes = JSON.parse(at.plimsoll(["changes", "claude-code", "--json"])) as { path: string; diff: string }[];
  const own = changes.find((one) => one.path.endsWith(".claude.json"));
  expect(own?.diff, "what somebody else added since is part of it").toMatch(/^\+.*"mine"/m);
});

test("a pause shows on every screen, and is ended from there", async () => {
  const at = computer();
  install.claude(at);
  at.plimsoll(["connect", "claude-code", "--yes"]);
  at.plimsoll(["pause", "--for", "1h"]);
  const window = await show(at, { screen: "home" });
  for (const screen of ["home", "agents", "knowledge", "sessions", "activity", "settings"]) {
    await window.go(screen);
    await window.page.getByText(/^Paused until .*: agents work/).waitFor();
  }
  await window.page.getByRole("main").getByRole("button", { name: "Resume" }).first().click();
  await window.page.getByText(/^Paused until .*: agents work/).waitFor({ state: "detached" });
});

test("the palette reaches settings, agents and sessions", async () => {
  const at = computer();
  install.claude(at);
  at.plimsoll(["connect", "claude-code", "--yes"]);
  at.hook("claude-code", "UserPromptSubmit", { session_id: "s-1", cwd: at.project, hook_event_name: "UserPromptSubmit", prompt: "Why does the checkout time out?" });
  const window = await show(at, { screen: "home" });
  for (const [words, found, heading] of [["fetch web", /Fetch web pages/, "Settings"], ["claude", /^Claude Code/, "Agents"], ["checkout", /Why does the checkout time out/, "Sessions"]] as const) {
    await window.page.keyboard.press("Control+k");
    await window.page.keyboard.type(words);
    await window.page.getByRole("option", { name: found }).first().click();
    await window.heading(heading).waitFor();
  }
});

test("an output is opened by its address, with what the agent got of it beside the whole", async () => {
  const at = computer();
  install.claude(at);
  at.plimsoll(["connect", "claude-code", "--yes"]);
  const printed = `${Array.from({ length: 900 }, (_, n) => `test part::case_${n} ... ok`).join("\n")}\ntest result: ok. 900 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s\n`;
  const cargo = at.write("tools/cargo", `#!/bin/sh\ncat <<'E'\nrunning 900 tests\n${printed}E\n`, 0o755);
  const shown = at.plimsoll(["run", "--agent", "claude-code", "--session", "live-1", "--", cargo, "test"]);
  const id = /plimsoll:\/\/task\/(t\w+)/.exec(shown)?.[1] ?? "";
  expect(id).not.toBe("");
  // As the agent reports it after the tool ran.
  at.hook("claude-code", "PostToolUse", { session_id: "live-1", cwd: at.project, hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command: "plimsoll run -- cargo test" }, tool_response: { stdout: shown, stderr: "", interrupted: false } });
  const window = await show(at, { screen: `activity/output/${id}` });
  await window.page.getByRole("dialog", { name: "The full output" }).getByText("part::case_3 ").waitFor();
  await window.page.keyboard.press("Escape");
  await window.page.getByRole("row").filter({ hasText: "shortened" }).first().click();
  const got = window.page.getByRole("region", { name: "What Claude Code got" });
  await got.getByText(`plimsoll://task/${id}`).waitFor();
  await window.page.getByRole("region", { name: "What it printed" }).getByText("part::case_3 ").waitFor();
  expect(await window.violations()).toEqual([]);
});

test("an output that arrives after its row was left changes nothing", async () => {
  const at = computer();
  install.claude(at);
  at.plimsoll(["connect", "claude-code", "--yes"]);
  const long = at.write("tools/cargo", `#!/bin/sh\necho running 900 tests\nfor n in $(seq 900); do echo "test part::case_$n ... ok"; done\necho\necho "test result: ok. 900 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s"\n`, 0o755);
  const shown = at.plimsoll(["run", "--agent", "claude-code", "--session", "live-1", "--", long, "test"]);
  at.hook("claude-code", "PostToolUse", { session_id: "live-1", cwd: at.project, hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command: "cargo test" }, tool_response: { stdout: shown, stderr: "", interrupted: false } });
  const window = await show(at, { screen: "activity" });
  let release: () => void = () => undefined;
  const held = new Promise<void>((done) => (release = done));
  await window.page.route("**/call/read_output", async (route) => {
    await held;
    await route.continue();
  });
  await window.page.getByRole("row").filter({ hasText: "shortened" }).first().click();
  await window.page.getByRole("region", { name: "What it printed" }).waitFor();
  await window.go("activity?decision=deny");
  await window.page.getByRole("region", { name: "What it printed" }).waitFor({ state: "detached" });
  const answered = window.page.waitForResponse("**/call/read_output");
  release();
  await answered;
  await window.settled();
  expect(window.problems).toEqual([]);
});
