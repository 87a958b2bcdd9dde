// What the window shows is what is: files that an editor changes, what an agent stores meanwhile, another language; and the focus
// is somewhere after what had it is gone.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { install } from "./agents";
import { queue, reader, remembering, rows } from "./remembering";
import { hits, stocked } from "./stocked";
import { computer, eachTest, show, type Window } from "./window";

eachTest();

const focused = (window: Window): Promise<string> => window.page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent?.trim() ?? "");

test("a file that an editor breaks and repairs is shown on Agents without reloading", async () => {
  const at = computer();
  install.claude(at);
  install.cursor(at);
  at.plimsoll(["connect", "claude-code", "cursor", "--yes"]);
  const window = await show(at, { screen: "agents" });
  const card = window.page.locator("#agent-cursor");
  await card.getByText("Connected").waitFor();
  const before = at.read(".cursor/mcp.json");
  at.write(".cursor/mcp.json", "{ broken");
  await card.getByText("Unreadable").waitFor();
  at.write(".cursor/mcp.json", before);
  await card.getByText("Connected").waitFor();
});

test("agents that can't be read again stay, and nothing claims that they were just read", async () => {
  const at = computer();
  install.claude(at);
  const window = await show(at, { screen: "agents" });
  const read = window.page.getByText("Just read from the agents’ files");
  await read.waitFor();
  await window.settled();
  await window.page.route("**/call/agents", (route) => route.fulfill({ status: 500, json: { code: "storage", message: "it stayed busy" } }));
  await window.page.getByRole("status").getByText("it stayed busy").waitFor();
  expect(await read.count()).toBe(0);
  await window.page.locator("#agent-claude-code").waitFor();
  await window.page.unrouteAll({ behavior: "ignoreErrors" });
  await read.waitFor();
});

test("that there are no agents isn't claimed alone where their files can't be read again", async () => {
  const window = await show(computer(), { screen: "agents" });
  await window.page.getByText("No agents found on this computer").waitFor();
  await window.settled();
  await window.page.route("**/call/agents", (route) => route.fulfill({ status: 500, json: { code: "storage", message: "it stayed busy" } }));
  const why = window.page.getByRole("status").getByText("it stayed busy");
  await why.waitFor();
  await window.page.unrouteAll({ behavior: "ignoreErrors" });
  await why.waitFor({ state: "detached" });
});

test("an agent's row says its last call, and opens its calls", async () => {
  const at = computer();
  install.claude(at);
  at.plimsoll(["connect", "claude-code", "--yes"]);
  await at.tool("execute", { language: "shell", code: "seq 1 9" });
  const window = await show(at, { screen: "agents/claude-code" });
  await window.page.locator("#agent-claude-code").getByRole("link", { name: /^Last call .*: execute$/ }).click();
  await window.heading("Activity").waitFor();
  expect(await window.page.getByRole("combobox", { name: "Agent", exact: true }).inputValue()).toBe("claude-code");
});

test("what is stored during reading is found, and the open text stays", async () => {
  const at = stocked();
  const window = await show(at, { screen: "knowledge?q=water" });
  await hits(window).first().waitFor();
  const article = window.page.locator(".reader article");
  await article.getByText("A load line shows").waitFor();
  const before = await hits(window).count();
  at.write("work/shop/docs/tide.md", "# Tides\n\nWater water water.\n");
  at.plimsoll(["index", "docs/tide.md"]);
  await expect.poll(() => hits(window).count(), { timeout: 15_000 }).toBe(before + 1);
  await article.getByText("A load line shows").waitFor();
  const chosen = window.page.getByRole("option", { selected: true }).filter({ visible: true });
  expect(await chosen.innerText()).toContain("loadline.md");
});

test("the list of a project's files follows what is indexed meanwhile", async () => {
  const at = computer();
  at.write(".plimsoll/settings.toml", "[codebase]\nenabled = true\n", 0o600);
  at.write("work/shop/keel.ts", "export const keel = 1;\n");
  at.plimsoll(["code", "reindex"]);
  const window = await show(at, { screen: "code/map" });
  await window.button("List").click();
  const files = window.page.getByRole("grid", { name: "Files" });
  await files.getByText("keel.ts").waitFor();
  at.write("work/shop/mast.ts", "export const mast = 2;\n");
  at.plimsoll(["code", "reindex"]);
  await files.getByText("mast.ts").waitFor();
  // A page that can't be read once more takes nothing away.
  await window.page.route("**/call/code_files", (route) => route.fulfill({ status: 500, json: { code: "storage", message: "it stayed busy for 5 s" } }));
  at.write("work/shop/hull.ts", "export const hull = 3;\n");
  at.plimsoll(["code", "reindex"]);
  await window.page.getByRole("status").getByText("it stayed busy for 5 s").waitFor();
  expect(await files.getByText("mast.ts").count()).toBe(1);
  await window.page.unrouteAll({ behavior: "ignoreErrors" });
});

