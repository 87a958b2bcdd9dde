// Text in the knowledge base was written by strangers: agents, web pages, files of others. Whatever it contains, it is
// shown as text; nothing runs, nothing is fetched, nothing is opened without asking.
import { expect, test } from "vitest";
import { install } from "./agents";
import { computer, eachTest, show, type Window } from "./window";

eachTest();

const field = (window: Window) => window.page.getByRole("combobox", { name: "Search knowledge" });
const hits = (window: Window) => window.page.getByRole("listbox", { name: "Results" }).getByRole("option");

const HOSTILE = `# <img src=x onerror="window.pwned=1"> Zanzibar

<script>window.pwned = 2; document.title = "taken";</script>
<iframe src="https://evil.example/frame"></iframe>
<style>body { display: none }</style>
<svg onload="window.pwned=3"><a xlink:href="javascript:window.pwned=4">x</a></svg>
<form action="https://evil.example/post"><button>Send</button></form>
<meta http-equiv="refresh" content="0; url=https://evil.example/">

Zanzibar [a link](javascript:window.pwned=5) and [another](JaVaScRiPt:window.pwned=6) and [data](data:text/html,<script>window.pwned=7</script>)
and [file](file:///etc/passwd) and <javascript:window.pwned=8> and [real](https://evil.example/page "onmouseover=window.pwned=9").

![picture](https://evil.example/pixel.png) ![inline](data:image/svg+xml,<svg/onload=window.pwned=10>)

\`\`\`html
<script>window.pwned = 11</script>
\`\`\`

| <b onmouseover="window.pwned=12">head</b> | two |
|---|---|
| <script>window.pwned=13</script> | [x](vbscript:window.pwned) |

Reversed: safe\u202Egnp.exe\u202C and \u2066isolated\u2069 and zero\u200Bwidth and bell\u0007.

{@html "<img src=x onerror=window.pwned=14>"} {{constructor.constructor('window.pwned=15')()}} \${window.pwned=16}
`;

async function untouched(window: Window): Promise<void> {
  await window.settled();
  const state = await window.page.evaluate(() => ({
    pwned: (globalThis as { pwned?: number }).pwned ?? null,
    scripts: document.querySelectorAll(".reader script, .reader iframe, .reader style, .reader svg[onload], .reader form, .reader meta, .reader img, .reader object, .hits script, .hits img").length,
    handlers: [...document.querySelectorAll(".reader *, .hits *")].filter((one) => one.getAttributeNames().some((name) => name.startsWith("on"))).length,
    addresses: [...document.querySelectorAll(".reader a[href], .hits a[href]")].map((one) => one.getAttribute("href") ?? "").filter((href) => !href.startsWith("#")),
    seen: getComputedStyle(document.body).display,
  }));
  expect(state).toEqual({ pwned: null, scripts: 0, handlers: 0, addresses: [], seen: "block" });
  const own = new URL(window.host.url).origin;
  expect(window.requested.filter((url) => !url.startsWith(own))).toEqual([]);
}

test("HTML, scripts, styles and addresses are text", async () => {
  const at = computer();
  at.write("work/shop/docs/hostile.md", HOSTILE);
  at.write('work/shop/docs/<img src=x onerror=alert(1)>.md', "# Zanzibar name\n\nA name that is a tag.\n");
  at.plimsoll(["index", "docs/hostile.md"]);
  at.plimsoll(["index", "docs/<img src=x onerror=alert(1)>.md"]);
  const window = await show(at, { screen: "knowledge" });
  await window.page.getByRole("grid", { name: "Sources" }).getByText("<img src=x onerror=alert(1)>.md").first().waitFor();
  await untouched(window);
  await field(window).fill("Zanzibar");
  await hits(window).nth(1).waitFor();
  for (let index = 0; index < (await hits(window).count()); index++) {
    await hits(window).nth(index).click();
    await untouched(window);
  }
  expect(await window.page.title()).toMatch(/^Plimsoll/);
  expect(await window.page.locator(".reader").innerText()).toContain("Zanzibar");
});

test("a link asks before it is opened, shows its whole address, and only web addresses are links at all", async () => {
  const at = computer();
  at.write("work/shop/docs/links.md", "# Links\n\nSee [our bank](https://evil.example/login?next=https%3A%2F%2Fbank.example) or [this](javascript:alert(1)).\n");
  at.plimsoll(["index", "docs/links.md"]);
  const window = await show(at, { screen: "knowledge?q=bank" });
  const reader = window.page.locator(".reader");
  const link = reader.getByRole("button", { name: "our bank" });
  await link.click();
  const dialog = window.page.getByRole("dialog");
  await dialog.getByText("https://evil.example/login?next=https%3A%2F%2Fbank.example").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(at.opened()).toEqual([]);
  await link.click();
  await dialog.getByRole("button", { name: "Open in the browser" }).click();
  await expect.poll(() => at.opened()).toEqual(["https://evil.example/login?next=https%3A%2F%2Fbank.example"]);
  expect(await reader.locator("article").getByRole("button").allInnerTexts(), "a script's address is no link").toEqual(["our bank"]);
});

