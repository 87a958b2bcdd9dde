// The knowledge base: what another program stored is found, read, added to, deleted, brought back and purged.
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import type { AddressInfo } from "node:net";
import { stocked, field, hits, grid, sources } from "./stocked";
import { asDesktop, computer, eachTest, show } from "./window";

eachTest();

describe("searching", () => {
  test("while typing, with the words marked, and the source beside the hits", async () => {
    const window = await show(stocked(), { screen: "knowledge" });
    await field(window).pressSequentially("load line ship");
    const first = hits(window).first();
    await first.getByText("loadline.md").waitFor();
    // The answer to the first word may come first; the one to all of them follows.
    const marked = async () => (await first.locator("mark").allInnerTexts()).map((word) => word.toLowerCase());
    await expect.poll(marked).toEqual(expect.arrayContaining(["load", "line", "ship"]));
    const reader = window.page.getByRole("region", { name: "Reader" }).or(window.page.locator(".reader")).first();
    await reader.getByRole("heading", { name: "Why they exist" }).waitFor();
    await reader.getByText("how deep a ship may lie").first().waitFor();
  });

  test("by keyboard: down, up, into the reader and back, and Escape clears", async () => {
    const window = await show(stocked(), { screen: "knowledge" });
    await field(window).waitFor();
    await window.page.keyboard.press("/");
    expect(await field(window).evaluate((element) => element === document.activeElement)).toBe(true);
    await window.page.keyboard.type("the");
    await hits(window).nth(1).waitFor();
    await window.page.keyboard.press("ArrowDown");
    expect(await hits(window).nth(1).getAttribute("aria-selected")).toBe("true");
    expect(await field(window).getAttribute("aria-activedescendant")).toBe(await hits(window).nth(1).getAttribute("id"));
    await window.page.keyboard.press("ArrowUp");
    expect(await hits(window).first().getAttribute("aria-selected")).toBe("true");
    await window.page.keyboard.press("Enter");
    expect(await window.page.evaluate(() => document.activeElement?.closest(".reader") !== null)).toBe(true);
    await window.page.keyboard.press("Escape");
    expect(await field(window).evaluate((element) => element === document.activeElement)).toBe(true);
    await window.page.keyboard.press("Escape");
    await grid(window).waitFor();
    expect(await field(window).inputValue()).toBe("");
  });

  test("without hits, it says what was searched", async () => {
    const window = await show(stocked(), { screen: "knowledge" });
    await field(window).fill("xylophone quartz");
    await window.page.getByText("Nothing found for “xylophone quartz”").waitFor();
  });

  test("an address with a question opens at its answer", async () => {
    const window = await show(stocked(), { screen: "knowledge?q=tropical" });
    await hits(window).first().getByText("loadline.md").waitFor();
    expect(await field(window).inputValue()).toBe("tropical");
  });

  test("requested without words, it puts the cursor into the field, every time and from anywhere", async () => {
    const at = stocked();
    at.answer("screen", "knowledge?q=");
    const window = await show(at, { screen: "agents" });
    const inField = () => field(window).evaluate((element) => element === document.activeElement);
    await grid(window).waitFor();
    await expect.poll(inField).toBe(true);
    await window.page.keyboard.type("load");
    await hits(window).first().waitFor();
    await window.page.keyboard.press("Tab");
    expect(await inField()).toBe(false);
    await window.go("knowledge?q=");
    await expect.poll(inField).toBe(true);
    // The query stays, selected, so that the next letter replaces it.
    await window.page.keyboard.type("retries");
    expect(await field(window).inputValue()).toBe("retries");
  });

  test("what another process stores while the window is open is found without reloading", async () => {
    const at = stocked();
    const window = await show(at, { screen: "knowledge" });
    await grid(window).waitFor();
    expect(await sources(window)).toBe(3);
    at.write("work/shop/docs/anchor.md", "# Anchors\n\nThe kedge anchor is carried out by boat.\n");
    at.plimsoll(["index", "docs/anchor.md"]);
    await expect.poll(() => sources(window), { timeout: 15_000 }).toBe(4);
    await field(window).fill("kedge");
    await hits(window).first().getByText("anchor.md").waitFor();
  });
});

