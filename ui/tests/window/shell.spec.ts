// What every screen has: the palette, links from outside, the language, the frame of the page.
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { install } from "./agents";
import { computer, eachTest, show, type Window } from "./window";

eachTest();

const palette = (window: Window) => window.page.getByRole("dialog", { name: "Search and actions" });
const choices = (window: Window) => palette(window).getByRole("option");

describe("the palette", () => {
  test("opens with the keys, finds an action by a part of its name, and carries it out", async () => {
    const window = await show(computer(), { screen: "agents" });
    await window.page.keyboard.press("Control+k");
    await palette(window).waitFor();
    await window.page.keyboard.type("setti");
    await choices(window).first().getByText("Settings").waitFor();
    await window.page.keyboard.press("Enter");
    await window.heading("Settings").waitFor();
    await window.page.keyboard.press("Control+k");
    await window.page.keyboard.press("Escape");
    await palette(window).waitFor({ state: "detached" });
  });

  test("shows the command line that does the same", async () => {
    const window = await show(computer(), { screen: "agents" });
    await window.page.keyboard.press("Control+k");
    await window.page.keyboard.type("doctor");
    await choices(window).first().getByText("plimsoll doctor").waitFor();
  });

  test("searches the knowledge base, and Enter opens the hit", async () => {
    const at = computer();
    at.write("work/shop/docs/keel.md", "# Keels\n\nThe keel is laid first.\n");
    at.plimsoll(["index", "docs/keel.md"]);
    const window = await show(at, { screen: "agents" });
    await window.page.keyboard.press("Control+k");
    await window.page.keyboard.type("keel laid");
    await choices(window).filter({ hasText: "The keel is laid first." }).click();
    await window.heading("Knowledge").waitFor();
    await window.page.locator(".reader").getByText("The keel is laid first.").first().waitFor();
  });

  test("doesn't offer hits for other words while a new search runs", async () => {
    const at = computer();
    at.write("work/shop/docs/keel.md", "# Keels\n\nThe keel is laid first.\n");
    at.plimsoll(["index", "docs/keel.md"]);
    const window = await show(at, { screen: "agents" });
    await window.page.keyboard.press("Control+k");
    await window.page.keyboard.type("keel laid");
    const hit = choices(window).filter({ hasText: "The keel is laid first." });
    await hit.waitFor();
    let release = (): void => undefined;
    const late = new Promise<void>((done) => (release = done));
    await window.page.route("**/call/search", async (route) => (await late, route.continue()), { times: 1 });
    await window.page.keyboard.type(" firs");
    await choices(window).filter({ hasText: "keel laid firs" }).waitFor();
    expect(await hit.count()).toBe(0);
    await window.page.keyboard.type("t");
    release();
    await hit.waitFor();
  });

  test("keeps the chosen row when hits arrive above it", async () => {
    const at = computer();
    at.write("work/shop/docs/keel.md", "# Keels\n\nThe keel is laid first.\n");
    at.plimsoll(["index", "docs/keel.md"]);
    const window = await show(at, { screen: "agents" });
    let release = (): void => undefined;
    const late = new Promise<void>((done) => (release = done));
    await window.page.route("**/call/search", async (route) => (await late, route.continue()), { times: 1 });
    await window.page.keyboard.press("Control+k");
    await window.page.keyboard.type("keel laid");
    const all = choices(window).filter({ hasText: "keel laid" });
    await all.waitFor();
    await window.page.keyboard.press("ArrowUp");
    release();
    await choices(window).filter({ hasText: "The keel is laid first." }).waitFor();
    expect(await all.getAttribute("aria-selected")).toBe("true");
  });

  test("opens the selected hit, not the first one", async () => {
    const at = computer();
    at.write("work/shop/docs/keel.md", "# Keels\n\nThe keel is laid first. A keel, the keel, every keel.\n");
    at.write("work/shop/docs/hull.md", "# Hulls\n\nThe hull rests upon its keel.\n");
    for (const path of ["docs/keel.md", "docs/hull.md"]) at.plimsoll(["index", path]);
    const window = await show(at, { screen: "agents" });
    for (const text of ["The hull rests", "The keel is laid"]) {
      await window.page.keyboard.press("Control+k");
      await window.page.keyboard.type("keel");
      await choices(window).filter({ hasText: text }).click();
      await window.heading("Knowledge").waitFor();
      await window.page.locator(".reader").getByText(text).first().waitFor();
      const hit = window.page.getByRole("listbox", { name: "Results" }).getByRole("option").filter({ hasText: text });
      expect(await hit.getAttribute("aria-selected")).toBe("true");
    }
  });

  test("distinguishes rows with the same name", async () => {
    const at = computer();
    for (const name of ["north", "south"]) at.write(`work/shop/docs/${name}.md`, "# Moorings\n\nEvery **mooring** is numbered.\n");
    at.plimsoll(["index", "docs"]);
    for (const id of ["first-session", "other-session"]) {
      at.hook("claude-code", "UserPromptSubmit", { session_id: id, cwd: at.project, hook_event_name: "UserPromptSubmit", prompt: "Number the mooring rings" });
    }
    const window = await show(at, { screen: "home" });
    await window.page.keyboard.press("Control+k");
    await window.page.keyboard.type("mooring");
    const rows = window.page.getByRole("option");
    await rows.filter({ hasText: /north\.md/ }).waitFor();
    await rows.filter({ hasText: /south\.md/ }).waitFor();
    await expect.poll(() => rows.filter({ hasText: "Number the mooring rings" }).count()).toBe(2);
    const told = await rows.allInnerTexts();
    expect(new Set(told).size, told.join("\n")).toBe(told.length);
    expect(told.join("\n"), "a snippet without the signs of Markdown").not.toContain("**");
  });

  test("the arrow keys wrap around, and the selected row is announced to a screen reader", async () => {
    const window = await show(computer(), { screen: "agents" });
    await window.page.keyboard.press("Control+k");
    const field = palette(window).getByRole("combobox");
    await choices(window).nth(6).waitFor();
    const count = await choices(window).count();
    expect(count).toBeGreaterThan(6);
    await window.page.keyboard.press("ArrowUp");
    expect(await choices(window).last().getAttribute("aria-selected")).toBe("true");
    await window.page.keyboard.press("ArrowDown");
    expect(await choices(window).first().getAttribute("aria-selected")).toBe("true");
    expect(await field.getAttribute("aria-activedescendant")).toBe(await choices(window).first().getAttribute("id"));
  });

  test("does not open over a question", async () => {
    const at = computer();
    install.claude(at);
    const window = await show(at, { screen: "agents" });
    await window.button("Connect").first().click();
    await window.page.getByRole("dialog").waitFor();
    await window.page.keyboard.press("Control+k");
    await window.page.keyboard.press("Control+3");
    expect(await palette(window).count()).toBe(0);
    await window.heading("Agents").waitFor();
    await window.page.keyboard.press("Escape");
    await window.page.getByRole("dialog").waitFor({ state: "detached" });
    await window.page.keyboard.press("Control+k");
    await palette(window).waitFor();
  });

  test("receives keys pressed before it is open, and the page behind it doesn't", async () => {
    const at = computer();
    const window = await show(at, { screen: "agents" });
    let arrive = (): void => undefined;
    const held = new Promise<void>((resolve) => (arrive = resolve));
    await window.page.route(/Palette-.*\.js/, async (route) => {
      await held;
      await route.continue();
    });
    await window.page.keyboard.press("Control+k");
    await window.page.keyboard.type("pause for 12");
    await window.page.keyboard.press("Backspace");
    await window.page.keyboard.press("Enter");
    arrive();
    await window.page.getByRole("navigation").getByText(/Paused until/).waitFor();
    await palette(window).waitFor({ state: "detached" });
  });

  test("stays open while its key stays down", async () => {
    const window = await show(computer(), { screen: "agents" });
    const { keyboard } = window.page;
    await keyboard.down("Control");
    await keyboard.down("k");
    await palette(window).waitFor();
    // Down once more without up is what such a key sends.
    await keyboard.down("k");
    await window.page.waitForTimeout(100);
    expect(await palette(window).count()).toBe(1);
    await keyboard.up("k");
    await keyboard.press("k");
    await palette(window).waitFor({ state: "detached" });
    await keyboard.up("Control");
  });

  test("Escape before it is open cancels it", async () => {
    const window = await show(computer(), { screen: "agents" });
    let arrive = (): void => undefined;
    const held = new Promise<void>((resolve) => (arrive = resolve));
    await window.page.route(/Palette-.*\.js/, async (route) => {
      await held;
      await route.continue();
    });
    await window.page.keyboard.press("Control+k");
    await window.page.keyboard.press("Escape");
    const came = window.page.waitForResponse(/Palette-.*\.js/);
    arrive();
    await came;
    await window.page.keyboard.press("Control+3");
    await window.heading("Knowledge").waitFor();
    expect(await palette(window).count()).toBe(0);
  });

  test("pauses the hooks, says until when, and ends the pause", async () => {
    const at = computer();
    const window = await show(at, { screen: "agents" });
    await window.page.keyboard.press("Control+k");
    await window.page.keyboard.type("pause for 1");
    await window.page.keyboard.press("Enter");
    await window.page.getByRole("navigation").getByText(/Paused until/).waitFor();
    expect(at.read(".plimsoll/settings.toml")).toMatch(/paused_until_ms = \d{13}/);
    await window.page.keyboard.press("Control+k");
    await window.page.keyboard.type("resume");
    await window.page.keyboard.press("Enter");
    await window.page.getByRole("navigation").getByText(/Paused until/).waitFor({ state: "detached" });
  });
});

