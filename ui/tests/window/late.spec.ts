// Late answers and changes under the user's eyes: an answer about the previous row, a button beside a row that is loading, a
// language switched elsewhere, a piece that can't be loaded, a pause that runs out.
import { expect, test } from "vitest";
import { install } from "./agents";
import { queue, reader, remembering, rows } from "./remembering";
import { asDesktop, computer, eachTest, show, type Window } from "./window";
import { wordsOf } from "./words";

eachTest();

/** Delays the next answer to a command until it's released. */
async function hold(window: Window, command: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((done) => (release = done));
  await window.page.route(`**/call/${command}`, async (route) => (await held, route.continue()), { times: 1 });
  return release;
}

test("a command whose output is gone doesn't show another command's output", async () => {
  const at = computer();
  install.claude(at);
  at.plimsoll(["connect", "claude-code", "--yes"]);
  const ids: string[] = [];
  for (const name of ["keel", "mast"]) {
    const long = at.write(`tools/${name}/cargo`, `#!/bin/sh\necho running 900 tests\nfor n in $(seq 900); do echo "test ${name}::case_$n ... ok"; done\necho\necho "test result: ok. 900 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s"\n`, 0o755);
    const shown = at.plimsoll(["run", "--agent", "claude-code", "--session", "live-1", "--", long, "test"]);
    ids.push(/plimsoll:\/\/task\/(t\w+)/.exec(shown)?.[1] ?? "");
    at.hook("claude-code", "PostToolUse", { session_id: "live-1", cwd: at.project, hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command: "cargo test" }, tool_response: { stdout: shown, stderr: "", interrupted: false } });
  }
  const window = await show(at, { screen: "activity" });
  const shortened = window.page.getByRole("row").filter({ hasText: "shortened" });
  const got = window.page.getByRole("region", { name: "What Claude Code got" });
  await shortened.first().click();
  await got.getByText(`plimsoll://task/${ids[1]}`).waitFor();
  await window.page.route("**/call/read_output", (route) => route.fulfill({ status: 404, json: { code: "not_found", message: "it was removed" } }));
  await shortened.last().click();
  await window.page.getByRole("region", { name: "What it printed" }).getByText("it was removed").waitFor();
  expect(await got.innerText()).not.toContain("plimsoll://task/");
  await window.page.unrouteAll({ behavior: "ignoreErrors" });
});

test("the details stay those of the event that was chosen when newer events arrive above it", async () => {
  const at = computer();
  install.claude(at);
  const prompt = (text: string) => at.hook("claude-code", "UserPromptSubmit", { session_id: "a-1", cwd: at.project, hook_event_name: "UserPromptSubmit", prompt: text });
  prompt("Why does the first pier leak?");
  prompt("And what about the second one?");
  const window = await show(at, { screen: "sessions/claude-code/a-1" });
  const tell = await asDesktop(window);
  const event = (text: string) => window.page.getByRole("tabpanel", { name: /^Timeline/ }).getByRole("row").filter({ hasText: text });
  await event("the first pier").waitFor();
  prompt("And the third one?");
  const release = await hold(window, "session");
  await tell("changed", null);
  await event("the first pier").click();
  const details = window.page.getByRole("complementary", { name: "Details" });
  await details.getByText("Why does the first pier leak?").waitFor();
  release();
  await event("And the third one?").waitFor();
  await expect.poll(() => event("the first pier").getAttribute("aria-selected")).toBe("true");
  expect(await details.innerText()).toContain("Why does the first pier leak?");
});

test("a button acts on the memory beside it, even while the next one loads", async () => {
  const window = await show(remembering(), { screen: "memory/review" });
  const waiting = queue(window).getByRole("option");
  await expect.poll(() => waiting.count()).toBe(5);
  const heading = reader(window).getByRole("heading", { level: 2 });
  await heading.waitFor();
  const read = (await heading.innerText()).trim();
  const release = await hold(window, "memory");
  await waiting.nth(1).click();
  await expect.poll(() => waiting.nth(1).getAttribute("aria-selected")).toBe("true");
  const decided = window.page.waitForResponse("**/call/memory_review");
  await reader(window).getByRole("button", { name: "Keep" }).click();
  await decided;
  release();
  await expect.poll(() => waiting.count()).toBe(4);
  expect(await waiting.filter({ hasText: read }).count(), "it is the one that was read").toBe(0);
});

