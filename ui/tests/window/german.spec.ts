// What the program says in whole sentences, in a German window: translated where the sentence is Plimsoll's, marked as
// English where it is a parser's or an operating system's.
import { describe, expect, test } from "vitest";
import { CODEX_CONFIG, install } from "./agents";
import { computer, eachTest, show, type Window } from "./window";
import type { Computer } from "./computer";

eachTest();

const german = async (at: Computer, screen: string): Promise<Window> =>
  show(at, { host: await at.serve({ LANG: "de_AT.UTF-8" }), locale: "de-AT", screen });

async function toReview(window: Window): Promise<void> {
  await window.button("Agenten suchen").click();
  await window.heading("Ihre Agenten").waitFor();
  await window.button("Weiter").click();
  await window.button("Änderungen durchsehen").click();
  await window.button(/anwenden$/).waitFor();
}

describe("the wizard", () => {
  test("names the obstacle, the remedy and the next step", async () => {
    const at = computer();
    install.claude(at);
    install.codex(at);
    at.write(".claude/settings.json", '{ "disableAllHooks": true }\n');
    const window = await german(at, "setup");
    await toReview(window);
    await window.page.getByText("1 Hinweis").click();
    const note = window.page.getByRole("listitem").filter({ hasText: "Claude Code:" });
    expect(await note.innerText()).toBe(
      "Claude Code: disableAllHooks ist in ~/.claude/settings.json eingeschaltet: Kein Hook läuft, auch keiner von Plimsoll. " +
        "disableAllHooks aus ~/.claude/settings.json entfernen. Die Werkzeuge arbeiten auch ohne Hooks.",
    );
    expect(await note.locator("[lang=en]").count()).toBe(0);

    await window.button(/anwenden$/).click();
    await window.heading("Angewendet und geprüft").waitFor({ timeout: 45_000 });
    await window.button("Weiter").click();
    await window.page.getByText("Codex in einem Terminal öffnen, /hooks eingeben").waitFor();
    await window.page.getByText("Eine neue Sitzung von Claude Code beginnen").waitFor();
    expect(await window.violations()).toEqual([]);

    await window.go("agents");
    await window.page.getByText(/^Codex in einem Terminal öffnen, \/hooks eingeben und die Hooks von Plimsoll zulassen\. Bis dahin übergeht Codex sie stillschweigend/).waitFor();
  });

  test("groups the lines of a change as the region does", async () => {
    const at = computer();
    install.claude(at);
    const window = await german(at, "setup");
    await window.page.route("**/call/plan_connect", async (route) => {
      const response = await route.fetch();
      const plan = (await response.json()) as { report: { agents: { files: { added: number; removed: number }[] }[] } };
      for (const file of plan.report.agents.flatMap((agent) => agent.files)) [file.added, file.removed] = [12_345, 6_789];
      await route.fulfill({ response, json: plan });
    });
    await toReview(window);
    const sums = window.page.getByRole("tab").first().locator("em");
    const grouped = await window.page.evaluate(() => [12_345, 6_789].map((count) => new Intl.NumberFormat("de-AT").format(count)));
    expect(grouped[0]).not.toBe("12345");
    expect(await sums.allTextContents()).toEqual([`+${grouped[0]}`, `−${grouped[1]}`]);
    await window.page.unrouteAll({ behavior: "ignoreErrors" });
  });

  test("leaves a parser's words in English and marks them", async () => {
    const at = computer();
    install.claude(at);
    install.codex(at);
    const window = await german(at, "setup");
    await toReview(window);
    at.write(".codex/config.toml", `${CODEX_CONFIG}\n[profiles.mine\n`, 0o600);
    await window.button(/anwenden$/).click();
    await window.heading("Nicht alles hat geklappt").waitFor({ timeout: 45_000 });
    const row = window.page.getByRole("listitem").filter({ hasText: "Codex" });
    const told = row.getByText(/Zeile 9, Spalte \d+: .*\. Die Datei korrigieren oder den Eintrag von Hand einfügen/);
    await told.waitFor();
    const foreign = told.locator("[lang=en]");
    expect(await foreign.count()).toBe(1);
    expect((await foreign.innerText()).length).toBeGreaterThan(5);
  });
});