describe("a screen requested from outside", () => {
  test("a request from the tray opens at once", async () => {
    const at = computer();
    at.answer("screen", "settings/doctor");
    const window = await show(at);
    await window.heading("Settings").waitFor();
    expect(await window.page.getByRole("dialog").count()).toBe(0);
  });

  test("a link is shown in full and confirmed first", async () => {
    const at = computer();
    const payload = "knowledge?q=<img src=x onerror=alert(1)>&project=/etc";
    at.answer("link", payload);
    const window = await show(at, { screen: "agents" });
    const dialog = window.page.getByRole("dialog", { name: "Open this in Plimsoll?" });
    await dialog.getByText(payload).waitFor();
    await dialog.getByText("It opens the screen “Knowledge”.").waitFor();
    expect(await window.violations()).toEqual([]);
    await dialog.getByRole("button", { name: "Ignore" }).click();
    await window.heading("Agents").waitFor();

    at.answer("link", "activity?decision=deny");
    await window.page.goto("about:blank");
    await window.page.goto(`${window.host.url}&agents`);
    await dialog.getByText("activity?decision=deny").waitFor();
    await dialog.getByRole("button", { name: "Open" }).click();
    await window.heading("Activity").waitFor();
  });

  test("a link can neither purge nor change anything by itself", async () => {
    const at = computer();
    at.write("work/shop/docs/keel.md", "# Keels\n\nThe keel is laid first.\n");
    at.plimsoll(["index", "docs/keel.md"]);
    at.answer("link", "purge?project=*&now=true&typed=everything");
    const window = await show(at, { screen: "agents" });
    await window.page.getByRole("dialog", { name: "Open this in Plimsoll?" }).getByRole("button", { name: "Open" }).click();
    const purge = window.page.getByRole("dialog", { name: "Purge knowledge" });
    await purge.waitFor();
    expect(at.search("keel")).toContain("laid first");
  });
});