test("the key for editing opens the chosen memory, and nothing while that loads", async () => {
  const window = await show(remembering(), { screen: "memory/review" });
  const waiting = queue(window).getByRole("option");
  await expect.poll(() => waiting.count()).toBe(5);
  const heading = reader(window).getByRole("heading", { level: 2 });
  await heading.waitFor();
  const read = await heading.innerText();
  const release = await hold(window, "memory");
  await queue(window).focus();
  await window.page.keyboard.press("ArrowDown");
  await expect.poll(() => waiting.nth(1).getAttribute("aria-selected")).toBe("true");
  await window.page.keyboard.press("e");
  await window.page.waitForTimeout(100);
  expect(await window.page.getByRole("dialog").count()).toBe(0);
  release();
  await expect.poll(() => heading.innerText()).not.toBe(read);
  await window.page.keyboard.press("e");
  await window.page.getByRole("dialog").waitFor();
});

test("a decision that is carried out late leaves the focus where it is by then", async () => {
  const window = await show(remembering(), { screen: "memory/review" });
  await expect.poll(() => queue(window).getByRole("option").count()).toBe(5);
  const release = await hold(window, "memory_review");
  await queue(window).press("k");
  await window.go("knowledge");
  await window.heading("Knowledge").waitFor();
  const trash = window.button(/^Trash/).first();
  await trash.focus();
  release();
  await window.page.getByText("Kept. Agents can get it now").waitFor();
  await window.settled();
  expect(await trash.evaluate((one) => one === document.activeElement)).toBe(true);
});

test("a double click decides one memory and deletes one source", async () => {
  const at = remembering();
  for (const name of ["keel", "mast", "hull"]) at.write(`work/shop/docs/${name}.md`, `# ${name}\n\nAbout the ${name}.\n`);
  for (const name of ["keel", "mast", "hull"]) at.plimsoll(["index", `docs/${name}.md`]);
  const window = await show(at, { screen: "memory/review" });
  const waiting = queue(window).getByRole("option");
  await expect.poll(() => waiting.count()).toBe(5);
  const heading = reader(window).getByRole("heading", { level: 2 });
  const read = await heading.innerText();
  await window.twice(reader(window).getByRole("button", { name: "Keep" }), async () => {
    await expect.poll(() => waiting.count()).toBe(4);
    await expect.poll(() => heading.innerText()).not.toBe(read);
  });
  expect(await waiting.count()).toBe(4);
  expect(window.calls("memory_review")).toBe(1);
  await window.go("knowledge");
  const grid = window.page.getByRole("grid", { name: "Sources" });
  const rowsOf = async (): Promise<number> => Number(await grid.getAttribute("aria-rowcount")) - 1;
  await expect.poll(rowsOf).toBeGreaterThan(2);
  const before = await rowsOf();
  const first = grid.getByRole("row").nth(1);
  const name = await first.innerText();
  await window.twice(first.getByRole("button", { name: /^Delete/ }), async () => {
    await expect.poll(rowsOf).toBe(before - 1);
    await expect.poll(() => first.innerText()).not.toBe(name);
  });
  expect(await rowsOf()).toBe(before - 1);
  expect(window.calls("delete_source")).toBe(1);
});

