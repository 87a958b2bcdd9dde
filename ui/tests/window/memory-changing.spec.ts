// Memories as users change them: written, edited beside others who change them too, forgotten and brought back; and what was
// written isn't lost. Seeded memories, the real database.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { remembering, rows, reader, good } from "./remembering";
import { eachTest, show } from "./window";

eachTest();

describe("changing", () => {
  test("a memory stays in its project, whatever an agent starts elsewhere", async () => {
    const at = remembering();
    at.write("work/ferry/.git/HEAD", "ref: refs/heads/main\n");
    at.plimsoll(["memory", "capture", "Ferries leave at six", "--namespace", "decisions"], { cwd: at.path("work/ferry") });
    const window = await show(at, { screen: "memory/prompts" });
    const project = window.page.getByRole("combobox", { name: "Project" });
    await window.button("New prompt").first().click();
    const text = window.page.getByRole("textbox", { name: "Text", exact: true });
    await text.fill("Ask {{who}} first.");
    const chosen = await project.inputValue();
    const elsewhere = (await project.locator("option:checked").textContent()) === "ferry" ? at.project : at.path("work/ferry");
    await window.page.route("**/call/overview", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), project: elsewhere } });
    });
    const told = window.page.waitForResponse("**/call/overview");
    at.plimsoll(["memory", "capture", "Ferries rest on Sundays", "--namespace", "decisions"], { cwd: elsewhere });
    await told;
    await window.settled();
    expect([await project.inputValue(), await text.inputValue()]).toEqual([chosen, "Ask {{who}} first."]);
  });

  test("a new one is saved, found, edited, forgotten and brought back", async () => {
    const window = await show(remembering(), { screen: "memory" });
    await rows(window).first().waitFor();
    await window.button("New memory").click();
    const dialog = window.page.getByRole("dialog", { name: "New memory" });
    await dialog.getByRole("textbox", { name: "Text" }).fill("Berths are numbered from the lighthouse\n\nNever from the pier.");
    await dialog.getByRole("combobox", { name: "Namespace" }).selectOption("context");
    await dialog.getByRole("textbox", { name: "Tags" }).fill("harbour, berths");
    await good(window);
    await dialog.getByRole("button", { name: "Save" }).click();
    await reader(window).getByRole("heading", { name: "Berths are numbered from the lighthouse" }).waitFor();
    await reader(window).getByText("harbour, berths").waitFor();
    await reader(window).getByRole("button", { name: "Edit" }).click();
    const edit = window.page.getByRole("dialog", { name: "Edit memory" });
    await edit.getByRole("textbox", { name: "Text" }).fill("Berths are numbered from the lighthouse\n\nNever from the north pier.");
    await window.page.keyboard.press("Control+Enter");
    await reader(window).getByText("Never from the north pier.").waitFor();
    await reader(window).getByRole("button", { name: "Earlier text" }).click();
    await reader(window).getByText("Never from the pier.").waitFor();
    await reader(window).getByRole("button", { name: "Forget" }).click();
    await window.page.getByText("Forgotten. It can be restored for 30 days").waitFor();
    await expect.poll(() => rows(window).filter({ hasText: "Berths" }).count()).toBe(0);
    await window.button("Undo").click();
    await rows(window).filter({ hasText: "Berths" }).waitFor();
  });

  test("a concurrent change isn't overwritten, and the text being written stays", async () => {
    const at = remembering();
    const { id } = JSON.parse(at.plimsoll(["memory", "capture", "Anchors are weighed at dawn", "--namespace", "decisions", "--json"])) as { id: string };
    const window = await show(at, { screen: `memory?id=${id}` });
    await reader(window).getByRole("heading", { name: "Anchors are weighed at dawn" }).waitFor();
    await reader(window).getByRole("button", { name: "Edit" }).click();
    const edit = window.page.getByRole("dialog", { name: "Edit memory" });
    await edit.getByRole("textbox", { name: "Text" }).fill("Anchors are weighed at dusk");
    at.plimsoll(["memory", "update", id, "--content", "Anchors are weighed at noon"]);
    // The reader behind the dialog follows.
    await window.page.locator("section.reader h2").filter({ hasText: "at noon" }).waitFor({ state: "attached" });
    await edit.getByRole("button", { name: "Save" }).click();
    await edit.getByRole("alert").getByText("Can’t save the memory").waitFor();
    expect(await edit.getByRole("textbox", { name: "Text" }).inputValue()).toBe("Anchors are weighed at dusk");
    expect(at.plimsoll(["memory", "get", id])).toContain("Anchors are weighed at noon");
  });

  test("a text written before someone else's change is restored and says that it would replace it", async () => {
    const at = remembering();
    const { id } = JSON.parse(at.plimsoll(["memory", "capture", "Buoys are painted in May", "--namespace", "decisions", "--json"])) as { id: string };
    const window = await show(at, { screen: `memory?id=${id}` });
    const edit = window.page.getByRole("dialog", { name: "Edit memory" });
    const text = edit.getByRole("textbox", { name: "Text" });
    const told = edit.getByText("This memory has changed since you wrote this.");
    await reader(window).getByRole("heading", { name: "Buoys are painted in May" }).waitFor();
    await reader(window).getByRole("button", { name: "Edit" }).click();
    await text.fill("Buoys are painted in June");
    await window.page.keyboard.press("Escape");
    await edit.waitFor({ state: "detached" });
    at.plimsoll(["memory", "update", id, "--content", "Buoys are painted in July"]);
    await reader(window).getByRole("heading", { name: "Buoys are painted in July" }).waitFor();
    await reader(window).getByRole("button", { name: "Edit" }).click();
    await told.waitFor();
    expect(await text.inputValue()).toBe("Buoys are painted in June");
    await good(window);
    await edit.getByRole("button", { name: "Save" }).click();
    await reader(window).getByRole("heading", { name: "Buoys are painted in June" }).waitFor();
    // A text that was only opened doesn't hide a newer one.
    await reader(window).getByRole("button", { name: "Edit" }).click();
    await text.waitFor();
    await window.page.keyboard.press("Escape");
    await edit.waitFor({ state: "detached" });
    at.plimsoll(["memory", "update", id, "--content", "Buoys are painted in August"]);
    await reader(window).getByRole("heading", { name: "Buoys are painted in August" }).waitFor();
    await reader(window).getByRole("button", { name: "Edit" }).click();
    await text.waitFor();
    expect([await text.inputValue(), await told.count()]).toEqual(["Buoys are painted in August", 0]);
  });

  test("a copy that the system refuses is reported, and the screen stays", async () => {
    const window = await show(remembering(), { screen: "memory?q=every handler returns" });
    await window.page.evaluate(() => Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: () => Promise.reject(new DOMException("no", "NotAllowedError")) } }));
    await reader(window).getByRole("button", { name: "More actions" }).click();
    await window.page.getByRole("menuitem", { name: /^Copy/ }).click();
    await window.page.getByText("Can’t copy to the clipboard").waitFor();
    await reader(window).getByRole("heading", { level: 2 }).waitFor();
  });

  test("a wrong key doesn't lose the text; Cancel does", async () => {
    const window = await show(remembering(), { screen: "memory" });
    await rows(window).first().waitFor();
    const dialog = window.page.getByRole("dialog", { name: "New memory" });
    const text = dialog.getByRole("textbox", { name: "Text" });
    await window.button("New memory").click();
    await text.fill("Berths are numbered from the lighthouse");
    await window.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await window.button("New memory").click();
    expect(await text.inputValue()).toBe("Berths are numbered from the lighthouse");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await window.button("New memory").click();
    expect(await text.inputValue()).toBe("");
    await text.fill("Berths are numbered from the pier");
    await dialog.getByRole("button", { name: "Save" }).click();
    await reader(window).getByRole("heading", { name: "Berths are numbered from the pier" }).waitFor();
    await window.button("New memory").click();
    expect(await text.inputValue()).toBe("");
  });

  test("nor does a change of another memory", async () => {
    const window = await show(remembering(), { screen: "memory" });
    const dialog = window.page.getByRole("dialog", { name: "Edit memory" });
    const text = dialog.getByRole("textbox", { name: "Text" });
    const title = reader(window).getByRole("heading", { level: 2 });
    const edit = async (row: number): Promise<void> => {
      await title.waitFor();
      const before = await title.innerText();
      await rows(window).nth(row).click();
      await expect.poll(() => title.innerText()).not.toBe(before);
      await reader(window).getByRole("button", { name: "Edit" }).click();
      await text.waitFor();
    };
    await rows(window).nth(2).waitFor();
    await edit(1);
    await text.fill("Half a thought");
    await window.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await edit(2);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await edit(1);
    expect(await text.inputValue()).toBe("Half a thought");
  });

  test("the keys for Save save once, however often they are pressed", async () => {
    const window = await show(remembering(), { screen: "memory" });
    await rows(window).first().waitFor();
    const asked: string[] = [];
    let release = (): void => undefined;
    const late = new Promise<void>((done) => (release = done));
    await window.page.route("**/call/memory_capture", async (route) => (asked.push(route.request().url()), await late, route.continue()));
    await window.button("New memory").click();
    await window.page.getByRole("dialog", { name: "New memory" }).getByRole("textbox", { name: "Text" }).fill("Lamps are lit at dusk");
    for (let press = 0; press < 3; press += 1) await window.page.keyboard.press("Control+Enter");
    release();
    await reader(window).getByRole("heading", { name: "Lamps are lit at dusk" }).waitFor();
    expect(asked).toHaveLength(1);
  });

  test("a secret isn't stored, and the message says so", async () => {
    const window = await show(remembering(), { screen: "memory" });
    await window.button("New memory").click();
    const dialog = window.page.getByRole("dialog", { name: "New memory" });
    await dialog.getByRole("textbox", { name: "Text" }).fill(`The mirror takes ${["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_")}`);
    await dialog.getByRole("button", { name: "Save" }).click();
    await window.page.getByText("Saved without a secret that was in the text").waitFor();
    expect(await reader(window).innerText()).not.toContain("0123456789abcdefghij");
  });

  test("one is shared in the repository and taken out again", async () => {
    const at = remembering();
    const window = await show(at, { screen: "memory?q=every handler returns" });
    await reader(window).getByText("No, only on this computer").waitFor();
    await reader(window).getByRole("button", { name: "More actions" }).click();
    await window.page.getByRole("menuitem", { name: /Share in the repository/ }).click();
    await reader(window).getByText(/In the repository: \.plimsoll\/memories\//).waitFor();
    const folder = join(at.project, ".plimsoll/memories");
    const [name = ""] = readdirSync(folder);
    expect(readFileSync(join(folder, name), "utf8")).toContain("Every handler returns a Result");
    await reader(window).getByRole("button", { name: "More actions" }).click();
    await window.page.getByRole("menuitem", { name: /Take out of the repository/ }).click();
    await reader(window).getByText("No, only on this computer").waitFor();
    expect(existsSync(join(folder, name))).toBe(false);
  });
});
