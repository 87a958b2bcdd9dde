// Every screen in every state, in both themes and two sizes, to be looked at by eye; and the few that the README
// shows. `PLIMSOLL_PICTURES` is the folder for all of them; with `PLIMSOLL_README` only the README's are taken, into
// that folder. The figures are seeded, everything else is real: agents' files, the sidecar, what was stored.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { install } from "./agents";
import { Computer, type Host } from "./computer";
import { payments } from "./payments";
import { eachTest, show, SIZES, type Theme, type Window } from "./window";

eachTest();

const folder = process.env.PLIMSOLL_PICTURES ?? join(tmpdir(), "plimsoll-pictures");
const readme = process.env.PLIMSOLL_README;
const THEMES: Theme[] = ["light", "dark"];

/** A home with a neutral name, if it can be made: its paths are in the pictures. One that is there already
 *  is left alone: it is in use, or left from an interrupted run. */
function home(): Computer {
  const free = ["/home/you", "/home/ana", "/home/kim"].find((path) => !existsSync(path));
  return process.getuid?.() === 0 ? new Computer(free) : new Computer();
}

const DOCS: Record<string, string> = {
  "docs/retries.md": "# Retries\n\n## When a request is tried again\n\nA request is tried again only when nothing was written before it failed. The wait doubles after each attempt and never exceeds thirty seconds.\n\n```rust\nlet wait = (base * 2_u32.pow(attempt)).min(Duration::from_secs(30));\n```\n\n## What is never retried\n\n| answer | why |\n|---|---|\n| 400, 422 | the request itself is wrong |\n| 401, 403 | asking again changes nothing |\n| 409 | somebody else was first; read again, then decide |\n",
  "docs/queue.md": "# The queue\n\n## Draining\n\nThe queue is drained before the process ends, and what remains is written down. A worker that was killed leaves its item to the next one, which tries again from the last mark.\n\n## Order\n\nItems of one customer keep their order; items of different customers do not.\n",
  "docs/checkout.md": "# Checkout\n\n## Taking the payment\n\nThe order is stored before the payment is asked for, so that a retry finds it. Each attempt carries the same key, and the bank answers twice with the same result.\n\n- [x] the key survives a restart\n- [x] a second tab sees the first one's attempt\n- [ ] refunds use the same way\n",
  "docs/locking.md": "# Locks\n\nLocks are taken in the order of their paths, so two workers cannot wait for each other. A lock that is older than a minute belongs to nobody; who takes it over writes that down before trying again.\n",
  "docs/migrations.md": "# Migrations\n\nEach migration runs in one transaction and is never changed once released. A database that is newer than the program is left untouched.\n",
  "src/retry.rs": "/// Tries again while nothing was written, waiting longer each time.\npub fn retry<T>(attempts: u32, mut work: impl FnMut() -> Result<T, Failure>) -> Result<T, Failure> {\n    for attempt in 0..attempts {\n        match work() {\n            Err(failure) if failure.nothing_written() => wait(attempt),\n            done => return done,\n        }\n    }\n    work()\n}\n",
  "src/queue.rs": "/// Drains the queue before the process ends; what cannot be done is written down.\npub fn drain(queue: &mut Queue, journal: &mut Journal) -> usize {\n    let left = queue.items.drain(..).filter(|item| item.done().is_err());\n    left.map(|item| journal.write(item)).count()\n}\n",
};

/** A place on earth where it is late in the afternoon now, so that there is a day to be seen. */
const AFTERNOON = ((): string => {
  const ahead = (17 - new Date().getUTCHours() + 36) % 24 - 12;
  return ahead === 0 ? "UTC" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
})();

function project(at: Computer, name: string, files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) at.write(`work/${name}/${path}`, text);
  at.write(`work/${name}/.git/HEAD`, "ref: refs/heads/main\n");
  return at.path(`work/${name}`);
}

