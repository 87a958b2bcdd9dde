// The wizard from the first start to the way back: real files of scratch agents, the real sidecar started and asked.
import { chmodSync, existsSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CODEX_CONFIG, install } from "./agents";
import { toAgents, toChoices, toReview, toDone } from "./steps";
import { computer, eachTest, show, watchFiles, type Window } from "./window";

eachTest();

describe("the usual way", () => {
  test("two agents are connected, answered, and given back byte for byte", async () => {
    const at = computer();
    install.claude(at);
    install.codex(at);
    const changed = watchFiles(at);
    const window = await show(at);

    await window.heading("Welcome").waitFor();
    await toAgents(window);
    const rows = window.page.getByRole("listitem").filter({ has: window.page.locator("b") });
    await rows.filter({ hasText: "Claude Code" }).getByText("2.1.197").waitFor();
    await rows.filter({ hasText: "Codex" }).getByText("0.169.0").waitFor();
    await window.button("Continue").click();
    await window.button("Review the changes").click();
    await window.button(/^Apply \d+ changes$/).waitFor();
    expect(await window.page.locator("main").innerText()).toContain("nothing removed");
    expect(changed(), "nothing is written before Apply").toEqual([]);

    await window.button(/^Apply \d+ changes$/).click();
    await toDone(window);
    await window.page.getByText("2 agents are connected and answered.").waitFor();
    // What only the user may do is shown: Codex's hooks are trusted by hand.
    await window.page.getByText("/hooks").first().waitFor();

    const written = changed();
    expect(written).toContain(".claude.json");
    expect(written).toContain(".claude/settings.json");
    expect(written).toContain(".codex/config.toml");
    expect(at.read(".claude.json")).toContain(`"plimsoll"`);
    expect(at.read(".claude.json")).toContain(`"numStartups": 184`);
    expect(at.read(".claude/settings.json")).toContain("prettier --write");
    expect(at.read(".codex/config.toml").startsWith(CODEX_CONFIG.trimEnd())).toBe(true);
    expect(at.plimsoll(["agents"])).toMatch(/Claude Code.*\n?.*onnected/);

    await window.button("Undo everything").click();
    await window.page.getByRole("dialog").getByRole("button", { name: "Undo everything" }).click();
    await window.page.getByText("Everything is as it was.").waitFor();
    expect(changed().filter((name) => !name.startsWith(".plimsoll/")), "every file is what it was").toEqual([]);

    await window.button("Go to Home").click();
    await window.heading("Home").waitFor();
  });

  test("the last step lists in one line the agents to restart, and ticks itself at the first call", async () => {
    const at = computer();
    install.claude(at);
    install.cursor(at);
    const window = await show(at);
    await toReview(window);
    await window.button(/^Apply/).click();
    await toDone(window);
    await expect.poll(() => window.page.getByText(/^Restart .* once/).allInnerTexts()).toEqual(["Restart Cursor once to load the new entries."]);
    expect(await window.page.getByRole("listitem").filter({ hasText: "Cursor" }).getByText(/^Restart Cursor once/).count(), "beside what else is to do there").toBe(1);
    const live = window.page.getByRole("status").filter({ hasText: "Waiting for the first call" });
    await live.waitFor();
    await at.tool("execute", { language: "shell", code: "seq 1 9" });
    await window.page.getByText("Claude Code has used Plimsoll: execute. It works.").waitFor();
    expect(await live.count()).toBe(0);
    expect(await window.violations()).toEqual([]);
  });

  test("each agent's row says what happened while it happens", async () => {
    const at = computer();
    install.claude(at);
    const window = await show(at);
    await toReview(window);
    await window.button(/^Apply/).click();
    await window.heading("Applied and verified").waitFor({ timeout: 45_000 });
    const row = window.page.getByRole("listitem").filter({ hasText: "Claude Code" });
    for (const step of [/2 files written/, /server answered in/, /tool call/, /hook/]) await row.getByText(step).first().waitFor();
  });

  test("unticked agents aren't touched", async () => {
    const at = computer();
    install.claude(at);
    install.codex(at);
    const changed = watchFiles(at);
    const window = await show(at);
    await toChoices(window);
    await window.page.getByRole("switch", { name: "Connect Codex" }).click();
    await window.button("Review the changes").click();
    await window.button(/^Apply/).click();
    await toDone(window);
    expect(changed().filter((name) => name.startsWith(".codex"))).toEqual([]);
  });

  test("the second time there is nothing to write, and it says so", async () => {
    const at = computer();
    install.claude(at);
    at.plimsoll(["connect", "claude-code", "--yes"]);
    const changed = watchFiles(at);
    const window = await show(at, { screen: "setup" });
    await toReview(window);
    await window.page.getByText("Everything is already in place").waitFor();
    await window.button("Verify").click();
    await toDone(window);
    expect(changed().filter((name) => !name.startsWith(".plimsoll/"))).toEqual([]);
  });

  test("an undo that takes more away than the wizard wrote says so", async () => {
    const at = computer();
    install.claude(at);
    const before = at.read(".claude.json");
    at.plimsoll(["connect", "claude-code", "--no-hooks", "--yes"]);
    const window = await show(at, { screen: "setup" });
    await toReview(window);
    await window.button(/^Apply/).click();
    await toDone(window);
    await window.button("Undo everything").click();
    const dialog = window.page.getByRole("dialog");
    await dialog.getByText("Entries from before are removed, too: Claude Code.").waitFor();
    await dialog.getByRole("button", { name: "Undo everything" }).click();
    await window.page.getByText("Plimsoll’s entries are removed.").waitFor();
    expect(await window.page.getByText("Everything is as it was.").count()).toBe(0);
    expect(at.read(".claude.json")).toBe(before);
  });

  test("a changed tool list is shown with the changes, in the receipt, and undone", async () => {
    const at = computer();
    install.claude(at);
    const window = await show(at);
    await toChoices(window);
    await window.page.getByText("Advanced", { exact: true }).click();
    await window.page.getByRole("group", { name: "Tool list" }).getByRole("radio", { name: "Full" }).check();
    await window.button("Review the changes").click();
    await window.button("Apply 3 changes").waitFor();
    await window.page.getByText("Compact → Full").waitFor();
    await window.page.getByText("~/.plimsoll/settings.toml").waitFor();
    expect(await window.violations()).toEqual([]);
    await window.button("Apply 3 changes").click();
    await window.heading("Applied and verified").waitFor({ timeout: 45_000 });
    await window.page.getByRole("listitem").filter({ hasText: "Compact → Full" }).getByText("1 file written").waitFor();
    expect(at.read(".plimsoll/settings.toml")).toContain('surface = "full"');
    await window.button("Continue").click();
    await window.button("Undo everything").click();
    const dialog = window.page.getByRole("dialog");
    await dialog.getByText("The tool list goes back to Compact.").waitFor();
    await dialog.getByRole("button", { name: "Undo everything" }).click();
    await window.page.getByText("Everything is as it was.").waitFor();
    expect(at.read(".plimsoll/settings.toml")).not.toContain('surface = "full"');
  });

  test("the diff that was shown can be saved", async () => {
    const at = computer();
    install.claude(at);
    const window = await show(at);
    await toReview(window);
    at.answer("pick", at.path("plimsoll.diff"));
    await window.button("Save the diff…").click();
    await window.page.getByText("Saved to").waitFor();
    expect(at.read("plimsoll.diff")).toMatch(/^\+ +"plimsoll"/m);
  });
});

