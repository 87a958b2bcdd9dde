// The wizard's step that offers what is there already: rules and exports become memories that wait for a review.
import { existsSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { install } from "./agents";
import { toReview } from "./steps";
import { computer, eachTest, show, SIZES, type Window } from "./window";

eachTest();

describe("importing what is there already", () => {
  const list = (window: Window) => window.page.getByRole("list", { name: "What can be imported" }).getByRole("listitem");
  const focused = (window: Window): Promise<string> => window.page.evaluate(() => (document.activeElement as HTMLInputElement).type ?? "");

  function mine(): ReturnType<typeof computer> {
    const at = computer();
    install.claude(at);
    at.write(".claude.json", JSON.stringify({ projects: { [at.project]: {} } }), 0o600);
    at.write(".claude/CLAUDE.md", "# Rules\n\n- Answer in short sentences\n- Use pnpm, never npm\n");
    at.write("work/shop/AGENTS.md", `# Shop\n\n- Prices are in cents everywhere\n- The mirror takes ${["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_")}\n`);
    at.write("work/shop/subcog-export.json", "{ cut");
    return at;
  }

  async function toImport(window: Window): Promise<void> {
    await toReview(window);
    await window.button(/^Apply/).click();
    await window.heading("Applied and verified").waitFor({ timeout: 45_000 });
    await window.button("Continue").click();
    await window.heading("Import what you have").waitFor();
    await list(window).first().waitFor();
  }

  test("by keys alone: tick one, import it, see its result, and go to the review", async () => {
    const at = mine();
    const window = await show(at);
    await toImport(window);
    expect(await window.violations()).toEqual([]);
    expect(await window.page.getByRole("list", { name: "Steps" }).getByRole("listitem").allInnerTexts()).toContain("Import");
    await expect.poll(() => list(window).count()).toBe(3);
    for (const box of await window.page.getByRole("checkbox").all()) expect(await box.isChecked()).toBe(false);
    await list(window).filter({ hasText: "subcog-export.json" }).getByText(/line 1/).waitFor();
    expect(existsSync(at.path(".plimsoll/memory.db")), "looking stores nothing").toBe(false);

    const box = list(window).filter({ hasText: "AGENTS.md" }).getByRole("checkbox");
    for (let step = 0; step < 12 && !(await box.evaluate((one) => one === document.activeElement)); step++) await window.page.keyboard.press("Tab");
    expect(await focused(window)).toBe("checkbox");
    await window.page.keyboard.press("Space");
    const go = window.button("Import from 1 place");
    for (let step = 0; step < 12 && !(await go.evaluate((one) => one === document.activeElement)); step++) await window.page.keyboard.press("Tab");
    await window.page.keyboard.press("Enter");
    await list(window).filter({ hasText: "AGENTS.md" }).getByText("2 are waiting for your review · a secret taken out of 1").waitFor();
    expect(await window.violations()).toEqual([]);
    expect(() => at.plimsoll(["memory", "recall", "cents"]), "no agent gets it yet").toThrow(expect.objectContaining({ status: 3 }));

    await window.button("Continue").press("Enter");
    await window.heading("Done").waitFor();
    await window.page.getByText("2 memories are waiting for your review.").waitFor();
    expect(await window.violations()).toEqual([]);
    await window.button("Review 2").press("Enter");
    await window.heading("Review").waitFor();
    await window.page.getByRole("option").filter({ hasText: "Prices are in cents everywhere" }).waitFor();
    expect(await window.page.locator("body").innerText()).not.toContain("0123456789abcdefghij");
    expect(at.read("work/shop/AGENTS.md")).toContain("- Prices are in cents everywhere");
  });

  test("skipped with one press, and nothing is stored", async () => {
    const at = mine();
    const window = await show(at);
    await toImport(window);
    await window.button("Skip").press("Enter");
    await window.heading("Done").waitFor();
    expect(existsSync(at.path(".plimsoll/memory.db"))).toBe(false);
    expect(at.plimsoll(["memory", "sources"])).toContain("AGENTS.md");
  });

  test("a secret is refused where that is set, what fails stays in its row, and the rest goes on", async () => {
    const at = mine();
    at.plimsoll(["settings", "set", "memory.secrets", "refuse"]);
    const window = await show(at, { screen: "setup" });
    await toImport(window);
    await window.button("Select all").click();
    rmSync(at.path(".claude/CLAUDE.md"));
    await window.button("Import from 2 places").click();
    await list(window).filter({ hasText: "AGENTS.md" }).getByText("1 is waiting for your review · 1 refused because of a secret").waitFor();
    await list(window).filter({ hasText: "CLAUDE.md" }).getByText(/no longer there/).waitFor();
    expect(await window.page.locator("body").innerText()).not.toContain("0123456789abcdefghij");
    expect(await window.violations()).toEqual([]);
  });

  test("in German, in a small window", async () => {
    const at = mine();
    const window = await show(at, { host: await at.serve({ LANG: "de_DE.UTF-8" }), locale: "de-DE", size: SIZES.narrow, theme: "dark" });
    await window.button("Agenten suchen").click();
    await window.button("Weiter").click();
    await window.button("Änderungen durchsehen").click();
    await window.button(/Änderung(en)? anwenden$/).click();
    await window.button("Weiter").click({ timeout: 45_000 });
    await window.heading("Importieren").waitFor();
    await window.button("Überspringen").waitFor();
    expect(await window.violations()).toEqual([]);
    expect(await window.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  });
});