/** A computer in the middle of a week of work. */
async function week(): Promise<Computer> {
  const at = home();
  install.claude(at);
  install.codex(at);
  install.opencode(at);
  install.cursor(at);
  at.plimsoll(["connect", "claude-code", "codex", "opencode", "cursor", "--yes"]);
  const shop = project(at, "shop", DOCS);
  const harbour = project(at, "harbour", { "README.md": "# Harbour\n\nBerths, cranes and who comes when.\n", "docs/berths.md": "# Berths\n\nA berth is given to the ship that is ready first.\n" });
  at.seed({ calls: 900, events: 700, filters: 260, memories: 126, days: 7 }, [shop, harbour]);
  at.plimsoll(["index", "docs"], { cwd: harbour });
  for (const path of Object.keys(DOCS)) at.plimsoll(["index", path], { cwd: shop });
  if (readme === undefined) at.seed({ sources: 46, days: 5 }, [shop]);
  await at.tool("execute", { language: "shell", code: "seq 1 4000", intent: "the last number" });
  for (const words of ["a request is tried again", "queue drained"]) at.plimsoll(["search", words], { cwd: shop });
  at.write(".claude/CLAUDE.md", "# Rules\n\n- Answer in short sentences\n- Use pnpm, never npm\n- Ask before you force-push\n");
  at.write("work/shop/AGENTS.md", "# Shop\n\n- Prices are in cents everywhere\n- Never trust a discount from the page\n");
  worked(at, shop);
  ran(at, shop);
  at.plimsoll(["settings", "set", "codebase.enabled", "true"]);
  at.plimsoll(["code", "reindex"], { cwd: shop });
  if (readme === undefined) payments(at);
  const quay = project(at, "quay", { "README.md": "# Quay\n\nForty rings, each with a number.\n" });
  at.plimsoll(["index", "README.md"], { cwd: quay });
  at.plimsoll(["purge", "--project", "--yes"], { cwd: quay });
  return at;
}

let busy: Computer;
let host: Host;
beforeAll(async () => {
  busy = await week();
  host = await busy.serve();
});
afterAll(() => busy?.dispose());

/** A session of which the agent's own transcript says what it used. */
function worked(at: Computer, project: string): void {
  at.hook("claude-code", "UserPromptSubmit", { session_id: "with-tokens", cwd: project, hook_event_name: "UserPromptSubmit", prompt: "Why does the retry give up after two attempts?" });
  const answer = (id: string, model: string, usage: object): string =>
    JSON.stringify({ type: "assistant", uuid: id, isSidechain: false, timestamp: new Date().toISOString(), cwd: project, sessionId: "with-tokens", version: "2.1.197", message: { id, type: "message", role: "assistant", model, content: [{ type: "text", text: "Because of the cap." }], usage } });
  const lines = [
    answer("m1", "claude-sonnet-4-5", { input_tokens: 48_200, output_tokens: 9_120, cache_read_input_tokens: 1_204_000, cache_creation_input_tokens: 88_000 }),
    answer("m2", "claude-haiku-4-5", { input_tokens: 9_400, output_tokens: 810 }),
  ];
  at.write(".claude/projects/-work-shop/with-tokens.jsonl", `${lines.join("\n")}\n`);
}

/** A command whose whole output is kept, so that both texts can be shown side by side. */
function ran(at: Computer, project: string): void {
  const passed = Array.from({ length: 300 }, (_, n) => `tests/checkout/test_cart.py::test_${["add", "remove", "empty", "merge", "limit", "tax"][n % 6]}_${n} PASSED`.padEnd(72) + `[${String(Math.floor(n / 3.01)).padStart(3)}%]`);
  const failed = "tests/checkout/test_service.py::test_checkout_slow FAILED               [100%]\n\n=================================== FAILURES ===================================\n______________________________ test_checkout_slow ______________________________\n\n    def test_checkout_slow():\n        took = checkout(cart)\n>       assert took < 2.0\nE       assert 9.41 < 2.0\n\ntests/checkout/test_service.py:88: AssertionError\n=========================== short test summary info ============================\nFAILED tests/checkout/test_service.py::test_checkout_slow - assert 9.41 < 2.0";
  at.write(".local/bin/pytest", `#!/bin/sh\ncat <<'E'\n============================= test session starts ==============================\ncollected 301 items\n\n${passed.join("\n")}\n${failed}\n======================== 1 failed, 300 passed in 12.31s ========================\nE\nexit 1\n`, 0o755);
  let shown = "";
  try {
    at.plimsoll(["run", "--agent", "claude-code", "--session", "with-tokens", "--", "pytest", "tests/checkout", "-v"], { cwd: project });
  } catch (error) {
    // It ends as the tests ended.
    shown = String((error as { stdout?: string }).stdout ?? "");
  }
  at.hook("claude-code", "PostToolUse", { session_id: "with-tokens", cwd: project, hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command: "plimsoll run -- pytest tests/checkout -v" }, tool_response: { stdout: shown, stderr: "", interrupted: false } });
}