describe("what cannot be edited safely is left alone", () => {
  test("a config that does not parse is named with its line, and not ticked", async () => {
    const at = computer();
    install.claude(at);
    install.codex(at);
    at.write(".codex/config.toml", 'model = "gpt-5.4"\n[mcp_servers.docs\ncommand = "x"\n', 0o600);
    const before = at.read(".codex/config.toml");
    const window = await show(at);
    await toAgents(window);
    const row = window.page.getByRole("listitem").filter({ hasText: "Codex" });
    await row.getByText("Unreadable").waitFor();
    await row.getByText("~/.codex/config.toml").first().waitFor();
    expect(await row.innerText()).toMatch(/line 2/);
    await window.button("Continue").click();
    expect(await window.page.getByRole("switch", { name: "Connect Codex" }).count()).toBe(0);
    await window.button("Review the changes").click();
    await window.button(/^Apply/).click();
    await toDone(window);
    expect(at.read(".codex/config.toml")).toBe(before);
  });

  test("a foreign entry with Plimsoll's name is left alone", async () => {
    const at = computer();
    install.claude(at);
    at.write(".claude.json", '{\n  "mcpServers": {\n    "plimsoll": { "command": "/opt/other/plimsoll-clone", "args": ["serve"] }\n  }\n}\n', 0o600);
    const before = at.read(".claude.json");
    const window = await show(at);
    await toAgents(window);
    await window.button("Continue").click();
    await window.button("Review the changes").click();
    await window.page.getByText("left alone").first().waitFor();
    expect(at.read(".claude.json")).toBe(before);
  });

  test("without any agent it says so and offers to search again", async () => {
    const at = computer();
    const window = await show(at);
    await window.button("Find my agents").click();
    await window.page.getByText("No agents found on this computer").waitFor();
    expect(await window.button("Continue").isDisabled()).toBe(true);
    install.claude(at);
    await window.button("Look again").first().click();
    await window.page.getByRole("listitem").filter({ hasText: "Claude Code 2.1.197" }).first().waitFor();
    expect(await window.button("Continue").isDisabled()).toBe(false);
  });
});

