// Everything that can break does: each time the window tells what happened, what is safe and what to do, and the
// agents' files and the user's data are unchanged.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { install } from "./agents";
import type { Computer } from "./computer";
import { computer, eachTest, show, type Window } from "./window";

eachTest();

function knowledgeOf(at: Computer): string {
  const projects = join(at.own, "projects");
  const key = readdirSync(projects).find((name) => name.startsWith("shop-"));
  if (key === undefined) throw new Error("nothing was stored");
  return join(projects, key, "knowledge.db");
}

/** What every screen of a fault has: what happened, what is safe, what to do, and a way to try again. */
async function isFault(window: Window, what: RegExp): Promise<void> {
  const main = window.page.locator("main");
  await main.getByText(what).first().waitFor();
  await main.getByText("What’s safe").first().waitFor();
  await main.getByText("What to do").first().waitFor();
  expect(await window.violations()).toEqual([]);
}

const rubbish = Buffer.alloc(40_960, "this is no database ");

describe("databases", () => {
  test("one that cannot be read at all: each screen says so, and the file is left as it is", async () => {
    const at = computer();
    at.seed({ calls: 5, events: 5 });
    const path = join(at.own, "plimsoll.db");
    for (const name of ["plimsoll.db-wal", "plimsoll.db-shm"]) rmSync(join(at.own, name), { force: true });
    writeFileSync(path, rubbish);
    const window = await show(at, { screen: "activity" });
    for (const screen of ["activity", "sessions"]) {
      await window.go(screen);
      await isFault(window, /can.t be read|Can.t read/);
    }
    await window.go("home");
    await window.page.locator("main").getByText(/can.t be read|Can.t read|cannot be read/).first().waitFor();
    expect(readFileSync(path).equals(rubbish)).toBe(true);
  });

  test("one that was cut off: what can be saved is, and the damaged file is kept", async () => {
    const at = computer();
    for (let n = 0; n < 30; n++) {
      at.write(`work/shop/docs/part-${n}.md`, `# Part ${n}\n\n${"The keel is laid first. ".repeat(80)}\n`);
    }
    at.plimsoll(["index", "docs"]);
    const path = knowledgeOf(at);
    rmSync(`${path}-wal`, { force: true });
    rmSync(`${path}-shm`, { force: true });
    truncateSync(path, Math.floor(readFileSync(path).length / 4096 / 2) * 4096);
    const window = await show(at, { screen: "knowledge?q=keel" });
    await window.page.getByRole("listbox", { name: "Results" }).or(window.page.getByText("What’s safe")).first().waitFor();
    // The request that meets the damage closes the file; the next one has it exclusively and salvages what it can.
    const folder = join(path, "..");
    await expect
      .poll(
        async () => {
          await window.go("home");
          await window.go("knowledge?q=keel");
          return readdirSync(folder).join();
        },
        { timeout: 20_000, interval: 500 },
      )
      .toMatch(/damaged|broken|salvag/);
  });

  test("one of a newer version is refused untouched, by name", async () => {
    const at = computer();
    at.write("work/shop/docs/keel.md", "# Keels\n\nThe keel is laid first.\n");
    at.plimsoll(["index", "docs/keel.md"]);
    at.seed({ calls: 5, events: 5 });
    const paths = [knowledgeOf(at), join(at.own, "plimsoll.db")];
    for (const path of paths) {
      rmSync(`${path}-wal`, { force: true });
      rmSync(`${path}-shm`, { force: true });
      // `user_version` is in the header of the file, at byte 60, the most significant byte first.
      const bytes = readFileSync(path);
      bytes.writeUInt32BE(9_999, 60);
      writeFileSync(path, bytes);
    }
    const before = paths.map((path) => readFileSync(path).toString("base64"));
    const window = await show(at, { screen: "knowledge" });
    await isFault(window, /newer/);
    await window.go("activity");
    await isFault(window, /newer/);
    expect(paths.map((path) => readFileSync(path).toString("base64"))).toEqual(before);
  });

  test("one that comes back is read again, by itself or with Try again", async () => {
    const at = computer();
    at.seed({ calls: 5, events: 5 });
    const path = join(at.own, "plimsoll.db");
    for (const name of ["plimsoll.db-wal", "plimsoll.db-shm"]) rmSync(join(at.own, name), { force: true });
    copyFileSync(path, at.path("kept.db"));
    writeFileSync(path, rubbish);
    const window = await show(at, { screen: "activity" });
    await isFault(window, /can.t be read|Can.t read|cannot be read/);
    copyFileSync(at.path("kept.db"), path);
    // The window notices by itself within two seconds; who is quicker presses the button.
    await window.button("Try again").first().click({ timeout: 3_000 }).catch(() => undefined);
    await window.page.getByRole("grid").first().waitFor();
  });
});