async function take(window: Window, name: string): Promise<void> {
  await window.settled();
  await window.page.mouse.move(2, 2);
  await window.page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled", caret: "hide" });
}

/** Every state of the window on this computer, from `home` to the dialogs. */
async function walk(window: Window, shot: (name: string) => Promise<void>): Promise<void> {
  const { page } = window;
  // Codex has been asked by then which hooks were approved.
  await window.go("agents");
  await page.getByText("Needs you").first().waitFor();
  await window.go("home");
  await page.getByText("kept out of context").first().waitFor();
  await shot("home-today");
  await page.getByRole("radio", { name: "7 days" }).check();
  await shot("home-week");
  await page.getByRole("button", { name: "Table" }).first().click().catch(() => undefined);
  await shot("home-table");
  await page.getByRole("radio", { name: "Project" }).check();
  await shot("home-projects");
  await page.getByRole("button", { name: "Picture of the week" }).click();
  await page.getByRole("button", { name: "Save…" }).and(page.locator(":enabled")).waitFor();
  await shot("home-picture");
  await page.keyboard.press("Escape");
  for (const screen of ["agents", "knowledge", "sessions", "activity"]) {
    await window.go(screen);
    await page.locator("h1").first().waitFor();
    await shot(screen);
  }
  await window.go("agents");
  await page.getByRole("button", { name: "Details of Claude Code" }).click();
  await page.getByRole("button", { name: /^Show the changes in/ }).first().click();
  await page.getByRole("dialog").first().waitFor();
  await shot("agents-changes");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Disconnect…" }).first().click();
  await page.getByRole("dialog").first().waitFor();
  await shot("agents-disconnect");
  await page.keyboard.press("Escape");
  await window.go("knowledge?q=tried again");
  await page.getByRole("listbox", { name: "Results" }).getByRole("option").first().waitFor();
  await page.locator(".reader article").first().waitFor();
  await shot("knowledge-results");
  await window.go("knowledge?q=xylophone");
  await page.getByText("Nothing found").first().waitFor();
  await shot("knowledge-nothing");
  await page.getByRole("button", { name: "Clear the search" }).click();
  await page.getByRole("grid", { name: "Sources" }).getByRole("row").filter({ hasText: "retries.md" }).click();
  await page.locator(".reader article").first().waitFor();
  await shot("knowledge-reader");
  await page.getByRole("button", { name: "Purge…" }).click();
  await page.getByRole("dialog").first().waitFor();
  await shot("knowledge-purge");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Trash…" }).click();
  await page.getByRole("dialog", { name: "Trash" }).waitFor();
  await shot("knowledge-trash");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Add" }).click();
  await shot("knowledge-add-menu");
  await page.getByRole("menuitem", { name: "Add a web page…" }).click();
  await shot("knowledge-add-url");
  await page.keyboard.press("Escape");
  await window.go(`knowledge?project=${encodeURIComponent(busy.path("work/elsewhere"))}`);
  await page.getByRole("heading", { name: "Nothing is stored for elsewhere yet" }).waitFor();
  await shot("knowledge-elsewhere");
  await window.go("memory?q=why no redis");
  await page.getByRole("region", { name: "Memory" }).getByText("Why agents were given it").waitFor();
  await shot("memory-found");
  await window.go("memory?q=Sessions stay");
  await page.getByRole("region", { name: "Memory" }).getByText("You asked").waitFor();
  await shot("memory");
  await page.getByRole("button", { name: "New memory" }).click();
  await shot("memory-new");
  await page.keyboard.press("Escape");
  await window.go("memory/review");
  await page.getByRole("listbox", { name: "Review" }).waitFor();
  await shot("memory-review");
  await window.go("memory/graph");
  await page.getByRole("application").waitFor();
  await shot("memory-graph");
  await window.go("memory/graph?around=entity_postgresql");
  await page.getByRole("combobox", { name: "Distance" }).waitFor();
  await shot("memory-graph-around");
  await page.getByRole("button", { name: "List" }).click();
  await shot("memory-graph-list");
  await window.go("memory/prompts");
  await page.getByRole("button", { name: "New prompt" }).click();
  await page.getByRole("textbox", { name: "Value of file" }).fill("src/retry.rs");
  await shot("memory-prompts");
  await page.getByRole("button", { name: "New template" }).click();
  await page.getByText(/^Shows \d+ memories\.$/).waitFor();
  await shot("memory-templates");
  await window.go("memory/team");
  await page.getByText("plimsoll memory org init").waitFor();
  await shot("memory-team");
  // An address without a listener; nothing leaves the computer.
  busy.plimsoll(["memory", "org", "set", "postgres://you@127.0.0.1:9/team"]);
  await window.go("memory/import");
  await page.getByRole("checkbox").first().check();
  await shot("memory-import");
  await window.go("memory/team");
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("Not reachable").first().waitFor();
  await shot("memory-team-unreachable");
  busy.plimsoll(["memory", "org", "set"]);
  const code = `project=${encodeURIComponent(busy.path("work/payments"))}`;
  await window.go(`code?q=where is a failed charge tried again&${code}`);
  await page.getByRole("listbox", { name: "Places" }).getByRole("option").first().waitFor({ timeout: 30_000 });
  await page.waitForTimeout(2_000);
  await shot("code");
  for (const part of ["map", "patterns", "cycles"]) {
    await window.go(`code/${part}?${code}`);
    await page.waitForTimeout(2_000);
    await shot(`code-${part}`);
  }
  await window.go("sessions/claude-code/with-tokens");
  await page.getByText("claude-haiku-4-5").waitFor();
  await shot("session-tokens");
  await window.go("sessions");
  await page.getByRole("grid").first().getByRole("row").nth(3).click();
  await shot("session");
  await page.getByRole("tab", { name: "Resume note" }).click();
  await shot("session-note");
  await window.go("activity");
  await page.getByRole("grid").first().getByRole("row").nth(2).click();
  await shot("activity-details");
  const replaced = page.waitForResponse((one) => one.url().endsWith("/call/activity") && (one.request().postData() ?? "").includes("replace"));
  await window.go("activity?decision=replace");
  await replaced;
  await window.settled();
  await page.getByRole("grid").first().getByRole("row").filter({ hasText: "pytest tests/checkout" }).first().click();
  await page.getByRole("region", { name: "What it printed" }).waitFor();
  await shot("activity-both");
  await page.getByRole("grid").first().getByRole("row").nth(4).click();
  await page.getByRole("complementary", { name: "Details" }).waitFor();
  await shot("activity-filter");
  await window.go("activity?view=calls");
  await page.getByRole("grid", { name: "Calls" }).waitFor();
  await shot("activity-calls");
  for (const section of ["appearance", "hooks", "filters", "memory", "tools", "sandbox", "network", "retention", "privacy", "updates", "doctor", "move", "uninstall"]) {
    await window.go(`settings/${section}`);
    await page.getByRole("heading", { level: 2 }).first().waitFor();
    if (section === "doctor") await page.waitForTimeout(1_500);
    await shot(`settings-${section}`);
  }
  await window.go("home");
  await page.keyboard.press("Control+k");
  await shot("palette");
  await page.keyboard.type("retry");
  await page.waitForTimeout(400);
  await shot("palette-search");
  await page.keyboard.press("Escape");
}