describe("one that fails does not stop the rest", () => {
  test("a config that changed between review and apply keeps what was written meanwhile", async () => {
    const at = computer();
    install.claude(at);
    install.codex(at);
    const window = await show(at);
    await toReview(window);
    const mine = `${CODEX_CONFIG}\n[profiles.mine]\nmodel = "other"\n`;
    at.write(".codex/config.toml", mine, 0o600);
    await window.button(/^Apply/).click();
    await toDone(window);
    const merged = at.read(".codex/config.toml");
    expect(merged.startsWith(mine.trimEnd())).toBe(true);
    expect(merged).toContain("plimsoll");
    await window.button("Undo everything").click();
    await window.page.getByRole("dialog").getByRole("button", { name: "Undo everything" }).click();
    await window.page.getByText("Everything is as it was.").waitFor();
    expect(at.read(".codex/config.toml"), "undone to what stood there last").toBe(mine);
  });

  test("a config that broke between review and apply fails in its row; the other agent is connected", async () => {
    const at = computer();
    install.claude(at);
    install.codex(at);
    const window = await show(at);
    await toReview(window);
    const broken = `${CODEX_CONFIG}\n[profiles.mine\n`;
    at.write(".codex/config.toml", broken, 0o600);
    await window.button(/^Apply/).click();
    await window.heading("Not everything worked").waitFor({ timeout: 45_000 });
    const failed = window.page.getByRole("listitem").filter({ hasText: "Codex" });
    await failed.getByText("Writing failed.").waitFor();
    await failed.getByText(/This agent.s files are unchanged/).waitFor();
    expect(at.read(".codex/config.toml")).toBe(broken);
    expect(existsSync(at.path(".codex/hooks.json")), "an agent's files are written whole or not at all").toBe(false);
    const good = window.page.getByRole("listitem").filter({ hasText: "Claude Code" });
    await good.getByText("works").waitFor({ state: "attached" });
    expect(at.read(".claude.json")).toContain(`"plimsoll"`);

    // The way on: mend the file, review again, and this time it goes through.
    at.write(".codex/config.toml", CODEX_CONFIG, 0o600);
    await failed.getByRole("button", { name: "Review again" }).click();
    await window.button(/^Apply/).waitFor();
    // Earlier writes still count: the question says that they stay.
    await window.page.mouse.move(2, 2);
    await window.page.keyboard.press("Escape");
    const leaving = window.page.getByRole("dialog", { name: "Leave setup?" });
    await leaving.getByText(/^What was written stays/).waitFor();
    await leaving.getByRole("button", { name: "Stay" }).click();
    await window.button(/^Apply/).click();
    await toDone(window);
    expect(at.read(".codex/config.toml").startsWith(CODEX_CONFIG.trimEnd())).toBe(true);
    await window.button("Undo everything").click();
    await window.page.getByRole("dialog").getByRole("button", { name: "Undo everything" }).click();
    await window.page.getByText("Everything is as it was.").waitFor();
    expect(at.read(".claude.json")).not.toContain(`"plimsoll"`);
    expect(at.read(".codex/config.toml")).toBe(CODEX_CONFIG);
  });

  test("a server that does not answer fails in its row, and this one alone is undone", async () => {
    const at = computer();
    install.claude(at);
    install.codex(at);
    const changed = watchFiles(at);
    const window = await show(at, { host: await at.serve({ PLIMSOLL_SIDECAR: at.write("dead/plimsoll", "#!/bin/sh\nexit 3\n", 0o755) }) });
    await toReview(window);
    await window.button(/^Apply/).click();
    await window.heading("Not everything worked").waitFor({ timeout: 45_000 });
    const row = window.page.getByRole("listitem").filter({ hasText: "Claude Code" });
    await row.getByText("Written, but it didn’t answer.").waitFor();
    await row.getByRole("button", { name: "Undo this one" }).click();
    await row.getByText("undone").waitFor();
    const left = changed();
    expect(left.filter((name) => name.startsWith(".claude"))).toEqual([]);
    expect(left.filter((name) => name.startsWith(".codex"))).not.toEqual([]);
    await window.button("Undo everything").click();
    await window.page.getByRole("listitem").filter({ hasText: "Codex" }).getByText("undone").waitFor();
    expect(changed().filter((name) => !name.startsWith(".plimsoll/") && !name.startsWith("dead/"))).toEqual([]);
  });

  test("an agent that vanished between choosing and reviewing is named and left out", async () => {
    const at = computer();
    install.claude(at);
    install.opencode(at);
    const window = await show(at);
    await toChoices(window);
    rmSync(at.path(".config"), { recursive: true });
    rmSync(at.path(".local/bin/opencode"));
    await window.button("Review the changes").click();
    await window.page.getByText("No longer there: OpenCode.").waitFor();
    await window.button(/^Apply/).click();
    await toDone(window);
    expect(existsSync(at.path(".config/opencode"))).toBe(false);
  });

  test("a folder that cannot be written fails in its row", async ({ skip }) => {
    if (process.getuid?.() === 0) skip("root may write everywhere");
    const at = computer();
    install.claude(at);
    install.codex(at);
    const window = await show(at);
    await toReview(window);
    chmodSync(at.path(".codex"), 0o500);
    await window.button(/^Apply/).click();
    await window.heading("Not everything worked").waitFor({ timeout: 45_000 });
    chmodSync(at.path(".codex"), 0o700);
    expect(at.read(".codex/config.toml")).toBe(CODEX_CONFIG);
  });
});

