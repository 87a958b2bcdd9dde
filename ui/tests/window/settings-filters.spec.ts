// The settings of filters: which there are, which are off, how commands run, and a filter of your own that can't be read.
import { existsSync } from "node:fs";
import type { Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Computer } from "./computer";
import { computer, eachTest, show, SIZES } from "./window";

eachTest();

const settings = (at: Computer): string => (existsSync(at.path(".plimsoll/settings.toml")) ? at.read(".plimsoll/settings.toml") : "");

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
    // As many as the command line counts: the row for all other commands isn't one.
    await window.page.getByText(`${(await list.count()) - 1} filters`, { exact: true }).waitFor();
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

  test("a user's broken filter is named with the reason", async () => {
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
    await window.page.getByText("Sie werden also nie öfter oder seltener gefragt als bisher").waitFor();
    expect(await window.violations()).toEqual([]);
  });
});