/** The wizard from the first step to the last on a computer of its own. */
async function wizard(theme: Theme, size: { width: number; height: number }, shot: (window: Window, name: string) => Promise<void>): Promise<void> {
  const at = new Computer();
  try {
    install.claude(at);
    install.codex(at);
    install.cursor(at);
    at.write(".gemini/settings.json", '{\n  "general": { "vimMode": true,\n');
    install.opencode(at);
    at.write(".claude/CLAUDE.md", "# Rules\n\n- Answer in short sentences\n- Use pnpm, never npm\n");
    at.write(".codex/memories/MEMORY.md", "- The tests need Docker\n");
    at.write("subcog-export.json", "{ cut");
    const window = await show(at, { theme, size });
    await shot(window, "wizard-1-welcome");
    await window.button("Find my agents").click();
    await window.page.getByRole("listitem").filter({ hasText: "Codex" }).first().waitFor();
    await shot(window, "wizard-2-agents");
    await window.button("Continue").click();
    await window.page.getByText("Advanced").click();
    await window.page.getByRole("radio", { name: /^Full/ }).check();
    await shot(window, "wizard-3-choices");
    await window.button("Review the changes").click();
    await window.button(/^Apply/).waitFor();
    await shot(window, "wizard-4-review");
    await window.page.keyboard.press("Escape");
    await window.page.getByRole("dialog").waitFor();
    await shot(window, "wizard-leave");
    await window.button("Stay").click();
    at.write(".codex/config.toml", 'model = "gpt-5.4"\n[profiles.mine\n');
    await window.button(/^Apply/).click();
    await window.page.getByText(/starting its server|server answered/).first().waitFor();
    await window.page.screenshot({ path: join(folder, `wizard-5-verifying-${theme}-${size.width}.png`) });
    await window.heading("Not everything worked").waitFor({ timeout: 60_000 });
    await shot(window, "wizard-5-failed");
    await window.button("Continue").click();
    await window.heading("Import what you have").waitFor();
    await window.page.getByRole("checkbox").first().check();
    await shot(window, "wizard-6-import");
    await window.button("Import 1").click();
    await window.page.getByText(/for your review/).first().waitFor();
    await shot(window, "wizard-6-imported");
    await window.button("Continue").click();
    await window.heading("Done").waitFor();
    await shot(window, "wizard-7-done");
  } finally {
    at.dispose();
  }
}