test("an error has a German heading, with only the parser's words in English", async () => {
  const at = computer();
  at.write(".plimsoll/settings.toml", "[desktop\ntheme = 3\n");
  const window = await german(at, "settings");
  const banner = window.page.getByRole("status").filter({ hasText: "Die Einstellungsdatei lässt sich nicht lesen" });
  const words = await banner.locator("[lang=en]").innerText();
  expect(words).toContain("unclosed table");
  expect(words).not.toContain("settings.toml");
  expect(await banner.innerText()).toMatch(/die Zeile korrigieren oder entfernen/i);
});

test("the doctor is in German, and its report for others in English", async () => {
  const at = computer();
  install.claude(at);
  at.plimsoll(["connect", "claude-code", "--yes"]);
  const window = await german(at, "settings/doctor");
  await window.page.getByText("ein Satz wurde indexiert und gefunden").waitFor({ timeout: 30_000 });
  await window.page.getByText("Volltextsuche").waitFor();
  await window.page.getByText(/Claude Code 2\.1\.197, verbunden/).waitFor();
  await window.page.getByText(/^\d+(,\d+)?\s[GT]B frei$/).waitFor();
});

test("no size and no time has a decimal point, on any screen", async () => {
  const at = computer();
  install.claude(at);
  at.plimsoll(["connect", "claude-code", "--yes"]);
  at.seed({ calls: 60, events: 40, filters: 20, days: 7 }, [at.project]);
  at.write("work/shop/docs/long.md", `# Long\n\n${"A sentence about the sea. ".repeat(90)}\n`);
  at.plimsoll(["index", "docs/long.md"]);
  at.write(".plimsoll/settings.toml", "[sandbox]\ntimeout_ms = 2500\n", 0o600);
  const screens = ["home", "agents", "agents/claude-code", "knowledge", "knowledge?q=sea", "sessions", "activity", "settings/sandbox", "settings/retention", "settings/doctor"];
  const window = await german(at, "home");
  for (const screen of screens) {
    await window.go(screen);
    await window.settled();
    const told = await window.page.evaluate(() => `${document.body.innerText}\n${[...document.querySelectorAll("input")].map((one) => one.value).join("\n")}`);
    expect(told.match(/\b\d+\.\d{1,2}\s?(?:B|KB|MB|GB|TB|ms|s|min|h)\b/g), `${screen}: ${told}`).toBeNull();
  }
  await window.go("settings/sandbox");
  await expect.poll(() => window.page.evaluate(() => [...document.querySelectorAll("input")].map((one) => one.value))).toContain("2,5");
});

test("what is wrong with a prompt that is written, or with a filter that is typed, is said in German", async () => {
  const at = computer();
  at.seed({ memories: 3 }, [at.project]);
  const window = await german(at, "memory/prompts");
  await window.button("Neuer Prompt").first().click();
  const text = window.page.getByRole("textbox", { name: "Text", exact: true });
  for (const [typed, told] of [
    ["Prüfe {{datei", "Zeile 1: „{{“ wird nicht geschlossen. Für die Zeichen selbst \\{{ schreiben."],
    ["\n{{#each}}x{{/each}}", "Zeile 2: „#each“ braucht den Namen einer Liste, etwa {{#each memories}}"],
    ["{{/each}}", "Zeile 1: {{/each}} schließt nichts"],
    ["{{2 Wörter}}", "Zeile 1: „{{2 Wörter}}“ ist kein Platzhalter: Ein Name beginnt mit einem Buchstaben und besteht aus Buchstaben, Ziffern und _"],
  ] as const) {
    await text.fill(typed);
    const problem = window.page.getByText(told, { exact: true });
    await problem.waitFor();
    expect(await problem.locator("[lang=en]").count()).toBe(0);
  }
  await text.fill("Prüfe {{datei}}");
  await window.page.getByRole("textbox", { name: "Name", exact: true }).fill("Schlechter Name");
  await window.button("Speichern").click();
  await window.page.getByText(/Der Name "Schlechter Name" ist nicht verwendbar: Kleinbuchstaben/).waitFor();
  await window.go("memory");
  for (const [typed, told] of [
    ["since:gestern", "„gestern“ ist weder Zeitraum noch Datum"],
    ["status:wach", "status: „wach“ gibt es nicht. Erlaubt sind active"],
    ["since:7d,8d", "since: nimmt nur einen Wert"],
  ] as const) {
    await window.page.getByRole("combobox", { name: "Erinnerungen durchsuchen" }).fill(typed);
    const problem = window.page.getByText(new RegExp(`Filter, Zeichen \\d+: .*${told}`)).first();
    await problem.waitFor();
    expect(await problem.locator("[lang=en]").count()).toBe(0);
  }
});