describe("the window's host", () => {
  test("is checked again after a write or when the window gets the focus, so a tray that appears later is noticed", async () => {
    const at = computer();
    at.answer("crash", "/tmp/crash-1.txt");
    const window = await show(at, { screen: "settings" });
    let tray = false;
    await window.page.route("**/call/host", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), tray } });
    });
    const none = window.page.getByText("This desktop shows no tray").first();
    await window.page.evaluate(() => dispatchEvent(new Event("focus")));
    await none.waitFor();
    tray = true;
    at.plimsoll(["settings", "set", "desktop.theme", "dark"]);
    await none.waitFor({ state: "detached", timeout: 20_000 });
    // The crash at the last start was reported once; looking again doesn't clear it.
    await window.go("home");
    await window.page.getByText("/tmp/crash-1.txt").waitFor();
  });
});

describe("the crash screen", () => {
  test("says beside its buttons what they couldn't do", async () => {
    const window = await show(computer(), { screen: "agents" });
    await window.page.evaluate(() => dispatchEvent(new ErrorEvent("error", { message: "x", error: new Error("the hold is flooded") })));
    await window.heading("This screen crashed").waitFor();
    // The way to the other screens stays, and the log says what happened.
    await window.page.getByRole("navigation").getByRole("link", { name: "Home" }).waitFor();
    await window.page.route("**/call/open", (route) => route.fulfill({ status: 500, contentType: "application/json", body: '{"code":"failed","message":"no file manager"}' }));
    await window.button("Open the log folder").click();
    await window.page.getByText("Can’t open the folder. no file manager").waitFor();
    await window.page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject(new Error("not allowed")) } }));
    await window.button("Copy the message").click();
    await window.page.getByText("Can’t copy the message. Select it above instead. not allowed").waitFor();
    await window.page.locator("pre").getByText("the hold is flooded").waitFor();
    expect(await window.violations()).toEqual([]);
  });
});

