// How the knowledge base is shown: documents by their headings, folders that fold, the editor, one project and all together.
import { describe, expect, test } from "vitest";
import { stocked, field, hits, grid, sources } from "./stocked";
import type { Computer } from "./computer";
import { eachTest, show, type Window } from "./window";

eachTest();

test("the reader shows Markdown as structured text and loads nothing", async () => {
  const window = await show(stocked(), { screen: "knowledge" });
  await grid(window).getByRole("row").filter({ hasText: "loadline.md" }).click();
  const reader = window.page.locator(".reader");
  await reader.getByRole("heading", { name: "Load lines" }).waitFor();
  await reader.getByRole("table").getByText("tropical fresh").waitFor();
  expect(await reader.getByRole("listitem").count()).toBeGreaterThanOrEqual(2);
  await window.button("Back to all sources").first().click();
  await grid(window).waitFor();
});

test("a text leads back to its row, by the filter that the list had", async () => {
  const window = await show(stocked(), { screen: "knowledge" });
  const read = window.page.locator(".reader");
  const row = (name: string) => grid(window).getByRole("row").filter({ hasText: name });
  const filter = window.page.getByRole("searchbox", { name: "Filter by name" });
  const open = async (name: string): Promise<void> => {
    await row(name).click();
    await read.getByRole("heading", { level: 2 }).waitFor();
  };
  const focused = (): Promise<void> => expect.poll(() => grid(window).evaluate((one) => one === document.activeElement)).toBe(true);
  await filter.fill("docs");
  await expect.poll(() => sources(window)).toBe(2);
  await open("retry.md");
  await window.button("Back to all sources").first().click();
  await focused();
  await expect.poll(() => row("retry.md").getAttribute("aria-selected")).toBe("true");
  expect([await filter.inputValue(), await sources(window)]).toEqual(["docs", 2]);
  await open("loadline.md");
  await window.page.keyboard.press("Escape");
  await read.waitFor({ state: "detached" });
  await focused();
  await open("loadline.md");
  await read.getByRole("button", { name: "Delete (can be undone)" }).click();
  await read.waitFor({ state: "detached" });
  await focused();
  await expect.poll(() => sources(window)).toBe(1);
});

test("a text leads back to its row also where something was stored above it meanwhile", async () => {
  const at = stocked();
  const window = await show(at, { screen: "knowledge" });
  const row = (name: string) => grid(window).getByRole("row").filter({ hasText: name });
  await row("loadline.md").click();
  await window.page.locator(".reader").getByRole("heading", { level: 2 }).waitFor();
  at.write("work/shop/docs/keel.md", "# Keels\n\nThe keel is laid first.\n");
  at.plimsoll(["index", "docs/keel.md"]);
  await window.button("Back to all sources").first().click();
  await row("keel.md").waitFor();
  await expect.poll(() => row("loadline.md").getAttribute("aria-selected")).toBe("true");
});

/** A second project, in which something is stored now. */
function harbour(at: Computer): void {
  at.write("work/harbour/README.md", "# Harbour\n\nMoorings and cranes.\n");
  at.write("work/harbour/.git/HEAD", "ref: refs/heads/main\n");
  at.plimsoll(["index", "README.md"], { cwd: at.path("work/harbour") });
}

test("a document is titled by its first heading, with its path beside it", async () => {
  const window = await show(stocked(), { screen: "knowledge" });
  const row = grid(window).getByRole("row").filter({ hasText: "loadline.md" });
  expect(await row.getByRole("gridcell").first().innerText()).toMatch(/Load lines\s*docs\/\s*loadline\.md/);
  // A file that isn't Markdown has no title of its own.
  const code = grid(window).getByRole("row").filter({ hasText: "queue.rs" });
  expect(await code.getByRole("gridcell").first().innerText()).toMatch(/^file\s*src\/\s*queue\.rs$/);
});