test("characters that reverse text can't disguise it", async () => {
  const at = computer();
  at.write("work/shop/docs/bidi.md", "# Orders\n\nOpen invoice\u202Egnp.exe now, it is \u2066safe\u2069 yes. Quux.\n");
  at.plimsoll(["index", "docs/bidi.md"]);
  const window = await show(at, { screen: "knowledge?q=quux" });
  await hits(window).first().waitFor();
  const turned = await window.page.evaluate(() => {
    const shown = [document.querySelector(".hits"), document.querySelector(".reader")].map((one) => one as HTMLElement);
    return shown.map((one) => /[\u202A-\u202E\u2066-\u2069]/.test(one.innerText));
  });
  expect(turned, "in the hits and in the reader").toEqual([false, false]);
});

test("nor folder names, nor the diff that the user agrees to", async () => {
  const at = computer();
  install.claude(at);
  at.write(".claude.json", `${JSON.stringify({ mcpServers: { "tide\u202Egnp.exe": { command: "tide" } } }, null, 2)}\n`);
  const folder = "work/sho\u202Egnp.exe";
  at.write(`${folder}/.git/HEAD`, "ref: refs/heads/main\n");
  const event = { session_id: "s-1", cwd: at.path(folder), permission_mode: "default" };
  at.hook("claude-code", "UserPromptSubmit", { ...event, hook_event_name: "UserPromptSubmit", prompt: "Open the in\u202Egnp.exe" });
  at.hook("claude-code", "PreToolUse", { ...event, hook_event_name: "PreToolUse", tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "cat in\u202Egnp.exe" } });
  at.write(`${folder}/tide\u202Egnp.md`, "# Tides\n\nThey come and go.\n");
  at.plimsoll(["index", `tide\u202Egnp.md`], { cwd: at.path(folder) });
  const window = await show(at, { screen: "sessions" });
  const turned = async (): Promise<string[]> => {
    await window.settled();
    return window.page.evaluate(() => {
      const turns = /[\u202A-\u202E\u2066-\u2069]/;
      const texts = [document.body.innerText, ...[...document.querySelectorAll("[title], [aria-label]")].flatMap((one) => [one.getAttribute("title") ?? "", one.getAttribute("aria-label") ?? ""])];
      return [...new Set(texts.flatMap((text) => text.split("\n")).filter((line) => turns.test(line)))];
    });
  };
  const main = window.page.locator("main");
  for (const screen of ["sessions", "activity?decision=every", "knowledge", "knowledge?q=tides"]) {
    await window.go(screen);
    await expect.poll(() => main.innerText(), { message: screen }).toContain("[U+202E]");
    expect(await turned(), screen).toEqual([]);
  }
  await window.go("agents");
  await window.button("Connect…").click();
  const dialog = window.page.getByRole("dialog");
  await expect.poll(() => dialog.innerText()).toContain("tide[U+202E]gnp.exe");
  expect(await turned()).toEqual([]);
});

test("a line of a megabyte and nesting a thousand deep neither hang nor break the window", async () => {
  const at = computer();
  at.write("work/shop/docs/long.txt", `needle ${"x".repeat(1_000_000)} end\n`);
  at.write("work/shop/docs/deep.md", `# Deep needle\n\n${"> ".repeat(1000)}bottom\n\n${"- ".repeat(500)}leaf\n\n${"[".repeat(2000)}${"*".repeat(2000)}\n`);
  at.plimsoll(["index", "docs/long.txt"]);
  at.plimsoll(["index", "docs/deep.md"]);
  const window = await show(at, { screen: "knowledge" });
  await field(window).fill("needle");
  await hits(window).nth(1).waitFor();
  for (const index of [0, 1]) {
    await hits(window).nth(index).click();
    await window.page.locator(".reader").getByText("needle").first().waitFor();
  }
  const size = await window.page.evaluate(() => ({ wide: document.documentElement.scrollWidth <= innerWidth, nodes: document.querySelectorAll("*").length }));
  expect(size.wide, "the window does not scroll sideways").toBe(true);
  expect(size.nodes).toBeLessThan(20_000);
  await field(window).fill("");
  await window.page.getByRole("grid", { name: "Sources" }).waitFor();
});

test("what an agent calls itself and its commands is text in every list", async () => {
  const at = computer();
  const nasty = '<img src=x onerror="window.pwned=1">';
  at.hook("claude-code", "PreToolUse", {
    session_id: `s-${nasty}`,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_use_id: "t1",
    transcript_path: at.path(".claude/x.jsonl"),
    permission_mode: "default",
    cwd: at.project,
    tool_input: { command: `echo '${nasty}' <script>window.pwned=2</script>` },
  });
  const window = await show(at);
  for (const screen of ["activity", "sessions", "home"]) {
    await window.go(screen);
    await window.settled();
    expect(await window.page.evaluate(() => (globalThis as { pwned?: number }).pwned ?? null)).toBe(null);
    expect(await window.page.locator("main img[onerror], main script").count()).toBe(0);
  }
});