describe("by keyboard alone", () => {
  /** Goes on with Tab until what has the focus is called this. */
  async function tabTo(window: Window, name: RegExp): Promise<void> {
    for (let presses = 0; presses < 60; presses++) {
      const here = await window.page.evaluate(() => {
        const one = document.activeElement as HTMLElement | null;
        return one === null ? "" : `${one.getAttribute("aria-label") ?? ""} ${one.innerText}`.trim();
      });
      if (name.test(here)) return;
      await window.page.keyboard.press("Tab");
    }
    throw new Error(`the focus never came to ${name}`);
  }

  test("the whole wizard, with the focus always visible", async () => {
    const at = computer();
    install.claude(at);
    install.codex(at);
    const window = await show(at);
    const enter = async (name: RegExp): Promise<void> => {
      await tabTo(window, name);
      const ring = await window.page.evaluate(() => {
        const style = getComputedStyle(document.activeElement as HTMLElement);
        return style.outlineStyle !== "none" || style.boxShadow !== "none";
      });
      expect(ring, `the focus on ${name} can be seen`).toBe(true);
      await window.page.keyboard.press("Enter");
    };
    await enter(/^Find my agents/);
    await window.heading("Your agents").waitFor();
    await window.page.getByRole("listitem").filter({ hasText: "Codex" }).first().waitFor();
    await enter(/^Continue/);
    await window.heading("Choices").waitFor();
    await tabTo(window, /Connect Codex/);
    await window.page.keyboard.press("Space");
    expect(await window.page.getByRole("switch", { name: "Connect Codex" }).getAttribute("aria-checked")).toBe("false");
    await enter(/^Review the changes/);
    await window.button(/^Apply/).waitFor();
    await enter(/^Apply/);
    await window.heading("Applied and verified").waitFor({ timeout: 45_000 });
    await enter(/^Continue/);
    await window.heading("Done").waitFor();
    await enter(/^Go to Home/);
    await window.heading("Home").waitFor();
    expect(at.read(".claude.json")).toContain(`"plimsoll"`);
    expect(at.read(".codex/config.toml")).toBe(CODEX_CONFIG);
  });
});
