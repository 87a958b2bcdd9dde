// What settings take along, open, start and leave: files that dialogs name, Plimsoll's folders, starting at login, and uninstalling.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { install } from "./agents";
import { computer, eachTest, show } from "./window";

eachTest();

test("the settings are exported, and replaced by those of a file after a question", async () => {
  const at = computer();
  at.write(".plimsoll/settings.toml", '# mine\n[desktop]\ntheme = "dark"\n', 0o600);
  const window = await show(at, { screen: "settings/move" });
  at.answer("pick", at.path("taken.toml"));
  await window.button("Export…").click();
  await window.page.getByText(/^Written to .*taken\.toml$/).first().waitFor();
  expect(at.read("taken.toml")).toBe(at.read(".plimsoll/settings.toml"));

  const other = at.write("other.toml", '[desktop]\ntheme = "light"\n');
  const question = window.page.getByRole("dialog", { name: "Replace the settings?" });
  at.answer("pick", other);
  await window.button("Import…").click();
  await question.getByText(/other\.toml/).waitFor();
  expect(await window.violations()).toEqual([]);
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  expect(at.read(".plimsoll/settings.toml")).toContain("# mine");

  at.answer("pick", other);
  await window.button("Import…").click();
  await question.getByRole("button", { name: "Replace" }).click();
  await window.page.getByText("The settings in the file apply now").first().waitFor();
  expect(at.read(".plimsoll/settings.toml")).toContain('theme = "light"');
  expect(at.read(".plimsoll/settings.toml.before-import")).toContain("# mine");
  // The window picks it up at its next look at the file.
  await expect.poll(() => window.page.evaluate(() => document.documentElement.dataset.theme), { timeout: 15_000 }).toBe("light");
});

test("a file without settings changes nothing, and the error says why", async () => {
  const at = computer();
  at.write(".plimsoll/settings.toml", '[desktop]\ntheme = "dark"\n', 0o600);
  const window = await show(at, { screen: "settings/move" });
  at.answer("pick", at.write("notes.toml", "these are notes\n"));
  await window.button("Import…").click();
  await window.page.getByRole("dialog", { name: "Replace the settings?" }).getByRole("button", { name: "Replace" }).click();
  await window.page.locator(".toast").getByText(/notes\.toml/).first().waitFor();
  expect(at.read(".plimsoll/settings.toml")).toBe('[desktop]\ntheme = "dark"\n');
});

test("Plimsoll's folders open, and a missing one is reported", async () => {
  const at = computer();
  at.write(".plimsoll/settings.toml", '[desktop]\ntheme = "dark"\n', 0o600);
  const window = await show(at, { screen: "settings/doctor" });
  await window.button("Open Plimsoll’s folder").click();
  await expect.poll(() => at.opened()).toContain(at.own);
  await window.button("Open Backups of edited files").click();
  await window.page.locator(".toast").getByText(/backups/).first().waitFor();
});

test("an unfinished check isn't shown as running, nor with the previous result", async () => {
  const window = await show(computer(), { screen: "settings" });
  await window.page.route("**/call/doctor", (route) => route.fulfill({ status: 500, json: { code: "failed", message: "the check stopped" } }), { times: 1 });
  await window.go("settings/doctor");
  await window.page.getByText("The check didn’t finish").waitFor();
  expect(await window.page.getByText("Checking everything…").count()).toBe(0);
  expect(await window.button("Copy the report").count()).toBe(0);
  await window.button("Check again").click();
  await window.button("Copy the report").waitFor({ timeout: 30_000 });
});

test("starting at login is a setting of the system and shown as it is there", async () => {
  const at = computer();
  const window = await show(at, { screen: "settings/appearance" });
  const login = window.page.getByRole("switch", { name: "Start at login" });
  expect(await login.getAttribute("aria-checked")).toBe("false");
  await login.click();
  await expect.poll(() => existsSync(join(at.asked, "autostart"))).toBe(true);
  await expect.poll(() => login.getAttribute("aria-checked")).toBe("true");
  await login.click();
  await expect.poll(() => existsSync(join(at.asked, "autostart"))).toBe(false);
  expect(await window.violations()).toEqual([]);
});

test("the privacy section states what always applies and has no switches", async () => {
  const window = await show(computer(), { screen: "settings/privacy" });
  await window.page.getByText("Secrets are redacted before they are stored").waitFor();
  await window.page.getByText(/Text between <private> and <\/private>/).waitFor();
  expect(await window.page.getByRole("main").getByRole("switch").count()).toBe(0);
});

test("uninstalling says first which files are given back, waits for its word, and gives them back byte for byte", async () => {
  const at = computer();
  install.claude(at);
  const before = [at.read(".claude.json"), at.read(".claude/settings.json")];
  at.plimsoll(["connect", "claude-code", "--yes"]);
  at.plimsoll(["settings", "set", "desktop.theme", "light"]);
  const window = await show(at, { screen: "settings/uninstall" });
  const leave = window.page.getByRole("button", { name: "Uninstall", exact: true });
  await leave.waitFor();
  await window.page.getByText("~/.claude.json").first().waitFor();
  expect(await leave.isDisabled()).toBe(true);
  expect(await window.violations()).toEqual([]);
  await window.page.locator("form").getByRole("textbox").fill("uninstall");
  expect(at.read(".claude.json")).toContain("plimsoll");
  await leave.click();
  await window.page.getByText("Plimsoll is removed from your agents.").waitFor({ timeout: 30_000 });
  expect([at.read(".claude.json"), at.read(".claude/settings.json")]).toEqual(before);
  expect(at.read(".plimsoll/settings.toml"), "kept for later, as chosen").toContain("light");
  await window.button("Quit Plimsoll").click();
  await expect.poll(() => at.opened()).toContain("quit");
});

test("while Plimsoll is being removed the screen stays, and says what became of each file", async () => {
  const at = computer();
  install.claude(at);
  at.plimsoll(["connect", "claude-code", "--yes"]);
  const window = await show(at, { screen: "settings/uninstall" });
  let release: () => void = () => undefined;
  const held = new Promise<void>((done) => (release = done));
  await window.page.route("**/call/uninstall", async (route) => (await held, route.continue()));
  await window.page.locator("form").getByRole("textbox").fill("uninstall");
  await window.page.getByRole("button", { name: "Uninstall", exact: true }).click();
  await window.go("agents");
  await window.page.getByRole("status").getByText("Plimsoll is still writing.").first().waitFor();
  expect(await window.heading("Settings").count()).toBe(1);
  release();
  await window.page.getByText("Plimsoll is removed from your agents.").waitFor({ timeout: 30_000 });
  await window.page.getByText("Plimsoll is still writing.").first().waitFor({ state: "detached" });
  await window.page.unrouteAll({ behavior: "ignoreErrors" });
});

test("whoever looks for a newer version with a double click doesn't install it", async () => {
  const at = computer();
  const window = await show(at, { screen: "settings/updates" });
  await window.page.route("**/call/upgrade", (route) => route.fulfill({ json: { outcome: "available", current: "0.1.0", offered: "9.9.9", text: { text: "9.9.9 is there", key: null, params: {} } } }));
  const look = window.page.getByRole("main").getByRole("button", { name: "Check for updates" });
  const install = window.page.getByRole("main").getByRole("button", { name: "Install", exact: true });
  await window.twice(look, () => install.waitFor(), install);
  expect(window.calls("upgrade")).toBe(1);
  await window.page.unrouteAll({ behavior: "ignoreErrors" });
});