test("a key that stays down decides about one memory", async () => {
  const window = await show(remembering(), { screen: "memory/review" });
  const { keyboard } = window.page;
  const waiting = queue(window).getByRole("option");
  await expect.poll(() => waiting.count()).toBe(5);
  const first = await reader(window).innerText();
  await queue(window).focus();
  await keyboard.down("k");
  await expect.poll(() => waiting.count()).toBe(4);
  // Down once more without up is what such a key sends.
  await keyboard.down("k");
  await window.settled();
  await keyboard.up("k");
  // The button acts on the memory beside it, which is the decided one until the next is read.
  await expect.poll(() => reader(window).innerText()).not.toBe(first);
  const keep = reader(window).getByRole("button", { name: "Keep" });
  await keep.focus();
  await keyboard.down("Enter");
  await expect.poll(() => waiting.count()).toBe(3);
  // By then the list has the focus; and the same on the button itself.
  await keyboard.down("Enter");
  await window.settled();
  await keep.focus();
  await keyboard.down("Enter");
  await window.settled();
  await keyboard.up("Enter");
  expect(window.calls("memory_review")).toBe(2);
  expect(await waiting.count()).toBe(3);
});

test("a double click resumes and doesn't pause again", async () => {
  const at = computer();
  at.plimsoll(["settings", "set", "desktop.setup_done", "true"]);
  at.plimsoll(["pause"]);
  const window = await show(at, { screen: "settings/hooks" });
  const main = window.page.getByRole("main");
  const again = main.getByRole("button", { name: "Pause for 1 hour" });
  // The first is in the bar that is on every screen.
  await expect.poll(() => main.getByRole("button", { name: "Resume" }).count()).toBe(2);
  await window.twice(main.getByRole("button", { name: "Resume" }).last(), () => again.waitFor(), again);
  expect(window.calls("pause")).toBe(1);
  expect(await main.getByRole("button", { name: "Resume" }).count()).toBe(0);
});

test("a double click in the wizard goes one step, and nothing is passed unread", async () => {
  const at = computer();
  install.claude(at);
  const window = await show(at);
  await window.twice(window.button("Find my agents"), () => expect.poll(() => window.button("Continue").isEnabled()).toBe(true), window.button("Continue"));
  await window.heading("Your agents").waitFor();
  await window.twice(window.button("Continue"), () => window.heading("Choices").waitFor(), window.button("Review the changes"));
  await window.heading("Choices").waitFor();
  const apply = window.button(/^Apply/);
  await window.twice(window.button("Review the changes"), () => apply.waitFor(), apply);
  expect(window.calls("apply_plan")).toBe(0);
  await apply.click();
  await window.heading("Applied and verified").waitFor({ timeout: 45_000 });
  await window.twice(window.button("Continue"), () => window.heading("Done").waitFor(), window.button("Go to Home"));
  await window.heading("Done").waitFor();
});

test("a late memory doesn't replace the one of a newer link", async () => {
  const window = await show(remembering(12), { screen: "agents" });
  const answer = window.page.waitForResponse("**/call/memories");
  await window.go("memory");
  const [first, second] = ((await (await answer).json()) as { rows: { id: string; title: string }[] }).rows;
  if (first === undefined || second === undefined) throw new Error("there are twelve memories");
  await rows(window).first().waitFor();
  const release = await hold(window, "memories");
  const asked = window.page.waitForRequest("**/call/memories");
  await window.go(`memory?id=${first.id}`);
  await asked;
  await window.go(`memory?id=${second.id}`);
  const heading = reader(window).getByRole("heading", { level: 2 });
  await expect.poll(() => heading.innerText()).toContain(second.title);
  const late = window.page.waitForResponse("**/call/memories");
  release();
  await late;
  await window.settled();
  expect(await heading.innerText()).toContain(second.title);
});

test("one project's figures are never shown for another", async () => {
  const at = remembering();
  at.write("work/pier/.git/HEAD", "ref: refs/heads/main\n");
  at.plimsoll(["memory", "capture", "Lamps are lit at dusk", "--namespace", "decisions"], { cwd: at.path("work/pier") });
  const window = await show(at, { screen: "memory" });
  const project = window.page.getByRole("combobox", { name: "Project", exact: true });
  await project.selectOption({ label: "shop" });
  const pending = window.page.getByText("5 memories are waiting for your review.");
  await pending.waitFor();
  let release: () => void = () => undefined;
  const held = new Promise<void>((done) => (release = done));
  await window.page.route("**/call/memory_status", async (route) => (await held, route.continue()));
  await project.selectOption({ label: "pier" });
  await rows(window).filter({ hasText: "Lamps are lit at dusk" }).first().waitFor();
  expect(await pending.count()).toBe(0);
  release();
  await window.page.locator("option", { hasText: /^decisions · 1$/ }).waitFor({ state: "attached" });
  await window.page.unrouteAll({ behavior: "wait" });
  await window.page.route("**/call/memory_status", (route) => route.fulfill({ status: 500, json: { code: "storage", message: "it stayed busy for 5 s" } }));
  await project.selectOption({ label: "shop" });
  await window.page.getByText("Can’t read the memories").waitFor();
  await window.page.unrouteAll({ behavior: "ignoreErrors" });
});

