// What a team shares through the repository and a server, and what is imported from elsewhere, as the user sees it.
import { createServer, type AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { remembering, rows, queue, reader, sources, mine, good } from "./remembering";
import { computer, eachTest, show } from "./window";

eachTest();

describe("what the team has", () => {
  test("a server is asked only when a button is pressed", async () => {
    const at = remembering();
    let asked = 0;
    const server = createServer((socket) => (asked++, socket.destroy()));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    try {
      const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      at.plimsoll(["memory", "org", "set", `postgres://ana:wordpass@${address}/team`]);
      const window = await show(at, { screen: "memory?q=redis" });
      await rows(window).first().waitFor();
      await window.go("memory/team");
      await window.page.getByText(`ana@${address}/team`).waitFor();
      await window.page.getByText("Not asked yet", { exact: true }).waitFor();
      await window.page.waitForTimeout(1_500);
      expect(asked).toBe(0);
      let answer = (): void => undefined;
      const held = new Promise<void>((resolve) => (answer = resolve));
      await window.page.route("**/call/memory_org_check", async (route) => (await held, route.continue()), { times: 1 });
      const check = window.button("Check now");
      await check.press("Enter");
      // While it's asked, the button keeps the keyboard, and asks only once.
      await expect.poll(() => check.getAttribute("aria-disabled")).toBe("true");
      await window.page.keyboard.press("Enter");
      expect(await check.evaluate((one) => one === document.activeElement)).toBe(true);
      answer();
      await window.page.getByText(/The organisation’s server wasn’t reached/).waitFor();
      expect(asked).toBeGreaterThan(0);
      expect(await window.page.locator("body").innerText()).not.toContain("wordpass");
      await window.go("memory");
      await window.page.getByText(/The organisation’s server wasn’t reached/).waitFor();
      await window.page.getByRole("button", { name: "Show", exact: true }).click();
      await window.page.getByRole("heading", { name: "On your organisation’s server" }).waitFor();
    } finally {
      server.close();
    }
  });

  test("the address of a server is set, changed and removed, and its password is shown nowhere", async () => {
    const at = remembering();
    const window = await show(at, { screen: "memory/team" });
    const field = window.page.getByRole("textbox", { name: "Address of the server" });
    await field.fill("http://ana:wordpass@db.example.org/team");
    await field.press("Enter");
    await window.page.getByRole("alert").getByText(/postgres:\/\//).waitFor();
    await good(window);
    await field.fill("postgres://ana:wordpass@127.0.0.1:9/team");
    await window.button("Save address").click();
    await window.page.getByText("ana@127.0.0.1:9/team").waitFor();
    await window.page.getByText("not known yet").waitFor();
    expect(at.plimsoll(["settings"])).not.toContain("wordpass");
    await window.button("Change address").click();
    expect(await field.inputValue()).toBe("");
    expect(await window.page.locator("body").innerText()).not.toContain("wordpass");
    await good(window);
    await field.fill("postgres://bo:otherword@127.0.0.1:9/team");
    await field.press("Enter");
    await window.page.getByText("bo@127.0.0.1:9/team").waitFor();
    await window.button("Change address").click();
    const sure = window.page.getByRole("dialog", { name: "Remove the server’s address?" });
    await window.button("Remove address").click();
    await sure.getByRole("button", { name: "Cancel" }).click();
    await sure.waitFor({ state: "detached" });
    await window.page.getByText("bo@127.0.0.1:9/team").waitFor();
    await window.button("Remove address").click();
    await sure.getByRole("button", { name: "Remove address" }).click();
    await window.page.getByText("No server is set up, and none is needed").waitFor();
  });

  test("memories that wait too long to be sent are reported without asking the server", async () => {
    const at = computer();
    at.seed({ memories: 60, calls: 6, days: 1 });
    const kept = { content: "Offices close at 6", namespace: "context", domain: "org", created_at: new Date(Date.now() - 7_250_000).toISOString() };
    at.plimsoll(["memory", "import", at.write("kept.json", JSON.stringify({ memories: [kept] }))]);
    at.plimsoll(["memory", "org", "set", "postgres://ana:wordpass@127.0.0.1:9/team"]);
    const window = await show(at, { screen: "memory" });
    await window.page.getByText("1 memory is waiting to be sent to the organisation’s server.").waitFor();
    await window.page.getByText("It was captured 2 hours ago.").waitFor();
    await window.page.getByRole("button", { name: "Show", exact: true }).click();
    await window.page.getByText("the oldest captured 2 hours ago").waitFor();
    await window.button("Send now").waitFor();
    await good(window);
  });

  test("shared memories are counted, and a file broken by a merge is named", async () => {
    const at = remembering();
    const window = await show(at, { screen: "memory?q=every handler returns" });
    await reader(window).getByRole("button", { name: "More actions" }).click();
    await window.page.getByRole("menuitem", { name: /Share in the repository/ }).click();
    await reader(window).getByText(/In the repository: /).waitFor();
    at.write("work/shop/.plimsoll/memories/torn.md", "<<<<<<< HEAD\n");
    await window.go("memory/team");
    const repository = window.page.getByRole("region", { name: "In the repository" });
    await repository.getByText("1 memory").waitFor();
    await repository.getByText("1 file can’t be read").waitFor();
    await repository.getByText(".plimsoll/memories/torn.md").waitFor();
    await good(window);
    await window.page.getByRole("combobox", { name: "Project" }).selectOption("*");
    await repository.getByText("Choose a project to see what its repository shares.").waitFor();
  });
});

test("existing data can be imported outside the wizard, too, and waits for review", async () => {
  const at = remembering(12);
  mine(at);
  const window = await show(at, { screen: "memory" });
  await rows(window).first().waitFor();
  await window.page.keyboard.press("Control+k");
  await window.page.keyboard.type("import what you have");
  await window.page.keyboard.press("Enter");
  await window.heading("Import what you have").waitFor();
  await expect.poll(() => sources(window).count()).toBe(3);
  const shop = sources(window).filter({ hasText: "AGENTS.md" });
  await shop.getByText("<b>Never</b> trust a discount from the page").waitFor();
  await sources(window).filter({ hasText: "subcog-export.json" }).getByText(/line 1/).waitFor();
  expect(await sources(window).filter({ hasText: "subcog-export.json" }).getByRole("checkbox").count()).toBe(0);
  expect(await window.button("Import").isDisabled()).toBe(true);
  await shop.getByRole("checkbox").check();
  await window.button("Import from 1 place").click();
  await shop.getByText("2 are waiting for your review").waitFor();
  await window.button("Review 2").click();
  await window.heading("Review").waitFor();
  await queue(window).getByRole("option").filter({ hasText: "Prices are in cents everywhere" }).waitFor();
  await window.go("memory/import");
  await expect.poll(() => sources(window).count()).toBe(2);
});
