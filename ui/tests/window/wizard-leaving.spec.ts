// Leaving the wizard: nothing is written before it's applied, and no key, link or tray leads past the question.
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { install } from "./agents";
import { toAgents, toChoices, toDone, toReview } from "./steps";
import { computer, eachTest, show, watchFiles, type Window } from "./window";

eachTest();

describe("leaving writes nothing", () => {
  const steps: [string, (window: Window) => Promise<void>][] = [
    ["welcome", async (window) => window.heading("Welcome").waitFor()],
    ["agents", toAgents],
    ["choices", toChoices],
    ["review", toReview],
  ];
  for (const [step, reach] of steps) {
    test(`at the step ${step}`, async () => {
      const at = computer();
      install.claude(at);
      install.codex(at);
      const changed = watchFiles(at);
      const window = await show(at);
      await reach(window);
      await window.page.mouse.move(2, 2);
      await window.page.keyboard.press("Escape");
      const dialog = window.page.getByRole("dialog", { name: "Leave setup?" });
      await dialog.getByRole("button", { name: "Leave" }).click();
      await window.heading("Home").waitFor();
      await window.page.getByText("Nothing was written").waitFor();
      expect(changed()).toEqual([]);
      expect(existsSync(at.own), "not even our own folder").toBe(false);
    });
  }

  test("and Escape in the question goes back to the step", async () => {
    const at = computer();
    install.claude(at);
    const window = await show(at);
    await toAgents(window);
    await window.page.keyboard.press("Escape");
    const dialog = window.page.getByRole("dialog", { name: "Leave setup?" });
    await dialog.waitFor();
    await window.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await window.heading("Your agents").waitFor();
  });
});

describe("nothing bypasses the question", () => {
  test("the screens' keys ask first and then navigate", async () => {
    const at = computer();
    install.claude(at);
    const window = await show(at);
    await toReview(window);
    const dialog = window.page.getByRole("dialog", { name: "Leave setup?" });
    await window.page.keyboard.press("Control+3");
    await dialog.getByRole("button", { name: "Stay" }).click();
    await window.button(/^Apply/).waitFor();
    await window.page.keyboard.press("Control+k");
    await window.page.getByRole("dialog", { name: "Search and actions" }).waitFor();
    await window.page.keyboard.type("sessions");
    await window.page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Leave" }).click();
    await window.heading("Sessions").waitFor();
  });

  test("the wizard can't be left while it applies changes", async () => {
    const at = computer();
    install.claude(at);
    const window = await show(at);
    await toReview(window);
    let go: () => void = () => {};
    const waiting = new Promise<void>((resolve) => (go = resolve));
    await window.page.route("**/call/apply_plan", async (route) => {
      await waiting;
      await route.continue();
    });
    await window.button(/^Apply/).click();
    await window.page.getByText("writing…").waitFor();
    await window.page.keyboard.press("Control+,");
    await window.page.getByText("Plimsoll is still writing.").first().waitFor();
    await window.go("knowledge");
    await window.page.waitForFunction(() => location.hash === "#/setup");
    await window.page.getByText("writing…").waitFor();
    expect(await window.page.getByRole("dialog").count()).toBe(0);
    go();
    await toDone(window);
    await window.page.keyboard.press("Control+3");
    await window.heading("Knowledge").waitFor();
    expect(at.read(".plimsoll/settings.toml")).toContain("setup_done = true");
  });
});