test("an open earlier text stays open when a newer one is added above it", async () => {
  const window = await show(remembering(), { screen: "memory" });
  await rows(window).first().waitFor();
  await window.button("New memory").click();
  const text = (where: string): string => `Berths are numbered from the lighthouse\n\nNever from the ${where}.`;
  await window.page.getByRole("dialog", { name: "New memory" }).getByRole("textbox", { name: "Text" }).fill(text("pier"));
  await window.page.keyboard.press("Control+Enter");
  await reader(window).getByText("Never from the pier.").waitFor();
  const change = async (where: string): Promise<void> => {
    await reader(window).getByRole("button", { name: "Edit" }).click();
    await window.page.getByRole("dialog", { name: "Edit memory" }).getByRole("textbox", { name: "Text" }).fill(text(where));
    await window.page.keyboard.press("Control+Enter");
    await reader(window).getByText(`Never from the ${where}.`).waitFor();
  };
  await change("north pier");
  await reader(window).getByRole("button", { name: "Earlier text" }).click();
  await reader(window).getByText("Never from the pier.").waitFor();
  await change("south pier");
  await expect.poll(() => reader(window).getByRole("button", { name: "Earlier text" }).count()).toBe(2);
  await reader(window).getByText("Never from the pier.").waitFor();
  expect(await reader(window).getByText("Never from the north pier.").count()).toBe(0);
});

test("a number is rewritten when the language changes, and leaving its field changes nothing", async () => {
  const at = computer();
  at.write(".plimsoll/settings.toml", "[retention]\nkept_bytes = 1073741824\n", 0o600);
  const window = await show(at, { screen: "settings/retention" });
  expect(await window.page.getByRole("textbox", { name: "Space for outputs" }).inputValue()).toBe("1.074");
  at.plimsoll(["settings", "set", "desktop.language", "de"]);
  await window.heading("Einstellungen").waitFor();
  const space = window.page.getByRole("textbox", { name: wordsOf("de")("settings.key.retention.kept_bytes") });
  await expect.poll(() => space.inputValue()).toBe("1,074");
  await space.focus();
  await window.page.keyboard.press("Tab");
  await window.settled();
  expect(at.read(".plimsoll/settings.toml")).toContain("kept_bytes = 1073741824");
});

test("a text stays when its next piece fails to load, and the piece can be requested again", async () => {
  const at = computer();
  const part = (n: number): string => `## Berth ${n}\n\n${`Berth ${n} is deep enough for ships of the line. `.repeat(45)}\n`;
  at.write("work/shop/docs/berths.md", `# Berths\n\n${Array.from({ length: 120 }, (_, n) => part(n)).join("\n")}`);
  at.plimsoll(["index", "docs/berths.md"]);
  const window = await show(at, { screen: "knowledge" });
  await window.page.getByRole("grid", { name: "Sources" }).getByRole("row").nth(1).click();
  const pane = window.page.locator(".reader [role=document]");
  const pieces = pane.locator("article");
  await expect.poll(() => pieces.count()).toBe(40);
  await window.page.route("**/call/read_source", (route) => route.fulfill({ status: 500, json: { code: "storage", message: "it stayed busy for 5 s" } }));
  await pane.evaluate((one) => one.scrollTo(0, one.scrollHeight));
  await pane.getByRole("alert").getByText("it stayed busy for 5 s").waitFor();
  expect(await pieces.count()).toBe(40);
  await window.page.unrouteAll({ behavior: "ignoreErrors" });
  await pane.getByRole("button", { name: / more$/ }).click();
  await expect.poll(() => pieces.count()).toBeGreaterThan(40);
  expect(await pane.getByRole("alert").count()).toBe(0);
});