describe("the disk", () => {
  test("full: nothing is half written, and the message gives advice", async ({ skip }) => {
    if (process.platform !== "linux" || process.getuid?.() !== 0) skip("a small disk of one's own can only be mounted by root on Linux");
    const at = computer();
    at.write("work/shop/docs/keel.md", "# Keels\n\nThe keel is laid first.\n");
    at.write("work/shop/docs/big.md", `# Big\n\n${"Every plank is numbered before it is moved. ".repeat(60_000)}\n`);
    mkdirSync(at.own, { mode: 0o700 });
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1500k,mode=0700", "tmpfs", at.own], { stdio: "ignore" });
    } catch {
      skip("mounting is not allowed here");
    }
    try {
      at.plimsoll(["index", "docs/keel.md"]);
      const window = await show(at, { screen: "knowledge" });
      await window.page.getByRole("grid", { name: "Sources" }).waitFor();
      at.answer("pick", at.path("work/shop/docs/big.md"));
      await window.button("Add").click();
      await window.page.getByRole("menuitem", { name: "Add a file…" }).click();
      await window.page.getByText(/Can’t add .*big\.md.*(room|full|space)/i).waitFor({ timeout: 30_000 });
      expect(at.search("keel")).toContain("laid first");
    } finally {
      execFileSync("umount", ["-l", at.own], { stdio: "ignore" });
    }
  });
});

describe("a single failed read", () => {
  test("keeps the screen with a line about it, which disappears after the next read", async () => {
    const at = computer();
    at.seed({ calls: 20, events: 20, sources: 3, days: 1 });
    const window = await show(at, { screen: "home?range=all" });
    const main = window.page.locator("main");
    const figures = window.page.getByRole("region", { name: "Figures" }).or(main.locator(".hero")).first();
    const busy = async (what: string) =>
      window.page.route(`**/call/${what}`, (route) => route.fulfill({ status: 500, contentType: "application/json", body: '{"code":"storage","message":"it stayed busy for 5 s"}' }));
    /** Something is written, so everything is read again. */
    let turn = 0;
    const written = () => {
      at.write("work/shop/docs/busy.md", `# Busy\n\nTurn ${++turn} of it.\n`);
      at.plimsoll(["index", "docs/busy.md"]);
    };
    const line = main.getByText("it stayed busy for 5 s").first();
    const shown: [string, string, string, typeof figures][] = [
      ["home?range=all", "Home", "stats", figures],
      ["sessions", "Sessions", "sessions", window.page.getByRole("grid", { name: "Sessions" })],
      ["activity", "Activity", "activity", window.page.getByRole("grid")],
      ["knowledge", "Knowledge", "sources", window.page.getByRole("grid")],
    ];
    for (const [screen, heading, command, content] of shown) {
      await window.go(screen);
      // The screen before it has a grid, too, and stays until this one is loaded.
      await window.page.getByRole("heading", { level: 1, name: heading }).waitFor();
      await content.waitFor();
      await window.settled();
      await busy(command);
      written();
      await line.waitFor({ timeout: 20_000 });
      expect(await content.count(), screen).toBe(1);
      expect(await window.violations(), screen).toEqual([]);
      await window.page.unroute(`**/call/${command}`);
      written();
      await line.waitFor({ state: "detached", timeout: 20_000 });
    }
  });
});

