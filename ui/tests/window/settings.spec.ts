// Settings as users change them: what is written to the file, what is refused, and what is shown meanwhile.
import { describe, expect, test } from "vitest";
import { computer, eachTest, show } from "./window";

eachTest();

describe("settings", () => {
  test("a change is written to settings.toml, and the user's comments stay", async () => {
    const at = computer();
    at.write(".plimsoll/settings.toml", "# mine\n[desktop]\n# I like it dark\ntheme = \"dark\" # at night\n\n[unknown]\nkept = true\n", 0o600);
    const window = await show(at, { screen: "settings" });
    await window.heading("Settings").waitFor();
    expect(await window.page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
    await window.page.getByRole("group", { name: "Theme" }).getByRole("radio", { name: "Light" }).check();
    await expect.poll(() => at.read(".plimsoll/settings.toml")).toContain('theme = "light"');
    const text = at.read(".plimsoll/settings.toml");
    for (const kept of ["# mine", "# I like it dark", "# at night", "[unknown]", "kept = true"]) expect(text).toContain(kept);
    // The file is written before the window has its answer.
    await expect.poll(() => window.page.evaluate(() => document.documentElement.dataset.theme)).toBe("light");
  });

  test("a choice that couldn't be saved isn't shown as the current one", async () => {
    const at = computer();
    const window = await show(at, { screen: "settings" });
    const theme = (name: string) => window.page.getByRole("group", { name: "Theme" }).getByRole("radio", { name });
    const counts = window.page.getByRole("group", { name: "Theme" }).getByRole("radio", { checked: true });
    const before = await counts.getAttribute("value");
    await window.page.route("**/call/set_setting", (route) => route.fulfill({ status: 500, json: { code: "storage", message: "the disk is full" } }), { times: 1 });
    await theme("Dark").click();
    await window.page.getByRole("alert").getByText(/disk is full/i).waitFor();
    await expect.poll(() => counts.getAttribute("value")).toBe(before);
    expect(before).not.toBe("dark");
    await theme("Dark").check();
    await expect.poll(() => at.read(".plimsoll/settings.toml")).toContain('theme = "dark"');
    await window.page.getByRole("alert").waitFor({ state: "detached" });
  });

  test("going back to the earlier choice while another one is being saved wins", async () => {
    const at = computer();
    at.plimsoll(["settings", "set", "desktop.theme", "dark"]);
    const window = await show(at, { screen: "settings" });
    const theme = (name: string) => window.page.getByRole("group", { name: "Theme" }).getByRole("radio", { name });
    let release = (): void => undefined;
    const late = new Promise<void>((done) => (release = done));
    await window.page.route("**/call/set_setting", async (route) => (await late, route.continue()), { times: 1 });
    await theme("Light").check();
    await theme("Dark").check();
    const second = window.page.waitForResponse((response) => response.url().endsWith("/call/set_setting") && (response.request().postData() ?? "").includes("dark"));
    release();
    await second;
    await expect.poll(() => at.read(".plimsoll/settings.toml")).toContain('theme = "dark"');
    await expect.poll(() => theme("Dark").isChecked()).toBe(true);
  });

  test("sizes have decimal units, and leaving a field as it was writes nothing", async () => {
    const at = computer();
    const text = "[retention]\nkept_bytes = 1073741824\n";
    at.write(".plimsoll/settings.toml", text, 0o600);
    const window = await show(at, { screen: "settings/retention" });
    const space = window.page.getByRole("textbox", { name: "Space for outputs" });
    expect(await space.inputValue()).toBe("1.074");
    await window.page.getByText("GB", { exact: true }).waitFor();
    await space.focus();
    await window.page.getByRole("textbox", { name: "Trash" }).focus();
    await window.settled();
    expect(at.read(".plimsoll/settings.toml")).toBe(text);
    await space.fill("2.5");
    await space.press("Enter");
    await expect.poll(() => at.read(".plimsoll/settings.toml")).toContain("kept_bytes = 2500000000");
  });

  test("the sidebar says that everything stays on this computer until a server or a model is set up", async () => {
    const at = computer();
    const window = await show(at, { screen: "settings" });
    const nav = window.page.getByRole("navigation", { name: "Screens" });
    await nav.getByText("Everything stays on this computer").waitFor();
    at.plimsoll(["settings", "set", "memory.vectors.provider", "ollama"]);
    await nav.getByText("Connects only to what you set up").waitFor();
  });

  test("a settings file that doesn't parse is reported and never overwritten", async () => {
    const at = computer();
    at.write(".plimsoll/settings.toml", "[desktop\ntheme = 3\n", 0o600);
    const window = await show(at, { screen: "settings" });
    await window.page.getByText(/settings\.toml/).first().waitFor();
    await window.settled();
    expect(at.read(".plimsoll/settings.toml")).toBe("[desktop\ntheme = 3\n");
  });

  test("a change from a terminal shows without reloading", async () => {
    const at = computer();
    const window = await show(at, { screen: "settings" });
    await window.heading("Settings").waitFor();
    at.plimsoll(["settings", "set", "desktop.language", "de"]);
    await window.heading("Einstellungen").waitFor({ timeout: 20_000 });
  });
});