test("the list shows when a source was last used", async () => {
  const at = stocked();
  const window = await show(at, { screen: "knowledge" });
  const row = (name: string) => grid(window).getByRole("row").filter({ hasText: name });
  const used = (name: string) => row(name).getByRole("gridcell").nth(-2);
  await used("loadline.md").getByTitle("No search has found it yet").waitFor();
  // Typing here doesn't count as use: only what an agent or the command line asks for.
  await field(window).pressSequentially("load line ship");
  await hits(window).first().waitFor();
  await window.page.keyboard.press("Escape");
  at.search("a request is tried again");
  await used("retry.md").getByText("now").waitFor();
  expect(await used("loadline.md").innerText()).toBe("–");
  await window.page.getByRole("columnheader", { name: "Last used" }).getByRole("button").click();
  await expect.poll(() => grid(window).getByRole("row").nth(1).innerText()).toContain("retry.md");
  expect(await window.violations()).toEqual([]);
});

describe("adding", () => {
  test("a file and a folder, through the system's dialog", async () => {
    const at = stocked();
    const file = at.write("papers/tides.md", "# Tides\n\nSpring tides follow the full moon.\n");
    at.write("papers/more/a.md", "# Currents\n\nThe ebb runs harder than the flood.\n");
    at.write("papers/more/b.md", "# Winds\n\nA backing wind brings rain.\n");
    const window = await show(at, { screen: "knowledge" });
    await grid(window).waitFor();
    at.answer("pick", file);
    await window.button("Add").click();
    await window.page.getByRole("menuitem", { name: "Add a file…" }).click();
    await expect.poll(() => sources(window), { timeout: 15_000 }).toBe(4);
    at.answer("pick", at.path("papers/more"));
    await window.button("Add").click();
    await window.page.getByRole("menuitem", { name: "Add a folder…" }).click();
    await expect.poll(() => sources(window), { timeout: 15_000 }).toBe(5);
    await field(window).fill("backing wind");
    await hits(window).first().waitFor();
    // A text added by hand is available to agents, too.
    expect(at.search("spring tides")).toContain("full moon");
  });

  test("a cancelled dialog adds nothing and shows no message", async () => {
    const window = await show(stocked(), { screen: "knowledge" });
    await grid(window).waitFor();
    await window.button("Add").click();
    await window.page.getByRole("menuitem", { name: "Add a file…" }).click();
    await window.settled();
    expect(await sources(window)).toBe(3);
    expect(await window.page.getByText("Can’t add").count()).toBe(0);
  });

  test("dropped files are added to the shown project, even if nothing is stored there yet", async () => {
    const at = computer();
    const note = at.write("papers/note.md", "# Note\n\nThe bilge pump is aft.\n");
    const window = await show(at, { screen: "knowledge" });
    const tell = await asDesktop(window);
    await window.page.getByText("plimsoll index README.md").waitFor();
    await tell("tauri://drag-enter", {});
    await window.page.getByText("Drop to add it outside projects").waitFor();
    await tell("tauri://drag-drop", { paths: [note] });
    await window.page.getByText(/note\.md was added/).waitFor();
    await tell("changed", {});
    await expect.poll(() => sources(window)).toBe(1);
    const other = at.write("papers/other.md", "# Other\n\nThe anchor is forward.\n");
    await tell("tauri://drag-drop", { paths: [other] });
    await expect.poll(() => sources(window)).toBe(2);
  });

  test("a vanished file is named with the reason why it wasn't added", async () => {
    const at = stocked();
    const window = await show(at, { screen: "knowledge" });
    await grid(window).waitFor();
    at.answer("pick", at.path("papers/nowhere.md"));
    await window.button("Add").click();
    await window.page.getByRole("menuitem", { name: "Add a file…" }).click();
    await window.page.getByText(/Can’t add .*nowhere\.md/).waitFor();
    expect(await sources(window)).toBe(3);
  });

  test("a web page of this computer, when settings allow it; a wrong address is refused in its field", async () => {
    const server = createServer((_, response) => {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end("<!doctype html><title>Lighthouses</title><article><h1>Lighthouses</h1><p>The Fresnel lens bends the light of the lamp into a beam that is seen from afar, and each lighthouse has a rhythm of its own.</p></article>");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/lights`;
    const at = stocked();
    at.write(".plimsoll/settings.toml", "[network]\nloopback = true\n", 0o600);
    const window = await show(at, { screen: "knowledge" });
    await grid(window).waitFor();
    await window.button("Add").click();
    await window.page.getByRole("menuitem", { name: "Add a web page…" }).click();
    const dialog = window.page.getByRole("dialog", { name: "Add a web page" });
    const address = dialog.getByRole("textbox", { name: "Address of the page" });
    await address.fill("javascript:alert(1)");
    await dialog.getByRole("button", { name: "Fetch and add" }).click();
    await dialog.getByText("This isn’t a web address.").waitFor();
    await address.fill(url);
    await dialog.getByRole("button", { name: "Fetch and add" }).click();
    await expect.poll(() => sources(window), { timeout: 15_000 }).toBe(4);
    server.close();
    await field(window).fill("Fresnel");
    await hits(window).first().waitFor();
  });
});

describe("deleting", () => {
  test("a source goes to the trash and comes back", async () => {
    const at = stocked();
    const window = await show(at, { screen: "knowledge" });
    const row = grid(window).getByRole("row").filter({ hasText: "retry.md" });
    await row.hover();
    await row.getByRole("button", { name: /^Delete/ }).click();
    await window.page.getByText(/retry\.md is in the trash for \d+ days/).waitFor();
    await expect.poll(() => sources(window)).toBe(2);
    expect(at.search("tried again")).not.toContain("nothing was written before");
    await window.button("Undo").click();
    await window.page.getByText("Restored").waitFor();
    await expect.poll(() => sources(window)).toBe(3);
    expect(at.search("tried again")).toContain("nothing was written before");
    expect(existsSync(at.path("work/shop/docs/retry.md")), "the file itself was never touched").toBe(true);
  });

  test("the Delete key takes the row that was chosen, wherever the list moved it, and one at a time", async () => {
    const at = stocked();
    const window = await show(at, { screen: "knowledge" });
    await grid(window).waitFor();
    const row = (name: string) => grid(window).getByRole("row").filter({ hasText: name });
    await grid(window).focus();
    await window.page.keyboard.press("ArrowDown");
    await window.page.keyboard.press("ArrowDown");
    expect(await row("retry.md").getAttribute("aria-selected")).toBe("true");
    at.write("work/shop/docs/anchor.md", "# Anchors\n\nThe kedge anchor is carried out by boat.\n");
    at.plimsoll(["index", "docs/anchor.md"]);
    await expect.poll(() => sources(window), { timeout: 15_000 }).toBe(4);
    expect(await row("retry.md").getAttribute("aria-selected")).toBe("true");
    await window.page.keyboard.down("Delete");
    await window.page.keyboard.down("Delete");
    await window.page.getByText(/retry\.md is in the trash for \d+ days/).waitFor();
    await expect.poll(() => sources(window)).toBe(3);
    await window.page.keyboard.down("Delete");
    await window.page.keyboard.up("Delete");
    await window.page.keyboard.press("Delete");
    expect(await grid(window).locator("[role=row][aria-selected=true]").count()).toBe(0);
    expect(await sources(window)).toBe(3);
    // The arrows go on from where it was.
    await window.page.keyboard.press("ArrowDown");
    expect(await row("loadline.md").getAttribute("aria-selected")).toBe("true");
  });

  test("a project is purged after saying what is lost, and undone", async () => {
    const at = stocked();
    const window = await show(at, { screen: "knowledge" });
    await grid(window).waitFor();
    await window.button("Purge…").click();
    const dialog = window.page.getByRole("dialog", { name: "Purge knowledge" });
    await dialog.getByText("3 sources").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await sources(window)).toBe(3);
    await window.button("Purge…").click();
    await dialog.getByRole("button", { name: "Move to the trash" }).click();
    await window.page.getByText("Nothing is stored for this project yet").waitFor();
    await window.button("Undo").click();
    await expect.poll(() => sources(window)).toBe(3);
  });

  test("what can't be restored is counted apart and deleted only if ticked", async () => {
    const at = stocked();
    at.hook("claude-code", "UserPromptSubmit", { session_id: "s-1", cwd: at.project, hook_event_name: "UserPromptSubmit", prompt: "Why does the retry loop give up?" });
    at.plimsoll(["memory", "capture", "Tests run with pnpm, never npm", "--namespace", "decisions"]);
    const window = await show(at, { screen: "knowledge" });
    await grid(window).waitFor();
    await window.button("Purge…").click();
    const dialog = window.page.getByRole("dialog", { name: "Purge knowledge" });
    const forever = dialog.getByRole("checkbox", { name: /Also delete for good: \d+ session records?,.* \d+ memor(?:y|ies)\b/ });
    expect(await forever.isChecked()).toBe(false);
    await forever.check();
    await dialog.getByRole("button", { name: "Move to the trash and delete", exact: true }).waitFor();
    await dialog.getByRole("radio", { name: "All projects" }).check();
    await dialog.getByRole("textbox").waitFor();
    expect(await forever.isChecked(), "ticked for one project").toBe(false);
    await dialog.getByRole("radio", { name: "shop" }).check();
    await forever.check();
    await forever.uncheck();
    expect(await window.violations()).toEqual([]);
    await dialog.getByRole("button", { name: "Move to the trash", exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Move to the trash" }).click();
    await window.page.getByText("Nothing is stored for this project yet").waitFor();
    expect(at.plimsoll(["sessions"]), "it was not ticked").toContain("s-1");
    expect(at.plimsoll(["memory", "list"]), "nor this").toContain("pnpm");
    // A second time there is nothing left but what nothing brings back.
    await window.button("Purge…").click();
    await forever.check();
    await dialog.getByRole("button", { name: /Delete/ }).click();
    await expect.poll(() => { try { return at.plimsoll(["sessions"]); } catch { return "none"; } }).toBe("none");
  });

  test("the trash brings each purge back into the project it came from", async () => {
    const at = stocked();
    at.write("work/harbour/README.md", "# Harbour\n\nMoorings and cranes.\n");
    at.write("work/harbour/.git/HEAD", "ref: refs/heads/main\n");
    at.plimsoll(["index", "README.md"], { cwd: at.path("work/harbour") });
    at.plimsoll(["purge", "--project", "--yes"], { cwd: at.path("work/harbour") });
    const window = await show(at, { screen: "knowledge" });
    await grid(window).waitFor();
    await window.button("Trash…").click();
    const dialog = window.page.getByRole("dialog", { name: "Trash" });
    await dialog.getByText("harbour").first().waitFor();
    expect(await window.violations()).toEqual([]);
    await dialog.getByRole("button", { name: "Restore" }).click();
    await dialog.getByText("The trash is empty").waitFor();
    expect(at.search("Moorings", at.path("work/harbour"))).toContain("Moorings");
    expect(at.search("Moorings"), "it did not go into another project").not.toContain("cranes");
  });

  test("purging everything needs the typed word, also when the tray requests it", async () => {
    const at = stocked();
    at.write("work/harbour/README.md", "# Harbour\n\nMoorings and cranes.\n");
    at.write("work/harbour/.git/HEAD", "ref: refs/heads/main\n");
    at.plimsoll(["index", "README.md"], { cwd: at.path("work/harbour") });
    at.answer("screen", "purge");
    const window = await show(at);
    const dialog = window.page.getByRole("dialog", { name: "Purge knowledge" });
    await dialog.getByText("4 sources").waitFor();
    const purge = dialog.getByRole("button", { name: "Delete for good" });
    await dialog.getByRole("radio", { name: /Delete it now/ }).check();
    expect(await purge.isDisabled()).toBe(true);
    const word = dialog.getByRole("textbox");
    await word.fill("everythin");
    expect(await purge.isDisabled()).toBe(true);
    await word.fill("everything");
    await purge.click();
    await window.page.getByText("Deleted for good").waitFor();
    expect(at.search("moorings", at.path("work/harbour"))).not.toContain("cranes");
    expect(at.search("tried again")).not.toContain("nothing was written before");
  });

  test("a project without stored sources is named as such, and no other one is offered", async () => {
    const at = stocked();
    at.answer("screen", "purge?project=harbour-0123456789abcdef");
    const window = await show(at);
    const dialog = window.page.getByRole("dialog", { name: "Purge knowledge" });
    await dialog.getByText("Nothing is stored for harbour yet, so there’s nothing to purge.").waitFor();
    expect(await dialog.getByText("shop").count()).toBe(0);
    expect(await window.violations()).toEqual([]);
    await dialog.getByRole("button", { name: "Close" }).click();
    expect(await sources(window)).toBe(3);
  });

  test("a project whose folder is gone can still be searched and purged", async () => {
    const at = stocked();
    const window = await show(at, { screen: "knowledge" });
    await grid(window).waitFor();
    const { renameSync } = await import("node:fs");
    renameSync(at.project, at.path("work/moved"));
    await window.page.reload();
    await window.page.goto("about:blank");
    await window.page.goto(`${window.host.url}&knowledge`);
    await window.page.getByText("no longer exists.").waitFor();
    await field(window).fill("tropical");
    await hits(window).first().waitFor();
  });
});
