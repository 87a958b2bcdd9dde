// The states that are pictured: every screen of a busy computer, and every step of the wizard. Knows neither themes nor sizes.
import { install } from "./agents";
import { Computer } from "./computer";
import { show, type Wanted, type Window } from "./window";
import { like, wordsOf, type Language, type Words } from "./words";

/** Every state of the window on this computer, from `home` to the dialogs. */
export async function walk(busy: Computer, window: Window, w: Words, shot: (name: string) => Promise<void>): Promise<void> {
  const { page } = window;
  // Codex has been asked by then which hooks were approved.
  await window.go("agents");
  await page.getByText(w("agents.state.needs_you")).first().waitFor();
  await window.go("home");
  await page.getByText(w("home.kept.today")).first().waitFor();
  await shot("home-today");
  await page.getByRole("radio", { name: w("home.range.week") }).check();
  await shot("home-week");
  await page.getByRole("button", { name: w("home.table") }).first().click().catch(() => undefined);
  await shot("home-table");
  await page.getByRole("radio", { name: w("home.by.project") }).check();
  await shot("home-projects");
  await page.getByRole("button", { name: w("home.picture") }).click();
  await page.getByRole("button", { name: w("picture.save") }).and(page.locator(":enabled")).waitFor();
  await shot("home-picture");
  await page.keyboard.press("Escape");
  for (const screen of ["agents", "knowledge", "sessions", "activity"]) {
    await window.go(screen);
    await page.locator("h1").first().waitFor();
    await shot(screen);
  }
  await window.go("agents");
  await page.getByRole("button", { name: w("agents.unfold", { agent: "Claude Code" }) }).click();
  await page.getByRole("button", { name: like(w("agents.file.open")) }).first().click();
  await page.getByRole("dialog").first().waitFor();
  await shot("agents-changes");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: w("agents.disconnect") }).first().click();
  await page.getByRole("dialog").first().waitFor();
  await shot("agents-disconnect");
  await page.keyboard.press("Escape");
  await window.go("knowledge?q=tried again");
  await page.getByRole("listbox", { name: w("knowledge.hits") }).getByRole("option").first().waitFor();
  await page.locator(".reader article").first().waitFor();
  await shot("knowledge-results");
  await window.go("knowledge?q=xylophone");
  await page.getByText(w("knowledge.nothing", { words: "xylophone" })).first().waitFor();
  await shot("knowledge-nothing");
  await page.getByRole("button", { name: w("knowledge.search.clear") }).click();
  await page.getByRole("grid", { name: w("knowledge.sources") }).getByRole("row").filter({ hasText: "retries.md" }).click();
  await page.locator(".reader article").first().waitFor();
  await shot("knowledge-reader");
  await page.getByRole("button", { name: w("knowledge.purge") }).click();
  await page.getByRole("dialog").first().waitFor();
  await shot("knowledge-purge");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: w("trash.open") }).click();
  await page.getByRole("dialog", { name: w("trash.title") }).waitFor();
  await shot("knowledge-trash");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: w("knowledge.add"), exact: true }).click();
  await shot("knowledge-add-menu");
  await page.getByRole("menuitem", { name: w("knowledge.add.url") }).click();
  await shot("knowledge-add-url");
  await page.keyboard.press("Escape");
  await window.go(`knowledge?project=${encodeURIComponent(busy.path("work/elsewhere"))}`);
  await page.getByRole("heading", { name: w("knowledge.missing", { project: "elsewhere" }) }).waitFor();
  await shot("knowledge-elsewhere");
  await window.go("memory?q=why no redis");
  await page.getByRole("region", { name: w("memory.reader"), exact: true }).getByText(w("memory.why")).waitFor();
  await shot("memory-found");
  await window.go("memory?q=Sessions stay");
  await page.getByRole("region", { name: w("memory.reader"), exact: true }).getByText(w("memory.given.prompt").split("{")[0] ?? "").waitFor();
  await shot("memory");
  await page.getByRole("button", { name: w("memory.new") }).click();
  await shot("memory-new");
  await page.keyboard.press("Escape");
  await window.go("memory/review");
  await page.getByRole("listbox", { name: w("memory.review.title") }).waitFor();
  await shot("memory-review");
  await window.go("memory/graph");
  await page.getByRole("application").waitFor();
  await shot("memory-graph");
  await window.go("memory/graph?around=entity_postgresql");
  await page.getByRole("combobox", { name: w("memory.graph.distance") }).waitFor();
  await shot("memory-graph-around");
  await page.getByRole("button", { name: w("memory.graph.list"), exact: true }).click();
  await shot("memory-graph-list");
  await window.go("memory/prompts");
  await page.getByRole("button", { name: w("memory.prompt.new") }).click();
  await page.getByRole("textbox", { name: w("memory.prompt.value", { name: "file" }) }).fill("src/retry.rs");
  await page.locator("pre").getByText("src/retry.rs").waitFor();
  await shot("memory-prompts");
  await page.getByRole("button", { name: w("memory.template.new") }).click();
  await page.getByText(like(w("memory.template.shows.other"))).waitFor();
  await shot("memory-templates");
  await window.go("memory/team");
  await page.getByText("plimsoll memory org init").waitFor();
  await shot("memory-team");
  // An address of this computer, without a listener.
  busy.plimsoll(["memory", "org", "set", "postgres://you@127.0.0.1:9/team"]);
  await window.go("memory/import");
  await page.getByRole("checkbox").first().check();
  await shot("memory-import");
  await window.go("memory/team");
  await page.getByRole("button", { name: w("memory.team.check") }).click();
  await page.getByText(w("memory.server.unreachable")).first().waitFor();
  await shot("memory-team-unreachable");
  busy.plimsoll(["memory", "org", "set"]);
  const code = `project=${encodeURIComponent(busy.path("work/payments"))}`;
  await window.go(`code?q=where is a failed charge tried again&${code}`);
  await page.getByRole("listbox", { name: w("code.list") }).getByRole("option").first().waitFor({ timeout: 30_000 });
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
  await page.getByRole("tab", { name: w("sessions.group.note") }).click();
  await shot("session-note");
  await window.go("activity");
  await page.getByRole("grid").first().getByRole("row").nth(2).click();
  await shot("activity-details");
  const replaced = page.waitForResponse((one) => one.url().endsWith("/call/activity") && (one.request().postData() ?? "").includes("replace"));
  await window.go("activity?decision=replace");
  await replaced;
  await window.settled();
  await page.getByRole("grid").first().getByRole("row").filter({ hasText: "pytest tests/checkout" }).first().click();
  await page.getByRole("region", { name: w("activity.printed") }).waitFor();
  await shot("activity-both");
  await page.getByRole("grid").first().getByRole("row").nth(4).click();
  await page.getByRole("complementary", { name: w("activity.details") }).waitFor();
  await shot("activity-filter");
  await window.go("activity?view=calls");
  await page.getByRole("grid", { name: w("activity.calls") }).waitFor();
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
export async function wizard(wanted: Wanted & { language: Language }, shot: (window: Window, name: string, moving?: boolean) => Promise<void>): Promise<void> {
  const w = wordsOf(wanted.language);
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
    const window = await show(at, { ...wanted, host: await at.serve(wanted.language === "de" ? { LANG: "de_AT.UTF-8" } : {}) });
    await shot(window, "wizard-1-welcome");
    await window.button(w("setup.welcome.go")).click();
    await window.page.getByRole("listitem").filter({ hasText: "Codex" }).first().waitFor();
    await shot(window, "wizard-2-agents");
    await window.button(w("action.continue")).click();
    await window.page.getByText(w("setup.choices.advanced")).click();
    await window.page.getByRole("radio", { name: like(w("setup.choices.surface.full")) }).check();
    await shot(window, "wizard-3-choices");
    await window.button(w("setup.choices.review")).click();
    await window.button(like(w("setup.review.apply.other"))).waitFor();
    await shot(window, "wizard-4-review");
    await window.page.keyboard.press("Escape");
    await window.page.getByRole("dialog").waitFor();
    await shot(window, "wizard-leave");
    await window.button(w("setup.leave.stay")).click();
    at.write(".codex/config.toml", 'model = "gpt-5.4"\n[profiles.mine\n');
    await window.button(like(w("setup.review.apply.other"))).click();
    await window.page.getByText(like(w("verify.starting"))).or(window.page.getByText(like(w("verify.answered")))).first().waitFor();
    await shot(window, "wizard-5-verifying", true);
    await window.heading(w("setup.verify.partly")).waitFor({ timeout: 60_000 });
    await shot(window, "wizard-5-failed");
    await window.button(w("action.continue")).click();
    await window.heading(w("setup.import.title")).waitFor();
    await window.page.getByRole("checkbox").first().check();
    await shot(window, "wizard-6-import");
    await window.button(w("memory.import.do.one")).click();
    await window.page.getByText(like(w("memory.import.waiting.other"))).or(window.page.getByText(w("memory.import.waiting.one"))).first().waitFor();
    await shot(window, "wizard-6-imported");
    await window.button(w("action.continue")).click();
    await window.heading(w("setup.done.title")).waitFor();
    await shot(window, "wizard-7-done");
  } finally {
    at.dispose();
  }
}