describe("the frame", () => {
  test("it speaks the system's language, and every screen is in it", async () => {
    const at = computer();
    const window = await show(at, { host: await at.serve({ LANG: "de_AT.UTF-8" }), locale: "de-AT", screen: "agents" });
    const navigation = window.page.getByRole("navigation");
    await navigation.getByRole("link", { name: "Einstellungen" }).waitFor();
    expect(await window.page.evaluate(() => document.documentElement.lang)).toBe("de");
  });

  test("without the token the host answers nothing", async () => {
    const at = computer();
    const host = await at.serve();
    const origin = new URL(host.url).origin;
    const refused = await fetch(`${origin}/call/overview`, { method: "POST", body: "{}" });
    expect(refused.status).toBe(403);
    const page = await fetch(origin);
    expect(page.headers.get("content-security-policy")).toContain("script-src 'self'");
    expect(page.headers.get("content-security-policy")).not.toContain("unsafe");
  });

  test("inline scripts and handlers do not run", async () => {
    const window = await show(computer(), { screen: "agents" });
    const ran = await window.page.evaluate(async () => {
      const image = document.createElement("div");
      image.innerHTML = '<img src="/none.png" onerror="window.pwned=1"><button onclick="window.pwned=2">x</button>';
      document.body.append(image);
      (image.querySelector("button") as HTMLElement).click();
      const script = document.createElement("script");
      script.textContent = "window.pwned=3";
      document.body.append(script);
      await new Promise((resolve) => setTimeout(resolve, 200));
      image.remove();
      return (globalThis as { pwned?: number }).pwned ?? null;
    });
    expect(ran).toBe(null);
    expect(window.problems.join()).toContain("Content Security Policy");
    window.problems = [];
  });

  test("nothing is written by looking", async () => {
    const at = computer();
    const window = await show(at, { screen: "agents" });
    for (const screen of ["home", "agents", "knowledge", "sessions", "activity", "settings"]) {
      await window.go(screen);
      await window.settled();
    }
    expect(existsSync(at.own)).toBe(false);
  });

  test("a screen that can't be loaded says nothing once another one is shown", async () => {
    const window = await show(computer(), { screen: "agents" });
    await window.settled();
    let release = (): void => undefined;
    const late = new Promise<void>((done) => (release = done));
    await window.page.route(/\.js$/, async (route) => (await late, route.abort()));
    const current = (screen: string) => window.page.locator(`nav a[href="#/${screen}"][aria-current=page]`);
    const asked = window.page.waitForRequest(/\.js$/);
    await window.go("settings");
    await asked;
    await current("settings").waitFor();
    await window.go("agents");
    await current("agents").waitFor();
    const failed = window.page.waitForEvent("requestfailed");
    release();
    await failed;
    // The window learns it a little later than the test.
    await window.page.waitForTimeout(300);
    expect(await window.page.getByRole("main").getByRole("alert").count()).toBe(0);
    await window.heading("Agents").waitFor();
    // The browser reports what it couldn't load.
    window.problems = [];
  });

  test("the keys of the screens, and the link to the content", async () => {
    const window = await show(computer(), { screen: "agents" });
    await window.heading("Agents").waitFor();
    await window.page.keyboard.press("Control+3");
    await window.heading("Knowledge").waitFor();
    await window.page.keyboard.press("Control+,");
    await window.heading("Settings").waitFor();
    await window.page.goto("about:blank");
    await window.page.goto(`${window.host.url}&agents`);
    await window.heading("Agents").waitFor();
    await window.page.keyboard.press("Tab");
    expect(await window.page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
    await window.page.keyboard.press("Enter");
    expect(await window.page.evaluate(() => document.activeElement?.id)).toBe("main");
  });
});