if (readme === undefined) {
  mkdirSync(folder, { recursive: true });
  for (const theme of THEMES) {
    for (const size of Object.values(SIZES)) {
      const tag = `${theme}-${size.width}`;
      test(`with a week of work, ${tag}`, async () => {
        const window = await show(busy, { host, theme, size, screen: "home", context: { timezoneId: AFTERNOON } });
        await walk(window, (name) => take(window, `${name}-${tag}`));
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
      test(`what is broken, ${tag}`, async () => {
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
        await wizard(theme, size, (window, name) => take(window, `${name}-${tag}`));
      });
    }
  }
  for (const theme of THEMES) {
    test(`long names, menus and somebody else's words, narrow, ${theme}`, async () => {
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
    test(`in German, narrow, ${theme}`, async () => {
      const german = await busy.serve({ LANG: "de_AT.UTF-8" });
      const window = await show(busy, { host: german, theme, size: SIZES.narrow, screen: "home", locale: "de-AT", context: { timezoneId: AFTERNOON } });
      for (const screen of ["home", "agents", "knowledge", "sessions", "activity", "settings/appearance", "settings/hooks", "settings/sandbox", "settings/retention", "settings/doctor"]) {
        await window.go(screen);
        await window.page.locator("h1").first().waitFor();
        if (screen.endsWith("doctor")) await window.page.waitForTimeout(1_500);
        await take(window, `german-${screen.replace("/", "-")}-${theme}-860`);
      }
      await window.go("knowledge");
      await window.page.getByRole("button", { name: "Hinzufügen" }).click();
      await take(window, `german-menu-${theme}-860`);
      await german.stop();
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