test("a project in which something is stored meanwhile can be chosen for a pause", async () => {
  const at = computer();
  at.plimsoll(["index", "README.md"]);
  const window = await show(at, { screen: "settings/hooks" });
  const choice = window.page.getByRole("combobox", { name: "Pause in one project for 1 hour" });
  const names = async (): Promise<string[]> => (await choice.locator("option").allTextContents()).map((one) => one.trim()).sort();
  await expect.poll(names).toEqual(["shop"]);
  at.write("work/pier/.git/HEAD", "ref: refs/heads/main\n");
  at.write("work/pier/README.md", "# Pier\n\nA long pier.\n");
  at.plimsoll(["index", "README.md"], { cwd: at.path("work/pier") });
  await expect.poll(names, { timeout: 15_000 }).toEqual(["pier", "shop"]);
});

test("changing the language changes the title, too", async () => {
  const window = await show(computer(), { screen: "settings/appearance" });
  expect(await window.page.title()).toBe("Plimsoll – Settings");
  await window.page.getByRole("radio", { name: "Deutsch" }).check();
  await window.heading("Einstellungen").waitFor();
  await expect.poll(() => window.page.title()).toBe("Plimsoll – Einstellungen");
});

test("after forgetting a memory the list has the focus, and after the last of a review the heading", async () => {
  const window = await show(remembering(12), { screen: "memory" });
  await rows(window).first().waitFor();
  await reader(window).getByRole("button", { name: "Forget" }).press("Enter");
  await window.page.getByText(/^Forgotten\. /).first().waitFor();
  await expect.poll(() => focused(window)).toBe("Memories");
  await window.go("memory/review");
  await queue(window).waitFor();
  while ((await queue(window).count()) > 0) {
    const left = await queue(window).getByRole("option").count();
    await queue(window).press("k");
    await expect.poll(() => queue(window).getByRole("option").count()).toBeLessThan(left);
  }
  await window.page.getByText("Nothing to review").waitFor();
  await expect.poll(() => focused(window)).toBe("Review");
});

test("after giving up or deleting the only prompt the heading has the focus", async () => {
  const window = await show(remembering(2), { screen: "memory/prompts" });
  const name = window.page.getByRole("textbox", { name: "Name", exact: true });
  const begin = async (): Promise<void> => {
    await window.button("New prompt").first().click();
    await name.fill("handover");
  };
  await begin();
  await window.button("Cancel").press("Enter");
  await name.waitFor({ state: "detached" });
  await expect.poll(() => focused(window)).toBe("Memory");
  await begin();
  await window.button("Save").click();
  await window.page.getByText("handover saved").waitFor();
  await window.button("Delete").press("Enter");
  await name.waitFor({ state: "detached" });
  await expect.poll(() => focused(window)).toBe("Memory");
});

test("an invalid query finds nothing and shows its error as an error", async () => {
  const window = await show(remembering(12), { screen: "memory?q=tag:cache" });
  await rows(window).first().waitFor();
  const field = window.page.getByRole("combobox", { name: "Search memories" });
  await field.fill("ns:nonsense");
  const told = window.page.getByText(/namespace "nonsense" is unknown/);
  await told.waitFor();
  expect(await told.innerText()).toMatch(/^Filter, character 4/);
  expect(await window.page.getByText(/ of \d+ · /).count()).toBe(0);
  expect(await window.violations()).toEqual([]);
});

test("an invalid setting is refused at once", async () => {
  const at = computer();
  const window = await show(at, { screen: "settings/memory" });
  const field = window.page.getByRole("textbox", { name: "Keep memories for" });
  await field.fill("nonsense=zzz");
  await field.press("Enter");
  await window.page.getByRole("alert").getByText(/progress=90d/).waitFor();
  await window.go("settings/updates");
  const server = window.page.getByRole("textbox", { name: "Release server" });
  await server.fill("ftp://x");
  await server.press("Enter");
  await window.page.getByRole("alert").getByText(/must begin with https/).waitFor();
  expect(at.tree()[".plimsoll/settings.toml"], "nothing was written").toBeUndefined();
});

test("an unreadable record can be started fresh where it is missing", async () => {
  const at = computer();
  at.plimsoll(["settings", "set", "desktop.setup_done", "true"]);
  at.seed({ calls: 5, events: 5 });
  for (const name of ["plimsoll.db-wal", "plimsoll.db-shm"]) rmSync(join(at.own, name), { force: true });
  writeFileSync(join(at.own, "plimsoll.db"), Buffer.alloc(40_960, "this is no database "));
  for (const screen of ["activity", "sessions"]) {
    const window = await show(at, { screen });
    await window.button("Start fresh, keep the damaged file").waitFor();
    if (screen === "activity") continue;
    await window.button("Start fresh, keep the damaged file").click();
    await window.page.getByText(/The damaged file is .*damaged-\d+/).first().waitFor();
    await window.button("Start fresh, keep the damaged file").waitFor({ state: "detached" });
  }
});
