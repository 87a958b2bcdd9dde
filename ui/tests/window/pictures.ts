// Every screen in every state, in both themes and two sizes, to be looked at by eye; and the few that the README
// shows. `PLIMSOLL_PICTURES` is the folder for all of them; with `PLIMSOLL_README` only the README's are taken, into
// that folder.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { install } from "./agents";
import { Computer, type Host } from "./computer";
import { walk, wizard } from "./pictured-states";
import { AFTERNOON, week } from "./pictured-week";
import { eachTest, show, SIZES, type Theme, type Window } from "./window";
import { wordsOf } from "./words";

eachTest();

const folder = process.env.PLIMSOLL_PICTURES ?? join(tmpdir(), "plimsoll-pictures");
const readme = process.env.PLIMSOLL_README;
const THEMES: Theme[] = ["light", "dark"];

let busy: Computer;
let host: Host;
beforeAll(async () => {
  busy = await week(readme !== undefined);
  host = await busy.serve();
});
afterAll(() => busy?.dispose());

async function take(window: Window, name: string, moving = false): Promise<void> {
  if (!moving) await window.settled();
  await window.page.mouse.move(2, 2);
  // What a screen asks for once it is there begins to load a moment later.
  if (!moving) {
    await window.page.waitForTimeout(100);
    await window.settled();
  }
  await window.page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled", caret: "hide" });
}