test("snippets are shown without Markdown's signs", async () => {
  const at = stocked();
  at.write("work/shop/docs/signs.md", "# Signs\n\n- [x] a **bold quay** and a [pier](https://example.test/pier)\n\n> `code` of the quay\n");
  at.plimsoll(["index", "docs/signs.md"]);
  const window = await show(at, { screen: "knowledge?q=quay" });
  const hit = hits(window).first();
  await hit.getByText("Signs", { exact: true }).waitFor();
  const snippet = await hit.locator("p").innerText();
  expect(snippet).toContain("bold quay");
  expect(snippet).not.toMatch(/\*\*|\[x\]|\]\(|`|^>/m);
});

test("a folder expands and collapses, by pointer and by keyboard", async () => {
  const at = stocked();
  at.write("work/shop/guide/anchor.md", "# Anchors\n\nThe kedge anchor is carried out by boat.\n");
  at.write("work/shop/guide/tide.md", "# Tides\n\nSpring tides follow the full moon.\n");
  at.plimsoll(["index", "guide"]);
  const window = await show(at, { screen: "knowledge" });
  await expect.poll(() => sources(window)).toBe(4);
  const row = (name: string) => grid(window).getByRole("row").filter({ hasText: name });
  await row("2 files").getByRole("button", { name: /^Show the files of/ }).click();
  await expect.poll(() => sources(window)).toBe(6);
  const order = await grid(window).getByRole("row").allInnerTexts();
  expect(order.slice(1, 4).map((text) => /(guide|anchor\.md|tide\.md)\b/g.exec(text.replaceAll("guide/", ""))?.[0])).toEqual(["guide", "anchor.md", "tide.md"]);
  expect(await row("anchor.md").getByRole("button", { name: /^Delete/ }).count(), "it goes with its folder").toBe(0);
  expect(await window.violations()).toEqual([]);
  // From a file in it, left folds the folder; right on the folder unfolds it.
  await grid(window).focus();
  await window.page.keyboard.press("Home");
  await window.page.keyboard.press("ArrowDown");
  await window.page.keyboard.press("ArrowLeft");
  await expect.poll(() => sources(window)).toBe(4);
  await window.page.keyboard.press("Home");
  await window.page.keyboard.press("ArrowRight");
  await expect.poll(() => sources(window)).toBe(6);
  await row("tide.md").click();
  await window.page.locator(".reader").getByText("follow the full moon").first().waitFor();
});

test("a file opens in the editor, and a folder where folders are shown", async () => {
  const at = stocked();
  at.write("work/shop/guide/anchor.md", "# Anchors\n\nThe kedge anchor is carried out by boat.\n");
  at.plimsoll(["index", "guide"]);
  const window = await show(at, { screen: "knowledge" });
  const row = (name: string) => grid(window).getByRole("row").filter({ hasText: name });
  await row("retry.md").hover();
  await row("retry.md").getByRole("button", { name: /^Open in editor/ }).click();
  await expect.poll(() => at.opened()).toEqual([at.path("work/shop/docs/retry.md")]);
  await row("1 file").hover();
  await row("1 file").getByRole("button", { name: /^Open the folder/ }).click();
  await expect.poll(() => at.opened().at(-1)).toBe(at.path("work/shop/guide"));
  await row("retry.md").click();
  const reader = window.page.locator(".reader");
  await reader.getByRole("button", { name: "Open in editor" }).click();
  await expect.poll(() => at.opened().length).toBe(3);
});

describe("all projects together", () => {
  test("are listed, searched and read, and everything names its project", async () => {
    const at = stocked();
    harbour(at);
    const window = await show(at, { screen: "knowledge?project=*" });
    await expect.poll(() => sources(window)).toBe(4);
    const row = (name: string) => grid(window).getByRole("row").filter({ hasText: name });
    await row("README.md").getByText("harbour", { exact: true }).waitFor();
    await row("retry.md").getByText("shop", { exact: true }).waitFor();
    expect(await window.button("Add").count(), "nothing says to which").toBe(0);
    expect(await window.violations()).toEqual([]);
    await field(window).fill("cranes");
    await hits(window).first().getByText("harbour ·").waitFor();
    await window.page.locator(".reader").getByText("Moorings and cranes.").first().waitFor();
    await field(window).fill("tropical");
    await hits(window).first().getByText("shop ·").waitFor();
    await window.page.locator(".reader").getByRole("table").getByText("tropical fresh").waitFor();
    await window.page.keyboard.press("Escape");
    await row("README.md").hover();
    await row("README.md").getByRole("button", { name: /^Delete/ }).click();
    await expect.poll(() => sources(window)).toBe(3);
    await window.button("Undo").click();
    await expect.poll(() => sources(window)).toBe(4);
    expect(at.search("Moorings", at.path("work/harbour"))).toContain("Moorings");
  });

  test("leave out an unreadable one and say so", async () => {
    const at = stocked();
    harbour(at);
    at.write(".plimsoll/projects/wreck-0123456789abcdef/knowledge.db", "x".repeat(9000));
    const window = await show(at, { screen: "knowledge?project=*" });
    await window.page.getByText("1 project can’t be read and is left out").waitFor();
    await expect.poll(() => sources(window)).toBe(4);
  });
});

describe("the project that is looked at", () => {
  const chosen = (window: Window) => window.page.getByLabel("Project", { exact: true }).first();
  /** Waits until the list of projects was reloaded with both of them and the entry for all projects. */
  const both = async (window: Window) => expect.poll(() => chosen(window).locator("option").count(), { timeout: 15_000 }).toBe(3);

  test("stays while something is stored in another one", async () => {
    const at = stocked();
    const window = await show(at, { screen: "knowledge" });
    await grid(window).getByRole("row").filter({ hasText: "retry.md" }).click();
    const reader = window.page.locator(".reader");
    await reader.getByText("tried again only when").waitFor();
    harbour(at);
    await both(window);
    expect(await chosen(window).locator("option:checked").innerText()).toBe("shop");
    expect(await reader.getByText("tried again only when").count()).toBe(1);
  });

  test("is the one that a link names, also when nothing is stored of it", async () => {
    const at = stocked();
    const window = await show(at, { screen: `knowledge?project=${encodeURIComponent(at.path("work/harbour"))}` });
    const nothing = window.page.getByRole("heading", { name: "Nothing is stored for harbour yet" });
    await nothing.waitFor();
    await window.page.getByText(/working in ~\S+harbour stores something/).waitFor();
    expect(await grid(window).count(), "no other project's sources").toBe(0);
    expect(await window.button(/^(Add|Purge…)$/).count(), "what cannot be done there").toBe(0);
    expect(await window.violations()).toEqual([]);
    expect(await chosen(window).locator("option:checked").innerText()).toBe("harbour");
    await chosen(window).selectOption({ label: "shop" });
    await expect.poll(() => sources(window)).toBe(3);
    expect(await chosen(window).locator("option").allInnerTexts()).toEqual(["shop"]);
    // As soon as something is stored there, it is shown.
    await window.go("agents");
    await window.heading("Agents").waitFor();
    await window.go(`knowledge?project=${encodeURIComponent(at.path("work/harbour"))}`);
    await nothing.waitFor();
    harbour(at);
    await expect.poll(() => grid(window).count(), { timeout: 15_000 }).toBe(1);
    await expect.poll(() => sources(window)).toBe(1);
    expect(await chosen(window).locator("option:checked").innerText()).toBe("harbour");
  });

  test("and a file is added to the project that was chosen", async () => {
    const at = stocked();
    harbour(at);
    const window = await show(at, { screen: "knowledge" });
    await grid(window).waitFor();
    await chosen(window).selectOption({ label: "shop" });
    await expect.poll(() => sources(window)).toBe(3);
    at.answer("pick", at.write("papers/note.md", "# Note\n\nThe bilge pump is aft.\n"));
    let go: () => void = () => {};
    const waiting = new Promise<void>((resolve) => (go = resolve));
    await window.page.route("**/call/pick", async (route) => {
      await waiting;
      await route.continue();
    });
    await window.button("Add").click();
    await window.page.getByRole("menuitem", { name: "Add a file…" }).click();
    await chosen(window).selectOption({ label: "harbour" });
    await expect.poll(() => sources(window)).toBe(1);
    go();
    await window.page.getByText(/note\.md was added/).waitFor();
    expect(at.search("bilge")).toContain("aft");
    expect(await sources(window)).toBe(1);
  });

  test("and the shown project is the one purged, whatever is stored while the question is open", async () => {
    const at = stocked();
    const window = await show(at, { screen: "knowledge" });
    await grid(window).waitFor();
    await window.button("Purge…").click();
    const dialog = window.page.getByRole("dialog", { name: "Purge knowledge" });
    await dialog.getByText("3 sources").waitFor();
    harbour(at);
    await both(window);
    await dialog.getByRole("radio", { name: "shop" }).waitFor();
    await dialog.getByRole("button", { name: "Move to the trash" }).click();
    await window.page.getByText(/^Moved to the trash/).waitFor();
    expect(at.search("moorings", at.path("work/harbour"))).toContain("cranes");
    expect(at.search("tried again")).not.toContain("nothing was written before");
  });
});
