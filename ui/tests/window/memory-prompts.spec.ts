// Prompts and templates of the memory as users write them, with a preview that shows what an agent would get.
import { describe, expect, test } from "vitest";
import { remembering, good } from "./remembering";
import { eachTest, show, type Window } from "./window";

eachTest();

test("a prompt is written with a live preview, saved, changed, deleted and brought back", async () => {
  const window = await show(remembering(), { screen: "memory/prompts" });
  await window.button("New prompt").click();
  // Each field says what it is, also when something is in it.
  for (const label of ["Name", "For", "Purpose", "Text"]) await window.page.locator(".edit label > span").getByText(label, { exact: true }).waitFor();
  await window.page.getByRole("textbox", { name: "Name", exact: true }).fill("code-review");
  await window.page.getByRole("textbox", { name: "Text", exact: true }).fill("Review {{file}} for {{what}}.");
  await window.page.getByRole("textbox", { name: "Value of file" }).fill("src/main.rs");
  const preview = window.page.locator("pre");
  await expect.poll(() => preview.innerText()).toBe("Review src/main.rs for {{what}}.");
  await window.button("Save").click();
  await window.page.getByText("code-review saved").waitFor();
  await window.page.getByText("Version 1").waitFor();
  await window.page.getByRole("textbox", { name: "Text", exact: true }).fill("Review {{file}} for {{");
  await window.page.getByText(/^Line 1: /).waitFor();
  expect(await preview.innerText()).toContain("src/main.rs");
  await window.page.getByRole("textbox", { name: "Text", exact: true }).fill("Review {{file}} <script>alert(1)</script>");
  await expect.poll(() => preview.innerText()).toContain("<script>alert(1)</script>");
  await window.button("Save").click();
  await expect.poll(() => window.page.getByRole("combobox", { name: "Version" }).inputValue()).toBe("2");
  await window.button("Delete").click();
  await window.page.getByText("code-review deleted").waitFor();
  await window.button("Undo").click();
  await window.page.getByRole("listitem").filter({ hasText: "code-review" }).waitFor();
});

test("unsaved text is restored when the user returns to it", async () => {
  const at = remembering();
  const window = await show(at, { screen: "memory/prompts" });
  const [name, text] = ["Name", "Text"].map((label) => window.page.getByRole("textbox", { name: label, exact: true }));
  await window.button("New prompt").click();
  await name?.fill("handover");
  await text?.fill("Hand {{what}} over.");
  await window.go("activity");
  await window.heading("Activity").waitFor();
  await window.go("memory/prompts");
  await expect.poll(() => text?.inputValue()).toBe("Hand {{what}} over.");
  expect(await name?.inputValue()).toBe("handover");
  await window.button("Save").click();
  await window.page.getByText("handover saved").waitFor();
  await text?.fill("Hand everything over.");
  await window.button("New template").click();
  await window.page.getByRole("listitem").filter({ hasText: "handover" }).getByRole("button").click();
  expect(await text?.inputValue()).toBe("Hand everything over.");
  // And given up, where it isn't wanted.
  await window.button("Cancel").click();
  await expect.poll(() => text?.inputValue()).toBe("Hand {{what}} over.");
  await expect.poll(() => text?.evaluate((box) => box === document.activeElement)).toBe(true);
  expect(await window.button("Cancel").count()).toBe(0);
  await window.button("New prompt").click();
  await name?.fill("unwanted");
  await window.button("Cancel").click();
  await expect.poll(() => name?.inputValue()).toBe("handover");
  await window.button("New prompt").click();
  await expect.poll(() => name?.inputValue()).toBe("");
});

describe("templates", () => {
  const text = (window: Window) => window.page.getByRole("textbox", { name: "Text", exact: true });

  test("one is written with memories in its preview, saved in versions, deleted and brought back with all of them", async () => {
    const at = remembering();
    const window = await show(at, { screen: "memory/prompts" });
    await window.button("New template").click();
    await window.page.getByRole("textbox", { name: "Name", exact: true }).fill("standup");
    await text(window).fill("# {{title}}\n{{#each memories}}* {{memory.content}}\n{{/each}}{{total_count}} in all{{#each who}} @{{this}}{{/each}}");
    const preview = window.page.locator("pre");
    await expect.poll(() => preview.innerText()).toMatch(/^# \{\{title\}\}\n\* [^]+10 in all @\{\{who\}\}$/);
    await window.page.getByRole("textbox", { name: "Value of title" }).fill("Today");
    await window.page.getByRole("textbox", { name: "Value of who" }).fill("ana, bo");
    await window.page.getByRole("textbox", { name: "Memories to try it with" }).fill("card_declined");
    await window.page.getByText("Shows 1 memory.").waitFor();
    await expect.poll(() => preview.innerText()).toMatch(/^# Today\n\* Never retry on card_declined[^]+1 in all @ana @bo$/);
    await window.page.getByRole("textbox", { name: "Memories to try it with" }).fill("xylophone");
    await window.page.getByText("No memory matches, so this shows two examples.").waitFor();
    await window.page.getByRole("combobox", { name: "Format" }).selectOption("xml");
    await expect.poll(() => preview.innerText()).toContain('<context template="standup">');
    await text(window).fill("{{#each memories}}");
    await window.page.getByText(/^Line 1: .*never closed/).waitFor();
    await text(window).fill("{{total_count}} memories");
    await window.button("Save").click();
    await window.page.getByText("standup saved").waitFor();
    await text(window).fill("There are {{total_count}}.");
    await window.button("Save").click();
    const versions = window.page.getByRole("combobox", { name: "Version" });
    await expect.poll(() => versions.locator("option").count()).toBe(2);

    await versions.selectOption("1");
    await window.page.getByText("This is the text of version 1. Saving it makes it the newest.").waitFor();
    expect(await text(window).inputValue()).toBe("{{total_count}} memories");
    await good(window);
    await versions.selectOption("2");
    expect(at.plimsoll(["prompt", "render", "standup", "--format", "markdown"])).toContain("There are 10.");

    await window.button("Delete").click();
    await window.page.getByText("standup deleted").waitFor();
    await window.button("Undo").click();
    await window.page.getByRole("list", { name: "Templates" }).getByRole("listitem").filter({ hasText: "standup" }).waitFor();
    await expect.poll(() => versions.locator("option").count()).toBe(2);
    expect(JSON.parse(at.plimsoll(["prompt", "get", "standup", "--kind", "template", "--json"]))).toMatchObject({ version: 2, format: "xml" });
  });

  test("memories' text stays text in the preview", async () => {
    const at = remembering(12);
    at.plimsoll(["memory", "capture", "<img src=x onerror=alert(1)> {{title}}", "--namespace", "context"]);
    const window = await show(at, { screen: "memory/prompts" });
    await window.button("New template").click();
    await window.page.getByRole("textbox", { name: "Memories to try it with" }).fill("onerror");
    await expect.poll(() => window.page.locator("pre").innerText()).toContain("<img src=x onerror=alert(1)> {{title}}");
    expect(await window.page.locator("pre img").count()).toBe(0);
  });
});