if (readme === undefined) {
  mkdirSync(folder, { recursive: true });
  for (const theme of THEMES) {
    for (const size of Object.values(SIZES)) {
      const tag = `${theme}-${size.width}`;
      test(`with a week of work, ${tag}`, async () => {
        const window = await show(busy, { host, theme, size, screen: "home", context: { timezoneId: AFTERNOON } });
        await walk(busy, window, wordsOf("en"), (name) => take(window, `${name}-${tag}`));
      });
      test(`the first day, ${tag}`, async () => {
        const at = new Computer();
        const window = await show(at, { theme, size, screen: "agents" });
        for (const screen of ["home", "agents", "knowledge", "sessions", "activity"]) {
          await window.go(screen);
          await take(window, `empty-${screen}-${tag}`);
        }
        at.answer("link", "knowledge?q=retries&project=shop");
        await window.page.goto("about:blank");
        await window.page.goto(`${window.host.url}&home`);
        await window.page.getByRole("dialog").waitFor();
        await take(window, `link-question-${tag}`);
        at.dispose();
      });
      test(`broken states, ${tag}`, async () => {
        const at = new Computer();
        at.seed({ calls: 4, events: 4, sources: 3 });
        for (const name of ["plimsoll.db-wal", "plimsoll.db-shm"]) rmSync(join(at.own, name), { force: true });
        writeFileSync(join(at.own, "plimsoll.db"), "this is no database");
        const window = await show(at, { theme, size, screen: "activity" });
        for (const screen of ["activity", "sessions", "home"]) {
          await window.go(screen);
          await take(window, `broken-${screen}-${tag}`);
        }
        await window.page.evaluate(() => setTimeout(() => Promise.reject(new Error("made for the picture"))));
        await window.page.getByRole("alert").waitFor();
        await take(window, `crash-${tag}`);
        window.problems = [];
        at.dispose();
      });
      test(`the wizard, ${tag}`, async () => {
        await wizard({ theme, size, language: "en" }, (window, name, moving) => take(window, `${name}-${tag}`, moving));
      });
    }
  }
  for (const theme of THEMES) {
    test(`long names, menus and foreign text, narrow, ${theme}`, async () => {
      const at = new Computer();
      const long = `a-name-that-nobody-would-give-${"but-somebody-did-".repeat(8)}end`;
      install.claude(at);
      at.plimsoll(["connect", "claude-code", "--yes"]);
      at.write(`work/shop/docs/${long}.md`, `# ${long.replaceAll("-", " ")}\n\nOf moorings.\n`);
      at.write("work/shop/docs/moorings.md", "# Moorings\n\nThe quay has forty rings, and each ring has a number.\n");
      for (const name of [long, "moorings"]) at.plimsoll(["index", `docs/${name}.md`]);
      at.hook("claude-code", "UserPromptSubmit", { session_id: "long", cwd: at.project, hook_event_name: "UserPromptSubmit", prompt: `Why is ${long} so long, and who gave it that name?` });
      const window = await show(at, { theme, size: SIZES.narrow, screen: "knowledge" });
      const tag = `${theme}-860`;
      for (const [screen, heading] of [["knowledge", "Knowledge"], ["knowledge?q=moorings", "Knowledge"], ["sessions", "Sessions"], ["activity", "Activity"]] as const) {
        await window.go(screen);
        await window.heading(heading).waitFor();
        if (screen.includes("?")) await window.page.locator(".reader article").first().waitFor();
        await take(window, `long-${screen.replace(/\?.*/, "-hit")}-${tag}`);
      }
      const text = `<html>${"<p>an error page of somebody else</p>".repeat(300)}</html>`;
      await window.page.route("**/call/open", (route) => route.fulfill({ status: 500, contentType: "application/json", body: JSON.stringify({ code: "failed", message: text, said: { text, key: null, params: {} } }) }));
      await window.go("knowledge");
      await window.button(/^Open in editor/).first().click();
      await window.page.locator(".toast").waitFor();
      await take(window, `long-toast-${tag}`);
      at.dispose();
    });
  }
  // German words are longer; the smallest window shows where that matters, in one theme, because colours don't.
  for (const size of [{ width: 1180, height: 760 }, { width: 720, height: 520 }]) {
    const theme: Theme = size.width === 720 ? "light" : "dark";
    const tag = `${theme}-${size.width}`;
    test(`in German, ${tag}`, async () => {
      const german = await busy.serve({ LANG: "de_AT.UTF-8" });
      const window = await show(busy, { host: german, theme, size, screen: "home", locale: "de-AT", context: { timezoneId: AFTERNOON } });
      await walk(busy, window, wordsOf("de"), (name) => take(window, `german-${name}-${tag}`));
      await german.stop();
    });
    test(`the wizard in German, ${tag}`, async () => {
      await wizard({ theme, size, language: "de", locale: "de-AT" }, (window, name, moving) => take(window, `german-${name}-${tag}`, moving));
    });
  }
  test("years of work", async () => {
    const at = new Computer();
    at.seed({ calls: 100_000, events: 20_000, sources: 10_000, days: 60 });
    const window = await show(at, { screen: "knowledge" });
    for (const screen of ["knowledge", "activity", "home"]) {
      await window.go(screen);
      await window.page.waitForTimeout(1_500);
      await take(window, `years-${screen}-light-1180`);
    }
    at.dispose();
  });
} else {
  mkdirSync(readme, { recursive: true });
  for (const theme of THEMES) {
    test(`the README's, ${theme}`, async () => {
      const context = { deviceScaleFactor: 1.4, timezoneId: AFTERNOON };
      const size = { width: 1120, height: 720 };
      const shot = async (window: Window, name: string): Promise<void> => {
        await window.settled();
        await window.page.mouse.move(2, 2);
        await window.page.screenshot({ path: join(readme, `${name}-${theme}.png`), animations: "disabled", caret: "hide" });
      };
      const window = await show(busy, { host, theme, size, context, screen: "agents" });
      // Codex has been asked by then which hooks were approved.
      await window.page.getByText("Needs you").first().waitFor();
      await window.page.goto("about:blank");
      await window.page.goto(`${host.url}&home`);
      await window.page.getByText("kept out of context").first().waitFor();
      await shot(window, "home");
      await window.go("knowledge?q=tried again");
      await window.page.locator(".reader article").first().waitFor();
      await shot(window, "knowledge");
      await window.page.context().close();
      const plan = await show(busy, { host: await fresh(), theme, size, context, screen: "setup" });
      await plan.button("Find my agents").click();
      await plan.page.getByRole("listitem").filter({ hasText: "Codex" }).first().waitFor();
      await plan.button("Continue").click();
      await plan.button("Review the changes").click();
      await plan.button(/^Apply/).waitFor();
      await shot(plan, "review");
      busy.plimsoll(["connect", "claude-code", "codex", "opencode", "cursor", "--yes"]);
    });
  }
}

/** The same computer as before its agents were connected. */
async function fresh(): Promise<Host> {
  busy.plimsoll(["disconnect", "--all", "--yes"]);
  return busy.serve();
}