test("a project's pause disappears when it runs out", async () => {
  const at = computer();
  at.plimsoll(["settings", "set", "desktop.setup_done", "true"]);
  at.plimsoll(["pause", "--project"]);
  const window = await show(at, { screen: "home" });
  const resume = window.page.getByRole("main").getByRole("button", { name: "Resume" });
  await resume.waitFor();
  // An hour later it's over by itself.
  await window.page.route("**/call/overview", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), paused_projects: [] } });
  });
  await window.page.evaluate(() => dispatchEvent(new Event("focus")));
  await resume.waitFor({ state: "detached" });
  await window.page.unrouteAll({ behavior: "ignoreErrors" });
});

test("two projects with the same name are listed with their paths", async () => {
  const at = computer();
  at.write("other/shop/.git/HEAD", "ref: refs/heads/main\n");
  at.write("other/shop/README.md", "# Another shop\n\nIt sells ropes.\n");
  const folders = ["other/shop", "work/shop"];
  for (const folder of folders) at.plimsoll(["index", "README.md"], { cwd: at.path(folder) });
  const window = await show(at, { screen: "settings/hooks" });
  const choice = window.page.getByRole("combobox", { name: "Pause in one project for 1 hour" });
  const names = async (): Promise<string[]> => (await choice.locator("option").allTextContents()).map((one) => one.trim()).sort();
  await expect.poll(names, { timeout: 15_000 }).toEqual(folders.map((folder) => `shop – ~/${folder}`));
});

test("a question about an entity keeps its entity when another one is selected", async () => {
  const at = remembering();
  const window = await show(at, { screen: "memory/graph" });
  const entity = window.page.getByRole("complementary", { name: "Chosen entity", includeHidden: true });
  const heading = entity.getByRole("heading", { level: 2, includeHidden: true });
  await heading.waitFor();
  const name = (await heading.innerText()).trim();
  await entity.getByRole("button", { name: "Merge with…" }).click();
  const question = window.page.getByRole("dialog").getByRole("heading");
  await question.getByText(name).waitFor();
  await window.page.route("**/call/memory_graph", async (route) => {
    const response = await route.fetch();
    const graph = (await response.json()) as { nodes: { id: string; name: string }[]; edges: { from: string; to: string }[] };
    const nodes = graph.nodes.filter((node) => node.name !== name);
    const here = new Set(nodes.map((node) => node.id));
    await route.fulfill({ response, json: { ...graph, nodes, edges: graph.edges.filter((edge) => here.has(edge.from) && here.has(edge.to)) } });
  });
  at.plimsoll(["memory", "capture", "Lamps are lit at dusk", "--namespace", "decisions"]);
  await expect.poll(() => heading.innerText(), { timeout: 15_000 }).not.toBe(name);
  expect(await question.innerText()).toContain(name);
  await window.page.unrouteAll({ behavior: "ignoreErrors" });
});

test("a graph that fails to reload stays, and no entity is reported as gone", async () => {
  const at = remembering();
  const window = await show(at, { screen: "memory/graph" });
  const entity = window.page.getByRole("complementary", { name: "Chosen entity" });
  await entity.getByRole("heading", { level: 2 }).waitFor();
  await window.page.route("**/call/memory_graph", (route) => route.fulfill({ status: 500, json: { code: "storage", message: "it stayed busy for 5 s" } }));
  at.plimsoll(["memory", "capture", "Lamps are lit at dusk", "--namespace", "decisions"]);
  await window.page.getByRole("status").getByText("it stayed busy for 5 s").waitFor();
  expect(await entity.count()).toBe(1);
  expect(await window.page.getByText("This entity is no longer there").count()).toBe(0);
  await window.page.unrouteAll({ behavior: "ignoreErrors" });
});