describe("programs that are gone", () => {
  test("the host: reported at once, and Try again works when it is back", async () => {
    const at = computer();
    const host = await at.serve();
    const window = await show(at, { host, screen: "agents" });
    await window.heading("Agents").waitFor();
    // In the desktop the page itself does not come from the host, so it is fetched before the host goes.
    for (const screen of ["sessions", "activity"]) {
      await window.go(screen);
      await window.page.getByText(screen === "sessions" ? "No sessions yet" : "No decisions yet").waitFor();
    }
    await host.stop();
    await window.go("sessions");
    await isFault(window, /Plimsoll doesn’t answer/);
    // The refused connections are the test's own doing.
    window.problems = window.problems.filter((line) => !line.includes("ERR_CONNECTION_REFUSED"));
  });

  test("an agent that was uninstalled while the window was open", async () => {
    const at = computer();
    install.claude(at);
    install.opencode(at);
    at.plimsoll(["connect", "opencode", "--yes"]);
    const window = await show(at, { screen: "agents" });
    await window.page.getByText("OpenCode").first().waitFor();
    for (const path of [".config", ".local/share/opencode", ".local/bin/opencode"]) rmSync(at.path(path), { recursive: true, force: true });
    await window.go("home");
    await window.heading("Home").waitFor();
    await window.go("agents");
    await window.page.getByText("Claude Code").first().waitFor();
    expect(await window.violations()).toEqual([]);
    expect(existsSync(at.path(".config/opencode"))).toBe(false);
  });

  test("the sidecar behind the launcher: verifying says what did not answer", async () => {
    const at = computer();
    install.claude(at);
    at.plimsoll(["connect", "claude-code", "--yes"]);
    const launcher = join(at.own, "bin/plimsoll");
    rmSync(launcher);
    writeFileSync(launcher, "#!/bin/sh\nexit 7\n", { mode: 0o755 });
    const window = await show(at, { screen: "agents" });
    await window.page.getByText("Claude Code").first().waitFor();
    await window.button(/^Verify/).first().click();
    await window.page.getByText(/didn.t answer|ended|exit/i).first().waitFor({ timeout: 45_000 });
    expect(await window.violations()).toEqual([]);
  });
});

describe("files that others change", () => {
  test("entries that somebody took out: the state is read from the files, and Repair puts them back", async () => {
    const at = computer();
    install.claude(at);
    at.plimsoll(["connect", "claude-code", "--yes"]);
    const settings = at.read(".claude/settings.json");
    const window = await show(at, { screen: "agents" });
    await window.page.getByText("Connected", { exact: true }).first().waitFor();
    at.write(".claude/settings.json", '{\n  "theme": "dark"\n}\n');
    await window.go("home");
    await window.heading("Home").waitFor();
    await window.go("agents");
    await window.page.getByText("Partly connected").first().waitFor();
    await window.button(/^Repair/).first().click();
    await window.page.getByRole("dialog").getByRole("button", { name: /^Apply|^Repair/ }).click();
    await window.page.getByText("Connected", { exact: true }).first().waitFor();
    expect(at.read(".claude/settings.json")).toContain("plimsoll");
    expect(settings).toContain("plimsoll");
  });

  test("an invalid settings file doesn't close the window", async () => {
    const at = computer();
    at.write(".plimsoll/settings.toml", "= = =\n", 0o600);
    const window = await show(at, { screen: "home" });
    for (const screen of ["home", "agents", "knowledge", "activity"]) {
      await window.go(screen);
      await window.page.locator("h1").first().waitFor();
    }
    await window.go("home");
    await window.page.locator("main").getByText(/settings\.toml/).first().waitFor();
    expect(at.read(".plimsoll/settings.toml")).toBe("= = =\n");
  });
});
